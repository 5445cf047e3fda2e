// The runs of this process: convenings that are started, resumed and queued, and studies.
import { resolve } from "@std/path";
import { composeConvening, type ComposeOptions, type ConveningInputs } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import type { WorkflowPlan } from "../engine/plan.ts";
import { folderRecord } from "../record/stores.ts";
import { ActiveRun, Opening, type PooledRun, RunQueue } from "./active_run.ts";
import { resume, type Resumed, type ResumeOptions } from "./convening.ts";
import { idOf } from "./convening_dir.ts";
import { watchConvening } from "./watching.ts";
import type { StudyStatus } from "../studies/status.ts";

/** Options of {@linkcode RunPool}. */
export interface RunPoolOptions {
  /** The archive's folder. */
  readonly out: string;
  /** The most convenings that run at once; the others are queued. @default 4 */
  readonly maxRunning?: number | undefined;
  /** The most queued runs; one more is rejected. @default 100 */
  readonly maxQueued?: number | undefined;
  /** Options that every run is composed with: the environment, agents. */
  readonly compose?: ComposeOptions | undefined;
}

/** The number of ended runs that are remembered, so that their results can be asked for. */
const REMEMBERED = 200;

/**
 * Runs convenings in this process, so many at once. A convening has its directory, and so its id, as soon as it is
 * started, also while it is queued.
 */
export class RunPool {
  /** The studies of this process. */
  readonly studies: StudyRuns = new StudyRuns();
  /** The most convenings that run at once, and the most of each study. */
  readonly maxRunning: number;
  readonly #options: RunPoolOptions;
  readonly #out: string;
  readonly #queue: RunQueue;
  readonly #runs = new Map<string, ActiveRun>();
  /** Runs that are being opened to be resumed. */
  readonly #resuming = new Map<string, Promise<PooledRun>>();
  /** Runs that have not ended, also before they have an id. */
  readonly #open = new Set<ActiveRun>();
  /** Directories that have been asked for and are not open yet. */
  readonly #opening = new Set<Promise<PooledRun>>();
  readonly #listeners = new Set<() => void>();
  #closing = false;

  /** A pool that runs nothing. */
  constructor(options: RunPoolOptions) {
    const { out, maxRunning = 4, maxQueued = 100 } = options;
    this.#options = options;
    this.#out = resolve(out);
    this.maxRunning = maxRunning;
    this.#queue = new RunQueue({ maxRunning, maxQueued });
  }

