// Agents behind AI SDK language models: an instance of a program, or a package that is loaded by name when it is used.
import { z } from "zod";
import type { Agent, ChatMessage, ToolTrace } from "../core/agent.ts";
import { checkFields } from "../core/check_fields.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { type Profile, profileKeys } from "../core/profile.ts";
import {
  callOf,
  type LanguageModelLike,
  promptOf,
  type SdkMessage,
  type SdkReply,
  type StreamPart,
  StreamReader,
  toolMessages,
} from "./ai_sdk_wire.ts";
import {
  type Endpoint,
  endpointOf,
  failure,
  fetchBounded,
  type OpenAIAgentOptions,
  reportedProblem,
  unreachable,
} from "./openai_client.ts";
import type { CallingReply } from "./openai_tools.ts";
import type { AdapterName, ImportPackage } from "./registry.ts";
import {
  type Sender,
  type Sending,
  ServedAgent,
  type ServedReply,
  usageOf,
} from "./served_agent.ts";

const REPLY_CHARACTERS = 4_000_000;

/** Options of {@linkcode languageModel}. */
export interface LanguageModelOptions
  extends Pick<OpenAIAgentOptions, "profile" | "idleTimeout" | "totalTimeout"> {
  /** The provider's name for profile and price, such as `anthropic`. @default the instance's, up to its first `.` */
  readonly provider?: string | undefined;
  /** The model, as records show it. @default "PROVIDER:MODEL" */
  readonly name?: string | undefined;
  /** Requests in flight at once, at most. @default the limits of the profile, which provider and model id find, else 32 */
  readonly maxConcurrency?: number | undefined;
}

const OPTIONS = z.strictObject({
  provider: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  profile: profileKeys.optional(),
  idleTimeout: z.number().optional(),
  totalTimeout: z.number().optional(),
  maxConcurrency: z.number().optional(),
});

/**
 * An agent behind a language model of the AI SDK, such as `createAnthropic({ apiKey })("claude-opus-5-5")`. Written for
 * specification `v4`; models of older versions are taken as far as they are alike.
 *
 * The instance decides about key, address and headers. Fails as the agents of servers do: with an `AgentError` that names
 * model, provider and status, or with a `CancelledError`.
 */
export function languageModel(
  model: LanguageModelLike,
  given: LanguageModelOptions = {},
): Agent {
  const options = checkFields(given, OPTIONS, "options of languageModel");
  const provider = options.provider ?? model.provider.split(".")[0]!;
  const name = options.name ?? `${provider}:${model.modelId}`;
  const endpoint = { model: name, provider, hasKey: true, secrets: [] };
  const sender = new SdkSender(() => Promise.resolve(model), { endpoint, sendsExtraBody: false });
  const source = { model: model.modelId, provider };
  return new ServedAgent(sender, { ...options, endpoint, source, provider });
}

/** Sends calls of a language model that is loaded when it is first needed; a failed load is tried again. */
class SdkSender implements Sender<SdkMessage> {
  readonly needsParts = true;
  readonly #load: () => Promise<LanguageModelLike>;
  readonly #endpoint: Endpoint;
  readonly #sendsExtraBody: boolean;
  #loading: Promise<LanguageModelLike> | undefined;

  /** Without `sendsExtraBody` the further fields of the profile are noted. */
  constructor(
    load: () => Promise<LanguageModelLike>,
    { endpoint, sendsExtraBody }: { readonly endpoint: Endpoint; readonly sendsExtraBody: boolean },
  ) {
    this.#load = load;
    this.#endpoint = endpoint;
    this.#sendsExtraBody = sendsExtraBody;
  }

  load(): Promise<LanguageModelLike> {
    return this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
  }

  prompt(messages: readonly ChatMessage[], profile: Profile): SdkMessage[] {
    return promptOf(messages, profile);
  }

