// Calls the OpenAI endpoints besides chat: POST /embeddings and POST /moderations.
import type OpenAI from "openai";
import { z } from "zod";
import { Deadline } from "../core/clock.ts";
import { AgentError, CancelledError, ConfigurationError, TopicError } from "../core/error.ts";
import type { Embedder } from "../core/search.ts";
import { bodyText, counted, oneLine, statusText, thousands } from "../core/text.ts";
import { jsonIn, memo } from "../core/values.ts";
import { type Limiter, limiterOf } from "./limiter.ts";
import { profileOf } from "./profiles.ts";
import {
  asAgentError,
  connect,
  type Endpoint,
  endpointOf,
  failure,
  OPENAI_URL,
  type OpenAIAgentOptions,
  shownText,
  type StatusError,
  TOTAL_TIMEOUT,
  unreachable,
} from "./openai_client.ts";
import { headersOf, keyFor, type RegistrySettings, targetOf } from "./registry.ts";

/** The most texts per request. */
const BATCH = 64;
/** The most bytes of a response; for embeddings, 64 vectors of 8,000 numbers. */
const REPLY_BYTES = { embeddings: 16_000_000, moderation: 1_000_000 } as const;

const reply = z.object({
  data: z.array(z.object({
    // Google leaves out the index 0.
    index: z.int().min(0).nullish(),
    embedding: z.array(z.number()).min(1),
  })),
  usage: z.object({ prompt_tokens: z.int().min(0) }).optional().catch(undefined),
});

/**
 * Creates an embedder for any server with OpenAI's `POST /embeddings`: OpenAI, Google, Ollama, llama.cpp, vLLM …
 *
 * Sends texts in sequential batches of 64, or of half as many each time that the server refuses a batch. Follows no redirects and
 * does not retry. `embed` rejects with an `AgentError` that names model, provider and status, or with a `CancelledError`.
 */
export function createOpenAIEmbedder(options: OpenAIAgentOptions): Embedder {
  const endpoint = endpointOf(options);
  const { model, baseUrl: url = OPENAI_URL, prefix: provider, profile: user } = options;
  const client = memo(() => connect(options));
  const limiter = memo(async () => {
    const { profile: { limits } } = profileOf({ model, baseUrl: url, provider, user });
    return await limiterOf(url, { ...options, provider: endpoint.provider, limits });
  });
  let most = BATCH;
  return {
    model: endpoint.model,
    source: { model, url },
    async embed(texts, { signal, onTokens } = {}) {
      const vectors: (readonly number[])[] = [];
      while (vectors.length < texts.length) {
        const input = texts.slice(vectors.length, vectors.length + most);
        const own = { client: await client(), limiter: await limiter() };
        const of = { ...own, endpoint, options, signal };
        try {
          const { made, tokens } = await of.limiter.run({ signal }, () => askVectors(input, of));
          onTokens?.(tokens);
          vectors.push(...made);
        } catch (error) {
          // Some servers take at most 10 or 32 texts at once.
          const { code, status = 0 } = error as AgentError;
          const isRefused = code === "agent_bad_reply" && [400, 413, 422].includes(status);
          if (!isRefused || input.length === 1) throw error;
          most = Math.min(most, Math.ceil(input.length / 2));
        }
      }
      return vectors;
    },
  };
}

/** Requests embeddings; returns the vectors in the order of the texts, and the token count. */
async function askVectors(
  input: readonly string[],
  { client, endpoint, options, signal, limiter }: {
    readonly client: OpenAI;
    readonly endpoint: Endpoint;
    readonly options: OpenAIAgentOptions;
    readonly signal: AbortSignal | undefined;
    readonly limiter: Limiter;
  },
) {
  const { model, totalTimeout: total = TOTAL_TIMEOUT } = options;
  using deadline = new Deadline({ total, signal });
  try {
    // Not by `embeddings.create`: it always sends `encoding_format`, and Voyage refuses the value "float".
    const request = { body: { model, input }, signal: deadline.signal };
    const response = await client.post("/embeddings", request).asResponse();
    limiter.readHeaders(response.headers);
    const text = await bodyText(response, REPLY_BYTES.embeddings);
    const most = counted(REPLY_BYTES.embeddings, "byte");
    if (text === undefined) throw unusable(`it has over ${most}`, endpoint);
    limiter.succeeded();
    return readEmbeddings(text, input.length, endpoint);
  } catch (error) {
    if (deadline.expiry === "cancelled") throw new CancelledError(signal?.reason);
    if (deadline.expiry === undefined) {
      // A body that ends early causes a `TypeError`.
      if (error instanceof TypeError) throw unreachable(error, endpoint);
      const failed = asAgentError(error, endpoint);
      if (failed instanceof AgentError) limiter.failed(failed, (error as StatusError).headers);
      throw failed;
    }
    const state = `the reply was not whole after ${thousands(total)} ms`;
    const hint = "Raise totalTimeout if the server is slow.";
    throw failure("agent_timeout", { endpoint, state, retryable: true, hint });
  }
}

