// Errors as clients of a server get them: HTTP status, body, and texts without paths of this machine.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ConveningError, type ErrorCode } from "../core/error.ts";

/** The HTTP status of each code. */
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

/** The HTTP status of a code; 500 for what nobody asked for. */
export function statusOfCode(code: ErrorCode): ContentfulStatusCode {
  return STATUS[code] ?? 500;
}

/** The HTTP status an error is answered with. */
export function statusOf(error: unknown): ContentfulStatusCode {
  return statusOfCode(error instanceof ConveningError ? error.code : "unexpected");
}

/** The body an error is answered with: `{"error": {"code", "message", "hint"?, "field"?}}`. */
export function problemOf(
  error: unknown,
): { readonly error: ReturnType<ConveningError["toJSON"]> } {
  const known = error instanceof ConveningError
    ? error
    : new ConveningError("unexpected", "Cannot answer: something went wrong");
  return { error: known.toJSON() };
}

/**
 * An error for a client that knows ids: without the archive's folder it speaks of, and naming the `id` where it names a
 * directory.
 */
export function withoutPaths(error: unknown, out: string): unknown {
  if (!(error instanceof ConveningError)) return error;
  const { code, message, hint, field, fields } = error;
  const bare = (text: string) =>
    text.split(out).map((part, at) => {
      if (at === 0) return part;
      return part.startsWith("/")
        ? part.slice(1).replace(/^\d{4}-\d\d-\d\d\//, "")
        : `the archive${part}`;
    }).join("");
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
