// Words and sentences of texts, their comparison, and the key terms that say what a text is about.
import { onceEach } from "./values.ts";
import { saidLine, withoutListMarker } from "./text.ts";

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

/**
 * Key of a text: equal for texts that differ in letter case, white space and punctuation alone; empty for a text
 * without words.
 */
export function wordKey(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return [...wordsOf(folded)].map(({ text: word }) => word).join(" ");
}

/**
 * The topic that is meant by a name: the one that is written so, else the one of the same words, else, where the name has
 * a list marker before it (`2. Methods`), the one of the words after it.
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

/** The fewest letters of a word that a longer word is known by. */
const BEGINNING = 4;

/** The candidate nearest to a word that none of them is, or the first that begins so; undefined where none is near. */
export function nearWord(word: string, candidates: Iterable<string>): string | undefined {
  const given = plain(word);
  const all = [...candidates];
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of all) {
    const edits = editsBetween(given, plain(candidate));
    const most = Math.max(1, Math.floor(Math.min(given.length, candidate.length) / 3));
    if (edits <= most && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  if (best !== undefined) return best.candidate;
  const stem = given.replace(/s$/, "");
  if (stem.length < BEGINNING) return undefined;
  return all.find((each) => plain(each).startsWith(stem));
}

/** A hint's first sentence: "Did you mean "x"? ", or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearWord(word, candidates);
  return near === undefined ? "" : `Did you mean "${near}"? `;
}

function plain(word: string): string {
  return word.slice(0, 100).toLowerCase().replace(/[\s_-]+/g, "");
}

/** Letters inserted, deleted, replaced or swapped with the next letter. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let there = 1; there <= to.length; there++) {
      const same = from[at - 1] === to[there - 1];
      const swapped = from[at - 1] === to[there - 2] && from[at - 2] === to[there - 1];
      next[there] = Math.min(
        row[there]! + 1,
        next[there - 1]! + 1,
        row[there - 1]! + (same ? 0 : 1),
        swapped ? (before[there - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
}

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
