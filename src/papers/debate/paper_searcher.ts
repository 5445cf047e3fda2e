import { type Paper, paperFile } from "../../core/paper.ts";
import type { Retriever } from "../../core/retriever.ts";
import { MAX_RESULTS, type Searcher } from "../../core/search.ts";

/** The papers of a debate, searched as fact checkers search: a hit is a passage, its address the paper's file. */
export function paperSearcher(retriever: Retriever, papers: readonly Paper[]): Searcher {
  const places = new Map(papers.map(({ id, title }, index) => [id, { title, index }]));
  return {
    name: "papers",
    async search(query, { maxResults = MAX_RESULTS, signal } = {}) {
      const hits = await retriever.search(query, { limit: maxResults, signal });
      return hits.map(({ paper, page, start, text, score }) => {
        const { title, index } = places.get(paper) ?? { title: paper, index: 0 };
        const where = page === undefined ? `from character ${start + 1}` : `page ${page}`;
        return { title: `${title}, ${where}`, url: paperFile(index), snippet: text, score };
      });
    },
  };
}
