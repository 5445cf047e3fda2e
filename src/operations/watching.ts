// Follows a convening that another process runs, by its log.
import { join, resolve } from "@std/path";
import { pause, systemClock } from "../core/clock.ts";
import { CancelledError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
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
  const { LogFollower } = await import("../record/log_events.ts");
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
  const { LogFollower } = await import("../record/log_events.ts");
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
