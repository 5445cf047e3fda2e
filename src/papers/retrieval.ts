// Search for passages of papers by keywords, by embeddings or by both; vectors are stored in the record.
import type { RetrievalMode } from "../config/convening_config.ts";
import type { RetryOptions } from "../core/key_rules.ts";
import { checkArguments } from "../core/check_fields.ts";
import { untilAborted } from "../core/clock.ts";
import { AgentError, CancelledError, ConfigurationError, SearchError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { pageAt, type Paper, paperFile } from "../core/paper.ts";
import type { VectorShelf } from "../core/record.ts";
import {
  type Chunk,
  chunkText,
  type Embedder,
  type EmbedOptions,
  MAX_PASSAGES,
  MAX_RESULTS,
  type MeteredEmbedder,
  type PaperHit,
  type Retriever,
  type Searcher,
} from "../core/search.ts";
import { defined, memo } from "../core/values.ts";
import { withRetries } from "../core/retry.ts";

/** Options of {@linkcode createRetriever}. */
export interface RetrieverOptions {
  /** Search by keywords, by embeddings (`semantic`), or both (`hybrid`). @default "keyword" */
  readonly mode?: RetrievalMode | undefined;
  /** Embedder; required for `semantic` and `hybrid`. */
  readonly embed?: Embedder | undefined;
}

interface Ranked {
  /** Index of the passage. */
  readonly number: number;
  /** Score: above 0; of a retriever's results, 1 for the best. */
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
  checkArguments("createRetriever", { papers });
  checkRetrieval(papers, { mode, embed });
  const passages = memo(() =>
    papers.flatMap((paper) =>
      chunkText(paper.text).map((chunk, at) => ({ ...chunk, id: `${paper.id}#${at + 1}`, paper }))
    ).map((passage, number) => ({ ...passage, number }))
  );
  const keywords = memo(async () => {
    const { keywordIndex } = await import("../core/keyword_index.ts");
    return await keywordIndex(passages());
  });
  const embedder = embed instanceof KeptEmbedder ? embed : embed && new KeptEmbedder(embed);
  const rank: Record<RetrievalMode, (query: string, options: EmbedOptions) => Promise<Ranked[]>> = {
    keyword: async (query) =>
      (await keywords())(query).map(({ item: { number }, score }) => ({ number, score })),
    semantic: async (query, { signal }) => {
      const texts = passages().map(({ text }) => text.toWellFormed());
      const search = similarTo(query.toWellFormed(), texts, { embedder: embedder!, signal });
      const hits = await untilAborted(search, signal);
      const best = hits[0]?.score ?? 1;
      return hits.map(({ number, score }) => ({ number, score: Math.min(score / best, 1) }));
    },
    hybrid: async (query, options) => {
      const similar = await rank.semantic(query, options);
      return fuse([await rank.keyword(query, options), similar]);
    },
  };
  return {
    name: mode,
    async ready() {
      if (mode !== "keyword") await embed?.ready?.();
    },
    async search(query, { limit = MAX_PASSAGES, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const ranked = await rank[mode](query.slice(0, QUERY_LENGTH), { signal });
      if (signal?.aborted) throw new CancelledError(signal.reason);
      return ranked.slice(0, Math.max(limit, 0)).map(({ number, score }) =>
        hitOf(passages()[number]!, score)
      );
    },
  };
}

function checkRetrieval(papers: readonly Paper[], { mode, embed }: RetrieverOptions): void {
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
}

/** Combines the best of rankings by reciprocal rank fusion, which uses ranks instead of scores; ties are ordered by number. */
function fuse(rankings: readonly (readonly Ranked[])[]): Ranked[] {
  const sums = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [place, { number }] of ranking.slice(0, FUSED).entries()) {
      sums.set(number, (sums.get(number) ?? 0) + 1 / (RANK_CONSTANT + place + 1));
    }
  }
  const best = Math.max(0, ...sums.values());
  return Array.from(sums, ([number, sum]) => ({ number, score: sum / best }))
    .sort((a, b) => b.score - a.score || a.number - b.number);
}

