// Agents and embedders by the names of models.
import type { ProfileKeys } from "../core/profile.ts";
import type { Agent, ModelSource } from "../core/agent.ts";
import type { Embedder } from "../core/embedder.ts";
import { ConfigurationError } from "../core/error.ts";
import { type AddressSetting, checkKeyUse, type KeyRules } from "../core/key_rules.ts";
import { createHumanAgent } from "./human.ts";
import type { AdapterName, ImportPackage } from "./adapters.ts";
import { createOpenAIAgent } from "./openai.ts";
import { endpointOf, OPENAI_URL, type OpenAIAgentOptions } from "./openai_client.ts";
import type { ReplayAnswers } from "./replay/replay_agent.ts";
import { withCheck } from "./server_check.ts";
import { didYouMean } from "../core/near_word.ts";

/** A server that speaks OpenAI's chat completions, by its prefix: `PREFIX:MODEL`. */
export interface Provider {
  /** Address, its `/v1` included. */
  readonly baseUrl: string;
  /** The environment variable of its key. @default it needs none */
  readonly apiKeyEnv?: string | undefined;
  /** The package for the server's own protocol; `chat` is none. @default by the profile of each model */
  readonly adapter?: AdapterName | "chat" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
  readonly models?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly maxConcurrency?: number | undefined;
  readonly maxWait?: number | undefined;
}

/** A provider and its name in messages. */
export interface NamedProvider extends Provider {
  readonly label: string;
  /** A path that answers 401 for a wrong key, where the list of models does not. */
  readonly keyPath?: string | undefined;
}

/** Settings that names are resolved with. */
export interface AgentSettings extends KeyRules {
  /** Address of models without a prefix; takes precedence over `OPENAI_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The environment variables that were granted. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further providers, by prefix; one of a built-in name takes its place. */
  readonly providers?: Readonly<Record<string, Provider>> | undefined;
  /** Milliseconds without a byte of a reply. @default 60000 */
  readonly idleTimeout?: number | undefined;
  /** Milliseconds for one request and its whole reply. @default 300000 */
  readonly totalTimeout?: number | undefined;
  /** The most bytes of a reply; a longer reply fails as `agent_bad_reply`. @default 4000000 */
  readonly maxReplyBytes?: number | undefined;
  /** Milliseconds that a provider may ask to wait; a longer wait fails. @default 120000 */
  readonly maxWait?: number | undefined;
  /** Imports the package of an adapter. @default import() */
  readonly importPackage?: ImportPackage | undefined;
  /** Reads what `replay:DIR` answers from. @default `replay:` is refused */
  readonly replay?: ((dir: string) => Promise<ReplayAnswers>) | undefined;
}

