// Files known from an earlier reading that have not changed since.
import { setImmediate } from "node:timers/promises";
import { systemClock } from "../core/clock.ts";
import type { Fact } from "../core/fact.ts";
import type { FileInfo, FileSystem } from "../core/files.ts";

/** Age in milliseconds from which a file counts as settled: longer than a tick of any disk's clock. */
const SETTLED = 2000;

/**
 * The stamp of a file, or of a folder's list of names: the same text as long as nothing has changed. Undefined for a file
 * that changed so recently that it could change again within a tick of the disk's clock, and where the time of the last
 * change is unknown: such files are read again.
 */
export function settledStamp(info: FileInfo | undefined): string | undefined {
  if (info === undefined || info.modified === 0) return undefined;
  const { modified, size } = info;
  return systemClock.now() - modified > SETTLED ? `${modified} ${size}` : undefined;
}

/** Files that are looked at before other work has its turn: a few milliseconds' worth. */
export const LOOKED_AT_ONCE = 1000;

/** Lets others have their turn where so many files have been looked at that it is theirs: looking at one waits for nothing. */
export async function othersInTurn(looked: number): Promise<void> {
  if (looked % LOOKED_AT_ONCE === 0) await setImmediate();
}

interface Known {
  readonly stamp: string;
  readonly fact: Fact;
}

/** The facts of a convening as one reading found them: the next reading opens none of the files that are as they were. */
export class KnownFacts {
  readonly #before: ReadonlyMap<string, Known>;
  readonly #now = new Map<string, Known>();
  #size = 0;
  #looked = 0;

  /** The facts of one reading, which takes over those of the reading before. */
  constructor(before?: KnownFacts) {
    this.#before = before === undefined ? new Map() : before.#now;
  }

  /** Bytes of the files that were looked at. */
  get size(): number {
    return this.#size;
  }

  /** The fact of a file: as it is known, else as `read` gives it; one with something wrong is not known afterwards. */
  async fact(
    files: FileSystem,
    path: string,
    read: () => Promise<{ readonly fact: Fact; readonly isSound: boolean }>,
  ): Promise<Fact> {
    await othersInTurn(++this.#looked);
    const info = await files.stat(path);
    this.#size += info?.size ?? 0;
    const stamp = settledStamp(info);
    const known = this.#before.get(path);
    if (stamp !== undefined && known?.stamp === stamp) {
      this.#now.set(path, known);
      return known.fact;
    }
    const { fact, isSound } = await read();
    if (stamp !== undefined && isSound) this.#now.set(path, { stamp, fact });
    return fact;
  }
}
