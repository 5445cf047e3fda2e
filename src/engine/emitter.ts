import { type Clock, isoTime } from "../core/clock.ts";
import type { ConveningEvent, EventBody } from "../core/event.ts";
import type { OpenRecord } from "../core/record.ts";
import type { StageTeller } from "../core/stage.ts";
import type { EventQueue } from "./event_queue.ts";

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
  /** Events on their way to be shown. */
  #pending = 0;

  /** An emitter that goes on from the record's last number; `onFailure` hears of a record that cannot be written. */
  constructor(
    record: OpenRecord,
    queue: EventQueue,
    { clock, onFailure, stages }: {
      readonly clock: Clock;
      readonly onFailure: (error: unknown) => void;
      /** What stages come with an event. @default none */
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

  /** What went wrong with the record, if anything did: nothing is shown after it. */
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