function readEmbeddings(text: string, expected: number, endpoint: Endpoint) {
  const { data } = reply.safeParse(jsonIn(text));
  if (data === undefined) throw unusable("it is not a list of embeddings", endpoint);
  const vectors = data.data.map((each, place) => ({ ...each, index: each.index ?? place }))
    .toSorted((a, b) => a.index - b.index);
  if (vectors.length !== expected || vectors.some(({ index }, place) => index !== place)) {
    const state = `${vectors.length} embeddings for ${expected} texts, or not one for each`;
    throw unusable(state, endpoint);
  }
  const made = vectors.map(({ embedding }) => embedding);
  return { made, tokens: data.usage?.prompt_tokens ?? 0 };
}

function unusable(state: string, endpoint: Endpoint): Error {
  return failure("agent_bad_reply", {
    endpoint,
    state: `the reply cannot be used, ${state}`,
    retryable: true,
    hint: "Check that the model makes embeddings.",
  });
}

const moderation = z.object({
  results: z.tuple([
    z.object({
      flagged: z.boolean(),
      // Some servers send a list for no categories.
      categories: z.record(z.string(), z.unknown()).catch({}),
    }),
  ], z.unknown()),
});

/** Timeout of a moderation in milliseconds. */
const MODERATION_TIME = 30_000;

/**
 * Asks the provider of a model, at `POST /moderations`, whether a topic is abusive. Rejects with a `TopicError` that names the
 * categories if it is, with a `ConfigurationError` if the provider has no such endpoint, and with an `AgentError` if the request
 * fails.
 */
export async function moderateTopic(
  topic: string,
  { model, settings, signal }: {
    readonly model: string;
    readonly settings: RegistrySettings;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const target = targetOf(model, settings);
  if (target.type === "built-in") throw noEndpoint(`model "${model}" is on no server`);
  const { baseUrl } = target;
  const options = {
    model,
    baseUrl,
    apiKey: keyFor(target, settings),
    headers: headersOf(target, settings),
  };
  const { secrets } = endpointOf(options);
  const { host } = new URL(baseUrl);
  const failed = (state: string, cause?: unknown) =>
    new AgentError("agent_unreachable", `Cannot check the topic at ${host}: ${state}`, {
      hint: "Check the server and its key, or set topicCheck to words.",
      cause,
    });
  const client = await connect(options);
  using deadline = new Deadline({ total: MODERATION_TIME, signal });
  const text = await client.moderations.create({ input: topic }, {
    signal: deadline.signal,
  }).asResponse().then((response) => bodyText(response, REPLY_BYTES.moderation)).catch((error) => {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { status, message } = error as StatusError;
    if (status === undefined) throw failed("no answer", error);
    if ([404, 405, 501].includes(status)) throw noEndpoint(`${host} answers ${status}`);
    const said = message.replace(`${status} `, "").replace("status code (no body)", "no body");
    throw failed(statusText(status, shownText(said, secrets, 200)));
  });
  const { data: found } = moderation.safeParse(jsonIn(text ?? ""));
  if (found === undefined) throw failed("the answer has no result");
  const { flagged, categories } = found.results[0];
  if (!flagged) return;
  const named = Object.keys(categories).filter((name) => categories[name] === true);
  const list = named.map((name) => oneLine(name, 60)).join(", ");
  throw new TopicError(
    `Cannot use the topic: ${host} finds it abusive${list === "" ? "" : ` (${list})`}`,
    { hint: "Choose another topic, or set topicCheck to words or off." },
  );
}

function noEndpoint(state: string): ConfigurationError {
  return new ConfigurationError(`Cannot use topicCheck "provider": ${state}`, {
    field: "topicCheck",
    hint: "Use words or off, or a model of a provider with POST /moderations, such as OpenAI.",
  });
}
