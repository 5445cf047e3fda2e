// Studies: many convenings by a plan, run, stopped and resumed.
import { join, resolve } from "@std/path";
import { defined } from "../core/values.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { FileError } from "../core/files.ts";
import { importPackage, personTime } from "../inputs/servers.ts";
import { EmbeddedQueue, type HoldCell } from "../studies/queue.ts";
import {
  cellDir,
  DEBATES,
  lockStudy,
  openStudy,
  settlePlan,
  STOP,
  STUDIES,
  type StudyOnDisk,
} from "../studies/folder.ts";
import { isShared } from "../studies/redis.ts";
import type { SharedQueue } from "../studies/redis_queue.ts";
import {
  type CellState,
  CellStates,
  statusOf,
  type StudyStatus,
  writeIndex,
} from "../studies/status.ts";
import { type Cell, CONCURRENCY, type StudyConfig } from "../studies/study.ts";
import { composeConvening, type OwnConfig } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { pause, systemClock } from "../core/clock.ts";
import { folderRecord } from "../record/stores.ts";
import {
  gateOf,
  MemoryBudget,
  MemoryLimits,
  MICROS,
  type SharedLimits,
} from "../studies/limits.ts";
import { configurations } from "../studies/plan.ts";
import { planStudy, type StudyPlanOptions, tryStudy } from "./study_plan.ts";
import { resume } from "./convening.ts";

