// Hides paths of the machine from the clients of a server: ids and URL paths of convenings, and errors with a status.
import { basename, join } from "@std/path";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ConveningError, type ErrorCode } from "../core/error.ts";
import { checkPlain } from "../core/files.ts";
import { filesBelow } from "../record/disk_files.ts";

/** Name of a convening's directory, which is its id; an id of another form is never looked up on disk. */
const ID = /^(\d{4}-\d{2}-\d{2})T\d{2}-\d{2}-\d{2}_[a-z0-9][a-z0-9-]{0,80}$/;

/** Id of a study's convening: the study's id, a dot, and the key of the cell. */
const OF_STUDY = /^([a-z0-9][a-z0-9-]{0,63})\.([0-9a-f]{16})$/;

/** End of the path of a study's convening, with `/`. */
const IN_STUDY = /(?:^|\/)studies\/([a-z0-9][a-z0-9-]{0,63})\/debates\/([0-9a-f]{16})$/;

/**
 * Returns the path segments from an archive to the directory of an id, which need not exist. Throws `not_found` for an
 * invalid id.
 */
export function namesOf(id: string): readonly string[] {
  const [, study, key] = OF_STUDY.exec(id) ?? [];
  if (study !== undefined && key !== undefined) return ["studies", study, "debates", key];
  const [, day] = ID.exec(id) ?? [];
  if (day === undefined) throw missing(id);
  return [day, id];
}

/** Returns true for a text in the form of an id; the convening need not exist. */
export function isId(text: string): boolean {
  return ID.test(text) || OF_STUDY.test(text);
}

/** Returns the id of a convening's directory: the name of the directory, or `STUDY.KEY` for a study's convening. */
export function idOf(dir: string): string {
  const [, study, key] = IN_STUDY.exec(dir.replaceAll("\\", "/")) ?? [];
  return study === undefined ? basename(dir) : `${study}.${key}`;
}

/**
 * Returns the directory of a convening of an archive, by id. Throws `not_found`, and `record_corrupt` if the directory or
 * an entry is not a plain file or folder (a link, for instance).
 */
export async function conveningDir(out: string, id: string): Promise<string> {
  const names = namesOf(id);
  const files = filesBelow(out);
  const dir = join(out, ...names);
  try {
    if (await files.stat(join(dir, "metadata.md")) === undefined) throw missing(id);
    await checkPlain(files, dir);
  } catch (error) {
    throw withoutPaths(error, out);
  }
  return dir;
}

function missing(id: string): ConveningError {
  return new ConveningError("not_found", `Cannot find convening "${id.slice(0, 100)}"`, {
    field: "id",
    hint: "Give an id from the list of convenings, whose first row is the latest.",
  });
}

/** Returns the directory of an operation's convening: `dir` of the context if present, else the directory of the id. */
export async function dirOf(
  { out, dir }: { readonly out: string; readonly dir?: string | undefined },
  id: string,
): Promise<string> {
  return dir ?? await conveningDir(out, id);
}

/** Returns the URL paths of a convening's resources on this server. */
export function linksOf(id: string): Readonly<Record<string, string>> {
  const self = `/api/convenings/${id}`;
  return {
    self,
    events: `${self}/events`,
    messages: `${self}/messages`,
    scores: `${self}/scores`,
    verify: `${self}/verify`,
    export: `${self}/export`,
    index: `${self}/files/index.md`,
  };
}

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
