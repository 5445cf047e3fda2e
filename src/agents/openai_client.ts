// The client of an OpenAI-compatible server: options, checks of headers and keys, and conversion of errors without secrets.
import type OpenAI from "openai";
import {
  AgentError,
  type AgentErrorCode,
  type AgentErrorDetail,
  ConfigurationError,
  connectionProblem,
  isLoading,
} from "../core/error.ts";
import { retryAfter } from "../core/clock.ts";
import { addressProblem } from "../core/key_rules.ts";
import { bodyText, oneLine, statusText, withoutSecrets } from "../core/text.ts";
import { type JsonObject, objectIn } from "../core/values.ts";

/** Base URL of OpenAI. */
export const OPENAI_URL = "https://api.openai.com/v1";

/** Default timeout in milliseconds of a request with its whole reply. */
export const TOTAL_TIMEOUT = 300_000;
/** Default for the most bytes of a reply. */
export const REPLY_BYTES = 4_000_000;
/** The most bytes read of an error's body. */
const ERROR_BYTES = 100_000;

/** Options of {@linkcode createOpenAIAgent}. */
export interface OpenAIAgentOptions {
  /** The server's id of the model. */
  readonly model: string;
  /** Name of the model in records. @default model */
  readonly name?: string | undefined;
  /** Base URL of the server, including `/v1`. @default "https://api.openai.com/v1" */
  readonly baseUrl?: string | undefined;
  /** Sent as a bearer token; never part of a message. @default none is sent */
  readonly apiKey?: string | undefined;
  /** Name of the provider in messages. @default "OpenAI" */
  readonly provider?: string | undefined;
  /** Environment variable of the key, for hints. @default no variable is named */
  readonly apiKeyEnv?: string | undefined;
  /** Timeout in milliseconds without data, before and within the reply. @default 60000; `totalTimeout` for LM Studio, Ollama, llama.cpp, vLLM and models that reason */
  readonly idleTimeout?: number | undefined;
  /** Timeout in milliseconds of a request with its whole reply. @default 300000 */
  readonly totalTimeout?: number | undefined;
  /** The most bytes of a reply; a longer reply fails with `agent_bad_reply`. @default 4000000 */
  readonly maxReplyBytes?: number | undefined;
  /** Provider's name before the colon, which selects the profile. @default determined by the base URL */
  readonly prefix?: string | undefined;
  /** Keys of the model's profile, as in `providers.NAME.profile`; they override known values. @default none */
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
  /** The most concurrent requests to the server with this key. @default the limit of the profile, else 32 */
  readonly maxConcurrency?: number | undefined;
  /** The most milliseconds that the server may ask to wait; a longer wait fails the request. @default 120000 */
  readonly maxWait?: number | undefined;
  /** Additional headers; their values are never part of a message. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Creates the SDK's client; imports the package on first use. */
export async function connect(options: OpenAIAgentOptions): Promise<OpenAI> {
  const { baseUrl = OPENAI_URL, apiKey, headers, totalTimeout = TOTAL_TIMEOUT } = options;
  const { OpenAI } = await import("openai");
  // Set every option: the SDK reads undefined ones from the environment.
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
    // The types of newer versions of the SDK do not give the types of the parameters.
    fetch: (url: string | URL | Request, init?: RequestInit) => fetchBounded(options, url, init),
  });
}

/** Fetches without following redirects, which could leak the prompt; limits error bodies, which the SDK reads whole. */
export async function fetchBounded(
  { fetch = globalThis.fetch }: OpenAIAgentOptions,
  url: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.ok) return response;
  const body = await bodyText(response, ERROR_BYTES) ?? "";
  // Google sends a list with one error.
  const text = body.replace(/^\s*\[(.*)\]\s*$/s, "$1");
  const limited = new Response(text || null, response);
  addWait(limited.headers, text);
  return limited;
}

/** Adds the header `retry-after` if the body of an error names the wait, as Google does, or the time at which the wait ends, as OpenRouter does. */
export function addWait(headers: Headers, body: string): void {
  const [, wait] = /"retryDelay":\s*"([\d.]+)s"/.exec(body) ?? [];
  const [, end] = /"X-RateLimit-Reset":\s*"(\d{13})"/.exec(body) ?? [];
  const seconds = wait ?? (end && Math.max(0, (Number(end) - Date.now()) / 1000));
  if (seconds !== undefined && !headers.has("retry-after")) {
    headers.set("retry-after", `${seconds}`);
  }
}

