// Search of texts by keywords: words as they are counted, the index, and snippets around hits.
import MiniSearch from "minisearch";
import { languageOf, termReader } from "./words.ts";
import { onceEach } from "./values.ts";
import { plainLine } from "./text.ts";

// Modules that need words are loaded where they are needed; no other module waits for this.
const { stemmer } = await import("stemmer");

interface Word {
  /** As it is compared: letter case, diacritics and English endings aside. */
  readonly term: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive. */
  readonly end: number;
}

// One locale for every machine; the script of a text decides how it is taken apart, not the locale.
const SEGMENTER = new Intl.Segmenter("en", { granularity: "word" });
const PICTURE = /^\p{Extended_Pictographic}/u;
/** Texts of which a pattern finds the same words as the segmenter, many times as fast. */
const PLAIN = /^[\0-\x7f·–—‘’“”…]*$/;
const PLAIN_WORD =
  /[A-Za-z0-9_]+(?:(?:(?<=[A-Za-z])['·‘’](?=[A-Za-z])|(?<=[0-9])['.,;‘’](?=[0-9]))[A-Za-z0-9_]+)*/g;

/**
 * The words of a text in any script, by Unicode word boundaries (a dictionary's, where the script writes no spaces).
 * `C++` and `C#` are words of their own besides `C`; so are pictures such as emoji. Nothing else counts.
 */
