// Follows the events of a convening: live from a run of this process, or from the log that another process writes.
import { join, resolve } from "@std/path";
import { checkArguments, refuseUnknownOptions } from "../core/check_fields.ts";
import { pause, steadyClock, untilAborted } from "../core/clock.ts";
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
  options: WatchOptions = {},
): AsyncGenerator<ConveningEvent, Watched> {
  checkArguments("watchConvening", { dir, options });
  refuseUnknownOptions<WatchOptions>("watchConvening", options, { from: true, signal: true });
  const { from = 0, signal } = options;
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
  refuseUnknownOptions<typeof options>("untilReleased", options, { within: true, signal: true });
  const { within, signal } = options;
  const lock = join(resolve(dir), ".lock");
  const deadline = steadyClock.now() + within;
  while (await recordFiles(dir).isLocked(lock)) {
    const left = deadline - steadyClock.now();
    if (left <= 0) return true;
    await pause(Math.min(POLL_EVERY, left), signal).catch(cancel);
  }
  return false;
}

function cancel(reason: unknown): never {
  throw new CancelledError(reason);
}

/** A turn in flight, with the text of its current attempt so far. */
export type SpokenTurn = Extract<ConveningEvent, { readonly type: "message-delta" }>;

/** Least number of numbered events that a feed keeps, in case the log does not have them yet. */
const RECENT = 1000;
/** Number of events that a reader may be behind; the reader then skips the deltas. */
const BEHIND = 200;

/** The events of one run, for any number of readers; a slow reader does not block the run. */
export class LiveFeed {
  #recent: ConveningEvent[] = [];
  /** The latest events, deltas included. */
  #tail: ConveningEvent[] = [];
  /** A delta with the whole text so far of each turn in flight, by the turn's key. */
  readonly #spoken = new Map<string, SpokenTurn>();
  /** Number of all events, deltas included. */
  #count = 0;
  #last = 0;
  #ended = false;
  #change = Promise.withResolvers<void>();

  /** Number of the last numbered event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get spoken(): readonly SpokenTurn[] {
    return [...this.#spoken.values()];
  }

  /** Adds the next event. */
  push(event: ConveningEvent): void {
    this.#update(event);
    this.#count++;
    keep(this.#tail, event, BEHIND);
    if (event.type !== "message-delta") {
      this.#last = event.n;
      keep(this.#recent, event, RECENT);
    }
    this.#wake();
  }

  /** Ends the feed. The log has all events by now, so only the present readers keep some. */
  end(): void {
    this.#ended = true;
    this.#recent = this.#tail = [];
    this.#wake();
  }

  /** Returns the kept events with a number above `after`, oldest first. */
  recent(after: number): readonly ConveningEvent[] {
    return this.#recent.filter(({ n }) => n > after);
  }

  /** Returns true if the event after `after` is no longer kept; the log has the event. */
  lacks(after: number): boolean {
    return (this.recent(after)[0]?.n ?? after + 1) > after + 1;
  }

  /**
   * Yields the events with a number above `after`, then the text so far of each turn in flight, then each new event, until
   * the run ends or `signal` aborts. A reader that falls behind gets the texts so far again, in place of skipped deltas; the
   * iteration ends if the next numbered event is no longer kept.
   */
  async *follow(after: number, signal?: AbortSignal): AsyncGenerator<ConveningEvent> {
    const tail = this.#tail;
    let last = after;
    do {
      let at = this.#count;
      const spoken = this.spoken.filter(({ text }) => text !== "");
      for (const event of [...this.recent(last), ...spoken]) {
        last = Math.max(last, event.n);
        yield event;
      }
      while (this.#count - at <= BEHIND) {
        if (at === this.#count) {
          if (this.#ended || signal?.aborted === true) return;
          await this.#changed(signal);
          continue;
        }
        const event = tail.at(at - this.#count)!;
        at++;
        // A resumed run may have numbers below those that the reader knows.
        if (event.type !== "message-delta" && event.n <= last) continue;
        last = Math.max(last, event.n);
        yield event;
      }
    } while (!this.lacks(last));
  }

  /** Waits for an event with a number above `after`, the end, or `signal`. */
  async passed(after: number, signal?: AbortSignal): Promise<void> {
    while (this.#last <= after && !this.#ended && signal?.aborted !== true) {
      await this.#changed(signal);
    }
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  async #changed(signal: AbortSignal | undefined): Promise<void> {
    await untilAborted(this.#change.promise, signal).catch(() => {});
  }

  #update(event: ConveningEvent): void {
    switch (event.type) {
      case "turn-start":
      case "message-reset":
        return this.#setText(event.turn, event.at, "");
      case "message-delta": {
        const { turn, at, text } = event;
        return this.#setText(turn, at, (this.#spoken.get(turn.turn)?.text ?? "") + text);
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

/** Appends an event to a list that keeps at least the last `least` events. */
function keep(list: ConveningEvent[], event: ConveningEvent, least: number): void {
  list.push(event);
  if (list.length > 2 * least) list.splice(0, least);
}
