// Agents that call AI SDK language models: an instance from the program, or a provider's package that is imported on first use.
import { z } from "zod";
import type { Agent } from "../core/agent.ts";
import { checkFields } from "../core/check_fields.ts";
import {
  type AgentError,
  type AgentErrorCode,
  ConfigurationError,
  ConveningError,
  errorMessage,
} from "../core/error.ts";
import { type Profile, profileKeys } from "../core/profile.ts";
import { loadedOnce } from "../core/values.ts";
import {
  callOf,
  type LanguageModelLike,
  merged,
  type StreamPart,
  StreamReader,
} from "./ai_sdk_wire.ts";
import {
  addWait,
  CHECK_ADDRESS,
  type Endpoint,
  endpointOf,
  failure,
  fetchBounded,
  type OpenAIAgentOptions,
  REPLY_BYTES,
  reportedProblem,
  shownText,
  unreachable,
} from "./openai_client.ts";
import { bounded, type SizeLimit } from "./openai_stream.ts";
import { type Completion, thoughtTags } from "./reply.ts";
import type { AdapterName, ImportPackage } from "./registry.ts";
import { type Protocol, ServedAgent } from "./served_agent.ts";

/** Options of {@linkcode languageModel}. */
export interface LanguageModelOptions
  extends Pick<OpenAIAgentOptions, "profile" | "idleTimeout" | "totalTimeout"> {
  /** Provider's name for profile and price, such as `anthropic`. @default the instance's name up to its first `.` */
  readonly provider?: string | undefined;
  /** Name of the model in records. @default "PROVIDER:MODEL" */
  readonly name?: string | undefined;
  /** The most concurrent requests. @default the limit of the model's profile, else 32 */
  readonly maxConcurrency?: number | undefined;
}

const OPTIONS = z.strictObject({
  provider: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  profile: profileKeys.optional(),
  idleTimeout: z.number().positive().optional(),
  totalTimeout: z.number().positive().optional(),
  maxConcurrency: z.int().min(1).optional(),
});

/**
 * Creates an agent from an AI SDK language model, such as `createAnthropic({ apiKey })("claude-opus-5-5")`. Supports specification
 * `v4`, and `v2` and `v3` as far as they are compatible.
 *
 * A model that does not stream, as with `simulateStreamingMiddleware`, sends nothing before its reply is whole, and may need a longer
 * `idleTimeout`. The instance determines key, URL and headers. A reply rejects with an `AgentError` that names model, provider and status, or with
 * a `CancelledError`.
 */
export function languageModel(
  model: LanguageModelLike,
  given: LanguageModelOptions = {},
): Agent {
  const options = checkFields(given, OPTIONS, "options of languageModel");
  if (!isModel(model)) {
    throw new ConfigurationError("Cannot use the model of languageModel: it is no AI SDK model", {
      hint:
        'Give one such as createAnthropic({ apiKey })("claude-opus-5-5"), of a package for AI SDK 5 or newer.',
    });
  }
  const provider = options.provider ?? model.provider.split(".")[0]!;
  const name = options.name ?? `${provider}:${model.modelId}`;
  const endpoint = { model: name, provider, hasKey: true, secrets: [] };
  const create = () => Promise.resolve(model);
  const protocol = sdkProtocol(create, { endpoint, maxBytes: REPLY_BYTES, sendsExtraBody: false });
  const source = { model: model.modelId, provider };
  return new ServedAgent(protocol, { ...options, endpoint, source, provider });
}

function isModel(model: unknown): model is LanguageModelLike {
  const { specificationVersion: version, provider, modelId, doStream } = Object(model);
  return [version, provider, modelId].every((each) => typeof each === "string") &&
    version !== "v1" && typeof doStream === "function";
}

/**
 * Sends requests through an AI SDK model, which is loaded on first use; a failed load is retried on the next use. Without
 * `sendsExtraBody`, the profile's `extraBody` is reported as a dropped parameter. If the package does not send schemas, the request
 * is repeated with the schema in the prompt, as all later requests are sent.
 */
