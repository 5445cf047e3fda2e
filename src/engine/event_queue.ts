import type { ConveningEvent } from "../core/event.ts";

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

  /** Adds one event. */
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

  /** Ends the stream after what is waiting. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** The events, oldest first, until the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ConveningEvent, void> {
    while (true) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => this.#wake = resolve);
      this.#wake = undefined;
    }
  }
}