/** A planned study's folder, and its plan once it is on disk. */
async function prepared(
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
  // Before the plan is written: a written plan is never altered.
  if (states.some((state) => isOpen(state, options.retry))) {
    const workersHaveKeys = options.queue !== undefined && (options.concurrency ?? 0) === 0;
    await tryStudy(planned, { ...options, workersHaveKeys });
  }
  const lock = await lockStudy(planned);
  try {
    const { extend } = options;
    const cells = await settlePlan(
      planned,
      planned.study,
      defined({ cells: planned.cells, extend }),
    );
    await planned.files.remove(join(planned.dir, STOP));
    return { on: { ...planned, cells }, known, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Runs a study: holds every convening of its plan that has not ended, several at once, in `ARCHIVE/studies/ID`. Again, it
 * goes on. A failed convening does not stop the others. Fails with a `ConfigurationError` for a wrong or changed study,
 * and with `locked` where another process runs it.
 */
export async function runStudy(
  given: string | StudyConfig,
  options: StudyRunOptions = {},
): Promise<StudyResult> {
  const { queue: url, detach = false } = options;
  if (detach && url === undefined) {
    throw new ConfigurationError("Cannot use detach: the study has no queue", {
      field: "detach",
      hint: "Give the queue of workers, such as redis://127.0.0.1:6379.",
    });
  }
  const { on, known, release } = await prepared(given, options);
  try {
    const queue = url === undefined ? new EmbeddedQueue() : await sharedQueueOf(url, on);
    try {
      return await new StudyRun(on, { ...options, queue }, known).run();
    } finally {
      await queue.close();
    }
  } finally {
    await release();
  }
}

async function sharedQueueOf(url: string, on: StudyOnDisk): Promise<SharedQueue> {
  const { sharedQueue } = await import("../studies/redis_queue.ts");
  return await sharedQueue(url, on, { importPackage });
}

/** Holds the failed convenings of a study again, and those that have not ended. */
export async function retryStudy(dir: string, options: StudyRunOptions = {}): Promise<StudyResult> {
  return await runStudy(dir, { ...options, retry: true });
}

/** The standing of a study, from the directories of its convenings. Takes no lock, writes nothing. */
export async function studyStatus(dir: string): Promise<StudyStatus> {
  const on = await openStudy(resolve(dir));
  const states = await (await CellStates.of(on)).read(on.cells);
  const isRunning = await on.files.isLocked(join(on.dir, ".lock"));
  return statusOf(on, states, { isRunning });
}

/**
 * Asks the process that runs a study to stop, or the workers of an archive that is shared; true if there is a process, or
 * workers have convenings left. With the URL of a queue its Redis is asked. Each convening ends at its next message.
 */
export async function stopStudy(
  dir: string,
  { queue: url }: Pick<StudyRunOptions, "queue"> = {},
): Promise<boolean> {
  const on = await openStudy(resolve(dir));
  const { files, dir: path } = on;
  if (url !== undefined) {
    const queue = await sharedQueueOf(url, on);
    await queue.stop().finally(() => queue.close());
    return true;
  }
  const { isRunning, planned, done, failed } = await studyStatus(path);
  const hasLeft = done + failed < planned;
  if (!isRunning && !(hasLeft && await isShared(files, on.archive))) return false;
  try {
    await files.write(join(path, STOP), "");
  } catch (error) {
    if (!(error instanceof FileError) || error.problem !== "exists") throw error;
  }
  return true;
}

/** Options of {@linkcode runStudy}. */
export interface StudyRunOptions extends StudyPlanOptions {
  /** True if new convenings of a changed study are added. @default false */
  readonly extend?: boolean | undefined;
  /** True if failed convenings are held again. @default false */
  readonly retry?: boolean | undefined;
  /** The most convenings that this run begins or resumes. @default all */
  readonly limit?: number | undefined;
  /** Convenings that this process holds at once. @default the study's, else 4; with `queue` 0: workers hold them */
  readonly concurrency?: number | undefined;
  /** Stops the run: each convening pauses once its turns in flight are finished. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the standing when convenings begin and end, a few times a second at most. */
  readonly onProgress?: ((status: StudyStatus) => void) | undefined;
  /** URL of a Redis whose workers hold the convenings, such as `redis://USER:PASSWORD@HOST:6379`. @default this process alone */
  readonly queue?: string | undefined;
  /** True if the run ends once the convenings are queued; needs `queue`. @default false */
  readonly detach?: boolean | undefined;
}

/** A convening that failed, or could not begin. */
export interface CellFailure {
  /** The key of the cell. */
  readonly key: string;
  /** The error's code. */
  readonly code: string;
  /** The error's message. */
  readonly message: string;
}

/** Result of a run. */
export interface StudyResult extends StudyStatus {
  /** Reason for the end: nothing left to hold, too many failures, the budget, a stop, or that workers go on alone. */
  readonly ended: "done" | "failures" | "budget" | "stopped" | "detached";
  /** The first failures of this run, 20 at most. */
  readonly failures: readonly CellFailure[];
}

/** Options of holding cells. */
export interface HoldOptions extends Pick<StudyPlanOptions, "catalogue" | "env"> {
  /** Rates and budget that the calls share. @default none */
  readonly shared?: SharedLimits | undefined;
  /** Called with a convening that failed, or could not begin. @default nothing is called */
  readonly onFailure?: ((failure: CellFailure) => void) | undefined;
  /** Called when the study's budget ends a convening. @default nothing is called */
  readonly onBudget?: (() => void) | undefined;
  /** True if other machines may write to the archive: a file of a record is never replaced. @default false */
  readonly exclusive?: boolean | undefined;
}

/** Settings of a study that stand over those of a record when its convening is resumed. */
const OVER = ["baseUrl", "providers", "factCheck", "limits", "retry"] as const;

/** Holds the convenings of a study: begins those that are not there, resumes the others. */
export function cellHolder(
  on: StudyOnDisk,
  options: HoldOptions = {},
): HoldCell {
  const { shared, exclusive, onFailure = () => {}, onBudget = () => {} } = options;
  const { catalogue, env } = options;
  const { study, files, archive } = on;
  const made = configurations(study);
  const optionsOf = ({ key }: Cell) =>
    defined({ catalogue, env, gate: shared && gateOf(study, key, shared) });
  const begin = async (cell: Cell) => {
    const as = [STUDIES, study.study, DEBATES, cell.key].join("/");
    const record = folderRecord({ out: archive, as }, defined({ exclusive }));
    const config = made.of(cell) as unknown as OwnConfig;
    // A turn of a person holds nothing up: the convening waits on disk.
    const patient = { ...personTime(config as ConveningConfig), ...config };
    return await composeConvening(patient, { ...optionsOf(cell), record });
  };
  const open = async (cell: Cell) => {
    const dir = cellDir(on, cell);
    if (await files.stat(join(dir, "metadata.md")) === undefined) return await begin(cell);
    const config = made.of(cell);
    const over = Object.fromEntries(
      OVER.flatMap((key) => key in config ? [[key, config[key]]] : []),
    );
    const people = personTime(config as unknown as ConveningConfig);
    const given = { ...optionsOf(cell), ...defined({ exclusive }) };
    return await resume(dir, { ...given, config: { ...people, ...over } });
  };
  return async (cell, signal) => {
    if (signal.aborted) return "later";
    try {
      const workflow = await open(cell);
      const rest = () => workflow.pause?.();
      signal.addEventListener("abort", rest, { once: true });
      if (signal.aborted) rest();
      try {
        const { status, endReason } = await workflow.run();
        if (endReason === "study_budget") {
          onBudget();
          // The convening goes on in a run with a higher limit, which may have begun already.
          return "later";
        }
        return status === "paused" || endReason === "cancelled" ? "later" : "done";
      } finally {
        signal.removeEventListener("abort", rest);
      }
    } catch (error) {
      const { code, message } = error instanceof ConveningError
        ? error
        : { code: "unexpected", message: String(error) };
      if (code === "locked" || code === "taken") return "later";
      onFailure({ key: cell.key, code, message });
      return "done";
    }
  };
}

const MOST_FAILURES = 20;
/** Ended convenings that the share of failures is taken of, at least. */
const LEAST_ENDED = 10;
/** Milliseconds between two reports of progress, looks for a stop, looks at what workers did, and writes of the standing. */
const EVERY = { progress: 200, stop: 250, look: 2000, status: 15_000 } as const;

type RunOptions = Omit<StudyRunOptions, "queue"> & { readonly queue: EmbeddedQueue | SharedQueue };

/** True for the state of a convening that a run holds; with `retry` failed ones are held again. */
export function isOpen({ isOver, status }: CellState, retry: boolean = false): boolean {
  return !isOver || (retry && status === "failed");
}

/** One run of a study. */
export class StudyRun {
  readonly #on: StudyOnDisk;
  readonly #options: RunOptions;
  readonly #known: CellStates;
  readonly #end = new AbortController();
  readonly #failures: CellFailure[] = [];
  /** Keys of convenings that failed before they had a record. */
  readonly #unbegun = new Set<string>();
  readonly #places: ReadonlyMap<string, number>;
  #states: CellState[] = [];
  #ended: StudyResult["ended"] = "done";
  #shownAt = 0;
  #writtenAt = systemClock.now();
  #lookedAt = 0;

  /** A run that has not begun, over the states that are known. */
  constructor(on: StudyOnDisk, options: RunOptions, known: CellStates) {
    this.#on = on;
    this.#options = options;
    this.#known = known;
    this.#places = new Map(on.cells.map(({ key }, index) => [key, index]));
  }

  /** Holds what has not ended; gives the standing then. */
  async run(): Promise<StudyResult> {
    const { study, cells } = this.#on;
    const { queue, retry = false, limit = Infinity, detach = false, signal } = this.#options;
    const isShared = "shared" in queue;
    const { concurrency = isShared ? 0 : study.concurrency ?? CONCURRENCY } = this.#options;
    this.#states = await this.#known.read(cells);
    const shared = isShared ? queue.shared : this.#ownLimits();
    const open = cells.filter((_, index) => isOpen(this.#states[index]!, retry));
    const stop = () => this.#stop("stopped");
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const watch = new AbortController();
    const watching = this.#watch(watch.signal);
    try {
      await queue.enqueue(open.slice(0, limit));
      await this.#show(true);
      if (detach) this.#ended = "detached";
      else await queue.run(this.#hold(shared), { concurrency, signal: this.#end.signal });
      if (isShared && !detach) await this.#endWith(queue);
    } finally {
      watch.abort();
      await watching;
      signal?.removeEventListener("abort", stop);
    }
    this.#states = await this.#known.read(cells);
    const status = this.#status(false);
    this.#options.onProgress?.(status);
    await this.#known.write(status);
    await writeIndex(this.#on, this.#states, status);
    if (this.#ended === "done" && this.#hasFailed(1)) this.#ended = "failures";
    return { ...status, ended: this.#ended, failures: this.#failures };
  }

  /** Stops the workers of a run that was stopped here, and takes the reason of a stop from elsewhere. */
  async #endWith(queue: SharedQueue): Promise<void> {
    if (this.#ended === "done") this.#ended = await queue.stoppedFor() ?? "done";
    else if (this.#ended !== "detached") await queue.stop(this.#ended);
  }

  #stop(why: StudyResult["ended"]): void {
    if (this.#end.signal.aborted) return;
    this.#ended = why;
    this.#end.abort(why);
  }

  /** Looks for the file that asks for a stop, and at what workers did. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { files, dir } = this.#on;
    const path = join(dir, STOP);
    while (!signal.aborted) {
      await pause(EVERY.stop, signal).catch(() => {});
      if ("shared" in this.#options.queue) await this.#look();
      if (await files.stat(path) === undefined) continue;
      this.#stop("stopped");
      await files.remove(path);
    }
  }

  /** Reads the states of cells that other processes hold, every few seconds. */
  async #look(): Promise<void> {
    if (systemClock.now() - this.#lookedAt < EVERY.look) return;
    this.#states = await this.#known.read(this.#on.cells);
    this.#lookedAt = systemClock.now();
    if (this.#hasFailed(LEAST_ENDED)) this.#stop("failures");
    await this.#show(false);
  }

  /** Rates and budget of this process; what is spent is what the records say. */
  #ownLimits(): SharedLimits {
    const { limits: { maxCost = Infinity } = {}, rates } = this.#on.study;
    const spent = this.#states.reduce((sum, { costUsd }) => sum + costUsd, 0);
    const budget = new MemoryBudget(maxCost * MICROS, Math.round(spent * MICROS));
    return { limits: new MemoryLimits(rates), budget };
  }

  /** Holds a cell, and keeps its state. Once the budget has ended one, no other begins, and those that run spend the rest. */
  #hold(shared: SharedLimits): HoldCell {
    let active = 0;
    let isSpent = false;
    const hold = cellHolder(this.#on, {
      ...defined({ catalogue: this.#options.catalogue, env: this.#options.env }),
      shared,
      exclusive: "shared" in this.#options.queue,
      onBudget: () => isSpent = true,
      onFailure: (failure) => {
        this.#unbegun.add(failure.key);
        if (this.#failures.length < MOST_FAILURES) this.#failures.push(failure);
      },
    });
    return async (cell, signal) => {
      if (isSpent) return "later";
      const index = this.#places.get(cell.key)!;
      this.#states[index] = { ...this.#states[index]!, status: "running", isOver: false };
      await this.#show(false);
      active++;
      const end = await hold(cell, signal).finally(() => active--);
      if (isSpent && active === 0) this.#stop("budget");
      this.#states[index] = await this.#known.one(cell);
      if (this.#states[index].status !== "planned") this.#unbegun.delete(cell.key);
      if (this.#hasFailed(LEAST_ENDED)) this.#stop("failures");
      await this.#show(false);
      return end;
    };
  }

  /** True if more convenings failed than the study allows, of those that ended. */
  #hasFailed(least: number): boolean {
    const { maxFailures = 0.1 } = this.#on.study.limits ?? {};
    const over = this.#states.filter(({ isOver }) => isOver);
    const unbegun = this.#unbegun.size;
    const failed = over.filter(({ status }) => status === "failed").length + unbegun;
    return failed > maxFailures * Math.max(least, over.length + unbegun);
  }

  #status(isRunning: boolean): StudyStatus {
    return statusOf(this.#on, this.#states, { isRunning });
  }

  async #show(always: boolean): Promise<void> {
    const now = systemClock.now();
    const { onProgress } = this.#options;
    if (onProgress !== undefined && (always || now - this.#shownAt >= EVERY.progress)) {
      this.#shownAt = now;
      onProgress(this.#status(true));
    }
    if (now - this.#writtenAt < EVERY.status) return;
    this.#writtenAt = now;
    await this.#known.write(this.#status(true));
  }
}
