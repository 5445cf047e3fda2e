import { parse } from "@std/yaml";
import { RecordError } from "../core/error.ts";

/** What front matter can hold: JSON, where an undefined value is a key left out. */
export type FrontMatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontMatterValue[]
  | FrontMatter;

/** The keys of a page in the order they are written. */
export interface FrontMatter {
  readonly [key: string]: FrontMatterValue | undefined;
}

/** A page taken apart. */
export interface Page {
  readonly data: Readonly<Record<string, unknown>>;
  /** Everything after the line that closes the front matter, to the byte. */
  readonly body: string;
}

/** The format every file names. */
export const FORMAT = "convenings/1";

/** A page: front matter, then the body exactly as given (no line break is added). */
export function writeFrontMatter(data: FrontMatter, body = ""): string {
  return `---\n${blockMap(data, "")}---\n${body}`;
}

/**
 * Takes a page apart. Fails with `record_corrupt`, naming `path` and the line, where the front matter is missing, is not
 * closed, or is not a YAML map.
 */
export function readFrontMatter(text: string, path: string): Page {
  const opening = /^---\r?\n/.exec(text);
  if (opening === null) {
    throw corrupt(path, 1, 'it does not begin with a line "---"');
  }
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null) {
    throw corrupt(path, 1, 'its front matter has no closing line "---"');
  }
  const yaml = rest.slice(0, closing.index);
  const body = rest.slice(closing.index + closing[0].length);
  return { data: readSimple(yaml) ?? readYaml(yaml, path), body };
}

const YAML_OPTIONS = { schema: "core", logLevel: "error" } as const;

function readYaml(yaml: string, path: string): Record<string, unknown> {
  let data: unknown;
  try {
    data = parse(yaml, YAML_OPTIONS);
  } catch (error) {
    throw corrupt(path, lineOf(error) + 1, firstLine(error), error);
  }
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    throw corrupt(path, 2, "its front matter is not a map of keys to values");
  }
  return data as Record<string, unknown>;
}

