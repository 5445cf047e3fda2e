// Splitting of texts into words and sentences, comparison of words, and key terms.
import { memo, memoByObject, memoByText, RecentMap, tally } from "./values.ts";
import { saidLine, UNSPACED, withoutListMarker } from "./text.ts";

interface WordPlace {
  /** Word as written. */
  readonly text: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
}

// Created on first use: each takes milliseconds.
// Always of the same language, so that a text has the same words and sentences on every machine.
const wordSegmenter = memo(() => new Intl.Segmenter("en", { granularity: "word" }));
const sentences = memo(() => new Intl.Segmenter("en", { granularity: "sentence" }));

/** A letter whose words a dictionary has to split. */
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
/** Word of any other script: letters, digits and marks, with single inner signs such as the apostrophe in "don't". */
const WORD =
  /[\p{L}\p{N}\p{M}\p{Pc}]+(?:['’.:·‧,;](?<=[\p{L}\p{N}]['’.:·‧]|\p{N}[,;])[\p{L}\p{N}]+)*/gu;
const HAS_WORD_SIGN = /[\p{L}\p{N}]/u;

/** Splits a text into words, in order: by `pattern`, or by Unicode word boundaries if it has a script without spaces. */
export function wordsOf(text: string, pattern: RegExp = WORD): WordPlace[] {
  const found: WordPlace[] = [];
  if (IS_UNSPACED.test(text)) {
    for (const { segment, index, isWordLike } of wordSegmenter().segment(text)) {
      if (isWordLike === true) found.push({ text: segment, start: index });
    }
    return found;
  }
  let end = 0;
  // `match` and a search for the place takes half the time of `matchAll`.
  for (const word of text.match(pattern) ?? []) {
    const start = text.indexOf(word, end);
    end = start + word.length;
    if (HAS_WORD_SIGN.test(word)) found.push({ text: word, start });
  }
  return found;
}

/** Returns the start of each sentence, in order. */
export function sentenceStarts(text: string): number[] {
  return Array.from(sentences().segment(text), ({ index }) => index);
}

/** Counts the words of a text, as {@linkcode wordsOf} splits it. */
export function countWords(text: string): number {
  return textWords(text).length;
}

/** Counts the words of a message; memoized per message. */
export const wordCountOf = memoByObject(({ body }: { readonly body: string }) => countWords(body));

/** Cuts a text to the whole sentences within `maxWords`, from 1; to whole words if the first sentence is longer. */
export function cutAtSentence(text: string, maxWords: number): string {
  return sentenceCutter(text)(maxWords);
}

/** Returns a function that cuts a text like {@linkcode cutAtSentence}, for several numbers of words. */
export function sentenceCutter(text: string): (maxWords: number) => string {
  const words = textWords(text);
  const ends = Array.from(
    sentences().segment(text),
    ({ segment, index }) => index + segment.length,
  );
  return (maxWords) => {
    const [first] = words;
    if (first === undefined) return "";
    const tooMany = words[maxWords]?.start ?? text.length;
    const kept = ends.findLast((end) => end <= tooMany) ?? 0;
    const last = words[Math.min(maxWords, words.length) - 1] ?? first;
    return text.slice(0, kept > first.start ? kept : last.end).trimEnd();
  };
}

/** Range of a number of words. */
export interface WordRange {
  /** Minimum number of words. */
  readonly min: number;
  /** Maximum number of words. */
  readonly max: number;
}

/** Word of a text, normalized. */
export interface TextWord {
  /** Normalized word: NFKC, lower case, straight apostrophes. */
  readonly word: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive. */
  readonly end: number;
}

