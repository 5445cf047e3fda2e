// Redis that the workers of studies share: the connection and the queue.
import { pause, systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import {
  type CellEnd,
  orAborted,
  STOP_REASONS,
  type StopReason,
  type StudyQueue,
} from "./queue.ts";
import { id } from "./read_study.ts";

/** Packages with exact versions, loaded on first use; they are in neither the import map nor the lock file. */
const PACKAGES = {
  // Loaded first: BullMQ's own version range has versions that some registries lack. The native code is not needed.
  native: "npm:msgpackr-extract@3.0.4",
  client: "npm:ioredis@5.11.1",
  queue: "npm:bullmq@6.7.0",
} as const;

/**
 * Times in milliseconds: reconnects wait `first` times the number of the attempt, at most `most`; `rejected` after a command
 * that Redis rejected, because of full memory for example; a connection without an answer for `silence` is replaced; the
 * same problem is told once in `again`.
 */
const RETRY = { first: 100, most: 5000, rejected: 1000, silence: 10_000, again: 60_000 } as const;

/** Prefix of all Redis keys. */
export const PREFIX = "convenings";

/** KEYS: value. ARGV: the value that was read, the new value. Returns 0 if another process has changed the value. */
export const REPLACE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** The operations used of an ioredis client. */
interface RedisClient {
  connect(): Promise<void>;
  select(database: number): Promise<unknown>;
  disconnect(): void;
  on(event: "error" | "close", listener: (error: Error) => void): unknown;
  socketTimeoutTimer?: number | undefined;
  info(section: string): Promise<string>;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ...options: readonly string[]): Promise<string | null>;
  zadd(key: string, ...rest: readonly (string | number)[]): Promise<number>;
  zrem(key: string, member: string): Promise<number>;
  zrange(key: string, from: number, to: number): Promise<string[]>;
  eval(script: string, keys: number, ...rest: readonly (string | number)[]): Promise<unknown>;
}

interface BullJob {
  readonly id: string;
  /** `cell` is the key of the cell. */
  readonly data: { readonly cell: string };
  moveToCompleted(result: unknown, token: string, fetchNext: boolean): Promise<unknown>;
  moveToWait(token: string): Promise<unknown>;
}

