// A connection to the Redis that the workers of studies share; its packages are loaded when the first connection is opened.
import { ConfigurationError } from "../core/error.ts";

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

/** A job of BullMQ. */
export interface BullJob {
  readonly id?: string;
  readonly data: { readonly cell: string };
  moveToDelayed(time: number, token?: string): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
}

/** A queue of BullMQ. */
export interface BullQueue {
  addBulk(jobs: readonly unknown[]): Promise<unknown>;
  getJobCounts(...types: readonly string[]): Promise<Record<string, number>>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** A worker of BullMQ. */
export interface BullWorker {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "lockRenewalFailed", listener: (ids: readonly string[]) => void): unknown;
  cancelJob(id: string, reason?: string): boolean;
  close(force?: boolean): Promise<void>;
}

/** BullMQ, as far as studies use its classes. */
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

/** An open connection. */
export interface RedisConnection {
  readonly client: RedisClient;
  readonly bull: Bull;
  /** The address as messages show it: without user and password. */
  readonly address: string;
  /** Ends the connection. */
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
    throw new ConfigurationError(
      `Cannot use queue: Redis at ${address} does not answer, ${reasonOf(last ?? error)}`,
      {
        field: "queue",
        cause: last ?? error,
        hint: `Start redis-server there, check user and password, and grant --allow-net=${port}.`,
      },
    );
  }
  isOpen = true;
  return { client, bull, address, close: () => client.disconnect() };
}

function parsed(url: string): { readonly address: string; readonly port: string } {
  const found = URL.canParse(url) ? new URL(url) : undefined;
  if (found === undefined || !/^rediss?:$/.test(found.protocol) || found.hostname === "") {
    throw new ConfigurationError("Cannot use queue: the address is no URL of a Redis", {
      field: "queue",
      hint: "Give redis://HOST:PORT, with USER:PASSWORD@ before the host where the server asks.",
    });
  }
  const port = `${found.hostname}:${found.port || "6379"}`;
  return { address: `${found.protocol}//${port}${found.pathname.replace(/^\/$/, "")}`, port };
}

interface Packages {
  readonly Redis: new (url: string, options: unknown) => RedisClient;
  readonly bull: Bull;
}

async function packages(
  importPackage: NonNullable<RedisOptions["importPackage"]>,
): Promise<Packages> {
  // Deno refuses the native code for want of a permission; the package is known from then on.
  await importPackage(PACKAGES.native).catch(() => {});
  try {
    const { Redis } = await importPackage(PACKAGES.client) as Pick<Packages, "Redis">;
    return { Redis, bull: await importPackage(PACKAGES.queue) as Bull };
  } catch (error) {
    throw new ConfigurationError(
      `Cannot use queue: ${PACKAGES.queue} could not be loaded, ${reasonOf(error)}`,
      {
        field: "queue",
        cause: error,
        hint:
          "Start once with a connection to the npm registry, without --frozen and --cached-only.",
      },
    );
  }
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
