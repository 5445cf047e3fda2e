// Redis that the workers of studies share: the connection, the queue, and the values of rates and budgets.
import { pause, systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Change, SharedValues } from "./limits.ts";
import { type CellEnd, STOP_REASONS, type StopReason, type StudyQueue } from "./queue.ts";

/** Package with an exact version; it is in neither the import map nor the lock file, and is loaded on first use. */
const PACKAGE = "npm:ioredis@5.11.1";

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

export interface RedisConnection {
  readonly client: RedisClient;
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
  const Redis = await loaded(importPackage);
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
  return { client, address, close: () => client.disconnect() };
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

type RedisClass = new (url: string, options: unknown) => RedisClient;

async function loaded(importPackage: (specifier: string) => Promise<unknown>): Promise<RedisClass> {
  try {
    return (await importPackage(PACKAGE) as { readonly Redis: RedisClass }).Redis;
  } catch (error) {
    throw refusal(
      "queue",
      `${PACKAGE} could not be loaded, ${reasonOf(error)}`,
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
/** Timeout in milliseconds for freeing a cell when Redis does not answer. */
const TIMEOUT = 5000;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** KEYS: run, cells. ARGV: id of the run, number of cells, lease, cells held. Returns nil if nothing is left of the run. */
const TAKE = `${NOW}
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('ZCARD', KEYS[2]) == 0 then return nil end
for i = 4, #ARGV do redis.call('ZADD', KEYS[2], 'XX', now + ARGV[3], ARGV[i]) end
local free = redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, cell in ipairs(free) do redis.call('ZADD', KEYS[2], now + ARGV[3], cell) end
return free`;

/** KEYS: cells. ARGV: delay, cell. Without a delay the cell is the next. */
const FREE = `${NOW}
redis.call('ZADD', KEYS[1], 'XX', ARGV[1] == '0' and 0 or now + ARGV[1], ARGV[2])`;

/** KEYS: cells, studies. ARGV: id of the study. */
const UNLIST = `
if redis.call('ZCARD', KEYS[1]) == 0 then redis.call('ZREM', KEYS[2], ARGV[1]) end`;

/** Returns the ids of studies with queued cells, the oldest first. */
export function queuedStudies({ client }: RedisConnection): Promise<string[]> {
  return client.zrange(STUDIES, 0, -1);
}

/**
 * Queue of a study's cells as a sorted set of keys by the times from which they are free; taking a cell moves its time by
 * the lease. All else is in the study's folder, and the lock of a record decides who writes.
 */
export class RedisQueue implements StudyQueue {
  readonly look: number;
  readonly #client: RedisClient;
  readonly #study: string;
  readonly #times: Required<Record<"lock" | "later", number>>;
  readonly #isStopAsked: () => Promise<boolean>;
  readonly #runKey: string;
  readonly #cellsKey: string;
  readonly #held = new Set<string>();
  /** Id of the run that this queue works for, or the reason of a stop. A later run may have other limits. */
  #run: string | undefined;

  constructor(
    { client }: RedisConnection,
    study: string,
    { lock = 30_000, later = 5000, look = 1000, isStopAsked = () => Promise.resolve(false) }:
      & RedisQueueTimes
      & {
        /** Returns true if the study's folder has a stop request. @default never */
        readonly isStopAsked?: () => Promise<boolean>;
      } = {},
  ) {
    this.look = look;
    this.#isStopAsked = isStopAsked;
    this.#client = client;
    this.#study = study;
    this.#times = { lock, later };
    this.#runKey = `${PREFIX}:{${study}}:run`;
    this.#cellsKey = `${PREFIX}:{${study}}:cells`;
  }

  /** Begins a run: adds cells, and ends a stop. */
  async enqueue(keys: readonly string[]): Promise<void> {
    this.#run = String(systemClock.now());
    await this.#client.set(this.#runKey, this.#run);
    for (let from = 0; from < keys.length; from += BATCH) {
      const batch = keys.slice(from, from + BATCH).flatMap((key, index) => [from + index, key]);
      await this.#client.zadd(this.#cellsKey, "NX", ...batch);
    }
    if (keys.length > 0) await this.#client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
  }

  async take(most: number): Promise<readonly string[] | undefined> {
    this.#run ??= await this.#client.get(this.#runKey) ?? "";
    if (isReason(this.#run)) return undefined;
    if (await this.#isStopAsked()) await this.stop("stopped");
    const { lock } = this.#times;
    const keys = [this.#runKey, this.#cellsKey];
    const taken = await this.#client.eval(TAKE, 2, ...keys, this.#run, most, lock, ...this.#held);
    for (const key of taken as readonly string[] | null ?? []) this.#held.add(key);
    return taken as readonly string[] | null ?? undefined;
  }

  async release(key: string, end: CellEnd | undefined): Promise<void> {
    this.#held.delete(key);
    const delay = end === "later" ? this.#times.later : 0;
    const released = end === "done"
      ? this.#client.zrem(this.#cellsKey, key)
      : this.#client.eval(FREE, 1, this.#cellsKey, delay, key);
    // If Redis does not answer, the lease ends by itself.
    const answered = new AbortController();
    const timeout = pause(TIMEOUT, answered.signal).catch(() => {});
    await Promise.race([released.catch(() => {}), timeout]);
    answered.abort();
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
    if (always) await this.#client.zrem(STUDIES, this.#study);
    else await this.#client.eval(UNLIST, 2, this.#cellsKey, STUDIES, this.#study);
  }
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

/** Values in Redis, as JSON. A change is made here, and repeated if another process was faster. */
export class RedisValues implements SharedValues {
  readonly #client: RedisClient;
  /** Last update of each value: those of one process do not compete. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor({ client }: RedisConnection) {
    this.#client = client;
  }

  update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    const before = this.#last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const updated = before.then(() => this.#update(`${PREFIX}:${key}`, first, change));
    this.#last.set(key, updated);
    return updated;
  }

  async #update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    for (;;) {
      const [text, [seconds, micros]] = await this.#client.eval(READ, 1, key) as Read;
      const before: V = text === "" ? await first() : JSON.parse(text);
      const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      const [value, answer] = change(before, now);
      if (value === before) return answer;
      if (await this.#client.eval(REPLACE, 1, key, text, JSON.stringify(value)) === 1) {
        return answer;
      }
    }
  }
}

type Read = readonly [text: string, time: readonly [seconds: string, micros: string]];
