// A round of tool calls within one reply.
import { z } from "zod";
import type { AgentReply, AgentRequest, ReplyRounds } from "../core/agent.ts";
import { replyUsage, toolTrace } from "../core/kept_reply.ts";
import { memo } from "../core/once_each.ts";
import type { Tool, ToolTrace } from "../core/tool.ts";
import type { Completion } from "./openai_stream.ts";
import { runToolCalls } from "./openai_tools.ts";

const schema = memo(() =>
  z.object({
    text: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).min(
      1,
    ),
    usage: replyUsage(),
    traces: z.array(toolTrace()).exactOptional(),
    // Of an AI SDK model: the reply as the next prompt repeats it, signatures of thoughts included.
    parts: z.array(z.looseObject({ type: z.string() })).exactOptional(),
    // Thought text, which some servers want back with the results of tools.
    reasoning: z.string().exactOptional(),
  }).refine(({ toolCalls, traces }) => traces === undefined || traces.length === toolCalls.length)
);

/** A reply that calls tools; with what they gave back, once they all did. */
export type CallingReply = Readonly<z.infer<ReturnType<typeof schema>>>;

/** A completion as a reply that calls tools; calls that lack an id get one. */
export function callingReply(
  { text, toolCalls, reasoning, parts }:
    & Pick<Completion, "text" | "toolCalls" | "reasoning">
    & { readonly parts?: readonly { readonly type: string }[] | undefined },
  usage: AgentReply["usage"],
): CallingReply {
  return {
    text,
    usage,
    ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part })) }),
    ...(parts !== undefined || reasoning === "" ? {} : { reasoning }),
    toolCalls: toolCalls.map((call, i) => ({ ...call, id: call.id || `call_${i}` })),
  };
}

/** The reply to the request of a number that was left before it had to be sent again; undefined where there is none. */
export function earlierReply(
  rounds: ReplyRounds | undefined,
  number: number,
): CallingReply | undefined {
  return schema().safeParse(rounds?.before(number)).data;
}

/**
 * Has the tools called that a reply calls, all at once, unless they were before. The reply is left at once and again with
 * what came of it, so that neither is paid twice.
 */
export async function toolRound(
  reply: CallingReply,
  { tools, signal, earlier, leave }: {
    readonly tools: readonly Tool[];
    readonly signal?: AbortSignal | undefined;
    readonly earlier: readonly ToolTrace[];
    readonly leave: (reply: CallingReply) => Promise<void> | undefined;
  },
): Promise<readonly ToolTrace[]> {
  if (reply.traces !== undefined) return reply.traces;
  const left = leave(reply);
  let traces: ToolTrace[];
  try {
    traces = [...await runToolCalls(reply.toolCalls, { tools, signal, earlier })];
  } finally {
    await left;
  }
  await leave({ ...reply, traces });
  return traces;
}

/** Text of the answer so far; a pause between two requests becomes a blank line once more text comes. */
export class Said {
  readonly #onDelta: AgentRequest["onDelta"];
  #paused = false;
  /** Start of the last request's text. */
  #from = 0;
  /** The whole text. */
  text = "";

  /** An empty answer; `onDelta` gets each piece. */
  constructor(onDelta: AgentRequest["onDelta"]) {
    this.#onDelta = onDelta;
  }

  /** Adds a piece. */
  add(text: string): void {
    const delta = this.#paused && this.text !== "" ? `\n\n${text}` : text;
    if (this.#paused) this.#from = this.text.length + delta.length - text.length;
    this.#paused = false;
    this.text += delta;
    this.#onDelta?.(delta);
  }

  /** Replaces the last request's text by its answer: thought text may have been streamed before its closing tag came. */
  settle(answer: string): void {
    if (!this.#paused) this.text = this.text.slice(0, this.#from) + answer;
  }

  /** Ends what one request said. */
  pause(): void {
    this.#paused = true;
  }
}
