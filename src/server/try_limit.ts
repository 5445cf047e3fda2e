import { type Clock, systemClock } from "../core/clock.ts";

/** Options of {@linkcode TryLimit}. */
export interface TryLimitOptions {
  /** How many tries are let through. @default 10 */
  readonly tries?: number | undefined;
  /** In how many milliseconds. @default 60000 */
  readonly within?: number | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
}

/** Lets so many tries through in a time, whoever makes them: guesses at a secret are then few, however fast they come. */
export class TryLimit {
  readonly #tries: number;
  readonly #within: number;
  readonly #clock: Clock;
  /** When the last ones were made; never more than are let through. */
  #made: readonly number[] = [];

  /** A limit at which nothing was tried yet. */
  constructor({ tries = 10, within = 60_000, clock = systemClock }: TryLimitOptions = {}) {
    this.#tries = tries;
    this.#within = within;
    this.#clock = clock;
  }

  /** Makes a try and gives 0, or the milliseconds until the next one is let through. */
  take(): number {
    const now = this.#clock.now();
    this.#made = this.#made.filter((at) => now - at < this.#within);
    const [oldest = now] = this.#made;
    if (this.#made.length >= this.#tries) return this.#within - (now - oldest);
    this.#made = [...this.#made, now];
    return 0;
  }

  /** Forgets what was tried: the last one was right. */
  clear(): void {
    this.#made = [];
  }
}
