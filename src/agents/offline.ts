// The offline agent: replaces a model by a seeded writer of fixed sentences.
import type { Agent, AgentReply } from "../core/agent.ts";
import { refuseUnknownOptions } from "../core/check_fields.ts";
import { CancelledError } from "../core/error.ts";
import { loadTokenCounter } from "../core/tokens.ts";

/** Options of {@linkcode createOfflineAgent}. */
export interface OfflineOptions {
  /** Name of the model in records. @default "offline" */
  readonly model?: string | undefined;
}

/**
 * Creates an agent without a model: a writer of fixed sentence patterns, chosen by the convening's seed and filled with the topic,
 * the position and quotations of others. The agent reads only the prompt, draws no conclusions from its words, and fills structured
 * replies by their JSON schema and by word counts. The same request always gets the same reply.
 *
 * In a paper debate the agent calls the tools that take a query and quotes their results.
 *
 * A reply needs no network and costs nothing; its tokens are counted.
 */
export function createOfflineAgent(options: OfflineOptions = {}): Agent {
  refuseUnknownOptions<OfflineOptions>("createOfflineAgent", options, { model: true });
  const { model = "offline" } = options;
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
          inputTokens: messages.reduce((sum, { content }) => sum + count(content), 0),
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
