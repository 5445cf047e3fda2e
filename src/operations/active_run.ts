// A run of a convening in this process: its place among the concurrent runs, its state, its events, and its acts.
import { asConveningError, CancelledError, type ConveningError } from "../core/error.ts";
import type { ConveningEvent, ConveningResult, WaitedFor } from "../core/event.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import type { ClientRequest } from "../engine/people.ts";
import { idOf } from "./client_view.ts";
import { LiveFeed, loggedEvents } from "./watching.ts";

/** A resumed convening: a workflow to run, or the result of a completed one. */
export interface Resumed {
  /** Streams the events from now on, and returns the result. */
  stream(): AsyncGenerator<ConveningEvent, ConveningResult>;
  /** Runs to the end and returns the result. */
  run(): Promise<ConveningResult>;
  /** The turns of people that the run waits for now. */
  readonly waitingFor?: readonly WaitedFor[];
  /** Says a person's turn that the run waits for; see `DialogueWorkflow`. Absent for a completed convening. */
  say?(participant: string, text: string, request?: string): void;
  /** Reads the inbox at once; see `DialogueWorkflow`. Absent for a completed convening. */
  hear?(turn?: string): Promise<boolean>;
  /** The open prompts for a client's own model. Absent for a completed convening. */
  readonly requests?: readonly ClientRequest[];
  /** Interjects before the next turn. */
  interject?(text: string): void;
  /** Pauses after the turns in flight. */
  pause?(): void;
  /**
   * Paths of the missing or outdated derived files and transcripts that were repaired in a completed convening; empty if
   * the record was complete. Absent for a convening that runs.
   */
  readonly mended?: readonly string[];
}

type RunState =
  /** The run waits in the queue; `position` counts from 1. */
  | { readonly state: "queued"; readonly position: number }
  | { readonly state: "running" }
  /** The run has ended, paused, or stopped to wait for a person. */
  | { readonly state: "ended"; readonly status: ConveningResult["status"] }
  | { readonly state: "failed"; readonly error: ConveningError };

/** The runs of a process in the order of their arrival: the first `maxRunning` are admitted, the others wait. */
export class RunQueue {
  readonly #maxRunning: number;
  readonly #runs: ActiveRun[] = [];

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Returns the position of a waiting run, from 1; 0 for any other run. */
  position(run: ActiveRun): number {
    return Math.max(0, this.#runs.indexOf(run) + 1 - this.#maxRunning);
  }

  join(run: ActiveRun): void {
    this.#runs.push(run);
    this.#admit();
  }

  leave(run: ActiveRun): void {
    const at = this.#runs.indexOf(run);
    if (at !== -1) this.#runs.splice(at, 1);
    this.#admit();
  }

  #admit(): void {
    for (const run of this.#runs.slice(0, this.#maxRunning)) run.admit();
  }
}

/** A run of this process that may have ended. */
export class ActiveRun {
  /** Live events of the run, deltas included. */
  readonly feed: LiveFeed = new LiveFeed();
  readonly #queue: RunQueue;
  readonly #stop = new AbortController();
  /** Resolves when the run has a directory and, if it resumes a fork, its resume is on record. */
  readonly #claimed = Promise.withResolvers<void>();
  readonly #admitted = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<RunState>();
  #workflow: Resumed | undefined;
  #dir = "";
  #isEnding = false;
  #isBrokenOff = false;
  #end: RunState | undefined;

  constructor(queue: RunQueue) {
    this.#queue = queue;
  }

