// Key terms of texts: words without stop words, by language.
import { textWords } from "./text_words.ts";

/** Count of each key term in a text. */
export type KeyTerms = ReadonlyMap<string, number>;

/** A text's words, and how many of them are stop words of each language. */
export interface ReadText {
  /** Lower case. */
  readonly words: readonly string[];
  /** From a language's code in ISO 639-1 to how many words are its stop words; the languages without any are left out. */
  readonly languages: ReadonlyMap<string, number>;
}

/** A term of another language than English is told by this many characters: word endings lie behind them. */
const STEM_LENGTH = 6;

const MAX_READ = 32;
/** Words kept with what is known of them: a debate has a few thousand different words. */
const MAX_WORDS = 20_000;

/** Reads key terms: the words that carry a text's subject. */
class TermReader {
  readonly #stopWords: readonly (readonly [language: string, words: ReadonlySet<string>])[];
  readonly #languages = new Map<string, readonly string[]>();
  readonly #stem: (word: string) => string;
  readonly #stems = new Map<string, string>();
  /** The texts read last: a turn is read as an attempt, and as what the next ones answer. */
  readonly #read = new Map<string, ReadText>();

  /** A reader with lists of stop words by language and a stemmer for English. */
  constructor(
    stopWords: Readonly<Record<string, readonly string[]>>,
    stem: (word: string) => string,
  ) {
    this.#stem = stem;
    this.#stopWords = Object.entries(stopWords).map(([language, words]) =>
      [language, new Set(words)] as const
    );
  }

  /** A text's words and the languages they may be of. */
  read(text: string): ReadText {
    const known = this.#read.get(text);
    if (known !== undefined) return known;
    const words = textWords(text).map(({ word }) => word);
    const languages = new Map<string, number>();
    for (const word of words) {
      for (const language of this.#languagesOf(word)) {
        languages.set(language, (languages.get(language) ?? 0) + 1);
      }
    }
    const found = { words, languages };
    if (this.#read.size >= MAX_READ) this.#read.delete(this.#read.keys().next().value!);
    this.#read.set(text, found);
    return found;
  }

  isStopWord(word: string, language: string | undefined): boolean {
    return language !== undefined && this.#languagesOf(word).includes(language);
  }

  /** The key terms of a text read as one of a language: no stop words, no numbers, no single letters, endings aside. */
  terms({ words }: ReadText, language: string | undefined): KeyTerms {
    const terms = new Map<string, number>();
    for (const each of words) {
      const word = each.replace(/'\p{L}{0,2}$/u, "");
      if (/^(?:\p{Script=Latin}?|[\p{N}.,]+)$/u.test(word)) continue;
      if (this.isStopWord(word, language) || this.isStopWord(each, language)) continue;
      const term = language === "en" ? this.#stemOf(word) : word.slice(0, STEM_LENGTH);
      terms.set(term, (terms.get(term) ?? 0) + 1);
    }
    return terms;
  }

  /** The languages that have a word among their stop words; no number of three digits is among any. */
  #languagesOf(word: string): readonly string[] {
    if (/^[0-9]{3}/.test(word)) return [];
    return remembered(
      this.#languages,
      word,
      () => this.#stopWords.flatMap(([language, words]) => words.has(word) ? language : []),
    );
  }

  #stemOf(word: string): string {
    return remembered(this.#stems, word, this.#stem);
  }
}

function remembered<V>(known: Map<string, V>, word: string, of: (word: string) => V): V {
  let found = known.get(word);
  if (found === undefined) {
    if (known.size >= MAX_WORDS) known.clear();
    known.set(word, found = of(word));
  }
  return found;
}

/** The language with the most stop words in a text; undefined where it has none of any. */
export function languageOf({ languages }: ReadText): string | undefined {
  let best: string | undefined;
  for (const [language, count] of languages) {
    if (best === undefined || count > languages.get(best)!) best = language;
  }
  return best;
}

/** True if a text may be of a language: it has at least half as many of its stop words as of any other language's. */
export function mayBeIn(language: string | undefined, text: ReadText): boolean {
  const best = languageOf(text);
  if (best === undefined || language === undefined) return best === language;
  return (text.languages.get(language) ?? 0) * 2 >= text.languages.get(best)!;
}

let loaded: Promise<TermReader> | undefined;

/** The reader with the lists of 58 languages; they are loaded when it is first asked for. */
export function termReader(): Promise<TermReader> {
  return loaded ??= load();
}

async function load(): Promise<TermReader> {
  const [{ default: lists }, { stemmer }] = await Promise.all([
    import("stopwords-iso", { with: { type: "json" } }),
    import("stemmer"),
  ]);
  return new TermReader(lists, stemmer);
}
