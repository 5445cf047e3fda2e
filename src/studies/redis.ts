// Connection to the Redis that workers of studies share, and checks of the shared archive. Packages are loaded on first use.
import { join } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { filesBelow, userFiles } from "../record/disk_files.ts";
import { readText } from "../record/problems.ts";

/** Packages with exact versions; they are in neither the import map nor the lock file. */
const PACKAGES = {
  // Loaded first: BullMQ's own version range has versions that some registries lack. The native code is not needed.
  native: "npm:msgpackr-extract@3.0.4",
  client: "npm:ioredis@5.11.1",
  queue: "npm:bullmq@6.7.0",
} as const;

/** Backoff in milliseconds: `first` times the number of the attempt, at most `most`; `tries` for the first connection. */
const RETRY = { first: 100, most: 5000, tries: 3 } as const;

/** Prefix of all Redis keys. */
export const PREFIX = "convenings";

/** The operations used of an ioredis client. */
export interface RedisClient {
  connect(): Promise<void>;
  disconnect(): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ...options: readonly string[]): Promise<string | null>;
  del(...keys: readonly string[]): Promise<number>;
  zadd(key: string, ...rest: readonly (string | number)[]): Promise<number>;
  zrem(key: string, member: string): Promise<number>;
  zrange(key: string, from: number, to: number): Promise<string[]>;
  eval(script: string, keys: number, ...rest: readonly (string | number)[]): Promise<unknown>;
}

export interface BullJob {
  readonly id?: string;
  /** `cell` is the key of the cell. */
  readonly data: { readonly cell: string };
  moveToDelayed(time: number, token?: string): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
}

export interface BullQueue {
  addBulk(jobs: readonly unknown[]): Promise<unknown>;
  getJobCounts(...types: readonly string[]): Promise<Record<string, number>>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

interface BullWorker {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "lockRenewalFailed", listener: (ids: readonly string[]) => void): unknown;
  cancelJob(id: string, reason?: string): boolean;
  close(force?: boolean): Promise<void>;
}

/** The classes used of BullMQ. */
export interface Bull {
  readonly Queue: new (name: string, options: unknown) => BullQueue;
  readonly Worker: new (
    name: string,
    work: (job: BullJob, token?: string, signal?: AbortSignal) => Promise<unknown>,
    options: unknown,
  ) => BullWorker;
  readonly DelayedError: new () => Error;
  readonly WaitingError: new () => Error;
}

export interface RedisConnection {
  readonly client: RedisClient;
  readonly bull: Bull;
  /** Address for messages, without user and password. */
  readonly address: string;
  close(): void;
}

/** Options of {@linkcode connectRedis}. */
export interface RedisOptions {
  /** Called once when the connection is lost; reconnection attempts continue. @default no callback */
  readonly onLost?: ((message: string) => void) | undefined;
  /** Imports a package by its specifier. @default `import()` */
  readonly importPackage?: ((specifier: string) => Promise<unknown>) | undefined;
}

/**
 * Connects to Redis at a `redis:` or `rediss:` URL. Throws `config_invalid`, with the address but no password, for other
 * URLs, a server that does not answer, and packages that cannot be loaded.
 */
export async function connectRedis(
  url: string,
  { onLost, importPackage = importNow }: RedisOptions = {},
): Promise<RedisConnection> {
  const { address, port } = parsed(url);
  const { Redis, bull } = await packages(importPackage);
  let isOpen = false;
  let isLost = false;
  let last: Error | undefined;
  const client = new Redis(url, {
    lazyConnect: true,
    // After a first connection, workers wait for the server without limit; without one, connecting fails soon.
    maxRetriesPerRequest: null,
    retryStrategy: (time: number) =>
      isOpen || time <= RETRY.tries ? Math.min(RETRY.first * time, RETRY.most) : null,
  });
  client.on("error", (error) => {
    last = error;
    if (isOpen && !isLost) onLost?.(`Redis at ${address} does not answer: ${reasonOf(error)}`);
    isLost = true;
  });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw refusal(
      "queue",
      `Redis at ${address} does not answer, ${reasonOf(last ?? error)}`,
      `Start redis-server there, check user and password, and grant --allow-net=${port}.`,
      last ?? error,
    );
  }
  isOpen = true;
  return { client, bull, address, close: () => client.disconnect() };
}

function parsed(url: string): { readonly address: string; readonly port: string } {
  const found = URL.canParse(url) ? new URL(url) : undefined;
  if (found === undefined || !/^rediss?:$/.test(found.protocol) || found.hostname === "") {
    throw refusal(
      "queue",
      "the address is not a Redis URL",
      "Give redis://HOST:PORT, with USER:PASSWORD@ before the host where the server asks.",
    );
  }
  const port = `${found.hostname}:${found.port || "6379"}`;
  return { address: `${found.protocol}//${port}${found.pathname.replace(/^\/$/, "")}`, port };
}

type RedisPackage = { readonly Redis: new (url: string, options: unknown) => RedisClient };

async function packages(
  importPackage: (specifier: string) => Promise<unknown>,
): Promise<RedisPackage & { readonly bull: Bull }> {
  // Deno denies the native code without a permission; the import still pins the version of the package.
  await importPackage(PACKAGES.native).catch(() => {});
  try {
    const { Redis } = await importPackage(PACKAGES.client) as RedisPackage;
    return { Redis, bull: await importPackage(PACKAGES.queue) as Bull };
  } catch (error) {
    throw refusal(
      "queue",
      `${PACKAGES.queue} could not be loaded, ${reasonOf(error)}`,
      "Start once with a connection to the npm registry, without --frozen and --cached-only.",
      error,
    );
  }
}

function refusal(
  field: "queue" | "archive",
  state: string,
  hint: string,
  cause?: unknown,
): ConfigurationError {
  return new ConfigurationError(`Cannot use queue: ${state}`, { field, hint, cause });
}

/** Imports a variable specifier, so that no tool that scans the sources downloads the package in advance. */
const importNow = (specifier: string): Promise<unknown> => import(specifier);

/** Returns the first line of an error's message, which never contains a password. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: readonly Error[] };
  // A host name with several addresses fails with one error per address.
  const first = message || errors?.[0]?.message || String(error);
  return first.split("\n")[0]!;
}

/** File in the archive with its id. */
const ID_FILE = ".queue";
/** Redis key with the id of the archive. */
const KEY = `${PREFIX}:archive`;
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
  await connection.client.set(KEY, id, "NX");
  await checkArchive(connection, archive);
}

/** Checks that a worker's archive is the one bound to the Redis; false if none is bound yet. Errors as `claimArchive`. */
export async function checkArchive(
  { client, address }: RedisConnection,
  archive: string,
): Promise<boolean> {
  await checkMount(archive);
  const id = await client.get(KEY);
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

/** Returns true if the archive was ever bound to a Redis. */
export async function isShared(files: FileSystem, archive: string): Promise<boolean> {
  return await archiveId(files, archive) !== undefined;
}

async function archiveId(files: FileSystem, archive: string): Promise<string | undefined> {
  return (await readText(files, join(archive, ID_FILE)))?.trim();
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
