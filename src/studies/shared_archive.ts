// State that the workers of studies share besides the queue: the archive bound to a Redis, and values of rates and budgets.
import { join } from "@std/path";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { RunStop } from "../engine/run_stop.ts";
import { filesBelow, userFiles } from "../record/disk_files.ts";
import { readText } from "../record/problems.ts";
import type { Change, SharedValues } from "./limits.ts";
import { orAborted } from "./queue.ts";
import { orTimeout, PREFIX, type RedisConnection, refusal, REPLACE } from "./redis.ts";

/** File in the archive with its id. */
const ID_FILE = ".queue";
/** Redis key with the id of the archive. */
const ARCHIVE = `${PREFIX}:archive`;
/** File with the mounts on Linux; readable only if Deno has all permissions. */
const MOUNTS = "/proc/self/mounts";

/**
 * Binds a Redis to an archive: both store the same id, which workers compare. Throws `config_invalid` if the Redis is bound
 * to another archive, if the archive's file system has no hard links, or if its locks are local to the machine.
 */
export async function claimArchive(connection: RedisConnection, archive: string): Promise<void> {
  await checkMount(archive);
  const files = filesBelow(archive);
  await files.makeFolder(archive);
  const id = await archiveId(files, archive) ?? await createArchiveId(files, archive);
  await connection.client.set(ARCHIVE, id, "NX");
  await checkArchive(connection, archive);
}

/** Checks that a worker's archive is the one bound to the Redis; false if none is bound yet. Errors as `claimArchive`. */
export async function checkArchive(
  { client, address }: RedisConnection,
  archive: string,
): Promise<boolean> {
  await checkMount(archive);
  const id = await client.get(ARCHIVE);
  if (id === null) return false;
  const found = await archiveId(filesBelow(archive), archive);
  if (found === id) return true;
  throw refusal(
    "archive",
    `Redis at ${address} holds the cells of an archive other than ${archive}`,
    found === undefined
      ? `Mount the folder that \`study run\` wrote to; it has the file ${ID_FILE}.`
      : "Use a Redis of its own for each archive, or another database of it: redis://HOST:PORT/1.",
  );
}

async function archiveId(files: FileSystem, archive: string): Promise<string | undefined> {
  const path = join(archive, ID_FILE);
  return await files.stat(path) === undefined ? undefined : (await files.read(path)).trim();
}

async function createArchiveId(files: FileSystem, archive: string): Promise<string> {
  const id: string = crypto.randomUUID();
  try {
    await writeDurably(files, join(archive, ID_FILE), `${id}\n`, { truth: true, exclusive: true });
    return id;
  } catch (error) {
    const other = await archiveId(files, archive);
    if (other !== undefined) return other;
    if (!(error instanceof FileError)) throw error;
    throw refusal(
      "archive",
      `${archive} cannot be shared, ${error.message.split("\n")[0]}`,
      "Choose a folder that can be written to, on a file system with hard links.",
      error,
    );
  }
}

/** Throws `config_invalid` if the archive is on a mount with local locks; no check if the mounts cannot be read. */
async function checkMount(archive: string): Promise<void> {
  const text = await readText(userFiles, MOUNTS);
  if (!hasLocalLocks(text ?? "", archive)) return;
  throw refusal(
    "archive",
    `${archive} is mounted with local_lock, so that no machine sees the locks of others`,
    "Mount the folder without local_lock, by NFS version 4.",
  );
}

/** Returns true if the mount of a path, in the text of `/proc/self/mounts`, has locks that other machines do not see. */
export function hasLocalLocks(mounts: string, path: string): boolean {
  let length = 0;
  let options = "";
  for (const line of mounts.split("\n")) {
    const [, place = "", , given = ""] = line.split(" ");
    const folder = place.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8)));
    const isAbove = `${path}/`.startsWith(folder.replace(/\/?$/, "/"));
    // Of several mounts on the same folder, the last is visible.
    if (isAbove && folder.length >= length) [length, options] = [folder.length, given];
  }
  return /(?:^|,)(?:nolock|local_lock=(?!none))/.test(options);
}

const READ = "return { redis.call('GET', KEYS[1]) or '', redis.call('TIME') }";

/** Values in Redis, as JSON. Changes are made here, one after another, and made again if another process was faster. */
export class RedisValues implements SharedValues {
  readonly #connection: RedisConnection;
  /** The last change of each key. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #ending: AbortSignal | undefined;

  /** Once `ending` has aborted, changes reject with a `RunStop` if Redis does not answer. */
  constructor(connection: RedisConnection, ending?: AbortSignal) {
    this.#connection = connection;
    this.#ending = ending;
  }

  async update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    const before = this.#last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const writing = before.then(() => this.#write(`${PREFIX}:${key}`, first, change));
    this.#last.set(key, writing);
    const ending = this.#ending;
    const made = await (ending ? orAborted(writing, ending) : writing) ?? await orTimeout(writing);
    if (made === undefined) throw new RunStop("paused");
    return made.answer;
  }

  async #write<V, A>(
    key: string,
    first: () => Promise<V>,
    change: Change<V, A>,
  ): Promise<{ readonly answer: A }> {
    const { client } = this.#connection;
    for (;;) {
      try {
        const [text, [seconds, micros]] = await client.eval(READ, 1, key) as Read;
        const before: V = text === "" ? await first() : JSON.parse(text);
        const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
        const [value, answer] = change(before, now);
        if (value === before) return { answer };
        const written = await client.eval(REPLACE, 1, key, text, JSON.stringify(value));
        if (written === 1) return { answer };
      } catch (error) {
        await this.#connection.wait(error);
      }
    }
  }
}

type Read = readonly [text: string, time: readonly [seconds: string, micros: string]];
