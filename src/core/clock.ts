/** Time, as a seam: tests hand in one that stands still or is advanced by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock's time as ISO 8601, UTC, with milliseconds. */
export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
