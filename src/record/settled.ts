import { setImmediate } from "node:timers/promises";
import { systemClock } from "../core/clock.ts";
import type { FileInfo } from "../core/files.ts";

/** How long nothing has changed in what is settled, in milliseconds: longer than a tick of any disk's clock. */
const SETTLED = 2000;

/**
 * What tells whether a file, or a folder's list of names, is still as it was when it was read: the same text before and
 * after. Undefined of what changed so lately that it could change again within a tick of the disk's clock, and where the
 * time of the last change is not told: that is read again.
 */
export function settledStamp(info: FileInfo | undefined): string | undefined {
  if (info === undefined || info.modified === 0) return undefined;
  const { modified, size } = info;
  return systemClock.now() - modified > SETTLED ? `${modified} ${size}` : undefined;
}

/** How many files are looked at before others have their turn: a few milliseconds' worth. */
const LOOKED_AT_ONCE = 1000;

/** Lets others have their turn where so many files have been looked at that it is theirs: looking at one waits for nothing. */
export async function othersInTurn(looked: number): Promise<void> {
  if (looked % LOOKED_AT_ONCE === 0) await setImmediate();
}
