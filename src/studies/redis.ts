// Redis that the workers of studies share: the connection, the queue, and the values of rates and budgets.
import { pause, systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Change, SharedValues } from "./limits.ts";
import { type CellEnd, STOP_REASONS, type StopReason, type StudyQueue } from "./queue.ts";

/** Packages with exact versions, loaded on first use; they are in neither the import map nor the lock file. */
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
interface RedisClient {
  connect(): Promise<void>;
  disconnect(): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ...options: readonly string[]): Promise<string | null>;
  zadd(key: string, ...rest: readonly (string | number)[]): Promise<number>;
  zrem(key: string, member: string): Promise<number>;
  zrange(key: string, from: number, to: number): Promise<string[]>;
  eval(script: string, keys: number, ...rest: readonly (string | number)[]): Promise<unknown>;
}

interface BullJob {
  /** `cell` is the key of the cell. */
  readonly data: { readonly cell: string };
  extendLock(token: string, duration: number): Promise<unknown>;
  moveToCompleted(result: unknown, token: string, fetchNext: boolean): Promise<unknown>;
  moveToDelayed(time: number, token: string): Promise<void>;
  moveToWait(token: string): Promise<unknown>;
}

interface BullQueue {
  addBulk(jobs: readonly unknown[]): Promise<unknown>;
  getJobCounts(...types: readonly string[]): Promise<Record<string, number>>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

interface BullWorker {
  on(event: "error", listener: (error: Error) => void): unknown;
  getNextJob(token: string, options: { readonly block: boolean }): Promise<BullJob | undefined>;
  startStalledCheckTimer(): Promise<void>;
  close(): Promise<void>;
}

/** The classes used of BullMQ. */
interface Bull {
  readonly Queue: new (name: string, options: unknown) => BullQueue;
  readonly Worker: new (name: string, work: null, options: unknown) => BullWorker;
}

export interface RedisConnection {
  readonly client: RedisClient;
  readonly bull: Bull;
  /** Address for messages, without user and password. */
  readonly address: string;
  close(): void;
}

/** Options of {@linkcode connectRedis}. */
interface RedisOptions {
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

export function refusal(
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

/** Times of a queue in milliseconds. */
export interface RedisQueueTimes {
  /** Lease of a cell: if a worker stops renewing it, the cell goes to another worker. @default 30000 */
  readonly lock?: number | undefined;
  /** Delay before a retry of a cell whose record another process holds. @default 5000 */
  readonly later?: number | undefined;
  /** Interval of looks for free cells, and for a stopped or completed study. @default 1000 */
  readonly look?: number | undefined;
}

/** Redis key of the sorted set of studies with queued cells, by the time they were queued. */
const STUDIES = `${PREFIX}:studies`;
/** Batch size when cells are added. */
const BATCH = 1000;
/** Timeout in milliseconds for giving back a cell, and for closing, when Redis does not answer. */
const TIMEOUT = 5000;
/** BullMQ states of unfinished jobs. */
const STATES = ["active", "waiting", "paused", "delayed", "prioritized"] as const;
/** Consecutive zero counts that mean an empty queue: a job that moves between two lists is briefly in neither. */
const EMPTY_CHECKS = 2;

/** Returns the ids of studies with queued cells, the oldest first. */
export function queuedStudies({ client }: RedisConnection): Promise<string[]> {
  return client.zrange(STUDIES, 0, -1);
}

/** Options of a {@linkcode RedisQueue}. */
interface RedisQueueOptions extends RedisQueueTimes {
  /** Returns true if the study's folder has a stop request. @default never */
  readonly isStopAsked?: () => Promise<boolean>;
}

/**
 * Queue of a study's cells as BullMQ jobs, whose locks are the leases of cells. A job has only the cell's key: all else is in
 * the study's folder, and the lock of a record decides who writes.
 */
export class RedisQueue implements StudyQueue, AsyncDisposable {
  readonly look: number;
  readonly #connection: RedisConnection;
  readonly #study: string;
  readonly #times: Required<Record<"lock" | "later", number>>;
  readonly #isStopAsked: () => Promise<boolean>;
  readonly #runKey: string;
  readonly #queue: BullQueue;
  #worker: BullWorker | undefined;
  /** Identifies the owner of leases. */
  readonly #token: string = crypto.randomUUID();
  readonly #held = new Map<string, BullJob>();
  #emptyChecks = 0;
  /** Id of the run that this queue works for, or the reason of a stop. A later run may have other limits. */
  #run: string | undefined;

  constructor(connection: RedisConnection, study: string, options: RedisQueueOptions = {}) {
    const { lock = 30_000, later = 5000, look = 1000 } = options;
    this.look = look;
    this.#connection = connection;
    this.#study = study;
    this.#times = { lock, later };
    this.#isStopAsked = options.isStopAsked ?? (() => Promise.resolve(false));
    this.#runKey = `${PREFIX}:{${study}}:run`;
    this.#queue = new connection.bull.Queue(this.#name, this.#shared);
    this.#queue.on("error", () => {});
  }

  get #client(): RedisClient {
    return this.#connection.client;
  }

  get #name(): string {
    return `study-${this.#study}`;
  }