/** Returns model and server for error messages. Throws a `ConfigurationError` for a base URL, key or header that cannot be used. */
export function endpointOf(options: OpenAIAgentOptions): Endpoint {
  checkedUrl(options.baseUrl ?? OPENAI_URL, "baseUrl");
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

/** Returns a base URL unchanged. Throws a `ConfigurationError` for one that is not http or https, or that holds a password. */
export function checkedUrl(url: string, field: string): string {
  const problem = addressProblem(URL.parse(url));
  if (problem === undefined) return url;
  const shown = url.replace(/\/\/[^/@]*@/, "//…@");
  throw new ConfigurationError(`Cannot use base URL "${shown}": ${problem}`, {
    field,
    hint: "Give an address such as http://127.0.0.1:8080/v1, and keys in the environment.",
  });
}

/** Throws for a key or header that cannot be sent, because the error of `fetch` would show the value. */
function checkHeaders(
  { apiKey, apiKeyEnv = "the API key", headers = {} }: OpenAIAgentOptions,
): void {
  const refused = (problem: string) =>
    new ConfigurationError(problem, { hint: "Give the value alone, without line breaks." });
  const isText = (value: unknown, pattern: RegExp) =>
    typeof value === "string" && pattern.test(value);
  if (apiKey !== undefined && !isText(apiKey, /^[\x21-\x7e]+$/)) {
    throw refused(`Cannot use ${apiKeyEnv}: it is empty or holds characters that no key has`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[-\w!#$%&'*+.^`|~]+$/.test(name)) {
      throw new ConfigurationError(`Cannot send header "${name}": no header has that name`, {
        hint: "Give a name such as X-Title.",
      });
    }
    if (isText(value, /^[\t\x20-\x7e]*$/)) continue;
    throw refused(`Cannot send header "${name}": its value holds characters that no header has`);
  }
}

/** Returns the texts to redact from messages: the key, words of headers from 8 characters on, the query of the base URL. */
function secretsOf({ apiKey = "", headers = {}, baseUrl = "" }: OpenAIAgentOptions): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(" "));
  const query = URL.parse(baseUrl)?.search.slice(1) ?? "";
  return [apiKey, ...words.filter((word) => word.length >= 8), query];
}

/** Provider and model for error messages, and the secrets to redact from them. */
export interface Endpoint {
  /** Name of the model in records. */
  readonly model: string;
  /** Name of the provider, such as `OpenAI`. */
  readonly provider: string;
  readonly keyVariable?: string | undefined;
  /** True if a key is sent. */
  readonly hasKey: boolean;
  /** The most milliseconds that the provider may ask to wait; a longer wait is not retried. @default unlimited */
  readonly maxWait?: number | undefined;
  /** Texts to redact: keys, values of headers. */
  readonly secrets: readonly string[];
}

/** The fields read of an SDK error; avoids loading the SDK's classes. */
export interface StatusError extends Error {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly code?: string | number | null | undefined;
  readonly type?: string | null | undefined;
  readonly param?: unknown;
  /** The body's `error`. */
  readonly error?: unknown;
}

/** Creates an error whose message names model and provider and contains no secrets. */
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
    ? safeCause(detail.cause, endpoint.secrets)
    : undefined;
  return new AgentError(code, message, { ...detail, cause });
}

/** Converts an error of the SDK to an `AgentError`; returns any other error unchanged. */
export function asAgentError(error: unknown, endpoint: Endpoint): unknown {
  if (!(error instanceof Error) || error instanceof AgentError) return error;
  const { status } = error as StatusError;
  if (typeof status === "number") return statusError(error, { endpoint, status });
  return "headers" in error ? unreachable(error, endpoint) : error;
}

/** Creates the error for a connection that failed or broke. */
export function unreachable(error: unknown, endpoint: Endpoint): AgentError {
  const { reason, ...problem } = connectionProblem(error, "HOST:PORT");
  return failure("agent_unreachable", {
    endpoint,
    state: `no connection, ${shownText(reason, endpoint.secrets)}`,
    ...problem,
    cause: error,
  });
}

/** Creates the error for a reply that ends before its end is announced. */
export function brokenOff(endpoint: Endpoint, usage?: AgentErrorDetail["usage"]): AgentError {
  const state = "the reply broke off before its end";
  return failure("agent_unreachable", { endpoint, state, retryable: true, usage });
}

