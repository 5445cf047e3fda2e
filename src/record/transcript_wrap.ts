/** How {@linkcode wrapText} breaks lines. */
export interface WrapTextOptions {
  /** Columns. @default 80 */
  readonly width?: number;
  /** Stands before every line that is not empty. @default "" */
  readonly indent?: string;
}

/**
 * The text with every line broken at white space to fit `width` columns; a longer word is cut. A line keeps its leading
 * white space, for what was broken off it too. Wide characters count as two columns.
 */
export function wrapText(text: string, options: WrapTextOptions = {}): string {
  const { width = 80, indent = "" } = options;
  return text.split("\n")
    .flatMap((line) => wrapLine(line.replaceAll("\t", "    "), width - columns(indent)))
    .map((line) => line === "" ? "" : indent + line)
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  const trimmed = line.trimEnd();
  const lead = /^ */.exec(trimmed)?.[0].slice(0, width >> 1) ?? "";
  const room = width - lead.length;
  const lines: string[] = [];
  let current = "";
  let used = 0;
  for (const word of trimmed.trim().split(/\s+/u)) {
    for (const piece of pieces(word, room)) {
      const size = columns(piece);
      if (current !== "" && used + 1 + size > room) {
        lines.push(lead + current);
        current = "";
        used = 0;
      }
      used += size + (current === "" ? 0 : 1);
      current += (current === "" ? "" : " ") + piece;
    }
  }
  lines.push(current === "" ? "" : lead + current);
  return lines;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A word in pieces of at most `room` columns: itself, nearly always. */
function* pieces(word: string, room: number): Generator<string> {
  // A code unit takes two columns at most.
  if (word.length * 2 <= room || columns(word) <= room) {
    yield word;
    return;
  }
  let piece = "";
  let used = 0;
  for (const segment of segments(word, room)) {
    const size = columns(segment);
    if (piece !== "" && used + size > room) {
      yield piece;
      piece = "";
      used = 0;
    }
    piece += segment;
    used += size;
  }
  yield piece;
}

/** Graphemes; code points where one grapheme alone would not fit. */
function* segments(word: string, room: number): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(word)) {
    if (columns(segment) <= room) yield segment;
    else yield* segment;
  }
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** How many columns a text takes: wide characters two, marks that join the one before none. */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const char of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) continue;
    count += WIDE.test(char) ? 2 : 1;
  }
  return count;
}
