// The client of an OpenAI-compatible server: options, headers and keys, bounded errors, and failures without secrets.
import type OpenAI from "openai";
import {
  AgentError,
  type AgentErrorCode,
  type AgentErrorDetail,
  ConfigurationError,
} from "../core/error.ts";
import { bodyText, oneLine } from "../core/text.ts";

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
  { fetch = globalThis.fetch }: OpenAIAgentOptions,
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
  { apiKey, apiKeyEnv = "the API key", headers = {} }: OpenAIAgentOptions,
): void {
  const refused = (problem: string) =>
    new ConfigurationError(problem, { hint: "Give the value alone, without line breaks." });
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw refused(`Cannot use ${apiKeyEnv}: it is empty or holds characters that no key has`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\t\x20-\x7e]*$/.test(value)) continue;
    throw refused(`Cannot send header "${name}": its value holds characters that no header has`);
  }
}

/** Secrets that no message may show: the key, long words of headers, the query of a base URL. */
function secretsOf({ apiKey = "", headers = {}, baseUrl = "" }: OpenAIAgentOptions): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(" "));
  const query = URL.parse(baseUrl)?.search.slice(1) ?? "";
  return [apiKey, ...words.filter((word) => word.length >= 8), query];
}

/** Provider and model, for messages that never hold a secret. */
export interface Endpoint {
  /** The model's name, as records show it. */
  readonly model: string;
  /** The provider's name, such as `OpenAI`. */
  readonly provider: string;
  /** The environment variable its key is read from. */
  readonly keyVariable?: string | undefined;
  /** True if a key is sent. */
  readonly hasKey: boolean;
  /** Milliseconds that the provider may ask to wait; a longer wait is not retried. @default any */
  readonly maxWait?: number | undefined;
  /** Texts that must not reach a message: keys, authorisation headers. */
  readonly secrets: readonly string[];
}

/** The parts of an SDK error this module reads; the SDK's classes are not loaded for it. */
export interface StatusError extends Error {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly code?: string | number | null | undefined;
  readonly type?: string | null | undefined;
  readonly param?: unknown;
}

/** Error of a provider in the body of a reply or of a chunk. */
export interface ProviderProblem {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
}

/** An agent's failure whose message names the model and the provider, and holds no secret. */
export function failure(
  code: AgentErrorCode,
  { endpoint, state, ...detail }: AgentErrorDetail & {
    readonly endpoint: Endpoint;
    readonly state: string;
  },
): AgentError {
  const message = redact(
    `Cannot get a reply from ${endpoint.model} (${endpoint.provider}): ${state}`,
    endpoint.secrets,
  );
  const cause = detail.cause instanceof Error
    ? bareCause(detail.cause, endpoint.secrets)
    : undefined;
  return new AgentError(code, message, { ...detail, cause });
}

/** The failure an error of the SDK stands for; an error that is not the SDK's is given back as it is. */
export function asAgentError(error: unknown, endpoint: Endpoint): unknown {
  if (!(error instanceof Error) || error instanceof AgentError) return error;
  const { status } = error as StatusError;
  if (typeof status === "number") return ofStatus(error, { endpoint, status });
  return "headers" in error ? unreachable(error, endpoint) : error;
}

/** The failure behind a connection that broke or could not be made. */
export function unreachable(error: unknown, endpoint: Endpoint): AgentError {
  const root = deepest(error);
  const denied = root instanceof Deno.errors.NotCapable;
  return failure("agent_unreachable", {
    endpoint,
    state: `no connection, ${oneLine(root instanceof Error ? root.message : String(root), 300)}`,
    retryable: !denied,
    hint: denied
      ? "Allow the connection with --allow-net=HOST:PORT."
      : "Check that the server runs, and its address.",
    cause: error,
  });
}

