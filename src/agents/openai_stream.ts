// Reads streamed chat completions: text, reasoning, tool calls and usage.
import { z } from "zod";
import type { AgentReply, FinishReason } from "../core/agent.ts";
import { IN_PLAIN_WORDS } from "../core/check_fields.ts";
import { AgentError, type AgentErrorDetail } from "../core/error.ts";
import { isObject, jsonIn, type JsonObject, memo, objectIn } from "../core/values.ts";
import { counted } from "../core/text.ts";
import {
  brokenOff,
  CHECK_ADDRESS,
  type Endpoint,
  failure,
  reportedProblem,
  unreachable,
} from "./openai_client.ts";
import {
  type Completion,
  splitAtClosingTag,
  type SplitText,
  ThoughtFilter,
  type WireToolCall,
} from "./reply.ts";

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;
const LINE_FEED = 10;
const MAX_TOOL_CALLS = 128;
/** Allowed bytes of a stream per byte of text: each event of a few letters adds its JSON and field names. */
const EVENT_OVERHEAD = 16;
/** Milliseconds without data after a finish reason that end a reply, for a server that leaves the connection open. */
const SILENCE = 3000;
/** The most characters of a provider's label, such as a model's name. */
const LABEL = 200;

const toolCalls = memo(() =>
  z.array(z.object({
    index: z.int().min(0).max(MAX_TOOL_CALLS - 1).nullish(),
    id: z.string().nullish(),
    type: z.string().nullish(),
    function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
    extra_content: z.looseObject({}).nullish().catch(undefined),
  })).max(MAX_TOOL_CALLS)
);

type ToolCallPart = z.infer<ReturnType<typeof toolCalls>>[number];

/** Joins the texts of parts, and the summaries of reasoning parts. */
function textsOf(parts: readonly JsonObject[]): string {
  return parts.map(({ text, summary }) => text ?? summary)
    .filter(isText).join("");
}

/** Reads reasoning in a field of its own, a text or a list of parts; empty for any other value. */
function thoughtIn(value: unknown): string {
  if (isText(value)) return value;
  return Array.isArray(value) ? textsOf(value.filter(isObject)) : "";
}

/** Splits a message's content into answer and reasoning. */
function splitContent(content: Content = ""): SplitText {
  if (isText(content)) return { text: content, thought: "" };
  return {
    text: textsOf(content.filter(({ type }) => type === "text")),
    thought: content.map(({ thinking, summary }) => thoughtIn(thinking ?? summary)).join(""),
  };
}

type Content = string | readonly JsonObject[];

function isContent(value: unknown): value is Content {
  return isText(value) ||
    Array.isArray(value) &&
      value.map(objectIn).every(({ type, text }) =>
        type === "text" ? isText(text) : ["thinking", "reasoning", "reference"].includes(`${type}`)
      );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** True for a label; an empty or invalid one counts as absent. */
function isLabel(value: unknown): value is string {
  return isText(value) && value !== "" && value.length <= LABEL;
}

export interface ReadOptions {
  readonly endpoint: Endpoint;
  /** The most bytes of a complete reply, or of the text and tool calls of a streamed reply. */
  readonly maxBytes: number;
  /** True if leading tags such as `<think>…</think>` hold reasoning. */
  readonly thinkTags: boolean;
  /** True if the prompt's template may have opened the tag. */
  readonly opened: boolean;
  readonly onText: (text: string) => void;
  /** Called whenever data arrives, comments included. */
  readonly onBytes: () => void;
}

/** Size limit of a reply, and the server for its error. */
export type SizeLimit = Pick<ReadOptions, "endpoint" | "maxBytes">;

/**
 * Reads a completion from a response: server-sent events, or the single JSON object of a server that does not stream. The content
 * type is ignored, because some servers and proxies send the wrong one.
 *
 * Rejects with `agent_unreachable` for a lost connection or a truncated stream, and with `agent_bad_reply` for invalid JSON or
 * invalid fields; both are retryable. A reply over `maxBytes` rejects with `agent_bad_reply`, which is not retryable.
 */
export async function readCompletion(
  response: Response,
  options: ReadOptions,
): Promise<Completion> {
  const builder = new CompletionBuilder(options);
  try {
    const other = (await readEvents(response, builder, options)).trim();
    if (other.startsWith("{")) builder.add(other);
    else if (other !== "") {
      throw badReply("the reply is not an event stream", options, { hint: CHECK_ADDRESS });
    }
    const requestId = response.headers.get("x-request-id")?.slice(0, LABEL);
    return { ...builder.finish(), requestId };
  } catch (error) {
    if (error instanceof AgentError) error.usage = builder.made.usage;
    throw error;
  }
}

/**
 * Yields the text of a body as it arrives; a time without data, pings or not, or a broken connection ends a finished reply. Throws
 * an `AgentError` for a body that is too long, and for a connection that breaks before.
 */
async function* partsOf(
  { body }: Response,
  builder: CompletionBuilder,
  options: ReadOptions,
): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  let chunks = 0;
  let isDone = reader === undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    while (!isDone) {
      if (builder.made.finishReason !== undefined && builder.chunks !== chunks) {
        clearTimeout(silence);
        silence = setTimeout(() => reader!.cancel().catch(() => {}), SILENCE);
      }
      chunks = builder.chunks;
      const { value, done } = await reader!.read().catch((error) => {
        isDone = true;
        if (builder.made.finishReason === undefined) throw unreachable(error, options.endpoint);
        return { value: undefined, done: true };
      });
      options.onBytes();
      isDone = done;
      size += value?.byteLength ?? 0;
      if (size > EVENT_OVERHEAD * options.maxBytes) throw tooLong(options);
      // The last line may lack its end.
      yield decoder.decode(value, { stream: !isDone }) + (isDone ? "\n" : "");
    }
  } finally {
    clearTimeout(silence);
    if (!isDone) await reader?.cancel().catch(() => {});
  }
}

