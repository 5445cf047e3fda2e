// Resolves the names of models to targets: servers with base URLs, keys and headers, or built-in agents.
import { cannotUse, ConfigurationError } from "../core/error.ts";
import {
  type AddressSetting,
  type AgentSettings,
  checkKeyUse,
  type ProviderConfig,
} from "../core/key_rules.ts";
import { didYouMean } from "../core/text.ts";
import { mapValues } from "../core/values.ts";
import { checkedUrl, OPENAI_URL } from "./openai_client.ts";
import type { ReplayAnswers } from "./replay/recording.ts";

/** Protocols other than OpenAI's chat completions, each with its own package. */
export type AdapterName = "anthropic" | "gemini" | "responses";

export type ImportPackage = (specifier: string) => Promise<unknown>;

interface NamedProvider extends ProviderConfig {
  /** Base URL, including `/v1`. */
  readonly baseUrl: string;
  readonly label: string;
  /** Path that answers 401 for a wrong key, for a provider whose list of models needs no key. */
  readonly keyPath?: string | undefined;
}

/** Settings for resolving model names. */
export interface RegistrySettings extends AgentSettings {
  /** Imports the package of an adapter. @default import() */
  readonly importPackage?: ImportPackage | undefined;
  /** Reads the record of `replay:DIR`; absent only where no agent is created. */
  readonly replay?: ((dir: string) => Promise<ReplayAnswers>) | undefined;
  /** Prefixes of the program's own providers, for hints. @default none */
  readonly own?: readonly string[] | undefined;
}