  /** The id of the convening, unique in the archive. */
  get id(): string {
    return idOf(this.#dir);
  }

  get dir(): string {
    return this.#dir;
  }

  get state(): RunState {
    if (this.#end !== undefined) return this.#end;
    const position = this.#queue.position(this);
    return position > 0 ? { state: "queued", position } : { state: "running" };
  }

  /** Resolves when the run has ended or failed; never rejects. */
  get ended(): Promise<RunState> {
    return this.#ended.promise;
  }

  /** True once the run pauses or stops. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Aborts when the run is stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Composes and runs the workflow; resolves with the id once there is a directory. Throws the error of a failure before. */
  async begin(compose: (run: ActiveRun) => Promise<Resumed>): Promise<string> {
    const composed = Promise.resolve(this).then(compose);
    void this.#run(composed);
    // An unexpected error stays as it is, so that its text is not sent to clients.
    await composed;
    await Promise.race([this.#claimed.promise, this.ended]);
    if (this.#dir === "" && this.#end?.state === "failed") throw this.#end.error;
    return this.id;
  }

  async #run(composed: Promise<Resumed>): Promise<void> {
    try {
      this.#workflow = await composed;
      const events = this.#workflow.stream();
      for (;;) {
        const { done, value } = await events.next();
        if (done === true) {
          this.#end = { state: "ended", status: value.status };
          this.#dir ||= value.dir ?? "";
          break;
        }
        this.feed.push(value);
      }
    } catch (error) {
      this.#end = { state: "failed", error: asConveningError(error) };
    }
    // The pool remembers the run, but nothing asks for its prompts, papers and people any more.
    this.#workflow = undefined;
    this.#queue.leave(this);
    this.feed.end();
    this.#ended.resolve(this.#end);
  }

  /** Wraps a store: `open` claims the directory at once, and waits until the queue admits the run, but for a fork. */
  wrap(store: RecordStore): RecordStore {
    return {
      open: async (start) => {
        const record = await store.open(start);
        this.#dir = record.dir!;
        if (!this.signal.aborted) this.#queue.join(this);
        // A fork has its resume on record before the wait: else it would count as never resumed if the process is killed.
        const isFork = record.status === "running" && record.start.parent !== undefined;
        if (isFork) return this.#wrapped(record);
        this.#claimed.resolve();
        await this.#admitted.promise;
        if (!this.#isBrokenOff) return this.#wrapped(record);
        await record.close();
        throw new CancelledError(this.signal.reason);
      },
    };
  }

  /** Ends the wait for a place. */
  admit(): void {
    this.#admitted.resolve();
  }

  /**
   * Wraps a record so that the run waits for its admission once its start or resume is on record, and that no ending is written
   * after the run is broken off: the convening is then interrupted.
   */
  #wrapped(record: OpenRecord): OpenRecord {
    return {
      ...record,
      apply: async (event) => {
        const isEnding = event.type === "stop" || event.type === "convening-end";
        if (!this.#isBrokenOff || !isEnding) await record.apply(event);
        if (event.type !== "convening-start" && event.type !== "convening-resume") return;
        this.#claimed.resolve();
        await this.#admitted.promise;
      },
      close: () => record.close(),
    };
  }

  /** Yields the events with a number above `after`, from the log and then live, until the run ends or `signal` aborts. */
  async *events(after: number, signal?: AbortSignal): AsyncGenerator<ConveningEvent> {
    let last = after;
    for (;;) {
      const before = last;
      const hadEnded = this.feed.ended;
      for await (const event of loggedEvents(this.#dir, { from: before, signal })) {
        last = event.n;
        yield event;
      }
      // Meanwhile the run may have gone on by more events than the feed keeps.
      if (last > before && this.feed.lacks(last) && signal?.aborted !== true) continue;
      for await (const event of this.feed.follow(last, signal)) {
        last = Math.max(last, event.n);
        yield event;
      }
      // A slow reader has fallen behind the feed: the log has the missed events.
      // After the end, the log can lack events only if it could not be written.
      if (signal?.aborted === true || last >= this.feed.last || hadEnded && last === before) return;
    }
  }

  /** The turns of people that the run waits for now. */
  get waitingFor(): readonly WaitedFor[] {
    return this.#workflow?.waitingFor ?? [];
  }

  get requests(): readonly ClientRequest[] {
    return this.#workflow?.requests ?? [];
  }

  /** Reads the inbox at once; see `DialogueWorkflow.hear`. */
  async hear(turn: string): Promise<boolean> {
    return await this.#workflow?.hear?.(turn) ?? true;
  }

  /** Pauses after the turns in flight; a queued run is stopped. */
  pause(): void {
    if (this.state.state === "queued") return this.stop();
    this.#isEnding = true;
    this.#workflow?.pause?.();
  }

  /** Ends the run early as cancelled; the convening can be resumed. */
  stop(): void {
    this.#isEnding = true;
    this.#stop.abort("stopped");
    // A run that waits records the stop at once, without a place among the concurrent runs.
    if (this.state.state === "queued") this.#queue.leave(this);
    this.admit();
  }

  /** Ends the run without an ending on record, as if the process had died: the convening is then interrupted. */
  breakOff(): void {
    this.#isBrokenOff = true;
    this.stop();
  }
}
