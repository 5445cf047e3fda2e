// Errors with stable codes, and the data of each kind.

/** The stable codes of every error this library raises on purpose. */
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

/** Data of an error besides its message. */
export interface ErrorDetail {
  /** Remedy in one sentence. */
  readonly hint?: string | undefined;
  /** The configuration key, flag or file concerned. */
  readonly field?: string | undefined;
  /** Every key that is wrong, where there are several; `field` names the first. */
  readonly fields?: readonly FieldProblem[] | undefined;
  /** The error beneath. */
  readonly cause?: unknown;
}

/** A key, flag or field that is wrong. */
export interface FieldProblem {
  /** The configuration key, flag or field. */
  readonly field: string;
  /** A sentence that names the field, the value and the reason. */
  readonly message: string;
  /** The values that are allowed, or what to do. */
  readonly hint?: string | undefined;
}

/** An error with a stable `code`, a message that says what and where, and a hint that says what to do. */
export class ConveningError extends Error {
  /** Kind of the error; stable across releases. */
  readonly code: ErrorCode;
  /** Remedy in one sentence. */
  readonly hint: string | undefined;
  /** The configuration key, flag or file concerned. */
  readonly field: string | undefined;
  /** Every key that is wrong, where there are several; `field` names the first. */
  readonly fields: readonly FieldProblem[] | undefined;
  /** The convening's directory, once there is one. */
  dir?: string;

  /** An error of the given code. */
  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(
      message,
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = new.target.name;
    this.code = code;
    this.hint = detail.hint;
    this.field = detail.field;
    this.fields = detail.fields;
  }

  /** The error as the CLI's `--json` output and the HTTP API print it. */
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

/** A configuration, flag or argument that cannot be used; names the key, the value and what is allowed. */
export class ConfigurationError extends ConveningError {
  /** A refusal of one configuration key. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("config_invalid", message, detail);
  }

  /** One error for all problems, at least one; the message names each. */
  static of(
    problems: readonly FieldProblem[],
    cause?: unknown,
    whole = "configuration",
  ): ConfigurationError {
    const [first, ...others] = problems;
    if (first === undefined) return new ConfigurationError("Cannot use the configuration");
    const { message, field, hint } = first;
    if (others.length === 0) return new ConfigurationError(message, { field, hint, cause });
    const states = problems.map((each) =>
      each.message.replace(/^Cannot use /, "").replace(`the ${whole}: `, "")
    );
    const hints = problems.flatMap((each) =>
      each.hint === undefined ? [] : [`${each.field}: ${each.hint}`]
    );
    return new ConfigurationError(`Cannot use the ${whole}: ${states.join("; ")}`, {
      field,
      hint: hints.join("\n"),
      fields: problems,
      cause,
    });
  }
}

/** A topic that the topic rule refuses. */
export class TopicError extends ConveningError {
  /** A refusal with its reason. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("topic_refused", message, { field: "topic", ...detail });
  }
}

/** Something said by, or asked of, one whose turn it is not. */
export class TurnOrderError extends ConveningError {
  /** A refusal that names whose turn it is. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("turn_order", message, detail);
  }
}

/** The codes an {@linkcode AgentError} can have. */
export type AgentErrorCode = Extract<ErrorCode, `agent_${string}`>;

/** Every code of an {@linkcode AgentError}. */
export const AGENT_ERROR_CODES = [
  "agent_auth",
  "agent_rate_limited",
  "agent_timeout",
  "agent_unreachable",
  "agent_refused",
  "agent_bad_reply",
] as const satisfies readonly AgentErrorCode[];

/** Data of an agent's failure. */
export interface AgentErrorDetail extends ErrorDetail {
  /** True if the same request may succeed when it is sent again. @default false */
  readonly retryable?: boolean;
  /** Milliseconds to wait, as the provider asks. */
  readonly retryAfter?: number | undefined;
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** Usage of the request, as far as the provider gave counts. @default none is known */
  readonly usage?: UsedUp | undefined;
}

/** Usage of a request without an answer, as a reply's `usage`. */
export interface UsedUp {
  /** Tokens read, the cached ones included. */
  readonly inputTokens: number;
  /** Tokens read from the provider's prompt cache. */
  readonly cachedInputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Tokens of hidden reasoning, part of those written. @default none, or the provider does not say */
  readonly reasoningTokens?: number | undefined;
  /** Tokens written to the provider's prompt cache, as part of those read. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** US dollars. @default the engine's price table */
  readonly costUsd?: number | "unknown";
}

/** A model, or whatever stands in for one, that could not answer. */
export class AgentError extends ConveningError {
  /** Kind of the failure. */
  declare readonly code: AgentErrorCode;
  /** True if the same request may succeed when it is sent again. */
  readonly retryable: boolean;
  /** Milliseconds to wait, as the provider asks. */
  readonly retryAfter: number | undefined;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** Usage of the request and of those before it that count as one attempt. @default none is known */
  usage: UsedUp | undefined;

  /** A failure of one request. */
  constructor(
    code: AgentErrorCode,
    message: string,
    detail: AgentErrorDetail = {},
  ) {
    super(code, message, detail);
    this.retryable = detail.retryable ?? false;
    this.retryAfter = detail.retryAfter;
    this.status = detail.status;
    this.usage = detail.usage;
  }
}

/** A paper that cannot be read, or has nothing in it to debate. */
export class PaperError extends ConveningError {
  /** A refusal that names the paper and says why. */
  constructor(message: string, detail: ErrorDetail = {}) {
    super("paper_unreadable", message, detail);
  }
}

/** Data of a failed search. */
export interface SearchErrorDetail extends ErrorDetail {
  /** True if the same search may succeed when it is sent again. @default false */
  readonly retryable?: boolean;
  /** Milliseconds to wait, as the server asks. */
  readonly retryAfter?: number | undefined;
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
}

/** A search that could not be made: what it was for goes on without it. */
export class SearchError extends ConveningError {
  /** True if the same search may succeed when it is sent again. */
  readonly retryable: boolean;
  /** Milliseconds to wait, as the server asks. */
  readonly retryAfter: number | undefined;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;

  /** A failure of one search, its retries included. */
  constructor(message: string, detail: SearchErrorDetail = {}) {
    super("search_unavailable", message, detail);
    this.retryable = detail.retryable ?? false;
    this.retryAfter = detail.retryAfter;
    this.status = detail.status;
  }
}

/** A record that cannot be written, read, or is held by another process. */
export class RecordError extends ConveningError {
  /** A failure that names the path. */
  constructor(
    code: "record_unwritable" | "record_corrupt" | "locked" | "not_found",
    message: string,
    detail: ErrorDetail = {},
  ) {
    super(code, message, detail);
  }
}

/** The run was cancelled by its `signal`. */
export class CancelledError extends ConveningError {
  /** A cancellation; `cause` is the signal's reason. */
  constructor(cause?: unknown) {
    super("cancelled", "Cannot go on: the convening was cancelled", { cause });
  }
}
