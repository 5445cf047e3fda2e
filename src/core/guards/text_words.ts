/** One word of a text. */
export interface TextWord {
  /** As it is compared: one Unicode form (NFKC), lower case. */
  readonly word: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** Where it ends in the text, exclusively. */
  readonly end: number;
}

/** One language for all, so that a text has the same words on every machine. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** The words of a text in order, by Unicode word boundaries: white space, punctuation and letter case aside. */
export function textWords(text: string): readonly TextWord[] {
  const words: TextWord[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) continue;
    const word = segment.normalize("NFKC").toLowerCase();
    words.push({ word, start: index, end: index + segment.length });
  }
  return words;
}