function sdkProtocol(
  create: () => Promise<LanguageModelLike>,
  { sendsExtraBody, ...limit }: SizeLimit & { readonly sendsExtraBody: boolean },
): Protocol {
  const { endpoint } = limit;
  const load = loadedOnce(create);
  let takesSchema = true;
  return {
    needsParts: true,
    load,
    async send(sending) {
      const { request, profile, onText, onHeaders, onData } = sending;
      const { json } = sending.plan;
      const plan = { ...sending.plan, json: json === "schema" && !takesSchema ? "object" : json };
      const model = await load();
      if (!sendsExtraBody && profile.extraBody !== undefined) {
        request.onNote?.({
          type: "parameter_dropped",
          parameter: "extraBody",
          asked: profile.extraBody,
          because: "the instance of the model makes the requests itself",
        });
      }
      const call = callOf(model, { ...sending, plan });
      const reader = new StreamReader({ ...limit, ...thoughtTags(profile, plan), onText });
      const lacksSchema = () =>
        plan.json === "schema" &&
        reader.warnings.some(({ setting }) => setting === "responseFormat");
      let headers = new Headers();
      let reply: Completion | undefined;
      try {
        const { stream, response } = await model.doStream(call as never);
        headers = new Headers(response?.headers);
        onHeaders(headers);
        for await (const part of stream) {
          onData();
          reader.take(part as StreamPart);
          if (lacksSchema()) break;
        }
        reply = lacksSchema() ? undefined : reader.reply();
      } catch (error) {
        const isPage = /^text\/html\b/.test(headers.get("content-type") ?? "");
        if (!isPage || reader.parts.length > 0) throw sdkError(error, endpoint);
        const state = "the reply is not an event stream";
        throw failure("agent_bad_reply", { endpoint, state, retryable: true, hint: CHECK_ADDRESS });
      }
      for (const { setting, because } of reader.warnings) {
        const asked = setting === "responseFormat" ? plan.json : Reflect.get(call, setting) ?? true;
        request.onNote?.({ type: "parameter_dropped", parameter: setting, asked, because });
      }
      if (reply === undefined) {
        takesSchema = false;
        return await this.send(sending);
      }
      const requestId = headers.get("request-id") ?? headers.get("x-request-id");
      return { ...reply, requestId: requestId ?? reply.requestId };
    },
  };
}

/** Equivalent HTTP status of Anthropic's error types that come without a status. */
const STATUSES: Readonly<Record<string, number>> = {
  ["overloaded_error"]: 529,
  ["rate_limit_error"]: 429,
  ["api_error"]: 500,
};

/** Converts an error of an AI SDK package: an HTTP status, a broken connection, a missing setting, or an error part in the stream. */
function sdkError(error: unknown, endpoint: Endpoint): unknown {
  if (!(error instanceof Error)) {
    const { error: inner = error } = Object(error);
    const { type, statusCode, code = statusCode, message = inner } = Object(inner);
    return reportedProblem({ message, type, code: STATUSES[type] ?? code }, endpoint);
  }
  // A package may wrap the error of a body or of a request, also more than once.
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) chain.push(at);
  const own = chain.find((each) => each instanceof ConveningError);
  if (own !== undefined) return own;
  const found = (key: string) =>
    chain.map((each) => Reflect.get(each, key)).find((each) => each !== undefined);
  // Ollama's client has its own name of the status.
  const status = found("statusCode") ?? found("status_code");
  if (typeof status !== "number" || status < 300) return packageError(error, chain, endpoint);
  const { code, type, param } = Object(found("data")?.error);
  const headers = new Headers(found("responseHeaders"));
  addWait(headers, `${found("responseBody")}`);
  return Object.assign(new Error(error.message), { status, headers, code, type, param });
}

/** Converts an error without the status of a failure: the package could not make the request, or not read the reply. */
function packageError(error: Error, chain: readonly Error[], endpoint: Endpoint): AgentError {
  const names = chain.map(({ name }) => name).join(" ");
  const said = shownText(error.message, endpoint.secrets);
  const failed = (code: AgentErrorCode, state: string, retryable: boolean, hint?: string) =>
    failure(code, { endpoint, state, retryable, cause: error, hint });
  if (/AI_Load\w+Error/.test(names) || /\bcredentials\b/i.test(said)) {
    // A provider of credentials may be a server that fails for a moment.
    return failed("agent_auth", said, chain.length > 1 || /\bcredential provider\b/.test(said));
  }
  if (/AI_(?:JSONParse|TypeValidation)Error|SyntaxError/.test(names)) {
    const state = "the reply is not of the form of the provider's protocol";
    const hint = "If the server also takes chat completions, use these, as with the adapter chat.";
    return failed("agent_bad_reply", state, true, hint);
  }
  if (/^AI_(?!APICall)/.test(names)) {
    return failed("agent_bad_reply", said, /^AI_(?:Empty|InvalidResponse|No(?!Such))/.test(names));
  }
  return unreachable(error, endpoint);
}

