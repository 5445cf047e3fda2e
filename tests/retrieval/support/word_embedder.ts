import { CancelledError } from "../../../src/core/error.ts";
import type { Embedder, EmbedOptions } from "../../../src/core/search.ts";

/** One direction a group: texts with words of a group are alike. */
const GROUPS: readonly RegExp[] = [
  /\bferr(?:y|ies)\b|\bboats?\b/gi,
  /\bbatter(?:y|ies)\b|\brepairs?\b|\bcosts?\b/gi,
  /\bbees?\b|\bhives?\b|\bhoney\b/gi,
  /\bquiet\b|\bsilent\b|\bnoise\b/gi,
];

/** An embedder that counts words of a few groups, and keeps what it was asked. */
export class WordEmbedder implements Embedder {
  readonly model = "words";
  /** The texts of each call. */
  readonly calls: (readonly string[])[] = [];
  /** What is waited for within each call. */
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

/** The vector of a text: how often it names each group. */
export function vectorOf(text: string): number[] {
  return GROUPS.map((group) => text.match(group)?.length ?? 0);
}
