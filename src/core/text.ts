// Cleaning of text: plain text, invisible characters, lengths.
import { oneLine } from "./message.ts";

const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Characters that joiners stand between: parts of an emoji, letters of scripts in which a joiner changes a word. */
const JOINED = String
  .raw`[[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]]`;
/**
 * Characters that no reader sees, but a terminal, a browser or a model obeys: control characters, marks that turn the
 * direction of a text, characters without a width, tag characters (U+E0000 to U+E007F). Line breaks, tabs, joiners
 * between {@linkcode JOINED} and the selector of an emoji are left alone.
 */
let unseenSigns: RegExp | undefined;

// To read the pattern takes milliseconds, which a text of ASCII alone saves.
function unseen(): RegExp {
  return unseenSigns ??= new RegExp(
    [
      String.raw`(?:[[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\n\t]]`,
      `(?<!${JOINED}[\\u200c\\u200d](?=${JOINED}))`,
      String.raw`(?<!\p{Emoji}[\ufe0e\ufe0f]))+`,
    ].join(""),
    "gv",
  );
}

/** A text without any unseen character. */
const SEEN = /^[\n\t\x20-\x7e]*$/;

/** A text with `put` in the place of each run of unseen characters, every line end as `\n`, and no half characters. */
function replaced(text: string, put: string): string {
  const lines = text.toWellFormed().replace(LINE_END, "\n").replaceAll("\u00ad", "");
  return SEEN.test(lines) ? lines : lines.replace(unseen(), put);
}

/** A text as it is shown: line breaks are `\n`, each run of unseen characters is `�`, soft hyphens are left out. */
export function plainText(text: string): string {
  return replaced(text, "\ufffd");
}

/** {@linkcode plainText} on one line of at most `max` code points, cut with an ellipsis. @default max no bound */
export function plainLine(text: string, max = Infinity): string {
  return oneLine(plainText(text), max);
}

/** A text without its unseen characters, for what becomes part of a record. */
export function withoutUnseen(text: string): string {
  return replaced(text, "");
}

/** A text with each of its unseen characters as `escape` writes it. */
export function escapedUnseen(text: string, escape: (char: string) => string): string {
  return text.replace(unseen(), (run) => Array.from(run, escape).join(""));
}

/** A number of things. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** A text whose first letter is a capital. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
