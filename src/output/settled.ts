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
