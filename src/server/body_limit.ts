// Limits of requests' bodies: bytes and time.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";

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
