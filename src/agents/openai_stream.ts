// Reading of streamed chat completions.
import { memo } from "../core/once_each.ts";
import { z } from "zod";
import type { AgentReply } from "../core/agent.ts";
import { AgentError } from "../core/error.ts";
import {
  type Endpoint,
  failure,
  type ProviderProblem,
  reportedProblem,
  unreachable,
} from "./openai_errors.ts";
import type { ThoughtFilter } from "./thought.ts";

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;
/** The most tool calls of one reply. */
const MAX_TOOL_CALLS = 128;
/** The bytes of a stream for each byte of text: an event of 15 bytes around every few letters. */
const EVENT_OVERHEAD = 16;

/** A part of a list of content: text, or thought text as a text or a list of parts. */
const part = memo(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("thinking"), thinking: z.unknown() }),
  ])
);
const content = memo(() =>
  z.union([
    z.string().transform((text) => ({ text, thought: "" })),
    z.array(part()).transform((parts) => ({
      text: textsOf(parts.filter(({ type }) => type === "text")),
      thought: textsOf(parts.flatMap((each) => each.type === "thinking" ? inner(each) : [])),
    })),
  ]).nullish()
);
const words = memo(() => content().transform((parted) => parted?.text));
/** Thought text beside the content, as a text or as a list of parts. */
const thought = memo(() =>
  z.union([
    z.string(),
    z.array(z.looseObject({})).transform((parts) => textsOf(parts)),
  ]).nullish().catch(undefined)
);

/** The texts of parts; of thought text the summaries too. */
function textsOf(parts: readonly Readonly<Record<string, unknown>>[]): string {
  return parts.map(({ text, summary }) => text ?? summary)
    .filter((text) => typeof text === "string").join("");
}

/** The parts of a part of thought text: itself, or those in its list. */
function inner(
  { thinking }: { readonly thinking: unknown },
): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(thinking)) return thinking.filter((one) => typeof one === "object");
  return typeof thinking === "string" ? [{ text: thinking }] : [];
}

const toolCall = memo(() =>
  z.object({
    index: z.int().min(0).max(MAX_TOOL_CALLS - 1).nullish(),
    id: z.string().nullish(),
    type: z.string().nullish(),
    function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  })
);
const message = memo(() =>
  z.object({
    content: content(),
    refusal: words(),
    reasoning_content: thought(),
    reasoning: thought(),
    reasoning_details: thought(),
    tool_calls: z.array(toolCall()).max(MAX_TOOL_CALLS).nullish(),
  }).nullish()
);
/** The most characters of a name that a provider gives. */
const LABEL = 200;
/** A name that a provider gives; a wrong one counts as none. */
const label = () => z.string().max(LABEL).nullish().catch(undefined);
/** The fields that are read of a chunk, which has a `delta`, or of a whole completion, which has a `message`. */
const chunk = memo(() =>
  z.object({
    choices: z.array(
      z.object({ delta: message(), message: message(), finish_reason: z.string().nullish() })
        .nullish(),
    ).nullish(),
    usage: z.unknown().optional(),
    model: label(),
    system_fingerprint: label(),
  })
);

type Chunk = z.infer<ReturnType<typeof chunk>>;

/**
 * A chunk of a stream that has text, the reason of the end or counts, and no other field with a value, as most have; the
 * schema reads the others. The schema takes ten times as long.
 */
