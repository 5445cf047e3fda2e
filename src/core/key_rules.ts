// Settings with which servers of models are reached, and rules for the addresses that an API key may be sent to.
import { cannotUse } from "./error.ts";

/** Setting that contains server addresses. */
export type AddressSetting = "baseUrl" | "providers" | "searchUrl";
/** All settings that contain server addresses. */
export const ADDRESS_SETTINGS: readonly AddressSetting[] = ["baseUrl", "providers", "searchUrl"];

/** Rules for sending API keys from the environment. */
export interface KeyRules {
  /** Hosts that may receive any key, as `host` or `host:port`. @default none */
  readonly allowBaseUrls?: readonly string[] | undefined;
  /**
   * Settings that come from a record or from another person's file; keys go to their addresses only if `allowBaseUrls`
   * contains the host. @default none; in `resume`, `judge` and runs of a study's folder, all recorded settings
   */
  readonly untrusted?: readonly AddressSetting[] | undefined;
}

/** Configuration of a provider of models. */
export interface ProviderConfig {
  /** Base URL, including `/v1`. @default that of the built-in provider of this name */
  readonly baseUrl?: string | undefined;
  /** Environment variable of the API key. @default the built-in provider's, if `baseUrl` is absent; else no key is sent */
  readonly apiKeyEnv?: string | undefined;
  /** Additional headers by name; `${NAME}` stands for an environment variable. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Additional fields of every request. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Protocol: OpenAI's chat completions, or a package for the provider's own. @default by the profile of each model */
  readonly adapter?: "chat" | "anthropic" | "gemini" | "responses" | undefined;
  /** Profile keys of all models. @default as known of the server and model */
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
  /** Profile keys by model. @default none */
  readonly models?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Maximum number of concurrent requests. @default the profile's, else 32 */
  readonly maxConcurrency?: number | undefined;
  /** Maximum `Retry-After` of the provider, in milliseconds. @default `retry.maxRetryAfter` */
  readonly maxWait?: number | undefined;
}

/** Retries of failed requests. */
export interface RetryOptions {
  /** Maximum number of retries, 0 to 10; rate limits use none. @default 4 */
  readonly retries?: number | undefined;
  /** Milliseconds before the first retry. @default 1000 */
  readonly minWait?: number | undefined;
  /** Maximum milliseconds between retries. @default 30000 */
  readonly maxWait?: number | undefined;
  /** Maximum `Retry-After` that is waited for, in milliseconds; 0 fails at once. @default 120000 */
  readonly maxRetryAfter?: number | undefined;
}

/** Settings with which a model's name becomes an agent. */
export interface AgentSettings extends KeyRules {
  /** URL of a server with OpenAI's protocol, for models without a provider prefix. @default `OPENAI_BASE_URL` */
  readonly baseUrl?: string | undefined;
  /** Additional providers by name; an entry with the name of a built-in one replaces it if it has a `baseUrl`, else extends it. */
  readonly providers?: Readonly<Record<string, ProviderConfig>> | undefined;
  /** Retries of failed requests. */
  readonly retry?: RetryOptions | undefined;
  /** Milliseconds without streamed text after which a request fails. @default 60000; `totalTimeout` for LM Studio, Ollama, llama.cpp, vLLM and models that reason */
  readonly idleTimeout?: number | undefined;
  /** Maximum duration of a complete answer, in milliseconds. @default 300000 */
  readonly totalTimeout?: number | undefined;
  /** Maximum size of a reply in bytes; a longer reply fails with `agent_bad_reply`. @default 4000000 */
  readonly maxReplyBytes?: number | undefined;
  /** Reads an environment variable. @default the environment of the process, if permitted */
  readonly env?: ((name: string) => string | undefined) | undefined;
}

/** Options of functions that ask a model, for {@linkcode refuseUnknownOptions}. */
export const AGENT_SETTINGS: { readonly [K in keyof AgentSettings | "signal"]: boolean } = {
  signal: true,
  allowBaseUrls: true,
  untrusted: true,
  baseUrl: true,
  providers: true,
  retry: true,
  idleTimeout: true,
  totalTimeout: true,
  maxReplyBytes: true,
  env: true,
};

/** Addresses and environment of the models of this process. */
export interface ServerModels extends Pick<AgentSettings, "baseUrl" | "providers" | "env"> {
  /** Model of each role without a model of its own. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  readonly model?: string | undefined;
}

/**
 * Returns the model addresses of the process. Spread last over the configuration of a client or a record, they keep the
 * process's API keys from going to an address that a client or a file names.
 */
export function addressesOf(
  { baseUrl, providers }: ServerModels,
): Pick<AgentSettings, "baseUrl" | "providers"> {
  return { baseUrl, providers };
}

/** Origin that the key of a built-in provider belongs to, by environment variable. */
const HOMES: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "https://api.anthropic.com",
  OPENAI_API_KEY: "https://api.openai.com",
  OPENROUTER_API_KEY: "https://openrouter.ai",
  GOOGLE_API_KEY: "https://generativelanguage.googleapis.com",
  TAVILY_API_KEY: "https://api.tavily.com",
};

interface KeyUse {
  readonly url: string;
  /** Environment variable of the key. */
  readonly variable: string;
  readonly setting: AddressSetting;
  /** Configuration key of the address, for errors. */
  readonly field: string;
  /** Address that the environment sets for the key. */
  readonly fromEnvironment?: string | undefined;
}

/**
 * Allows a key to be sent only to its provider's own address, to the address that the user set with the key, or to a host
 * of `allowBaseUrls`. Otherwise throws a `ConfigurationError` that names the destination.
 */
export function checkKeyUse(
  { url, variable, setting, field, fromEnvironment }: KeyUse,
  rules: KeyRules,
): void {
  const { origin, host } = new URL(url);
  const home = HOMES[variable];
  if (origin === home || isAllowedHost(url, rules)) return;
  if (fromEnvironment !== undefined && hostOf(fromEnvironment) === host) return;
  const isTrusted = rules.untrusted?.includes(setting) !== true;
  // An entry of `providers` may use its own key, but not the key of a built-in provider.
  if (isTrusted && (setting !== "providers" || home === undefined)) return;
  const why = isTrusted
    ? `that key belongs to ${URL.parse(home!)?.host}`
    : "the address comes from a file or a record";
  const hint =
    `Allow it with --allow-base-url ${host} (in a program: allowBaseUrls), or unset ${variable}.`;
  throw cannotUse(field, `${variable} would be sent to ${host}, and ${why}`, hint);
}

export function isAllowedHost(url: string, { allowBaseUrls = [] }: KeyRules): boolean {
  return allowBaseUrls.some((each) => hostOf(each) === hostOf(url));
}

/** True for a text that begins like an http or https address. */
export function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text);
}

/** Returns the problem of a server's URL; undefined for an http or https address without a password. */
export function addressProblem(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) return "it is not an http or https address";
  const holdsPassword = url.username + url.password !== "";
  return holdsPassword ? "it holds a user name or a password" : undefined;
}

/** Returns the host and the port of a URL, as permissions name them. */
export function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** Returns true if a URL points to this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}

/** Returns the host of a URL or of `host:port`; undefined for another text. */
export function hostOf(text: string): string | undefined {
  return URL.parse(text.includes("://") ? text : `https://${text}`)?.host;
}