/** Creates the error for a problem that a provider reports within a reply of status 200; the error of a filter is not converted. */
export function reportedProblem(problem: JsonObject, endpoint: Endpoint): Error {
  const { code: said, type, message } = problem;
  const given = said ?? type;
  const code = typeof given === "string" || typeof given === "number" ? `${given}` : "";
  const words = typeof message === "string" ? message : JSON.stringify(problem);
  const text = withCause(words, problem);
  const told = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  const isLimit = NO_QUOTA.test(code) || code.startsWith("rate_limit");
  // LM Studio reports a prompt that is too long, and a wrong path, within a reply of status 200, without a code.
  const status = told ?? (isLimit ? 429 : CONTEXT.test(text) ? 400 : undefined) ??
    (/^unexpected endpoint\b/i.test(text) ? 404 : undefined);
  const error = Object.assign(new Error(text), { code, error: problem });
  if (isFiltered(error)) return error;
  if (status !== undefined) return statusError(error, { endpoint, status });
  return failure("agent_unreachable", {
    endpoint,
    state: `the provider broke off, ${shownText(text, endpoint.secrets)}`,
    retryable: true,
  });
}

/** Matches an error about the context window. */
export const CONTEXT = /\b(?:context (?:size|window|length)|model length|n_ctx)\b/i;

/** Matches OpenRouter's error for a model without a provider that takes all parameters of a request; the error names none. */
export const UNROUTED = /\brequested parameters\b/i;

/** True if a provider rejected a request because of its contents: status 400 or 422, OpenRouter's 404, or a size above a limit per minute. */
export function isRefusedRequest(error: unknown): error is StatusError {
  const { status, message } = Object(error) as StatusError;
  const [, limit, asked] = /\bLimit (\d+), Requested (\d+)/.exec(message) ?? [];
  return status === 400 || status === 422 || status === 404 && UNROUTED.test(message) ||
    (status === 413 || status === 429) && Number(asked) > Number(limit);
}

/** Codes and words of filters, of Azure, OpenAI, Alibaba, Zhipu, DeepSeek, LiteLLM and xAI. */
const FILTERS =
  /^(?:content_filter|content_policy_violation|invalid_prompt|data_inspection_failed|1301)$|Content Exists Risk|ContentPolicyViolation|violates usage guidelines/;

/** True for the error of a filter that rejects a prompt or a reply: a code, a type or words, or the reasons of OpenRouter's moderation. */
export function isFiltered(error: unknown): error is StatusError {
  const { reasons } = objectIn(objectIn(Object(error).error)["metadata"]);
  return Array.isArray(reasons) || says(Object(error), FILTERS);
}

function says({ code, type, message }: StatusError, pattern: RegExp): boolean {
  return [code, type, message].some((each) => typeof each === "string" && pattern.test(each));
}

