// Answers to POST requests that carry an Idempotency-Key, kept for a day: a request that is sent again does nothing again.
import { join } from "@std/path";
import type { Context, MiddlewareHandler, Next } from "hono";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { ConfigurationError, ConveningError, RecordError } from "../core/error.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import { filesBelow } from "../record/disk_files.ts";
import { jsonIn } from "../core/json_text.ts";

/** The folder of the archive with a file for each key. */
const FOLDER = ".requests";
/** How long an answer is kept, in milliseconds. */
const KEPT_FOR = 24 * 60 * 60 * 1000;
/** How often old files are removed, in milliseconds. */
const SWEEP_EVERY = 60 * 60 * 1000;
/** Paths of requests that start or change something; papers have ids of their own. */
export const KEYED = /^\/api\/(?:convenings|mas-debate|topics)(?:\/|$)/;

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

/** A request with a key, and its answer. */
type KeptRequest = z.infer<typeof keptRequest>;

/**
 * Answers a request with the `Idempotency-Key` of an earlier request as that was answered; both at once are answered one
 * after the other. Refusals are not kept. Fails with `key_reused` for another request under the same key, and with `taken`
 * where the earlier request was never answered, or with a stream of events.
 */
export function idempotent(out: string): MiddlewareHandler {
  const requests = new KeptRequests(filesBelow(out), join(out, FOLDER));
  /** What is under way for each key. */
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
  const kept = await requests.get(name);
  if (kept !== undefined) {
    context.res = keptAnswer(kept, request);
    return;
  }
  await requests.claim(name, request);
  await next();
  const { status, headers } = context.res;
  if (status >= 300) return await requests.remove(name);
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const body = isJson ? await context.res.text() : undefined;
  const location = headers.get("location") ?? undefined;
  if (body !== undefined) context.res = new Response(body, { status, headers });
  await requests.keep(name, { request, answer: { status, location, body } });
}

/** The answer that was kept. Fails where the request is another, or has no answer to be given again. */
function keptAnswer({ request, answer }: KeptRequest, asked: string): Response {
  if (request !== asked) {
    throw new ConveningError("key_reused", "Cannot use Idempotency-Key: another request had it", {
      field: "Idempotency-Key",
      hint: "Send the same path, type and body again, or give each request a key of its own.",
    });
  }
  const { status = 0, body, location } = answer ?? {};
  if (body === undefined) {
    throw new ConveningError(
      "taken",
      answer === undefined
        ? "Cannot say what the request with this Idempotency-Key did: it was not answered"
        : "Cannot answer again: the first answer was a stream of events",
      {
        field: "Idempotency-Key",
        hint: location === undefined
          ? "GET /api/convenings lists what was started; another key starts anew."
          : `GET ${location}/events has the events.`,
      },
    );
  }
  const headers = { "content-type": "application/json", ...location && { location } };
  return new Response(body, { status, headers });
}

/** The files of an archive's requests, each under the hash of its key. */
class KeptRequests {
  readonly #files: FileSystem;
  readonly #folder: string;
  #swept = 0;

  constructor(files: FileSystem, folder: string) {
    this.#files = files;
    this.#folder = folder;
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

  /** Writes that a request is under way. Fails with `record_unwritable`, also where another process has just done so. */
  async claim(name: string, request: string): Promise<void> {
    try {
      await this.#sweep();
      await this.#files.makeFolder(this.#folder);
      await this.#files.write(join(this.#folder, name), textOf({ request }));
    } catch (cause) {
      if (!(cause instanceof FileError)) throw cause;
      throw new RecordError("record_unwritable", "Cannot keep the Idempotency-Key of a request", {
        field: "Idempotency-Key",
        hint: "Send the request again, or without the key.",
        cause,
      });
    }
  }

  /** Writes how a request was answered. */
  async keep(name: string, kept: Omit<KeptRequest, "at">): Promise<void> {
    await writeDurably(this.#files, join(this.#folder, name), textOf(kept), { truth: true });
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

function textOf(kept: Omit<KeptRequest, "at">): string {
  return `${JSON.stringify({ ...kept, at: systemClock.now() })}\n`;
}
