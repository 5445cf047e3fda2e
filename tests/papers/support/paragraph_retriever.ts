// A custom retriever for tests.
import { CancelledError } from "../../../src/core/error.ts";
import { pageAt, type Paper } from "../../../src/core/paper.ts";
import type { PaperHit, Retriever } from "../../../src/core/search.ts";

/** Returns a retriever that ranks whole paragraphs by their number of query words. */
export function paragraphRetriever(papers: readonly Paper[]): Retriever {
  return {
    name: "paragraphs",
    async search(query, { limit = 5, signal } = {}) {
      await Promise.resolve();
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const words = new Set(query.toLowerCase().match(/[a-z]{4,}/g) ?? []);
      const hits = papers.flatMap((paper, number) => paragraphs(paper, `p${number}`))
        .map((hit) => ({ ...hit, score: countOf(hit.text, words) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
      return hits.map((hit) => ({ ...hit, score: hit.score / hits[0]!.score }));
    },
  };
}

function countOf(text: string, words: ReadonlySet<string>): number {
  const found = new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
  return [...words].filter((word) => found.has(word)).length;
}

function paragraphs(paper: Paper, prefix: string): PaperHit[] {
  return Array.from(paper.text.matchAll(/[^\n]+/g), ([text], i) => {
    const { index: start } = [...paper.text.matchAll(/[^\n]+/g)][i]!;
    const page = pageAt(paper, start);
    const place = { start, end: start + text.length, ...page === undefined ? {} : { page } };
    return { chunkId: `${prefix}.${i}`, paper: paper.id, text, score: 0, ...place };
  });
}
