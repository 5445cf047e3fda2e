// The studies that this process runs for clients of a server.
import { ConveningError } from "../core/error.ts";
import type { StudyStatus } from "../studies/status.ts";

/** A study that this process runs. */
export interface StudyRun {
  /** The study's id: the name of its folder. */
  readonly id: string;
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
export class StudyRuns {
  readonly #runs = new Map<string, ActiveStudy>();
  readonly #ending = new AbortController();

  /** The run of an id; undefined where this process runs none. */
  run(id: string): StudyRun | undefined {
    return this.#runs.get(id);
  }

  /**
   * Runs a study, and gives the run once its first progress is there. Fails with what keeps the study from beginning, with
   * `locked` where this process runs it, and with `busy` where too many run.
   */
  async start(id: string, begin: BeginStudy): Promise<StudyRun> {
    if (this.#ending.signal.aborted || this.#runs.size >= MOST) {
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
    const run = new ActiveStudy(id, begin, this.#ending.signal);
    this.#runs.set(id, run);
    const remove = () => this.#runs.delete(id);
    run.ended.then(remove, remove);
    await run.begun;
    return run;
  }

  /** Ends all runs at their next message, and starts none any more. */
  async close(): Promise<void> {
    this.#ending.abort(new DOMException("The server is ending", "AbortError"));
    await Promise.allSettled([...this.#runs.values()].map(({ ended }) => ended));
  }
}

class ActiveStudy implements StudyRun {
  readonly id: string;
  readonly begun: Promise<void>;
  readonly ended: Promise<unknown>;
  #progress: StudyStatus | undefined;
  #next = Promise.withResolvers<void>();

  constructor(id: string, begin: BeginStudy, signal: AbortSignal) {
    this.id = id;
    const first = Promise.withResolvers<void>();
    this.ended = begin({
      signal,
      onProgress: (progress) => {
        this.#progress = progress;
        first.resolve();
        this.#tell();
      },
    }).finally(() => this.#tell());
    this.begun = Promise.race([first.promise, this.ended.then(() => {})]);
  }

  get progress(): StudyStatus {
    return this.#progress!;
  }

  changed(): Promise<void> {
    return this.#next.promise;
  }

  #tell(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }
}
