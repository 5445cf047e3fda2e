// Follows a convening: by the events of a run of this process, or by the log that another process writes.
import { join, resolve } from "@std/path";
import { pause, systemClock } from "../core/clock.ts";
import { CancelledError } from "../core/error.ts";
import type { ConveningEvent, TurnInfo } from "../core/event.ts";
import { recordFiles } from "../record/disk_files.ts";

/** Options of {@linkcode watchConvening}. */
export interface WatchOptions {
  /** Only events after this number. @default 0: all */
  readonly from?: number | undefined;
  /** Stops watching: what waits fails as cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** The state of a convening when there was nothing more to watch. */
export interface Watched {
  /** True where no process runs the convening, and its last run recorded no end. */
  readonly isInterrupted: boolean;
}

/** The time between looks at files, in milliseconds. */
const LOOK_EVERY = 200;

/** The time that a log is silent before a look whether a process still writes it, in milliseconds. */
const SILENCE = 1000;

/**
 * The events of a convening as its directory shows them, whichever process runs it: first those there were, then each as
 * it is logged (deltas never are). It ends when no process runs the convening any more. Fails with `not_found` and
 * `record_corrupt`; writes nothing and takes no lock.
 */
export async function* watchConvening(
  dir: string,
  { from = 0, signal }: WatchOptions = {},
): AsyncGenerator<ConveningEvent, Watched> {
  const path = resolve(dir);
  const { readMetadata } = await import("../record/read.ts");
  const { LogFollower } = await import("../record/log.ts");
  const files = recordFiles(path);
  await readMetadata(files, path);
  const log = new LogFollower(files, join(path, "log.jsonl"));
  let hasEnded = false;
  let silence = SILENCE;
  for (;;) {
    // Asked before the log is read: what its last holder wrote is there then.
    const isOver = (hasEnded || silence >= SILENCE) &&
      !await files.isLocked(join(path, ".lock"));
    const events = await log.next();
    for (const event of events) {
      hasEnded = event.type === "convening-end";
      if (event.n > from) yield event;
    }
    if (events.length > 0) {
      silence = 0;
      continue;
    }
    if (isOver) return { isInterrupted: !hasEnded };
    await pause(LOOK_EVERY, signal).catch(cancel);
    silence += LOOK_EVERY;
  }
}

/** The events that a convening's log holds now, after a number; those not yet logged are not waited for. */
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

/** Waits until no process runs a convening, at most so many milliseconds; gives whether one still does. */
export async function untilReleased(
  dir: string,
  { within, signal }: { readonly within: number; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  const lock = join(resolve(dir), ".lock");
  const deadline = systemClock.now() + within;
  while (await recordFiles(dir).isLocked(lock)) {
    const left = deadline - systemClock.now();
    if (left <= 0) return true;
    await pause(Math.min(LOOK_EVERY, left), signal).catch(cancel);
  }
  return false;
}

function cancel(reason: unknown): never {
  throw new CancelledError(reason);
}

/** A turn that is being spoken. */
export interface SpokenTurn {
  readonly turn: TurnInfo;
  /** The text of the present attempt so far. */
  readonly text: string;
}

type Delta = Extract<ConveningEvent, { readonly type: "message-delta" }>;

/** The events of one run, for any number of followers, each at its own pace. */
export class LiveFeed {
  /** The latest numbered events: those that the log may not hold yet. */
  readonly #recent: ConveningEvent[] = [];
  readonly #followers = new Set<Follower>();
  /** The last delta of each turn that is being spoken, with all of its text, by the turn's key. */
  readonly #spoken = new Map<string, Delta>();
  #last = 0;
  #ended = false;

  /** The number of the last event that came. */
  get last(): number {
    return this.#last;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The turns that are being spoken, the first one first. */
  get spoken(): readonly SpokenTurn[] {
    return [...this.#spoken.values()].map(({ turn, text }) => ({ turn, text }));
  }

  /** Takes the next event. */
  push(event: ConveningEvent): void {
    this.#listen(event);
    if (event.type === "message-delta") {
      const whole = this.#spoken.get(event.turn.turn) ?? event;
      for (const follower of this.#followers) follower.hear(event, whole);
      return;
    }
    this.#last = event.n;
    this.#recent.push(event);
    if (this.#recent.length > 2 * RECENT) this.#recent.splice(0, RECENT);
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

  /**
   * Follows what comes after an event that is still at hand: first the events since, then what the turns that are being
   * spoken have said so far, then each as it comes. `close` it.
   */
  follow(after: number): Follower {
    const follower = new Follower((each) => this.#followers.delete(each));
    for (const event of this.recent(after)) follower.push(event);
    for (const delta of this.#spoken.values()) if (delta.text !== "") follower.push(delta);
    this.#followers.add(follower);
    if (this.#ended) follower.end();
    return follower;
  }

  /** Keeps what the turns that are being spoken have said. */
  #listen(event: ConveningEvent): void {
    switch (event.type) {
      case "turn-start":
        return this.#speak(event.turn, event.at, "");
      case "message-delta": {
        const { turn, at, text } = event;
        return this.#speak(turn, at, (this.#spoken.get(turn.turn)?.text ?? "") + text);
      }
      case "message-reset":
        return this.#speak(event.turn, event.at, "");
      case "turn-reject": {
        const known = this.#spoken.get(event.rejection.turn);
        return known && this.#speak(known.turn, event.at, "");
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

  #speak(turn: TurnInfo, at: string, text: string): void {
    this.#spoken.set(turn.turn, { type: "message-delta", n: 0, at, turn, text, whole: true });
  }
}

/** The least number of events that are kept. */
const RECENT = 1000;
/** The number of events that a follower may be behind before it has to read the log instead. */
const MAX_BEHIND = 2000;
/** The number of events behind at which deltas are left out for a while. */
const MAX_DELTAS = 200;

/** A follower of a run: a queue that never holds the run up. */
export class Follower {
  readonly #queue: ConveningEvent[] = [];
  readonly #leave: (self: Follower) => void;
  /** The turns of which deltas were left out. */
  readonly #unheard = new Set<string>();
  #wake: (() => void) | undefined;
  #ended = false;
  #behind = false;

  /** A follower that has heard nothing. */
  constructor(leave: (self: Follower) => void) {
    this.#leave = leave;
  }

  /** True where numbered events were dropped because the follower fell too far behind: the log has them. */
  get behind(): boolean {
    return this.#behind;
  }

  /** Takes a delta in, or leaves it out while it is slow: the next one it takes of that turn is the whole. */
  hear(delta: Delta, whole: Delta): void {
    const { turn } = delta.turn;
    if (this.#queue.length > MAX_DELTAS) this.#unheard.add(turn);
    else this.push(this.#unheard.delete(turn) ? whole : delta);
  }

  /** Takes an event in. */
  push(event: ConveningEvent): void {
    if (this.#behind) return;
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
