import {
  type FileEntry,
  FileError,
  type FileInfo,
  type FilePart,
  type FileProblem,
  type FileSystem,
  type LockAttempt,
  type LockOptions,
} from "../../../src/core/files.ts";

/** The process is gone: nothing it would do after this is done. */
export class Killed extends Error {}

/** What happens to file operations. */
export interface Faults {
  /** The process dies after this many writing operations; the next one is left half done where it can be. */
  killAfter?: number;
  /** What a writing operation on a path fails with, if anything. */
  refuse?: (path: string) => FileProblem | undefined;
}

/** Files over another file system that kill, fill up and refuse as they are asked to, and count what is written. */
export class FaultyFiles implements FileSystem {
  /** Writing operations so far. */
  operations = 0;
  /** Paths that were renamed onto, in order. */
  readonly written: string[] = [];
  readonly #under: FileSystem;
  readonly #faults: Faults;
  #dead = false;

  constructor(under: FileSystem, faults: Faults = {}) {
    this.#under = under;
    this.#faults = faults;
  }

  /** Whether the process is gone. */
  get isDead(): boolean {
    return this.#dead;
  }

  async #step(path: string, work: () => Promise<void>, half?: () => Promise<void>): Promise<void> {
    if (this.#dead) throw new Killed();
    const problem = this.#faults.refuse?.(path);
    if (problem !== undefined) throw new FileError(problem, path);
    if (this.operations === this.#faults.killAfter) {
      this.#dead = true;
      await half?.();
      throw new Killed();
    }
    this.operations++;
    await work();
  }

  makeFolder(path: string): Promise<void> {
    return this.#step(path, () => this.#under.makeFolder(path));
  }

  write(path: string, text: string): Promise<void> {
    const half = text.slice(0, text.length / 2);
    return this.#step(
      path,
      () => this.#under.write(path, text),
      () => this.#under.write(path, half),
    );
  }

  append(path: string, text: string): Promise<void> {
    const half = text.slice(0, text.length / 2);
    return this.#step(
      path,
      () => this.#under.append(path, text),
      () => this.#under.append(path, half),
    );
  }

  truncate(path: string, size: number): Promise<void> {
    return this.#step(path, () => this.#under.truncate(path, size));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#step(to, async () => {
      await this.#under.rename(from, to);
      this.written.push(to);
    });
  }

  flushFolder(path: string): Promise<void> {
    return this.#step(path, () => this.#under.flushFolder(path));
  }

  remove(path: string): Promise<void> {
    return this.#step(path, () => this.#under.remove(path));
  }

  read(path: string): Promise<string> {
    return this.#alive(() => this.#under.read(path));
  }

  readFrom(path: string, offset: number, most: number): Promise<FilePart> {
    return this.#alive(() => this.#under.readFrom(path, offset, most));
  }

  list(path: string): Promise<readonly FileEntry[]> {
    return this.#alive(() => this.#under.list(path));
  }

  stat(path: string): Promise<FileInfo | undefined> {
    return this.#alive(() => this.#under.stat(path));
  }

  lock(path: string, options?: LockOptions): Promise<LockAttempt> {
    return this.#alive(() => this.#under.lock(path, options));
  }

  isLocked(path: string): Promise<boolean> {
    return this.#alive(() => this.#under.isLocked(path));
  }

  async #alive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#dead) throw new Killed();
    return await work();
  }
}
