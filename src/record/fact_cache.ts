// Cache of the contents of files by their stamps, so that the next reading opens only changed files.
import { systemClock } from "../core/clock.ts";
import type { FileInfo, FileSystem } from "../core/files.ts";

/** Age in milliseconds from which a file counts as settled: longer than the clock tick of any file system. */
const SETTLED = 2000;

/**
 * Returns a stamp of a file or folder that stays the same as long as nothing changes. Undefined, so that the file is read
 * again, if the time of the last change is unknown, or so recent that another change could have the same time.
 */
export function settledStamp(info: FileInfo | undefined): string | undefined {
  if (info === undefined || info.modified === 0) return undefined;
  const { modified, size } = info;
  return systemClock.now() - modified > SETTLED ? `${modified} ${size}` : undefined;
}

interface CachedValue<V> {
  readonly stamp: string;
  readonly value: V;
}

/** Cache of what was made of files, such as facts, so that only files whose stamp has changed are read again. */
export class FileCache<V> {
  readonly #most: number;
  readonly #values = new Map<string, CachedValue<V>>();
  readonly #sizes = new Map<string, number>();
  #size = 0;

  /** Creates a cache for files of at most `most` bytes in all; further files are read each time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Total size of all files that were read, in bytes: a reader may keep values that the cache does not. */
  get size(): number {
    return this.#size;
  }

  /** Returns the value of a file from the cache, else from `read`. A value that is not sound is not cached. */
  async value(
    files: FileSystem,
    path: string,
    read: () => Promise<{ readonly value: V; readonly isSound: boolean }>,
  ): Promise<V> {
    const info = await files.stat(path);
    const size = info?.size ?? 0;
    this.#size += size - (this.#sizes.get(path) ?? 0);
    this.#sizes.set(path, size);
    const stamp = settledStamp(info);
    const known = this.#values.get(path);
    if (known !== undefined && known.stamp === stamp) return known.value;
    const { value, isSound } = await read();
    if (stamp !== undefined && isSound && this.#size <= this.#most) {
      this.#values.set(path, { stamp, value });
    }
    return value;
  }
}
