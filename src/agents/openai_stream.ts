// Reading of streamed chat completions: text, thought text, tool calls and usage.
import { z } from "zod";
import type { AgentReply } from "../core/agent.ts";
import { AgentError } from "../core/error.ts";
import { memo } from "../core/values.ts";
import {
  type Endpoint,
  failure,
  type ProviderProblem,
  reportedProblem,
  unreachable,
} from "./openai_client.ts";

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;
const MAX_TOOL_CALLS = 128;
/** The bytes of a stream for each byte of text: an event of 15 bytes around every few letters. */
const EVENT_OVERHEAD = 16;
/** The most characters of a name that a provider gives. */
const LABEL = 200;

type Fields = Readonly<Record<string, unknown>>;

const toolCall = memo(() =>
  z.object({
    index: z.int().min(0).max(MAX_TOOL_CALLS - 1).nullish(),
    id: z.string().nullish(),
    type: z.string().nullish(),
    function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  })
);

/** The fields that are read of a chunk, which has a `delta`, or of a whole completion, which has a `message`. */
const chunk = memo(() => {
  const part = z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("thinking"), thinking: z.unknown() }),
  ]);
  const content = z.union([
    z.string().transform((text) => ({ text, thought: "" })),
    z.array(part).transform((parts) => ({
      text: textsOf(parts.filter(({ type }) => type === "text")),
      thought: textsOf(parts.flatMap((each) => each.type === "thinking" ? inner(each) : [])),
    })),
  ]).nullish();
  // Thought text beside the content, as a text or as a list of parts.
  const thought = z.union([z.string(), z.array(z.looseObject({})).transform(textsOf)])
    .nullish().catch(undefined);
  const message = z.object({
    content,
    refusal: content.transform((parted) => parted?.text),
    reasoning_content: thought,
    reasoning: thought,
    reasoning_details: thought,
    tool_calls: z.array(toolCall()).max(MAX_TOOL_CALLS).nullish(),
  }).nullish();
  // A wrong name counts as none.
  const label = z.string().max(LABEL).nullish().catch(undefined);
  return z.object({
    choices: z.array(
      z.object({ delta: message, message, finish_reason: z.string().nullish() }).nullish(),
    ).nullish(),
    usage: z.unknown().optional(),
    model: label,
    system_fingerprint: label,
  });
});

/** The texts of parts; of thought text the summaries too. */
function textsOf(parts: readonly Fields[]): string {
  return parts.map(({ text, summary }) => text ?? summary)
    .filter((text) => typeof text === "string").join("");
}

/** The parts of a part of thought text: itself, or those in its list. */
function inner({ thinking }: { readonly thinking: unknown }): readonly Fields[] {
  if (Array.isArray(thinking)) return thinking.filter((one) => typeof one === "object");
  return typeof thinking === "string" ? [{ text: thinking }] : [];
}

type Chunk = z.infer<ReturnType<typeof chunk>>;

/**
 * A chunk of a stream that has text, the reason of the end or counts, and no other field with a value, as most have; the
 * schema reads the others. The schema takes ten times as long.
 */
