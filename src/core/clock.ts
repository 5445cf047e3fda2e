// Time as a seam, and waiting.
import { CancelledError } from "./error.ts";

/** Time, as a seam: tests hand in one that stands still or is advanced by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that never goes back: not before the time `from`, nor when the clock it reads is set back. Durations stay right. */
export function forwardClock(clock: Clock, from: number): Clock {
  let before = from;
  let shift = 0;
  return {
    now() {
      const now = clock.now();
      if (now < before) shift += before - now;
      before = now;
      return now + shift;
    },
  };
}

/** A clock's time as ISO 8601, UTC, with milliseconds. */
export function isoTime(clock: Clock): string {
  const now = clock.now();
  // A stream's events come many a millisecond.
  if (now !== last.time) last = { time: now, text: new Date(now).toISOString() };
  return last.text;
}

let last = { time: 0, text: new Date(0).toISOString() };

/** Waits so many milliseconds. Fails with the signal's reason when it aborts. */
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

/** The promise's value, or a `CancelledError` as soon as the signal aborts. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new CancelledError(signal.reason));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