  get #shared(): { readonly connection: RedisClient; readonly prefix: string } {
    return { connection: this.#client, prefix: `${PREFIX}:q` };
  }

  /** Begins a run: adds cells, and ends a stop. */
  async enqueue(keys: readonly string[]): Promise<void> {
    this.#run = String(systemClock.now());
    await this.#client.set(this.#runKey, this.#run);
    for (let from = 0; from < keys.length; from += BATCH) {
      const jobs = keys.slice(from, from + BATCH).map((cell) => ({
        name: "cell",
        data: { cell },
        // BullMQ rejects ids of digits only. Finished jobs are removed: the record has the result.
        opts: { jobId: `${this.#study}.${cell}`, removeOnComplete: true, removeOnFail: true },
      }));
      await this.#queue.addBulk(jobs);
    }
    if (keys.length > 0) await this.#client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
  }

  async take(most: number): Promise<readonly string[] | undefined> {
    this.#run ??= await this.#client.get(this.#runKey) ?? "";
    if (isReason(this.#run)) return undefined;
    if (await this.#isStopAsked()) await this.stop("stopped");
    if (await this.#client.get(this.#runKey) !== this.#run) return undefined;
    this.#emptyChecks = await this.#isEmpty() ? this.#emptyChecks + 1 : 0;
    if (this.#emptyChecks >= EMPTY_CHECKS) return undefined;
    // Fails for a lost lease: then the record's lock still decides who writes.
    const held = [...this.#held.values()];
    await Promise.allSettled(held.map((job) => job.extendLock(this.#token, this.#times.lock)));
    const taken: string[] = [];
    while (taken.length < most) {
      const job = await this.#opened().getNextJob(this.#token, { block: false });
      if (job === undefined) break;
      this.#held.set(job.data.cell, job);
      taken.push(job.data.cell);
    }
    return taken;
  }

  #opened(): BullWorker {
    if (this.#worker !== undefined) return this.#worker;
    const { lock } = this.#times;
    const worker = new this.#connection.bull.Worker(this.#name, null, {
      ...this.#shared,
      lockDuration: lock,
      // A lost lease is noticed soon after its end.
      stalledInterval: Math.ceil(lock / 6),
      // A cell may stall any number of times: the record keeps the progress, and another worker resumes it.
      maxStalledCount: 1_000_000,
    });
    worker.on("error", () => {});
    worker.startStalledCheckTimer().catch(() => {});
    return this.#worker = worker;
  }

  async #isEmpty(): Promise<boolean> {
    const counts = await this.#queue.getJobCounts(...STATES);
    return Object.values(counts).every((count) => count === 0);
  }

  async release(key: string, end: CellEnd | undefined): Promise<void> {
    const job = this.#held.get(key);
    this.#held.delete(key);
    if (job === undefined) return;
    if (end === "done") await orTimeout(job.moveToCompleted("", this.#token, false));
    else if (end === undefined) await orTimeout(job.moveToWait(this.#token));
    else await orTimeout(job.moveToDelayed(systemClock.now() + this.#times.later, this.#token));
  }

  /** Stops all workers after their current message, until cells are added again. Does not stop a later run. */
  async stop(why: StopReason): Promise<void> {
    if (this.#run !== undefined && await this.#client.get(this.#runKey) !== this.#run) return;
    await this.#client.set(this.#runKey, why);
  }

  async stoppedFor(): Promise<StopReason | undefined> {
    const run = await this.#client.get(this.#runKey) ?? "";
    return isReason(run) ? run : undefined;
  }

  /** Removes the study from the list of studies with queued cells if its queue is empty, or `always`. */
  async unlist({ always = false }: { readonly always?: boolean } = {}): Promise<void> {
    if (!always && !await this.#isEmpty()) return;
    await this.#client.zrem(STUDIES, this.#study);
    // Cells may have been added in between.
    if (always || await this.#isEmpty()) return;
    await this.#client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await orTimeout(Promise.all([this.#worker?.close(), this.#queue.close()]));
  }
}

/** Waits for an answer of Redis, at most {@linkcode TIMEOUT}; ignores an error: a lease ends by itself. */
async function orTimeout(work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const timeout = pause(TIMEOUT, done.signal).catch(() => {});
  await Promise.race([work.catch(() => {}), timeout]);
  done.abort();
}

function isReason(run: string): run is StopReason {
  return (STOP_REASONS as readonly string[]).includes(run);
}

const READ = "return { redis.call('GET', KEYS[1]) or '', redis.call('TIME') }";

/** KEYS: value. ARGV: the value that was read, the new value. Returns 0 if another process has changed the value. */
const REPLACE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** Changes of a value that are written together, and their answers. */
interface Batch {
  readonly changes: Change<unknown, unknown>[];
  readonly answers: Promise<readonly unknown[]>;
}

/**
 * Values in Redis, as JSON. Changes are made here, and made again if another process was faster. What a process wants to
 * change while it writes a value is written together afterwards.
 */
export class RedisValues implements SharedValues {
  readonly #client: RedisClient;
  /** Batches that have not begun, by key. */
  readonly #next = new Map<string, Batch>();
  /** Answers of the last batch of each key. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor({ client }: RedisConnection) {
    this.#client = client;
  }

  async update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    const { changes, answers } = this.#next.get(key) ?? this.#batch(key, first);
    const index = changes.push(change as Change<unknown, unknown>) - 1;
    return (await answers)[index] as A;
  }

  #batch(key: string, first: () => Promise<unknown>): Batch {
    const changes: Batch["changes"] = [];
    const before = this.#last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const answers = before.then(() => {
      this.#next.delete(key);
      return this.#write(`${PREFIX}:${key}`, first, changes);
    });
    const batch = { changes, answers };
    this.#next.set(key, batch);
    this.#last.set(key, answers);
    return batch;
  }

  async #write(
    key: string,
    first: () => Promise<unknown>,
    changes: Batch["changes"],
  ): Promise<readonly unknown[]> {
    for (;;) {
      const [text, [seconds, micros]] = await this.#client.eval(READ, 1, key) as Read;
      const before: unknown = text === "" ? await first() : JSON.parse(text);
      const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      let value = before;
      const answers = changes.map((change) => {
        const [changed, answer] = change(value, now);
        value = changed;
        return answer;
      });
      if (value === before) return answers;
      const written = await this.#client.eval(REPLACE, 1, key, text, JSON.stringify(value));
      if (written === 1) return answers;
    }
  }
}

type Read = readonly [text: string, time: readonly [seconds: string, micros: string]];