  async send(
    { messages, request, mayCall, onText, profile, plan, limiter, deadline }: Sending<SdkMessage>,
  ): Promise<ServedReply> {
    const model = await this.load();
    const endpoint = this.#endpoint;
    const reader = new StreamReader(onText);
    const { schema, tools = [], keepReasoning = false } = request;
    const version = model.specificationVersion;
    const { signal } = deadline;
    if (!this.#sendsExtraBody && profile.extraBody !== undefined) {
      request.onNote?.({
        type: "parameter_dropped",
        parameter: "extraBody",
        asked: profile.extraBody,
        because: "the instance of the model makes the requests itself",
      });
    }
    const parts = { version, messages, schema, tools, mayCall, plan, profile, keepReasoning };
    const call = callOf({ ...parts, signal });
    let reply: SdkReply;
    try {
      const { stream, response } = await model.doStream(call as never);
      limiter.heed(new Headers(response?.headers));
      for await (const part of stream) {
        deadline.touch();
        reader.take(part as StreamPart);
        if (reader.size > REPLY_CHARACTERS) {
          throw failure("agent_bad_reply", {
            endpoint,
            state: `the reply has more than ${REPLY_CHARACTERS} characters`,
            retryable: false,
          });
        }
      }
      reply = reader.reply();
    } catch (error) {
      throw sdkError(error, endpoint);
    }
    for (const { setting, because } of reply.warnings) {
      const asked = Reflect.get(call, setting) ?? true;
      request.onNote?.({ type: "parameter_dropped", parameter: setting, asked, because });
    }
    return { ...reply, refusal: "", usage: await usageOf(reply, request.messages) };
  }

  afterTools({ toolCalls, parts = [] }: CallingReply, traces: readonly ToolTrace[]): SdkMessage[] {
    return toolMessages(parts, { toolCalls, traces });
  }
}

/** The names of Anthropic's errors without a status of their own, with the status that they stand for. */
const STATUSES: Readonly<Record<string, number>> = {
  ["overloaded_error"]: 529,
  ["rate_limit_error"]: 429,
  ["api_error"]: 500,
};

/** The failure that an error of a package stands for: a status, a broken connection, or an error within the stream. */
function sdkError(error: unknown, endpoint: Endpoint): unknown {
  if (error instanceof ConveningError) return error;
  if (!(error instanceof Error)) {
    const { error: inner = error } = (error ?? {}) as { readonly error?: unknown };
    const { type, code, message } = (inner ?? {}) as Record<string, unknown>;
    return reportedProblem({ message, type, code: STATUSES[`${type}`] ?? code }, endpoint);
  }
  const { statusCode, responseHeaders, data } = error as {
    readonly statusCode?: number;
    readonly responseHeaders?: Record<string, string>;
    readonly data?: { readonly error?: Record<string, unknown> };
  };
  if (statusCode === undefined || statusCode < 300) return unreachable(error, endpoint);
  const { code, type, param } = data?.error ?? {};
  return Object.assign(new Error(error.message), {
    status: statusCode,
    headers: new Headers(responseHeaders),
    code,
    type,
    param,
  });
}

