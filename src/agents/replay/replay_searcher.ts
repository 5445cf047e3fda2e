// A searcher that answers from a record.
import { z } from "zod";
import { CancelledError, SearchError } from "../../core/error.ts";
import type { Fact, LookUp } from "../../core/fact.ts";
import type { Searcher, SearchHit } from "../../core/search.ts";
import { queryIn } from "./question_data.ts";
import { jsonIn } from "../../core/json_text.ts";

/** The tool whose look-ups are answered from: the search of the web. */
const TOOL = "webSearch";

const Hits = z.array(z.object({
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  score: z.number().exactOptional(),
}));

/** Results of a search as a fact check keeps them, and as a debater over papers was given them. */
const Found = z.union([Hits, z.object({ results: Hits })]);

/**
 * A searcher that answers from the web look-ups of a record and reaches no network; undefined where it holds none.
 *
 * A query is answered with all that was found on it, each thing once, and without `maxResults` with as many; where every
 * search for it failed, it fails as the first did. Fails with a `SearchError` for a query that was never made.
 */
export function replaySearcher(facts: readonly Fact[]): Searcher | undefined {
  const lookUps = facts.filter((fact) => fact.type === "lookup").filter(({ tool, args }) =>
    tool === TOOL && queryIn(args) !== undefined
  );
  if (lookUps.length === 0) return undefined;
  const byQuery = Map.groupBy(lookUps, ({ args }) => queryIn(args));
  return {
    name: TOOL,
    // deno-lint-ignore require-await -- a throw has to become a rejection
    async search(query, { maxResults = Infinity, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      return foundIn(byQuery.get(query) ?? [], query).slice(0, maxResults);
    },
  };
}

function foundIn(lookUps: readonly LookUp[], query: string): SearchHit[] {
  const found = lookUps.filter(({ failed }) => !failed);
  const [first] = lookUps;
  if (first === undefined) {
    throw new SearchError(`Cannot search for "${query}": no look-up of it is recorded`, {
      hint: "Replay the convening with the configuration it was held in.",
    });
  }
  if (found.length === 0) throw new SearchError(first.result);
  const hits = new Map<string, SearchHit>();
  for (const hit of found.flatMap(hitsOf)) {
    const same = JSON.stringify([hit.url, hit.snippet]);
    if (!hits.has(same)) hits.set(same, hit);
  }
  return [...hits.values()];
}

function hitsOf({ seq, number, result }: LookUp): readonly SearchHit[] {
  const { data } = Found.safeParse(jsonIn(result));
  if (data !== undefined) return "results" in data ? data.results : data;
  throw new SearchError(
    `Cannot read look-up ${number} of message ${seq}: it holds no list of hits`,
  );
}