/** Feeds the data of each event to the builder, up to the last. Returns the text of a body without events. */
async function readEvents(
  response: Response,
  builder: CompletionBuilder,
  options: ReadOptions,
): Promise<string> {
  let isStream = false;
  let other = "";
  let rest = "";
  let data = "";
  // The last line of `data`: a look at the end of `data` itself would copy all lines for each new line.
  let last = "";
  for await (const part of partsOf(response, builder, options)) {
    let from = 0;
    for (let end = part.indexOf("\n"); end !== -1; end = part.indexOf("\n", from)) {
      const line = (rest + part.slice(from, end)).replace(/\r$/, "");
      rest = "";
      from = end + 1;
      if (line.startsWith("data:")) {
        isStream = true;
        const value = line.slice(line[5] === " " ? 6 : 5);
        // Some servers put no blank line between two events.
        if (data !== "" && last.endsWith("}") && /^[[{]/.test(value)) {
          builder.take(data);
          data = "";
        }
        data = data === "" ? value : `${data}\n${value}`;
        last = value;
      } else if (line === "" && data !== "") {
        if (builder.take(data)) return "";
        data = "";
      } else if (!isStream && line[0] !== ":") other += `${line}\n`;
    }
    rest += part.slice(from);
    if (rest.length + other.length + data.length > options.maxBytes) throw tooLong(options);
  }
  // The connection may break within an event after the finish reason.
  const isPart = builder.made.finishReason !== undefined && jsonIn(data) === undefined;
  if (data !== "" && !isPart) builder.take(data);
  return isStream ? "" : other;
}

/** Reads a provider's usage; an invalid count is 0, an invalid cost is omitted. */
function parseUsage(given: JsonObject): AgentReply["usage"] {
  const {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: read,
    prompt_cache_hit_tokens: hit,
    cached_tokens: sum,
    completion_tokens_details: written,
    cost,
  } = given;
  const cached = objectIn(read)["cached_tokens"] ?? sum ?? hit;
  const cacheWrite = countOf(objectIn(read)["cache_write_tokens"]);
  const reasoning = countOf(objectIn(written)["reasoning_tokens"]);
  return {
    inputTokens: countOf(input),
    cachedInputTokens: countOf(cached),
    // Gemini and xAI leave reasoning out of the count of the completion.
    outputTokens: Math.max(countOf(output), countOf(total) - countOf(input)),
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
    ...(cacheWrite === 0 ? {} : { cacheWriteTokens: cacheWrite }),
    ...(isWithin(cost, 1e6) ? { costUsd: cost } : {}),
  };
}

/** Returns a count of tokens; 0 for what is none. */
export function countOf(value: unknown): number {
  return isWithin(value, 1e9) ? Math.round(value) : 0;
}

export function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && value >= 0 && value <= most;
}

class CompletionBuilder {
  readonly #options: ReadOptions;
  readonly #filter: ThoughtFilter;
  readonly #toolCalls: WireToolCall[] = [];
  /** The last call of each index. */
  readonly #callAt = new Map<number, WireToolCall>();
  readonly made = {
    text: "",
    reasoning: "",
    refusal: "",
    finishReason: undefined as string | undefined,
    usage: undefined as Completion["usage"],
    model: undefined as string | undefined,
    fingerprint: undefined as string | undefined,
  };
  /** Number of chunks with a choice or usage; pings have neither. */
  chunks = 0;
  #ended = false;
  #size = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#filter = new ThoughtFilter(options);
  }

  /** Adds the data of an event; returns true for the last event, `[DONE]`. */
  take(data: string): boolean {
    if (data.trim() === "[DONE]") return this.#ended = true;
    this.add(data);
    return false;
  }

  /** Adds a chunk of a stream, or the complete completion of a server that does not stream. */
  add(json: string): void {
    const made = this.made;
    let whole: unknown;
    try {
      whole = JSON.parse(json);
    } catch (cause) {
      throw badReply("the reply is not valid JSON", this.#options, { cause });
    }
    if (!isObject(whole)) throw badReply("the reply is not a completion", this.#options);
    const { model, error, object, code, ["system_fingerprint"]: fingerprint } = whole;
    const [first] = this.#field(whole, "choices", Array.isArray) ?? [];
    const choice = objectIn(first);
    // Moonshot and Groq have places of their own; some servers send zeros instead of no usage.
    const counted = [whole, choice, objectIn(whole["x_groq"])]
      .flatMap(({ usage }) => isObject(usage) ? parseUsage(usage) : [])
      .find((usage) => Object.values(usage).some(Boolean));
    made.usage = counted ?? made.usage;
    if (isLabel(model)) made.model = model;
    if (isLabel(fingerprint)) made.fingerprint = fingerprint;
    if (first || counted !== undefined) this.chunks++;
    // Some hosts put a code of success into every chunk, also into one whose list of choices is empty.
    const isError = object === "error" || !whole["choices"] && Boolean(code);
    this.#failFor(error || choice["error"] || isError && whole);
    // A chunk has a `delta`, a complete completion has a `message`.
    const said = this.#field(choice, "delta", isObject) ?? this.#field(choice, "message", isObject);
    if (said !== undefined) this.#addMessage(said);
    made.finishReason = this.#field(choice, "finish_reason", isText) || made.finishReason;
  }

  #addMessage(said: JsonObject): void {
    const content = splitContent(this.#field(said, "content", isContent));
    // Use one field only: servers repeat the reasoning in several.
    const reasoning = ["reasoning_content", "reasoning", "reasoning_details"]
      .map((key) => thoughtIn(said[key])).find((thought) => thought !== "") ?? content.thought;
    if (reasoning !== "") {
      this.#filter.skip();
      this.made.reasoning += this.#bounded(reasoning);
    }
    if (content.text !== "") this.#append(this.#filter.add(this.#bounded(content.text)));
    const refusal = splitContent(this.#field(said, "refusal", isContent));
    this.made.refusal += this.#bounded(refusal.text);
    for (const [position, call] of this.#toolCallsIn(said).entries()) {
      if ((call.type ?? "function") === "function") this.#addToolCall(call, position);
    }
  }

  #toolCallsIn({ ["tool_calls"]: given }: JsonObject): readonly ToolCallPart[] {
    if (given === undefined || given === null) return [];
    const { data, error } = toolCalls().safeParse(given, IN_PLAIN_WORDS);
    if (data !== undefined) return data;
    const [{ path, message }] = error.issues as [z.core.$ZodIssue];
    const field = ["tool_calls", ...path].join(".");
    throw badReply(`${field} cannot be read: ${message}`, this.#options);
  }

  #append({ text, thought }: SplitText): void {
    this.made.reasoning += thought;
    this.made.text += text;
    if (text !== "") this.#options.onText(text);
  }

  finish(): Completion {
    const { endpoint, thinkTags } = this.#options;
    this.#append(this.#filter.end());
    const { finishReason = this.#ended ? "stop" : undefined, ...made } = this.made;
    if (finishReason === undefined) throw brokenOff(endpoint);
    if (FAILED.test(finishReason)) this.#failFor(`finish reason ${finishReason}`);
    const { text, thought } = splitAtClosingTag(made.text, thinkTags);
    return {
      ...made,
      text,
      reasoning: made.reasoning + thought,
      isThoughtSaid: thought !== "",
      toolCalls: this.#toolCalls,
      finishReason: finishReasonOf(finishReason),
    };
  }

  #addToolCall(
    { index, id, function: part, extra_content: extra }: ToolCallPart,
    position: number,
  ): void {
    const at = index ?? position;
    let call = this.#callAt.get(at);
    // Some servers give every call the same index, or none.
    if (call === undefined || part?.name && call.name !== "" && id && id !== call.id) {
      call = { id: "", name: "", arguments: "" };
      this.#callAt.set(at, call);
      if (this.#toolCalls.push(call) > MAX_TOOL_CALLS) {
        throw badReply(`the reply has over ${MAX_TOOL_CALLS} tool calls`, this.#options);
      }
    }
    if (id) call.id = this.#bounded(id);
    if (part?.name) call.name = this.#bounded(part.name);
    if (extra) call.extra = extra;
    call.arguments += this.#bounded(part?.arguments ?? "");
  }

  /** Counts a text against `maxBytes` and returns the text; throws if the reply is too long. */
  #bounded(text: string): string {
    this.#size += bytesOf(text);
    if (this.#size > this.#options.maxBytes) throw tooLong(this.#options);
    return text;
  }

  /** Throws for the error of a chunk or of its choice, or for a chunk that is an error itself. */
  #failFor(error: unknown): void {
    if (!error) return;
    throw reportedProblem(isObject(error) ? error : { message: error }, this.#options.endpoint);
  }

  /** Returns a field; undefined if it is absent. Throws for a value that does not pass the test. */
  #field<T>(object: JsonObject, key: string, test: (value: unknown) => value is T): T | undefined {
    const value = object[key] ?? undefined;
    if (value === undefined || test(value)) return value;
    throw badReply(`${key} cannot be read`, this.#options);
  }
}

/** Matches the finish reasons of a reply that its server could not complete. */
export const FAILED =
  /^(?:error|load|abort|network_error|insufficient_system_resource)$|malformed_function_call/i;
/** Matches the finish reasons of filters, of OpenAI, Gemini, Bedrock, Cohere and Zhipu. */
const REFUSED =
  /^(?:refus|content[-_]?filter|safety|prohibited|recitation|blocklist|spii|guardrail|error_toxic|sensitive$)/i;

/** Maps a server's finish reason; gateways pass on the words of OpenAI, Mistral, Gemini and Anthropic. */
export function finishReasonOf(reason: string): FinishReason {
  if (REFUSED.test(reason)) return "refused";
  return /^(?:length|max_tokens|model_length|model_context_window_exceeded)$/i.test(reason)
    ? "length"
    : "stop";
}

/** Returns the length of a text in UTF-8; an ASCII text, the common case, has one byte per character. */
export function bytesOf(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).length;
}

/** Limits the body of a stream and each of its lines, for a package that reads a line whole, and again with each piece. */
export function bounded(response: Response, options: SizeLimit): Response {
  let size = 0;
  let line = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.length;
      line = piece.includes(LINE_FEED)
        ? piece.length - 1 - piece.lastIndexOf(LINE_FEED)
        : line + piece.length;
      if (size > EVENT_OVERHEAD * options.maxBytes || line > options.maxBytes) {
        throw tooLong(options);
      }
      controller.enqueue(piece);
    },
  });
  return new Response(response.body?.pipeThrough(limit), response);
}

export function tooLong({ endpoint, maxBytes }: SizeLimit): AgentError {
  return failure("agent_bad_reply", {
    endpoint,
    state: `the reply is over ${counted(maxBytes, "byte")}`,
    retryable: false,
    hint: "Set maxReplyBytes higher if replies may be as long as that.",
  });
}

function badReply(state: string, { endpoint }: ReadOptions, more?: AgentErrorDetail): AgentError {
  return failure("agent_bad_reply", { endpoint, state, retryable: true, ...more });
}
