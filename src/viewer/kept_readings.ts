import { RecentMap } from "../core/recent_map.ts";
import type { PooledRun } from "../operations/active_run.ts";

/** What was read when an event was the last one. */
interface Kept<T> {
  readonly last: number;
  readonly value: Promise<T>;
}

/** How many readings are kept at most. */
const MOST = 100;

/** What is read of runs of this process: once between two events, however many look on. */
export class KeptReadings<T> {
  readonly #kept = new RecentMap<Kept<T>>(MOST);

  /** What `read` gives, kept under `key` until the next event; of what does not run here it is read every time. */
  async of(
    key: string,
    run: PooledRun | undefined,
    read: () => Promise<T>,
  ): Promise<T> {
    if (run === undefined || run.feed.ended) {
      this.#kept.take(key);
      return await read();
    }
    const { last } = run.feed;
    const known = this.#kept.get(key);
    if (known?.last === last) return await known.value;
    const value = read();
    this.#kept.set(key, { last, value });
    return await value;
  }
}
