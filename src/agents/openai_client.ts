// The client of an OpenAI-compatible server: options, headers and keys, bounded errors, names for messages.
import type OpenAI from "openai";
import { bodyText } from "../core/body_text.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Endpoint } from "./openai_errors.ts";

/** Address of OpenAI's own models. */
export const OPENAI_URL = "https://api.openai.com/v1";

/** Milliseconds for one request and its whole reply. */
export const TOTAL_TIMEOUT = 300_000;
/** The most bytes of an error's body that are read. */
const ERROR_BYTES = 100_000;

/** Options of {@linkcode createOpenAIAgent}. */
export interface OpenAIAgentOptions {
  /** The model, as the server knows it. */
  readonly model: string;
  /** The model, as records show it. @default model */
  readonly name?: string | undefined;
  /** Address of the server, its `/v1` included. @default "https://api.openai.com/v1" */
  readonly baseUrl?: string | undefined;
  /** Sent as a bearer token; never part of a message. @default none is sent */
  readonly apiKey?: string | undefined;
  /** The provider's name in messages. @default "OpenAI" */
  readonly provider?: string | undefined;
  /** The environment variable of the key, for hints. @default none is named */
  readonly apiKeyEnv?: string | undefined;
  /** Milliseconds without a byte, from the request on and within the reply. @default 60000 */
  readonly idleTimeout?: number | undefined;
  /** Milliseconds for one request and its whole reply. @default 300000 */
  readonly totalTimeout?: number | undefined;
  /** The most bytes of a reply; a longer reply is `agent_bad_reply`. @default 4000000 */
  readonly maxReplyBytes?: number | undefined;
  /** The provider's name before the colon, which finds its profile. @default found by the base URL */
  readonly prefix?: string | undefined;
  /** Keys of the model's profile, as `providers.NAME.profile` has them, over what is known. @default none */
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
  /** Requests in flight at once to the server with this key, at most. @default the profile's limits, else 32 */
  readonly maxConcurrency?: number | undefined;
  /** Milliseconds that the server may ask to wait; a longer wait fails. @default 120000 */
  readonly maxWait?: number | undefined;
  /** Further headers; their values are never part of a message. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The client that sends requests; the package is loaded with the first one. */
export async function connect(options: OpenAIAgentOptions): Promise<OpenAI> {
  const { baseUrl = OPENAI_URL, apiKey, headers, totalTimeout = TOTAL_TIMEOUT } = options;
  const { OpenAI } = await import("openai");
  // The SDK would read undefined options from the environment.
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    timeout: Math.min(totalTimeout + 60_000, 2 ** 31 - 1),
    defaultHeaders: {
      ...(apiKey === undefined ? { authorization: null } : {}),
      ...headers,
    },
    fetch: (url, init) => fetchBounded(options, url, init),
  });
}

/** Follows no redirect, which would carry the prompt elsewhere; bounds the body of an error, which the SDK reads whole. */
export async function fetchBounded(
  { fetch = globalThis.fetch }: Pick<OpenAIAgentOptions, "fetch">,
  url: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.ok) return response;
  return new Response(await bodyText(response, ERROR_BYTES) || null, response);
}

/** The model and the server as errors name them. Refuses a key or a header that cannot be sent. */
export function endpointOf(options: OpenAIAgentOptions): Endpoint {
  checkHeaders(options);
  const { model, name = model, provider = "OpenAI", apiKey, apiKeyEnv } = options;
  return {
    model: name,
    provider,
    keyVariable: apiKeyEnv,
    hasKey: apiKey !== undefined,
    maxWait: options.maxWait,
    secrets: secretsOf(options),
  };
}

/** Refuses a key or a header that cannot be sent: the error met on sending it would show it. */
function checkHeaders(
  { apiKey, apiKeyEnv = "the API key", headers = {} }: Pick<
    OpenAIAgentOptions,
    "apiKey" | "apiKeyEnv" | "headers"
  >,
): void {
  const hint = "Give the value alone, without line breaks.";
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ConfigurationError(
      `Cannot use ${apiKeyEnv}: it is empty or holds characters that no key has`,
      { hint },
    );
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\t\x20-\x7e]*$/.test(value)) continue;
    throw new ConfigurationError(
      `Cannot send header "${name}": its value holds characters that no header has`,
      { hint },
    );
  }
}

/** Secrets that no message may show: the key, long words of headers, the query of a base URL. */
function secretsOf(
  { apiKey = "", headers = {}, baseUrl = OPENAI_URL }: Pick<
    OpenAIAgentOptions,
    "apiKey" | "headers" | "baseUrl"
  >,
): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(" "));
  return [
    apiKey,
    ...words.filter((word) => word.length >= 8),
    URL.parse(baseUrl)?.search.slice(1) ?? "",
  ];
}
