// Starts, queues and resumes the convenings of this process, and runs its studies.
import { composeConvening, type ComposeOptions, type ConveningInputs } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { ConveningError, RecordError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import type { RecordStore } from "../core/record.ts";
import type { WorkflowPlan } from "../engine/plan.ts";
import { folderRecord } from "../record/directory_record.ts";
import type { StudyStatus } from "../studies/study.ts";
import { ActiveRun, type Resumed, RunQueue } from "./active_run.ts";
import { idOf } from "./client_view.ts";
import { watchConvening } from "./watching.ts";
import { counted } from "../core/text.ts";

export interface PoolOptions {
  /** Absolute path of the archive. */
  readonly out: string;
  /** Maximum number of concurrent runs; further runs are queued. @default 4 */
  readonly maxRunning?: number | undefined;
  /** Maximum number of queued runs; a further run is rejected. @default 100 */
  readonly maxQueued?: number | undefined;
  /** Options for composing each run, such as the environment and agents. */
  readonly compose?: ComposeOptions | undefined;
  /** Receives the unexpected error of a run that has failed, which its clients see without a stack trace. @default errors are dropped */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
}

type Resume = (
  dir: string,
  options: ComposeOptions & {
    readonly config?: Partial<ConveningConfig> | undefined;
    readonly through: (record: RecordStore) => RecordStore;
  },
) => Promise<Resumed>;

/** Maximum number of runs in memory; the oldest ended runs are removed first. */
const REMEMBERED = 200;

/**
 * Runs convenings in this process, up to a limit at once. A convening has its directory, and so its id, as soon as it is
 * started or queued.
 */
export class RunPool {
  readonly studies: StudyRuns = new StudyRuns();
  /** Maximum number of concurrent convenings, of the pool and of each study. */
  readonly maxRunning: number;
  readonly #options: PoolOptions;
  readonly #resume: Resume;
  readonly #queue: RunQueue;
  /** The last run of each convening, by id. */
  readonly #runs = new Map<string, ActiveRun>();
  /** Pending resumes, by id: a second call shares the promise of the first. */
  readonly #resuming = new Map<string, Promise<ActiveRun>>();
  /** Runs that have not ended, including those without an id yet. */
  readonly #open = new Set<ActiveRun>();
  readonly #listeners = new Set<() => void>();
  #closing = false;

  constructor(options: PoolOptions, resume: Resume) {
    this.#options = options;
    this.#resume = resume;
    this.maxRunning = options.maxRunning ?? 4;
    this.#queue = new RunQueue(this.maxRunning);
  }

  get running(): readonly ActiveRun[] {
    return [...this.#runs.values()].filter(({ feed }) => !feed.ended);
  }

  /** Adds a listener for the start and the end of each run; returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the last run of a convening in this process, even if ended; undefined without one. */
  run(id: string): ActiveRun | undefined {
    return this.#runs.get(id);
  }

  /** Returns the run of a convening that has not ended; undefined without one. */
  liveRun(id: string): ActiveRun | undefined {
    const run = this.#runs.get(id);
    return run?.feed.ended === false ? run : undefined;
  }

  /** Returns the run of a convening that has not ended, once a pending resume has its directory; undefined without one. */
  async settledRun(id: string): Promise<ActiveRun | undefined> {
    await this.#resuming.get(id)?.catch(() => {});
    return this.liveRun(id);
  }

  /**
   * Starts a convening and returns the run once it has a directory; sources and papers can be given as texts. Throws the
   * errors of `composeConvening`, and `busy` if the queue is full.
   */
  async start(config: ConveningConfig, inputs: ConveningInputs = {}): Promise<ActiveRun> {
    const { out, compose } = this.#options;
    return await this.#begin((run) => {
      const own = { record: run.wrap(folderRecord({ out })), signal: run.signal };
      return composeConvening({ ...config, out }, { ...compose, ...inputs, ...own });
    });
  }

  /** Plans a convening without a start. Throws as {@linkcode start} does, except `busy`. */
  async plan(config: ConveningConfig, inputs: ConveningInputs = {}): Promise<WorkflowPlan> {
    const { out, compose } = this.#options;
    return await (await composeConvening({ ...config, out }, { ...compose, ...inputs })).plan();
  }

  /**
   * Resumes a convening of the archive and returns the run once its record is open; see `resume`. Returns the present run
   * if this process runs the convening already; a run that is pausing or stopping is resumed after its end. Throws `locked`
   * for a run, or a pending resume, without the settings of this call; `changed` is the key of one that a client changes.
   */
  async resume(
    dir: string,
    settings: Pick<Parameters<Resume>[1], "config" | "env"> = {},
    changed?: string,
  ): Promise<ActiveRun> {
    const id = idOf(dir);
    const known = this.#runs.get(id);
    const isRunning = known?.feed.ended === false && !known.isEnding;
    if (changed !== undefined && (isRunning || this.#resuming.has(id))) {
      throw new RecordError("locked", `Cannot change the settings of ${dir}: it is running`, {
        field: changed,
        hint: "Pause it, then resume it with the settings.",
      });
    }
    if (isRunning) return known;
    const pending = this.#resuming.getOrInsertComputed(id, async () => {
      await known?.ended;
      return await this.#begin((run) => {
        const own = { through: (record: RecordStore) => run.wrap(record), signal: run.signal };
        return this.#resume(dir, { ...this.#options.compose, ...settings, ...own });
      });
    });
    return await pending.finally(() => this.#resuming.delete(id));
  }

  /** Throws `busy` if no further run can begin. */
  check(): void {
    if (this.#closing) {
      throw new ConveningError("busy", "Cannot start: the program is ending", {
        hint: "Try again once it has started again.",
      });
    }
    // Runs that are still composed count too, else a burst of starts would pass the limit.
    const waiting = this.#open.size - this.maxRunning;
    if (waiting < (this.#options.maxQueued ?? 100)) return;
    throw new ConveningError(
      "busy",
      `Cannot start: ${counted(waiting, "convening")} in the queue, which is full`,
      {
        hint: "Try again later.",
      },
    );
  }

  /** Resolves to true once one of the present runs has ended; to false if there is none, or the program is ending. */
  async freed(): Promise<boolean> {
    if (this.#closing || this.#open.size === 0) return false;
    await Promise.race([...this.#open].map(({ ended }) => ended));
    return true;
  }

  async #begin(compose: (run: ActiveRun) => Promise<Resumed>): Promise<ActiveRun> {
    this.check();
    const run = new ActiveRun(this.#queue);
    this.#open.add(run);
    void run.ended.then((end) => {
      this.#open.delete(run);
      const isUnexpected = end.state === "failed" && end.error.code === "unexpected";
      // An error before there is a directory is the answer to the request.
      if (isUnexpected && run.dir !== "") this.#options.onUnexpected?.(end.error);
    });
    const id = await run.begin(compose);
    // Delete first, so that a resumed run moves to the end of the map.
    this.#runs.delete(id);
    this.#runs.set(id, run);
    for (const [old, { feed }] of this.#runs) {
      if (this.#runs.size <= REMEMBERED) break;
      if (feed.ended) this.#runs.delete(old);
    }
    const notify = () => this.#listeners.forEach((listener) => listener());
    notify();
    void run.ended.then(notify);
    return run;
  }

  /**
   * Streams the events of a convening with a number above `after`, whichever process runs the convening: first the past
   * events, then live events. Deltas come only from runs of this process and only during their turn; the first delta has
   * the whole text so far. Ends with the run or when `signal` aborts; ending the iteration does not affect the run.
   */
  async *events(
    dir: string,
    { after = 0, signal }: {
      readonly after?: number | undefined;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): AsyncGenerator<ConveningEvent> {
    const run = this.#runs.get(idOf(dir));
    if (run?.feed.ended === false) yield* run.events(after, signal);
    else yield* watchConvening(dir, { from: after, signal });
  }

  /**
   * Rejects further starts, aborts all running and queued runs, and waits until each has released its record. The aborted
   * convenings are then interrupted and can be resumed.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const run of this.#open) run.breakOff();
    await Promise.all([this.studies.close(), ...[...this.#open].map(({ ended }) => ended)]);
  }
}

interface StudyRun {
  readonly progress: StudyStatus;
  /** Resolves when the run has ended or failed; never rejects. */
  readonly ended: Promise<unknown>;
}

/** Runs one study; calls `onProgress` for the first time once the study is checked and its plan is written. */
type BeginStudy = (
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: StudyStatus) => void;
  },
) => Promise<unknown>;

const MAX_STUDIES = 4;

class StudyRuns {
  readonly #runs = new Map<string, StudyRun>();
  readonly #ending = new AbortController();

  /** Returns the run of a study; undefined if this process does not run the study. */
  run(id: string): StudyRun | undefined {
    return this.#runs.get(id);
  }

  /**
   * Runs a study; resolves at its first progress. Throws any error that keeps the study from beginning, `locked` if this
   * process runs the study already, and `busy` if {@linkcode MAX_STUDIES} studies run.
   */
  async start(id: string, begin: BeginStudy): Promise<void> {
    const { signal } = this.#ending;
    if (signal.aborted || this.#runs.size >= MAX_STUDIES) {
      throw new ConveningError("busy", `Cannot run study "${id}": ${this.#runs.size} studies run`, {
        hint: "Run it again once another study has ended.",
      });
    }
    if (this.#runs.has(id)) {
      throw new ConveningError("locked", `Cannot run study "${id}": this server runs it`, {
        field: "id",
        hint: "Follow its events, or stop it first.",
      });
    }
    const first = Promise.withResolvers<void>();
    let latest: StudyStatus | undefined;
    const onProgress = (progress: StudyStatus) => {
      latest = progress;
      first.resolve();
    };
    const begun = begin({ signal, onProgress });
    const remove = () => this.#runs.delete(id);
    this.#runs.set(id, {
      get progress() {
        return latest!;
      },
      ended: begun.then(remove, remove),
    });
    await Promise.race([first.promise, begun]);
  }

  /** Rejects further starts, pauses all studies after the turns in flight, and waits until the studies have ended. */
  async close(): Promise<void> {
    this.#ending.abort(new DOMException("The server is ending", "AbortError"));
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }
}
