import type { Agent, AgentReply, AgentRequest } from "../core/agent.ts";
import { CancelledError } from "../core/error.ts";
import { loadTokenCounter, type TokenCounter } from "../core/tokens.ts";
import { PromptCounter } from "./offline/prompt_counter.ts";

/** Options of {@linkcode createOfflineAgent}. */
export interface OfflineOptions {
  /** The name that records show as the model. @default "offline" */
  readonly model?: string;
}

/**
 * An agent without a model: a seeded writer that argues from the topic, the position and the persona, answers what was
 * said before it, and computes the values of structured questions. The same request gives the same reply; within a
 * convening it says no sentence twice. It claims no facts: it reasons, and its examples are invented situations.
 *
 * In a debate over papers it calls the tools it is given and argues with the sentences they return, quoted as they stand.
 *
 * It does no I/O of its own and costs nothing; its tokens are counted.
 */
export function createOfflineAgent(options: OfflineOptions = {}): Agent {
  return new OfflineAgent(options);
}

class OfflineAgent implements Agent {
  readonly model: string;
  readonly #prompts = new PromptCounter();

  constructor({ model = "offline" }: OfflineOptions) {
    this.model = model;
  }

  async load({ schema }: AgentRequest): Promise<void> {
    await loadTokenCounter();
    await (schema === undefined
      ? import("./offline/compose.ts")
      : import("./offline/structured.ts"));
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { signal, onDelta, messages } = request;
    checkSignal(signal);
    const count = await loadTokenCounter();
    const { text, toolCalls } = await answerTo(request, count);
    checkSignal(signal);
    if (onDelta !== undefined) {
      for (const piece of piecesOf(text)) {
        onDelta(piece);
        await Promise.resolve();
        checkSignal(signal);
      }
    }
    return {
      text,
      finishReason: "stop",
      model: this.model,
      usage: {
        inputTokens: this.#prompts.count(messages, count),
        cachedInputTokens: 0,
        outputTokens: count(text),
        costUsd: 0,
      },
      ...(toolCalls === undefined ? {} : { toolCalls }),
    };
  }
}

/** What is said or answered, with the tools it called; all there is to say it with is loaded when it is first asked for. */
async function answerTo(
  request: AgentRequest,
  count: TokenCounter,
): Promise<Pick<AgentReply, "text" | "toolCalls">> {
  if (request.schema === undefined) {
    const { composeText } = await import("./offline/compose.ts");
    return { text: composeText(request, count) };
  }
  const { answerQuestion } = await import("./offline/structured.ts");
  const toolCalls = await callsFor(request);
  return { text: answerQuestion(request, request.schema, { count, traces: toolCalls }), toolCalls };
}

/** The calls of a paper debater's tools; undefined for requests without tools. */
async function callsFor(request: AgentRequest): Promise<AgentReply["toolCalls"]> {
  if (request.tools === undefined || request.tools.length === 0) return undefined;
  const { lookUps } = await import("./offline/paper/look_up.ts");
  return lookUps(request);
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError(signal.reason);
}

/** Some dozen words at a time. */
function piecesOf(text: string): string[] {
  return text.match(/(?:\s*\S+){1,12}\s*/gu) ?? [text];
}
