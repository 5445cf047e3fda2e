// The reply to one request: the rounds of tool calls within it, and the separation of reasoning from the answer.
import { z } from "zod";
import type { AgentReply, FinishReason, ReplyRounds, Tool, ToolTrace } from "../core/agent.ts";
import { IN_PLAIN_WORDS, remediesOf } from "../core/check_fields.ts";
import { untilAborted } from "../core/clock.ts";
import { AgentError, CancelledError, errorMessage } from "../core/error.ts";
import type { Profile } from "../core/profile.ts";
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

/** Tags of reasoning at the beginning of a content; those of gpt-oss also announce the answer, with an empty thought before it. */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ...["think", "thinking", "thought", "reasoning", "seed:think"]
    .map((name) => [`<${name}>`, `</${name}>`] as const),
  ["[THINK]", "[/THINK]"],
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|start|>assistant<|channel|>final<|message|>", ""],
];
/** The tag that comes alone if the prompt's template has opened the tag. */
const CLOSE = "</think>";
/** Matches the tag, except at the end of inline code, which is about the tag. */
const CLOSING = /<\/think>(?!`(?!`))/;

/** A text, split into the answer and the reasoning before it. */
export interface SplitText {
  readonly text: string;
  readonly thought: string;
}

/**
 * Separates leading reasoning between tags from the answer. Holds back text that may be the beginning of a tag; if the prompt's
 * template may have opened the tag, holds back all text until the closing tag or the end of the reply.
 */
export class ThoughtFilter {
  /** Position in the content; `gap` is between reasoning and answer, and `opened` in text that only a closing tag makes reasoning. */
  #state: "start" | "opened" | "thought" | "gap" | "answer";
  #opened: boolean;
  /** Text before the buffer, kept apart so that no piece searches all of it again. */
  #held = "";
  #buffer = "";
  #close = CLOSE;

  constructor({ thinkTags, opened }: { readonly thinkTags: boolean; readonly opened: boolean }) {
    this.#state = thinkTags ? "start" : "answer";
    this.#opened = opened;
  }

  /** Holds back no more than a tag, because the reasoning came in a field of its own; some servers repeat it between tags. */
  skip(): void {
    this.#opened = false;
    if (this.#state === "opened") this.#state = "answer";
  }

  /** Adds a piece of content; returns the text that can be classified by now. */
  add(piece: string): SplitText {
    this.#buffer += piece;
    for (let thought = "";;) {
      if (this.#state === "answer") return { text: this.#rest(), thought };
      if (this.#state === "start" || this.#state === "gap") {
        const begun = this.#buffer.trimStart();
        if (this.#state === "start") this.#hold(this.#buffer.length - begun.length);
        this.#buffer = begun;
        const [open, close] = TAGS.find(([open]) => begun.startsWith(open)) ?? [];
        if (open !== undefined) {
          this.#state = "thought";
          this.#held = "";
          this.#buffer = begun.slice(open.length);
          this.#close = close!;
        } else if (TAGS.some(([open]) => open.startsWith(begun))) return { text: "", thought };
        else if (this.#opened) this.#state = "opened";
        else {
          this.#state = "answer";
          continue;
        }
      }
      const end = this.#buffer.indexOf(this.#close);
      if (end === -1) {
        this.#hold(Math.max(0, this.#buffer.length + 1 - this.#close.length));
        return { text: "", thought };
      }
      thought += (this.#held + this.#buffer.slice(0, end)).trim();
      this.#held = "";
      this.#buffer = this.#buffer.slice(end + this.#close.length);
      this.#state = "gap";
      this.#opened = false;
    }
  }

  #hold(length: number): void {
    this.#held += this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
  }

  #rest(): string {
    const rest = this.#held + this.#buffer;
    this.#held = this.#buffer = "";
    return rest;
  }

  /** Returns the text held back at the end of the reply: reasoning if the tag is open, else answer. */
  end(): SplitText {
    const rest = this.#rest();
    return this.#state === "thought" ? { text: "", thought: rest } : { text: rest, thought: "" };
  }
}

/** Returns the tags of a model, and whether the prompt's template may have opened one; texts of Anthropic's and Gemini's protocols hold no reasoning. */
export function thoughtTags(
  { api, reasoning, thinkTags }: Profile,
  { effort }: { readonly effort: string | undefined },
): ConstructorParameters<typeof ThoughtFilter>[0] {
  const opened = reasoning.text === "think" && effort !== "off";
  return { thinkTags: thinkTags && /^(?:chat|responses)$/.test(api), opened };
}

/** Splits a text at a closing tag; a complete text lacks the opening tag if the prompt's template has opened the tag. */
export function splitAtClosingTag(content: string, thinkTags: boolean): SplitText {
  const end = thinkTags ? content.search(CLOSING) : -1;
  if (end === -1) return { text: content, thought: "" };
  const text = content.slice(end + CLOSE.length).trimStart();
  return { text, thought: content.slice(0, end).trim() };
}
