// File system interface of records, durable writes, and parallel file operations.
import { basename, dirname, join } from "@std/path";
import { errorMessage } from "./error.ts";
import type { Source } from "./paper.ts";

/** Reason that a file operation failed. */
export type FileProblem =
  | "not_found"
  | "exists"
  | "denied"
  | "full"
  | "not_a_folder"
  | "other_disk"
  | "other";

/** Failed file operation. */
export class FileError extends Error {
  /** Reason for the failure. */
  readonly problem: FileProblem;
  /** Path of the file or folder. */
  readonly path: string;

  /** Flag of Deno that the operation lacks, such as `--allow-read`; undefined for other causes. */
  get flag(): string | undefined {
    const { cause } = this;
    return cause instanceof Error && cause.name === "NotCapable"
      ? /--allow-[a-z]+/.exec(cause.message)?.[0]
      : undefined;
  }

  /** Makes the error; `cause` is the system's error. */
  constructor(problem: FileProblem, path: string, cause?: unknown) {
    super(`${problem}: ${path}${cause === undefined ? "" : `: ${systemWords(cause)}`}`, { cause });
    this.name = "FileError";
    this.problem = problem;
    this.path = path;
  }
}

/** Returns the words of a system's error, without its number and the path. */
export function systemWords(error: unknown): string {
  return errorMessage(error).split(" (os error")[0]!;
}

/** States why a file cannot be read, with Deno's flag if that is missing. */
export function fileState(error: unknown): string {
  const { problem, flag } = error instanceof FileError ? error : {};
  if (problem === "not_found") return "there is no such file";
  if (problem !== "denied") return "it is not a readable file";
  return `reading it is not permitted${flag === undefined ? "" : ` without ${flag}`}`;
}

/** Entry of a folder. */
export interface FileEntry {
  /** Name in the folder. */
  readonly name: string;
  /** True if the entry is a folder. */
  readonly isFolder: boolean;
  /** True if the entry is neither a file nor a folder: a symbolic link, FIFO, socket or device. @default false */
  readonly isOther?: boolean;
}

/** Metadata of a file or folder. */
export interface FileInfo {
  /** True if the path is a folder. */
  readonly isFolder: boolean;
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly modified: number;
}

/** Held lock. */
export interface FileLock {
  /** Replaces the text of the lock file. */
  describe(text: string): Promise<void>;
  /** Releases the lock. */
  release(): Promise<void>;
}

/** Options of {@linkcode FileSystem.lock}. */
export interface LockOptions {
  /** Waits until the lock is free. @default false */
  readonly wait?: boolean;
}

/** Acquired lock, or the text that the present holder wrote to the lock file. */
export type LockAttempt =
  | { readonly lock: FileLock; readonly holder?: undefined }
  | { readonly lock?: undefined; readonly holder: string };

/** Part of a file. */
export interface FilePart {
  /** Bytes read. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of the whole file in bytes; 0 if the file is missing. */
  readonly size: number;
}

/** Maximum size of a file that is read whole: 64 MiB. */
export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;

/**
 * All file operations of a record: on disk, in memory, or on a store of the program. Paths are absolute, text is UTF-8, and
 * failures are {@linkcode FileError}s; the caller turns them into errors of the record. On disk, a file over 64 MiB, or a
 * path through a symbolic link, FIFO, socket or device, fails with `record_corrupt`.
 */
export interface FileSystem {
  /** Creates a folder with its parents, if missing. */
  makeFolder(path: string): Promise<void>;
  /** Writes a new file and flushes it to disk; on disk, an existing name fails with `exists`. */
  write(path: string, text: string): Promise<void>;
  /** Appends text or bytes to a file, creating it if missing; without a flush. */
  append(path: string, added: string | Uint8Array): Promise<void>;
  /** Truncates a file to `size` bytes and flushes it to disk. */
  truncate(path: string, size: number): Promise<void>;
  /** Renames a file, replacing an existing file; a folder may replace an empty folder only, else fails with `exists`. */
  rename(from: string, to: string): Promise<void>;
  /** Creates a hard link; an existing name fails with `exists`. Absent if the storage has no hard links. */
  link?(from: string, to: string): Promise<void>;
  /** Flushes a folder's entries to disk. */
  flushFolder(path: string): Promise<void>;
  /** Removes a file, or a folder with its contents, if present. */
  remove(path: string): Promise<void>;
  /** Reads a whole file as text; a missing file fails with `not_found`. */
  read(path: string): Promise<string>;
  /** Reads at most `most` bytes from byte `offset`; the file may have any size. */
  readFrom(path: string, offset: number, most: number): Promise<FilePart>;
  /** Lists the entries of a folder by name; empty if the folder is missing. */
  list(path: string): Promise<readonly FileEntry[]>;
  /** Returns the metadata of a path; undefined if nothing is there. */
  stat(path: string): Promise<FileInfo | undefined>;
  /**
   * Takes the system's exclusive lock on a file, creating it if missing; the file is not removed later. The lock stays with
   * the file when its folder is renamed.
   */
  lock(path: string, options?: LockOptions): Promise<LockAttempt>;
  /** Returns true if a process holds the lock on a file; needs only read permission and takes no lock. */
  isLocked(path: string): Promise<boolean>;
}