export function* words(text: string): Generator<Word> {
  if (PLAIN.test(text)) return yield* plainWords(text);
  let last: Word | undefined;
  for (const { segment, index, isWordLike } of SEGMENTER.segment(text)) {
    if (isWordLike || PICTURE.test(segment)) {
      last = { term: termOf(segment), start: index, end: index + segment.length };
      yield last;
    } else if (last?.end === index && /^[+#]$/.test(segment)) {
      last = { term: last.term + segment, start: last.start, end: index + 1 };
      yield last;
    } else last = undefined;
  }
}

function* plainWords(text: string): Generator<Word> {
  for (const { 0: word, index: start } of text.matchAll(PLAIN_WORD)) {
    if (word === "_") continue;
    let term = termOf(word);
    let end = start + word.length;
    yield { term, start, end };
    for (; text[end] === "+" || text[end] === "#"; end++) {
      term += text[end];
      yield { term, start, end: end + 1 };
    }
  }
}

/** The terms of a text's words, in their order. */
export function terms(text: string): string[] {
  if (PLAIN.test(text) && !/[+#]/.test(text)) {
    return (text.match(PLAIN_WORD) ?? []).filter((word) => word !== "_").map(termOf);
  }
  return Array.from(words(text), ({ term }) => term);
}

/** The terms of a message, taken apart once. */
export const termsIn: (message: { readonly body: string }) => readonly string[] = onceEach(
  ({ body }) => terms(body),
);

const known = new Map<string, string>();

/** Words come again and again: what they are compared as is kept for some thousands. */
function termOf(word: string): string {
  let term = known.get(word);
  if (term === undefined) {
    if (known.size >= 20_000) known.clear();
    const bare = folded(word).replace(/'s$/, "");
    known.set(word, term = STEMMED.test(bare) ? stemmer(bare) : bare);
  }
  return term;
}

/** A word without letter case, width, ligatures and the accents of alphabets; vowel signs of other scripts stay. */
function folded(word: string): string {
  const plain = word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
  // By way of capitals, which have no sharp s and no dotless i.
  return plain.replaceAll("’", "'").toUpperCase().toLowerCase();
}

/** Words whose endings the stemmer knows; it is made for English, and what it does to other words it does to all alike. */
const STEMMED = /^[a-z]{3,}$/;

/** Tells the words of texts that say what these are about. */
type KeyWords = (text: string) => Set<string>;

/** A reader of the terms of a text but its language's function words and single letters, in their order. */
export async function keyWords(): Promise<KeyWords> {
  const reader = await termReader();
  return (text) => {
    const { languages } = reader.read(text);
    const language = languageOf({ words: [], languages });
    const key = new Set<string>();
    for (const { term, start, end } of words(text)) {
      const word = text.slice(start, end).toLowerCase().replaceAll("’", "'");
      // The lists know "not", and no word it has grown together with.
      if (word.endsWith("n't")) continue;
      if (/\p{N}/u.test(word) || reader.terms({ words: [word], languages }, language).size > 0) {
        key.add(term);
      }
    }
    return key;
  };
}

/** A text to be found by its words. */
interface IndexedDocument {
  /** Unique in its index. */
  readonly id: string;
  readonly text: string;
  /** Gives the terms of the text. @default the text is taken apart */
  readonly terms?: (() => readonly string[]) | undefined;
  /** Searched too, and worth twice as much. */
  readonly title?: string | undefined;
}

/** A document that has words of the query. */
interface KeywordHit {
  readonly id: string;
  /** Fit with the query, over 0 to 1, which is the best of the query. */
  readonly score: number;
  /** Fit with the query, over 0 to 1: near 1 where the document has every word of the query, whatever other documents have. */
  readonly fit: number;
  /** The document's words that fit, as `words` compares them. */
  readonly terms: readonly string[];
}

/** Documents, to be found by their words. */
export interface KeywordIndex {
  /**
   * The documents that have any word of the query, best first (BM25; equals in the documents' order). Any text is a query,
   * none is a pattern. A word of five letters or more finds longer ones that begin with it, for less. Function words of
   * the query's language count only where it has no others.
   */
  search(query: string, options?: { readonly limit?: number | undefined }): KeywordHit[];
}

/** Weight of a word that only begins like a word of the query. */
const PREFIX_WEIGHT = 0.3;
const PREFIX_LENGTH = 5;
/** Factor of MiniSearch's BM25+ for a word that stands once in a text of usual length. */
const ONCE = 1.5;
/** Numbers of documents indexed before other tasks run, by any word and by those of one query: some 50 ms of passages. */
const AT_ONCE = { any: 200, one: 1500 } as const;

interface KeywordIndexOptions {
  /** The one query that will be asked: only its words are indexed, in half the time, to the same answer. @default any */
  readonly query?: string | undefined;
}

/** An index over documents, in memory. Fails with a `RangeError` for two of one id. */
export async function keywordIndex(
  documents: readonly IndexedDocument[],
  { query: only }: KeywordIndexOptions = {},
): Promise<KeywordIndex> {
  if (new Set(documents.map(({ id }) => id)).size < documents.length) {
    throw new RangeError("Cannot index the documents: two of them have the same id");
  }
  const keyTerms = await keyWords();
  const askedIn = (query: string): string[] => {
    const key = keyTerms(query);
    return [...(key.size > 0 ? key : new Set(terms(query)))];
  };
  // Each field holds the number of its document.
  const index = new MiniSearch<{ readonly number: number; text: number; title: number }>({
    idField: "number",
    fields: ["title", "text"],
    tokenize: (number, field) => {
      const { text, title = "", terms: known } = documents[Number(number)]!;
      return [...field === "title" ? terms(title) : known?.() ?? terms(text)];
    },
    processTerm: only === undefined ? (term) => term : oneOf(askedIn(only)),
  });
  const rows = documents.map((_, number) => ({ number, text: number, title: number }));
  const chunkSize = only === undefined ? AT_ONCE.any : AT_ONCE.one;
  if (rows.length <= chunkSize) index.addAll(rows);
  else await index.addAllAsync(rows, { chunkSize });
  return {
    search(query, { limit = Infinity } = {}) {
      const asked = askedIn(query);
      if (asked.length === 0) return [];
      const found = index.search(query, {
        tokenize: () => asked,
        processTerm: (term) => term,
        boost: { title: 2 },
        prefix: isPrefix,
        weights: { prefix: PREFIX_WEIGHT, fuzzy: 0 },
      }).map(({ id, ...each }) => ({ number: Number(id), ...each }));
      found.sort((a, b) => b.score - a.score || a.number - b.number);
      const best = found[0]?.score ?? 1;
      const full = fullScore(asked, found, documents.length);
      return found.slice(0, Math.max(limit, 0)).map(({ number, score, terms }) => ({
        id: documents[number]!.id,
        score: score / best,
        fit: Math.min(1, Number((score / full).toPrecision(2))),
        terms,
      }));
    },
  };
}

/** The score of a document of usual length that has each word of a query once, as MiniSearch computes scores. */
function fullScore(
  asked: readonly string[],
  found: readonly { readonly queryTerms: readonly string[] }[],
  documents: number,
): number {
  const counts = new Map(asked.map((term) => [term, 0]));
  for (const { queryTerms } of found) {
    for (const term of new Set(queryTerms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const rarities = [...counts.values()].map((count) =>
    Math.log(1 + (documents - count + 0.5) / (count + 0.5))
  );
  return rarities.reduce((sum, each) => sum + each, 0) * ONCE * asked.length;
}

function isPrefix(term: string): boolean {
  return term.length >= PREFIX_LENGTH;
}

/** Leaves out the terms that none of those asked for would find. */
function oneOf(asked: readonly string[]): (term: string) => string | false {
  const whole = new Set(asked);
  const beginnings = asked.filter(isPrefix);
  return (term) => (whole.has(term) || beginnings.some((each) => term.startsWith(each))) && term;
}

/** The most code points of a snippet. */
const SNIPPET_LENGTH = 200;

/** The marks of markdown that say nothing in a line of plain text. */
const MARKS = /^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+|\*\*|`+/gm;

/**
 * The part of a text with the most of `terms` (as `words` compares them), its beginning where it has none: one line of plain
 * text, at most 200 code points.
 */
export function snippetOf(body: string, terms: ReadonlySet<string>): string {
  const line = plainLine(body.replace(MARKS, ""), Infinity);
  if (line.length <= SNIPPET_LENGTH) return line;
  const all = [...words(line)];
  const found = all.filter(({ term }) => terms.has(term));
  let anchor = 0;
  let most = 0;
  for (const [i, { start }] of found.entries()) {
    const near = new Set<string>();
    for (let at = i; at < found.length && found[at]!.end <= start + SNIPPET_LENGTH * 0.7; at++) {
      near.add(found[at]!.term);
    }
    if (near.size <= most) continue;
    most = near.size;
    anchor = start;
  }
  const lead = all.find(({ start }) => start >= anchor - SNIPPET_LENGTH * 0.25)?.start ?? 0;
  return cutAtWord(lead <= all[0]!.start ? line : `…${line.slice(lead)}`);
}

function cutAtWord(text: string): string {
  const points = [...text];
  if (points.length <= SNIPPET_LENGTH) return text;
  const cut = points.slice(0, SNIPPET_LENGTH - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut}…`;
}
