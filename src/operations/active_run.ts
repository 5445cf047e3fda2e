// A run of this process: its state, its events, requests to say, pause and stop, and its place in the queue.
import { CancelledError, ConveningError } from "../core/error.ts";
import type { ConveningEvent, ConveningResult, WaitedFor } from "../core/event.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import type { Resumed } from "./convening.ts";
import type { ClientRequest } from "../engine/people.ts";
import { LiveFeed, loggedEvents } from "./watching.ts";
import { idOf } from "./convening_dir.ts";

/** The state of a run of this process. */
type RunState =
  /** It waits for others to end; `position` counts from 1. */
  | { readonly state: "queued"; readonly position: number }
  | { readonly state: "running" }
  /** It came to an end, or rests: paused, or waiting for a person. */
  | { readonly state: "ended"; readonly result: ConveningResult }
  | { readonly state: "failed"; readonly error: ConveningError };

/** A convening that this process runs, or has run. */
export interface PooledRun {
  /** The name of its directory, unique in the archive. */
  readonly id: string;
  /** The absolute path of its directory. */
  readonly dir: string;
  /** Its events as they come, deltas too. */
  readonly feed: LiveFeed;
  /** Resolves once it has ended, however it did. */
  readonly ended: Promise<RunState>;
  /** The present state. */
  readonly state: RunState;
  /** The turns of people that it waits for now. */
  readonly waitingFor: readonly WaitedFor[];
  /** The prompts that a client is to answer now. */
  readonly requests: readonly ClientRequest[];
  /** Says a person's turn that is waited for; see `DialogueWorkflow.say`. */
  say(participant: string, text: string, request?: string): void;
  /** Interjects before the next turn. */
  interject(text: string): void;
  /** Pauses after the turns in flight; a queued run is stopped. */
  pause(): void;
  /** Ends it early as cancelled; it can be resumed. */
  stop(): void;
}

/** Waits until a run has a numbered event after a number, or has ended, or the signal aborts. */
export async function nextEvent(
  { feed }: PooledRun,
  { after, signal }: { readonly after: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const follower = feed.follow(after);
  try {
    while ((await follower.next(signal))?.type === "message-delta");
  } finally {
    follower.close();
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

  /** The directory, once there is one. */
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
        return unended(record, () => this.#isBrokenOff);
      },
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

/** A record in which, once a run is broken off, no ending is written: what was said by then is all there is. */
function unended(record: OpenRecord, isBrokenOff: () => boolean): OpenRecord {
  const endings: readonly ConveningEvent["type"][] = ["stop", "convening-end"];
  return {
    ...record,
    apply: async (event) => {
      if (!isBrokenOff() || !endings.includes(event.type)) await record.apply(event);
    },
    close: () => record.close(),
  };
}

/** One run of this process. */
export class ActiveRun implements PooledRun {
  readonly feed = new LiveFeed();
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

  get waitingFor(): readonly WaitedFor[] {
    return this.#workflow.waitingFor ?? [];
  }

  get requests(): readonly ClientRequest[] {
    return this.#workflow.requests ?? [];
  }

  say(participant: string, text: string, request?: string): void {
    this.#workflow.say?.(participant, text, request);
  }

  interject(text: string): void {
    this.#workflow.interject?.(text);
  }

  pause(): void {
    if (this.state.state === "queued") return this.stop();
    this.#isEnding = true;
    this.#workflow.pause?.();
  }

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
  return error instanceof CancelledError
    ? error
    : new ConveningError("unexpected", `Cannot go on: ${message}`, { cause: error });
}

/** A place in the queue. */
export interface Place {
  /** Resolves once it is this one's turn; fails as cancelled. */
  readonly admitted: Promise<void>;
  /** From 1 while it waits; 0 once it was admitted. */
  readonly position: () => number;
  /** Makes room for the next; safe to call twice. */
  leave(): void;
}

/** Lets so many in at once; the others wait in the order in which they came. */
export class RunQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #waiting: { readonly admit: () => void }[] = [];
  #running = 0;

  /** A line without anybody. */
  constructor(
    { maxRunning, maxQueued }: { readonly maxRunning: number; readonly maxQueued: number },
  ) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
  }

  /** The number of queued runs. */
  get length(): number {
    return this.#waiting.length;
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
