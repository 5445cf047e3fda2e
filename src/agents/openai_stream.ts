import type OpenAI from "openai";
import type { AgentError } from "../core/error.ts";
import {
  type Endpoint,
  failure,
  type ProviderProblem,
  reportedProblem,
  unreachable,
} from "./openai_errors.ts";

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Whole = OpenAI.Chat.Completions.ChatCompletion;

/** A tool call as a model wrote it. */
export interface WireToolCall {
  id: string;
  name: string;
  /** JSON, or what the model took for it. */
  arguments: string;
}

/** What a provider counted for one request; `cost` in US dollars where it says so. */
export type WireUsage = OpenAI.CompletionUsage & { readonly cost?: unknown };

/** One completion, whole. */
export interface Completion {
  readonly text: string;
  readonly refusal: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string;
  readonly usage: WireUsage | undefined;
}

/** Options of {@linkcode readCompletion}. */
export interface ReadOptions {
  readonly endpoint: Endpoint;
  /** Called with each piece of text as it comes. */
  readonly onText: (text: string) => void;
  /** Called whenever anything came, comments included. */
  readonly onBytes: () => void;
}

/**
 * Reads a completion off a response: server-sent events, or the one JSON object of a server that does not stream.
 *
 * A connection lost on the way, and a stream that ends without saying that it is finished, are
 * `agent_unreachable`; what is no JSON is `agent_bad_reply`; both can be sent again.
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
      builder.addWhole(await body.readAll());
    } else {
      const isStream = await body.readEvents((data) => builder.addEvent(data));
      if (!isStream) throw badReply("the reply is no event stream", options);
    }
  } finally {
    await body.cancel();
  }
  return builder.finish();
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
    while (!this.#done) text += await this.#next();
    return text;
  }

  /**
   * Hands out the data of each event, until `onData` says that it was the last; false for a text without any event,
   * such as a proxy's page.
   */
  async readEvents(onData: (data: string) => boolean): Promise<boolean> {
    let isStream = false;
    let isText = false;
    let rest = "";
    let data: string | undefined;
    while (!this.#done) {
      const text = rest + await this.#next();
      let from = 0;
      for (
        let end = text.indexOf("\n");
        end !== -1;
        end = text.indexOf("\n", from)
      ) {
        const line = text.slice(from, text[end - 1] === "\r" ? end - 1 : end);
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
      rest = text.slice(from);
    }
    if (data === undefined && rest.startsWith("data:")) data = rest.slice(5);
    if (data !== undefined) onData(data.trim());
    return isStream || data !== undefined || !(isText || rest.trim() !== "");
  }

  async cancel(): Promise<void> {
    if (!this.#done) await this.#reader?.cancel().catch(() => {});
  }

  async #next(): Promise<string> {
    try {
      const { value, done } = await this.#reader!.read();
      this.#options.onBytes();
      this.#done = done;
      return this.#decoder.decode(value, { stream: !done });
    } catch (error) {
      this.#done = true;
      throw unreachable(error, this.#options.endpoint);
    }
  }
}

/** Puts a completion together from its chunks. */
class CompletionBuilder {
  readonly #options: ReadOptions;
  readonly #toolCalls: WireToolCall[] = [];
  #text = "";
  #refusal = "";
  #finishReason: string | undefined;
  #ended = false;
  #usage: WireUsage | undefined;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Takes the data of one event in; true when it was the last. */
  addEvent(data: string): boolean {
    if (data === "[DONE]") return this.#ended = true;
    const chunk = this.#parse<Chunk>(data);
    if (chunk.usage) this.#usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) return false;
    const { delta } = choice;
    if (delta?.content) {
      this.#text += delta.content;
      this.#options.onText(delta.content);
    }
    if (delta?.refusal) this.#refusal += delta.refusal;
    if (delta?.tool_calls) this.#addToolCalls(delta.tool_calls);
    if (choice.finish_reason) this.#finishReason = choice.finish_reason;
    return false;
  }

  /** Takes in the whole completion of a server that does not stream. */
  addWhole(text: string): void {
    const whole = this.#parse<Whole>(text);
    const choice = whole.choices?.[0];
    this.#usage = whole.usage;
    this.#finishReason = choice?.finish_reason;
    this.#refusal = choice?.message?.refusal ?? "";
    this.#text = choice?.message?.content ?? "";
    if (this.#text !== "") this.#options.onText(this.#text);
    for (const call of choice?.message?.tool_calls ?? []) {
      if (call.type === "function") {
        this.#toolCalls.push({ id: call.id, ...call.function });
      }
    }
  }

  finish(): Completion {
    const { endpoint } = this.#options;
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
      refusal: this.#refusal,
      // flat() closes the gaps of servers that count calls from 1.
      toolCalls: this.#toolCalls.flat(),
      finishReason: this.#finishReason ?? "stop",
      usage: this.#usage,
    };
  }

  #addToolCalls(
    deltas: NonNullable<Chunk["choices"][0]["delta"]["tool_calls"]>,
  ) {
    for (const [position, { index, id, function: part }] of deltas.entries()) {
      const at = index ?? position;
      const call = this.#toolCalls[at] ??= { id: "", name: "", arguments: "" };
      if (id) call.id = id;
      if (part?.name) call.name = part.name;
      if (part?.arguments) call.arguments += part.arguments;
    }
  }

  #parse<T>(text: string): T {
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
    return value as T;
  }
}

function badReply(
  state: string,
  { endpoint }: ReadOptions,
  cause?: unknown,
): AgentError {
  const detail = { endpoint, state, retryable: true, cause };
  return failure("agent_bad_reply", detail);
}
