import { CancelledError } from "../core/error.ts";
import type { Source } from "../core/record.ts";
import { MAX_RESULTS, type Searcher } from "../core/search.ts";
import type { Chunk } from "./chunk.ts";

/**
 * Searches a convening's own background files, by words. A hit is a chunk of one: its title says which and from which
 * character on, its address is the file's path in the convening's directory, its snippet is the chunk as it stands there.
 */
export function sourceSearcher(sources: readonly Pick<Source, "name" | "text">[]): Searcher {
  let loading: ReturnType<typeof load> | undefined;
  return {
    name: "sources",
    async search(query, { maxResults = MAX_RESULTS, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const { chunks, index } = await (loading ??= load(sources));
      return index.search(query, { limit: maxResults }).map(({ id, score }) => {
        const { source, start, text } = chunks.get(id)!;
        return {
          title: `${source}, from character ${start + 1}`,
          url: `sources/${source}`,
          snippet: text,
          score,
        };
      });
    },
  };
}

// A convening that never searches its sources does not load what indexes them.
async function load(sources: readonly Pick<Source, "name" | "text">[]) {
  const { chunkText } = await import("./chunk.ts");
  const { keywordIndex } = await import("./keyword_index.ts");
  // Two files may share a name: their number tells their chunks apart.
  const chunks = new Map<string, Chunk>(
    sources.flatMap(({ name, text }, number) =>
      chunkText(text, name).map((chunk): [string, Chunk] => [`${number}/${chunk.id}`, chunk])
    ),
  );
  const documents = Array.from(chunks, ([id, { text, source }]) => ({ id, text, title: source }));
  return { chunks, index: await keywordIndex(documents) };
}
