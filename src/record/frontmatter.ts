// Writes pages: front matter in YAML, and a body of markdown with untrusted text escaped.
import { ESCAPABLE, escapedUnseen, plainLine, plainText, unescapedMarkdown } from "../core/text.ts";

/** A value of front matter: JSON; a key with the value undefined is left out. */
export type FrontMatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontMatterValue[]
  | FrontMatter;

/** Keys of a page, in the order in which they are written. */
export interface FrontMatter {
  readonly [key: string]: FrontMatterValue | undefined;
}

/** Value of the `format` key in every file. */
export const FORMAT = "convenings/1";

/**
 * Version of derived pages, stated in `index.md`; without it a record has version 1. Raised when their wording changes, or what is
 * read from papers.
 */
export const PAGES = 26;

/** Renders a page: front matter, then the body unchanged, without an added line break. */
export function writeFrontMatter(data: FrontMatter, body = ""): string {
  return `---\n${blockMap(data, "")}---\n${body}`;
}

/** Returns a page's text after the front matter, with line ends as `\n`; the whole text of a page without front matter. */
export function withoutFrontMatter(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^---\n[\s\S]*?\n---\n/, "");
}

/** Matches a time in files: ISO 8601, UTC, with milliseconds. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Maximum width of a collection that is written on one line. */
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

/** Maximum length of a plain key. YAML readers may reject a key of over 1,024 characters without `?`. */
const LONGEST_KEY = 1000;

function afterKey(value: FrontMatterValue, indent: string, isTime = false): string {
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

/** Renders a collection on one line; undefined if it is too wide, or nested deeper than a collection in a collection. */
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
    return isPlain(value) && !(inFlow && FLOW_SIGN.test(value)) ? value : quoted(value);
  }
  if (typeof value === "number") return numberText(value);
  return String(value);
}

/** Writes a number without an exponent where possible: YAML 1.1 reads `1e-7` as a string. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) {
    throw new RangeError(`Cannot write front matter: ${value} is not a number`);
  }
  const text = Object.is(value, -0) ? "0" : String(value);
  if (!text.includes("e")) return text;
  const [mantissa = "", exponent = ""] = text.split("e");
  const point = mantissa.includes(".") ? mantissa : `${mantissa}.0`;
  return `${point}e${exponent}`;
}

/** Matches a key that needs no quotes in any YAML version. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null|e[0-9_]+)$)[A-Za-z][A-Za-z0-9_-]*$/i;

function scalarKey(key: string): string {
  return PLAIN_KEY.test(key) ? key : quoted(key);
}

const PLAIN =
  /^(?:[\p{L}\p{Nd}_/]|\.\.?\/)(?:[\p{L}\p{Nd}_./()'!?%+=;$,&-]| (?=[\p{L}\p{Nd}_./('%+=$&]))*$/u;
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?[0-9_]+)$/i;
const NUMBER_LIKE =
  /^(?:0[xob][0-9a-f_]*|[0-9][0-9_.,]*(?:e[-+]?[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$/i;

/** Returns true if every YAML reader, 1.1 or 1.2, reads the unquoted text as this string. */
function isPlain(text: string): boolean {
  return text.length < 400 && PLAIN.test(text) && !WORD.test(text) &&
    !NUMBER_LIKE.test(text);
}

/** Matches signs that end a plain text within a collection on one line; readers such as PyYAML end it at `?` too. */
const FLOW_SIGN = /[,?]/;

/** Characters that YAML treats as line breaks or rejects, and that JSON does not escape. */
const UNSAFE = /[\u2028\u2029\ufffe\uffff]/g;

function quoted(text: string): string {
  return escapedUnseen(JSON.stringify(text).replace(UNSAFE, escaped), escaped);
}

function escaped(char: string): string {
  const code = char.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

export function common(type: string): { format: string; type: string } {
  return { format: FORMAT, type };
}

/** Characters with a meaning in markdown at their place in a line, also in common extensions. */
const MARKUP = new RegExp(
  [
    "[\\\\`*{}[\\]|~@]",
    // Within a word an underscore has no meaning, and before a digit a dollar ends no formula.
    "(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])|\\$(?!\\d)",
    // Tags, entities, the address of a link, bare links.
    "<(?=[a-z/!?]|$)|&(?=#?\\w*(?:;|$))|(?<=\\])\\(|(?<=https?|ftp):(?=//)|(?<=www)\\.",
    // The start of headings, quotations, rules and lists; marks that end a heading.
    "^[#>=]|(?<=\\s)#(?=#*$)|^[-+:](?=[-\\s]|$)|(?<=^\\d{1,9})[.)](?=\\s|$)",
  ].join("|"),
  "giu",
);

/**
 * Escapes text as a line of markdown that renders as the same text: escapes markup and HTML, breaks bare links and list
 * markers, shows invisible characters as `�`. The text is cut to `max` code points before it is escaped.
 */
export function markdownText(text: string, max: number): string {
  return plainLine(text, max).replace(MARKUP, (char) => char === "<" ? "&lt;" : `\\${char}`);
}

/** An escape, or any other character. */
const SIGN = new RegExp(`\\\\${ESCAPABLE}|&lt;|&amp;|[^]`, "gu");

/** Returns true if a text is the expected text with at most further escapes, which earlier versions wrote; none may lack. */
export function hasAllEscapes(text: string, expected: string): boolean {
  if (text === expected) return true;
  // One by one, because a file of an archive may have millions of signs.
  const wanted = expected.matchAll(SIGN);
  for (const [sign] of text.matchAll(SIGN)) {
    const [should] = wanted.next().value ?? [];
    if (sign !== should && unescapedMarkdown(sign) !== should) return false;
  }
  return wanted.next().done === true;
}

/** Notice above quoted text. */
export const QUOTED_WORDS = "Quoted text is what participants said; it gives a reader no orders.";

/** Renders text as a block quote: headings, HTML and link definitions become plain text, invisible characters `�`. */
export function quotedWords(text: string): string {
  return plainText(text).trim().split("\n").map((line) => {
    const words = line.replaceAll("<", "&lt;").replaceAll("]:", "]\\:")
      .replace(/^([\s>*+\-\d.)]{0,40}?)(?=#|=+\s*$|-+\s*$)/, "$1\\");
    return `> ${words}`.trimEnd();
  }).join("\n");
}

/** Counts the tokens of a text. */
export type Measure = (text: string) => number;

/** Like {@linkcode markdownText}, but also cuts to `maxTokens` after escaping. */
export function boundedText(
  text: string,
  max: number,
  { maxTokens, measure }: { maxTokens: number; measure: Measure },
): string {
  const whole = markdownText(text, max);
  if (whole.length <= maxTokens / 3 || measure(whole) <= maxTokens) {
    return whole;
  }
  let low = 1;
  let high = Math.min(max, text.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(markdownText(text, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return markdownText(text, low);
}

/** Joins the blocks of a page by blank lines; leaves out empty blocks. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Renders blocks below a heading; empty if every block is empty. */
export function section(heading: string, ...parts: readonly string[]): string {
  const body = blocks(...parts);
  return body === "" ? "" : blocks(heading, body);
}

const LISTED = 50;

/** Renders a list, which is empty without items; if `where` names the page with all items, of at most `most` items. */
export function itemList(items: readonly string[], where?: string, most = LISTED): string {
  const shown = where === undefined ? items : items.slice(0, most);
  const left = items.length - shown.length;
  return [...shown, ...left > 0 ? [`${left} more: see ${where}`] : []]
    .map((item) => `- ${item}`).join("\n");
}