/** Reads what {@linkcode writeFrontMatter} writes for most pages, ten times as fast as YAML; undefined for anything else. */
function readSimple(yaml: string): Record<string, unknown> | undefined {
  const entries = new Map<string, unknown>();
  for (const line of yaml.split("\n")) {
    if (line === "") continue;
    const colon = line.indexOf(": ");
    if (colon <= 0) return undefined;
    const key = line.slice(0, colon);
    if (!PLAIN_KEY.test(key) || entries.has(key)) return undefined;
    const value = readValue(line.slice(colon + 2));
    if (value === undefined) return undefined;
    entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function readValue(text: string): unknown {
  if (text.startsWith('"')) {
    if (!/^"(?:[^"\\]|\\["\\bfnrtu])*"$/.test(text)) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (NUMBER.test(text)) return Number(text);
  if (text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  if (text === "[]") return [];
  if (text.startsWith("{ ") && text.endsWith(" }")) return readFlowMap(text);
  return TIME.test(text) || isPlain(text) ? text : undefined;
}

/** A flow map without quotes or nesting, such as a usage. */
function readFlowMap(text: string): Record<string, unknown> | undefined {
  if (/["'[\]#&*!|>%@`\\]/.test(text) || text.indexOf("{", 1) !== -1) {
    return undefined;
  }
  const entries: [string, unknown][] = [];
  for (const part of text.slice(2, -2).split(", ")) {
    const match = /^([a-zA-Z][a-zA-Z0-9_-]*): ([^,:{}]+)$/.exec(part);
    if (match === null) return undefined;
    const [, key, raw] = match as unknown as [string, string, string];
    const value = readValue(raw);
    if (value === undefined || !PLAIN_KEY.test(key)) return undefined;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

function corrupt(
  path: string,
  line: number,
  problem: string,
  cause?: unknown,
): RecordError {
  return new RecordError(
    "record_corrupt",
    `Cannot read ${path}, line ${line}: ${problem}`,
    {
      cause,
      field: path,
      hint: "Put the file back as it was, from a backup or from version control.",
    },
  );
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

/** The widest collection that is written on one line. */
const FLOW_WIDTH = 140;

function blockMap(data: FrontMatter, indent: string): string {
  let text = "";
  for (const key in data) {
    const value = data[key];
    if (value === undefined) continue;
    const name = scalarKey(key);
    const lead = name.length > LONGEST_KEY ? `${indent}? ${name}\n${indent}:` : `${indent}${name}:`;
    text += `${lead}${afterKey(value, indent, key.endsWith("_at"))}`;
  }
  return text;
}

/** A YAML reader need not take a key of over 1,024 characters without `?`. */
const LONGEST_KEY = 1000;

function afterKey(
  value: FrontMatterValue,
  indent: string,
  isTime = false,
): string {
  if (value === null || typeof value !== "object") {
    return isTime && typeof value === "string" && TIME.test(value)
      ? ` ${value}\n`
      : ` ${scalar(value, false)}\n`;
  }
  const flow = flowText(value);
  if (flow !== undefined) return ` ${flow}\n`;
  const deeper = `${indent}  `;
  return isList(value)
    ? `\n${value.map((item) => listItem(item, deeper)).join("")}`
    : `\n${blockMap(value, deeper)}`;
}

function listItem(item: FrontMatterValue, indent: string): string {
  if (item !== null && typeof item === "object" && !isList(item)) {
    const flow = flowText(item);
    if (flow !== undefined) return `${indent}- ${flow}\n`;
    const map = blockMap(item, `${indent}  `);
    return `${indent}- ${map.slice(indent.length + 2)}`;
  }
  return `${indent}-${afterKey(item, indent)}`;
}

/** A collection on one line, where it is short and no deeper than a list in a map. */
function flowText(
  value: readonly FrontMatterValue[] | FrontMatter,
  depth = 0,
): string | undefined {
  if (depth > 1) return undefined;
  const parts: string[] = [];
  let width = 0;
  for (const key in value) {
    const item = (value as FrontMatter)[key];
    if (item === undefined) continue;
    const text = item !== null && typeof item === "object"
      ? flowText(item, depth + 1)
      : scalar(item, true);
    if (text === undefined) return undefined;
    const part = isList(value) ? text : `${scalarKey(key)}: ${text}`;
    width += part.length + 2;
    if (width > FLOW_WIDTH) return undefined;
    parts.push(part);
  }
  if (isList(value)) return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function isList(
  value: readonly FrontMatterValue[] | FrontMatter,
): value is readonly FrontMatterValue[] {
  return Array.isArray(value);
}

function scalar(
  value: string | number | boolean | null,
  inFlow: boolean,
): string {
  if (typeof value === "string") {
    return isPlain(value) && !(inFlow && value.includes(",")) ? value : quoted(value);
  }
  if (typeof value === "number") return numberText(value);
  return String(value);
}

/** A number without an exponent where it can be had: YAML 1.1 takes `1e-7` for a string. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) {
    throw new RangeError(`Cannot write front matter: ${value} is no number`);
  }
  const text = Object.is(value, -0) ? "0" : String(value);
  if (!text.includes("e")) return text;
  const [mantissa = "", exponent = ""] = text.split("e");
  const point = mantissa.includes(".") ? mantissa : `${mantissa}.0`;
  return `${point}e${exponent}`;
}

const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null|e[0-9_]+)$)[A-Za-z][A-Za-z0-9_-]*$/i;

function scalarKey(key: string): string {
  return PLAIN_KEY.test(key) ? key : quoted(key);
}

const PLAIN =
  /^(?:[\p{L}\p{Nd}_/]|\.\.?\/)(?:[\p{L}\p{Nd}_./()'!?%+=;$,&-]| (?=[\p{L}\p{Nd}_./('%+=$&]))*$/u;
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?[0-9_]+)$/i;
const NUMBER_LIKE =
  /^(?:0[xob][0-9a-f_]*|[0-9][0-9_.,]*(?:e[-+]?[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$/i;

/** Whether every YAML reader, 1.1 or 1.2, takes the bare text for just this string. */
function isPlain(text: string): boolean {
  return text.length < 400 && PLAIN.test(text) && !WORD.test(text) &&
    !NUMBER_LIKE.test(text);
}

/** What JSON leaves as it is and a YAML reader would take for a line break or refuse. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    UNSAFE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
