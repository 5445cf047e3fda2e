// Rounds of tool calls within one reply, and the text said between the rounds.
import { z } from "zod";
import type { AgentReply, AgentRequest, ReplyRounds, Tool, ToolTrace } from "../core/agent.ts";
import { untilAborted } from "../core/clock.ts";
import { AgentError, CancelledError } from "../core/error.ts";
import { replyUsage, toolTrace } from "../core/schema.ts";
import { memo } from "../core/values.ts";
import type { Completion, WireToolCall } from "./openai_stream.ts";

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
  { leave, ...setting }: ToolSetting & {
    readonly leave: (reply: CallingReply) => Promise<void> | undefined;
  },
): Promise<readonly ToolTrace[]> {
  if (reply.traces !== undefined) return reply.traces;
  const left = leave(reply);
  let traces: ToolTrace[];
  try {
    traces = [...await runToolCalls(reply.toolCalls, setting)];
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
  text = "";

  /** An empty answer; `onDelta` gets each piece. */
  constructor(onDelta: AgentRequest["onDelta"]) {
    this.#onDelta = onDelta;
  }

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

interface ToolSetting {
  readonly tools: readonly Tool[];
  readonly signal?: AbortSignal | undefined;
  readonly earlier?: readonly ToolTrace[] | undefined;
}

/**
 * Makes the calls of one reply, all at once; gives what came of each, in their order. A call that is wrong or fails is
 * answered with the reason, but for an `AgentError` and a `CancelledError`, with which this fails too: a server that the
 * tool needs has failed, or a limit refuses it.
 * Fails with a `CancelledError` as soon as `signal` aborts.
 */
export async function runToolCalls(
  calls: readonly WireToolCall[],
  setting: ToolSetting,
): Promise<readonly ToolTrace[]> {
  return await untilAborted(
    Promise.all(calls.map((call) => runToolCall(call, setting))),
    setting.signal,
  );
}

async function runToolCall(
  call: WireToolCall,
  { tools, signal, earlier }: ToolSetting,
): Promise<ToolTrace> {
  let args: unknown = call.arguments;
  const failed = (reason: string): ToolTrace => ({
    tool: call.name,
    args,
    result: `Cannot call ${call.name || "a tool without a name"}: ${reason}`,
    failed: true,
  });
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    return failed(`there is no such tool, only ${names}`);
  }
  try {
    args = JSON.parse(call.arguments.trim() || "{}");
  } catch (error) {
    return failed(`its arguments are not valid JSON, ${reasonOf(error)}`);
  }
  const parsed = tool.parameters.safeParse(args);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) =>
      `${path.join(".") || "arguments"}: ${message}`
    );
    return failed(issues.join("; "));
  }
  try {
    const result = await tool.run(parsed.data, { signal, earlier });
    return { tool: call.name, args, result, failed: false };
  } catch (error) {
    // The model can do nothing about a server that a tool needs, nor about a limit.
    if (error instanceof AgentError || error instanceof CancelledError) throw error;
    return failed(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
