// Takes pages apart.
import { parse } from "@std/yaml";
import { RecordError } from "../core/error.ts";
import { RESTORE } from "./problems.ts";

/** A page taken apart. */
export interface Page {
  readonly data: Readonly<Record<string, unknown>>;
  /** Everything after the line that closes the front matter, to the byte. */
  readonly body: string;
}

/**
 * Takes a page apart. Fails with `record_corrupt`, naming `path` and the line, where the front matter is missing, is not
 * closed, or is not a YAML map.
 */
export function readFrontMatter(text: string, path: string): Page {
  const opening = /^---\r?\n/.exec(text);
  if (opening === null) {
    throw corruptAt(path, 1, 'it does not begin with a line "---"');
  }
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null) {
    throw corruptAt(path, 1, 'its front matter has no closing line "---"');
  }
  const yaml = rest.slice(0, closing.index);
  const body = rest.slice(closing.index + closing[0].length);
  return { data: readYaml(yaml, path), body };
}

const YAML_OPTIONS = { schema: "core" } as const;

function readYaml(yaml: string, path: string): Record<string, unknown> {
  if (yaml.trim() === "") return {};
  let data: unknown;
  try {
    data = parse(yaml, YAML_OPTIONS);
  } catch (error) {
    throw corruptAt(path, lineOf(error) + 1, firstLine(error), error);
  }
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    throw corruptAt(path, 2, "its front matter is not a map of keys to values");
  }
  return data as Record<string, unknown>;
}

function corruptAt(path: string, line: number, problem: string, cause?: unknown): RecordError {
  return new RecordError("record_corrupt", `Cannot read ${path}, line ${line}: ${problem}`, {
    cause,
    field: path,
    hint: RESTORE,
  });
}

function lineOf(error: unknown): number {
  const place = (error as { linePos?: readonly { line: number }[] }).linePos;
  if (place?.[0] !== undefined) return place[0].line;
  const [, line] = /line (\d+)/.exec(String(error)) ?? [];
  return line === undefined ? 1 : Number(line);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n")[0] ?? "").replace(
    / at line \d+, column \d+:?$/,
    "",
  );
}
