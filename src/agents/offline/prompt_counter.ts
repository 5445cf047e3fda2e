import type { ChatMessage } from "../../core/agent.ts";
import type { TokenCounter } from "../../core/tokens.ts";

/** How many paragraphs are remembered: several prompts' worth. */
const MOST = 2048;

/**
 * Counts the tokens of prompts. Prompts of a convening repeat each other's beginning, so the counts of their paragraphs
 * are kept, a bounded number of them.
 */
export class PromptCounter {
  readonly #known = new Map<string, number>();

  /** The tokens of all messages' contents. */
  count(messages: readonly ChatMessage[], count: TokenCounter): number {
    let total = 0;
    for (const { content } of messages) {
      let from = 0;
      while (from < content.length) {
        const found = content.indexOf("\n\n", from);
        const to = found === -1 ? content.length : found + 2;
        total += this.#tokens(content.slice(from, to), count);
        from = to;
      }
    }
    return total;
  }

  #tokens(text: string, count: TokenCounter): number {
    let tokens = this.#known.get(text);
    if (tokens === undefined) {
      tokens = count(text);
      if (this.#known.size >= MOST) {
        const [oldest] = this.#known.keys();
        this.#known.delete(oldest!);
      }
      this.#known.set(text, tokens);
    }
    return tokens;
  }
}
