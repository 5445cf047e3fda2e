// Words of others as markdown that holds nothing but prose.
import { saidLine, saidText } from "../../core/said_text.ts";

const PUNCTUATION = "[!-\\/:-@\\[-`{-~]";
/** Signs with a meaning in markdown anywhere in a line. */
const INLINE = new RegExp(
  [
    `\\\\(?=${PUNCTUATION})`,
    "<(?=[A-Za-z/!?])",
    "&(?=#?\\w+;)",
    "(?<=\\])\\(",
    "\\*{2,}|_{2,}",
    "(?<=(?:https?|ftp)):(?=//)",
    "(?<=www)\\.",
  ].join("|"),
  "gi",
);
/** Signs with a meaning in markdown within a computed line. */
const BESIDE = new RegExp(`${INLINE.source}|[*_~\`[\\]|]`, "gi");
/** Signs that begin a block of markdown at the beginning of a line. */
const BLOCK = /^(?=[#>]|[-+*](?:\s|$)|[-=_*\s]+$|~{3}|`{3}|\[[ xX]\]\s|\[.*\]:)/u;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;
const ESCAPED = new RegExp(`\\\\(${PUNCTUATION})|&lt;|&amp;`, "g");

/**
 * Said words as paragraphs of markdown that hold nothing but prose: every line becomes a paragraph. Escaped are what begins
 * a block at the beginning of a line (headings, lists, quotations, fences, rules and front subject, definitions of links),
 * the `<` of a tag, the `&` of an entity, the bracket that makes `[text](address)` a link or a picture, double asterisks
 * and underscores (what is bold in a message is computed), the address of a bare link, and a backslash that would escape
 * something. Everything else stays as it is.
 */
export function proseMarkdown(text: string): string {
  return saidText(text).split("\n").map((line) => line.trim()).filter((line) => line !== "")
    .map(paragraph).join("\n\n");
}

/** Prose as {@linkcode proseMarkdown} has it, in one line of at most `max` code points. @default max no bound */
export function lineMarkdown(text: string, max = Infinity): string {
  return paragraph(saidLine(text, max));
}

/** Said words within a line that goes on with others: as {@linkcode lineMarkdown}, without any emphasis, code or link. */
export function wordsMarkdown(text: string, max = Infinity): string {
  return escape(saidLine(text, max), BESIDE);
}

/** A text as a span of code, in one line of at most `max` code points; `(none)` where there is nothing. @default max no bound */
export function codeMarkdown(text: string, max = Infinity): string {
  const line = saidLine(text, max);
  if (line === "") return "(none)";
  const fence = "`".repeat(1 + Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)));
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Text of markdown without its escapes; undoes {@linkcode proseMarkdown} paragraph by paragraph. */
export function unescapedMarkdown(markdown: string): string {
  return markdown.replace(ESCAPED, (found, char) => {
    if (found === "&lt;") return "<";
    return found === "&amp;" ? "&" : char;
  });
}

function paragraph(line: string): string {
  return escape(line, INLINE).replace(BLOCK, "\\").replace(NUMBERED, "$1\\$2");
}

function escape(line: string, what: RegExp): string {
  return line.replace(what, (found) => {
    if (found === "<") return "&lt;";
    if (found === "&") return "&amp;";
    return found.replace(/./g, "\\$&");
  });
}
