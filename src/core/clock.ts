/** Time, as a seam: tests hand in one that stands still or is advanced by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock's time as ISO 8601, UTC, with milliseconds. */
export function isoTime(clock: Clock): string {
  const now = clock.now();
  // A stream's events come many a millisecond.
  if (now !== last.time) last = { time: now, text: new Date(now).toISOString() };
  return last.text;
}

let last = { time: 0, text: new Date(0).toISOString() };
