// Search of texts by keywords.
import MiniSearch from "minisearch";
import { keyWords, terms } from "./index_words.ts";

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
