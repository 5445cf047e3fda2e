// Semantic search: embedding vectors of texts, stored in the record, and their similarity to a query.
import { AgentError, CancelledError, SearchError } from "../../core/error.ts";
import { untilAborted } from "../../core/clock.ts";
import type { Embedder, EmbedOptions, MeteredEmbedder } from "../../core/search.ts";
import { sha256 } from "../../core/message.ts";
import type { VectorShelf } from "../../core/record.ts";
import type { RetryOptions } from "../../config/convening_config.ts";
import { withRetries } from "../../engine/caller.ts";

/** A search result. */
interface VectorHit {
  /** Index of the text. */
  readonly number: number;
  /** Cosine similarity to the query. */
  readonly similarity: number;
}

/** Texts per call of the embedder; a cancelled search loses at most one batch. */
const BATCH = 64;

/** Semantic index of texts. */
export class VectorIndex {
  readonly #texts: readonly string[];
  readonly #embedder: Embedder;
  /** Unit vectors (or zero vectors) of the first texts, as far as built. */
  readonly #vectors: Float32Array[] = [];
  /** Running call for the next batch, shared by all searches; the search that made the call may cancel it. */
  #batch: Promise<void> | undefined;

  /** Creates an index; the embedder is called by the first search. */
  constructor(texts: readonly string[], embedder: Embedder) {
    this.#texts = texts;
    this.#embedder = embedder;
  }

  /**
   * Returns the texts with a positive similarity to the query, the most similar first; ties keep the order of the texts.
   * Concurrent searches build the index together; if all of them are cancelled, the next search continues.
   */
  async search(query: string, { signal }: EmbedOptions = {}): Promise<VectorHit[]> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    if (this.#texts.length === 0 || query.trim() === "") return [];
    while (this.#vectors.length < this.#texts.length) {
      await untilAborted(this.#batch ??= this.#embedNext(signal), signal);
    }
    const [asked] = await untilAborted(vectorsOf(this.#embedder, [query], signal), signal);
    return this.#vectors
      .map((vector, number) => ({ number, similarity: dotProduct(vector, asked!) }))
      .filter(({ similarity }) => similarity > 0)
      .sort((a, b) => b.similarity - a.similarity || a.number - b.number);
  }

  async #embedNext(signal: AbortSignal | undefined): Promise<void> {
    const from = this.#vectors.length;
    try {
      const texts = this.#texts.slice(from, from + BATCH);
      this.#vectors.push(...await vectorsOf(this.#embedder, texts, signal));
    } catch (error) {
      // Another search repeats a call that was cancelled.
      if (!signal?.aborted) throw error;
    } finally {
      this.#batch = undefined;
    }
  }
}

async function vectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts.map((text) => text.toWellFormed()), { signal });
  if (vectors.length !== texts.length) {
    throw unusable(`${vectors.length} vectors came for ${texts.length} texts`);
  }
  return vectors.map(normalized);
}

/** Returns the unit vector of the same direction; a zero vector stays zero. */
function normalized(vector: ArrayLike<number>): Float32Array {
  const numbers = Float32Array.from(vector);
  const length = Math.sqrt(numbers.reduce((sum, each) => sum + each * each, 0));
  if (!Number.isFinite(length)) throw unusable("a vector contains a value that is not a number");
  return numbers.map((each) => length === 0 ? 0 : each / length);
}

/** Returns the dot product, which is the cosine for unit vectors. */
function dotProduct(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw unusable(`the vectors have ${a.length} and ${b.length} numbers`);
  }
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
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

  async embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<readonly Float32Array[]> {
    const kept = await (this.#kept ??= this.#read());
    const ids = texts.map((text) => sha256(`${this.model}\n${text}`).slice(0, 32));
    const missing = [...new Set(ids)].filter((id) => !kept.has(id));
    if (missing.length > 0) {
      const made = await this.#ask(missing.map((id) => texts[ids.indexOf(id)]!), signal);
      const vectors = missing.map((id, index) => ({ id, vector: Float32Array.from(made[index]!) }));
      for (const { id, vector } of vectors) kept.set(id, vector);
      await this.shelf?.add(vectors);
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
      const ask = async () => {
        const settle = await this.meter?.(this.#embedder, texts);
        let tokens = 0;
        const onTokens = (read: number) => void (tokens += read);
        try {
          return await this.#embedder.embed(texts, { signal, onTokens });
        } finally {
          await settle?.(tokens);
        }
      };
      const made = await withRetries(ask, { retry: this.#retry, signal });
      if (made.length !== texts.length) {
        throw unusable(`${made.length} vectors came for ${texts.length} texts`);
      }
      return made;
    } catch (error) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      if (!(error instanceof AgentError)) throw error;
      // Not marked as retryable: the retries are used up, and the caller must not retry again.
      const { code, message, status, hint, field } = error;
      throw new AgentError(code, message, { status, hint, field, cause: error });
    }
  }
}
