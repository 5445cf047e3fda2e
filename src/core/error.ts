// Errors with stable codes.

/** Stable codes of the errors that this library throws on purpose. */
export type ErrorCode =
  | "config_invalid"
  | "topic_refused"
  | "turn_order"
  | "agent_auth"
  | "agent_rate_limited"
  | "agent_timeout"
  | "agent_unreachable"
  | "agent_refused"
  | "agent_bad_reply"
  | "record_unwritable"
  | "record_corrupt"
  | "locked"
  | "not_found"
  | "paper_unreadable"
  | "search_unavailable"
  | "stopped"
  | "busy"
  | "taken"
  | "key_reused"
  | "unauthorized"
  | "too_many_tries"
  | "forbidden"
  | "too_large"
  | "unsupported_type"
  | "method_not_allowed"
  | "too_slow"
  | "cancelled"
  | "unexpected";

/** Further data of an error. */
export interface ErrorDetail {
  /** Remedy, in one sentence. */
  readonly hint?: string | undefined;
  /** Configuration key, flag or file at fault. */
  readonly field?: string | undefined;
  /** All invalid keys, if there are several; `field` is the first. */
  readonly fields?: readonly FieldProblem[] | undefined;
  /** Underlying error. */
  readonly cause?: unknown;
}

/** Problem of a key, flag or field. */
export interface FieldProblem {
  /** Configuration key, flag or field. */
  readonly field: string;
  /** Sentence with the field, the value and the reason. */
  readonly message: string;
  /** Allowed values, or remedy. */
  readonly hint?: string | undefined;
}

/** Joins the states of problems, such as `seq is missing; kind: 3 is not allowed`. */
export function statesOf(problems: readonly FieldProblem[]): string {
  return problems.map(({ message }) =>
    message.replace(/^Cannot use (?:the (?!topic:)[^:]+: )?/, "")
  )
    .join("; ");
}

/** The most problems that an error names. */
export const MOST_PROBLEMS = 20;

/** Error with a stable `code`, a message with the problem and its place, and a hint with the remedy. */
export class ConveningError extends Error {
  /** Kind of the error; stable across releases. */
  readonly code: ErrorCode;
  /** Remedy, in one sentence. */
  readonly hint: string | undefined;
  /** Configuration key, flag or file at fault. */
  readonly field: string | undefined;
  /** All invalid keys, if there are several; `field` is the first. */
  readonly fields: readonly FieldProblem[] | undefined;
  /** Directory of the convening, if it has one. */
  dir?: string;

  /** Makes an error with the given code and message. */
  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = detail.hint;
    this.field = detail.field;
    this.fields = detail.fields;
  }

  /** Returns the error as printed by the CLI's `--json` output and the HTTP API. */
  toJSON(): {
    code: ErrorCode;
    message: string;
    hint?: string;
    field?: string;
    fields?: readonly FieldProblem[];
  } {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.field === undefined ? {} : { field: this.field }),
      ...(this.fields === undefined ? {} : { fields: this.fields }),
    };
  }
}

/** Invalid configuration, flag or argument. The message names the key, the value and the allowed values. */
export class ConfigurationError extends ConveningError {
  /** Makes an error with the given message. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("config_invalid", message, detail);
  }

  /** Combines one or more problems into one error whose message lists them all. */
  static of(
    problems: readonly FieldProblem[],
    cause?: unknown,
    whole = "configuration",
  ): ConfigurationError {
    const [first, ...others] = problems;
    if (first === undefined) return new ConfigurationError("Cannot use the configuration");
    const { message, field, hint } = first;
    if (others.length === 0) return new ConfigurationError(message, { field, hint, cause });
    const hints = Map.groupBy(
      problems.filter(({ hint }) => hint !== undefined),
      ({ hint }) => hint,
    );
    const lines = Array.from(
      hints,
      ([hint, problems]) =>
        `${[...new Set(problems.map(({ field }) => field))].join(", ")}: ${hint}`,
    );
    return new ConfigurationError(`Cannot use the ${whole}: ${statesOf(problems)}`, {
      field,
      hint: lines.join("\n"),
      fields: problems,
      cause,
    });
  }
}

/** Returns the problem of a field whose value cannot be used. */
export function fieldProblem(field: string, state: string, hint: string): FieldProblem {
  return { field, message: `Cannot use ${field}: ${state}`, hint };
}

export function cannotUse(field: string, state: string, hint: string): ConfigurationError {
  return ConfigurationError.of([fieldProblem(field, state, hint)]);
}

/** Runs a check and returns its problems; throws an error that is no `ConveningError`. */
export function problemsIn(check: () => unknown): readonly FieldProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    const { field = "", message, hint, fields = [{ field, message, hint }] } = error;
    return fields;
  }
}

/** Runs work; an error about a key of `names` names the key's value, the field of a request, instead. */
export async function namingField<T>(
  names: Readonly<Record<string, string>>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const field = error instanceof ConveningError ? names[error.field ?? ""] : undefined;
    if (field === undefined) throw error;
    const { code, message, hint, cause } = error as ConveningError;
    throw new ConveningError(code, message, { field, hint, cause });
  }
}

