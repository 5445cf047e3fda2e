// An embedder without a model, for tests.
import { CancelledError } from "../../../src/core/error.ts";
import type { Embedder, EmbedOptions } from "../../../src/core/search.ts";

/** One dimension per group of similar words. */
const GROUPS: readonly RegExp[] = [
  /\bferr(?:y|ies)\b|\bboats?\b/gi,
  /\bbatter(?:y|ies)\b|\brepairs?\b|\bcosts?\b/gi,
  /\bbees?\b|\bhives?\b|\bhoney\b/gi,
  /\bquiet\b|\bsilent\b|\bnoise\b/gi,
];

/** Embeds a text by counting words of a few groups; keeps its calls. */
export class WordEmbedder implements Embedder {
  readonly model = "words";
  /** Texts of each call. */
  readonly calls: (readonly string[])[] = [];
  /** Awaited in each call. */
  before: (options: EmbedOptions) => Promise<void> = () => Promise.resolve();

  async embed(
    texts: readonly string[],
    options: EmbedOptions = {},
  ): Promise<readonly (readonly number[])[]> {
    this.calls.push(texts);
    await this.before(options);
    if (options.signal?.aborted) throw new CancelledError(options.signal.reason);
    return texts.map(vectorOf);
  }
}

/** Returns the vector of a text: the number of words in each group. */
export function vectorOf(text: string): number[] {
  return GROUPS.map((group) => text.match(group)?.length ?? 0);
}
