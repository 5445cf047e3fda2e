// A stand-in for `@std/yaml` over js-yaml.
import { CORE_SCHEMA, dump, load, YAMLException } from "js-yaml";

/** Options of {@linkcode parse}: this project reads YAML 1.2's core schema alone. */
export interface ParseOptions {
  /** Schema of plain words: numbers, booleans and null. */
  readonly schema: "core";
}

/**
 * The part of `@std/yaml` that this project uses, where JSR cannot be reached; `deno.jsr.json` maps to the original. Throws
 * a `SyntaxError` that says where the text is no YAML.
 */
export function parse(content: string, _options: ParseOptions): unknown {
  if (content.trim() === "") return null;
  try {
    return load(content, { schema: CORE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException) || error.mark == null) throw error;
    const { line, column } = error.mark;
    throw new SyntaxError(`${error.reason} at line ${line + 1}, column ${column + 1}`, {
      cause: error,
    });
  }
}

/** The text of a value that {@linkcode parse} reads back; keys whose values are undefined are left out. */
export function stringify(value: unknown, _options: ParseOptions & { skipInvalid: true }): string {
  return dump(value, { schema: CORE_SCHEMA, skipInvalid: true, noRefs: true, lineWidth: -1 });
}
