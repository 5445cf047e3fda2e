import type { Measure } from "./markdown.ts";

/** A stretch of a paper that fits a page; stretches follow each other without a gap. */
export interface PaperPart {
  /** Where it begins, in UTF-16 units from the paper's beginning. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** Tokens of its text; of text with very long words at least as many as it has. */
  readonly tokens: number;
}

/** More characters than the tokens of a part have in any usual text. */
const CHARACTERS_A_TOKEN = 4;
/** How much longer than the one before a part is first taken to be. */
const GROWTH = 1.2;

/** Cuts a text into parts of at most `capacity` tokens: between paragraphs or sentences, else lines, words, characters. */
export function* paperParts(
  text: string,
  capacity: number,
  measure: Measure,
): Generator<PaperPart> {
  const most = capacity * CHARACTERS_A_TOKEN;
  let guess = most;
  for (let start = 0; start < text.length;) {
    const part = partAt(text, start, {
      length: Math.min(most, Math.max(Math.ceil(guess), 1)),
      capacity,
      measure,
    });
    yield part;
    guess = (part.end - part.start) * GROWTH;
    start = part.end;
  }
}

/** The part that begins at `start`, at first taken to have `length` characters. */
function partAt(
  text: string,
  start: number,
  { length, capacity, measure }: {
    readonly length: number;
    readonly capacity: number;
    readonly measure: Measure;
  },
): PaperPart {
  let limit = start + length;
  for (;;) {
    const end = limit >= text.length ? text.length : breakBefore(text, start, limit);
    const tokens = tokensOf(text.slice(start, end), measure);
    if (tokens <= capacity || end - start <= 2) return { start, end, tokens };
    limit = start + Math.max(2, Math.floor((end - start) * Math.min(0.95, capacity / tokens)));
  }
}

/** A run of characters that counting takes long over. */
const LONG_WORD = /\S{600}/;
const PIECE = 500;

/** The tokens of a text; of one with very long words, which counting takes long over, at least as many as it has. */
export function tokensOf(text: string, measure: Measure): number {
  if (!LONG_WORD.test(text)) return measure(text);
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) tokens += measure(text.slice(at, at + PIECE));
  return tokens;
}

/** Where sentences end, with what closes them and the white space after. */
const SENTENCE_END = /(?:[.!?…]["'”’)\]]*\s+|[。！？])/gu;

/** The last good place to cut after `start` and up to `limit`. */
function breakBefore(text: string, start: number, limit: number): number {
  const length = limit - start;
  const window = text.slice(start, limit);
  const paragraph = window.lastIndexOf("\n\n") + 2;
  if (paragraph > length * 0.6) return start + paragraph;
  const from = Math.floor(length / 2);
  let sentence = 0;
  for (const { index, 0: end } of window.slice(from).matchAll(SENTENCE_END)) {
    sentence = from + index + end.length;
  }
  const ends = [sentence, window.lastIndexOf("\n") + 1, window.lastIndexOf(" ") + 1];
  const end = ends.find((each) => each > from) ?? length;
  const isWithinCharacter = /[\ud800-\udbff]$/.test(window.slice(0, end));
  return start + (isWithinCharacter && end > 1 ? end - 1 : end);
}
