// Emits the events of a run: numbers them, records them, and queues them for the stream; adds starts and ends of phases and rounds.
import { type Clock, isoTime } from "../core/clock.ts";
import { asConveningError, type ConveningError } from "../core/error.ts";
import { type ConveningEvent, type EventBody, factOf, type StageTeller } from "../core/event.ts";
import type { OpenRecord } from "../core/record.ts";
import { partOf } from "./run_stop.ts";

/** Numbers and records events, then pushes them to the stream's queue in the order of their numbers. */
export class Emitter {
  readonly #record: OpenRecord;
  readonly #queue: EventQueue;
  readonly #clock: Clock;
  #number: number;
  #shown: Promise<void> = Promise.resolve();
  readonly #onFailure: (error: unknown) => void;
  /** Returns the stages that an event begins. */
  stages: StageTeller | undefined;
  /** The error of `stages`, if any: later events begin no stage. */
  stagesError: ConveningError | undefined;
  #failure: unknown;
  #pending = 0;

  /** Creates an emitter that continues the record's numbers. Calls `onFailure` if the record cannot be written, or `stages` fail. */
  constructor(
    record: OpenRecord,
    queue: EventQueue,
    { clock, onFailure }: { readonly clock: Clock; readonly onFailure: (error: unknown) => void },
  ) {
    this.#onFailure = onFailure;
    this.#record = record;
    this.#queue = queue;
    this.#clock = clock;
    this.#number = record.lastEvent;
  }

  /** The error of a failed write, if any: later events are not pushed. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Records an event and queues it for the stream; resolves when the event is on disk. */
  async emit(body: EventBody): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    // Observers, stores and readers share the fact: a change of one would reach prompts and the others.
    Object.freeze(factOf(body));
    const event: ConveningEvent = {
      n: ++this.#number,
      at: isoTime(this.#clock),
      ...body,
    };
    const recorded = partOf("the record", {}, () => this.#record.apply(event));
    this.#pending++;
    this.#shown = Promise.all([this.#shown, recorded]).then(
      () => this.#push(event),
      (error: unknown) => {
        this.#fail(error);
      },
    );
    for (const stage of this.#stagesAfter(body)) this.post({ type: "stage", ...stage });
    await recorded;
  }

  #stagesAfter(body: EventBody): ReturnType<StageTeller["after"]> {
    try {
      return this.stages?.after(body) ?? [];
    } catch (error) {
      // The end of the run is emitted without stages.
      this.stages = undefined;
      this.stagesError = asConveningError(error, { part: "design.stages" });
      this.#onFailure(this.stagesError);
      return [];
    }
  }

  /** Like {@linkcode emit}, without waiting: a failure is thrown by the next {@linkcode emit}. */
  post(body: EventBody): void {
    this.emit(body).catch((error: unknown) => this.#fail(error));
  }

  /** Pushes a live event, such as a text delta, without number and record, after the events before it. */
  pushLive(body: EventBody): void {
    const event: ConveningEvent = { n: 0, at: isoTime(this.#clock), ...body };
    if (this.#pending === 0) {
      this.#queue.push(event);
      return;
    }
    this.#pending++;
    this.#shown = this.#shown.then(() => this.#push(event));
  }

  /** Resolves when every event so far is in the queue. */
  async flush(): Promise<void> {
    await this.#shown;
  }

  #push(event: ConveningEvent): void {
    this.#pending--;
    this.#queue.push(event);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#onFailure(error);
  }
}

/** Queue length from which the text deltas of a turn are merged. */
const MAX_UNMERGED = 1000;

/**
 * Unbounded queue between the engine and the reader of the stream; the engine never waits for the reader. Past 1,000 events the
 * deltas of a turn are merged, so that a slow reader's queue grows only with the recorded events.
 */
export class EventQueue {
  #waiting: ConveningEvent[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  push(event: ConveningEvent): void {
    if (this.#closed) return;
    if (this.#waiting.length < MAX_UNMERGED || !this.#merge(event)) this.#waiting.push(event);
    this.#wake?.();
  }

  /** Merges a delta into a queued one of its turn. Returns false if there is none after the last event of another type. */
  #merge(event: ConveningEvent): boolean {
    if (event.type !== "message-delta") return false;
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const before = this.#waiting[at]!;
      if (before.type !== "message-delta") return false;
      if (before.turn.turn !== event.turn.turn) continue;
      this.#waiting[at] = event.whole === true
        ? event
        : { ...before, text: before.text + event.text };
      return true;
    }
    return false;
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Yields the events, oldest first, until the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ConveningEvent, void> {
    while (true) {
      const batch = this.#waiting;
      this.#waiting = [];
      // `yield*` of an array would cost three promises an event.
      for (const event of batch) yield event;
      if (this.#waiting.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = undefined;
    }
  }
}

/** Place of a turn in a convening, or outside any phase. */
interface StagePlace {
  readonly phase: string | undefined;
  readonly round: number;
}

/** Emits the starts and ends of phases and rounds from the sequence of turns. */
export class StagePlan {
  readonly #emitter: Emitter;
  #phase: string | undefined;
  #round = 0;

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Updates the state for a turn from the record; emits nothing. */
  replay({ phase, round }: StagePlace): void {
    this.#phase = phase;
    this.#round = round;
  }

  /** Emits the ends and starts that a new turn causes. */
  enter({ phase, round }: StagePlace): void {
    const [lastPhase, lastRound] = [this.#phase, this.#round];
    this.replay({ phase, round });
    if (phase === lastPhase && round === lastRound) return;
    if (lastRound !== 0) this.#emitter.post({ type: "round-end", round: lastRound });
    if (phase !== lastPhase) {
      if (lastPhase !== undefined) this.#emitter.post({ type: "phase-end", phase: lastPhase });
      if (phase !== undefined) this.#emitter.post({ type: "phase-start", phase });
    }
    if (round !== 0) this.#emitter.post({ type: "round-start", round });
  }

  /** Emits the ends of the last phase and round. */
  end(): void {
    this.enter({ phase: undefined, round: 0 });
  }
}