function hitOf(
  { id, paper, text, start, end }: Chunk & { readonly id: string; readonly paper: Paper },
  score: number,
): PaperHit {
  const found = { chunkId: id, paper: paper.id, text, score, start, end };
  return { ...found, ...defined({ page: pageAt(paper, start) }) };
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

/** Texts per call of the embedder; a cancelled search loses at most one batch. */
const BATCH = 64;

/**
 * Returns the texts with a positive cosine similarity to the query, the most similar first; ties keep the order of the texts. Texts
 * that an earlier or concurrent search embeds are not embedded again.
 */
async function similarTo(
  query: string,
  texts: readonly string[],
  { embedder, signal }: EmbedOptions & { readonly embedder: KeptEmbedder },
): Promise<Ranked[]> {
  if (texts.length === 0 || query.trim() === "") return [];
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    vectors.push(...await embedder.embed(texts.slice(from, from + BATCH), { signal }));
  }
  const [asked] = await embedder.embed([query], { signal });
  return vectors.map((vector, number) => ({ number, score: cosineOf(vector, asked!) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.number - b.number);
}

function checkedCount<T>(vectors: readonly T[], texts: readonly string[]): readonly T[] {
  if (vectors.length === texts.length) return vectors;
  throw unusable(`${vectors.length} vectors came for ${texts.length} texts`);
}

/** Returns the cosine of two vectors; 0 if all numbers of one are 0. */
function cosineOf(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw unusable(`the vectors have ${a.length} and ${b.length} numbers`);
  }
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    squaresOfA += a[i]! ** 2;
    squaresOfB += b[i]! ** 2;
  }
  const length = Math.sqrt(squaresOfA * squaresOfB);
  if (!Number.isFinite(length)) throw unusable("a vector contains a value that is not a number");
  return length === 0 ? 0 : product / length;
}

function unusable(state: string): SearchError {
  return new SearchError(`Cannot run semantic search: ${state}`, {
    hint: "Check the embedder: it must return one vector per text, all of one length.",
  });
}

/** An embedder with retries and a cache in the record: a text is embedded once in all runs of a convening. */
export class KeptEmbedder implements MeteredEmbedder {
  readonly model: string;
  /** Cache of vectors in the open record. @default vectors are cached in memory only */
  shelf: VectorShelf | undefined;
  meter: MeteredEmbedder["meter"];
  readonly #embedder: Embedder;
  readonly #retry: RetryOptions | undefined;
  #kept: Promise<Map<string, Float32Array>> | undefined;
  /** Texts in flight, by id, until their vectors are on the shelf. */
  readonly #asked = new Map<string, Promise<unknown>>();

  /** Wraps an embedder. */
  constructor(embedder: Embedder, retry?: RetryOptions | undefined) {
    this.model = embedder.model;
    this.#embedder = embedder;
    this.#retry = retry;
  }

  get source(): Embedder["source"] {
    return this.#embedder.source;
  }

  async ready(): Promise<void> {
    await this.#embedder.ready?.();
  }

  async check(signal?: AbortSignal): Promise<void> {
    await this.#embedder.check?.(signal);
  }

  async embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<readonly Float32Array[]> {
    const kept = await (this.#kept ??= this.#read());
    const ids = texts.map((text) => sha256(`${this.model}\n${text}`).slice(0, 32));
    while (ids.some((id) => this.#asked.has(id))) {
      await untilAborted(Promise.allSettled(ids.map((id) => this.#asked.get(id))), signal);
    }
    const missing = [...new Set(ids)].filter((id) => !kept.has(id));
    if (missing.length > 0) {
      const add = async () => {
        const made = await this.#ask(missing.map((id) => texts[ids.indexOf(id)]!), signal);
        const vectors = missing.map((id, at) => ({ id, vector: Float32Array.from(made[at]!) }));
        for (const { id, vector } of vectors) kept.set(id, vector);
        await this.shelf?.add(vectors);
      };
      const added = add();
      for (const id of missing) this.#asked.set(id, added);
      await added.finally(() => missing.forEach((id) => this.#asked.delete(id)));
    }
    return ids.map((id) => kept.get(id)!);
  }

  async #read(): Promise<Map<string, Float32Array>> {
    const kept = new Map<string, Float32Array>();
    for await (const { id, vector } of this.shelf?.read() ?? []) kept.set(id, vector);
    return kept;
  }

  async #ask(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly ArrayLike<number>[]> {
    try {
      const ask = () => this.#metered(texts, signal);
      return checkedCount(await withRetries(ask, { retry: this.#retry, signal }), texts);
    } catch (error) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      if (!(error instanceof AgentError)) throw error;
      // Not marked as retryable: the retries are used up, and the caller must not retry again.
      const { code, message, status, hint, field } = error;
      throw new AgentError(code, message, { status, hint, field, cause: error });
    }
  }

  async #metered(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly ArrayLike<number>[]> {
    const settle = await this.meter?.(this.#embedder, texts);
    let tokens = 0;
    const onTokens = (read: number) => void (tokens += read);
    try {
      return await this.#embedder.embed(texts, { signal, onTokens });
    } finally {
      await settle?.(tokens);
    }
  }
}
