// Rules on the addresses that a key may be sent to.
import { ConfigurationError } from "./error.ts";

/** A setting that holds addresses of servers. */
export type AddressSetting = "baseUrl" | "providers" | "searchUrl";
/** All of them. */
export const ADDRESS_SETTINGS: readonly AddressSetting[] = ["baseUrl", "providers", "searchUrl"];

/** Rules for sending keys of the environment to addresses. */
export interface KeyRules {
  /** Hosts that may get any key, as `host` or `host:port`. @default none */
  readonly allowBaseUrls?: readonly string[] | undefined;
  /**
   * Settings that come from a record or from a file of somebody else: no key goes to their addresses unless
   * `allowBaseUrls` names the host. @default none; in `resume` and `judge`, all that the record gives
   */
  readonly untrusted?: readonly AddressSetting[] | undefined;
}

/** The origins that the keys of built-in providers belong to. */
const HOMES: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "https://api.anthropic.com",
  OPENAI_API_KEY: "https://api.openai.com",
  OPENROUTER_API_KEY: "https://openrouter.ai",
  GOOGLE_API_KEY: "https://generativelanguage.googleapis.com",
  TAVILY_API_KEY: "https://api.tavily.com",
};

/** An address, and the key that would be sent there. */
interface KeyUse {
  readonly url: string;
  /** The environment variable of the key. */
  readonly variable: string;
  /** The setting that holds the address. */
  readonly setting: AddressSetting;
  /** The configuration key of the address, for errors. */
  readonly field: string;
  /** The address that the environment gives beside the key. */
  readonly fromEnvironment?: string | undefined;
}

/**
 * Refuses to send a key anywhere but to its provider's own address, an address that the user gave with the key, or a host
 * of `allowBaseUrls`. Throws a `ConfigurationError` that says where the key would have gone.
 */
export function checkKeyUse(
  { url, variable, setting, field, fromEnvironment }: KeyUse,
  { allowBaseUrls = [], untrusted = [] }: KeyRules,
): void {
  const { origin, host } = new URL(url);
  const home = HOMES[variable];
  if (origin === home || allowBaseUrls.some((each) => hostOf(each) === host)) return;
  if (fromEnvironment !== undefined && hostOf(fromEnvironment) === host) return;
  const isTrusted = !untrusted.includes(setting);
  // A provider's entry names its own key; that of a built-in provider belongs elsewhere.
  if (isTrusted && (setting !== "providers" || home === undefined)) return;
  const why = isTrusted
    ? `that key belongs to ${URL.parse(home!)?.host}`
    : "the address comes from a file or a record";
  throw new ConfigurationError(
    `Cannot use ${field}: ${variable} would be sent to ${host}, and ${why}`,
    {
      field,
      hint:
        `Allow it with --allow-base-url ${host} (in a program: allowBaseUrls), or unset ${variable}.`,
    },
  );
}

/** True for an address of a server that runs on this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}

/** The host of an address or a `host:port`. */
function hostOf(text: string): string | undefined {
  return URL.parse(text.includes("://") ? text : `https://${text}`)?.host;
}
