import { z } from "zod";
import type OpenAI from "openai";
import type { Agent, AgentReply, AgentRequest, FinishReason, ModelSource } from "../core/agent.ts";
import { bodyText } from "../core/body_text.ts";
import { callable, checkFields } from "../core/check_fields.ts";
import { CancelledError, ConfigurationError } from "../core/error.ts";
import type { Tool, ToolTrace } from "../core/tool.ts";
import { Deadline } from "./deadline.ts";
import {
  adapted,
  type Dialect,
  FIRST_DIALECT,
  type WireMessage,
  type WireRequest,
  wireRequest,
} from "./openai_dialect.ts";
import { asAgentError, type Endpoint, failure } from "./openai_errors.ts";
import { callingReply, earlierReply, toolRound } from "./openai_round.ts";
import { type Completion, readCompletion } from "./openai_stream.ts";
import { MAX_TOOL_ITERATIONS } from "./openai_tools.ts";
import { sumUsage, usageOf } from "./openai_usage.ts";

/** Where OpenAI's own models are reached. */
export const OPENAI_URL = "https://api.openai.com/v1";

/** The most bytes of a reply. */
const REPLY_BYTES = 4_000_000;
/** Milliseconds for one request and its whole reply. */
export const TOTAL_TIMEOUT = 300_000;
/** The most bytes of an error's body that are read. */
const ERROR_BYTES = 100_000;

/** Options of {@linkcode createOpenAIAgent}. */
export interface OpenAIAgentOptions {
  /** The model, as the server knows it. */
  readonly model: string;
  /** The model, as records show it. @default model */
  readonly name?: string | undefined;
  /** Where the server is, its `/v1` included. @default "https://api.openai.com/v1" */
  readonly baseUrl?: string | undefined;
  /** Sent as a bearer token; never part of a message. @default none is sent */
  readonly apiKey?: string | undefined;
  /** The provider's name in messages. @default "OpenAI" */
  readonly provider?: string | undefined;
  /** The environment variable of the key, for hints. @default none is named */
  readonly apiKeyEnv?: string | undefined;
  /** Milliseconds without a byte, from the request on and within the reply. @default 60000 */
  readonly idleTimeout?: number | undefined;
  /** Milliseconds for one request and its whole reply. @default 300000 */
  readonly totalTimeout?: number | undefined;
  /** The most bytes of a reply; a longer reply is `agent_bad_reply`. @default 4000000 */
  readonly maxReplyBytes?: number | undefined;
  /** Further headers; their values are never part of a message. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const text = z.string().optional();
const OPTIONS = z.strictObject({
  model: z.string().min(1),
  name: text,
  baseUrl: text,
  provider: text,
  apiKeyEnv: text,
  idleTimeout: z.number().optional(),
  totalTimeout: z.number().optional(),
  maxReplyBytes: z.number().optional(),
  fetch: callable.optional(),
  // No error shows what is secret.
  apiKey: z.unknown().optional(),
  headers: z.unknown().optional(),
});

/**
 * An agent behind any server that speaks OpenAI's chat completions: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM …
 *
 * Replies are streamed. What a server turns down by name (`stream_options`, a JSON schema, `max_tokens`,
 * `temperature`, `seed`) is left out or put another way, once, and remembered. Tools are called until the model
 * answers, ten rounds at most. No redirect is followed. Nothing is sent again after a failure: that is the engine's part. Without counts from
 * the server, tokens are counted here.
 *
 * With a schema, the text is the last request's alone; without, what was said between tool calls is part of it.
 *
 * Fails with an `AgentError` (`agent_auth`, `agent_rate_limited`, `agent_timeout`, `agent_unreachable`,
 * `agent_bad_reply`) that names model, provider and status, or with a `CancelledError`. A key or header that cannot be
 * sent is a `ConfigurationError` at once.
 */
export function createOpenAIAgent(options: OpenAIAgentOptions): Agent {
  return new OpenAIAgent(checkFields(options, OPTIONS, "options of createOpenAIAgent"));
}

class OpenAIAgent implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly #options: OpenAIAgentOptions;
  readonly #endpoint: Endpoint;
  readonly #idle: number;
  readonly #total: number;
  #client: Promise<OpenAI> | undefined;
  #dialect: Dialect = FIRST_DIALECT;