/** Built-in providers by prefix. */
export const PROVIDERS = {
  openai: { label: "OpenAI", baseUrl: OPENAI_URL, apiKeyEnv: "OPENAI_API_KEY" },
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
  // llama.cpp's default port since the autumn of 2026.
  "llama-server": { label: "llama.cpp", baseUrl: "http://127.0.0.1:9931/v1" },
  ollama: { label: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  vllm: { label: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
  openrouter: {
    label: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    apiKeyEnv: "OPENROUTER_API_KEY",
    keyPath: "key",
  },
} satisfies Readonly<Record<string, NamedProvider>>;

/** Placeholder that the command line replaces by the name of a local model; with a base URL, an ordinary name of that server. */
export const LOCAL = "local";

/** Built-in agents and their syntax in help texts. */
const BUILT_INS = { offline: "offline", human: "human", client: "client", replay: "replay:DIR" };

/** Name of a built-in agent. */
export type BuiltIn = keyof typeof BUILT_INS;

/** A parsed model name. */
type Target =
  | { readonly type: "built-in"; readonly name: BuiltIn; readonly rest: string }
  | ServerTarget;

export interface ServerTarget extends NamedProvider {
  readonly type: "server";
  readonly model: string;
  /** Name of the provider before the colon. @default the model is one of the base URL, whose server may need no key */
  readonly prefix?: string | undefined;
}

/** Returns the default model: `gpt-4o-mini` with `OPENAI_API_KEY` or a base URL, else `offline`. */
export function defaultModel(settings: RegistrySettings): string {
  const hasServer = baseUrlOf(settings) !== undefined ||
    variable("OPENAI_API_KEY", settings) !== undefined;
  return hasServer ? "gpt-4o-mini" : "offline";
}

/** A server's URL, and the environment variable of the key that is sent to it, if any. */
export interface Server {
  readonly url: string;
  readonly apiKeyEnv?: string | undefined;
}

/** Returns the server of a model name; undefined for a built-in agent. Throws like `resolveAgent`. */
export function serverOf(name: string, settings: RegistrySettings): Server | undefined {
  const target = targetOf(name, settings);
  if (target.type === "built-in") return undefined;
  const hasKey = keyFor(target, settings) !== undefined;
  return { url: target.baseUrl, apiKeyEnv: hasKey ? target.apiKeyEnv : undefined };
}

/** Returns the key for a server. Throws a `ConfigurationError` if the server may not get the key. */
export function keyFor(target: ServerTarget, settings: RegistrySettings): string | undefined {
  const { apiKeyEnv, baseUrl: url } = target;
  const address = addressOf(target);
  const apiKey = apiKeyEnv === undefined ? undefined : variable(apiKeyEnv, settings);
  if (apiKeyEnv === undefined || apiKey === undefined) return undefined;
  const fromEnvironment = address.setting === "baseUrl"
    ? variable("OPENAI_BASE_URL", settings)
    : undefined;
  checkKeyUse({ url, variable: apiKeyEnv, ...address, fromEnvironment }, settings);
  return apiKey;
}

/** Returns the setting that holds the base URL, and its configuration key. */
function addressOf(
  { prefix }: ServerTarget,
): { readonly setting: AddressSetting; readonly field: string } {
  return prefix === undefined
    ? { setting: "baseUrl", field: "baseUrl" }
    : { setting: "providers", field: `providers.${prefix}.baseUrl` };
}

/** Matches `${NAME}`, an environment variable in the value of a header. */
const HEADER_VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g;

/** Returns the names of the environment variables that providers use for keys and in headers. */
export function keyVariables(providers: AgentSettings["providers"] = {}): string[] {
  const all: readonly ProviderConfig[] = [...Object.values(PROVIDERS), ...Object.values(providers)];
  const headers = all.flatMap(({ headers = {} }) => Object.values(headers));
  return [
    ...all.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []),
    ...headers.flatMap((value) => [...value.matchAll(HEADER_VARIABLE)].map(([, name]) => name!)),
  ];
}

/** Returns the provider's headers with environment variables expanded. Throws for a variable that is unset or may not be sent. */
export function headersOf(
  target: ServerTarget,
  settings: RegistrySettings,
): Record<string, string> | undefined {
  const { headers, baseUrl: url, prefix } = target;
  return headers &&
    mapValues(headers, (value, header) =>
      value.replaceAll(HEADER_VARIABLE, (_, name: string) => {
        const found = variable(name, settings);
        const field = `providers.${prefix}.headers.${header}`;
        if (found === undefined) throw cannotUse(field, `${name} is not set`, `Set ${name}.`);
        const use = { url, variable: name, ...addressOf(target), fromEnvironment: undefined };
        checkKeyUse(use, settings);
        return found;
      }));
}

/**
 * Returns the name that selects a server's row in the table of profiles: Anthropic's chat completions have a row of their own,
 * both ports of llama.cpp the same.
 */
export function profileRow({ prefix, adapter }: ServerTarget): string | undefined {
  if (prefix === "llama-server") return "llamacpp";
  return prefix === "anthropic" && adapter === "chat" ? "anthropic-openai" : prefix;
}

/** Returns the user's profile keys: those of the provider, overridden by those of the model. */
export function userKeys(
  { profile, models, extraBody, model }: ServerTarget,
): Readonly<Record<string, unknown>> | undefined {
  if (profile === undefined && models === undefined && extraBody === undefined) return undefined;
  const ofModel = models !== undefined && Object.hasOwn(models, model) ? models[model] : {};
  const extra = extraBody && { extraBody: { ...Object(profile?.["extraBody"]), ...extraBody } };
  return { ...profile, ...extra, ...ofModel };
}

/** Parses a model name. Throws a `ConfigurationError` for an empty name and for an unknown prefix. */
export function targetOf(name: string, settings: RegistrySettings): Target {
  const colon = name.indexOf(":");
  const prefix = colon === -1 ? name : name.slice(0, colon);
  const rest = colon === -1 ? "" : name.slice(colon + 1);
  if (name.trim() === "") {
    throw unknownName("it has no name", { name, prefix: "" }, settings);
  }
  if (isBuiltIn(prefix) && (rest === "" || BUILT_INS[prefix].includes(":"))) {
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
  if (provider !== undefined) return serverTarget(provider, { prefix, model: rest });
  // A colon also occurs in the tag of a local model (llama3.2:1b) and in OpenAI's names of fine-tuned models (ft:gpt-4o-mini:…).
  if (prefix === "ft" || baseUrlOf(settings) !== undefined) {
    return plainTarget(name, settings);
  }
  throw unknownName(`there is no provider "${prefix}"`, { name, prefix }, settings);
}

function isBuiltIn(prefix: string): prefix is BuiltIn {
  return Object.hasOwn(BUILT_INS, prefix);
}

function serverTarget(
  provider: NamedProvider,
  { prefix, model }: { readonly prefix: string; readonly model: string },
): ServerTarget {
  if (model.trim() === "") {
    throw new ConfigurationError(
      `Cannot use model "${prefix}:": no model is named after "${prefix}:"`,
      { field: "model" },
    );
  }
  checkedUrl(provider.baseUrl, `providers.${prefix}.baseUrl`);
  return { ...provider, type: "server", model, prefix };
}

function unknownName(
  state: string,
  { name, prefix }: { readonly name: string; readonly prefix: string },
  { providers = {}, own = [] }: RegistrySettings,
): ConfigurationError {
  const servers = [...new Set([...Object.keys(PROVIDERS), ...Object.keys(providers), ...own])];
  const known = [
    "a plain name such as gpt-4o-mini",
    ...servers.map((each) => `${each}:MODEL`),
    ...Object.values(BUILT_INS),
  ];
  return new ConfigurationError(`Cannot use model "${name}": ${state}`, {
    field: "model",
    hint: didYouMean(prefix, [...Object.keys(BUILT_INS), ...servers]) +
      `Known are ${
        known.join(", ")
      }; any other server needs a base URL or an entry under providers.`,
  });
}

/** Returns the target of a name without a prefix: a model of the base URL, else of OpenAI. */
export function plainTarget(model: string, settings: RegistrySettings): ServerTarget {
  const address = baseUrlOf(settings);
  if (address === undefined) {
    return serverTarget(providerOf("openai", settings)!, { prefix: "openai", model });
  }
  const baseUrl = checkedUrl(address, "baseUrl");
  const { host } = new URL(baseUrl);
  const label = host === new URL(OPENAI_URL).host ? "OpenAI" : host;
  return { type: "server", model, label, baseUrl, apiKeyEnv: "OPENAI_API_KEY" };
}

/** Returns the provider of a prefix; undefined if there is none. Throws a `ConfigurationError` for a provider without a base URL. */
export function providerOf(
  prefix: string,
  { providers = {} }: Pick<AgentSettings, "providers">,
): NamedProvider | undefined {
  const builtIn: NamedProvider | undefined = Object.hasOwn(PROVIDERS, prefix)
    ? PROVIDERS[prefix as keyof typeof PROVIDERS]
    : undefined;
  if (!Object.hasOwn(providers, prefix)) return builtIn;
  const { baseUrl = builtIn?.baseUrl, ...entry } = providers[prefix]!;
  if (baseUrl === undefined) {
    throw new ConfigurationError(`Cannot use the provider "${prefix}": it has no address`, {
      field: `providers.${prefix}.baseUrl`,
      hint: "Give an address such as http://127.0.0.1:8080/v1.",
    });
  }
  return providers[prefix]!.baseUrl === undefined
    ? { ...builtIn!, ...entry }
    : { label: prefix, ...entry, baseUrl };
}

function baseUrlOf(settings: RegistrySettings): string | undefined {
  return settings.baseUrl ?? variable("OPENAI_BASE_URL", settings);
}

/** Returns the value of an environment variable; undefined for an empty value. */
function variable(name: string, { env }: RegistrySettings): string | undefined {
  return env?.(name)?.trim() || undefined;
}
