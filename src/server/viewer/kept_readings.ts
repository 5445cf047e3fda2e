import type { PooledRun } from "../../library/active_run.ts";

/** What was read when an event was the last one. */
interface Kept<T> {
  readonly last: number;
  readonly value: Promise<T>;
}

/** How many readings are kept at most. */
const MOST = 100;

/** What is read of runs of this process: once between two events, however many look on. */
export class KeptReadings<T> {
  readonly #kept = new Map<string, Kept<T>>();

  /** What `read` gives, kept under `key` until the next event; of what does not run here it is read every time. */
  async of(
    key: string,
    run: PooledRun | undefined,
    read: () => Promise<T>,
  ): Promise<T> {
    if (run === undefined || run.feed.ended) {
      this.#kept.delete(key);
      return await read();
    }
    const { last } = run.feed;
    const known = this.#kept.get(key);
    if (known?.last === last) return await known.value;
    const value = read();
    this.#kept.delete(key);
    this.#kept.set(key, { last, value });
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break;
      this.#kept.delete(old);
    }
    return await value;
  }
}