interface BullQueue {
  readonly name: string;
  addBulk(jobs: readonly unknown[]): Promise<unknown>;
  getJobCountByTypes(...types: readonly string[]): Promise<number>;
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Removes jobs that no worker has taken. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

interface BullWorker {
  on(event: "error", listener: (error: Error) => void): unknown;
  getNextJob(token: string, options: { readonly block: boolean }): Promise<BullJob | undefined>;
  extendJobLocks(ids: readonly string[], tokens: readonly string[], ms: number): Promise<unknown>;
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
  /** Returns the error for a command that Redis rejected; any other error as it is. */
  refusalOf(error: unknown): unknown;
  /** Waits before another try of a command that Redis rejected, and reports the error; throws any other error. */
  wait(error: unknown): Promise<void>;
  close(): void;
}

/** Options of {@linkcode connectRedis}. */
interface RedisOptions {
  /** Called when Redis does not answer or rejects a command; for the same problem once a minute. @default no callback */
  readonly onProblem?: ((message: string) => void) | undefined;
  /** Imports a package by its specifier. @default `import()` */
  readonly importPackage?: ((specifier: string) => Promise<unknown>) | undefined;
}

/**
 * Connects to Redis at a `redis:` or `rediss:` URL. Throws `config_invalid`, with the address but no password, for other
 * URLs, a server that does not answer, and packages that cannot be loaded.
 */
export async function connectRedis(
  url: string,
  // A variable specifier: no tool that scans the sources downloads the package in advance.
  { onProblem, importPackage = (specifier) => import(specifier) }: RedisOptions = {},
): Promise<RedisConnection> {
  const { href, address, port, database } = parsed(url);
  const { Redis, bull } = await packages(importPackage);
  const tell = teller(onProblem);
  let isOpen = false;
  let last: Error | undefined;
  const client = new Redis(href, {
    lazyConnect: true,
    // After a first connection, workers wait for the server without limit; without one, connecting fails at once.
    maxRetriesPerRequest: null,
    retryStrategy: (time: number) => isOpen ? Math.min(RETRY.first * time, RETRY.most) : null,
    socketTimeout: RETRY.silence,
    // The name of a primary may now lead to another server.
    reconnectOnError: ({ message }: Error) => message.includes("READONLY"),
  });
  const away = (error: unknown) =>
    refusal(
      "queue",
      `Redis at ${address} does not answer, ${reasonOf(error)}`,
      `Start redis-server there (no cluster, sentinel or proxy without EVAL), check user, password, database and TLS (rediss://, DENO_CERT), and grant --allow-net=${port}.`,
      error,
    );
  client.on("error", (error) => {
    last = error;
    if (isOpen) tell(away(error));
  });
  // The client keeps the timer of a closed connection, which would close the next one.
  client.on("close", () => {
    clearTimeout(client.socketTimeoutTimer);
    client.socketTimeoutTimer = undefined;
  });
  try {
    await client.connect();
    // The client ignores that the server lacks the database of the URL, and would use another one.
    await client.select(database);
    // A server that rejects scripts, or two keys at once as a cluster does, would never give out a cell.
    await client.eval("return 1", 2, STUDIES, `${PREFIX}:q`);
  } catch (error) {
    client.disconnect();
    throw away(isReply(error) ? error : last ?? error);
  }
  isOpen = true;
  if (onProblem) await reportEviction(client, address, onProblem);
  return {
    client,
    bull,
    address,
    refusalOf: (error) => isReply(error) ? rejection(error, address) : error,
    async wait(error) {
      if (!isReply(error)) throw error;
      tell(rejection(error, address));
      await pause(RETRY.rejected);
    },
    close: () => client.disconnect(),
  };
}

/** Reports a server that removes keys when its memory is full. */
async function reportEviction(
  client: RedisClient,
  address: string,
  report: (message: string) => void,
): Promise<void> {
  const memory = await client.info("memory").catch(String);
  const [policy] = /maxmemory_policy:(?!noeviction)\S+/.exec(memory) ?? [];
  const risk = `Redis at ${address} may remove keys of the queue, ${policy}`;
  if (policy) report(`${risk}. Set maxmemory-policy noeviction there`);
}

function teller(onProblem: RedisOptions["onProblem"]): (problem: ConfigurationError) => void {
  const told = new Map<string, number>();
  return ({ message, hint }) => {
    const now = systemClock.now();
    if (now - (told.get(message) ?? 0) < RETRY.again) return;
    told.set(message, now);
    onProblem?.(`${message}. ${hint}`);
  };
}

function rejection(error: Error, address: string): ConfigurationError {
  const state = `Redis at ${address} rejects commands, ${reasonOf(error)}`;
  const hint =
    "Give Redis more memory or disk, its user the permissions in the guide, or the primary server in place of a replica.";
  return refusal("queue", state, hint, error);
}

/** Returns true for an answer that is an error, or that is not of Redis: another server may have its address for a moment. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && /^(?:Reply|Parser)Error$/.test(error.name);
}

function parsed(url: string) {
  try {
    const { href, protocol, username, password, hostname, port: given, pathname, searchParams } =
      new URL(url);
    const named = pathname.slice(1) || (searchParams.get("db") ?? "");
    // The client decodes user and password.
    decodeURIComponent(`${username}:${password}`);
    if (/^rediss?:$/.test(protocol) && hostname !== "" && /^\d*$/.test(named)) {
      const port = `${hostname}:${given || "6379"}`;
      const address = `${protocol}//${port}${named === "" ? "" : `/${named}`}`;
      return { href, address, port, database: Number(named) };
    }
  } catch {
    // Neither a URL nor percent code.
  }
  throw refusal(
    "queue",
    "the address is not a Redis URL",
    "Give redis://HOST:PORT, with USER:PASSWORD@ before the host where the server asks; write special characters of the password in percent code, such as %40 for @.",
  );
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

/** Returns the first line of an error's message, without the id of a script and the command, which could be a password. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: readonly Error[] };
  // A host name with several addresses fails with one error per address.
  const first = message || errors?.[0]?.message || String(error);
  return first.replace(/(?:\n|\. script:|, with args)[^]*|\.$/, "");
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
const TIMEOUT = 2000;

/** Returns the ids of studies with queued cells, the oldest first; leaves out other texts, which could be paths. */
export async function queuedStudies({ client }: RedisConnection): Promise<string[]> {
  return (await client.zrange(STUDIES, 0, -1)).filter((each) => id.safeParse(each).success);
}

/**
 * Queue of a study's cells as BullMQ jobs, whose locks are the leases of cells. A job has only the cell's key: all else is in
 * the study's folder, and the lock of a record decides who writes.
 */
export class RedisQueue implements StudyQueue, AsyncDisposable {
  readonly look: number;
  readonly #connection: RedisConnection;
  readonly #client: RedisClient;
  readonly #study: string;
  readonly #times: Required<Record<"lock" | "later", number>>;
  /** Returns true if the study's folder has a stop request. */
  readonly #isStopAsked: () => Promise<boolean>;
  readonly #runKey: string;
  readonly #queue: BullQueue;
  #worker: BullWorker | undefined;
  /** Identifies the owner of leases. */
  readonly #token: string = crypto.randomUUID();
  /** Cells whose leases are renewed: those that run, and those that wait for a retry. */
  readonly #held = new Map<string, BullJob>();
  readonly #closing = new AbortController();
  #taking: Promise<unknown> | undefined;
  /** Id of the run that this queue works for, or the reason of a stop. A later run may have other limits. */
  #run: string | undefined;

  constructor(
    connection: RedisConnection,
    study: string,
    { lock = 30_000, later = 5000, look = 1000 }: RedisQueueTimes = {},
    isStopAsked = () => Promise.resolve(false),
  ) {
    this.look = look;
    this.#connection = connection;
    this.#client = connection.client;
    this.#study = study;
    this.#times = { lock, later };
    this.#isStopAsked = isStopAsked;
    this.#runKey = `${PREFIX}:{${study}}:run`;
    // No process reads the events.
    const streams = { events: { maxLen: 0 } };
    this.#queue = new connection.bull.Queue(`study-${study}`, { ...this.#shared, streams });
    this.#queue.on("error", () => {});
  }

