// The queue of a study's cells in Redis, shared by workers on several machines, with rate limiter and budget.
import { pause, systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import type { StudyOnDisk } from "./folder.ts";
import { type HoldCell, MICROS, type SharedLimits, type StudyQueue } from "./queue.ts";
import {
  type Bull,
  type BullJob,
  type BullQueue,
  claimArchive,
  connectRedis,
  PREFIX,
  type RedisClient,
  type RedisConnection,
  type RedisOptions,
} from "./redis.ts";
import { RedisBudget, RedisLimits } from "./redis_limits.ts";
import { CellStates } from "./status.ts";
import type { Cell } from "./study.ts";

/** Times of a queue in milliseconds. */
export interface RedisQueueTimes {
  /** Lease of a cell: if a worker stops renewing it, the cell goes to another worker. @default 30000 */
  readonly lock?: number | undefined;
  /** Delay before a retry of a cell whose record another process holds. @default 5000 */
  readonly later?: number | undefined;
  /** Interval of checks for a stopped or completed study. @default 1000 */
  readonly look?: number | undefined;
}

/** Options of a {@linkcode RedisQueue}. */
interface RedisQueueOptions {
  /** Id of the study. */
  readonly study: string;
  /** Returns the cell of a key; undefined if the plan lacks the key. */
  readonly cellOf: (key: string) => Promise<Cell | undefined>;
  readonly times?: RedisQueueTimes | undefined;
  /** Returns true if the study's folder has a stop request. @default never */
  readonly isStopAsked?: (() => Promise<boolean>) | undefined;
  /** True if closing the queue closes the connection. @default false */
  readonly ownsConnection?: boolean | undefined;
}

type StopReason = "stopped" | "budget" | "failures";

/** BullMQ states of unfinished jobs. */
const STATES = ["active", "waiting", "paused", "delayed", "prioritized"] as const;
/** Batch size when cells are added. */
const BATCH = 1000;
/** Timeout in milliseconds for closing the queue when Redis does not answer. */
const CLOSE_TIMEOUT = 5000;
/** Consecutive zero counts that mean an empty queue: a job that moves between two lists is briefly in neither. */
const EMPTY_CHECKS = 2;

/** Redis key of the sorted set of studies with queued cells, by the time they were queued. */
const STUDIES = `${PREFIX}:studies`;

/** Returns the ids of studies with queued cells, the oldest first. */
export function queuedStudies(client: RedisClient): Promise<string[]> {
  return client.zrange(STUDIES, 0, -1);
}

/** Queue of a study's cells as BullMQ jobs. A job has only the cell's key; the rest is in the study's folder. */
export class RedisQueue implements StudyQueue {
  readonly #connection: RedisConnection;
  readonly #study: string;
  readonly #options: RedisQueueOptions;
  readonly #times: { readonly [K in keyof RedisQueueTimes]-?: number };
  readonly #stopKey: string;
  readonly #runKey: string;
  readonly #queue: BullQueue;
  /** Id of the run that this queue works for; undefined before the first check. A later run may have other limits. */
  #run: string | null | undefined;

  constructor(connection: RedisConnection, options: RedisQueueOptions) {
    const { study, times: { lock = 30_000, later = 5000, look = 1000 } = {} } = options;
    this.#connection = connection;
    this.#study = study;
    this.#options = options;
    this.#times = { lock, later, look };
    this.#stopKey = `${PREFIX}:{${study}}:stop`;
    this.#runKey = `${PREFIX}:{${study}}:run`;
    this.#queue = new connection.bull.Queue(this.#name, this.#shared);
    this.#queue.on("error", () => {});
  }

  get #name(): string {
    return `study-${this.#study}`;
  }

  get #shared(): { readonly connection: RedisClient; readonly prefix: string } {
    return { connection: this.#connection.client, prefix: `${PREFIX}:q` };
  }

  /** Adds cells and clears a stop of the study. */
  async enqueue(cells: readonly Cell[]): Promise<void> {
    const { client } = this.#connection;
    await client.set(this.#runKey, String(systemClock.now()));
    await client.del(this.#stopKey);
    for (let from = 0; from < cells.length; from += BATCH) {
      const jobs = cells.slice(from, from + BATCH).map(({ key }) => ({
        name: "cell",
        data: { cell: key },
        // BullMQ rejects ids of digits only. Finished jobs are removed: the record has the result.
        opts: { jobId: `${this.#study}.${key}`, removeOnComplete: true, removeOnFail: true },
      }));
      await this.#queue.addBulk(jobs);
    }
    if (cells.length > 0) await client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
  }

  /**
   * Runs up to `concurrency` cells at once until the queue is empty, the study is stopped or the signal aborts. With
   * `concurrency` 0, only waits for other workers. If `hold` fails, requeues the other cells and rejects with that error.
   */
  async run(
    hold: HoldCell,
    { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const stopping = new AbortController();
    const ending = AbortSignal.any([signal, stopping.signal]);
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {});
    const fail = (error: unknown) => {
      failed.reject(error);
      stopping.abort(error);
    };
    const pending = new Set<Promise<unknown>>();
    const tracked: HoldCell = (cell, over) => {
      const work = hold(cell, over);
      pending.add(work);
      work.catch(() => {}).finally(() => pending.delete(work));
      return work;
    };
    this.#run = undefined;
    // In a stopped study no cell is started.
    if (await orAborted(this.#state(), ending) === "stopped") return;
    const worker = concurrency === 0 ? undefined : this.#worker(concurrency, (job, token, lost) => {
      const over = AbortSignal.any([ending, ...lost === undefined ? [] : [lost]]);
      return this.#work(job, token, { hold: tracked, signal: over, fail });
    });
    try {
      await Promise.race([this.#untilEmpty(ending), failed.promise]);
    } finally {
      stopping.abort();
      // The worker takes no further cells; current ones end after their current message.
      const closed = worker?.close();
      await Promise.allSettled(pending);
      await orTimeout(closed);
    }
  }

  #worker(concurrency: number, work: ConstructorParameters<Bull["Worker"]>[1]) {
    const { lock } = this.#times;
    const worker = new this.#connection.bull.Worker(this.#name, work, {
      ...this.#shared,
      concurrency,
      lockDuration: lock,
      // A lost lease is noticed soon after its end.
      stalledInterval: Math.ceil(lock / 6),
      // A cell may stall any number of times: the record keeps the progress, and another worker resumes it.
      maxStalledCount: 1_000_000,
      drainDelay: 1,
    });
    worker.on("error", () => {});
    // Another worker may have the cell by now: this worker stops the cell after the current message.
    worker.on("lockRenewalFailed", (ids) => ids.forEach((id) => worker.cancelJob(id, "lock lost")));
    return worker;
  }

  async #work(
    job: BullJob,
    token: string | undefined,
    { hold, signal, fail }: {
      readonly hold: HoldCell;
      readonly signal: AbortSignal;
      readonly fail: (error: unknown) => void;
    },
  ): Promise<void> {
    const { DelayedError, WaitingError } = this.#connection.bull;
    const requeue = async () => {
      // Fails if the lock was lost; then BullMQ has requeued the job already.
      await job.moveToWait(token).catch(() => {});
      return new WaitingError();
    };
    if (signal.aborted) throw await requeue();
    try {
      const end = await hold(await this.#cell(job.data.cell), signal);
      if (end === "done") return;
    } catch (error) {
      if (!signal.aborted) fail(error);
      throw await requeue();
    }
    if (signal.aborted) throw await requeue();
    await job.moveToDelayed(systemClock.now() + this.#times.later, token).catch(() => {});
    throw new DelayedError();
  }

  async #cell(key: string): Promise<Cell> {
    const cell = await this.#options.cellOf(key);
    if (cell !== undefined) return cell;
    const message =
      `Cannot run cell ${key}: the plan of the study ${this.#study} does not contain it`;
    throw new ConveningError("not_found", message, {
      field: "plan.jsonl",
      hint: "Check that every worker has the same archive, then run the study again.",
    });
  }

  /** Polls until the queue is empty, the study is stopped, or the signal aborts. */
  async #untilEmpty(signal: AbortSignal): Promise<void> {
    for (let empty = 0; !signal.aborted && empty < EMPTY_CHECKS;) {
      // An abort ends the wait even if Redis does not answer.
      const state = await orAborted(this.#state(), signal);
      if (state === undefined || state === "stopped") return;
      empty = state === "empty" ? empty + 1 : 0;
      await pause(this.#times.look, signal).catch(() => {});
    }
  }

  async #state(): Promise<"stopped" | "empty" | "busy"> {
    const run = await this.#connection.client.get(this.#runKey);
    if (this.#run === undefined) this.#run = run;
    // Another run of the study began: plan and limits must be read again.
    if (run !== this.#run) return "stopped";
    if (await this.#options.isStopAsked?.()) await this.stop();
    if (await this.stoppedFor() !== undefined) return "stopped";
    return await this.#isEmpty() ? "empty" : "busy";
  }

  /** Stops all workers after their current message, until cells are added again. Does not stop a later run. */
  async stop(why: StopReason = "stopped"): Promise<void> {
    const { client } = this.#connection;
    if (this.#run !== undefined && await client.get(this.#runKey) !== this.#run) return;
    await client.set(this.#stopKey, why);
  }

  /** Returns the reason of a stop; undefined if the study is not stopped. */
  async stoppedFor(): Promise<StopReason | undefined> {
    const reason = await this.#connection.client.get(this.#stopKey);
    return reason as StopReason | null ?? undefined;
  }

  /** Returns the numbers of cells in the queue and in progress. */
  async counts(): Promise<{ readonly waiting: number; readonly active: number }> {
    const { active = 0, ...others } = await this.#queue.getJobCounts(...STATES);
    return { active, waiting: Object.values(others).reduce((sum, count) => sum + count, 0) };
  }

  async #isEmpty(): Promise<boolean> {
    const { waiting, active } = await this.counts();
    return waiting + active === 0;
  }

  /** Removes the study from the list of studies with queued cells if its queue is empty, or `always`. */
  async unlist({ always = false }: { readonly always?: boolean } = {}): Promise<void> {
    if (!always && !await this.#isEmpty()) return;
    const { client } = this.#connection;
    await client.zrem(STUDIES, this.#study);
    // Cells may have been added in between.
    if (!always && !await this.#isEmpty()) {
      await client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
    }
  }

  async close(): Promise<void> {
    await orTimeout(this.#queue.close());
    if (this.#options.ownsConnection) this.#connection.close();
  }
}

/** Returns the result of `work`; undefined as soon as the signal aborts. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Waits for `work`, at most {@linkcode CLOSE_TIMEOUT}; ignores its error. */
async function orTimeout(work: Promise<void> | undefined): Promise<void> {
  const done = new AbortController();
  const timeout = pause(CLOSE_TIMEOUT, done.signal).catch(() => {});
  await Promise.race([work?.catch(() => {}), timeout]);
  done.abort();
}

/** A queue shared with workers in other processes, with rate limiter and budget over all workers. */
export interface SharedQueue extends StudyQueue {
  readonly shared: SharedLimits;
  stop(why?: StopReason): Promise<void>;
  /** Returns the reason of a stop by any process; undefined if the study is not stopped. */
  stoppedFor(): Promise<StopReason | undefined>;
}

/**
 * Opens the queue for a run of a study, with its own connection. Throws `config_invalid` if Redis does not answer or is bound
 * to another archive, or if machines cannot share the archive.
 */
export async function sharedQueue(
  url: string,
  on: StudyOnDisk,
  options: RedisOptions = {},
): Promise<SharedQueue> {
  const { study: { study }, archive, cells } = on;
  const connection = await connectRedis(url, options);
  try {
    await claimArchive(connection, archive);
    const shared = sharedLimits(connection, on);
    await shared.budget.recount();
    const byKey = new Map(cells.map((cell) => [cell.key, cell]));
    const cellOf = (key: string) => Promise.resolve(byKey.get(key));
    const queue = new RedisQueue(connection, { study, cellOf, ownsConnection: true });
    return Object.assign(queue, { shared });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Returns rate limiter and budget of a study over all workers. */
export function sharedLimits(
  { client }: RedisConnection,
  on: StudyOnDisk,
): { readonly limits: RedisLimits; readonly budget: RedisBudget } {
  const { study, limits: { maxCost } = {}, rates = {} } = on.study;
  const recorded = async () => {
    const states = await (await CellStates.of(on)).read(on.cells);
    return states.reduce((sum, { costUsd }) => sum + costUsd, 0) * MICROS;
  };
  const limit = maxCost === undefined ? undefined : maxCost * MICROS;
  return {
    limits: new RedisLimits(client, rates),
    budget: new RedisBudget(client, { study, limit, recorded }),
  };
}
