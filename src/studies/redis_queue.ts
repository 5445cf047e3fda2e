// The queue of a study's cells in Redis, with the rates and the budget: workers on many machines take the cells.
import { pause, systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import type { StudyOnDisk } from "./folder.ts";
import { MICROS, type SharedLimits } from "./limits.ts";
import type { HoldCell, StudyQueue } from "./queue.ts";
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
  /** Time after which the cell of a worker that does not answer goes to another. @default 30000 */
  readonly lock?: number | undefined;
  /** Pause before a cell is asked for again whose record another process holds. @default 5000 */
  readonly later?: number | undefined;
  /** Pause between looks at whether the study is stopped or done. @default 1000 */
  readonly look?: number | undefined;
}

/** Options of a {@linkcode RedisQueue}. */
interface RedisQueueOptions {
  /** The study's id. */
  readonly study: string;
  /** The cell of a key; undefined for a key that the plan lacks. */
  readonly cellOf: (key: string) => Promise<Cell | undefined>;
  readonly times?: RedisQueueTimes | undefined;
  /** True if the study's folder asks for a stop. @default the folder never asks */
  readonly isStopAsked?: (() => Promise<boolean>) | undefined;
  /** True if the connection ends with the queue. @default false */
  readonly isAlone?: boolean | undefined;
}

type StopReason = "stopped" | "budget" | "failures";

/** States of a job that has not ended. */
const STATES = ["active", "waiting", "paused", "delayed", "prioritized"] as const;
/** Number of cells added in one step. */
const AT_ONCE = 1000;
/** Milliseconds for which the end of a run waits for a Redis that does not answer. */
const FAREWELL = 5000;
/** Counts that show no cell is left are looked at so often: a job between two lists is in neither. */
const EMPTY_LOOKS = 2;

/** Key of the studies that have cells in the queue, by the time they were queued. */
const STUDIES = `${PREFIX}:studies`;

/** The studies that have cells in the queue, the oldest first. */
export function queuedStudies(client: RedisClient): Promise<string[]> {
  return client.zrange(STUDIES, 0, -1);
}

/** A study's cells as jobs of BullMQ: a job has the key of its cell, and everything else is in the study's folder. */
export class RedisQueue implements StudyQueue {
  readonly #connection: RedisConnection;
  readonly #study: string;
  readonly #options: RedisQueueOptions;
  readonly #times: { readonly [K in keyof RedisQueueTimes]-?: number };
  readonly #stopKey: string;
  readonly #runKey: string;
  readonly #queue: BullQueue;
  /** The run of the study that this queue works for: cells that a later run adds may have other limits. */
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

