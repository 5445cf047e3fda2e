// Passages of papers, found by words, by meaning or by both.
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
  /** Means by which passages are found. @default "keyword" */
  readonly mode?: RetrievalMode | undefined;
  /** Makes the vectors of `semantic` and `hybrid`, which need it. */
  readonly embed?: Embedder | undefined;
}

/** The number of a text, and a score over 0 to 1, which is the best text's. */
interface Ranked {
  readonly number: number;
  readonly score: number;
}

/** The weight of the first places over the next ones: the constant of Cormack, Clarke and Büttcher (2009). */
const RANK_CONSTANT = 60;
/** The most characters of a query that are read. */
const QUERY_LENGTH = 10_000;
/** The places of each ranking that a hybrid search counts. */
const FUSED = 50;

/**
 * Finds passages of papers (context-network/rules/paper_debate.md): chunks of some 500 characters, whose ids are `PAPER#N`, N from 1
 * in each paper. Nothing is cut or indexed before the first search. Fails with a `ConfigurationError` for two papers of
 * one id, and for a search by meaning without an embedder.
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
  #cut: readonly Passage[] | undefined;
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
    if (this.name === "keyword") return await this.#byWords(query);
    const likest = await this.#byMeaning(query, signal);
    if (this.name === "semantic") return likest;
    const rankings = [await this.#byWords(query), likest];
    return fuse(rankings.map((ranked) => ranked.slice(0, FUSED).map(({ number }) => number)));
  }

  async #byWords(query: string): Promise<Ranked[]> {
    const index = await (this.#keywords ??= this.#indexWords());
    return index.search(query).map(({ id, score }) => ({ number: Number(id), score }));
  }

  async #byMeaning(query: string, signal: AbortSignal | undefined): Promise<Ranked[]> {
    const index = this.#vectors ??= new VectorIndex(
      this.#passages().map(({ chunk }) => chunk.text),
      this.#embed!,
    );
    const hits = await index.search(query, { signal });
    const best = hits[0]?.likeness ?? 1;
    return hits.map(({ number, likeness }) => ({ number, score: Math.min(likeness / best, 1) }));
  }

  async #indexWords(): Promise<KeywordIndex> {
    const { keywordIndex } = await import("../../core/keyword_index.ts");
    return await keywordIndex(
      this.#passages().map(({ chunk: { text } }, number) => ({ id: String(number), text })),
    );
  }

  #passages(): readonly Passage[] {
    return this.#cut ??= this.#papers.flatMap((paper) =>
      chunkText(paper.text, paper.id).map((chunk) => ({ paper, chunk }))
    );
  }
}

/** One ranking of several by reciprocal rank fusion: places count, not scores; equals by number. */
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
