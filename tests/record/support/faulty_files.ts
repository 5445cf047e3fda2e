// File system that fails or dies at chosen operations.
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

/** Error of every operation after the process's death. */
export class Killed extends Error {}

/** Faults of file operations. */
export interface Faults {
  /** Number of writing operations before the process dies; the next operation is left incomplete if possible. */
  killAfter?: number;
  /** Returns the problem of a writing operation on a path, if any. */
  refuse?: (path: string) => FileProblem | undefined;
  /** Receives number and path of each writing operation before it is done, and a function that leaves half of it in other files. */
  before?: (operation: number, path: string, half: Half | undefined) => void;
}

/** Leaves in files what a process that dies leaves of a writing operation. */
type Half = (files: FileSystem) => Promise<void>;

/** Wraps a file system with faults and counts its writes. */
export class FaultyFiles implements FileSystem {
  /** Writing operations in order: the method's name and the path. */
  readonly done: string[] = [];
  readonly #under: FileSystem;
  readonly #faults: Faults;
  #dead = false;

  constructor(under: FileSystem, faults: Faults = {}) {
    this.#under = under;
    this.#faults = faults;
  }

  /** Number of writing operations. */
  get operations(): number {
    return this.done.length;
  }

  async #step(
    name: keyof FileSystem,
    path: string,
    work: () => Promise<void>,
    half?: Half,
  ): Promise<void> {
    if (this.#dead) throw new Killed();
    const problem = this.#faults.refuse?.(path);
    if (problem !== undefined) throw new FileError(problem, path);
    if (this.operations === this.#faults.killAfter) {
      this.#dead = true;
      await half?.(this.#under);
      throw new Killed();
    }
    this.#faults.before?.(this.operations, path, half);
    this.done.push(`${name} ${path}`);
    await work();
  }

  makeFolder(path: string): Promise<void> {
    return this.#step("makeFolder", path, () => this.#under.makeFolder(path));
  }

  write(path: string, text: string): Promise<void> {
    const half = text.slice(0, text.length / 2);
    return this.#step(
      "write",
      path,
      () => this.#under.write(path, text),
      (files) => files.write(path, half),
    );
  }

  append(path: string, text: string): Promise<void> {
    const half = text.slice(0, text.length / 2);
    return this.#step(
      "append",
      path,
      () => this.#under.append(path, text),
      (files) => files.append(path, half),
    );
  }

  truncate(path: string, size: number): Promise<void> {
    return this.#step("truncate", path, () => this.#under.truncate(path, size));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#step("rename", to, () => this.#under.rename(from, to));
  }

  flushFolder(path: string): Promise<void> {
    return this.#step("flushFolder", path, () => this.#under.flushFolder(path));
  }

  remove(path: string): Promise<void> {
    return this.#step("remove", path, () => this.#under.remove(path));
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

  async lock(path: string, options?: LockOptions): Promise<LockAttempt> {
    const problem = this.#faults.refuse?.(path);
    if (problem !== undefined) throw new FileError(problem, path);
    return await this.#alive(() => this.#under.lock(path, options));
  }

  isLocked(path: string): Promise<boolean> {
    return this.#alive(() => this.#under.isLocked(path));
  }

  async #alive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#dead) throw new Killed();
    return await work();
  }
}