  constructor(options: OpenAIAgentOptions) {
    this.#endpoint = endpointOf(options);
    this.model = this.#endpoint.model;
    this.source = { model: options.model, url: options.baseUrl ?? OPENAI_URL };
    this.#options = options;
    this.#idle = options.idleTimeout ?? 60_000;
    this.#total = options.totalTimeout ?? TOTAL_TIMEOUT;
    // It takes as long as all else before the first request: it is read while the record is opened.
    import("openai").catch(() => {});
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const messages: WireMessage[] = [...request.messages];
    const traces: ToolTrace[] = [];
    const usages: AgentReply["usage"][] = [];
    const said = new Said(request.onDelta);
    for (let number = 0;; number++) {
      const tools = number < MAX_TOOL_ITERATIONS ? request.tools ?? [] : [];
      let calling = tools.length === 0 ? undefined : earlierReply(request.rounds, number);
      if (calling === undefined) {
        const completion = await this.#complete(request, {
          messages,
          tools,
          onText: (text) => said.add(text),
        });
        const usage = await usageOf(completion, messages);
        if (completion.toolCalls.length === 0 || tools.length === 0) {
          const text = request.schema === undefined ? said.text : completion.text;
          return {
            text: text === "" ? completion.refusal : text,
            finishReason: finishReason(completion),
            model: this.model,
            usage: sumUsage([...usages, usage]),
            ...(traces.length === 0 ? {} : { toolCalls: traces }),
          };
        }
        calling = callingReply(completion, usage);
      } else if (calling.text !== "") said.add(calling.text);
      usages.push(calling.usage);
      const made = await toolRound(calling, {
        tools,
        signal: request.signal,
        leave: (reply) => request.rounds?.keep(number, reply),
      });
      messages.push(...made.messages);
      traces.push(...made.traces);
      said.pause();
    }
  }

  /** One request, put in another way as often as the server says what it does not take. */
  async #complete(
    request: AgentRequest,
    { messages, tools, onText }: {
      readonly messages: readonly WireMessage[];
      readonly tools: readonly Tool[];
      readonly onText: (text: string) => void;
    },
  ): Promise<Completion> {
    const { model } = this.#options;
    const first = this.#dialect;
    for (let dialect = first;;) {
      const body = wireRequest({ model, request, messages, tools }, dialect);
      try {
        const completion = await this.#send(body, request.signal, onText);
        if (dialect !== first) this.#dialect = dialect;
        return completion;
      } catch (error) {
        const next = adapted(dialect, body, error);
        if (next === undefined) throw asAgentError(error, this.#endpoint);
        dialect = next;
      }
    }
  }

  async #send(
    body: WireRequest,
    signal: AbortSignal | undefined,
    onText: (text: string) => void,
  ): Promise<Completion> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const client = await (this.#client ??= connect(this.#options));
    using deadline = new Deadline({
      idle: this.#idle,
      total: this.#total,
      signal,
    });
    try {
      const response = await client.chat.completions
        .create(body, { signal: deadline.signal }).asResponse();
      deadline.touch();
      const completion = await readCompletion(response, {
        endpoint: this.#endpoint,
        maxBytes: this.#options.maxReplyBytes ?? REPLY_BYTES,
        onText,
        onBytes: () => deadline.touch(),
      });
      if (deadline.expiry === undefined) return completion;
      throw this.#expired(deadline, signal);
    } catch (error) {
      throw deadline.expiry === undefined ? error : this.#expired(deadline, signal);
    }
  }

  #expired({ expiry }: Deadline, signal: AbortSignal | undefined): Error {
    if (expiry === "cancelled") return new CancelledError(signal?.reason);
    return failure("agent_timeout", {
      endpoint: this.#endpoint,
      state: expiry === "idle"
        ? `nothing came for ${this.#idle} ms`
        : `the reply was not whole after ${this.#total} ms`,
      retryable: true,
    });
  }
}

/** The client that sends requests; the package is loaded with the first one. */
export async function connect(options: OpenAIAgentOptions): Promise<OpenAI> {
  const { baseUrl = OPENAI_URL, apiKey, headers, totalTimeout = TOTAL_TIMEOUT } = options;
  const { OpenAI } = await import("openai");
  // What is left undefined the SDK would read from the environment.
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    timeout: Math.min(totalTimeout + 60_000, 2 ** 31 - 1),
    defaultHeaders: {
      ...(apiKey === undefined ? { authorization: null } : {}),
      ...headers,
    },
    fetch: (url, init) => fetchBounded(options, url, init),
  });
}

/** Follows no redirect, which would carry the prompt elsewhere; bounds the body of an error, which the SDK reads whole. */
async function fetchBounded(
  { fetch = globalThis.fetch }: OpenAIAgentOptions,
  url: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.ok) return response;
  return new Response(await bodyText(response, ERROR_BYTES) || null, response);
}

/** What was said so far; a pause between two requests becomes a blank line once more is said. */
class Said {
  readonly #onDelta: AgentRequest["onDelta"];
  #paused = false;
  text = "";

  constructor(onDelta: AgentRequest["onDelta"]) {
    this.#onDelta = onDelta;
  }

  add(text: string): void {
    const delta = this.#paused && this.text !== "" ? `\n\n${text}` : text;
    this.#paused = false;
    this.text += delta;
    this.#onDelta?.(delta);
  }

  pause(): void {
    this.#paused = true;
  }
}

/** The model and the server as errors name them. Refuses a key or a header that cannot be sent. */
export function endpointOf(options: OpenAIAgentOptions): Endpoint {
  checkHeaders(options);
  const { model, name = model, provider = "OpenAI", apiKey, apiKeyEnv } = options;
  return {
    model: name,
    provider,
    keyVariable: apiKeyEnv,
    hasKey: apiKey !== undefined,
    secrets: secretsOf(options),
  };
}

/** Refuses a key or a header that cannot be sent: the error met on sending it would show it. */
function checkHeaders(
  { apiKey, apiKeyEnv = "the API key", headers = {} }: Pick<
    OpenAIAgentOptions,
    "apiKey" | "apiKeyEnv" | "headers"
  >,
): void {
  const hint = "Give the value alone, without line breaks.";
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ConfigurationError(
      `Cannot use ${apiKeyEnv}: it is empty or holds characters that no key has`,
      { hint },
    );
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\t\x20-\x7e]*$/.test(value)) continue;
    throw new ConfigurationError(
      `Cannot send header "${name}": its value holds characters that no header has`,
      { hint },
    );
  }
}

/** What must not reach a message: the key, long words of headers, what a base URL asks with. */
function secretsOf(
  { apiKey = "", headers = {}, baseUrl = OPENAI_URL }: Pick<
    OpenAIAgentOptions,
    "apiKey" | "headers" | "baseUrl"
  >,
): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(" "));
  return [
    apiKey,
    ...words.filter((word) => word.length >= 8),
    URL.parse(baseUrl)?.search.slice(1) ?? "",
  ];
}

function finishReason({ finishReason, refusal }: Completion): FinishReason {
  if (refusal !== "" || finishReason === "content_filter") return "refused";
  return finishReason === "length" ? "length" : "stop";
}