function statusError(
  error: StatusError,
  { endpoint, status }: { readonly endpoint: Endpoint; readonly status: number },
): AgentError {
  const target = status >= 300 && status < 400 ? error.headers?.get("location") : undefined;
  if (typeof target === "string") {
    const shown = shownText(target, endpoint.secrets);
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
  const quota = status === 402 || says(error, NO_QUOTA);
  const words = error.message.replace(`${status} `, "").replace("status code (no body)", "no body");
  const said = shownText(withCause(words, error.error), endpoint.secrets);
  const code = codeOf(status, said);
  const loadingWait = Math.min(LOADING_WAIT, endpoint.maxWait ?? LOADING_WAIT);
  const wait = retryAfter(error.headers) ?? (isLoading({ code, status }) ? loadingWait : undefined);
  const mayPass = status >= 500 || [408, 409].includes(status) || says(error, UNFIT_WORDS) ||
    status === 429 && !quota && !isRefusedRequest(error);
  return failure(code, {
    endpoint,
    state: statusText(status, said),
    status,
    retryable: `${error.headers?.get("x-should-retry") ?? mayPass}` === "true",
    retryAfter: wait,
    maxWait: endpoint.maxWait,
    hint: hintOf(code, { endpoint, status, quota, wait }),
    cause: error,
  });
}

/** Codes of a refusal that lasts: the account has no money or quota left. */
const NO_QUOTA =
  /^(?:insufficient_quota|credit_balance_exhausted|quota_exceeded|exceeded_current_quota_error|billing_(?:not_active|hard_limit_reached))$/;

/** Codes of Groq for words of the model that do not fit the request; other words may fit. */
const UNFIT_WORDS = /^(?:tool_use_failed|output_parse_failed|json_validate_failed)$/;

/** Most milliseconds until a server that loads its model is asked again, if it names no wait. */
const LOADING_WAIT = 5000;
/** Matches the words of a server that loads its model: requests are taken later, as by a busy server. */
const LOADING = /\bloading model\b|\bcurrently loading\b/i;

function codeOf(status: number, said: string): AgentErrorCode {
  // Google's status for a wrong key is 400.
  const isKey = status === 400 && /\bAPI key (?:not valid|expired)\b/.test(said);
  if (status === 401 || status === 403 || isKey) return "agent_auth";
  if (status === 429 || status === 503 && LOADING.test(said)) return "agent_rate_limited";
  if (status === 408 || status === 504) return "agent_timeout";
  if (status === 409 || status >= 500) return "agent_unreachable";
  return "agent_bad_reply";
}

/** Hint for a reply that is not from a model, such as a page of the server. */
export const CHECK_ADDRESS = "Check the model's name and the base URL, which usually ends in /v1.";

/** Providers by the beginning of their models' names. */
const OWNERS = { "claude-": "anthropic", "gemini-": "google" };

/** Returns a hint that names a model's provider; empty for other names. */
export function otherName(name: string): string {
  const owner = Object.entries(OWNERS).find(([begin]) => name.startsWith(begin));
  return owner === undefined ? "" : `Did you mean "${owner[1]}:${name}"? `;
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
    if (endpoint.hasKey) return `Check the key ${name ? `in ${name}` : "this server asks for"}.`;
    return name === undefined
      ? "Give its key: OPENAI_API_KEY with --base-url, or apiKeyEnv of its provider in the configuration."
      : `Set ${name} to a key of this server.`;
  }
  if (quota) return "Check the plan and the billing of the key's account.";
  if (isLoading({ code, status })) return "Wait until its model is loaded.";
  if (code === "agent_rate_limited") {
    const isLong = wait >= MINUTE || wait > (endpoint.maxWait ?? wait);
    return isLong ? `Resume after ${clockTime(wait)}.` : "Wait, or send fewer requests at once.";
  }
  if (status === 404 || status === 405) return otherName(endpoint.model) + CHECK_ADDRESS;
  return undefined;
}

/** Returns the UTC time of the first whole minute in `ms` milliseconds, such as `14:05 UTC`; with the date from a day on. */
export function clockTime(ms: number): string {
  const time = new Date(Date.now() + Math.min(ms, MOST_WAIT) + MINUTE - 1).toISOString();
  return `${time.slice(ms < DAY ? 11 : 0, 16).replace("T", " ")} UTC`;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The longest wait that is believed, so that its end is a date. */
const MOST_WAIT = 36_500 * DAY;

/** Copies an error without headers and bodies, which may contain a key. */
function safeCause(error: Error, secrets: readonly string[]): Error {
  const cause = new Error(redact(error.message, secrets));
  cause.name = error.name === "Error" ? error.constructor.name : error.name;
  cause.stack = redact(error.stack ?? "", secrets);
  return cause;
}

/** Words with the prefix of a provider's keys, also if the server masked a part with asterisks. */
const PREFIXED_KEY =
  /(?<![\w-])(?:(?:sk|rk|pk|gsk|xai|tvly)[-_][\w*-]{3,}|hf_\w{8,}|AIza[\w-]{10,})/g;
/** Long words with letters and digits, or with asterisks, shortly after `key`, `token` or `bearer`, also in names such as `access_token`. */
const NAMED_KEY =
  /((?:key|token|bearer)\b(?: provided| is)?[\s:="'`]{1,4})(?=[\w*./+%-]*(?:\d|\*))(?=[\w*./+%-]*[A-Za-z*])[\w*./+%-]{12,}/gi;

/** Replaces secrets of four or more characters, and words that look like keys, by `[key]`. */
function redact(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets)
    .replace(PREFIXED_KEY, "[key]").replace(NAMED_KEY, "$1[key]");
}

/** Returns a server's text on one line without secrets; cuts last, because a part of a secret is not recognized. */
export function shownText(text: string, secrets: readonly string[], max = 300): string {
  return oneLine(redact(text, secrets), max);
}

/** Adds the original error, which OpenRouter passes on in `metadata.raw`, to the message of an error's body. */
export function withCause(message: string, error: unknown): string {
  const { raw } = objectIn(objectIn(error)["metadata"]);
  return typeof raw === "string" && raw !== "" ? `${message}: ${raw}` : message;
}
