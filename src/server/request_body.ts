// Bodies of requests: limits of bytes and time, JSON and forms.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { checkInput } from "../operations/operation.ts";

/** The most levels of a body of JSON, one in the other. */
const MAX_DEPTH = 64;
/** The most parts of a form. */
const MAX_PARTS = 20;

/** The media type of a request's body in small letters, without parameters; empty where it says none. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * The value of a request's body of JSON, unchecked. Fails with `unsupported_type` for another media type, and with
 * `config_invalid` where the body is no JSON, which says where.
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw noJson(placeOf(cause, text), cause);
  }
  if (isDeep(value)) throw noJson(`it is nested more than ${MAX_DEPTH} deep`);
  return value;
}

/** Tells whether a value is nested deeper than any body needs, and than recursive readers could bear. */
export function isDeep(value: unknown): boolean {
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
 * The fields of a request's form. Fails with `config_invalid` where it is damaged or has more parts than any form of ours,
 * which would keep everybody waiting while they are taken apart.
 */
export async function formBody(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await request.bytes();
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = `--${quoted ?? bare ?? ""}`;
  try {
    if (countOf(bytes, boundary, MAX_PARTS + 2) <= MAX_PARTS + 1) {
      return await new Response(bytes, { headers: { "content-type": type } }).formData();
    }
  } catch (cause) {
    throw damagedForm("it is damaged", cause);
  }
  throw damagedForm(`it has more than ${MAX_PARTS} parts`);
}

/** Number of times that a text is in bytes, counted no further than `most`. */
function countOf(bytes: Uint8Array, text: string, most: number): number {
  const all = new TextDecoder("latin1").decode(bytes);
  let count = 0;
  for (let at = all.indexOf(text); at !== -1 && count < most; at = all.indexOf(text, at + 1)) {
    count++;
  }
  return count;
}

function damagedForm(state: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`Cannot read the form: ${state}`, {
    field: "body",
    hint: "Send it as multipart/form-data, as curl -F and browsers do.",
    cause,
  });
}

/** A body that fits a schema. Fails with `config_invalid`, naming the field, its value and what is allowed there. */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): T {
  return checkInput(schema, body, { whole: "body", part: "field" });
}

/** A media type that is not read here. */
export function unsupported(type: string, hint: string): ConveningError {
  const named = type === "" ? "a body of no type" : `a body of type "${type.slice(0, 100)}"`;
  return new ConveningError("unsupported_type", `Cannot read ${named}`, {
    field: "Content-Type",
    hint,
  });
}

/** Line and column at which a text stops being JSON. */
function placeOf(cause: unknown, text: string): string {
  const message = cause instanceof Error ? cause.message : "";
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const before = text.slice(0, position === undefined ? text.length : Number(position));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  return `it is no JSON from line ${line}, column ${column} on`;
}

function noJson(state: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`Cannot read the body: ${state}`, {
    field: "body",
    hint: "Send one object of JSON.",
    cause,
  });
}

/** The most bytes of a request that starts, steers or asks. */
export const MAX_BODY = 1_000_000;
/** The longest time for a whole body, in milliseconds: room for a paper over a slow line. */
const MAX_TIME = 300_000;
/** The longest silence within a body, in milliseconds. */
const MAX_SILENCE = 30_000;
/** Limits of paths that differ: a paper's file in a form, MCP messages with papers in them, and a stranger's token. */
const LIMITS: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^(?:\/api)?\/papers\/?$/, 52_000_000],
  [/^\/mcp\/?$/, 8_000_000],
  [/^\/login\/?$/, 10_000],
];

/** Times in which a body has to come, in milliseconds. */
export interface BodyTimes {
  /** For all of it. @default 300000 */
  readonly whole?: number | undefined;
  /** For its next piece. @default 30000 */
  readonly silence?: number | undefined;
}

/**
 * Refuses bodies that are too large, before they are read where the length is given, else as soon as it shows; and
 * those that come too slowly, or never end.
 */
export function bounded(times: BodyTimes = {}): MiddlewareHandler {
  const usual = limitedTo(MAX_BODY);
  const others = LIMITS.map(([path, bytes]) => ({ path, limit: limitedTo(bytes) }));
  return (context, next) => {
    const { req } = context;
    if (req.raw.body !== null) {
      req.raw = new Request(req.raw, { body: timed(req.raw.body, times) });
    }
    const other = others.find(({ path }) => path.test(req.path));
    return (other?.limit ?? usual)(context, next);
  };
}

/** A body that fails with `too_slow` where its next piece, or its end, does not come in time. */
function timed(
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
      const before = systemClock.now();
      try {
        const piece = await Promise.race([reader.read(), late]);
        left -= systemClock.now() - before;
        if (piece === undefined) throw tooSlow();
        if (piece.done) controller.close();
        else controller.enqueue(piece.value);
      } catch (error) {
        controller.error(error);
        reader.cancel(error).catch(() => {});
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
    // Nothing is waited for that nobody reads.
  }, { highWaterMark: 0 });
}

function tooSlow(): ConveningError {
  return new ConveningError("too_slow", "Cannot take the request: its body does not come", {
    field: "body",
    hint: "Send it at once.",
  });
}

function limitedTo(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ConveningError(
        "too_large",
        `Cannot take the request: its body has over ${maxSize.toLocaleString("en")} bytes`,
        { field: "body", hint: "Send less at once." },
      );
    },
  });
}