function plainChunk(value: Readonly<Record<string, unknown>>): Chunk | undefined {
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
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

/** One completion, whole. */
export interface Completion {
  readonly text: string;
  /** Thought text, which is no part of the text. */
  readonly reasoning: string;
  readonly refusal: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string;
  /** The counts of the provider, if given. */
  readonly usage: AgentReply["usage"] | undefined;
  /** The model that the provider names. */
  readonly model?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly requestId?: string | undefined;
}

interface ReadOptions {
  readonly endpoint: Endpoint;
  /** Parts thought text from the text. */
  readonly filter: ThoughtFilter;
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
  const json = response.headers.get("content-type")?.includes("json") ?? false;
  const body = new BodyReader(response, options);
  try {
    if (json) {
      builder.add(await body.readAll());
    } else {
      const isStream = await body.readEvents((data) =>
        data === "[DONE]" ? builder.end() : builder.add(data)
      );
      if (!isStream) throw badReply("the reply is no event stream", options);
    }
    const requestId = response.headers.get("x-request-id")?.slice(0, 200);
    return { ...builder.finish(), requestId };
  } catch (error) {
    if (error instanceof AgentError) error.usage = builder.usage;
    throw error;
  } finally {
    await body.cancel();
  }
}

/** Usage as a provider counts it; a wrong count or cost counts as none. */
function givenUsage(given: Readonly<Record<string, unknown>>): AgentReply["usage"] {
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

/** Reads a response's body; a connection that breaks becomes the agent's failure. */
class BodyReader {
  readonly #options: ReadOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #done = false;

  constructor(response: Response, options: ReadOptions) {
    this.#options = options;
    this.#reader = response.body?.getReader();
    this.#done = this.#reader === undefined;
  }

  async readAll(): Promise<string> {
    let text = "";
    for await (const part of this.#parts(this.#options.maxBytes)) text += part;
    return text;
  }

  /**
   * Hands out the data of each event, until `onData` says that it was the last; false for a text without any event,
   * such as a proxy's page.
   */
  async readEvents(onData: (data: string) => boolean): Promise<boolean> {
    const { maxBytes } = this.#options;
    let isStream = false;
    let isText = false;
    let rest = "";
    let data: string | undefined;
    for await (const part of this.#parts(EVENT_OVERHEAD * maxBytes)) {
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
          if (onData(data)) return true;
          data = undefined;
        } else if (line !== "" && line[0] !== ":") isText = true;
      }
      rest += part.slice(from);
      if (rest.length + (data?.length ?? 0) > maxBytes) throw tooLong(this.#options);
    }
    if (data === undefined && rest.startsWith("data:")) data = rest.slice(5);
    if (data !== undefined) onData(data.trim());
    return isStream || data !== undefined || !(isText || rest.trim() !== "");
  }

  async cancel(): Promise<void> {
    if (!this.#done) await this.#reader?.cancel().catch(() => {});
  }

  /** The text of the body as it comes, at most so many bytes. */
  async *#parts(maxBytes: number): AsyncGenerator<string> {
    let size = 0;
    while (!this.#done) {
      const part = await this.#next();
      size += part?.byteLength ?? 0;
      if (size > maxBytes) throw tooLong(this.#options);
      yield this.#decoder.decode(part, { stream: !this.#done });
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { value, done } = await this.#reader!.read();
      this.#options.onBytes();
      this.#done = done;
      return value;
    } catch (error) {
      this.#done = true;
      throw unreachable(error, this.#options.endpoint);
    }
  }
}

class CompletionBuilder {
  readonly #options: ReadOptions;
  readonly #toolCalls = new Map<number, WireToolCall>();
  #text = "";
  #reasoning = "";
  #model: string | undefined;
  #fingerprint: string | undefined;
  #refusal = "";
  #finishReason: string | undefined;
  #ended = false;
  #usage: Completion["usage"];
  #size = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  get usage(): Completion["usage"] {
    return this.#usage;
  }

  end(): true {
    return this.#ended = true;
  }

  /** Takes in a chunk of a stream, or the whole completion of a server that does not stream; no chunk is the last. */
  add(json: string): false {
    const { choices, usage, model, system_fingerprint: fingerprint } = this.#parse(json);
    if (isObject(usage)) this.#usage = givenUsage(usage);
    if (model) this.#model = model;
    if (fingerprint) this.#fingerprint = fingerprint;
    const choice = choices?.[0];
    const said = choice?.delta ?? choice?.message;
    // Servers repeat the text of one field in another.
    const apart = said?.reasoning_content || said?.reasoning || said?.reasoning_details ||
      said?.content?.thought;
    if (apart) {
      this.#options.filter.skip();
      this.#reasoning += this.#bounded(apart);
    }
    if (said?.content?.text) {
      this.#say(this.#options.filter.add(this.#bounded(said.content.text)));
    }
    this.#refusal += this.#bounded(said?.refusal ?? "");
    for (const [position, call] of (said?.tool_calls ?? []).entries()) {
      if ((call.type ?? "function") === "function") this.#addToolCall(call, position);
    }
    if (choice?.finish_reason) this.#finishReason = choice.finish_reason;
    return false;
  }

  #say({ text, thought }: ReturnType<ThoughtFilter["add"]>): void {
    this.#reasoning += thought;
    this.#text += text;
    if (text !== "") this.#options.onText(text);
  }

  finish(): Completion {
    const { endpoint } = this.#options;
    this.#say(this.#options.filter.end());
    if (this.#finishReason === undefined && !this.#ended) {
      throw failure("agent_unreachable", {
        endpoint,
        state: "the reply broke off before its end",
        retryable: true,
      });
    }
    if ((this.#finishReason as string) === "error") {
      throw reportedProblem({ message: "finish reason error" }, endpoint);
    }
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      refusal: this.#refusal,
      toolCalls: [...this.#toolCalls].sort(([a], [b]) => a - b).map(([, call]) => call),
      finishReason: this.#finishReason ?? "stop",
      usage: this.#usage,
      model: this.#model,
      fingerprint: this.#fingerprint,
    };
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

function badReply(
  state: string,
  { endpoint }: ReadOptions,
  cause?: unknown,
): AgentError {
  const detail = { endpoint, state, retryable: true, cause };
  return failure("agent_bad_reply", detail);
}
