// Adapters: packages that speak a provider's own protocol, by name from a closed table, loaded only when one is used.
import type { Agent } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Profile } from "../core/profile.ts";
import { type LanguageModelOptions, SdkSender } from "./ai_sdk.ts";
import type { LanguageModelLike } from "./ai_sdk_wire.ts";
import { endpointOf, fetchBounded, type OpenAIAgentOptions } from "./openai_client.ts";
import type { AdapterName, ImportPackage } from "./registry.ts";
import { ServedAgent } from "./served_agent.ts";

/** Address and key of a provider, as the packages take them. */
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

/** A package, and the model that it makes. */
interface Adapter {
  /** The package with its major version; in no import map and no lock of this project. */
  readonly specifier: string;
  /** The row of the provider's own server in the table of profiles. */
  readonly server: string;
  /** The wire format that profiles name. */
  readonly api: Profile["api"];
  /** The address that the package takes, for a base URL of a configuration. @default the same */
  readonly address?: (baseUrl: string) => string;
  readonly create: (
    module: Module,
    connection: Connection,
    model: string,
  ) => LanguageModelLike;
}

/** The names that `adapter` takes, besides `chat`, which is no package. */
export const ADAPTERS = {
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

/** Options of {@linkcode adapterAgent}. */
export interface AdapterOptions
  extends Omit<OpenAIAgentOptions, "maxReplyBytes">, Omit<LanguageModelOptions, "provider"> {
  readonly baseUrl: string;
  /** @default `import()` */
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
