// Columns that a text takes in a terminal or a page of plain text.

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
