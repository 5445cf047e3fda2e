// Subset of `@std/yaml`, implemented with js-yaml.
import { CORE_SCHEMA, dump, load, YAMLException } from "js-yaml";

/** Options of {@linkcode parse}; only the core schema of YAML 1.2 is supported. */
export interface ParseOptions {
  /** Schema of plain scalars: numbers, booleans and null. */
  readonly schema: "core";
}

/**
 * Parses YAML as `@std/yaml` does, for environments without access to JSR; `deno.jsr.json` maps to the original package.
 * Throws a `SyntaxError` with the position of the problem.
 */
export function parse(content: string, _options: ParseOptions): unknown {
  // js-yaml rejects a text without a document.
  if (content.split("\n").every((line) => /^\s*(?:#|$)/.test(line))) return null;
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

/** Formats a value as YAML that {@linkcode parse} can read; keys with undefined values are omitted. */
export function stringify(value: unknown, _options: ParseOptions & { skipInvalid: true }): string {
  return dump(value, { schema: CORE_SCHEMA, skipInvalid: true, noRefs: true, lineWidth: -1 });
}
