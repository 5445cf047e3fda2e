// The queue of runs: a few at once, the others in order.
import { CancelledError, ConveningError } from "../core/error.ts";

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