interface Connection {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

/** A provider of a package: a model by name, and those of further protocols. */
type Provider =
  & ((model: string) => LanguageModelLike)
  & { readonly responses: (model: string) => LanguageModelLike };

/** The functions of the packages that make providers; each package has its own. */
type Module = Readonly<
  Record<
    "createAnthropic" | "createGoogleGenerativeAI" | "createOpenAI",
    (connection: Connection) => Provider
  >
>;

interface Adapter {
  /** The package with its major version; in no import map and no lock of this project. */
  readonly specifier: string;
  /** The row of the provider's own server in the table of profiles. */
  readonly server: string;
  /** The wire format that profiles name. */
  readonly api: Profile["api"];
  /** The address that the package takes, for a base URL of a configuration. @default the same */
  readonly address?: (baseUrl: string) => string;
  readonly create: (module: Module, connection: Connection, model: string) => LanguageModelLike;
}

/** The names that `adapter` takes, besides `chat`, which is no package. */
const ADAPTERS = {
  anthropic: {
    specifier: "npm:@ai-sdk/anthropic@4",
    server: "anthropic",
    api: "messages",
    create: ({ createAnthropic }, connection, model) => createAnthropic(connection)(model),
  },
  gemini: {
    specifier: "npm:@ai-sdk/google@4",
    server: "google",
    api: "gemini",
    address: (baseUrl) => baseUrl.replace(/\/openai\/?$/, ""),
    create: ({ createGoogleGenerativeAI }, connection, model) =>
      createGoogleGenerativeAI(connection)(model),
  },
  responses: {
    specifier: "npm:@ai-sdk/openai@4",
    server: "openai",
    api: "responses",
    create: ({ createOpenAI }, connection, model) => createOpenAI(connection).responses(model),
  },
} satisfies Readonly<Record<AdapterName, Adapter>>;

/** The adapter for the wire format of a profile; undefined for `chat`. */
export function adapterFor(api: Profile["api"]): AdapterName | undefined {
  return (Object.keys(ADAPTERS) as AdapterName[]).find((name) => ADAPTERS[name].api === api);
}

interface AdapterOptions extends OpenAIAgentOptions {
  readonly baseUrl: string;
  readonly importPackage?: ImportPackage | undefined;
}

/**
 * An agent that speaks a provider's own protocol through the adapter's package. A package that cannot be loaded is a
 * `ConfigurationError` of `check`, `load` and `reply`.
 */
export function adapterAgent(name: AdapterName, options: AdapterOptions): Agent {
  const adapter: Adapter = ADAPTERS[name];
  const { model, baseUrl, apiKey, headers = {}, importPackage = importNow } = options;
  const create = async () => {
    const module = await importPackage(adapter.specifier).catch((error) => {
      throw notLoaded(error, { name: options.name ?? model, specifier: adapter.specifier });
    });
    const baseURL = (adapter.address?.(baseUrl) ?? baseUrl).replace(/\/+$/, "");
    // A key left out would be looked up in the environment.
    const connection = { baseURL, apiKey: apiKey ?? "none", headers };
    const extra = options.profile?.["extraBody"];
    const fetch: typeof globalThis.fetch = (url, init) =>
      fetchBounded(options, url, withExtraBody(init, extra));
    return adapter.create(module as Module, { ...connection, fetch }, model);
  };
  const endpoint = endpointOf(options);
  return new ServedAgent(new SdkSender(create, { endpoint, sendsExtraBody: true }), {
    ...options,
    endpoint,
    source: { model, url: baseUrl },
    provider: adapter.server,
    // The wire format is the adapter's, whatever else is known of the model; Responses takes tools beside reasoning.
    profile: {
      ...(name === "responses" ? { toolsWithReasoning: true } : {}),
      ...options.profile,
      api: adapter.api,
    },
  });
}

/** The request with further fields in its JSON; the package's own fields go over them. */
function withExtraBody(init: RequestInit | undefined, extra: unknown): RequestInit | undefined {
  if (extra === undefined || typeof init?.body !== "string") return init;
  return { ...init, body: JSON.stringify(merged(extra, JSON.parse(init.body))) };
}

/** The keys of two values, where both are objects; else the second value. */
function merged(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above;
  const all: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    all[key] = Object.hasOwn(below, key) ? merged(below[key], value) : value;
  }
  return all;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A variable specifier: no tool that reads the sources downloads the package beforehand. */
const importNow: ImportPackage = (specifier) => import(specifier);

function notLoaded(
  error: unknown,
  { name, specifier }: { readonly name: string; readonly specifier: string },
): ConfigurationError {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  return new ConfigurationError(
    `Cannot use model "${name}": the package ${specifier} could not be loaded, ${reason}`,
    {
      field: "model",
      cause: error,
      hint:
        "Start once with a connection to the npm registry, without --frozen and --cached-only; the package is kept from then on.",
    },
  );
}
