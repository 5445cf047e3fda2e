// Rate limiter for guesses at a token.
import { type Clock, systemClock } from "../core/clock.ts";
import { RecentMap } from "../core/values.ts";

interface FailureLimitOptions {
  /** The most failures of one client within the time. @default 10 */
  readonly most?: number | undefined;
  /** The time, in milliseconds. @default 60000 */
  readonly within?: number | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
}

/** The most clients whose failures are counted. */
const MAX_CLIENTS = 10_000;

/** Rate limiter for guesses at a secret: a client that failed too often waits. Other clients do not. */
export class FailureLimit {
  readonly #most: number;
  readonly #within: number;
  readonly #clock: Clock;
  /** The times of the last failures, by client. */
  readonly #failures = new RecentMap<readonly number[]>(MAX_CLIENTS);

  /** A limit without failures. */
  constructor({ most = 10, within = 60_000, clock = systemClock }: FailureLimitOptions = {}) {
    this.#most = most;
    this.#within = within;
    this.#clock = clock;
  }

  /** The milliseconds until a client may try again; 0 if it may now. */
  wait(client: string): number {
    const failures = this.#recent(client);
    const [oldest = 0] = failures;
    return failures.length < this.#most ? 0 : oldest + this.#within - this.#clock.now();
  }

  /** Counts a failure of a client. */
  add(client: string): void {
    this.#failures.set(client, [...this.#recent(client), this.#clock.now()].slice(-this.#most));
  }

  #recent(client: string): readonly number[] {
    const from = this.#clock.now() - this.#within;
    return this.#failures.get(client)?.filter((at) => at > from) ?? [];
  }
}
