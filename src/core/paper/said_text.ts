import { oneLine } from "../message.ts";

const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Control characters, and marks that turn the direction of a text. */
const UNSEEN = /(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const LIST_MARKER = /^(?:(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+)+/u;

/**
 * What a model or a person wrote, trimmed: every line end as `\n`, tabs as spaces, without control characters, marks that
 * turn its direction, and halves of characters.
 */
export function saidText(text: string): string {
  return text.toWellFormed().replace(LINE_END, "\n").replaceAll("\t", " ").replace(UNSEEN, "")
    .trim();
}

/** As {@linkcode saidText}, in one line of at most `max` code points, cut with an ellipsis. @default max no bound */
export function saidLine(text: string, max = Infinity): string {
  return oneLine(saidText(text), max);
}

/** A line without what marks it as an item of a list, a heading or a quotation in markdown: `1.`, `2)`, `-`, `#`, `>`. */
export function withoutListMarker(line: string): string {
  return line.trimStart().replace(LIST_MARKER, "");
}
