// The file system seam of records.
import { basename, dirname, join } from "@std/path";

/** Reason that a file operation failed. */
export type FileProblem =
  | "not_found"
  | "exists"
  | "denied"
  | "full"
  | "not_a_folder"
  | "other";

/** A file operation that failed: what is wrong with which path. */
export class FileError extends Error {
  /** Reason for the failure. */
  readonly problem: FileProblem;
  /** The path concerned. */
  readonly path: string;

  /** A failure on `path`; `cause` is the system's error. */
  constructor(problem: FileProblem, path: string, cause?: unknown) {
    super(
      `${problem}: ${path}${cause instanceof Error ? `: ${cause.message}` : ""}`,
      { cause },
    );
    this.name = "FileError";
    this.problem = problem;
    this.path = path;
  }
}

/** One entry of a folder. */
export interface FileEntry {
  /** Its name in the folder. */
  readonly name: string;
  /** True for a folder. */
  readonly isFolder: boolean;
  /** Neither a file nor a folder: a symbolic link, FIFO, socket or device. @default false */
  readonly isOther?: boolean;
}

/** Data of a file that are known without reading the file. */
export interface FileInfo {
  /** True for a folder. */
  readonly isFolder: boolean;
  /** Bytes. */
  readonly size: number;
  /** Last change, in milliseconds since the epoch. */
  readonly modified: number;
}

/** A lock that is held. */
export interface FileLock {
  /** Replaces the text of the lock's file. */
  describe(text: string): Promise<void>;
  /** Lets go of the lock. */
  release(): Promise<void>;
}

/** Options of a lock. */
export interface LockOptions {
  /** Waits until it is free instead of giving up. @default false */
  readonly wait?: boolean;
}

/** A lock, or the text that its holder left in it. */
export type LockAttempt =
  | { readonly lock: FileLock; readonly holder?: undefined }
  | { readonly lock?: undefined; readonly holder: string };

/** Bytes of a file. */
export interface FilePart {
  /** The bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of the whole file, 0 when it is missing. */
  readonly size: number;
}

/** The most bytes of a file that is read whole: 64 MiB. */
export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;

/**
 * Every file operation there is: the one seam at which tests kill, fill the disk and refuse. Paths are absolute, text is
 * UTF-8, and what fails fails with a {@linkcode FileError}. Below the root of a record or an archive, a symbolic link,
 * FIFO, socket or device at any step of a path, and a file over {@linkcode MAX_FILE_BYTES}, fails with `record_corrupt`.
 */
export interface FileSystem {
  /** Makes a folder and those above it; nothing happens when it is there. */
  makeFolder(path: string): Promise<void>;
  /** Makes a file under a name that is free and flushes it to disk; on disk, a name that is taken fails with `exists`. */
  write(path: string, text: string): Promise<void>;
  /** Adds text or bytes to the end of a file, making it when it is missing; not flushed. */
  append(path: string, added: string | Uint8Array): Promise<void>;
  /** Cuts a file off behind its first `size` bytes, and flushes it to disk. */
  truncate(path: string, size: number): Promise<void>;
  /** Moves a file over another, or a folder onto a name that is free or an empty folder; else fails with `exists`. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name; a name that is taken fails with `exists`. Absent of files without second names. */
  link?(from: string, to: string): Promise<void>;
  /** Flushes a folder's list of names to disk. */
  flushFolder(path: string): Promise<void>;
  /** Removes a file, or a folder with all in it; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  /** The text of a file. */
  read(path: string): Promise<string>;
  /** At most `most` bytes of a file of any size, from byte `offset` on. */
  readFrom(path: string, offset: number, most: number): Promise<FilePart>;
  /** The entries of a folder by name; none when it is missing. */
  list(path: string): Promise<readonly FileEntry[]>;
  /** Undefined when there is nothing. */
  stat(path: string): Promise<FileInfo | undefined>;
  /** Takes the system's exclusive lock on a file, making it when it is missing; the file stays. */
  lock(path: string, options?: LockOptions): Promise<LockAttempt>;
  /** True if a process holds the lock on a file; takes no lock, and needs read permission alone. */
  isLocked(path: string): Promise<boolean>;
}

interface WriteOptions {
  /** Flushes the folder too, so that the name survives a power cut. @default false */
  readonly truth?: boolean;
  /** Fails with `exists` where another process has written the file, by a link instead of a rename. @default false */
  readonly exclusive?: boolean;
}

/** The name that a file is written under before it gets its own: a new one each time, which nobody can guess. */
export function temporaryName(name: string): string {
  return `.${name}.${crypto.randomUUID()}.tmp`;
}

/** True for a name of {@linkcode temporaryName}. */
export function isTemporary(name: string): boolean {
  return name.startsWith(".") && name.endsWith(".tmp");
}

/** Refuses a folder with an entry that is neither a file nor a folder. Fails with `record_corrupt`, naming the entry. */
export async function checkPlain(files: FileSystem, folder: string): Promise<void> {
  for (const { name, isOther } of await files.list(folder)) {
    if (isOther === true) await files.stat(join(folder, name));
  }
}

/** Writes a file so that it appears whole or not at all; its folder must exist. */
export async function writeDurably(
  files: FileSystem,
  path: string,
  text: string,
  { truth = false, exclusive = false }: WriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, temporaryName(basename(path)));
  await files.write(temporary, text);
  if (exclusive) await publishOnce(files, temporary, path);
  else await files.rename(temporary, path);
  if (truth) await files.flushFolder(folder);
}

async function publishOnce(files: FileSystem, temporary: string, path: string): Promise<void> {
  try {
    if (files.link === undefined) throw new FileError("other", path, new Error(NO_LINKS));
    await files.link(temporary, path);
  } finally {
    await files.remove(temporary);
  }
}

/** Problem of files that cannot be published by a link. */
const NO_LINKS = "a file cannot have a second name there";

/** Number of files read at once. */
const READERS = 16;

/** Results of `work` for each item, sixteen at a time, in the order of the items. */
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
  await Promise.all(Array.from({ length: READERS }, worker));
  return results;
}

/** Waits until all is done, whatever fails; then fails with the first failure. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