/** Texts of some ten rounds. */
const MAX_RECENT = 256;
/** Cache of the latest texts, because guards, observers, judges and index pages read the same text. */
const recent = new RecentMap<readonly TextWord[]>(MAX_RECENT);
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Splits a text into normalized words: no white space, no punctuation, no letter case. */
export function textWords(text: string): readonly TextWord[] {
  let found = recent.get(text);
  if (found === undefined) {
    const isPlain = !BEYOND_ASCII.test(text);
    found = Array.from(wordsOf(text), ({ text: each, start }) => ({
      word: isPlain
        ? each.toLowerCase()
        : each.normalize("NFKC").toLowerCase().replaceAll("’", "'"),
      start,
      end: start + each.length,
    }));
    recent.set(text, found);
  }
  return found;
}

/** Returns a comparison key, equal for texts with the same words; ignores case, white space and punctuation. Empty without words. */
export function wordKey(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return [...wordsOf(folded)].map(({ text: word }) => word).join(" ");
}

/**
 * Finds the topic that a name refers to: the identical topic, else the topic with the same words, else the topic with the
 * words after the name's list marker (`2. Methods`).
 */
export function topicNamed(name: string, topics: readonly string[]): string | undefined {
  const line = saidLine(name);
  if (topics.includes(line)) return line;
  for (const key of [wordKey(line), wordKey(withoutListMarker(line))]) {
    const found = key === "" ? undefined : topics.find((topic) => wordKey(topic) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Words of a text, and the evidence for its language. */
export interface ReadText {
  /** Words in lower case. */
  readonly words: readonly string[];
  /** Number of stop words by ISO 639-1 code of the language; languages without any are absent. */
  readonly languages: ReadonlyMap<string, number>;
}

/** Extracts terms: the words that carry a text's subject. */
export interface TermReader {
  /** Splits texts into words and counts the stop words of each language. */
  read(...texts: readonly string[]): ReadText;
  isStopWord(word: string, language: string | undefined): boolean;
  /** Returns a word of a language without its ending; undefined for a stop word, a number or a single letter. */
  termOf(word: string, language: string | undefined): string | undefined;
}

/** Number of letters that identify a term in languages other than English; inflected endings come later. */
const STEM_LENGTH = 6;

/** Maximum size of the word caches; a debate has a few thousand different words. */
const MAX_WORDS = 20_000;

/** Returns the language with the most stop words in a text; undefined without stop words. */
export function languageOf({ languages }: ReadText): string | undefined {
  let best: string | undefined;
  for (const [language, count] of languages) {
    if (best === undefined || count > languages.get(best)!) best = language;
  }
  return best;
}

/** Returns true if a text may be in a language: at least half as many of its stop words as of the best language's. */
export function mayBeIn(language: string | undefined, text: ReadText): boolean {
  const best = languageOf(text);
  if (best === undefined || language === undefined) return best === language;
  return (text.languages.get(language) ?? 0) * 2 >= text.languages.get(best)!;
}

/** Loads the term reader with stop words of 58 languages, on first use. */
export const termReader = memo(async (): Promise<TermReader> => {
  const [{ default: stopWords }, { stemmer }] = await Promise.all([
    import("stopwords-iso", { with: { type: "json" } }),
    import("stemmer"),
  ]);
  const lists = Object.entries<readonly string[]>(stopWords)
    .map(([language, words]) => ({ language, words: new Set(words) }));
  const languagesOf = memoByText(
    MAX_WORDS,
    (word) => lists.flatMap(({ language, words }) => words.has(word) ? language : []),
  );
  const stemOf = memoByText(MAX_WORDS, stemmer);
  const isStopWord = (word: string, language: string | undefined) =>
    language !== undefined && languagesOf(word).includes(language);
  return {
    isStopWord,
    read(...texts) {
      const words: string[] = [];
      for (const text of texts) for (const { word } of textWords(text)) words.push(word);
      return { words, languages: tally(words.flatMap(languagesOf)) };
    },
    termOf(whole, language) {
      const word = whole.replace(/'\p{L}{0,2}$/u, "");
      if (/^(?:\p{Script=Latin}?|[\p{N}.,]+)$/u.test(word)) return undefined;
      if (isStopWord(word, language) || isStopWord(whole, language)) return undefined;
      return language === "en" ? stemOf(word) : word.slice(0, STEM_LENGTH);
    },
  };
});
