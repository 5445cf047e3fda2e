// The embedder for servers of the OpenAI protocol: POST /embeddings.
import { z } from "zod";
import type OpenAI from "openai";
import { bodyText } from "../core/body_text.ts";
import type { ModelSource } from "../core/agent.ts";
import type { Embedder, EmbedOptions } from "../core/embedder.ts";
import { CancelledError } from "../core/error.ts";
import { Deadline } from "./deadline.ts";
import {
  connect,
  endpointOf,
  OPENAI_URL,
  type OpenAIAgentOptions,
  TOTAL_TIMEOUT,
} from "./openai_client.ts";
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
  usage: z.object({ prompt_tokens: z.int().min(0) }).optional().catch(undefined),
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
  readonly source: ModelSource;
  readonly #options: OpenAIEmbedderOptions;
  readonly #endpoint: Endpoint;
  #client: Promise<OpenAI> | undefined;

  constructor(options: OpenAIEmbedderOptions) {
    this.#endpoint = endpointOf(options);
    this.model = this.#endpoint.model;
    this.source = { model: options.model, url: options.baseUrl ?? OPENAI_URL };
    this.#options = options;
  }

  async embed(
    texts: readonly string[],
    { signal, onTokens }: EmbedOptions = {},
  ): Promise<readonly ArrayLike<number>[]> {
    const vectors: (readonly number[])[] = [];
    while (vectors.length < texts.length) {
      const batch = texts.slice(vectors.length, vectors.length + BATCH);
      const { made, tokens } = this.#read(await this.#send(batch, signal), batch.length);
      onTokens?.(tokens);
      vectors.push(...made);
    }
    return vectors;
  }

  async #send(input: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { model, totalTimeout: total = TOTAL_TIMEOUT } = this.#options;
    const client = await (this.#client ??= connect(this.#options));
    using deadline = new Deadline({ idle: total, total, signal });
    try {
      const response = await client.embeddings
        .create({ model, input: [...input], encoding_format: "float" }, { signal: deadline.signal })
        .asResponse();
      const text = await bodyText(response, REPLY_BYTES);
      if (text === undefined) throw this.#bad(`it has over ${REPLY_BYTES} bytes`);
      return text;
    } catch (error) {
      if (deadline.expiry === "cancelled") throw new CancelledError(signal?.reason);
      if (deadline.expiry === undefined) {
        // A reply that breaks off in the middle.
        if (error instanceof TypeError) throw unreachable(error, this.#endpoint);
        throw asAgentError(error, this.#endpoint);
      }
      const state = `the reply was not whole after ${total} ms`;
      throw failure("agent_timeout", { endpoint: this.#endpoint, state, retryable: true });
    }
  }

  /** The vectors of a reply in the order of their texts, and the tokens of these. */
  #read(text: string, expected: number) {
    const { data } = reply.safeParse(jsonIn(text));
    if (data === undefined) throw this.#bad("it is no list of embeddings");
    const vectors = data.data.toSorted((a, b) => a.index - b.index);
    if (vectors.length !== expected || vectors.some(({ index }, place) => index !== place)) {
      throw this.#bad(`${vectors.length} embeddings for ${expected} texts, or not one for each`);
    }
    return {
      made: vectors.map(({ embedding }) => embedding),
      tokens: data.usage?.prompt_tokens ?? 0,
    };
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
