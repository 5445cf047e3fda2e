// Search for passages of papers by keywords, by embeddings or by both.
import type { RetrievalMode } from "../../config/convening_config.ts";
import { CancelledError, ConfigurationError } from "../../core/error.ts";
import { pageAt, type Paper, paperFile } from "../../core/paper.ts";
import {
  type Chunk,
  chunkText,
  type Embedder,
  MAX_PASSAGES,
  MAX_RESULTS,
  type PaperHit,
  type RetrieveOptions,
  type Retriever,
  type Searcher,
} from "../../core/search.ts";
import type { KeywordIndex } from "../../core/keyword_index.ts";
import { VectorIndex } from "./vector_index.ts";

/** Options of {@linkcode createRetriever}. */
export interface RetrieverOptions {
  /** Search by keywords, by embeddings (`semantic`), or both (`hybrid`). @default "keyword" */
  readonly mode?: RetrievalMode | undefined;
  /** Embedder; required for `semantic` and `hybrid`. */
  readonly embed?: Embedder | undefined;
}

/** A search result. */
interface Ranked {
  /** Index of the passage. */
  readonly number: number;
  /** Relative score: above 0, and 1 for the best result. */
  readonly score: number;
}

/** Constant of reciprocal rank fusion, from Cormack, Clarke and Büttcher (2009). */
const RANK_CONSTANT = 60;
/** Maximum characters of a query; the rest is ignored. */
const QUERY_LENGTH = 10_000;
/** Number of results of each ranking that a hybrid search fuses. */
const FUSED = 50;

/**
 * Creates a retriever for passages of papers (context-network/rules/paper_debate.md): chunks of about 500 characters with ids
 * `PAPER#N`, N counted from 1 in each paper. Papers are split and indexed at the first search. Throws a `ConfigurationError`
 * for duplicate paper ids, and for `semantic` or `hybrid` without an embedder.
 */
export function createRetriever(
  papers: readonly Paper[],
  { mode = "keyword", embed }: RetrieverOptions = {},
): Retriever {
  const ids = papers.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) {
    throw new ConfigurationError(`Cannot search the papers: two of them have the id "${twice}"`, {
      field: "papers",
      hint: "Give each paper an id of its own.",
    });
  }
  if (mode !== "keyword" && embed === undefined) {
    throw new ConfigurationError(`Cannot find passages in mode ${mode}: there is no embedder`, {
      field: "retrieval",
      hint: "Give an embedder, such as createEmbedder() makes, or use mode keyword.",
    });
  }
  return new PaperRetriever(papers, mode, embed);
}

interface Passage {
  readonly paper: Paper;
  readonly chunk: Chunk;
}

class PaperRetriever implements Retriever {
  readonly name: RetrievalMode;
  readonly #papers: readonly Paper[];
  readonly #embed: Embedder | undefined;
  #chunks: readonly Passage[] | undefined;
  #keywords: Promise<KeywordIndex> | undefined;
  #vectors: VectorIndex | undefined;

  constructor(papers: readonly Paper[], mode: RetrievalMode, embed: Embedder | undefined) {
    this.#papers = papers;
    this.name = mode;
    this.#embed = embed;
  }

  async ready(): Promise<void> {
    if (this.name !== "keyword") await this.#embed?.ready?.();
  }

  async search(
    query: string,
    { limit = MAX_PASSAGES, signal }: RetrieveOptions = {},
  ): Promise<readonly PaperHit[]> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const ranked = await this.#rank(query.slice(0, QUERY_LENGTH), signal);
    if (signal?.aborted) throw new CancelledError(signal.reason);
    return ranked.slice(0, Math.max(limit, 0)).map(({ number, score }) =>
      hitOf(this.#passages()[number]!, score)
    );
  }

  async #rank(query: string, signal: AbortSignal | undefined): Promise<readonly Ranked[]> {
    if (this.name === "keyword") return await this.#byKeywords(query);
    const similar = await this.#byVectors(query, signal);
    if (this.name === "semantic") return similar;
    const rankings = [await this.#byKeywords(query), similar];
    return fuse(rankings.map((ranked) => ranked.slice(0, FUSED).map(({ number }) => number)));
  }

  async #byKeywords(query: string): Promise<Ranked[]> {
    const index = await (this.#keywords ??= this.#indexKeywords());
    return index.search(query).map(({ id, score }) => ({ number: Number(id), score }));
  }

  async #byVectors(query: string, signal: AbortSignal | undefined): Promise<Ranked[]> {
    const index = this.#vectors ??= new VectorIndex(
      this.#passages().map(({ chunk }) => chunk.text),
      this.#embed!,
    );
    const hits = await index.search(query, { signal });
    const best = hits[0]?.similarity ?? 1;
    return hits.map(({ number, similarity }) => ({
      number,
      score: Math.min(similarity / best, 1),
    }));
  }

  async #indexKeywords(): Promise<KeywordIndex> {
    const { keywordIndex } = await import("../../core/keyword_index.ts");
    return await keywordIndex(
      this.#passages().map(({ chunk: { text } }, number) => ({ id: String(number), text })),
    );
  }

  #passages(): readonly Passage[] {
    return this.#chunks ??= this.#papers.flatMap((paper) =>
      chunkText(paper.text, paper.id).map((chunk) => ({ paper, chunk }))
    );
  }
}

/** Combines rankings by reciprocal rank fusion, which uses ranks instead of scores; ties are ordered by number. */
function fuse(rankings: readonly (readonly number[])[]): Ranked[] {
  const sums = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [place, number] of ranking.entries()) {
      sums.set(number, (sums.get(number) ?? 0) + 1 / (RANK_CONSTANT + place + 1));
    }
  }
  const best = Math.max(0, ...sums.values());
  return Array.from(sums, ([number, sum]) => ({ number, score: sum / best }))
    .sort((a, b) => b.score - a.score || a.number - b.number);
}

function hitOf({ paper, chunk: { id, text, start, end } }: Passage, score: number): PaperHit {
  const page = pageAt(paper, start);
  const found = { chunkId: id, paper: paper.id, text, score, start, end };
  return page === undefined ? found : { ...found, page };
}

/** Adapts a retriever to the searcher of the fact checker; the URL of a hit is the paper's file. */
export function paperSearcher(retriever: Retriever, papers: readonly Paper[]): Searcher {
  const byId = new Map(papers.map(({ id, title }, index) => [id, { title, index }]));
  return {
    name: "papers",
    async search(query, { maxResults = MAX_RESULTS, signal } = {}) {
      const hits = await retriever.search(query, { limit: maxResults, signal });
      return hits.map(({ paper, page, start, text, score }) => {
        const { title, index } = byId.get(paper) ?? { title: paper, index: 0 };
        const where = page === undefined ? `from character ${start + 1}` : `page ${page}`;
        return { title: `${title}, ${where}`, url: paperFile(index), snippet: text, score };
      });
    },
  };
}
