import type { ConveningEvent } from "../../core/event.ts";

/** Events on their way from the engine to whoever follows the stream; the engine never waits for the follower. */
export class EventQueue {
  #waiting: ConveningEvent[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  /** Adds one event. */
  push(event: ConveningEvent): void {
    if (this.#closed) return;
    this.#waiting.push(event);
    this.#wake?.();
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