/** Topic that the topic rule refuses. */
export class TopicError extends ConveningError {
  /** Makes an error with the given message. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("topic_refused", message, { field: "topic", ...detail });
  }
}

/** Attempt to speak out of turn. */
export class TurnOrderError extends ConveningError {
  /** Makes an error with the given message. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("turn_order", message, detail);
  }
}

/** Codes of an {@linkcode AgentError}. */
export type AgentErrorCode = Extract<ErrorCode, `agent_${string}`>;

/** All codes of an {@linkcode AgentError}. */
export const AGENT_ERROR_CODES = [
  "agent_auth",
  "agent_rate_limited",
  "agent_timeout",
  "agent_unreachable",
  "agent_refused",
  "agent_bad_reply",
] as const satisfies readonly AgentErrorCode[];

/** Data of an {@linkcode AgentError}. */
export interface AgentErrorDetail extends ErrorDetail {
  /** True if a retry of the same request may succeed. @default false */
  readonly retryable?: boolean | undefined;
  /** Milliseconds to wait before a retry, as requested by the provider or server. */
  readonly retryAfter?: number | undefined;
  /** Maximum wait for the provider in milliseconds. @default `retry.maxRetryAfter` */
  readonly maxWait?: number | undefined;
  /** HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** Usage of the request, as reported by the provider. @default unknown */
  readonly usage?: UsedUp | undefined;
}

/** Usage of a request that brought no answer. */
export interface UsedUp {
  /** Input tokens, including cached tokens. */
  readonly inputTokens: number;
  /** Input tokens read from the provider's prompt cache. */
  readonly cachedInputTokens: number;
  /** Output tokens, hidden reasoning included. */
  readonly outputTokens: number;
  /** Output tokens spent on hidden reasoning. @default none, or not reported by the provider */
  readonly reasoningTokens?: number | undefined;
  /** Input tokens written to the provider's prompt cache. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** Cost in US dollars. @default computed from the engine's price table */
  readonly costUsd?: number | "unknown";
}

/** Failure of an agent to answer. */
export class AgentError extends ConveningError {
  /** Kind of the failure. */
  declare readonly code: AgentErrorCode;
  /** True if a retry of the same request may succeed. */
  readonly retryable: boolean;
  /** Milliseconds to wait before a retry, as requested by the provider. */
  readonly retryAfter: number | undefined;
  /** Maximum wait for the provider in milliseconds. @default `retry.maxRetryAfter` */
  readonly maxWait: number | undefined;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Usage of the request and of earlier requests of the same attempt. @default unknown */
  usage: UsedUp | undefined;

  /** Makes an error with the given code and message. */
  constructor(code: AgentErrorCode, message: string, detail: AgentErrorDetail = {}) {
    super(code, message, detail);
    this.retryable = detail.retryable ?? false;
    this.retryAfter = detail.retryAfter;
    this.maxWait = detail.maxWait;
    this.status = detail.status;
    this.usage = detail.usage;
  }
}

/** Returns true for the error of a server that loads its model: its status 503 counts as a rate limit. */
export function isLoading({ code, status }: Pick<AgentError, "code" | "status">): boolean {
  return code === "agent_rate_limited" && status === 503;
}

/** Paper that cannot be read, or contains nothing to debate. */
export class PaperError extends ConveningError {
  /** Makes an error with the given message. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("paper_unreadable", message, detail);
  }
}

/** Data of a {@linkcode SearchError}. */
export type SearchErrorDetail = Omit<AgentErrorDetail, "maxWait" | "usage">;

/** Failed search. The convening continues without its results. */
export class SearchError extends ConveningError {
  /** True if a retry of the same search may succeed. */
  readonly retryable: boolean;
  /** Milliseconds to wait before a retry, as requested by the server. */
  readonly retryAfter: number | undefined;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;

  /** Makes an error with the given message. */
  constructor(message: string, detail: SearchErrorDetail = {}) {
    super("search_unavailable", message, detail);
    this.retryable = detail.retryable ?? false;
    this.retryAfter = detail.retryAfter;
    this.status = detail.status;
  }
}

/** Record that cannot be written or read, or that another process has locked. */
export class RecordError extends ConveningError {
  /** Makes an error with the given code and message. */
  constructor(
    code: "record_unwritable" | "record_corrupt" | "locked" | "not_found",
    message: string,
    detail: ErrorDetail = {},
  ) {
    super(code, message, detail);
  }
}

/** Cancellation of the run by its `signal`. */
export class CancelledError extends ConveningError {
  /** Makes the error; `cause` is the signal's reason. */
  constructor(cause?: unknown) {
    super("cancelled", "Cannot continue: the convening was cancelled", { cause });
  }
}

/** Returns the message of an error, or a thrown value of another type as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Wraps an error of another class, such as one thrown by a caller's observer, in a `ConveningError` with the code `unexpected`;
 * once `signal` is aborted, such an error is the cancellation. `part` names the part that failed.
 */
export function asConveningError(
  error: unknown,
  { signal, part }: { readonly signal?: AbortSignal | undefined; readonly part?: string } = {},
): ConveningError {
  if (error instanceof ConveningError) return error;
  if (signal?.aborted === true) return new CancelledError(signal.reason);
  const failed = part === undefined ? "" : `${part} failed: `;
  return new ConveningError("unexpected", `Cannot continue: ${failed}${errorMessage(error)}`, {
    cause: error,
  });
}

/** Returns the reason and the hint for a request that got no response. `address` is shown in the hint. */
export function connectionProblem(
  error: unknown,
  address: string,
): { readonly reason: string; readonly hint: string; readonly retryable: boolean } {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  const reason = errorMessage(root);
  if (root instanceof Error && root.name === "NotCapable") {
    // A package that signs requests may read a variable or a file before it connects.
    const [, kind, name] = /^Requires (\w+) access to "([^"]*)"/.exec(reason) ?? [];
    const hint = kind === undefined || kind === "net"
      ? `Allow the connection with --allow-net=${address}.`
      : `Allow the access with --allow-${kind}=${name}.`;
    return { reason, hint, retryable: false };
  }
  if (/certificate/i.test(reason)) {
    const hint = "Set DENO_CERT to the file of the authority that signed the server's certificate.";
    return { reason, hint, retryable: false };
  }
  return {
    reason,
    hint: "Check the network and the address, and that the server runs.",
    retryable: true,
  };
}
