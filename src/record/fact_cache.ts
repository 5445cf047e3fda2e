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

/**
 * Cache of what one reading of a convening made of its files, such as facts. The next reading skips files whose stamp has not
 * changed.
 */
export class FileCache<V> {
  readonly #before: ReadonlyMap<string, CachedValue<V>>;
  readonly #now = new Map<string, CachedValue<V>>();
  #size = 0;

  /** Creates the cache of one reading, which reuses the entries of the previous one. */
  constructor(before?: FileCache<V>) {
    this.#before = before === undefined ? new Map() : before.#now;
  }

  /** Total size of the files of this reading, in bytes. */
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
    this.#size += info?.size ?? 0;
    return await this.at(path, settledStamp(info), read);
  }

  /** Returns the value with a stamp of its own; without a stamp the value is read. */
  async at(
    path: string,
    stamp: string | undefined,
    read: () => Promise<{ readonly value: V; readonly isSound: boolean }>,
  ): Promise<V> {
    const known = this.#before.get(path);
    if (stamp !== undefined && known?.stamp === stamp) {
      this.#now.set(path, known);
      return known.value;
    }
    const { value, isSound } = await read();
    if (stamp !== undefined && isSound) this.#now.set(path, { stamp, value });
    return value;
  }
}