interface WriteOptions {
  /** Flushes the folder too, so that the file name survives a power failure. @default false */
  readonly truth?: boolean;
  /** Fails with `exists` if another process has written the file: links instead of renaming. @default false */
  readonly exclusive?: boolean;
}

/** Returns a random, unguessable name for a file before it is renamed to `name`. */
export function temporaryName(name: string): string {
  return `.${name}.${crypto.randomUUID()}.tmp`;
}

/** Matches a name that Windows keeps for a device, with any extension. */
export const DEVICE: RegExp = /^(?:aux|con|nul|prn|com\d|lpt\d)(?=\.|$)/i;

/** Returns sources with names that are safe as file names, and unique where letter case does not count. */
export function safeSources(sources: readonly Source[]): Source[] {
  const taken = new Set<string>();
  return sources.map(({ name, text }) => {
    const safe = safeName(basename(name).normalize("NFC"));
    let free = safe;
    for (let i = 2; taken.has(free.toUpperCase()); i++) free = safeName(`${i}_${safe}`);
    taken.add(free.toUpperCase());
    return { name: free, text };
  });
}

function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+/, "").replace(DEVICE, "_$&")
    // With the end of a temporary name, 60 units of three bytes fit into the 255 bytes of a name.
    .slice(0, 60).replace(/[.\p{Cs}]+$/u, "") || "source";
}

/** Returns true for a name made by {@linkcode temporaryName}. */
export function isTemporary(name: string): boolean {
  return name.startsWith(".") && name.endsWith(".tmp");
}

/** Removes the temporary files of a folder whose last change was at `before` or earlier. @default any time */
export async function removeTemporaries(
  files: FileSystem,
  folder: string,
  before = Infinity,
): Promise<void> {
  for (const { name, isFolder } of await files.list(folder)) {
    if (isFolder || !isTemporary(name)) continue;
    const path = join(folder, name);
    const { modified = Infinity } = await files.stat(path) ?? {};
    if (modified <= before) await files.remove(path);
  }
}

/** Runs `work` while the caller holds the lock of a file, which is made if it is missing; waits until the lock is free. */
export async function withLock<T>(
  files: FileSystem,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  const { lock } = await files.lock(path, { wait: true });
  try {
    return await work();
  } finally {
    await lock?.release();
  }
}

/** Throws `record_corrupt` for a folder with an entry that is neither a file nor a folder, naming the entry. */
export async function checkPlain(files: FileSystem, folder: string): Promise<void> {
  for (const { name, isOther } of await files.list(folder)) {
    if (isOther === true) await files.stat(join(folder, name));
  }
}

/** Writes a file atomically: the file appears whole or not at all. Its folder must exist. An error names the file itself. */
export async function writeDurably(
  files: FileSystem,
  path: string,
  text: string,
  { truth = false, exclusive = false }: WriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, temporaryName(basename(path)));
  let isRenamed = false;
  try {
    await files.write(temporary, text);
    if (!exclusive) await files.rename(temporary, path);
    else if (files.link !== undefined) await files.link(temporary, path);
    else throw new FileError("other", path, new Error("a file cannot have a second name there"));
    isRenamed = !exclusive;
  } catch (error) {
    throw errorAt(error, temporary, path);
  } finally {
    // A part of a file would take room on a full disk.
    if (!isRenamed) await files.remove(temporary).catch(() => {});
  }
  if (truth) await files.flushFolder(folder);
}

/** Returns the error of an operation on a temporary path, or below, as an error of `path`; other errors unchanged. */
export function errorAt(error: unknown, temporary: string, path: string): unknown {
  const isOfTemporary = error instanceof FileError && error.path.startsWith(temporary);
  return isOfTemporary ? new FileError(error.problem, path, error.cause) : error;
}

/** Number of concurrent operations of {@linkcode inParallel}. */
const CONCURRENCY = 16;

/** Maps items by an asynchronous function, sixteen at a time; results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

/** Waits until all promises have settled; then rejects with the first failure, if any. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
