// Passages found by meaning: vectors of texts, kept with the record, and their likeness to a query's.
import { AgentError, CancelledError, SearchError } from "../../core/error.ts";
import { untilAborted } from "../../core/clock.ts";
import type { Embedder, EmbedOptions, MeteredEmbedder } from "../../core/search.ts";
import { sha256 } from "../../core/message.ts";
import type { VectorShelf } from "../../core/record.ts";
import type { RetryOptions } from "../../config/convening_config.ts";
import { withRetries } from "../../engine/caller.ts";

/** A text that means something like the query. */
interface VectorHit {
  /** Its place among the texts, from 0. */
  readonly number: number;
  /** The cosine of its vector and the query's. */
  readonly likeness: number;
}

/** Texts given to an embedder at once: the most that a cancelled search loses. */
const BATCH = 64;

/** The making of the vectors, which all searches that need them wait for. */
interface Making {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  /** The number of searches that wait. */
  waiting: number;
}

/** Texts, to be found by what they mean. */
export class VectorIndex {
  readonly #texts: readonly string[];
  readonly #embedder: Embedder;
  /** Vectors of length 1, or of zeros, for the first texts, as far as they are made. */
  readonly #vectors: Float32Array[] = [];
  #making: Making | undefined;

  /** An index of texts; `embedder` is asked when something is searched. */
  constructor(texts: readonly string[], embedder: Embedder) {
    this.#texts = texts;
    this.#embedder = embedder;
  }

  /**
   * The texts that have to do with the query, the likest first, equals in their order. The first search makes all vectors
   * and others wait with it; when all of them are cancelled it stops, and the next one goes on from there.
   */
  async search(query: string, { signal }: EmbedOptions = {}): Promise<VectorHit[]> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    if (this.#texts.length === 0 || query.trim() === "") return [];
    if (this.#vectors.length < this.#texts.length) await this.#complete(signal);
    const [asked] = await untilAborted(vectorsOf(this.#embedder, [query], signal), signal);
    return this.#vectors
      .map((vector, number) => ({ number, likeness: product(vector, asked!) }))
      .filter(({ likeness }) => likeness > 0)
      .sort((a, b) => b.likeness - a.likeness || a.number - b.number);
  }

  async #complete(signal: AbortSignal | undefined): Promise<void> {
    const making = this.#making ??= this.#make();
    making.waiting++;
    try {
      await untilAborted(making.done, signal);
    } finally {
      making.waiting--;
      if (making.waiting === 0) {
        making.controller.abort();
        if (this.#making === making) this.#making = undefined;
      }
    }
  }

  #make(): Making {
    const controller = new AbortController();
    return { done: this.#makeAll(controller.signal), controller, waiting: 0 };
  }

  async #makeAll(signal: AbortSignal): Promise<void> {
    while (this.#vectors.length < this.#texts.length) {
      const from = this.#vectors.length;
      const made = await vectorsOf(
        this.#embedder,
        this.#texts.slice(from, from + BATCH),
        signal,
      );
      // Another making may have gone on from here since.
      if (signal.aborted) throw new CancelledError(signal.reason);
      this.#vectors.push(...made);
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
  return vectors.map(unit);
}

/** A vector of the same direction and of length 1. */
function unit(vector: ArrayLike<number>): Float32Array {
  const numbers = Float32Array.from(vector);
  const length = Math.sqrt(numbers.reduce((sum, each) => sum + each * each, 0));
  if (!Number.isFinite(length)) throw unusable("a vector holds what is no number");
  return numbers.map((each) => length === 0 ? 0 : each / length);
}

/** The cosine of two vectors of length 1. */
function product(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw unusable(`the vectors have ${a.length} and ${b.length} numbers`);
  }
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function unusable(state: string): SearchError {
  return new SearchError(`Cannot search by meaning: ${state}`, {
    hint: "Check the embedder: one vector a text, all of one length.",
  });
}

/**
 * An embedder whose requests are sent again where that may help, and whose vectors are kept on a shelf of the record: a
 * text has one call, in all runs of a convening.
 */
export class KeptEmbedder implements MeteredEmbedder {
  readonly model: string;
  /** The shelf of the open record. @default vectors are not kept */
  shelf: VectorShelf | undefined;
  meter: MeteredEmbedder["meter"];
  readonly #embedder: Embedder;
  readonly #retry: RetryOptions | undefined;
  #kept: Promise<Map<string, Float32Array>> | undefined;

  /** The same embedder with retries. */
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
      // The retries are used up: whoever asked does not begin them again.
      const { code, message, status, hint, field } = error;
      throw new AgentError(code, message, { status, hint, field, cause: error });
    }
  }
}