/** The failure a provider reports inside a reply that had begun well. */
export function reportedProblem(problem: ProviderProblem, endpoint: Endpoint): AgentError {
  const given = problem.code ?? problem.type;
  const code = typeof given === "string" || typeof given === "number" ? `${given}` : "";
  const text = typeof problem.message === "string" ? problem.message : JSON.stringify(problem);
  const status = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  const error = Object.assign(new Error(text), { code });
  if (status !== undefined) return ofStatus(error, { endpoint, status });
  if (code === "insufficient_quota" || code.startsWith("rate_limit")) {
    return ofStatus(error, { endpoint, status: 429 });
  }
  return failure("agent_unreachable", {
    endpoint,
    state: `the provider broke off, ${oneLine(text, 300)}`,
    retryable: true,
  });
}

/** True if a provider refused a request for its contents, not for its sender or its rate. */
export function isRefusedRequest(error: unknown): error is StatusError {
  if (!(error instanceof Error)) return false;
  const { status } = error as StatusError;
  return status === 400 || status === 422;
}

function ofStatus(
  error: StatusError,
  { endpoint, status }: { readonly endpoint: Endpoint; readonly status: number },
): AgentError {
  const target = status >= 300 && status < 400 ? error.headers?.get("location") : undefined;
  if (typeof target === "string") {
    const shown = oneLine(target, 300);
    return failure("agent_bad_reply", {
      endpoint,
      state: `it redirects to ${shown} (status ${status}), and redirects are not followed`,
      status,
      retryable: false,
      hint:
        "Give the address it redirects to as the base URL, if prompts and the key may go there.",
      cause: error,
    });
  }
  const quota = [error.code, error.type].includes("insufficient_quota");
  const said = oneLine(error.message.replace(`${status} `, ""), 300);
  const code = codeOf(status);
  const wait = retryAfter(error.headers);
  return failure(code, {
    endpoint,
    state: `status ${status}, ${said}`,
    status,
    retryable: status >= 500 || [408, 409].includes(status) ||
      (status === 429 && !quota && (wait ?? 0) <= (endpoint.maxWait ?? Infinity)),
    retryAfter: wait,
    hint: hintOf(code, { endpoint, status, quota, wait }),
    cause: error,
  });
}

function codeOf(status: number): AgentErrorCode {
  if (status === 401 || status === 403) return "agent_auth";
  if (status === 429) return "agent_rate_limited";
  if (status === 408 || status === 504) return "agent_timeout";
  if (status === 409 || status >= 500) return "agent_unreachable";
  return "agent_bad_reply";
}

function hintOf(
  code: AgentErrorCode,
  { endpoint, status, quota, wait = 0 }: {
    readonly endpoint: Endpoint;
    readonly status: number;
    readonly quota: boolean;
    readonly wait: number | undefined;
  },
): string | undefined {
  if (code === "agent_auth") {
    const name = endpoint.keyVariable;
    if (name === undefined) return "Check the key this server asks for.";
    return endpoint.hasKey ? `Check the key in ${name}.` : `Set ${name} to a key of this server.`;
  }
  if (quota) return "Check the plan and the billing of the key's account.";
  if (code === "agent_rate_limited" && wait >= 60_000) {
    return `Resume after ${clockTime(wait)}.`;
  }
  if (code === "agent_rate_limited") return "Wait, or ask less at once.";
  if (status === 404) return "Check the model's name and the base URL.";
  return undefined;
}

/** The time of day after so many milliseconds, for readers. */
export function clockTime(ms: number): string {
  return `${new Date(Date.now() + ms).toISOString().slice(11, 16)} UTC`;
}

/** Milliseconds that a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const exact = number(headers?.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const text = headers?.get("retry-after");
  const seconds = number(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function number(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

function deepest(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}

/** The error beneath without its headers and bodies, which may repeat a key. */
function bareCause(error: Error, secrets: readonly string[]): Error {
  const cause = new Error(redact(error.message, secrets));
  cause.name = error.name === "Error" ? error.constructor.name : error.name;
  cause.stack = redact(error.stack ?? "", secrets);
  return cause;
}

/** The text without secrets. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => secret.length < 4 ? rest : rest.replaceAll(secret, "[key]"),
    text,
  );
}