  /** Adds cells, and lets a study that was stopped go on. */
  async enqueue(cells: readonly Cell[]): Promise<void> {
    const { client } = this.#connection;
    await client.set(this.#runKey, String(systemClock.now()));
    await client.del(this.#stopKey);
    for (let from = 0; from < cells.length; from += AT_ONCE) {
      const jobs = cells.slice(from, from + AT_ONCE).map(({ key }) => ({
        name: "cell",
        data: { cell: key },
        // An id of digits alone is refused. The record says how a cell ended: jobs that are done need not stay.
        opts: { jobId: `${this.#study}.${key}`, removeOnComplete: true, removeOnFail: true },
      }));
      await this.#queue.addBulk(jobs);
    }
    if (cells.length > 0) await client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
  }

  /**
   * Takes cells, so many at once, until none is left, the study is stopped or the signal aborts. With `concurrency` 0 no
   * cell is taken: it waits for the workers. Fails as `hold` does, once the other cells are back in the queue.
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
    const holds = new Set<Promise<unknown>>();
    const held: HoldCell = (cell, over) => {
      const work = hold(cell, over);
      holds.add(work);
      work.catch(() => {}).finally(() => holds.delete(work));
      return work;
    };
    this.#run = undefined;
    // A stopped study begins nothing, not even a message.
    if (await orAborted(this.#look(), ending) === "stopped") return;
    const worker = concurrency === 0 ? undefined : this.#worker(concurrency, (job, token, lost) => {
      const over = AbortSignal.any([ending, ...lost === undefined ? [] : [lost]]);
      return this.#work(job, token, { hold: held, signal: over, fail });
    });
    try {
      await Promise.race([this.#untilEmpty(ending), failed.promise]);
    } finally {
      stopping.abort();
      // The worker takes no more; what it holds ends at the next message.
      const closed = worker?.close();
      await Promise.allSettled(holds);
      await orLate(closed);
    }
  }

  #worker(concurrency: number, work: ConstructorParameters<Bull["Worker"]>[1]) {
    const { lock } = this.#times;
    const worker = new this.#connection.bull.Worker(this.#name, work, {
      ...this.#shared,
      concurrency,
      lockDuration: lock,
      stalledInterval: lock,
      // A cell may outlive many workers: the record keeps what each of them did.
      maxStalledCount: 1_000_000,
      drainDelay: 1,
    });
    worker.on("error", () => {});
    // Another worker may hold the cell by now: this one ends its work at the next message.
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
    const goBack = async () => {
      // A queue has given the cell away already if the lock was lost.
      await job.moveToWait(token).catch(() => {});
      return new WaitingError();
    };
    if (signal.aborted) throw await goBack();
    try {
      const end = await hold(await this.#cell(job.data.cell), signal);
      if (end === "done") return;
    } catch (error) {
      if (!signal.aborted) fail(error);
      throw await goBack();
    }
    if (signal.aborted) throw await goBack();
    await job.moveToDelayed(systemClock.now() + this.#times.later, token).catch(() => {});
    throw new DelayedError();
  }

  async #cell(key: string): Promise<Cell> {
    const cell = await this.#options.cellOf(key);
    if (cell !== undefined) return cell;
    const message = `Cannot hold cell ${key}: the plan of the study ${this.#study} lacks it`;
    throw new ConveningError("not_found", message, {
      field: "plan.jsonl",
      hint: "Check that every worker has the same archive, then run the study again.",
    });
  }

  /** Resolves when no cell is left, the study is stopped, or the signal aborts. */
  async #untilEmpty(signal: AbortSignal): Promise<void> {
    for (let empty = 0; !signal.aborted && empty < EMPTY_LOOKS;) {
      // While Redis does not answer, an abort still ends the wait.
      const state = await orAborted(this.#look(), signal);
      if (state === undefined || state === "stopped") return;
      empty = state === "empty" ? empty + 1 : 0;
      await pause(this.#times.look, signal).catch(() => {});
    }
  }

  async #look(): Promise<"stopped" | "empty" | "busy"> {
    const run = await this.#connection.client.get(this.#runKey);
    if (this.#run === undefined) this.#run = run;
    // The study was run again: its plan and limits are to be read again.
    if (run !== this.#run) return "stopped";
    if (await this.#options.isStopAsked?.()) await this.stop();
    if (await this.stoppedFor() !== undefined) return "stopped";
    return await this.#isEmpty() ? "empty" : "busy";
  }

  /** Ends the runs of all workers at their next message, until cells are added again; not a run that began later. */
  async stop(why: StopReason = "stopped"): Promise<void> {
    const { client } = this.#connection;
    if (this.#run !== undefined && await client.get(this.#runKey) !== this.#run) return;
    await client.set(this.#stopKey, why);
  }

  /** Reason that the study was stopped for; undefined where it is not stopped. */
  async stoppedFor(): Promise<StopReason | undefined> {
    const reason = await this.#connection.client.get(this.#stopKey);
    return reason as StopReason | null ?? undefined;
  }

  /** Numbers of cells that nobody works on, and that are worked on. */
  async counts(): Promise<{ readonly waiting: number; readonly active: number }> {
    const { active = 0, ...others } = await this.#queue.getJobCounts(...STATES);
    return { active, waiting: Object.values(others).reduce((sum, count) => sum + count, 0) };
  }

  async #isEmpty(): Promise<boolean> {
    const { waiting, active } = await this.counts();
    return waiting + active === 0;
  }

  /** Takes the study from the list of those with cells, where none is left; `always` even where some are. */
  async unlist({ always = false }: { readonly always?: boolean } = {}): Promise<void> {
    if (!always && !await this.#isEmpty()) return;
    const { client } = this.#connection;
    await client.zrem(STUDIES, this.#study);
    // Cells that were added in between.
    if (!always && !await this.#isEmpty()) {
      await client.zadd(STUDIES, "NX", systemClock.now(), this.#study);
    }
  }

  async close(): Promise<void> {
    await orLate(this.#queue.close());
    if (this.#options.isAlone) this.#connection.close();
  }
}

/** Result of `work`; undefined once the signal aborts, or where it has. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Waits for the end of work over a connection; not for a Redis that does not answer. */
async function orLate(work: Promise<void> | undefined): Promise<void> {
  const late = new AbortController();
  const limit = pause(FAREWELL, late.signal).catch(() => {});
  await Promise.race([work?.catch(() => {}), limit]);
  late.abort();
}

/** A queue that workers of other processes share, with the rates and the budget of all of them. */
export interface SharedQueue extends StudyQueue {
  readonly shared: SharedLimits;
  stop(why?: StopReason): Promise<void>;
  /** Reason that the study was stopped for, by whichever process; undefined where it is not stopped. */
  stoppedFor(): Promise<StopReason | undefined>;
}

/**
 * The queue of a study that is run, with rates, budget and a connection of its own. Fails with `config_invalid` where Redis
 * does not answer or is of another archive, and where machines cannot share the archive.
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
    const queue = new RedisQueue(connection, { study, cellOf, isAlone: true });
    return Object.assign(queue, { shared });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Rates and budget of a study over all workers; the records restore what is spent where Redis lost the sum. */
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
