// The seam to models that turn texts into vectors.
import type { ModelSource } from "./agent.ts";

/** Options of one call of an {@linkcode Embedder}. */
export interface EmbedOptions {
  /** Gives up, as cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the tokens of each request, as the server counts them. */
  readonly onTokens?: ((tokens: number) => void) | undefined;
}

/**
 * Reserves the cost of a request of embeddings before it is sent; gives the function that takes the tokens that the model
 * read. Fails as cancelled where the request does not fit.
 */
export type EmbeddingMeter = (
  embedder: Pick<Embedder, "model" | "source">,
  texts: readonly string[],
) => Promise<(tokens: number) => Promise<void>>;

/** An embedder whose requests a run counts. */
export interface MeteredEmbedder extends Embedder {
  /** Counts the requests of the open record. @default nothing is counted */
  meter: EmbeddingMeter | undefined;
}

/** A model that turns texts into vectors; texts of like meaning get near vectors. */
export interface Embedder {
  /** The model's name; vectors of two models cannot be compared. */
  readonly model: string;
  /** Server of the model, by which its price is found. @default the price is unknown without one of the user's */
  readonly source?: ModelSource | undefined;
  /**
   * One vector a text, in their order, all of one length; near ones have a cosine near 1. Any text is taken, an empty one
   * too; a vector of zeros is like no text.
   */
  embed(
    texts: readonly string[],
    options?: EmbedOptions,
  ): Promise<readonly ArrayLike<number>[]>;
  /** Finds what calls need, such as a key, without a call; fails where something is missing. @default nothing is needed */
  ready?(): Promise<void>;
}
