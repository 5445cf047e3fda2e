// Errors of servers of the OpenAI protocol, as agent errors.
import { AgentError, type AgentErrorCode, type AgentErrorDetail } from "../core/error.ts";
import { oneLine } from "../core/message.ts";

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
export function reportedProblem(
  problem: ProviderProblem,
  endpoint: Endpoint,
): AgentError {
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
  { endpoint, status }: {
    readonly endpoint: Endpoint;
    readonly status: number;
  },
): AgentError {
  const target = status >= 300 && status < 400 ? error.headers?.get("location") : undefined;
  if (typeof target === "string") {
    return failure("agent_bad_reply", {
      endpoint,
      state: `it redirects to ${
        oneLine(target, 300)
      } (status ${status}), and redirects are not followed`,
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
  if (text === null || text === undefined || text.trim() === "") {
    return undefined;
  }
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

function deepest(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) {
    root = root.cause;
  }
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
