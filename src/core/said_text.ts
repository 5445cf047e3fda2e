// Words of participants in a form that is safe to show.
import { oneLine } from "./message.ts";
import { withoutUnseen } from "./text.ts";

const LIST_MARKER = /^(?:(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+)+/u;

/** Words of a model or a person, trimmed: every line end as `\n`, tabs as spaces, without unseen characters. */
export function saidText(text: string): string {
  return withoutUnseen(text).replaceAll("\t", " ").trim();
}

/** As {@linkcode saidText}, in one line of at most `max` code points, cut with an ellipsis. @default max no bound */
export function saidLine(text: string, max = Infinity): string {
  return oneLine(saidText(text), max);
}

/** A line without what marks it as an item of a list, a heading or a quotation in markdown: `1.`, `2)`, `-`, `#`, `>`. */
export function withoutListMarker(line: string): string {
  return line.trimStart().replace(LIST_MARKER, "");
}
