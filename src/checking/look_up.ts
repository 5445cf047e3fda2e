// Look-ups of claims by searchers.
import { z } from "zod";
import { CancelledError, RecordError } from "../core/error.ts";
import { memo } from "../core/once_each.ts";
import type { Once } from "../core/observer.ts";
import type { Schema } from "../core/schema.ts";
import type { Searcher, SearchHit } from "../core/search.ts";

/** The name of the searcher of a convening's own sources: they are in the record, so that searches in them leave no look-up. */
const OWN_SOURCES = "sources";
/** The most code points of a hit's text that a record keeps, and a question shows of a page of the web. */
export const SNIPPET_LENGTH = 1000;
/** The most code points that a question shows of a hit in the convening's own sources: sections are shown whole. */
const SECTION_LENGTH = 6000;

/** One search for one claim. */
export interface Search {
  /** The searcher's name. */
  readonly tool: string;
  /** The claim's, from 1. */
  readonly claim: number;
  /** Query of the search. */
  readonly query: string;
  /** True if the record has to keep the result. */
  readonly outside: boolean;
  /** Best first; empty when it failed. */
  readonly hits: readonly SearchHit[];
  /** Reason for the failure. */
  readonly error?: string;
}

/** Hits of a web search, as kept: the same query is not searched for twice. */
const kept = memo((): Schema<readonly SearchHit[]> =>
  z.array(z.object({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    score: z.number().exactOptional(),
  }))
);

/** Looks one claim up everywhere at once; a search that fails says so and stops nothing. */
export function lookUp(
  query: string,
  { place, claim, searchers, signal, once }: {
    /** Tells the statement from others. */
    readonly place: string;
    readonly claim: number;
    readonly searchers: readonly Searcher[];
    readonly signal: AbortSignal;
    readonly once: Once;
  },
): Promise<Search[]> {
  return Promise.all(searchers.map(async (searcher) => {
    const made = {
      tool: searcher.name,
      claim,
      query,
      outside: searcher.name !== OWN_SOURCES,
    };
    const search = async () =>
      (await searcher.search(query, { signal }))
        .map((hit) => cut(hit, made.outside ? SNIPPET_LENGTH : SECTION_LENGTH));
    const key = `search/${place}/${claim}/${searcher.name} ${query}`;
    try {
      const hits = made.outside
        ? await once(key, { schema: kept(), make: search })
        : await search();
      return { ...made, hits };
    } catch (error) {
      if (signal.aborted) throw new CancelledError(signal.reason);
      if (error instanceof RecordError) throw error;
      return { ...made, hits: [], error: error instanceof Error ? error.message : String(error) };
    }
  }));
}

/** Hits of searches, each once. */
export function foundIn(searches: readonly Search[]): SearchHit[] {
  const seen = new Set<string>();
  return searches.flatMap(({ hits }) => hits).filter(({ url, snippet }) => {
    const key = JSON.stringify([url, snippet]);
    return !seen.has(key) && seen.add(key);
  });
}

/** A hit with at most so many code points of its text. */
export function cut(hit: SearchHit, length: number): SearchHit {
  if (hit.snippet.length <= length) return hit;
  return { ...hit, snippet: [...hit.snippet].slice(0, length).join("") };
}
