/** Options of one call of an {@linkcode Embedder}. */
export interface EmbedOptions {
  /** Gives up, as cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into numbers, so that texts which mean like things lie near each other. */
export interface Embedder {
  /**
   * One vector a text, in their order, all of one length; near ones have a cosine near 1. Any text is taken, an empty one
   * too; a vector of zeros says that nothing can be told of its text.
   */
  embed(
    texts: readonly string[],
    options?: EmbedOptions,
  ): Promise<readonly (readonly number[])[]>;
}
