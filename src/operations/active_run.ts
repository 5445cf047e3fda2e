// A run of a convening in this process: its place in the queue, its state, its events, and its acts (say, pause, stop).
import { asConveningError, CancelledError, ConveningError } from "../core/error.ts";
import type { ConveningEvent, ConveningResult, WaitedFor } from "../core/event.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import type { ClientRequest } from "../engine/people.ts";
import type { Resumed } from "./convening.ts";
import { idOf } from "./convening_dir.ts";
import { LiveFeed, loggedEvents } from "./watching.ts";

type RunState =
  /** The run waits in the queue; `position` counts from 1. */
  | { readonly state: "queued"; readonly position: number }
  | { readonly state: "running" }
  /** The run has ended, paused, or stopped to wait for a person. */
  | { readonly state: "ended"; readonly result: ConveningResult }
  | { readonly state: "failed"; readonly error: ConveningError };

/** The membership of one run in a {@linkcode RunQueue}. */
interface QueueEntry {
  /** Resolves when the queue admits the run; rejects with a `CancelledError` if the signal aborts before. */
  readonly admitted: Promise<void>;
  /** Returns the position in the queue, from 1; 0 for an admitted run. */
  position(): number;
  /** Leaves the queue and admits the next run; idempotent. */
  leave(): void;
}

