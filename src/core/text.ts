// Cleaning of text: unseen characters, single lines, well-formed Unicode, columns of a terminal.

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

/** One line of at most `max` code points, white space folded, cut with an ellipsis. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  // A code point is at most two units: a short line needs no counting.
  if (line.length <= max) return line;
  const points = [...line];
  return points.length <= max ? line : points.slice(0, max - 1).join("").trimEnd() + "…";
}

/** Lines that name what comes after them: headings, and labels in bold. */
const LABELS = /^#{1,6} .*$|^\*\*[^*\n]{1,40}[.:]\*\*/gmu;

/**
 * The first sentence of a body, one line of at most 140 characters; the headings and labels of one that begins with a
 * heading are left out.
 */
export function gist(body: string): string {
  const prose = body.startsWith("#") ? body.slice(0, 4000).replace(LABELS, "").trim() : body;
  const text = prose === "" ? body : prose;
  const start = oneLine(text.slice(0, 400), 400);
  // Nothing after 140 code points, two units each at most, changes what is kept.
  const line = start.length > 300 ? start : oneLine(text.slice(0, 2000), 2000);
  const end = line.search(/(?<!(?:^|\s)\d{1,2})[.!?…](?=\s|$)/u);
  return oneLine(end === -1 ? line : line.slice(0, end + 1), 140);
}

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

/**
 * A text, or data with texts in it, as well-formed Unicode: each half of a surrogate pair that stands alone becomes U+FFFD,
 * as it does in UTF-8. Data without such a half is returned as it is.
 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : repaired(value) as T;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, each]) => key.isWellFormed() && isWellFormed(each));
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.toWellFormed(), repaired(each)]),
  );
}

/** A response's body as text; undefined past so many bytes, where reading stops. */
export async function bodyText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** Takes milliseconds to make, and few texts need it. */
let graphemes: Intl.Segmenter | undefined;

/** A word in pieces of at most `room` columns: one, nearly always. */
export function pieces(word: string, room: number): string[] {
  if (columns(word) <= room) return [word];
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const all = [""];
  for (const { segment } of graphemes.segment(word)) {
    // One grapheme may be wider than a line.
    for (const part of columns(segment) <= room ? [segment] : segment) {
      const last = all.at(-1)!;
      if (columns(last + part) <= room) all[all.length - 1] = last + part;
      else all.push(part);
    }
  }
  return all;
}

/** A line, wrapped between words where it is wider than `width`; its indent begins each part. */
export function wrappedLine(line: string, width: number): string {
  if (columns(line) <= width) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  for (const word of line.trim().split(/\s+/)) {
    for (const piece of pieces(word, Math.max(1, width - indent.length))) {
      const before = lines.at(-1);
      if (before !== undefined && columns(before) + 1 + columns(piece) <= width) {
        lines[lines.length - 1] = `${before} ${piece}`;
      } else lines.push(indent + piece);
    }
  }
  return lines.join("\n");
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** The columns of a text: two for wide characters, none for marks that join the character before. */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const char of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) continue;
    count += WIDE.test(char) ? 2 : 1;
  }
  return count;
}