  get #shared() {
    // Without the check each opened queue would ask for INFO, and print warnings of its own.
    return { connection: this.#client, prefix: `${PREFIX}:q`, skipVersionCheck: true };
  }

  /** Begins a run: ends a stop, and replaces the cells of earlier runs that no worker has taken. */
  async enqueue(keys: readonly string[]): Promise<void> {
    const run: string = crypto.randomUUID();
    await this.#client.set(this.#runKey, run);
    this.#run = run;
    await this.#queue.drain();
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

  take(most: number): Promise<readonly string[] | undefined> {
    const taken: string[] = [];
    // Cells that were taken before a command was rejected are not lost.
    return this.#taking = this.#take(most, taken)
      .catch((error) => this.#connection.wait(error).then(() => taken));
  }

  async #take(most: number, taken: string[]): Promise<readonly string[] | undefined> {
    this.#run ??= await this.#client.get(this.#runKey) ?? "";
    if (isReason(this.#run)) return undefined;
    if (await this.#isStopAsked()) await this.stop("stopped");
    if (await this.#client.get(this.#runKey) !== this.#run) return undefined;
    if (await this.#isEmpty()) return undefined;
    while (taken.length < most && !this.#closing.signal.aborted) {
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
    const worker = new this.#connection.bull.Worker(this.#queue.name, null, {
      ...this.#shared,
      lockDuration: lock,
      // A lost lease is noticed soon after its end.
      stalledInterval: Math.ceil(lock / 6),
      // A cell may stall any number of times: the record keeps the progress, and another worker resumes it.
      maxStalledCount: 1_000_000,
    });
    worker.on("error", () => {});
    worker.startStalledCheckTimer().catch(() => {});
    this.#renew(worker);
    return this.#worker = worker;
  }

  /** Renews the leases of held cells until the queue is closed, also while a stopped run waits for its convenings. */
  async #renew(worker: BullWorker): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await pause(this.#times.lock / 3, signal).catch(() => {});
      const ids = Array.from(this.#held.values(), ({ id }) => id);
      const tokens = ids.map(() => this.#token);
      // A lost lease is not an error: the record's lock decides who writes.
      await worker.extendJobLocks(ids, tokens, this.#times.lock).catch(() => {});
    }
  }

  async #isEmpty(): Promise<boolean> {
    return await this.#queue.getJobCountByTypes("active", "waiting") === 0;
  }

  async release(key: string, end: CellEnd | undefined): Promise<void> {
    const job = this.#held.get(key);
    if (job === undefined) return;
    if (end === "later") {
      // A delay of BullMQ would end by the clock of another machine.
      const free = () => this.release(key, undefined);
      pause(this.#times.later, this.#closing.signal).then(free, () => {});
      return;
    }
    this.#held.delete(key);
    if (end === "done") await orTimeout(job.moveToCompleted("", this.#token, false));
    else await orTimeout(job.moveToWait(this.#token));
  }

  /** Stops all workers after their current message, until cells are added again. Does not stop a later run. */
  async stop(why: StopReason): Promise<void> {
    const run = this.#run ?? await this.#client.get(this.#runKey) ?? "";
    await this.#client.eval(REPLACE, 1, this.#runKey, run, why);
  }

  async stoppedFor(): Promise<StopReason | undefined> {
    const run = await this.#client.get(this.#runKey) ?? "";
    return isReason(run) ? run : undefined;
  }

  /** Returns true if Redis has lost the data of the run. */
  async isLost(): Promise<boolean> {
    return await this.#client.get(this.#runKey) === null;
  }

  /** Returns true if workers have no cells of the study: the queue is empty, or the study is stopped. */
  async isOver(): Promise<boolean> {
    return await this.stoppedFor() !== undefined || await this.#isEmpty();
  }

  /** Removes the study from the list of studies with queued cells if its queue is empty. */
  async unlist(): Promise<void> {
    if (!await this.#isEmpty()) return;
    await this.#client.zrem(STUDIES, this.#study);
    // Cells may have been added in between.
    if (await this.#isEmpty()) return;
    await this.#client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
  }

  /** Frees the cells that are still held, such as those of a `take` that failed or whose run ended meanwhile. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    if (this.#taking !== undefined) await orTimeout(this.#taking);
    await Promise.all(this.#held.keys().map((key) => this.release(key, undefined)));
    await orTimeout(Promise.all([this.#worker?.close(), this.#queue.close()]));
  }
}

/** Waits for an answer of Redis, at most {@linkcode TIMEOUT}; undefined then, and for an error: a lease ends by itself. */
export async function orTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  return await orAborted(work.catch(() => undefined), AbortSignal.timeout(TIMEOUT));
}

function isReason(run: string): run is StopReason {
  return (STOP_REASONS as readonly string[]).includes(run);
}
