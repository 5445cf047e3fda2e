import MiniSearch from "minisearch";
import { keyWords, terms } from "./words.ts";

/** A text to be found by its words. */
export interface IndexedDocument {
  /** Unique in its index. */
  readonly id: string;
  /** What is searched. */
  readonly text: string;
  /** Searched too, and worth twice as much. */
  readonly title?: string | undefined;
}

/** A document that has words of the query. */
export interface KeywordHit {
  /** The document's. */
  readonly id: string;
  /** How well it fits, over 0 to 1, which is the query's best. */
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

/** What a word is worth that only begins like one of the query. */
const PREFIX_WEIGHT = 0.3;
const PREFIX_LENGTH = 5;

/** An index over documents, in memory. Fails with a `RangeError` for two of one id. */
export async function keywordIndex(documents: readonly IndexedDocument[]): Promise<KeywordIndex> {
  if (new Set(documents.map(({ id }) => id)).size < documents.length) {
    throw new RangeError("Cannot index the documents: two of them have the same id");
  }
  const keyTerms = await keyWords();
  const index = new MiniSearch<{ readonly number: number; readonly text: string; title: string }>({
    idField: "number",
    fields: ["title", "text"],
    tokenize: terms,
    processTerm: (term) => term,
  });
  index.addAll(documents.map(({ text, title = "" }, number) => ({ number, text, title })));
  return {
    search(query, { limit = Infinity } = {}) {
      const key = keyTerms(query);
      const asked = [...(key.size > 0 ? key : new Set(terms(query)))];
      if (asked.length === 0) return [];
      const found = index.search(query, {
        tokenize: () => asked,
        boost: { title: 2 },
        prefix: (term) => term.length >= PREFIX_LENGTH,
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