function plainChunk(value: Fields): Chunk | undefined {
  const { choices, model, ["system_fingerprint"]: fingerprint, usage } = value;
  if (!Array.isArray(choices) || choices.length > 1) return undefined;
  if (!isLabel(model) || !isLabel(fingerprint)) return undefined;
  const found = { model, ["system_fingerprint"]: fingerprint, usage, choices };
  if (choices.length === 0) return found;
  const { delta, message, finish_reason: reason } = isObject(choices[0]) ? choices[0] : {};
  if (!isObject(delta) || !isNone(message) || !isTextOrNone(reason)) return undefined;
  const { content: text } = delta;
  if (!isTextOrNone(text)) return undefined;
  for (const key in delta) {
    if (key !== "content" && key !== "role" && !isNone(delta[key])) return undefined;
  }
  const said = { content: { text: text ?? "", thought: "" }, refusal: undefined };
  found.choices = [{ delta: said, ["finish_reason"]: reason }];
  return found;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrNone(value: unknown): value is string | null | undefined {
  return isNone(value) || typeof value === "string";
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function isLabel(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string" && value.length <= LABEL;
}

type ToolCallPart = z.infer<ReturnType<typeof toolCall>>;

/** A tool call as a model wrote it. */
export interface WireToolCall {
  id: string;
  name: string;
  /** JSON, or what the model took for it. */
  arguments: string;
}

export interface Completion {
  readonly text: string;
  /** Thought text, which is no part of the text. */
  readonly reasoning: string;
  readonly refusal: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string;
  readonly usage: AgentReply["usage"] | undefined;
  readonly model?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly requestId?: string | undefined;
}

interface ReadOptions {
  readonly endpoint: Endpoint;
  /** True if a leading `<think>…</think>` is thought text. */
  readonly thinkTags: boolean;
  /** True if the prompt's template may have opened the tag. */
  readonly opened: boolean;
  /** The most bytes of a whole reply, or of the text and tool calls of a streamed reply. */
  readonly maxBytes: number;
  readonly onText: (text: string) => void;
  /** Called whenever anything came, comments included. */
  readonly onBytes: () => void;
}

/**
 * Reads a completion off a response: server-sent events, or the one JSON object of a server that does not stream.
 *
 * A connection lost on the way, and a stream that ends without saying that it is finished, are
 * `agent_unreachable`; what is no JSON, or has a field of another type or range, is `agent_bad_reply`; both can be sent
 * again. A reply over `maxBytes` is `agent_bad_reply` too, and is not sent again.
 */
export async function readCompletion(
  response: Response,
  options: ReadOptions,
): Promise<Completion> {
  const builder = new CompletionBuilder(options);
  try {
    if (response.headers.get("content-type")?.includes("json")) {
      let json = "";
      for await (const part of partsOf(response, options.maxBytes, options)) json += part;
      builder.add(json);
    } else if (!await readEvents(response, builder, options)) {
      throw badReply("the reply is no event stream", options);
    }
    const requestId = response.headers.get("x-request-id")?.slice(0, LABEL);
    return { ...builder.finish(), requestId };
  } catch (error) {
    if (error instanceof AgentError) error.usage = builder.usage;
    throw error;
  }
}

/** The text of a body as it comes, at most so many bytes; a connection that breaks becomes the agent's failure. */
async function* partsOf(
  { body }: Response,
  maxBytes: number,
  options: ReadOptions,
): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  let isDone = reader === undefined;
  try {
    while (!isDone) {
      const { value, done } = await reader!.read().catch((error) => {
        isDone = true;
        throw unreachable(error, options.endpoint);
      });
      options.onBytes();
      isDone = done;
      size += value?.byteLength ?? 0;
      if (size > maxBytes) throw tooLong(options);
      yield decoder.decode(value, { stream: !isDone });
    }
  } finally {
    if (!isDone) await reader?.cancel().catch(() => {});
  }
}

/** Adds the data of each event, up to the last; false for a text without any event, such as a proxy's page. */
async function readEvents(
  response: Response,
  builder: CompletionBuilder,
  options: ReadOptions,
): Promise<boolean> {
  const { maxBytes } = options;
  let isStream = false;
  let isText = false;
  let rest = "";
  let data: string | undefined;
  for await (const part of partsOf(response, EVENT_OVERHEAD * maxBytes, options)) {
    let from = 0;
    for (let end = part.indexOf("\n"); end !== -1; end = part.indexOf("\n", from)) {
      const line = (rest + part.slice(from, end)).replace(/\r$/, "");
      rest = "";
      from = end + 1;
      if (line.startsWith("data:")) {
        isStream = true;
        const value = line.slice(line[5] === " " ? 6 : 5);
        data = data === undefined ? value : `${data}\n${value}`;
      } else if (line === "" && data !== undefined) {
        if (builder.take(data)) return true;
        data = undefined;
      } else if (line !== "" && line[0] !== ":") isText = true;
    }
    rest += part.slice(from);
    if (rest.length + (data?.length ?? 0) > maxBytes) throw tooLong(options);
  }
  if (data === undefined && rest.startsWith("data:")) data = rest.slice(5);
  if (data !== undefined) builder.take(data.trim());
  return isStream || data !== undefined || !(isText || rest.trim() !== "");
}

/** Usage as a provider counts it; a wrong count or cost counts as none. */
function givenUsage(given: Fields): AgentReply["usage"] {
  const {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: read,
    prompt_cache_hit_tokens: hit,
    completion_tokens_details: written,
    cost,
  } = given;
  const cached = isObject(read) ? read["cached_tokens"] : hit;
  const reasoning = isObject(written) ? countOf(written["reasoning_tokens"]) : 0;
  return {
    inputTokens: countOf(input),
    cachedInputTokens: countOf(cached),
    outputTokens: countOf(output),
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
    ...(isWithin(cost, 1e6) ? { costUsd: cost } : {}),
  };
}

function countOf(value: unknown): number {
  return isWithin(value, 1e9) ? Math.round(value) : 0;
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && value >= 0 && value <= most;
}

class CompletionBuilder {
  readonly #options: ReadOptions;
  readonly #filter: ThoughtFilter;
  readonly #toolCalls = new Map<number, WireToolCall>();
  readonly #made = {
    text: "",
    reasoning: "",
    refusal: "",
    finishReason: undefined as string | undefined,
    usage: undefined as Completion["usage"],
    model: undefined as string | undefined,
    fingerprint: undefined as string | undefined,
  };
  #ended = false;
  #size = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#filter = new ThoughtFilter(options);
  }

  get usage(): Completion["usage"] {
    return this.#made.usage;
  }

  /** Takes in the data of an event; true if it says that it is the last. */
  take(data: string): boolean {
    if (data === "[DONE]") return this.#ended = true;
    this.add(data);
    return false;
  }

  /** Takes in a chunk of a stream, or the whole completion of a server that does not stream. */
  add(json: string): void {
    const made = this.#made;
    const { choices, usage, model, system_fingerprint: fingerprint } = this.#parse(json);
    if (isObject(usage)) made.usage = givenUsage(usage);
    if (model) made.model = model;
    if (fingerprint) made.fingerprint = fingerprint;
    const choice = choices?.[0];
    const said = choice?.delta ?? choice?.message;
    // Servers repeat the text of one field in another.
    const apart = said?.reasoning_content || said?.reasoning || said?.reasoning_details ||
      said?.content?.thought;
    if (apart) {
      this.#filter.skip();
      made.reasoning += this.#bounded(apart);
    }
    if (said?.content?.text) this.#say(this.#filter.add(this.#bounded(said.content.text)));
    made.refusal += this.#bounded(said?.refusal ?? "");
    for (const [position, call] of (said?.tool_calls ?? []).entries()) {
      if ((call.type ?? "function") === "function") this.#addToolCall(call, position);
    }
    if (choice?.finish_reason) made.finishReason = choice.finish_reason;
  }

  #say({ text, thought }: Parted): void {
    this.#made.reasoning += thought;
    this.#made.text += text;
    if (text !== "") this.#options.onText(text);
  }

  finish(): Completion {
    const { endpoint, thinkTags } = this.#options;
    this.#say(this.#filter.end());
    const { finishReason = this.#ended ? "stop" : undefined, ...made } = this.#made;
    if (finishReason === undefined) {
      throw failure("agent_unreachable", {
        endpoint,
        state: "the reply broke off before its end",
        retryable: true,
      });
    }
    if (finishReason === "error") {
      throw reportedProblem({ message: "finish reason error" }, endpoint);
    }
    const { text, thought } = thinkTags
      ? partedAtClose(made.text)
      : { text: made.text, thought: "" };
    const toolCalls = [...this.#toolCalls].sort(([a], [b]) => a - b).map(([, call]) => call);
    return { ...made, text, reasoning: made.reasoning + thought, toolCalls, finishReason };
  }

  #addToolCall({ index, id, function: part }: ToolCallPart, position: number): void {
    const at = index ?? position;
    const call = this.#toolCalls.get(at) ?? { id: "", name: "", arguments: "" };
    this.#toolCalls.set(at, call);
    if (id) call.id = this.#bounded(id);
    if (part?.name) call.name = this.#bounded(part.name);
    call.arguments += this.#bounded(part?.arguments ?? "");
  }

  /** The text, counted against what a reply may have. */
  #bounded(text: string): string {
    // Most pieces are ASCII, whose bytes need no encoding to be counted.
    this.#size += ASCII.test(text) ? text.length : encoder.encode(text).length;
    if (this.#size > this.#options.maxBytes) throw tooLong(this.#options);
    return text;
  }

  #parse(text: string): Chunk {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw badReply("the reply is not valid JSON", this.#options, cause);
    }
    if (typeof value !== "object" || value === null) {
      throw badReply("the reply is no completion", this.#options);
    }
    const { error } = value as { error?: ProviderProblem | string | null };
    if (error) {
      throw reportedProblem(
        typeof error === "string" ? { message: error } : error,
        this.#options.endpoint,
      );
    }
    const plain = isObject(value) ? plainChunk(value) : undefined;
    if (plain !== undefined) return plain;
    const { data, error: wrong } = chunk().safeParse(value);
    if (data !== undefined) return data;
    const [{ path, message }] = wrong.issues as [z.core.$ZodIssue];
    throw badReply(`${path.join(".") || "the reply"} cannot be read: ${message}`, this.#options);
  }
}

