// The events of a run on their way: numbered, recorded, queued for whoever follows; among them the ends of phases and rounds.
import { type Clock, isoTime } from "../core/clock.ts";
import type { ConveningEvent, EventBody, StageTeller } from "../core/event.ts";
import type { OpenRecord } from "../core/record.ts";
import type { Turn } from "../core/turn.ts";

/** Numbers events, has them recorded, and only then shows them, in the order of their numbers. */
export class Emitter {
  readonly #record: OpenRecord;
  readonly #queue: EventQueue;
  readonly #clock: Clock;
  #number: number;
  #shown: Promise<void> = Promise.resolve();
  readonly #onFailure: (error: unknown) => void;
  readonly #stages: StageTeller | undefined;
  #failure: unknown;
  #pending = 0;

  /** An emitter that goes on from the record's last number; `onFailure` hears of a record that cannot be written. */
  constructor(
    record: OpenRecord,
    queue: EventQueue,
    { clock, onFailure, stages }: {
      readonly clock: Clock;
      readonly onFailure: (error: unknown) => void;
      /** Tells the stages that come with an event. @default none */
      readonly stages?: StageTeller | undefined;
    },
  ) {
    this.#onFailure = onFailure;
    this.#stages = stages;
    this.#record = record;
    this.#queue = queue;
    this.#clock = clock;
    this.#number = record.lastEvent;
  }

  /** Failure of the record, if any: no event is shown after it. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Records one event and shows it; resolves when it is on disk. */
  async emit(body: EventBody): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const event: ConveningEvent = {
      n: ++this.#number,
      at: isoTime(this.#clock),
      ...body,
    };
    const recorded = this.#record.apply(event);
    this.#pending++;
    this.#shown = Promise.all([this.#shown, recorded]).then(
      () => this.#push(event),
      (error: unknown) => {
        this.#fail(error);
      },
    );
    for (const stage of this.#stages?.after(body) ?? []) this.tell({ type: "stage", ...stage });
    await recorded;
  }

  /** Records and shows an event that nothing waits for; a failure is heard by what comes next. */
  tell(body: EventBody): void {
    this.emit(body).catch((error: unknown) => this.#fail(error));
  }

  /** Shows a live event that is neither numbered nor recorded, after those before it. */
  show(body: EventBody): void {
    const event: ConveningEvent = { n: 0, at: isoTime(this.#clock), ...body };
    if (this.#pending === 0) {
      this.#queue.push(event);
      return;
    }
    this.#pending++;
    this.#shown = this.#shown.then(() => this.#push(event));
  }

  /** Resolves when everything emitted so far has been shown. */
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

/** From this many waiting events on, the deltas of a turn wait as one. */
const MAX_APART = 1000;

/**
 * Events on their way from the engine to whoever follows the stream; the engine never waits for the follower. What waits
 * for a slow follower is bounded by what is recorded: past 1,000 events the deltas of a turn become one.
 */
export class EventQueue {
  #waiting: ConveningEvent[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  push(event: ConveningEvent): void {
    if (this.#closed) return;
    if (this.#waiting.length < MAX_APART || !this.#merge(event)) this.#waiting.push(event);
    this.#wake?.();
  }

  /** Adds a delta to the waiting one of its turn; false where there is none after the last event of another kind. */
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

  /** The events, oldest first, until the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ConveningEvent, void> {
    while (true) {
      const batch = this.#waiting;
      this.#waiting = [];
      // Delegating to a list would cost three promises an event.
      for (const event of batch) yield event;
      if (this.#waiting.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = undefined;
    }
  }
}

/** Tells where phases and rounds begin and end, from the turns as they are taken. */
export class StagePlan {
  readonly #emitter: Emitter;
  #phase: string | undefined;
  #round = 0;

  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Takes in a turn from the record: nothing is told. */
  replay({ phase, round }: Turn): void {
    this.#phase = phase;
    this.#round = round;
  }

  /** Tells the ends and starts that come with a turn. */
  enter({ phase, round }: Turn): void {
    for (const event of this.#move(phase, round)) this.#emitter.tell(event);
  }

  end(): void {
    for (const event of this.#move(undefined, 0)) this.#emitter.tell(event);
  }

  #move(phase: string | undefined, round: number): StageEvent[] {
    const events: StageEvent[] = [];
    const changed = phase !== this.#phase;
    if (this.#round !== 0 && (changed || round !== this.#round)) {
      events.push({ type: "round-end", round: this.#round });
    }
    if (changed && this.#phase !== undefined) {
      events.push({ type: "phase-end", phase: this.#phase });
    }
    if (changed && phase !== undefined) {
      events.push({ type: "phase-start", phase });
    }
    if (round !== 0 && (changed || round !== this.#round)) {
      events.push({ type: "round-start", round });
    }
    this.#phase = phase;
    this.#round = round;
    return events;
  }
}

type StageEvent =
  | { readonly type: "phase-start" | "phase-end"; readonly phase: string }
  | { readonly type: "round-start" | "round-end"; readonly round: number };
