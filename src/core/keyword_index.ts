// Full-text search by keywords: extraction of terms, the index, and snippets around matches.
import MiniSearch from "minisearch";
import { languageOf, termReader } from "./words.ts";
import { memoByObject, memoByText } from "./values.ts";
import { foldedText, proseLine } from "./text.ts";

// A dynamic import: modules that need keywords import this one lazily, so that no other module waits for the stemmer.
const { stemmer } = await import("stemmer");

interface Word {
  /** Normalized form: without letter case, diacritics and English endings. */
  readonly term: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive, in UTF-16 units. */
  readonly end: number;
}

// A fixed locale, so that results are the same on every machine; the script decides the splitting, not the locale.
const SEGMENTER = new Intl.Segmenter("en", { granularity: "word" });
const PICTURE = /^\p{Extended_Pictographic}/u;
/** Texts in which a pattern finds the same words as the segmenter, many times faster. */
const PLAIN = /^[\0-\x7f·–—‘’“”…]*$/;
const PLAIN_WORD =
  /[A-Za-z0-9_]+(?:(?:(?<=[A-Za-z])['·‘’](?=[A-Za-z])|(?<=[0-9])['.,;‘’](?=[0-9]))[A-Za-z0-9_]+)*/g;

/**
 * Yields the words of a text in any script, by Unicode word boundaries (by dictionary, in scripts without spaces).
 * `C++` and `C#` are yielded in addition to `C`; pictographs such as emoji are words too.
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

/** Returns the terms of a text, in order. */
export function terms(text: string): string[] {
  if (PLAIN.test(text) && !/[+#]/.test(text)) {
    return (text.match(PLAIN_WORD) ?? []).filter((word) => word !== "_").map(termOf);
  }
  return Array.from(words(text), ({ term }) => term);
}

/** Returns the terms of a message; memoized per message. */
export const termsIn: (message: { readonly body: string }) => readonly string[] = memoByObject(
  ({ body }) => terms(body),
);

/** Elided word before a word, as in the French `l'école` and the Italian `dell'acqua`. */
const ELISION = /^[a-z]{1,6}'(?=[a-z]{3})/;

/** Normalizes a word to its term; memoized. */
const termOf = memoByText(20_000, (word) => {
  const bare = foldedText(word).replace(/'s$/, "").replace(ELISION, "");
  return STEMMED.test(bare) ? stemmer(bare) : bare;
});

/** Words that are stemmed. The stemmer is made for English; words of other languages are at least stemmed consistently. */
const STEMMED = /^[a-z]{3,}$/;

/** Extracts the terms that carry a text's subject. */
type KeyWords = (text: string) => Set<string>;

/** Loads the extractor of key terms: all terms except function words of the text's language and single letters. */
export async function keyWords(): Promise<KeyWords> {
  const reader = await termReader();
  return (text) => {
    const language = languageOf(reader.read(text));
    const key = new Set<string>();
    for (const { term, start, end } of words(text)) {
      const word = text.slice(start, end).toLowerCase().replaceAll("’", "'");
      // The lists contain "not", but not its contractions.
      if (word.endsWith("n't")) continue;
      if (/\p{N}/u.test(word) || reader.termOf(word, language) !== undefined) key.add(term);
    }
    return key;
  };
}

/** Document to index. */
interface IndexedDocument {
  /** Id, unique in the index. */
  readonly id: string;
  readonly text: string;
  /** Returns the terms of the text, if they are already known. @default computed from the text */
  readonly terms?: (() => readonly string[]) | undefined;
  /** Title, indexed with twice the weight. */
  readonly title?: string | undefined;
}

/** Document that matches a query. */
interface KeywordHit {
  readonly id: string;
  /** Relevance: over 0 to 1, the best document of a query having 1. */
  readonly score: number;
  /** Absolute relevance, over 0 to 1: near 1 if the document has every word of the query, whatever the other documents have. */
  readonly fit: number;
  /** Matching terms of the document. */
  readonly terms: readonly string[];
}

/** Full-text index of documents. */
export interface KeywordIndex {
  /**
   * Returns the documents with any term of the query, best first (BM25+; ties in the order of the documents). Any text is a
   * valid query, never a pattern. A term of five or more letters also matches longer words as a prefix, with less weight.
   * Function words of the query's language count only if the query has no other words.
   */
  search(query: string, options?: { readonly limit?: number | undefined }): KeywordHit[];
}

/** Weight of a prefix match. */
const PREFIX_WEIGHT = 0.3;
/** Minimum length of a term for prefix matches. */
const PREFIX_LENGTH = 5;
/** Factor of MiniSearch's BM25+ for a term that occurs once in a document of average length. */
const SINGLE_OCCURRENCE = 1.5;
/** Documents indexed per task, without and with a known query: about 50 ms of passages. */
const DOCUMENTS_PER_TASK = { any: 200, one: 1500 } as const;

interface KeywordIndexOptions {
  /** The only query to be asked: just its terms are indexed, in half the time, with the same results. @default any query */
  readonly query?: string | undefined;
}

/** Builds an in-memory index. Throws a `RangeError` if two documents have the same id. */
export async function keywordIndex(
  documents: readonly IndexedDocument[],
  { query: only }: KeywordIndexOptions = {},
): Promise<KeywordIndex> {
  if (new Set(documents.map(({ id }) => id)).size < documents.length) {
    throw new RangeError("Cannot index the documents: two of them have the same id");
  }
  const keyTerms = await keyWords();
  const termsAsked = (query: string): string[] => {
    const key = keyTerms(query);
    return [...(key.size > 0 ? key : new Set(terms(query)))];
  };
  // Each field of a row is the number of the document; `tokenize` looks up the text.
  const index = new MiniSearch<{ readonly number: number; text: number; title: number }>({
    idField: "number",
    fields: ["title", "text"],
    tokenize: (number, field) => {
      const { text, title = "", terms: known } = documents[Number(number)]!;
      return [...field === "title" ? terms(title) : known?.() ?? terms(text)];
    },
    processTerm: only === undefined ? (term) => term : matchesAny(termsAsked(only)),
  });
  const rows = documents.map((_, number) => ({ number, text: number, title: number }));
  const chunkSize = only === undefined ? DOCUMENTS_PER_TASK.any : DOCUMENTS_PER_TASK.one;
  if (rows.length <= chunkSize) index.addAll(rows);
  else await index.addAllAsync(rows, { chunkSize });
  return {
    search(query, { limit = Infinity } = {}) {
      const asked = termsAsked(query);
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

/** Returns the MiniSearch score of a document of average length that has each term of the query once. */
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
  return rarities.reduce((sum, each) => sum + each, 0) * SINGLE_OCCURRENCE * asked.length;
}

function isPrefix(term: string): boolean {
  return term.length >= PREFIX_LENGTH;
}

/** Filters out terms that cannot match a term of the query. */
function matchesAny(asked: readonly string[]): (term: string) => string | false {
  const whole = new Set(asked);
  const beginnings = asked.filter(isPrefix);
  return (term) => (whole.has(term) || beginnings.some((each) => term.startsWith(each))) && term;
}

/** Maximum length of a snippet, in code points. */
const SNIPPET_LENGTH = 200;

/**
 * Returns the part of a text with the most of `terms` (normalized as by {@linkcode words}), or its beginning without any:
 * one line of plain text, at most 200 code points.
 */
export function snippetOf(body: string, terms: ReadonlySet<string>): string {
  const line = proseLine(body);
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
