// The reply to one request, and the rounds of tool calls within a reply of several requests.
import { z } from "zod";
import type { AgentReply, FinishReason, ReplyRounds, Tool, ToolTrace } from "../core/agent.ts";
import { IN_PLAIN_WORDS, remediesOf } from "../core/check_fields.ts";
import { untilAborted } from "../core/clock.ts";
import { AgentError, CancelledError, errorMessage } from "../core/error.ts";
import { replyUsage, toolTrace } from "../core/schema.ts";
import { type JsonObject, memo } from "../core/values.ts";

export interface WireToolCall {
  id: string;
  name: string;
  /** JSON, possibly invalid. */
  arguments: string;
  /** Gemini's signature of the thought before the call; the next prompt must repeat it. */
  extra?: JsonObject;
}

/** The reply to one request. */
export interface Completion {
  readonly text: string;
  /** Reasoning, which is not part of the text. */
  readonly reasoning: string;
  /** True if reasoning came as text, which only its closing tag told. @default false */
  readonly isThoughtSaid?: boolean | undefined;
  readonly refusal: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: AgentReply["usage"] | undefined;
  readonly model?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly requestId?: string | undefined;
  /** Parts with signatures that the next prompt must repeat. @default text and tool calls suffice */
  readonly parts?: readonly { readonly type: string }[] | undefined;
}

export type Counted = Completion & { readonly usage: AgentReply["usage"] };

const schema = memo(() =>
  z.object({
    text: z.string(),
    toolCalls: z.array(z.object({
      id: z.string(),
      name: z.string(),
      arguments: z.string(),
      extra: z.looseObject({}).exactOptional(),
    })).min(1),
    usage: replyUsage(),
    traces: z.array(toolTrace()).exactOptional(),
    // Of an AI SDK model only: the reply's parts with signatures, which the next prompt repeats.
    parts: z.array(z.looseObject({ type: z.string() })).exactOptional(),
    // Some servers want the reasoning back with the results of tools.
    reasoning: z.string().exactOptional(),
  }).refine(({ toolCalls, traces }) => traces === undefined || traces.length === toolCalls.length)
);

/** A reply that calls tools; has `traces` after all calls have finished. */
type CallingReply = Readonly<z.infer<ReturnType<typeof schema>>>;

/** A round of tool calls with its results. */
export type CalledRound = CallingReply & { readonly traces: readonly ToolTrace[] };

/** Converts a completion to a reply that calls tools; adds missing ids, of the nine letters and digits that Mistral takes. */
export function callingReply(
  { text, toolCalls, reasoning, parts, usage }: Counted,
): CallingReply {
  return {
    text,
    usage,
    ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part })) }),
    ...(parts !== undefined || reasoning === "" ? {} : { reasoning }),
    toolCalls: toolCalls.map((call, i) => ({ ...call, id: call.id || `call${10_000 + i}` })),
  };
}

/** Returns the stored reply to the request with the given number; undefined if there is none. */
export function earlierReply(
  rounds: ReplyRounds | undefined,
  number: number,
): CallingReply | undefined {
  return schema().safeParse(rounds?.before(number)).data;
}

/**
 * Runs the tool calls of a reply in parallel, unless the reply holds their results. Stores the reply at once, and again with the
 * results, so that a retry or resume repeats neither.
 */
export async function toolRound(
  reply: CallingReply,
  { keep, ...setting }: ToolSetting & {
    readonly keep: (reply: CallingReply) => Promise<void> | undefined;
  },
): Promise<CalledRound> {
  if (reply.traces !== undefined) return { ...reply, traces: reply.traces };
  const kept = keep(reply);
  // Awaited below; until then a rejection must not count as unhandled.
  kept?.catch(() => {});
  let traces: ToolTrace[];
  try {
    traces = [...await runToolCalls(reply.toolCalls, setting)];
  } finally {
    await kept;
  }
  const called = { ...reply, traces };
  await keep(called);
  return called;
}

interface ToolSetting {
  readonly tools: readonly Tool[];
  readonly signal?: AbortSignal | undefined;
  readonly earlier?: readonly ToolTrace[] | undefined;
}

/**
 * Runs the tool calls of one reply in parallel, those of a tool with `inOrder` one after another, and returns their results in
 * order. The result of an invalid or failed call is the reason. Rejects with an `AgentError` or `CancelledError` of a tool, because then a server that the tool needs has failed or a limit
 * was hit, and with a `CancelledError` as soon as `signal` aborts.
 */
export async function runToolCalls(
  calls: readonly WireToolCall[],
  setting: ToolSetting,
): Promise<readonly ToolTrace[]> {
  const { tools, signal, earlier = [] } = setting;
  const made: Promise<ToolTrace>[] = [];
  for (const call of calls) {
    const isNext = tools.find(({ name }) => name === call.name)?.inOrder === true;
    const before = Promise.all(isNext ? made.filter((_, at) => calls[at]!.name === call.name) : []);
    made.push(
      before.then((traces) => runToolCall(call, { ...setting, earlier: [...earlier, ...traces] })),
    );
  }
  return await untilAborted(Promise.all(made), signal);
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
    return failed(`its arguments are not valid JSON, ${errorMessage(error)}`);
  }
  const parsed = tool.parameters.safeParse(args, IN_PLAIN_WORDS);
  if (!parsed.success) return failed(remediesOf(parsed.error.issues, "arguments"));
  try {
    const result = await tool.run(parsed.data, { signal, earlier });
    return { tool: call.name, args, result, failed: false };
  } catch (error) {
    // The model cannot fix a failed server or a limit.
    if (error instanceof AgentError || error instanceof CancelledError) throw error;
    return failed(errorMessage(error));
  }
}
