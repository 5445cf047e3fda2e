// The offline agent: a seeded writer that stands in for a model.
import type { Agent, AgentReply } from "../core/agent.ts";
import { CancelledError } from "../core/error.ts";
import { loadTokenCounter, type TokenCounter } from "../core/tokens.ts";
import { RecentMap } from "../core/values.ts";

/** Options of {@linkcode createOfflineAgent}. */
export interface OfflineOptions {
  /** The name that records show as the model. @default "offline" */
  readonly model?: string;
}

/** Number of paragraphs of prompts that are remembered with their tokens. */
const MOST_PARAGRAPHS = 2048;

/**
 * Creates an agent without a model: a writer of fixed sentence patterns, drawn by the convening's seed and filled with the
 * topic, the position and quoted words of others. The agent reads the prompt as a model does, infers nothing from the words,
 * and fills structured replies by their JSON schema and by counts of words. The same request gives the same reply.
 *
 * In a debate over papers the agent calls the tools that take a query and quotes what they return.
 *
 * A reply needs no network, costs nothing, and has its tokens counted.
 */
export function createOfflineAgent({ model = "offline" }: OfflineOptions = {}): Agent {
  const tokens = new RecentMap<number>(MOST_PARAGRAPHS);
  return {
    model,
    async load() {
      await Promise.all([loadTokenCounter(), import("./offline/reply.ts")]);
    },
    async reply(request): Promise<AgentReply> {
      const { signal, messages, onDelta } = request;
      checkSignal(signal);
      const count = await loadTokenCounter();
      const { replyTo } = await import("./offline/reply.ts");
      const { text, toolCalls } = await replyTo(request, count);
      checkSignal(signal);
      for (const [piece] of onDelta === undefined ? [] : text.matchAll(/(?:\s*\S+){1,12}\s*/gu)) {
        onDelta!(piece);
        await Promise.resolve();
        checkSignal(signal);
      }
      return {
        text,
        finishReason: "stop",
        model,
        usage: {
          inputTokens: messages.reduce(
            (sum, { content }) => sum + tokensOf(content, count, tokens),
            0,
          ),
          cachedInputTokens: 0,
          outputTokens: count(text),
          costUsd: 0,
        },
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      };
    },
  };
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError(signal.reason);
}

/** The tokens of a prompt's message: prompts of a convening repeat paragraphs, which are counted once. */
function tokensOf(content: string, count: TokenCounter, known: RecentMap<number>): number {
  return content.split(/(?<=\n\n)/).reduce((sum, paragraph) => {
    const tokens = known.get(paragraph) ?? count(paragraph);
    known.set(paragraph, tokens);
    return sum + tokens;
  }, 0);
}
