// Request bodies: limits of size and time, JSON and forms.
import type { Context, MiddlewareHandler, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { steadyClock } from "../core/clock.ts";
import { CancelledError, ConfigurationError, ConveningError, errorMessage } from "../core/error.ts";
import { checkInput } from "../core/check_fields.ts";
import { counted } from "../core/text.ts";

const MAX_DEPTH = 64;
const MAX_PARTS = 20;

/** Returns the media type of a request's body in lower case, without parameters; empty if absent. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * Parses the JSON body of a request, without checking a schema. Fails with `unsupported_type` for another media type, and
 * with `config_invalid` for invalid JSON.
 */
export async function jsonBody(request: Request): Promise<unknown> {
  const type = mediaType(request);
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw unsupported(type, "Send JSON, with the header: Content-Type: application/json.");
  }
  const bytes = await request.bytes();
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw noJson("it is not in UTF-8", cause);
  }
  if (text.trim() === "") throw noJson("it is empty");
  return parsedJson(text, noJson);
}

/** Parses a client's JSON; fails with the error of `refusal` for invalid JSON, and for JSON that is nested too deep. */
export function parsedJson(
  text: string,
  refusal: (state: string, cause?: unknown) => Error,
): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refusal(`it is not valid JSON: ${errorMessage(cause)}`, cause);
  }
  if (isDeep(value)) throw refusal(`it is nested more than ${MAX_DEPTH} deep`);
  return value;
}

/** Returns true if a value is nested deeper than {@linkcode MAX_DEPTH}, against stack overflows in recursive readers. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) =>
      each !== null && typeof each === "object" ? Object.values(each) : []
    );
  }
  return false;
}

/**
 * Parses a multipart form. Fails with `config_invalid` for a damaged form, and for more than {@linkcode MAX_PARTS} parts,
 * because parsing many parts would block all other requests.
 */
export async function formBody(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await request.bytes();
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = `--${quoted ?? bare ?? ""}`;
  const pieces = new TextDecoder("latin1").decode(bytes).split(boundary, MAX_PARTS + 3);
  try {
    if (pieces.length <= MAX_PARTS + 2) {
      return await new Response(bytes, { headers: { "content-type": type } }).formData();
    }
  } catch (cause) {
    throw damagedForm("it is damaged", cause);
  }
  throw damagedForm(`it has more than ${MAX_PARTS} parts`);
}

/** Reads the fields of a page's form; of repeated fields, the last. Fails with `config_invalid` for a damaged form. */
export async function pageForm({ req }: Context): Promise<[name: string, value: string | File][]> {
  try {
    return Object.entries(await req.parseBody());
  } catch (cause) {
    throw cause instanceof ConveningError ? cause : damagedForm("it is damaged", cause);
  }
}

/** Checks a body against a schema. Fails with `config_invalid`, which names the field, its value and the allowed values. */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): T {
  return checkInput(schema, body, { whole: "body", part: "field" });
}

export function unsupported(type: string, hint: string): ConveningError {
  const named = type === "" ? "a body of no type" : `a body of type "${type.slice(0, 100)}"`;
  return new ConveningError("unsupported_type", `Cannot read ${named}`, {
    field: "Content-Type",
    hint,
  });
}

function unreadable(what: string, hint: string): (state: string, cause?: unknown) => Error {
  return (state, cause) =>
    new ConfigurationError(`Cannot read the ${what}: ${state}`, { field: "body", hint, cause });
}

const damagedForm = unreadable(
  "form",
  "Send it as multipart/form-data, as curl -F and browsers do.",
);
const noJson = unreadable("body", "Send one object of JSON.");

/** Maximal bytes of a request body, except on the paths of {@linkcode LIMITS}. */
export const MAX_BODY = 1_000_000;
/** Maximal time for a whole body, in milliseconds; enough for a paper over a slow connection. */
const MAX_TIME = 300_000;
/** Maximal time between two chunks of a body, in milliseconds. */
const MAX_SILENCE = 30_000;
/** Maximal time for the rest of a rejected body, in milliseconds. */
const MAX_REST = 5000;
/** Other limits by path: a paper's file in a form, MCP messages with papers, and the token at login. */
const LIMITS: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^(?:\/api)?\/papers\/?$/, 52_000_000],
  [/^\/mcp\/?$/, 8_000_000],
  [/^\/login\/?$/, 10_000],
];

/** Reads the rest of a rejected body of known length: a client that is still sending sees no response. */
export async function readRest(context: Context, next: Next): Promise<void> {
  await next();
  if (context.res.status < 400 || context.req.header("content-length") === undefined) return;
  const signal = AbortSignal.timeout(MAX_REST);
  await context.req.raw.body?.pipeTo(new WritableStream(), { signal }).catch(() => {});
}

export interface BodyTimes {
  /** For the whole body. @default 300000 */
  readonly whole?: number | undefined;
  /** For the next chunk. @default 30000 */
  readonly silence?: number | undefined;
}

/**
 * Returns middleware that rejects bodies that are too large or too slow. With a `Content-Length`, a body that is too large
 * is rejected before it is read.
 */
export function limitBodies(times: BodyTimes = {}): MiddlewareHandler {
  const standard = limitedTo(MAX_BODY);
  const others = LIMITS.map(([path, bytes]) => ({ path, limit: limitedTo(bytes) }));
  return (context, next) => {
    const { req } = context;
    if (req.raw.body !== null) {
      const coding = req.header("content-encoding") ?? "";
      if (!/^(?:identity)?$/i.test(coding)) {
        const message = `Cannot read a body with the content coding "${coding.slice(0, 100)}"`;
        const hint = "Send it uncompressed.";
        throw new ConveningError("unsupported_type", message, { field: "Content-Encoding", hint });
      }
      req.raw = new Request(req.raw, { body: withTimeouts(req.raw.body, times) });
    }
    const other = others.find(({ path }) => path.test(req.path));
    return (other?.limit ?? standard)(context, next);
  };
}

/** Wraps a body; reading fails with `too_slow` if a chunk or the end does not arrive in time. */
function withTimeouts(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { whole = MAX_TIME, silence = MAX_SILENCE }: BodyTimes,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let left = whole;
  return new ReadableStream({
    async pull(controller) {
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const patience = Math.max(0, Math.min(left, silence));
      const timer = setTimeout(() => resolve(undefined), patience);
      const before = steadyClock.now();
      try {
        const piece = await Promise.race([reader.read(), late]);
        left -= steadyClock.now() - before;
        if (piece === undefined) {
          const message = "Cannot take the request: its body did not arrive in time";
          throw new ConveningError("too_slow", message, {
            field: "body",
            hint: "Send it without pauses.",
          });
        }
        if (piece.done) controller.close();
        else controller.enqueue(piece.value);
      } catch (error) {
        // A body breaks off when its client leaves.
        controller.error(error instanceof ConveningError ? error : new CancelledError(error));
        reader.cancel(error).catch(() => {});
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
    // Without read-ahead, the time limits count only while a reader waits.
  }, { highWaterMark: 0 });
}

function limitedTo(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ConveningError(
        "too_large",
        `Cannot take the request: its body has more than ${counted(maxSize, "byte")}`,
        { field: "body", hint: "Send less at once." },
      );
    },
  });
}
