// The embedder for servers of the OpenAI protocol: POST /embeddings.
import { z } from "zod";
import { bodyText } from "../core/body_text.ts";
import type { Embedder, EmbedOptions } from "../core/embedder.ts";
import { CancelledError } from "../core/error.ts";
import { Deadline } from "./deadline.ts";
import { checkHeaders, OPENAI_URL, type OpenAIAgentOptions, secretsOf } from "./openai.ts";
import { asAgentError, type Endpoint, failure, unreachable } from "./openai_errors.ts";
import { jsonIn } from "../core/json_text.ts";

/** Options of {@linkcode createOpenAIEmbedder}: those of an agent that concern a request without a stream. */
type OpenAIEmbedderOptions = Omit<OpenAIAgentOptions, "idleTimeout" | "maxReplyBytes">;

/** Texts of one request. */
const BATCH = 64;
/** The most bytes of a reply to one request: 64 vectors of 8,000 numbers. */
const REPLY_BYTES = 16_000_000;

const reply = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});
const problem = z.object({
  error: z.union([
    z.object({ message: z.string(), code: z.any().optional(), type: z.any().optional() }),
    z.string().transform((message) => ({ message, code: undefined, type: undefined })),
  ]),
});

/**
 * An embedder behind any server with OpenAI's `POST /embeddings`: OpenAI, Google, Ollama, llama.cpp, vLLM …
 *
 * Texts go in batches of 64, one after another. No redirect is followed, and nothing is sent again after a failure.
 * Fails with an `AgentError` that names model, provider and status, or with a `CancelledError`.
 */
export function createOpenAIEmbedder(options: OpenAIEmbedderOptions): Embedder {
  return new OpenAIEmbedder(options);
}

class OpenAIEmbedder implements Embedder {
  readonly model: string;
  readonly #options: OpenAIEmbedderOptions;
  readonly #endpoint: Endpoint;

  constructor(options: OpenAIEmbedderOptions) {
    const { model, name = model, provider = "OpenAI" } = options;
    checkHeaders(options);
    this.model = name;
    this.#options = options;
    this.#endpoint = {
      model: name,
      provider,
      keyVariable: options.apiKeyEnv,
      hasKey: options.apiKey !== undefined,
      secrets: secretsOf(options),
    };
  }

  async embed(
    texts: readonly string[],
    { signal }: EmbedOptions = {},
  ): Promise<readonly ArrayLike<number>[]> {
    const vectors: (readonly number[])[] = [];
    while (vectors.length < texts.length) {
      const batch = texts.slice(vectors.length, vectors.length + BATCH);
      vectors.push(...this.#read(await this.#send(batch, signal), batch.length));
    }
    return vectors;
  }

  async #send(input: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { model, apiKey, headers, totalTimeout: total = 300_000 } = this.#options;
    const { fetch = globalThis.fetch, baseUrl = OPENAI_URL } = this.#options;
    using deadline = new Deadline({ idle: total, total, signal });
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/embeddings`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: JSON.stringify({ model, input, encoding_format: "float" }),
        redirect: "manual",
        signal: deadline.signal,
      });
      const text = await bodyText(response, REPLY_BYTES);
      if (!response.ok) throw asAgentError(statusError(response, text ?? ""), this.#endpoint);
      if (text === undefined) throw this.#bad(`it has over ${REPLY_BYTES} bytes`);
      return text;
    } catch (error) {
      if (deadline.expiry === "cancelled") throw new CancelledError(signal?.reason);
      if (deadline.expiry === undefined) {
        throw error instanceof TypeError ? unreachable(error, this.#endpoint) : error;
      }
      const state = `the reply was not whole after ${total} ms`;
      throw failure("agent_timeout", { endpoint: this.#endpoint, state, retryable: true });
    }
  }

  /** The vectors of a reply in the order of their texts. */
  #read(text: string, expected: number): (readonly number[])[] {
    const { data } = reply.safeParse(jsonIn(text));
    if (data === undefined) throw this.#bad("it is no list of embeddings");
    const vectors = data.data.toSorted((a, b) => a.index - b.index);
    if (vectors.length !== expected || vectors.some(({ index }, place) => index !== place)) {
      throw this.#bad(`${vectors.length} embeddings for ${expected} texts, or not one for each`);
    }
    return vectors.map(({ embedding }) => embedding);
  }

  #bad(state: string): Error {
    return failure("agent_bad_reply", {
      endpoint: this.#endpoint,
      state: `the reply cannot be used, ${state}`,
      retryable: true,
      hint: "Check that the model makes embeddings.",
    });
  }
}

/** A reply with a status that is no success, in the form of the SDK's errors. */
function statusError({ status, headers }: Response, text: string): Error {
  const { data } = problem.safeParse(jsonIn(text));
  const { message = text.trim(), ...rest } = data?.error ?? {};
  return Object.assign(new Error(message || "without a word"), { ...rest, status, headers });
}
