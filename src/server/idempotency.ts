// Idempotency of POST requests with an Idempotency-Key: responses are kept for a day, and a repeated request gets the kept
// response.
import { join } from "@std/path";
import type { Context, MiddlewareHandler, Next } from "hono";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { cannotUse, ConveningError, RecordError } from "../core/error.ts";
import { type FileLock, type FileSystem, writeDurably } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import { listConvenings } from "../operations/reading_convenings.ts";
import { filesBelow } from "../record/disk_files.ts";
import { AGAIN, withRecordErrors } from "../record/problems.ts";
import { isObject, jsonIn, type JsonObject } from "../core/values.ts";
import { oneLine } from "../core/text.ts";
import { idOf, linksOf } from "../operations/client_view.ts";

/** Folder of the archive with a file per key. */
const FOLDER = ".requests";
const KEPT_FOR = 24 * 60 * 60 * 1000;
const SWEEP_EVERY = 60 * 60 * 1000;
/** Paths of requests that start or change convenings or studies; for papers, the client can give an id instead. */
export const KEYED = /^\/api\/(?:convenings|mas-debate|studies|topics)(?:\/|$)/;

const keptRequest = z.object({
  /** SHA-256 of path, type and body. */
  request: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Absent until the request is answered. */
  answer: z.object({
    status: z.int(),
    location: z.string().optional(),
    /** JSON; absent if the response was a stream of events. */
    body: z.string().optional(),
  }).optional(),
});

type KeptRequest = z.infer<typeof keptRequest>;

/**
 * Returns middleware that answers a repeated request with the kept response of the first request. Concurrent requests with
 * the same key run one after the other. Error responses are not kept. If the server stopped before it answered the first
 * request, the request runs again. Fails with `key_reused` for another request under the same key. Fails with `taken` if
 * another server still answers the first request, if the first response was a stream of events, or if the first request
 * started a convening and got no response.
 */
