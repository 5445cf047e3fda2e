// Words and sentences of texts.
import { onceEach } from "./once_each.ts";

/** One word of a text: where it stands. */
interface WordPlace {
  /** As it is written. */
  readonly text: string;
  /** Start in the text. */
  readonly start: number;
}

// Each takes milliseconds to make, which a run that does not need it saves.
let words: Intl.Segmenter | undefined;
let sentences: Intl.Segmenter | undefined;

/** Scripts that do not part their words by spaces: their words have to be looked up. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A word of any other script: letters, digits and marks, with single signs between them that part no word. */
const WORD =
  /[\p{L}\p{N}\p{M}\p{Pc}]+(?:['’.:·‧,;](?<=[\p{L}\p{N}]['’.:·‧]|\p{N}[,;])[\p{L}\p{N}]+)*/gu;
const HAS_WORD_SIGN = /[\p{L}\p{N}]/u;

/** The words of a text in order: letters and digits, by Unicode word boundaries where the script parts none by spaces. */
export function wordsOf(text: string): WordPlace[] {
  const found: WordPlace[] = [];
  if (UNSPACED.test(text)) {
    // One language for all, so that a text has the same words on every machine.
    words ??= new Intl.Segmenter("en", { granularity: "word" });
    for (const { segment, index, isWordLike } of words.segment(text)) {
      if (isWordLike === true) found.push({ text: segment, start: index });
    }
    return found;
  }
  let end = 0;
  // Matches as texts alone take half the time of matches with their places.
  for (const word of text.match(WORD) ?? []) {
    const start = text.indexOf(word, end);
    end = start + word.length;
    if (HAS_WORD_SIGN.test(word)) found.push({ text: word, start });
  }
  return found;
}

/** Starts of the sentences of a text, in order. */
export function sentenceStarts(text: string): number[] {
  return Array.from(sentencesOf(text), ({ index }) => index);
}

function sentencesOf(text: string): Intl.Segments {
  sentences ??= new Intl.Segmenter(undefined, { granularity: "sentence" });
  return sentences.segment(text);
}

/** Number of words of a text; see {@linkcode wordsOf}. */
export function countWords(text: string): number {
  return wordsOf(text).length;
}

/** Number of words of a message, counted once. */
export const wordsIn = onceEach(({ body }: { readonly body: string }) => countWords(body));

/** The longest run of whole sentences within `maxWords`; within the first sentence, whole words. */
export function cutAtSentence(text: string, maxWords: number): string {
  let count = 0;
  let first = text.length;
  let end = 0;
  let tooMany = text.length;
  for (const { text: word, start } of wordsOf(text)) {
    first = Math.min(first, start);
    if (++count > maxWords) {
      tooMany = start;
      break;
    }
    end = start + word.length;
  }
  let kept = 0;
  for (const { segment, index } of sentencesOf(text)) {
    if (index + segment.length > tooMany) break;
    kept = index + segment.length;
  }
  return text.slice(0, kept > first ? kept : end).trimEnd();
}

/** A range of words. */
export interface WordRange {
  /** The fewest words. */
  readonly min: number;
  /** The most words. */
  readonly max: number;
}
