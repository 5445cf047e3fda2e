// Runs, stops and resumes studies: many convenings by a plan.
import { join, resolve } from "@std/path";
import { z } from "zod";
import { callable, checkArguments, checkFields } from "../core/check_fields.ts";
import { pause, steadyClock, systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import { defined } from "../core/values.ts";
import { importPackage } from "../inputs/servers.ts";
import { AGAIN, withRecordErrors } from "../record/problems.ts";
import {
  lockStudy,
  openStudy,
  QUEUED,
  settlePlan,
  STOP,
  type StudyOnDisk,
} from "../studies/folder.ts";
import { MemoryValues, type StudyLimits } from "../studies/limits.ts";
import { type HoldCell, MemoryQueue, runQueue, type StudyQueue } from "../studies/queue.ts";
import { connectRedis, orTimeout, RedisQueue } from "../studies/redis.ts";
import { claimArchive, RedisValues } from "../studies/shared_archive.ts";
import {
  type CellState,
  CellStates,
  isOverFailed,
  statusOf,
  studyStatus,
  writeIndex,
} from "../studies/status.ts";
import { CONCURRENCY, type StudyConfig, type StudyStatus } from "../studies/study.ts";
import { type CellFailure, cellHolder, limitsOf } from "./study_cell.ts";
import { planStudy, studyKeyRules, type StudyPlanOptions, tryStudy } from "./study_plan.ts";

/** Plans a study, locks its folder and writes the plan. */
async function prepare(
  given: string | StudyConfig,
  options: StudyRunOptions,
): Promise<{
  readonly on: StudyOnDisk;
  readonly known: CellStates;
  readonly release: () => Promise<void>;
}> {
  const planned = await planStudy(given, options);
  const known = await CellStates.of(planned);
  const states = await known.read(planned.cells);
  // Check before the plan is written, since a written plan is never altered.
  if (states.some((state) => isOpen(state, options.retry))) {
    const workersHaveKeys = options.queue !== undefined && (options.concurrency ?? 0) === 0;
    await tryStudy(planned, { ...options, workersHaveKeys });
  }
  const lock = await lockStudy(planned);
  try {
    const cells = await settlePlan(planned, options);
    await planned.files.remove(join(planned.dir, STOP));
    return { on: { ...planned, cells }, known, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Runs a study: all convenings of its plan that have not ended, several concurrently, in `ARCHIVE/studies/ID`. A repeated
 * call resumes the study. A failed convening does not stop the others. Throws a `ConfigurationError` for an invalid or
 * changed study, and `locked` if another process runs the study.
 */
export async function runStudy(
  given: string | StudyConfig,
  options: StudyRunOptions = {},
): Promise<StudyResult> {
  const { queue: url, detach = false } = checkFields(options, RUN_OPTIONS, "options of runStudy");
  const needing = options.concurrency === 0 ? "concurrency 0" : detach ? "detach" : undefined;
  if (needing !== undefined && url === undefined) {
    throw new ConfigurationError(`Cannot use ${needing}: the study has no queue`, {
      field: needing.split(" ")[0]!,
      hint: "Give the queue of workers, such as redis://127.0.0.1:6379.",
    });
  }
  return await withRecordErrors(() => runPlanned(given, options), AGAIN);
}

async function runPlanned(
  given: string | StudyConfig,
  asked: StudyRunOptions,
): Promise<StudyResult> {
  const options = { ...asked, ...studyKeyRules(given, asked) };
  const { queue: url } = options;
  const { on, known, release } = await prepare(given, options);
  try {
    if (url === undefined) {
      const limits = limitsOf(new MemoryValues(), on, { known, onWait: options.onProblem });
      const site = { queue: new MemoryQueue(), limits, isShared: false };
      return await new StudyRun(on, site, { options, known }).run();
    }
    // A Redis that lost its data is filled again with the convenings that are left, as long as some end or it loses them.
    let left = Infinity;
    for (let { retry } = options;; retry = false) {
      const { result, isLost } = await atRedis(url, on, async (site) => {
        const run = new StudyRun(on, site, { options: { ...options, retry }, known });
        const result = await run.run();
        return { result, isLost: result.ended === "done" && await site.queue.isLost() };
      }, options.onProblem);
      const { ended, planned, done, failed } = result;
      const before = left;
      left = planned - done - failed;
      if (ended !== "done" || options.limit !== undefined || left === 0) return result;
      if (left < before || isLost) continue;
      return withUnstarted(result, on, await known.read(on.cells));
    }
  } finally {
    await release();
  }
}

/** Adds the convenings that no worker could begin, which are still planned, as failures. */
function withUnstarted(
  result: StudyResult,
  { study, cells }: StudyOnDisk,
  states: readonly CellState[],
): StudyResult {
  const unstarted = cells.filter((_, index) => states[index]!.status === "planned");
  // This run may hold convenings itself, and then has their errors.
  const others = unstarted.filter(({ key }) => result.failures.every((each) => each.key !== key));
  const message = "no worker began the convening in this archive; see the output of the workers";
  const unknown = others.map(({ key }) => ({ key, code: "unexpected", message }));
  const failures = [...result.failures, ...unknown].slice(0, MAX_FAILURES);
  const { done, failed } = result;
  const count = { failed: failed + unstarted.length, ended: done + failed + unstarted.length };
  const ended = isOverFailed(study, { ...count, least: 0 }) ? "failures" : result.ended;
  return { ...result, ended, failures };
}

/** Queue and limits of a run: those of this process, or those that workers share. */
interface Site {
  readonly queue: StudyQueue;
  readonly limits: StudyLimits;
  readonly isShared: boolean;
}

/** Connects to the Redis of workers for one piece of work. */
async function atRedis<T>(
  url: string,
  on: StudyOnDisk,
  work: (site: Site & { readonly queue: RedisQueue }) => Promise<T>,
  onProblem?: StudyRunOptions["onProblem"],
): Promise<T> {
  const connection = await connectRedis(url, { importPackage, onProblem });
  try {
    await claimArchive(connection, on.archive);
    await using queue = new RedisQueue(connection, on.study.study);
    const limits = limitsOf(new RedisValues(connection), on, { onWait: onProblem });
    return await work({ queue, limits, isShared: true });
  } catch (error) {
    throw connection.refusalOf(error);
  } finally {
    connection.close();
  }
}

/** Runs the failed convenings of a study again, and those that have not ended. */
export async function retryStudy(dir: string, options: StudyRunOptions = {}): Promise<StudyResult> {
  return await runStudy(dir, { ...options, retry: true });
}

/**
 * Asks the process that runs a study, or the workers of a shared archive, to stop; each convening pauses at its next
 * message. The request goes through Redis if `queue` is given, else through a file. Returns false if no process runs the
 * study and no worker has convenings left.
 */
export async function stopStudy(
  dir: string,
  { queue: url }: Pick<StudyRunOptions, "queue"> = {},
): Promise<boolean> {
  checkArguments("stopStudy", { dir });
  const on = await openStudy(resolve(dir));
  const { files, dir: path } = on;
  if (url !== undefined) await atRedis(url, on, ({ queue }) => queue.stop("stopped"));
  else if (!(await studyStatus(path)).isRunning) return false;
  await withRecordErrors(async () => {
    // The file may be there already, from another call.
    if (url === undefined) await files.append(join(path, STOP), "");
    await files.remove(join(path, QUEUED));
  }, AGAIN);
  return true;
}

/** Options of {@linkcode runStudy}. */
export interface StudyRunOptions extends StudyPlanOptions {
  /** Adds the new convenings of a changed study to its plan. @default false */
  readonly extend?: boolean | undefined;
  /** Runs failed convenings again. @default false */
  readonly retry?: boolean | undefined;
  /** Maximum number of convenings that this run starts or resumes. @default all */
  readonly limit?: number | undefined;
  /** Maximum number of concurrent convenings in this process. @default the study's, else 4; 0 with `queue` */
  readonly concurrency?: number | undefined;
  /** Stops the run: each convening pauses after its turns in flight. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the status when convenings begin and end, at most five times a second. */
  readonly onProgress?: ((status: StudyStatus) => void) | undefined;
  /**
   * Called when the run waits: the Redis of `queue` does not answer or rejects commands, or a provider demands a wait of a
   * minute or more. @default no callback
   */
  readonly onProblem?: ((message: string) => void) | undefined;
  /** URL of a Redis whose workers run the convenings, such as `redis://USER:PASSWORD@HOST:6379`. @default no workers */
  readonly queue?: string | undefined;
  /** Ends the run once the convenings are queued; needs `queue`. @default false */
  readonly detach?: boolean | undefined;
}

const RUN_OPTIONS = z.strictObject({
  out: z.string().optional(),
  catalogue: z.unknown().optional(),
  env: callable.optional(),
  allowBaseUrls: z.array(z.string()).optional(),
  untrusted: z.array(z.string()).optional(),
  extend: z.boolean().optional(),
  retry: z.boolean().optional(),
  limit: z.int().min(0).optional(),
  concurrency: z.int().min(0).max(1000).optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onProgress: callable.optional(),
  onProblem: callable.optional(),
  queue: z.string().optional(),
  detach: z.boolean().optional(),
});

/** The result of a run of a study. */
export interface StudyResult extends StudyStatus {
  /** Reason for the end: all convenings ended, too many failed, the budget is spent, a stop, or only workers go on. */
  readonly ended: "done" | "failures" | "budget" | "stopped" | "detached";
  /** The first failures of this run, at most 20. */
  readonly failures: readonly CellFailure[];
}

const MAX_FAILURES = 20;
/** Intervals in milliseconds: looks for a stop and reports of progress, reads of workers' results, writes of the status. */
const EVERY = { tick: 200, look: 2000, status: 15_000 } as const;

/** Returns true if a run has to start or resume the convening; with `retry` also if it failed. */
function isOpen({ isOver, status }: CellState, retry: boolean = false): boolean {
  return !isOver || (retry && status === "failed");
}

class StudyRun {
  readonly #on: StudyOnDisk;
  readonly #site: Site;
  readonly #options: StudyRunOptions;
  readonly #known: CellStates;
  readonly #end = new AbortController();
  readonly #failures: CellFailure[] = [];
  /** Keys of convenings that failed before they had a record. */
  readonly #unstarted = new Set<string>();
  readonly #startedAt = systemClock.now();
  #states: CellState[] = [];
  /** States at the start. */
  #found: readonly CellState[] = [];
  #ended: StudyResult["ended"] = "done";
  /** True if a state has changed since the last report. */
  #hasChanged = false;
  #writtenAt = steadyClock.now();
  #lookedAt = -Infinity;

  /** Creates a run; `known` caches the states of the cells. */
  constructor(
    on: StudyOnDisk,
    site: Site,
    { options, known }: { readonly options: StudyRunOptions; readonly known: CellStates },
  ) {
    this.#on = on;
    this.#site = site;
    this.#options = options;
    this.#known = known;
  }

  /** Runs the convenings that have not ended, and returns the status at the end. */
  async run(): Promise<StudyResult> {
    const { study, cells, files, dir } = this.#on;
    const { queue, limits, isShared } = this.#site;
    const queued = join(dir, QUEUED);
    const { retry, limit, detach = false, signal } = this.#options;
    const { concurrency = isShared ? 0 : study.concurrency ?? CONCURRENCY } = this.#options;
    let isLeft = false;
    this.#found = await this.#known.read(cells);
    this.#states = [...this.#found];
    if (isShared) await limits.budget.recount();
    const open = cells.filter((_, index) => isOpen(this.#states[index]!, retry));
    const stop = () => this.#stop("stopped");
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const runOptions = { concurrency, signal: this.#end.signal };
    const over = new AbortController();
    const watching = this.#watch(over.signal);
    // The run then rejects with the error, such as that of a program's callback.
    watching.catch(() => this.#end.abort());
    try {
      const keys = open.slice(0, limit).map(({ key }) => key);
      // Workers may end the last convening, and remove the file, at once.
      if (isShared) await files.append(queued, "");
      await queue.enqueue(keys);
      await writeIndex(this.#on, this.#states, this.#status(true));
      await this.#report();
      isLeft = detach && keys.length > 0;
      if (detach) this.#ended = "detached";
      else await runQueue(queue, this.#on, this.#holder(), runOptions);
      // Another process may have stopped the run; what this process stopped ends at all workers.
      if (this.#ended === "done") this.#ended = await queue.stoppedFor() ?? "done";
      else if (this.#ended !== "detached") {
        const isTold = await orTimeout(queue.stop(this.#ended).then(() => true));
        // Workers see the file once Redis answers again.
        if (!isTold) await files.append(join(dir, STOP), "");
      }
    } finally {
      over.abort();
      await watching;
      signal?.removeEventListener("abort", stop);
      if (isShared && !isLeft) await files.remove(queued);
    }
    this.#states = await this.#known.read(cells);
    const status = this.#status(isLeft);
    this.#options.onProgress?.(status);
    await this.#known.write(status);
    await writeIndex(this.#on, this.#states, status);
    if (this.#ended === "done" && this.#hasTooManyFailed(1)) this.#ended = "failures";
    return { ...status, ended: this.#ended, failures: this.#failures };
  }

  #stop(why: StudyResult["ended"]): void {
    if (this.#end.signal.aborted) return;
    this.#ended = why;
    this.#end.abort(why);
  }

  /** Until the run is over: looks for a request to stop and for the results of workers, and reports changes. */
  async #watch(over: AbortSignal): Promise<void> {
    const { files, dir } = this.#on;
    const path = join(dir, STOP);
    while (!over.aborted) {
      await pause(EVERY.tick, over).catch(() => {});
      if (this.#site.isShared) await this.#look();
      if (this.#hasChanged) await this.#report();
      if (this.#end.signal.aborted || await files.stat(path) === undefined) continue;
      this.#stop("stopped");
      await files.remove(path);
    }
  }

  /** Reads the states of cells that workers run, at most every two seconds. */
  async #look(): Promise<void> {
    if (steadyClock.now() - this.#lookedAt < EVERY.look) return;
    this.#states = await this.#known.read(this.#on.cells);
    this.#lookedAt = steadyClock.now();
    this.#changed();
  }

  /** Notes that states have changed, and stops the run if too many convenings failed. */
  #changed(): void {
    this.#hasChanged = true;
    if (this.#hasTooManyFailed()) this.#stop("failures");
  }

  /** Runs cells and keeps their states. After the budget ended one, no other is started; the running ones spend the rest. */
  #holder(): HoldCell {
    let active = 0;
    let isSpent = false;
    const { limits, isShared } = this.#site;
    const { catalogue, env, allowBaseUrls, untrusted } = this.#options;
    const hold = cellHolder(this.#on, {
      ...defined({ catalogue, env, allowBaseUrls, untrusted }),
      limits,
      exclusive: isShared,
      onBudget: () => isSpent = true,
      onFailure: (failure) => {
        this.#unstarted.add(failure.key);
        if (this.#failures.length < MAX_FAILURES) this.#failures.push(failure);
      },
    });
    return async (cell, signal) => {
      if (isSpent) return "later";
      const index = this.#on.cells.indexOf(cell);
      this.#states[index] = { ...this.#states[index]!, status: "running", isOver: false };
      this.#hasChanged = true;
      active++;
      const end = await hold(cell, signal).finally(() => active--);
      if (isSpent && active === 0) this.#stop("budget");
      this.#states[index] = await this.#known.one(cell);
      if (this.#states[index].status !== "planned") this.#unstarted.delete(cell.key);
      this.#changed();
      return end;
    };
  }

  /** Returns true if more than the allowed share of the ended convenings failed; before the end of a retry, of its own. */
  #hasTooManyFailed(least?: number): boolean {
    const isAll = least !== undefined || !this.#options.retry;
    const over = this.#states.filter(({ isOver, endedAt }, index) =>
      isOver && (isAll || endedAt !== this.#found[index]!.endedAt)
    );
    const unstarted = this.#unstarted.size;
    const failed = over.filter(({ status }) => status === "failed").length + unstarted;
    return isOverFailed(this.#on.study, { failed, ended: over.length + unstarted, least });
  }

  #status(isRunning: boolean): StudyStatus {
    return statusOf(this.#on, this.#states, { isRunning, since: this.#startedAt });
  }

  async #report(): Promise<void> {
    this.#hasChanged = false;
    const status = this.#status(true);
    this.#options.onProgress?.(status);
    const now = steadyClock.now();
    if (now - this.#writtenAt < EVERY.status) return;
    this.#writtenAt = now;
    await this.#known.write(status);
  }
}
