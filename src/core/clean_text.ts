/** The most characters (UTF-16 units) of a paper's text. */
export const MAX_PAPER_CHARACTERS = 5_000_000;

/** A text without what a page cannot show, and its places. */
interface CleanText {
  /** Line breaks are `\n`; no control characters but tabs; no white space at the end of a line. */
  readonly text: string;
  /** Offsets in the cleaned text of the offsets given. */
  readonly places: readonly number[];
}

const BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const CONTROL = /(?!\t)\p{Cc}/gu;

/**
 * A text as papers are kept: line breaks of every kind made one, other control characters turned into spaces, halves of
 * characters into U+FFFD, a byte order mark and the white space at the end of lines left out. `places` are offsets in
 * UTF-16 units, rising; each is moved with the character it stands before.
 */
export function cleanText(raw: string, places: readonly number[] = []): CleanText {
  const begin = raw.startsWith("\ufeff") ? 1 : 0;
  const lines: string[] = [];
  const moved: number[] = [];
  let length = 0;
  let start = begin;
  const addLine = (end: number) => {
    const line = raw.slice(start, end).toWellFormed().replace(CONTROL, " ").trimEnd();
    while (moved.length < places.length && places[moved.length]! <= end) {
      const offset = Math.max(0, places[moved.length]! - start);
      moved.push(length + Math.min(offset, line.length));
    }
    lines.push(line);
    length += line.length + 1;
  };
  for (const { 0: mark, index } of raw.matchAll(BREAK)) {
    if (index < start) continue;
    addLine(index);
    start = index + mark.length;
  }
  addLine(raw.length);
  const text = lines.join("\n");
  while (moved.length < places.length) moved.push(text.length);
  return { text, places: moved };
}
