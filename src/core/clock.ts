// Clock, for tests to replace, waiting with cancellation, and deadlines of requests.
import { asConveningError, CancelledError } from "./error.ts";

/** Source of the time; tests pass a clock that stands still or is advanced by hand. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** Clock for intervals within this process: unlike {@linkcode systemClock}, it is never set back or forward. */
export const steadyClock: Clock = { now: () => performance.now() };

/** Returns a monotonic clock, from `from` on: if the underlying clock is set back, the time continues from where it was. */
export function forwardClock(clock: Clock, from: number): Clock {
  let before = from;
  let shift = 0;
  return {
    now() {
      const now = timeOf(clock);
      if (now < before) shift += before - now;
      before = now;
      return now + shift;
    },
  };
}

/** Returns a time of ISO 8601 for readers, to the minute, such as `2026-11-24 09:30 UTC`. */
export function minuteText(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}

/** Reads `retry-after-ms`, or `retry-after`; returns milliseconds. */
export function retryAfter(headers: Headers | undefined): number | undefined {
  return parseNumber(headers?.get("retry-after-ms")) ?? waitIn(headers?.get("retry-after"));
}

/** Reads a wait in seconds, or until a date; returns milliseconds. */
export function waitIn(text: string | null | undefined): number | undefined {
  const seconds = parseNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - systemClock.now());
}

function parseNumber(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Returns a clock's time in ISO 8601, UTC, with milliseconds. */
export function isoTime(clock: Clock): string {
  return new Date(timeOf(clock)).toISOString();
}

function timeOf(clock: Clock): number {
  try {
    const now = clock.now();
    if (Number.isFinite(now)) return now;
    throw new TypeError(`now() returned ${now}`);
  } catch (error) {
    throw asConveningError(error, { part: "the clock" });
  }
}

/** Waits for some milliseconds. Rejects with the signal's reason if the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Resolves with the promise's value, or rejects with a `CancelledError` `grace` milliseconds after the signal aborts. */
export async function untilAborted<T>(
  promise: T | Promise<T>,
  signal: AbortSignal | undefined,
  grace = 0,
): Promise<T> {
  if (signal === undefined) return await promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const over = new AbortController();
  const cancel = () => reject(new CancelledError(signal.reason));
  const stop = () => grace === 0 ? cancel() : pause(grace, over.signal).then(cancel, () => {});
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    over.abort();
    signal.removeEventListener("abort", stop);
  }
}

interface DeadlineOptions {
  /** Milliseconds of the whole request. */
  readonly total: number;
  /** Milliseconds without data. @default only the whole request has a limit */
  readonly idle?: number | undefined;
  /** Expires the deadline early, as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds: a deadline found that late shows a process that stood still (Ctrl-Z) and has yet to read what came meanwhile. */
const STOOD_STILL = 1000;

/**
 * Combines an idle timeout, a total timeout and the caller's signal of one request in one `signal`.
 *
 * A single timer serves both timeouts: `touch` only stores the time, and a timer that fires too early is set again.
 */
export class Deadline {
  readonly #controller = new AbortController();
  /** Aborted when a timeout expires or the caller's signal aborts. */
  readonly signal: AbortSignal = this.#controller.signal;
  readonly #options: DeadlineOptions;
  #start = steadyClock.now();
  #last = this.#start;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Cause of the abort; undefined before. */
  expiry: "cancelled" | "idle" | "total" | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    options.signal?.addEventListener("abort", this.#check, { once: true });
    this.#check();
  }

  /** Restarts the idle timeout. */
  touch(): void {
    this.#last = steadyClock.now();
  }

  /** Clears the timer and removes the listener from the caller's signal. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#check);
  }

  /** Expires the deadline if it is due, else sets the timer. */
  readonly #check = (): void => {
    clearTimeout(this.#timer);
    const { idle = Infinity, total, signal } = this.#options;
    const now = steadyClock.now();
    const [whole, quiet] = [total - (now - this.#start), idle - (now - this.#last)];
    const late = -Math.min(whole, quiet);
    if (signal?.aborted) this.expiry = "cancelled";
    else if (late >= STOOD_STILL) {
      this.#start += late + STOOD_STILL;
      this.#last = now;
      return this.#check();
    } else if (late >= 0) this.expiry = whole <= quiet ? "total" : "idle";
    else {
      // A timer may fire a little early; the largest delay it takes is 2^31 - 1.
      const delay = Math.min(Math.max(Math.ceil(Math.min(whole, quiet)), 1), 2 ** 31 - 1);
      this.#timer = setTimeout(this.#check, delay);
      return;
    }
    this[Symbol.dispose]();
    this.#controller.abort();
  };
}
