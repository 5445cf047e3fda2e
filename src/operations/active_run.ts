// A run of this process: its place in the queue, its state, its events, and requests to say, pause and stop.
import { CancelledError, ConveningError } from "../core/error.ts";
import type { ConveningEvent, ConveningResult, WaitedFor } from "../core/event.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import type { ClientRequest } from "../engine/people.ts";
import type { Resumed } from "./convening.ts";
import { idOf } from "./convening_dir.ts";
import { LiveFeed, loggedEvents } from "./watching.ts";

type RunState =
  /** It waits for others to end; `position` counts from 1. */
  | { readonly state: "queued"; readonly position: number }
  | { readonly state: "running" }
  /** It came to an end, or rests: paused, or waiting for a person. */
  | { readonly state: "ended"; readonly result: ConveningResult }
  | { readonly state: "failed"; readonly error: ConveningError };

interface Place {
  /** Resolves once it is this one's turn; fails as cancelled. */
  readonly admitted: Promise<void>;
  /** From 1 while it waits; 0 once it was admitted. */
  position(): number;
  /** Makes room for the next; safe to call twice. */
  leave(): void;
}

/** Lets so many runs in at once; the others wait in the order in which they came. */
export class RunQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #waiting: { readonly admit: () => void }[] = [];
  #running = 0;

  /** A queue without runs. */
  constructor(
    { maxRunning, maxQueued }: { readonly maxRunning: number; readonly maxQueued: number },
  ) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
  }

  /** Refuses where too many wait. */
  check(): void {
    if (this.#running < this.#maxRunning || this.#waiting.length < this.#maxQueued) return;
    throw new ConveningError("busy", `Cannot start: ${this.#waiting.length} convenings wait`, {
      hint: "Try again later.",
    });
  }

  /** Takes a place at the end. */
  join(signal: AbortSignal): Place {
    const { promise: admitted, resolve, reject } = Promise.withResolvers<void>();
    let isIn = false;
    let hasLeft = false;
    const entry = {
      admit: () => {
        isIn = true;
        this.#running++;
        resolve();
      },
    };
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      const at = this.#waiting.indexOf(entry);
      if (at !== -1) this.#waiting.splice(at, 1);
      if (!isIn) return;
      this.#running--;
      this.#waiting.shift()?.admit();
    };
    if (this.#running < this.#maxRunning) entry.admit();
    else this.#waiting.push(entry);
    const giveUp = () => {
      if (isIn) return;
      leave();
      reject(new CancelledError(signal.reason));
    };
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    return { admitted, position: () => isIn ? 0 : this.#waiting.indexOf(entry) + 1, leave };
  }
}

/** The opening of a run's record: claimed at once, given to the run when the queue admits it. */
export class Opening {
  readonly #queue: RunQueue;
  readonly #stop = new AbortController();
  readonly #claimed = Promise.withResolvers<string>();
  #place: Place | undefined;
  #isBrokenOff = false;

  /** An opening of one record. */
  constructor(queue: RunQueue) {
    this.#queue = queue;
  }

  /** Aborts when the run is stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get claimed(): Promise<string> {
    return this.#claimed.promise;
  }

  /** Its place in the queue: 0 once it was admitted. */
  get position(): number {
    return this.#place?.position() ?? 0;
  }

  /** The store, whose record is given once there is room. */
  of(store: RecordStore): RecordStore {
    return {
      open: async (start) => {
        const record = await store.open(start);
        this.#place = this.#queue.join(this.signal);
        this.#claimed.resolve(record.dir!);
        try {
          await this.#place.admitted;
        } catch (error) {
          if (this.#isBrokenOff) {
            await record.close();
            throw error;
          }
          // It was stopped before it came to say anything: to put that on record takes no room.
        }
        return this.#withoutEnding(record);
      },
    };
  }

  /** A record in which, once the run is broken off, no ending is written: what was said by then is all there is. */
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

  /** Stops the run. */
  stop(): void {
    this.#stop.abort("stopped");
  }

  /** Stops the run without a word on record, as if its process had ended: it stands as interrupted. */
  breakOff(): void {
    this.#isBrokenOff = true;
    this.stop();
  }

  /** Makes room for the next. */
  leave(): void {
    this.#place?.leave();
  }
}

/** A convening that this process runs, or has run. */
export type PooledRun = Omit<ActiveRun, "isEnding" | "begin" | "since" | "breakOff">;

/** One run of this process. */
export class ActiveRun {
  /** Its events as they come, deltas too. */
  readonly feed: LiveFeed = new LiveFeed();
  /** Resolves once it has ended, however it did. */
  readonly ended: Promise<RunState>;
  readonly #workflow: Resumed;
  readonly #opening: Opening;
  #dir = "";
  #isEnding = false;
  #end: RunState | undefined;

  /** A run that starts at once. */
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

  /** True once it was asked to stop or to pause. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Waits until it has a directory; gives its id. Fails as the run does where it never gets one. */
  async begin(): Promise<string> {
    const first = await Promise.race([this.#opening.claimed, this.ended]);
    if (typeof first === "string") this.#dir = first;
    else if (first.state === "failed") throw first.error;
    else if (first.state === "ended") this.#dir = first.result.dir ?? "";
    return this.id;
  }

  /** The events after a number: from the log, then those it may not hold yet. */
  async *since(after: number, signal?: AbortSignal): AsyncGenerator<ConveningEvent> {
    let last = after;
    for (;;) {
      const before = last;
      for await (const event of loggedEvents(this.#dir, { from: before, signal })) {
        last = event.n;
        yield event;
      }
      const recent = this.feed.recent(last);
      // To one who reads slowly more has happened meanwhile than is at hand: the log has it by now.
      const isWhole = recent[0] === undefined || recent[0].n === last + 1;
      if (isWhole || last === before || signal?.aborted === true) return yield* recent;
    }
  }

  /** The turns of people that it waits for now. */
  get waitingFor(): readonly WaitedFor[] {
    return this.#workflow.waitingFor ?? [];
  }

  /** The prompts that a client is to answer now. */
  get requests(): readonly ClientRequest[] {
    return this.#workflow.requests ?? [];
  }

  /** Says a person's turn that is waited for; see `DialogueWorkflow.say`. */
  say(participant: string, text: string, request?: string): void {
    this.#workflow.say?.(participant, text, request);
  }

  /** Pauses after the turns in flight; a queued run is stopped. */
  pause(): void {
    if (this.state.state === "queued") return this.stop();
    this.#isEnding = true;
    this.#workflow.pause?.();
  }

  /** Ends it early as cancelled; it can be resumed. */
  stop(): void {
    this.#isEnding = true;
    this.#opening.stop();
  }

  /** Ends it at once, with no ending on record; it stands as interrupted. */
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
      return this.#end = { state: "failed", error: asError(error) };
    }
  }
}

function asError(error: unknown): ConveningError {
  if (error instanceof ConveningError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ConveningError("unexpected", `Cannot go on: ${message}`, { cause: error });
}

/** Waits until a run has a numbered event after a number, or has ended, or the signal aborts. */
export async function nextEvent(
  { feed }: Pick<PooledRun, "feed">,
  { after, signal }: { readonly after: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const follower = feed.follow(after);
  try {
    while ((await follower.next(signal))?.type === "message-delta");
  } finally {
    follower.close();
  }
}