  get running(): readonly PooledRun[] {
    return [...this.#runs.values()].filter(({ feed }) => !feed.ended);
  }

  /** Calls a function whenever a run of this process has begun or ended; gives a function that ends the calls. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The run of an id; undefined where this process has had none. */
  run(id: string): PooledRun | undefined {
    return this.#runs.get(id);
  }

  /** The run of an id that has not ended; undefined where this process has none. */
  liveRun(id: string): PooledRun | undefined {
    const run = this.#runs.get(id);
    return run?.feed.ended === false ? run : undefined;
  }

  /**
   * Starts a convening and gives it once it has a directory; sources and papers can be handed in as texts. Fails with the
   * errors of `composeConvening` where it cannot be held, and with `busy` where too many wait.
   */
  start(config: ConveningConfig, options: ConveningInputs = {}): Promise<PooledRun> {
    return this.#opened(this.#begun((opening) =>
      composeConvening({ ...config, out: this.#out }, {
        ...this.#options.compose,
        ...options,
        record: opening.of(folderRecord({ out: this.#out })),
        signal: opening.signal,
      })
    ));
  }

  /** The plan of a convening that is not started. Fails as {@linkcode start} does, but for `busy`. */
  async plan(config: ConveningConfig, options: ConveningInputs = {}): Promise<WorkflowPlan> {
    const compose = { ...this.#options.compose, ...options };
    const workflow = await composeConvening({ ...config, out: this.#out }, compose);
    return await workflow.plan();
  }

  /**
   * Goes on with a convening of the archive, and gives it once it has its record; see `resume`. One that this process runs
   * is given as it is; one that was asked to pause is resumed once it has paused.
   */
  async resume(dir: string, options: ResumeOptions = {}): Promise<PooledRun> {
    const id = idOf(dir);
    const known = this.#runs.get(id);
    if (known !== undefined && !known.feed.ended && !known.isEnding) return known;
    const pending = this.#resuming.get(id) ?? this.#opened(this.#goOn(dir, known, options));
    this.#resuming.set(id, pending);
    return await pending.finally(() => this.#resuming.delete(id));
  }

  async #goOn(
    dir: string,
    known: ActiveRun | undefined,
    options: ResumeOptions,
  ): Promise<PooledRun> {
    await known?.ended;
    return await this.#begun((opening) =>
      resume(dir, {
        ...this.#options.compose,
        ...options,
        through: (record) => opening.of(record),
        signal: opening.signal,
      })
    );
  }

  /**
   * The events of a convening of the archive after a number, whoever runs it: first those that were, then each as it
   * comes; deltas only of those this process runs, and only while their turn is spoken, the first one with all it has
   * said so far. It ends when the run does, or when `signal` aborts; leaving it ends nothing else.
   */
  async *events(
    dir: string,
    { after = 0, signal }: {
      readonly after?: number | undefined;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): AsyncGenerator<ConveningEvent> {
    let last = after;
    for (;;) {
      const run = this.#runs.get(idOf(dir));
      if (run === undefined || run.feed.ended) {
        yield* watchConvening(dir, { from: last, signal });
        return;
      }
      for await (const event of run.since(last, signal)) {
        last = event.n;
        yield event;
      }
      // To one who reads slowly more may have happened meanwhile than is at hand: the log has it.
      if ((run.feed.recent(last)[0]?.n ?? last + 1) !== last + 1) continue;
      const follower = run.feed.follow(last);
      try {
        for (let event = await follower.next(signal); event; event = await follower.next(signal)) {
          if (event.type !== "message-delta") {
            if (event.n <= last) continue;
            last = event.n;
          }
          yield event;
        }
        if (!follower.behind) return;
      } finally {
        follower.close();
      }
    }
  }

  /**
   * Starts nothing more, aborts running and queued runs, and waits until each has released its record: all of
   * them then stand as interrupted, and can be resumed.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const run of this.#open) run.breakOff();
    const studies = this.studies.close();
    await Promise.allSettled(this.#opening);
    await Promise.all([...this.#open].map(({ ended }) => ended));
    await studies;
  }

  #checkOpen(): void {
    if (this.#closing) {
      throw new ConveningError("busy", "Cannot start: the program is ending", {
        hint: "Try again once it runs anew.",
      });
    }
    this.#queue.check();
  }

  /** Keeps in mind what is being opened, so that it can be waited for. */
  #opened(run: Promise<PooledRun>): Promise<PooledRun> {
    this.#opening.add(run);
    return run.finally(() => this.#opening.delete(run));
  }

  async #begun(made: (opening: Opening) => Promise<Resumed>): Promise<PooledRun> {
    this.#checkOpen();
    const opening = new Opening(this.#queue);
    const run = new ActiveRun(await made(opening), opening);
    this.#open.add(run);
    run.ended.finally(() => this.#open.delete(run));
    // It was being put together when the pool was closed.
    if (this.#closing) run.breakOff();
    const id = await run.begin();
    // The newest stands last, whatever stood under its id.
    this.#runs.delete(id);
    this.#runs.set(id, run);
    for (const [old, { feed }] of this.#runs) {
      if (this.#runs.size <= REMEMBERED) break;
      if (feed.ended) this.#runs.delete(old);
    }
    for (const listener of this.#listeners) listener();
    run.ended.finally(() => this.#listeners.forEach((listener) => listener()));
    return run;
  }
}

interface StudyRun {
  /** The latest progress. */
  readonly progress: StudyStatus;
  /** Resolves at the end of the run. */
  readonly ended: Promise<unknown>;
  /** Resolves at the next progress, or at the end. */
  changed(): Promise<void>;
}

/** Runs one study; `onProgress` is called first once the study is checked and its plan is written. */
type BeginStudy = (
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: StudyStatus) => void;
  },
) => Promise<unknown>;

/** The most studies that run at once; one more is rejected. */
const MOST = 4;

/** Studies that run in this process, by id. */
class StudyRuns {
  readonly #runs = new Map<string, StudyRun>();
  readonly #ending = new AbortController();

  /** The run of an id; undefined where this process runs none. */
  run(id: string): StudyRun | undefined {
    return this.#runs.get(id);
  }

  /**
   * Runs a study; resolves once its first progress is there. Fails with what keeps the study from beginning, with `locked`
   * where this process runs it, and with `busy` where too many run.
   */
  async start(id: string, begin: BeginStudy): Promise<void> {
    const { signal } = this.#ending;
    if (signal.aborted || this.#runs.size >= MOST) {
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
    let next = Promise.withResolvers<void>();
    let latest: StudyStatus | undefined;
    const change = () => {
      next.resolve();
      next = Promise.withResolvers<void>();
    };
    const onProgress = (progress: StudyStatus) => {
      latest = progress;
      first.resolve();
      change();
    };
    const ended = begin({ signal, onProgress }).finally(change);
    this.#runs.set(id, {
      get progress() {
        return latest!;
      },
      ended,
      changed: () => next.promise,
    });
    const remove = () => this.#runs.delete(id);
    ended.then(remove, remove);
    await Promise.race([first.promise, ended]);
  }

  /** Ends all runs at their next message, and starts none any more. */
  async close(): Promise<void> {
    this.#ending.abort(new DOMException("The server is ending", "AbortError"));
    await Promise.allSettled([...this.#runs.values()].map(({ ended }) => ended));
  }
}
