// Search of texts by keywords.
import MiniSearch from "minisearch";
import { keyWords, terms } from "./index_words.ts";

/** A text to be found by its words. */
interface IndexedDocument {
  /** Unique in its index. */
  readonly id: string;
  /** Text that is searched. */
  readonly text: string;
  /** Searched too, and worth twice as much. */
  readonly title?: string | undefined;
}

/** A document that has words of the query. */
interface KeywordHit {
  /** The document's. */
  readonly id: string;
  /** Fit with the query, over 0 to 1, which is the best of the query. */
  readonly score: number;
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
/** Number of documents indexed before other tasks run: some 50 ms of passages. */
const AT_ONCE = 200;

/** Options of {@linkcode keywordIndex}. */
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
  const index = new MiniSearch<{ readonly number: number; readonly text: string; title: string }>({
    idField: "number",
    fields: ["title", "text"],
    tokenize: terms,
    processTerm: only === undefined ? (term) => term : oneOf(askedIn(only)),
  });
  const rows = documents.map(({ text, title = "" }, number) => ({ number, text, title }));
  await index.addAllAsync(rows, { chunkSize: AT_ONCE });
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
      }).map((each) => ({ number: Number(each.id), score: each.score, terms: each.terms }));
      found.sort((a, b) => b.score - a.score || a.number - b.number);
      const best = found[0]?.score ?? 1;
      return found.slice(0, Math.max(limit, 0)).map(({ number, score, terms }) => ({
        id: documents[number]!.id,
        score: score / best,
        terms,
      }));
    },
  };
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
