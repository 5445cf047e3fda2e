// Answers to POST requests that carry an Idempotency-Key, kept for a day: a request that is sent again does nothing again.
import { join } from "@std/path";
import type { Context, MiddlewareHandler, Next } from "hono";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { ConfigurationError, ConveningError, RecordError } from "../core/error.ts";
import { FileError, type FileLock, type FileSystem, writeDurably } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import { linksOf } from "../operations/operation.ts";
import { listConvenings } from "../operations/reading_convenings.ts";
import { filesBelow } from "../record/disk_files.ts";
import { jsonIn } from "../core/values.ts";
import { idOf } from "../operations/convening_dir.ts";

/** The folder of the archive with a file for each key. */
const FOLDER = ".requests";
/** Time for which an answer is kept, in milliseconds. */
const KEPT_FOR = 24 * 60 * 60 * 1000;
/** Time between removals of old files, in milliseconds. */
const SWEEP_EVERY = 60 * 60 * 1000;
/** Paths of requests that start or change something; papers have ids of their own. */
export const KEYED = /^\/api\/(?:convenings|mas-debate|studies|topics)(?:\/|$)/;

const keptRequest = z.object({
  /** SHA-256 of path, type and body. */
  request: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Missing until the request was answered. */
  answer: z.object({
    status: z.int(),
    location: z.string().optional(),
    /** JSON; missing where the answer was a stream of events. */
    body: z.string().optional(),
  }).optional(),
});

type KeptRequest = z.infer<typeof keptRequest>;

/**
 * Answers a request with the `Idempotency-Key` of an earlier request as that was answered; both at once are answered one
 * after the other. Rejections are not kept, and a request whose server ended before the answer is made again. Fails with
 * `key_reused` for another request under the same key, and with `taken` where another server still answers the earlier
 * request, where that request was answered with a stream of events, or where it started a convening and was not answered.
 */
export function idempotent(out: string): MiddlewareHandler {
  const requests = new KeptRequests(filesBelow(out), out);
  /** Work under way for each key. */
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
      await answered(context, next, { requests, name });
    } finally {
      resolve();
      if (working.get(name) === promise) working.delete(name);
    }
  };
}

function fileNameOf(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return `${sha256(key).slice(0, 32)}.json`;
  throw new ConfigurationError("Cannot use Idempotency-Key: it is not allowed", {
    field: "Idempotency-Key",
    hint: "Give 1 to 255 letters, digits and signs of ASCII without blanks, such as a UUID.",
  });
}

async function answered(
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
      if (kept.request !== request) throw reused();
      if (kept.answer !== undefined) {
        context.res = answerOf(kept.answer);
        return;
      }
      // The lock is free: the server that took the key ended before the answer.
      await requests.refuseStarted(kept, new TextDecoder().decode(bytes));
    }
    await writable(() => requests.write(name, { request }));
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

function reused(): ConveningError {
  return new ConveningError("key_reused", "Cannot use Idempotency-Key: another request had it", {
    field: "Idempotency-Key",
    hint: "Send the same path, type and body again, or give each request a key of its own.",
  });
}

function taken(message: string, hint: string): ConveningError {
  return new ConveningError("taken", message, { field: "Idempotency-Key", hint });
}

/** The response of a kept answer. Fails with `taken` where the answer was a stream of events. */
function answerOf({ status, body, location }: NonNullable<KeptRequest["answer"]>): Response {
  if (body === undefined) {
    throw taken(
      "Cannot answer again: the first answer was a stream of events",
      location === undefined
        ? "GET /api/convenings lists what was started; another key starts anew."
        : `GET ${location}/events has the events.`,
    );
  }
  const headers = { "content-type": "application/json", ...location && { location } };
  return new Response(body, { status, headers });
}

/** The files of an archive's requests, each under the hash of its key. */
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

  /** The lock of a request's name. Fails with `taken` where another server holds the lock, and with `record_unwritable`. */
  async lock(name: string): Promise<FileLock> {
    const { lock } = await writable(async () => {
      await this.#sweep();
      await this.#files.makeFolder(this.#folder);
      return await this.#files.lock(join(this.#folder, `${name}.lock`));
    });
    if (lock !== undefined) return lock;
    throw taken(
      "Cannot answer yet: another server answers the request with this Idempotency-Key",
      "Send the request again later.",
    );
  }

  /** Fails with `taken` where a convening on the topic of a request started after the request took its key. */
  async refuseStarted({ at }: KeptRequest, body: string): Promise<void> {
    const topic = topicIn(jsonIn(body));
    if (topic === undefined) return;
    // Some times of records are in whole seconds.
    const since = new Date(at - 1000).toISOString();
    const found = (await listConvenings(this.#out))
      .find((row) => row.topic === topic && row.startedAt >= since);
    if (found === undefined) return;
    throw taken(
      "Cannot answer again: the server ended before it answered this request",
      `GET ${linksOf(idOf(found.dir))["self"]} has the convening that was started.`,
    );
  }

  /** The request of a name, unless it is older than a day. Fails with `record_corrupt`. */
  async get(name: string): Promise<KeptRequest | undefined> {
    const path = join(this.#folder, name);
    if (await this.#files.stat(path) === undefined) return undefined;
    const { success, data } = keptRequest.safeParse(jsonIn(await this.#files.read(path)));
    if (!success) {
      throw new RecordError("record_corrupt", `Cannot read ${path}: it holds no kept answer`, {
        field: "Idempotency-Key",
        hint: "Remove the file.",
      });
    }
    if (data.at > systemClock.now() - KEPT_FOR) return data;
    await this.#files.remove(path);
    return undefined;
  }

  /** Writes that a request is under way, or how it was answered. */
  async write(name: string, kept: Omit<KeptRequest, "at">): Promise<void> {
    const text = `${JSON.stringify({ ...kept, at: systemClock.now() })}\n`;
    await writeDurably(this.#files, join(this.#folder, name), text, { truth: true });
  }

  async remove(name: string): Promise<void> {
    await this.#files.remove(join(this.#folder, name));
  }

  /** Removes what is older than a day. */
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

/** Does what writes; a file that cannot be written is `record_unwritable`. */
async function writable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    throw new RecordError("record_unwritable", "Cannot keep the Idempotency-Key of a request", {
      field: "Idempotency-Key",
      hint: "Send the request again, or without the key.",
      cause,
    });
  }
}

/** The topic that a body starts a convening on. */
function topicIn(body: unknown): string | undefined {
  const { topic, question } = { ...body as { topic?: unknown; question?: unknown } };
  const given = topic ?? question;
  return typeof given === "string" ? given : undefined;
}