function tooLong({ endpoint, maxBytes }: ReadOptions): AgentError {
  return failure("agent_bad_reply", {
    endpoint,
    state: `the reply is over ${maxBytes} bytes`,
    retryable: false,
    hint: "Set maxReplyBytes higher if replies may be as long as that.",
  });
}

function badReply(state: string, { endpoint }: ReadOptions, cause?: unknown): AgentError {
  return failure("agent_bad_reply", { endpoint, state, retryable: true, cause });
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** A part of the content: of the answer, and of the thought text. */
interface Parted {
  readonly text: string;
  readonly thought: string;
}

/**
 * Parts a leading `<think>…</think>` from the answer. Text is held back while it may be the beginning of the tag; where
 * the prompt's template opens the tag, it is held back until the closing tag comes or the reply ends.
 */
class ThoughtFilter {
  /** Place in the content: before, within or after the thought text; `gap` before the first sign of the answer. */
  #state: "start" | "thought" | "gap" | "answer";
  readonly #opened: boolean;
  #held = "";

  constructor({ thinkTags, opened }: Pick<ReadOptions, "thinkTags" | "opened">) {
    this.#state = thinkTags ? "start" : "answer";
    this.#opened = opened;
  }

  /** Thought text came apart from the content: the content has none. */
  skip(): void {
    if (this.#state === "start" && this.#held === "") this.#state = "answer";
  }

  /** Takes a piece of content and gives what is known of it. */
  add(piece: string): Parted {
    if (this.#state === "answer") return { text: piece, thought: "" };
    if (this.#state === "gap") return this.#answer(piece.trimStart(), "");
    this.#held += piece;
    if (this.#state === "start") {
      const begun = this.#held.trimStart();
      if (begun.startsWith(OPEN)) {
        this.#state = "thought";
        this.#held = begun.slice(OPEN.length);
      } else if (!OPEN.startsWith(begun) && !this.#opened) {
        return this.#answer(this.#held, "");
      }
    }
    const end = this.#held.indexOf(CLOSE);
    if (end === -1) return { text: "", thought: "" };
    const thought = this.#held.slice(0, end).trim();
    return this.#answer(this.#held.slice(end + CLOSE.length).trimStart(), thought);
  }

  /** Text held back, at the end of the reply: thought text where the tag was open. */
  end(): Parted {
    const isThought = this.#state === "thought";
    return this.#answer(isThought ? "" : this.#held, isThought ? this.#held : "");
  }

  #answer(text: string, thought: string): Parted {
    this.#state = text === "" ? "gap" : "answer";
    this.#held = "";
    return { text, thought };
  }
}

/** A whole text parted at a closing tag that no opening tag came before: the prompt's template opened it. */
function partedAtClose(content: string): Parted {
  const end = content.indexOf(CLOSE);
  if (end === -1) return { text: content, thought: "" };
  const text = content.slice(end + CLOSE.length).trimStart();
  return { text, thought: content.slice(0, end).trim() };
}
