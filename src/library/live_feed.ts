import type { ConveningEvent } from "../core/event.ts";

/** The events of one run, for any number of followers, each at its own pace. */
export class LiveFeed {
  /** The latest numbered events: those that the log may not hold yet. */
  readonly #recent: ConveningEvent[] = [];
  readonly #followers = new Set<Follower>();
  #last = 0;
  #ended = false;

  /** The number of the last event that came. */
  get last(): number {
    return this.#last;
  }

  /** Whether nothing comes any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes the next event. */
  push(event: ConveningEvent): void {
    if (event.type !== "message-delta") {
      this.#last = event.n;
      this.#recent.push(event);
      if (this.#recent.length > 2 * RECENT) this.#recent.splice(0, RECENT);
    }
    for (const follower of this.#followers) follower.push(event);
  }

  /** Says that nothing comes any more. */
  end(): void {
    this.#ended = true;
    for (const follower of this.#followers) follower.end();
  }

  /** The events after a number that are still at hand, oldest first. */
  recent(after: number): readonly ConveningEvent[] {
    return this.#recent.filter(({ n }) => n > after);
  }

  /** Follows what comes from now on; `close` it. */
  follow(): Follower {
    const follower = new Follower((each) => this.#followers.delete(each));
    this.#followers.add(follower);
    if (this.#ended) follower.end();
    return follower;
  }
}

/** How many events are kept at least. */
const RECENT = 1000;
/** How many events a follower may be behind before it is told to read the log instead. */
const MAX_BEHIND = 2000;
/** How many of them before deltas are left out. */
const MAX_DELTAS = 200;

/** One who follows a run: a queue that never holds the run up. */
export class Follower {
  readonly #queue: ConveningEvent[] = [];
  readonly #leave: (self: Follower) => void;
  #wake: (() => void) | undefined;
  #ended = false;
  #behind = false;

  /** A follower that has heard nothing. */
  constructor(leave: (self: Follower) => void) {
    this.#leave = leave;
  }

  /** Whether it fell so far behind that numbered events were dropped: the log has them. */
  get behind(): boolean {
    return this.#behind;
  }

  /** Takes an event in; deltas are left out while it is slow. */
  push(event: ConveningEvent): void {
    if (this.#behind) return;
    if (event.type === "message-delta" && this.#queue.length > MAX_DELTAS) return;
    if (this.#queue.length >= MAX_BEHIND) {
      this.#behind = true;
      this.#queue.length = 0;
    } else this.#queue.push(event);
    this.#wake?.();
  }

  /** Says that nothing comes any more. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** The next event; undefined once there is none any more, or it is {@linkcode behind}. */
  async next(signal?: AbortSignal): Promise<ConveningEvent | undefined> {
    for (;;) {
      const event = this.#queue.shift();
      if (event !== undefined) return event;
      if (this.#ended || this.#behind || signal?.aborted === true) return undefined;
      await new Promise<void>((resolve) => {
        const stop = () => resolve();
        this.#wake = () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        signal?.addEventListener("abort", stop, { once: true });
      });
      this.#wake = undefined;
    }
  }

  /** Hears nothing any more. */
  close(): void {
    this.#leave(this);
    this.end();
  }
}