/** Limits the number of concurrent runs; further runs wait in a FIFO queue. */
export class RunQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #waiting: { readonly admit: () => void }[] = [];
  #running = 0;

  constructor(
    { maxRunning, maxQueued }: { readonly maxRunning: number; readonly maxQueued: number },
  ) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
  }

  check(): void {
    if (this.#running < this.#maxRunning || this.#waiting.length < this.#maxQueued) return;
    throw new ConveningError("busy", `Cannot start: ${this.#waiting.length} convenings wait`, {
      hint: "Try again later.",
    });
  }

  /** Adds a run to the end of the queue; admits the run at once if there is room. */
  join(signal: AbortSignal): QueueEntry {
    const { promise: admitted, resolve, reject } = Promise.withResolvers<void>();
    let isAdmitted = false;
    let hasLeft = false;
    const entry = {
      admit: () => {
        isAdmitted = true;
        this.#running++;
        resolve();
      },
    };
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      const at = this.#waiting.indexOf(entry);
      if (at !== -1) this.#waiting.splice(at, 1);
      if (!isAdmitted) return;
      this.#running--;
      this.#waiting.shift()?.admit();
    };
    if (this.#running < this.#maxRunning) entry.admit();
    else this.#waiting.push(entry);
    const cancelWait = () => {
      if (isAdmitted) return;
      leave();
      reject(new CancelledError(signal.reason));
    };
    signal.addEventListener("abort", cancelWait, { once: true });
    if (signal.aborted) cancelWait();
    return { admitted, position: () => isAdmitted ? 0 : this.#waiting.indexOf(entry) + 1, leave };
  }
}

/** Opens the record of one run: claims the directory at once, and hands the record to the run when the queue admits it. */
export class Opening {
  readonly #queue: RunQueue;
  readonly #stop = new AbortController();
  readonly #claimed = Promise.withResolvers<string>();
  #entry: QueueEntry | undefined;
  #isBrokenOff = false;

  constructor(queue: RunQueue) {
    this.#queue = queue;
  }

  /** Aborts when the run is stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves with the directory once the record is open. */
  get claimed(): Promise<string> {
    return this.#claimed.promise;
  }

  /** Position of the run in the queue, from 1; 0 for a run that is admitted or not yet queued. */
  get position(): number {
    return this.#entry?.position() ?? 0;
  }

  /** Wraps a store so that `open` waits until the queue admits the run. */
  wrap(store: RecordStore): RecordStore {
    return {
      open: async (start) => {
        const record = await store.open(start);
        this.#entry = this.#queue.join(this.signal);
        this.#claimed.resolve(record.dir!);
        try {
          await this.#entry.admitted;
        } catch (error) {
          if (this.#isBrokenOff) {
            await record.close();
            throw error;
          }
          // The run was stopped in the queue: recording the stop needs no place among the concurrent runs.
        }
        return this.#withoutEnding(record);
      },
    };
  }

  /** Wraps a record so that no ending is written after the run is broken off: the convening is then interrupted. */
  #withoutEnding(record: OpenRecord): OpenRecord {
    return {
      ...record,
      apply: async (event) => {
        const isEnding = event.type === "stop" || event.type === "convening-end";
        if (!this.#isBrokenOff || !isEnding) await record.apply(event);
      },
      close: () => record.close(),
    };
  }

  stop(): void {
    this.#stop.abort("stopped");
  }

  /** Stops the run without an ending on record, as if the process had died: the convening is then interrupted. */
  breakOff(): void {
    this.#isBrokenOff = true;
    this.stop();
  }

  leave(): void {
    this.#entry?.leave();
  }
}

/** A run of this process that may have ended, without the methods that only the pool calls. */
export type PooledRun = Omit<ActiveRun, "isEnding" | "begin" | "events" | "breakOff">;

export class ActiveRun {
  /** Live events of the run, deltas included. */
  readonly feed: LiveFeed = new LiveFeed();
  /** Resolves when the run has ended or failed; never rejects. */
  readonly ended: Promise<RunState>;
  readonly #workflow: Resumed;
  readonly #opening: Opening;
  #dir = "";
  #isEnding = false;
  #end: RunState | undefined;

  constructor(workflow: Resumed, opening: Opening) {
    this.#workflow = workflow;
    this.#opening = opening;
    this.ended = this.#run().finally(() => {
      opening.leave();
      this.feed.end();
    });
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
    const { position } = this.#opening;
    return position > 0 ? { state: "queued", position } : { state: "running" };
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Waits until the run has a directory, and returns the id. Throws the error of a run that fails before. */
  async begin(): Promise<string> {
    const first = await Promise.race([this.#opening.claimed, this.ended]);
    if (typeof first === "string") this.#dir = first;
    else if (first.state === "failed") throw first.error;
    else if (first.state === "ended") this.#dir = first.result.dir ?? "";
    return this.id;
  }

  /** Yields the events with a number above `after`, from the log and then live, until the run ends or `signal` aborts. */
  async *events(after: number, signal?: AbortSignal): AsyncGenerator<ConveningEvent> {
    let last = after;
    // A slow reader may have fallen behind the buffer of the feed; the log has the missed events.
    const isBehind = () => (this.feed.recent(last)[0]?.n ?? last + 1) !== last + 1;
    for (;;) {
      const before = last;
      for await (const event of loggedEvents(this.#dir, { from: before, signal })) {
        last = event.n;
        yield event;
      }
      if (isBehind() && last > before && signal?.aborted !== true) continue;
      for (const event of this.feed.recent(last)) {
        last = event.n;
        yield event;
      }
      if (isBehind()) continue;
      using follower = this.feed.follow(last);
      for (let event = await follower.next(signal); event; event = await follower.next(signal)) {
        const isDelta = event.type === "message-delta";
        // The feed of a resumed run may be behind the number that was asked for.
        if (!isDelta && event.n <= last) continue;
        if (!isDelta) last = event.n;
        yield event;
      }
      if (!follower.behind) return;
    }
  }

  /** The turns of people that the run waits for now. */
  get waitingFor(): readonly WaitedFor[] {
    return this.#workflow.waitingFor ?? [];
  }

  get requests(): readonly ClientRequest[] {
    return this.#workflow.requests ?? [];
  }

  /** Says a person's turn that the run waits for; see `DialogueWorkflow.say`. */
  say(participant: string, text: string, request?: string): void {
    this.#workflow.say?.(participant, text, request);
  }

  /** Pauses after the turns in flight; a queued run is stopped. */
  pause(): void {
    if (this.state.state === "queued") return this.stop();
    this.#isEnding = true;
    this.#workflow.pause?.();
  }

  /** Ends the run early as cancelled; the convening can be resumed. */
  stop(): void {
    this.#isEnding = true;
    this.#opening.stop();
  }

  /** Ends the run at once without an ending on record; the convening is then interrupted. */
  breakOff(): void {
    this.#opening.breakOff();
  }

  async #run(): Promise<RunState> {
    try {
      const events = this.#workflow.stream();
      for (;;) {
        const { done, value } = await events.next();
        if (done === true) return this.#end = { state: "ended", result: value };
        this.feed.push(value);
      }
    } catch (error) {
      return this.#end = { state: "failed", error: asConveningError(error) };
    }
  }
}

/** Waits until a run has an event with a number above `after`, has ended, or the signal aborts. */
export async function nextEvent(
  { feed }: Pick<PooledRun, "feed">,
  { after, signal }: { readonly after: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  using follower = feed.follow(after);
  while ((await follower.next(signal))?.type === "message-delta");
}
