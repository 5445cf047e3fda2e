// Usage of requests to servers of the OpenAI protocol.
import type { AgentReply } from "../core/agent.ts";
import { addUsage } from "../core/message.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import type { WireMessage } from "./openai_request.ts";
import type { Completion } from "./openai_stream.ts";

/** Usage of one request; tokens that the server did not count are counted here. */
export async function usageOf(
  { usage, text, reasoning: thought, toolCalls }: Pick<
    Completion,
    "usage" | "text" | "reasoning" | "toolCalls"
  >,
  messages: readonly WireMessage[],
): Promise<AgentReply["usage"]> {
  if (usage !== undefined) return usage;
  const count = await loadTokenCounter();
  const read = messages.map(({ content }) => typeof content === "string" ? content : "");
  const written = toolCalls.map((call) => call.name + call.arguments);
  return {
    inputTokens: count(read.join("\n")),
    cachedInputTokens: 0,
    outputTokens: count([text, thought, ...written].join("\n")),
  };
}

/** The sum over the requests of one reply; a cost that one of them lacks is left to the price table. */
export function sumUsage(usages: readonly AgentReply["usage"][]): AgentReply["usage"] {
  const priced = usages.every(({ costUsd }) => costUsd !== undefined);
  const { costUsd, ...tokens } = usages
    .map((usage) => ({ ...usage, costUsd: usage.costUsd ?? 0 }))
    .reduce(addUsage);
  return priced ? { ...tokens, costUsd } : tokens;
}