export function idempotent(out: string): MiddlewareHandler {
  const requests = new KeptRequests(filesBelow(out), out);
  /** The last request in progress, by the file name of its key. */
  const working = new Map<string, Promise<void>>();
  return async (context, next) => {
    const { req } = context;
    const key = req.method === "POST" && KEYED.test(req.path)
      ? req.header("idempotency-key")
      : undefined;
    if (key === undefined) return await next();
    const name = fileNameOf(key);
    const before = working.get(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    working.set(name, promise);
    try {
      await before;
      await answerOnce(context, next, { requests, name });
    } finally {
      resolve();
      if (working.get(name) === promise) working.delete(name);
    }
  };
}

function fileNameOf(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return `${sha256(key).slice(0, 32)}.json`;
  const hint = "Give 1 to 255 letters, digits and signs of ASCII without blanks, such as a UUID.";
  throw cannotUse("Idempotency-Key", "it is not allowed", hint);
}

async function answerOnce(
  context: Context,
  next: Next,
  { requests, name }: { readonly requests: KeptRequests; readonly name: string },
): Promise<void> {
  const { req } = context;
  const bytes = await req.raw.bytes();
  req.raw = new Request(req.raw, { body: bytes });
  const type = req.header("content-type") ?? "";
  const request = sha256(`${req.path}\n${type}\n${sha256(bytes)}`);
  const lock = await requests.lock(name);
  try {
    const kept = await requests.get(name);
    if (kept !== undefined) {
      if (kept.request !== request) {
        throw new ConveningError(
          "key_reused",
          "Cannot use Idempotency-Key: another request used it",
          {
            field: "Idempotency-Key",
            hint: "Send the same path, type and body again, or give each request a key of its own.",
          },
        );
      }
      if (kept.answer !== undefined) {
        context.res = answerOf(kept.answer);
        return;
      }
      // The lock is free, so the server that took the key stopped before it answered.
      await requests.refuseStarted(kept, req.path, new TextDecoder().decode(bytes));
    }
    await requests.write(name, { request });
    await next();
    const { status, headers } = context.res;
    if (status >= 300) return await requests.remove(name);
    const isJson = headers.get("content-type")?.startsWith("application/json") === true;
    const body = isJson ? await context.res.text() : undefined;
    const location = headers.get("location") ?? undefined;
    if (body !== undefined) context.res = new Response(body, { status, headers });
    await requests.write(name, { request, answer: { status, location, body } });
  } finally {
    await lock.release();
  }
}

function taken(message: string, hint: string): ConveningError {
  return new ConveningError("taken", message, { field: "Idempotency-Key", hint });
}

/** Returns the kept response. Fails with `taken` if the response was a stream of events. */
function answerOf({ status, body, location }: NonNullable<KeptRequest["answer"]>): Response {
  if (body === undefined) {
    throw taken(
      "Cannot answer again: the first answer was a stream of events",
      location === undefined
        ? "GET /api/convenings lists what was started; a new key starts another."
        : `GET ${location}/events has the events.`,
    );
  }
  const headers = { "content-type": "application/json", ...location && { location } };
  return new Response(body, { status, headers });
}

/** Kept requests of an archive: a file per key, named by the hash of the key. */
class KeptRequests {
  readonly #files: FileSystem;
  readonly #out: string;
  readonly #folder: string;
  #swept = 0;

  constructor(files: FileSystem, out: string) {
    this.#files = files;
    this.#out = out;
    this.#folder = join(out, FOLDER);
  }

  /** Locks the file of a request. Fails with `taken` if another server holds the lock, and with `record_unwritable`. */
  async lock(name: string): Promise<FileLock> {
    const { lock } = await withRecordErrors(async () => {
      await this.#sweep();
      await this.#files.makeFolder(this.#folder);
      return await this.#files.lock(join(this.#folder, `${name}.lock`));
    }, AGAIN);
    if (lock !== undefined) return lock;
    throw taken(
      "Cannot answer yet: another server answers the request with this Idempotency-Key",
      "Send the request again later.",
    );
  }

  /**
   * Fails with `taken` if the fork of a request, a convening on its topic, or of its kind if the request has no topic, started
   * after the request took its key.
   */
  async refuseStarted({ at }: KeptRequest, path: string, body: string): Promise<void> {
    const sent = jsonIn(body);
    const usual = path.startsWith("/api/mas-debate/run") ? "paper-debate" : undefined;
    const { topic, question, kind = usual, at: seq }: JsonObject = isObject(sent) ? sent : {};
    const [key, stated = kind] = topic === undefined && question === undefined
      ? ["kind"] as const
      : ["topic", topic ?? question] as const;
    const [, forked] = /^\/api\/convenings\/([^/]+)\/fork$/.exec(path) ?? [];
    if (typeof stated !== "string" && forked === undefined) return;
    // Some timestamps in records are in whole seconds.
    const since = new Date(at - 1000).toISOString();
    const found = (await listConvenings(this.#out)).find(({ parent, startedAt, ...row }) =>
      startedAt >= since && parent?.dir === forked &&
      (forked === undefined
        ? oneLine(row[key] ?? "") === oneLine(String(stated))
        : parent?.seq === seq)
    );
    if (found === undefined) return;
    const isSure = key === "topic" || forked !== undefined;
    throw taken(
      "Cannot answer again: the server ended before it answered this request",
      `GET ${linksOf(idOf(found.dir))["self"]} has the convening that was started${
        isSure ? "" : ", or one of its kind that another client started: then use a new key"
      }.`,
    );
  }

  /** Reads a kept request; undefined if there is none or it is older than a day. Fails with `record_corrupt`. */
  async get(name: string): Promise<KeptRequest | undefined> {
    const path = join(this.#folder, name);
    if (await this.#files.stat(path) === undefined) return undefined;
    const { success, data } = keptRequest.safeParse(jsonIn(await this.#files.read(path)));
    if (!success) {
      throw new RecordError(
        "record_corrupt",
        `Cannot read ${path}: it does not hold a kept answer`,
        {
          field: "Idempotency-Key",
          hint: "Remove the file.",
        },
      );
    }
    if (data.at > systemClock.now() - KEPT_FOR) return data;
    await this.#files.remove(path);
    return undefined;
  }

  /** Writes a request in progress, or its response. Fails with `record_unwritable`. */
  async write(name: string, kept: Omit<KeptRequest, "at">): Promise<void> {
    const text = `${JSON.stringify({ ...kept, at: systemClock.now() })}\n`;
    const path = join(this.#folder, name);
    await withRecordErrors(() => writeDurably(this.#files, path, text, { truth: true }), AGAIN);
  }

  async remove(name: string): Promise<void> {
    await this.#files.remove(join(this.#folder, name));
  }

  /** Removes files older than a day, at most once per {@linkcode SWEEP_EVERY}. */
  async #sweep(): Promise<void> {
    const now = systemClock.now();
    if (now - this.#swept < SWEEP_EVERY) return;
    this.#swept = now;
    for (const { name } of await this.#files.list(this.#folder)) {
      const { modified = now } = await this.#files.stat(join(this.#folder, name)) ?? {};
      if (modified < now - KEPT_FOR) await this.remove(name);
    }
  }
}
