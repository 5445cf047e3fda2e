// Follows the events of a convening: live from a run of this process, or from the log that another process writes.
import { join, resolve } from "@std/path";
import { checkArguments } from "../core/check_fields.ts";
import { pause, systemClock } from "../core/clock.ts";
import { CancelledError } from "../core/error.ts";
import type { ConveningEvent, TurnInfo } from "../core/event.ts";
import { recordFiles } from "../record/disk_files.ts";

/** Options of {@linkcode watchConvening}. */
export interface WatchOptions {
  /** Yields only events with a number above this. @default 0, all events */
  readonly from?: number | undefined;
  /** Stops watching: a pending wait throws a `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
}

/** The state of a convening after its last event. */
export interface Watched {
  /** True if no process runs the convening and its last run recorded no end. */
  readonly isInterrupted: boolean;
}

/** Polling interval of files, in milliseconds. */
const POLL_EVERY = 200;

/** Time without new events before the lock is checked, in milliseconds. */
const SILENCE = 1000;

/**
 * Streams the events of a convening from the log in its directory, whichever process runs it: first the past events, then
 * each new one (the log has no deltas). Ends when no process runs the convening. Writes nothing and takes no lock. Throws
 * `not_found` and `record_corrupt`.
 */
export async function* watchConvening(
  dir: string,
  { from = 0, signal }: WatchOptions = {},
): AsyncGenerator<ConveningEvent, Watched> {
  checkArguments("watchConvening", { dir });
  const path = resolve(dir);
  const { readMetadata } = await import("../record/read.ts");
  const { LogFollower } = await import("../record/log.ts");
  const files = recordFiles(path);
  await readMetadata(files, path);
  const log = new LogFollower(files, join(path, "log.jsonl"));
  let hasEnded = false;
  let silence = SILENCE;
  for (;;) {
    // Check the lock before reading the log, so that the last events of the process that held the lock are read.
    const isOver = (hasEnded || silence >= SILENCE) &&
      !await files.isLocked(join(path, ".lock"));
    const events = await log.next();
    for (const event of events) {
      // Briefs, flows and further verdicts may follow the end; only a resume continues the convening.
      if (event.type === "convening-end") hasEnded = true;
      else if (event.type === "convening-resume") hasEnded = false;
      if (event.n > from) yield event;
    }
    if (events.length > 0) {
      // If the lock was free before the log was read, no further events are expected.
      if (!isOver) silence = 0;
      continue;
    }
    if (isOver) return { isInterrupted: !hasEnded };
    await pause(POLL_EVERY, signal).catch(cancel);
    silence += POLL_EVERY;
  }
}

/** Yields the events that a convening's log has now, without a wait for new ones. */
export async function* loggedEvents(
  dir: string,
  { from = 0, signal }: WatchOptions = {},
): AsyncGenerator<ConveningEvent> {
  const { LogFollower } = await import("../record/log.ts");
  const log = new LogFollower(recordFiles(dir), join(resolve(dir), "log.jsonl"));
  for (let events = await log.next(); events.length > 0; events = await log.next()) {
    for (const event of events) if (event.n > from) yield event;
    if (signal?.aborted === true) return;
  }
}

/** Waits until no process runs a convening, for at most `within` milliseconds; returns true if a process still runs it. */
export async function untilReleased(
  dir: string,
  options: { readonly within: number; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  checkArguments("untilReleased", { dir, within: (options as typeof options | undefined)?.within });
  const { within, signal } = options;
  const lock = join(resolve(dir), ".lock");
  const deadline = systemClock.now() + within;
  while (await recordFiles(dir).isLocked(lock)) {
    const left = deadline - systemClock.now();
    if (left <= 0) return true;
    await pause(Math.min(POLL_EVERY, left), signal).catch(cancel);
  }
  return false;
}

function cancel(reason: unknown): never {
  throw new CancelledError(reason);
}

/** A turn in flight. */
export interface SpokenTurn {
  readonly turn: TurnInfo;
  /** The text of the current attempt so far. */
  readonly text: string;
}

type Delta = Extract<ConveningEvent, { readonly type: "message-delta" }>;

/** Distributes the events of one run to any number of followers, each with a queue of its own. */
export class LiveFeed {
  /** Buffer of the latest numbered events, which the log may not have yet. */
  readonly #recent: ConveningEvent[] = [];
  readonly #followers = new Set<Follower>();
  /** A delta with the whole text so far of each turn in flight, by the turn's key. */
  readonly #spoken = new Map<string, Delta>();
  #last = 0;
  #ended = false;

  /** Number of the last numbered event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get spoken(): readonly SpokenTurn[] {
    return [...this.#spoken.values()].map(({ turn, text }) => ({ turn, text }));
  }

  /** Adds the next event and passes it to all followers. */
  push(event: ConveningEvent): void {
    this.#update(event);
    if (event.type === "message-delta") {
      const whole = this.#spoken.get(event.turn.turn) ?? event;
      for (const follower of this.#followers) follower.pushDelta(event, whole);
      return;
    }
    this.#last = event.n;
    this.#recent.push(event);
    if (this.#recent.length > 2 * RECENT) this.#recent.splice(0, RECENT);
    for (const follower of this.#followers) follower.push(event);
  }

  end(): void {
    this.#ended = true;
    for (const follower of this.#followers) follower.end();
  }

  /** Returns the buffered events with a number above `after`, oldest first. */
  recent(after: number): readonly ConveningEvent[] {
    return this.#recent.filter(({ n }) => n > after);
  }

  /**
   * Returns a follower of the events after a buffered event: first the later buffered events, then the text so far of each
   * turn in flight, then each new event. The caller disposes of the follower.
   */
  follow(after: number): Follower {
    const follower = new Follower((each) => this.#followers.delete(each));
    for (const event of this.recent(after)) follower.push(event);
    for (const delta of this.#spoken.values()) if (delta.text !== "") follower.push(delta);
    this.#followers.add(follower);
    if (this.#ended) follower.end();
    return follower;
  }

  /** Updates the texts of the turns in flight. */
  #update(event: ConveningEvent): void {
    switch (event.type) {
      case "turn-start":
        return this.#setText(event.turn, event.at, "");
      case "message-delta": {
        const { turn, at, text } = event;
        return this.#setText(turn, at, (this.#spoken.get(turn.turn)?.text ?? "") + text);
      }
      case "message-reset":
        return this.#setText(event.turn, event.at, "");
      case "turn-reject": {
        const known = this.#spoken.get(event.rejection.turn);
        return known && this.#setText(known.turn, event.at, "");
      }
      case "turn-wait":
        return void this.#spoken.delete(event.turn.turn);
      case "turn-fail":
        return void this.#spoken.delete(event.failure.turn);
      case "message":
        return void this.#spoken.delete(event.message.turn);
      case "stop":
      case "convening-end":
        return this.#spoken.clear();
    }
  }

  #setText(turn: TurnInfo, at: string, text: string): void {
    this.#spoken.set(turn.turn, { type: "message-delta", n: 0, at, turn, text, whole: true });
  }
}

/** Minimum size of a full buffer, in events; the buffer is trimmed at twice this size. */
const RECENT = 1000;
/** Maximum queue length of a follower; at this length the queue is dropped, and the reader must read the log. */
const MAX_BEHIND = 2000;
/** Queue length above which a follower skips deltas. */
const MAX_DELTAS = 200;

/** A follower of a run: a queue of events that never blocks the run. */
export class Follower {
  readonly #queue: ConveningEvent[] = [];
  readonly #leave: (self: Follower) => void;
  /** Keys of the turns with skipped deltas. */
  readonly #skipped = new Set<string>();
  #wake: (() => void) | undefined;
  #ended = false;
  #behind = false;

  /** Creates a follower with an empty queue; its disposal calls `leave`. */
  constructor(leave: (self: Follower) => void) {
    this.#leave = leave;
  }

  /** True if numbered events were dropped because the follower fell too far behind; the log has them. */
  get behind(): boolean {
    return this.#behind;
  }

  /** Adds a delta, or skips it if the queue is long; the next delta added for that turn is then `whole`, the text so far. */
  pushDelta(delta: Delta, whole: Delta): void {
    const { turn } = delta.turn;
    if (this.#queue.length > MAX_DELTAS) this.#skipped.add(turn);
    else this.push(this.#skipped.delete(turn) ? whole : delta);
  }

  /** Adds an event; drops the queue if the follower is too far behind. */
  push(event: ConveningEvent): void {
    if (this.#behind) return;
    if (this.#queue.length >= MAX_BEHIND) {
      this.#behind = true;
      this.#queue.length = 0;
    } else this.#queue.push(event);
    this.#wake?.();
  }

  /** Ends the follower once its queue is empty. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Waits for the next event; undefined at the end, if `signal` aborts, or if the follower is {@linkcode behind}. */
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

  /** Removes the follower from its feed and ends it. */
  [Symbol.dispose](): void {
    this.#leave(this);
    this.end();
  }
}