/** The providers known by name. */
export const PROVIDERS = {
  anthropic: {
    label: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    apiKeyEnv: "ANTHROPIC_API_KEY",
    adapter: "anthropic",
  },
  google: {
    label: "Google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/",
    apiKeyEnv: "GOOGLE_API_KEY",
  },
  lmstudio: { label: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  llamacpp: { label: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  ollama: { label: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  vllm: { label: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
  openrouter: {
    label: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    apiKeyEnv: "OPENROUTER_API_KEY",
    keyPath: "key",
  },
} satisfies Readonly<Record<string, NamedProvider>>;

/** The environment variables that {@linkcode resolveAgent} reads for the built-in providers. */
export const AGENT_VARIABLES = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  ...Object.values(PROVIDERS).flatMap((provider) =>
    "apiKeyEnv" in provider ? [provider.apiKeyEnv] : []
  ),
] as const;

/** The name that the command line replaces by that of a model of its machine; with a base URL, a name of that server. */
export const LOCAL = "local";

/** The agents that are no server. */
const BUILT_IN = {
  offline: {
    usage: "offline",
    create: () => lazyAgent("offline", undefined, loadOffline),
  },
  human: { usage: "human", create: createHumanAgent },
  replay: { usage: "replay:DIR", rest: "DIR", create: replayAgent },
} satisfies Readonly<
  Record<
    string,
    {
      readonly usage: string;
      /** Text after the colon. @default none is allowed */
      readonly rest?: string;
      create(rest: string, settings: AgentSettings): Agent;
    }
  >
>;

type BuiltIn = keyof typeof BUILT_IN;

/** A name, taken apart: what is no server's stands by itself. */
export type Target =
  | { readonly type: "built-in"; readonly name: BuiltIn; readonly rest: string }
  | {
    readonly type: "server";
    readonly model: string;
    readonly provider: string;
    /** The name before the colon. @default none was given */
    readonly prefix?: string | undefined;
    /** The provider's entry in the configuration, or its built-in row. @default none */
    readonly provision?: Provider | undefined;
    readonly baseUrl: string;
    readonly apiKeyEnv: string | undefined;
    readonly keyPath?: string | undefined;
    readonly adapter?: Provider["adapter"];
    /** The setting that holds the address, and its configuration key. */
    readonly address: { readonly setting: AddressSetting; readonly field: string };
    /** True if the server is of no use without its key. */
    readonly hosted: boolean;
  };

/** A name that stands for a model of a server. */
export type ServerTarget = Extract<Target, { readonly type: "server" }>;

/**
 * The agent a name stands for: `gpt-4o-mini` and every other name without a known prefix (OpenAI, or the base URL),
 * `anthropic:model`, `openrouter:vendor/model`, `google:model`, `ollama:model`, a configured provider's `name:model`, `offline`, `replay:DIR`.
 *
 * With a base URL, `OPENAI_API_KEY` goes along with every request to it where it is set, as OpenAI-compatible tools
 * do: leave it unset, or set it to that server's key, where the server must not see it. Every other key goes to its
 * provider's own address; see {@linkcode KeyRules} for addresses of records and files.
 *
 * Fails with a `ConfigurationError`: an empty name, an unknown prefix, a hosted model without its key, a base URL that is
 * none, an address that may not get the key.
 */
export function resolveAgent(name: string, settings: AgentSettings): Agent {
  const target = targetOf(name, settings);
  if (target.type === "built-in") {
    return BUILT_IN[target.name].create(target.rest, settings);
  }
  const { apiKeyEnv, hosted, model, provider, baseUrl, keyPath, adapter } = target;
  const apiKey = keyFor(target, settings);
  if (hosted && apiKey === undefined) {
    throw new ConfigurationError(
      `Cannot use model "${name}": ${apiKeyEnv} is not set`,
      {
        field: "model",
        hint: `${
          didYouMean(name, Object.keys(BUILT_IN))
        }Set ${apiKeyEnv}, or use a local model (--base-url), or --model offline.`,
      },
    );
  }
  const agent = serverAgent(target, settings, {
    model,
    provider,
    baseUrl,
    name,
    apiKey,
    apiKeyEnv,
    idleTimeout: settings.idleTimeout,
    totalTimeout: settings.totalTimeout,
    maxReplyBytes: settings.maxReplyBytes,
    maxWait: target.provision?.maxWait ?? settings.maxWait,
    maxConcurrency: target.provision?.maxConcurrency,
    headers: headersOf(target, settings),
    profile: userKeys(target),
    prefix: target.prefix,
  });
  return withCheck(agent, { model, baseUrl, keyPath, apiKey, adapter });
}

/** The agent of a server: chat completions, or the protocol of the adapter that is named or that the model's profile asks for. */
function serverAgent(
  { adapter, baseUrl, prefix }: ServerTarget,
  { importPackage }: AgentSettings,
  options: OpenAIAgentOptions & { readonly name: string },
): Agent {
  if (adapter === "chat") return createOpenAIAgent(options);
  const { model, name } = options;
  // Errors of key and headers come at once.
  const chat = adapter === undefined ? createOpenAIAgent(options) : void endpointOf(options);
  return lazyAgent(name, { model, url: baseUrl }, async () => {
    const { profileOf } = await import("./profiles.ts");
    const user = { provider: options.profile as ProfileKeys | undefined };
    const { api } = profileOf({ model, baseUrl, provider: prefix, user }).profile;
    if (chat !== undefined && api === "chat") return chat;
    const { adapterAgent, adapterFor } = await import("./adapters.ts");
    const used = adapter ?? adapterFor(api)!;
    return adapterAgent(used, { ...options, baseUrl, importPackage });
  });
}

/** The model of embeddings where none is named. */
export const EMBEDDING_MODEL = "text-embedding-3-small";

/**
 * The embedder a model's name stands for: a name as {@linkcode resolveAgent} takes them, of a server. The name, the
 * address and the key are looked at when the embedder is first used or asked for readiness; what is wrong with them is a
 * `ConfigurationError` then.
 */
export function resolveEmbedder(name: string | undefined, settings: AgentSettings): Embedder {
  const model = name ?? EMBEDDING_MODEL;
  const load = async () => {
    const target = targetOf(model, settings);
    const refused = (state: string, hint: string) =>
      new ConfigurationError(`Cannot use embedding model "${model}": ${state}`, {
        field: "embeddingModel",
        hint: `${hint}, or find passages by keyword, which needs no model.`,
      });
    if (target.type === "built-in") {
      throw refused("it makes no embeddings", "Name a model of a server");
    }
    const { apiKeyEnv, hosted, ...server } = target;
    const apiKey = keyFor(target, settings);
    if (hosted && apiKey === undefined) {
      throw refused(
        `${apiKeyEnv} is not set`,
        `Set ${apiKeyEnv}, name a local model such as ollama:nomic-embed-text`,
      );
    }
    const { createOpenAIEmbedder } = await import("./openai_embeddings.ts");
    const { totalTimeout } = settings;
    return createOpenAIEmbedder({ ...server, name: model, apiKey, apiKeyEnv, totalTimeout });
  };
  let loading: Promise<Embedder> | undefined;
  let loaded: Embedder | undefined;
  const embedder = async () => loaded = await (loading ??= load());
  return {
    model,
    get source() {
      return loaded?.source;
    },
    ready: async () => void await embedder(),
    embed: async (texts, options) => await (await embedder()).embed(texts, options),
  };
}

/** The model where none is named: `gpt-4o-mini` with `OPENAI_API_KEY` or a base URL, else `offline`. */
export function defaultModel(settings: AgentSettings): string {
  const hasServer = baseUrlOf(settings) !== undefined ||
    variable("OPENAI_API_KEY", settings) !== undefined;
  return hasServer ? "gpt-4o-mini" : "offline";
}

/** A server that is reached, and the environment variable of the key that is sent there. */
export interface Server {
  readonly url: string;
  /** @default no key is sent */
  readonly apiKeyEnv?: string | undefined;
}

/** The server that the agent of this name reaches; undefined for one that reaches none. Fails as `resolveAgent` does. */
export function serverOf(name: string, settings: AgentSettings): Server | undefined {
  const target = targetOf(name, settings);
  if (target.type === "built-in") return undefined;
  const hasKey = keyFor(target, settings) !== undefined;
  return { url: target.baseUrl, apiKeyEnv: hasKey ? target.apiKeyEnv : undefined };
}

/** The key that goes to a server; refused where the server may not get it. */
function keyFor(
  { apiKeyEnv, baseUrl: url, address }: ServerTarget,
  settings: AgentSettings,
): string | undefined {
  const apiKey = apiKeyEnv === undefined ? undefined : variable(apiKeyEnv, settings);
  if (apiKeyEnv === undefined || apiKey === undefined) return undefined;
  const fromEnvironment = address.setting === "baseUrl"
    ? variable("OPENAI_BASE_URL", settings)
    : undefined;
  checkKeyUse({ url, variable: apiKeyEnv, ...address, fromEnvironment }, settings);
  return apiKey;
}

/** A name of an environment variable in the value of a header. */
const HEADER_VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g;

/** The environment variables that the headers of providers name. */
export function headerVariables(providers: AgentSettings["providers"] = {}): string[] {
  return Object.values(providers).flatMap(({ headers = {} }) =>
    Object.values(headers).flatMap((value) =>
      [...value.matchAll(HEADER_VARIABLE)].map(([, name]) => name!)
    )
  );
}

/** The provider's headers, with the values of environment variables; refused where a variable is not set, or may not be sent. */
function headersOf(
  { provision, baseUrl: url, address, prefix }: ServerTarget,
  settings: AgentSettings,
): Record<string, string> | undefined {
  if (provision?.headers === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(provision.headers).map(([header, value]) => [
      header,
      value.replaceAll(HEADER_VARIABLE, (_, name: string) => {
        const found = variable(name, settings);
        const field = `providers.${prefix}.headers.${header}`;
        if (found === undefined) {
          throw new ConfigurationError(`Cannot use ${field}: ${name} is not set`, {
            field,
            hint: `Set ${name}.`,
          });
        }
        checkKeyUse({ url, variable: name, ...address, fromEnvironment: undefined }, settings);
        return found;
      }),
    ]),
  );
}

/** The user's keys of the profile: those of the provider, and over them those of the model. */
export function userKeys(
  { provision, model }: ServerTarget,
): Readonly<Record<string, unknown>> | undefined {
  const { profile, models, extraBody } = provision ?? {};
  if (profile === undefined && models === undefined && extraBody === undefined) return undefined;
  const own = models !== undefined && Object.hasOwn(models, model) ? models[model] : {};
  const extra = extraBody && { extraBody: { ...Object(profile?.["extraBody"]), ...extraBody } };
  return { ...profile, ...extra, ...own };
}

/** The target that a name stands for. Fails with a `ConfigurationError` for an empty name and an unknown prefix. */
export function targetOf(name: string, settings: AgentSettings): Target {
  const colon = name.indexOf(":");
  const prefix = colon === -1 ? name : name.slice(0, colon);
  const rest = colon === -1 ? "" : name.slice(colon + 1);
  if (name.trim() === "") {
    throw unknownName(`Cannot use model "${name}": it has no name`, "", settings);
  }
  if (isBuiltIn(prefix) && (rest === "" || "rest" in BUILT_IN[prefix])) {
    return { type: "built-in", name: prefix, rest };
  }
  if (name === LOCAL && baseUrlOf(settings) === undefined) {
    throw new ConfigurationError('Cannot use model "local": no model of this machine is named', {
      field: "model",
      hint: "Name a model such as ollama:NAME, or use --model local on the command line.",
    });
  }
  if (colon === -1) return plainTarget(name, settings);
  const provider = providerOf(prefix, settings);
  if (provider !== undefined) {
    return serverTarget(provider, { prefix, model: rest });
  }
  // A tag of a local model (llama3.2:1b), or OpenAI's own name of a tuned one (ft:gpt-4o-mini:…).
  if (prefix === "ft" || baseUrlOf(settings) !== undefined) {
    return plainTarget(name, settings);
  }
  throw unknownName(
    `Cannot use model "${name}": there is no provider "${prefix}"`,
    prefix,
    settings,
  );
}

function isBuiltIn(prefix: string): prefix is BuiltIn {
  return Object.hasOwn(BUILT_IN, prefix);
}

function serverTarget(
  provision: NamedProvider,
  { prefix, model }: { readonly prefix: string; readonly model: string },
): Target {
  if (model.trim() === "") {
    throw new ConfigurationError(
      `Cannot use model "${prefix}:": no model is named after "${prefix}:"`,
      { field: "model" },
    );
  }
  const { label, baseUrl, apiKeyEnv, keyPath, adapter } = provision;
  const field = `providers.${prefix}.baseUrl`;
  return {
    type: "server",
    model,
    provider: label,
    prefix,
    provision,
    baseUrl: checkedUrl(baseUrl, field),
    apiKeyEnv,
    keyPath,
    adapter,
    address: { setting: "providers", field },
    hosted: apiKeyEnv !== undefined,
  };
}

function unknownName(
  message: string,
  prefix: string,
  settings: AgentSettings,
): ConfigurationError {
  return new ConfigurationError(message, {
    field: "model",
    hint: `${didYouMean(prefix, prefixes(settings))}Known are ${
      knownNames(settings)
    }; any other server needs a base URL or an entry under providers.`,
  });
}

/** Prefixes of names, and names without one that are no server's. */
function prefixes({ providers = {} }: AgentSettings): string[] {
  return [...Object.keys(BUILT_IN), ...Object.keys(PROVIDERS), ...Object.keys(providers)];
}

function plainTarget(model: string, settings: AgentSettings): Target {
  const given = baseUrlOf(settings);
  const baseUrl = checkedUrl(given ?? OPENAI_URL, "baseUrl");
  const openai = new URL(baseUrl).host === new URL(OPENAI_URL).host;
  return {
    type: "server",
    model,
    provider: openai ? "OpenAI" : new URL(baseUrl).host,
    baseUrl,
    apiKeyEnv: "OPENAI_API_KEY",
    address: { setting: "baseUrl", field: "baseUrl" },
    hosted: given === undefined,
  };
}

function providerOf(
  prefix: string,
  settings: AgentSettings,
): NamedProvider | undefined {
  const { providers = {} } = settings;
  if (Object.hasOwn(providers, prefix)) {
    return { label: prefix, ...providers[prefix]! };
  }
  return Object.hasOwn(PROVIDERS, prefix) ? PROVIDERS[prefix as keyof typeof PROVIDERS] : undefined;
}

function knownNames({ providers = {} }: AgentSettings): string {
  const prefixes = [
    ...new Set([...Object.keys(PROVIDERS), ...Object.keys(providers)]),
  ];
  return [
    "a plain name such as gpt-4o-mini",
    ...prefixes.map((prefix) => `${prefix}:MODEL`),
    ...Object.values(BUILT_IN).map(({ usage }) => usage),
  ].join(", ");
}

function baseUrlOf(settings: AgentSettings): string | undefined {
  return settings.baseUrl ?? variable("OPENAI_BASE_URL", settings);
}

function checkedUrl(url: string, field: string): string {
  const parsed = URL.parse(url);
  const problem = parsed === null || !/^https?:$/.test(parsed.protocol)
    ? "it is no http or https address"
    : parsed.username + parsed.password !== ""
    ? "it holds a user name or a password"
    : undefined;
  if (problem === undefined) return url;
  const shown = url.replace(/\/\/[^/@]*@/, "//…@");
  throw new ConfigurationError(`Cannot use base URL "${shown}": ${problem}`, {
    field,
    hint: "Give an address such as http://127.0.0.1:8080/v1, and keys in the environment.",
  });
}

/** A variable's value; an empty one counts as unset. */
function variable(name: string, { env }: AgentSettings): string | undefined {
  return env[name]?.trim() || undefined;
}

async function loadOffline(): Promise<Agent> {
  const { createOfflineAgent } = await import("./offline.ts");
  return createOfflineAgent();
}

function replayAgent(dir: string, { replay }: AgentSettings): Agent {
  if (dir.trim() === "") {
    throw new ConfigurationError(
      'Cannot use model "replay": no directory is named',
      { field: "model", hint: "Name one as replay:DIR." },
    );
  }
  if (replay === undefined) {
    throw new ConfigurationError(
      `Cannot use model "replay:${dir}": nothing here can read a directory`,
      { field: "model" },
    );
  }
  const folder = dir.split(/[/\\]/).filter((part) => part !== "").at(-1) ?? dir;
  const model = `replay:${folder}`;
  return lazyAgent(model, undefined, async () => {
    const { createReplayAgent } = await import("./replay.ts");
    return createReplayAgent(await replay(dir), { model, dir });
  });
}

/** An agent that is loaded when it is first asked; a failed load is tried again. Only an agent of a server is checked and has a window. */
function lazyAgent(
  model: string,
  source: ModelSource | undefined,
  load: () => Promise<Agent>,
): Agent {
  let loading: Promise<Agent> | undefined;
  const loaded = () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
  return {
    model,
    source,
    load: async (request) => await (await loaded()).load?.(request),
    cap: async (request) => await (await loaded()).cap?.(request),
    reply: async (request) => await (await loaded()).reply(request),
    ...(source === undefined ? {} : {
      check: async (signal) => await (await loaded()).check?.(signal),
      // If the agent cannot be loaded, its reply says why.
      window: () => loaded().then((agent) => agent.window?.(), () => undefined),
    }),
  };
}
