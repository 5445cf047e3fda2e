// Errors for clients of a server: without paths of the machine, with an HTTP status.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ConveningError, type ErrorCode } from "../core/error.ts";

/** Prepares an error for a remote client: removes the archive's path from its texts, and renames the field `dir` to `id`. */
export function withoutPaths<E>(error: E, out: string): E | ConveningError {
  if (!(error instanceof ConveningError)) return error;
  const { code, message, hint, field, fields } = error;
  // The name of another folder can begin with that of the archive.
  const paths = new RegExp(
    `${RegExp.escape(out)}(?:[/\\\\](?:\\d{4}-\\d\\d-\\d\\d[/\\\\])?|(?![\\w-]|\\.\\w))`,
    "g",
  );
  const bare = (text: string) => text.replace(paths, (path) => path === out ? "the archive" : "");
  return new ConveningError(code, bare(message), {
    hint: hint && bare(hint),
    field: field === "dir" ? "id" : field && bare(field),
    fields: fields?.map((each) => ({
      field: bare(each.field),
      message: bare(each.message),
      hint: each.hint && bare(each.hint),
    })),
    cause: error,
  });
}

const STATUS: Readonly<Partial<Record<ErrorCode, ContentfulStatusCode>>> = {
  ["config_invalid"]: 400,
  ["topic_refused"]: 400,
  ["paper_unreadable"]: 400,
  ["turn_order"]: 409,
  locked: 409,
  taken: 409,
  ["key_reused"]: 422,
  cancelled: 409,
  stopped: 409,
  ["not_found"]: 404,
  forbidden: 403,
  unauthorized: 401,
  ["too_many_tries"]: 429,
  ["too_large"]: 413,
  ["unsupported_type"]: 415,
  ["method_not_allowed"]: 405,
  ["too_slow"]: 408,
  busy: 503,
  ["agent_auth"]: 502,
  ["agent_rate_limited"]: 502,
  ["agent_timeout"]: 504,
  ["agent_unreachable"]: 502,
  ["agent_refused"]: 502,
  ["agent_bad_reply"]: 502,
  ["search_unavailable"]: 502,
};

/** Returns the HTTP status of an error code; 500 for a code without a row. */
export function statusOfCode(code: ErrorCode): ContentfulStatusCode {
  return STATUS[code] ?? 500;
}

/** Returns the HTTP status of the response to an error. */
export function statusOf(error: unknown): ContentfulStatusCode {
  return statusOfCode(error instanceof ConveningError ? error.code : "unexpected");
}

/** Server whose errors are shown to clients. */
export interface ErrorScope {
  /** Path of the archive, which errors leave out. */
  readonly out: string;
  /** Receives the errors whose details clients do not get. @default errors are dropped */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
}

/** Returns the error that clients get: without paths, or `unexpected` without details. */
export function shownError(error: unknown, { out, onUnexpected }: ErrorScope): ConveningError {
  const known = withoutPaths(error, out);
  if (known instanceof ConveningError && known.code !== "unexpected") return known;
  onUnexpected?.(error);
  return new ConveningError("unexpected", "Cannot answer: something went wrong");
}

/** Returns the body of the response to an error: `{"error": {"code", "message", "hint"?, "field"?}}`. */
export function problemOf(
  error: unknown,
  scope: ErrorScope,
): { readonly error: ReturnType<ConveningError["toJSON"]> } {
  return { error: shownError(error, scope).toJSON() };
}
