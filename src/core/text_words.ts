// Words of a text with their places.
import { wordsOf } from "./words.ts";

/** One word of a text. */
export interface TextWord {
  /** As it is compared: one Unicode form (NFKC), lower case, straight apostrophes. */
  readonly word: string;
  /** Start in the text. */
  readonly start: number;
  /** End in the text, exclusive. */
  readonly end: number;
}

/** The texts read last: an attempt is looked at by several guards, and as a message by those after it. */
const read = new Map<string, readonly TextWord[]>();
const MAX_READ = 32;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The words of a text in order, by Unicode word boundaries: white space, punctuation and letter case aside. */
export function textWords(text: string): readonly TextWord[] {
  let found = read.get(text);
  if (found === undefined) {
    const isPlain = !BEYOND_ASCII.test(text);
    found = Array.from(wordsOf(text), ({ text: each, start }) => ({
      word: isPlain
        ? each.toLowerCase()
        : each.normalize("NFKC").toLowerCase().replaceAll("’", "'"),
      start,
      end: start + each.length,
    }));
    if (read.size >= MAX_READ) read.delete(read.keys().next().value!);
    read.set(text, found);
  }
  return found;
}
