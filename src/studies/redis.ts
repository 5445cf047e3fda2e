// The Redis and the archive that the workers of studies share; its packages are loaded when the first connection is opened.
import { join } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { filesBelow, userFiles } from "../record/disk_files.ts";
import { readText } from "../record/problems.ts";

/** The packages, with exact versions; in no import map and no lock of this project. */
const PACKAGES = {
  // Asked for first: BullMQ's own range has versions that some registries lack. Its native code is not needed.
  native: "npm:msgpackr-extract@3.0.4",
  client: "npm:ioredis@5.11.1",
  queue: "npm:bullmq@6.7.0",
} as const;

/** Milliseconds between tries to reach a Redis, by the number of the try. */
const RETRY = { first: 100, most: 5000, tries: 3 } as const;

/** The start of every key that studies keep in Redis. */
export const PREFIX = "convenings";

/** A Redis client, as far as studies use its operations. */
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

/** BullMQ, as far as studies use its classes and jobs. */
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
  /** The address as messages show it: without user and password. */
  readonly address: string;
  close(): void;
}

/** Options of {@linkcode connectRedis}. */
export interface RedisOptions {
  /** Called once when the connection is lost; tries to reach the server go on. @default nothing is called */
  readonly onLost?: ((message: string) => void) | undefined;
  /** Imports a package by its specifier. @default `import()` */
  readonly importPackage?: ((specifier: string) => Promise<unknown>) | undefined;
}

/**
 * Connects to the Redis at a `redis:` or `rediss:` URL. Fails with `config_invalid`, naming the address without its
 * password, for another URL, a server that does not answer, and packages that cannot be loaded.
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
    // Workers wait for a server that was there; a server that never answered is an error at once.
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
      "the address is no URL of a Redis",
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
  // Deno refuses the native code for want of a permission; the package is known from then on.
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

/** A variable specifier: no tool that reads the sources downloads the package beforehand. */
const importNow = (specifier: string): Promise<unknown> => import(specifier);

/** The first line of an error's message; a password is in none. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: readonly Error[] };
  // A name with several addresses fails with one error for each.
  const first = message || errors?.[0]?.message || String(error);
  return first.split("\n")[0]!;
}

const PROBE = ".queue";
const KEY = `${PREFIX}:archive`;
/** File that lists the mounts of Linux; Deno reads it with all permissions only. */
const MOUNTS = "/proc/self/mounts";

/**
 * Gives a Redis to an archive, by a file that workers must find in theirs. Fails with `config_invalid` where the Redis is
 * of another archive, where files of the folder cannot be linked, and where its locks are of one machine alone.
 */
export async function claimArchive(connection: RedisConnection, archive: string): Promise<void> {
  await checkMount(archive);
  const files = filesBelow(archive);
  await files.makeFolder(archive);
  const id = await probe(files, archive) ?? await newProbe(files, archive);
  await connection.client.set(KEY, id, "NX");
  await checkArchive(connection, archive);
}

/** Compares the archive of a worker with that of the Redis; false while no study was queued there. */
export async function checkArchive(
  { client, address }: RedisConnection,
  archive: string,
): Promise<boolean> {
  await checkMount(archive);
  const id = await client.get(KEY);
  if (id === null) return false;
  const found = await probe(filesBelow(archive), archive);
  if (found === id) return true;
  throw refusal(
    "archive",
    `Redis at ${address} has the cells of another archive than ${archive}`,
    found === undefined
      ? `Mount the folder that \`study run\` wrote to; it has the file ${PROBE}.`
      : "Use a Redis of its own for each archive, or another database of it: redis://HOST:PORT/1.",
  );
}

/** True if workers of a Redis share the archive, or did. */
export async function isShared(files: FileSystem, archive: string): Promise<boolean> {
  return await probe(files, archive) !== undefined;
}

async function probe(files: FileSystem, archive: string): Promise<string | undefined> {
  return (await readText(files, join(archive, PROBE)))?.trim();
}

async function newProbe(files: FileSystem, archive: string): Promise<string> {
  const id: string = crypto.randomUUID();
  try {
    await writeDurably(files, join(archive, PROBE), `${id}\n`, { truth: true, exclusive: true });
    return id;
  } catch (error) {
    const other = await probe(files, archive);
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

/** Refuses an archive on a mount whose locks other machines do not see, where the mounts can be read. */
async function checkMount(archive: string): Promise<void> {
  const text = await readText(userFiles, MOUNTS);
  if (!hasLocalLocks(text ?? "", archive)) return;
  throw refusal(
    "archive",
    `${archive} is mounted with local_lock, so that no machine sees the locks of others`,
    "Mount the folder without local_lock, by NFS version 4.",
  );
}

/** True if the mount of a path, in the text of `/proc/self/mounts`, keeps its locks on this machine. */
export function hasLocalLocks(mounts: string, path: string): boolean {
  let length = 0;
  let options = "";
  for (const line of mounts.split("\n")) {
    const [, place = "", , given = ""] = line.split(" ");
    const folder = place.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8)));
    const isAbove = `${path}/`.startsWith(folder.replace(/\/?$/, "/"));
    // The last of the mounts on one folder is the one that is seen.
    if (isAbove && folder.length >= length) [length, options] = [folder.length, given];
  }
  return /(?:^|,)(?:nolock|local_lock=(?!none))/.test(options);
}