interface Adapter {
  /** Package with its major version; neither in the import map nor in the lock file of this project. */
  readonly specifier: string;
  /** Row of the provider's server in the table of profiles. */
  readonly server: string;
  /** Wire format, as in profiles. */
  readonly api: Profile["api"];
  /** Converts a configured base URL to the one that the package takes. @default the same */
  readonly address?: (baseUrl: string) => string;
  /** Name of the package's factory function. */
  readonly factory: string;
}

/** Values of the setting `adapter`, except `chat`, which needs no package. */
const ADAPTERS = {
  anthropic: {
    specifier: "npm:@ai-sdk/anthropic@4",
    server: "anthropic",
    api: "messages",
    factory: "createAnthropic",
  },
  gemini: {
    specifier: "npm:@ai-sdk/google@4",
    server: "google",
    api: "gemini",
    address: (baseUrl) => baseUrl.replace(/\/openai\/?$/, ""),
    factory: "createGoogleGenerativeAI",
  },
  responses: {
    specifier: "npm:@ai-sdk/openai@4",
    server: "openai",
    api: "responses",
    factory: "createOpenAI",
  },
} satisfies Readonly<Record<AdapterName, Adapter>>;

/** Returns the adapter for a profile's wire format; undefined for `chat`. */
export function adapterFor(api: Profile["api"]): AdapterName | undefined {
  return (Object.keys(ADAPTERS) as AdapterName[]).find((name) => ADAPTERS[name].api === api);
}

interface AdapterOptions extends OpenAIAgentOptions {
  readonly baseUrl: string;
  readonly importPackage?: ImportPackage | undefined;
}

/**
 * Creates an agent that uses a provider's own protocol through the adapter's package. If the package cannot be loaded, `check`,
 * `load` and `reply` reject with a `ConfigurationError`.
 */
export function adapterAgent(name: AdapterName, options: AdapterOptions): Agent {
  const adapter: Adapter = ADAPTERS[name];
  // The specifier is a variable, so that no tool downloads the package in advance.
  const { model, baseUrl, apiKey, headers = {}, maxReplyBytes: maxBytes = REPLY_BYTES } = options;
  const { importPackage = (specifier) => import(specifier) } = options;
  const limit = { endpoint: endpointOf(options), maxBytes };
  const create = async () => {
    const module = await importPackage(adapter.specifier).catch((cause) => {
      const [reason] = errorMessage(cause).split("\n");
      throw new ConfigurationError(
        `Cannot use model "${limit.endpoint.model}": the package ${adapter.specifier} could not be loaded, ${reason}`,
        {
          field: "model",
          cause,
          hint:
            "Start once with a connection to the npm registry, without --frozen and --cached-only; the package is kept from then on.",
        },
      );
    });
    const baseURL = (adapter.address?.(baseUrl) ?? baseUrl).replace(/\/+$/, "");
    const extra = options.profile?.["extraBody"];
    const fetch: typeof globalThis.fetch = async (url, init) =>
      bounded(await fetchBounded(options, url, withExtraBody(init, extra)), limit);
    // Without a key the package would read one from the environment.
    const settings = { baseURL, apiKey: apiKey ?? "none", headers, fetch };
    const provider = module[adapter.factory](settings);
    return name === "responses" ? provider.responses(model) : provider(model);
  };
  return new ServedAgent(sdkProtocol(create, { ...limit, sendsExtraBody: true }), {
    ...options,
    endpoint: limit.endpoint,
    source: { model, url: baseUrl },
    provider: adapter.server,
    // The adapter determines the wire format. The Responses API allows tools together with reasoning.
    profile: {
      ...(name === "responses" ? { toolsWithReasoning: true } : {}),
      ...options.profile,
      api: adapter.api,
    },
  });
}

/** Adds fields to a request's JSON body; the package's own fields take precedence. */
function withExtraBody(init: RequestInit | undefined, extra: unknown): RequestInit | undefined {
  if (extra === undefined || typeof init?.body !== "string") return init;
  return { ...init, body: JSON.stringify(merged(extra, JSON.parse(init.body))) };
}
