/** Reason that a {@linkcode Deadline} ended. */
type Expiry = "cancelled" | "idle" | "total";

interface DeadlineOptions {
  /** Milliseconds without a sign of life. */
  readonly idle: number;
  /** Milliseconds altogether. */
  readonly total: number;
  /** Ends it early, as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An idle and a total deadline over one request, and the caller's own signal, as one `signal`.
 *
 * One timer serves both: a sign of life only notes the time, and the timer, when it fires early, is set again.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #idle: number;
  readonly #total: number;
  readonly #caller: AbortSignal | undefined;
  readonly #start = performance.now();
  #last = this.#start;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expiry: Expiry | undefined;

  /** Starts both clocks. */
  constructor({ idle, total, signal }: DeadlineOptions) {
    this.#idle = idle;
    this.#total = total;
    this.#caller = signal;
    if (signal?.aborted) this.#expire("cancelled");
    else {
      signal?.addEventListener("abort", this.#onAbort, { once: true });
      this.#arm(this.#start);
    }
  }

  /** Aborts when a deadline is reached or the caller's signal is. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Reason for the end, once it ended. */
  get expiry(): Expiry | undefined {
    return this.#expiry;
  }

  /** A sign of life: the idle clock starts anew. */
  touch(): void {
    this.#last = performance.now();
  }

  /** Lets go of the timer and of the caller's signal. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => this.#expire("cancelled");

  readonly #check = (): void => {
    const now = performance.now();
    if (now - this.#start >= this.#total) this.#expire("total");
    else if (now - this.#last >= this.#idle) this.#expire("idle");
    else this.#arm(now);
  };

  #arm(now: number): void {
    const left = Math.min(
      this.#idle - (now - this.#last),
      this.#total - (now - this.#start),
    );
    // A timer may fire a little early; the largest delay it takes is 2^31 - 1.
    const delay = Math.min(Math.max(Math.ceil(left), 1), 2 ** 31 - 1);
    this.#timer = setTimeout(this.#check, delay);
  }

  #expire(expiry: Expiry): void {
    this.#expiry ??= expiry;
    this[Symbol.dispose]();
    this.#controller.abort();
  }
}
