// The file system of the machine: with folder_lock.ts, the only place where records access the disk. Below a root, symbolic
// links are not followed, and only plain files and folders are opened, listed, written, renamed or removed.
import type { promises } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { ensureDir, exists } from "@std/fs";
import { basename, dirname, join, resolve } from "@std/path";
import { ConveningError, RecordError } from "../core/error.ts";
import {
  type FileEntry,
  FileError,
  type FileInfo,
  type FileLock,
  type FilePart,
  type FileProblem,
  type FileSystem,
  isTemporary,
  type LockAttempt,
  type LockOptions,
  MAX_FILE_BYTES,
  systemWords,
} from "../core/files.ts";
import { RecentMap } from "../core/values.ts";
import { counted, thousands } from "../core/text.ts";
import { archivePlace } from "./archive_place.ts";
import { acquireLock, type FolderLock, renameUnlocked } from "./folder_lock.ts";

/** Bytes up to which a file is read synchronously; a longer file is read without blocking. */
const SYNC_READ_BYTES = 1 << 17;
/** Number of file operations after which pending work of other tasks runs, because many operations are synchronous. */
const OPERATIONS_BEFORE_PAUSE = 64;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** File system of the machine below a root. The root and the folders above it may be symbolic links. */
export class DenoFileSystem implements FileSystem {
  readonly #root: string | undefined;
  /** Identities of folders that were checked to be reached without a link, by path. */
  readonly #checked = new RecentMap<Identity>(50_000);
  /** Held locks of folders, by folder. Entries of a new record's folder need no checks: no other process knows it. */
  readonly #locks = new Map<string, FolderLock>();

  /** Creates a file system below the absolute path `root`. @default no root: any path that the user names, links allowed */
  constructor(root?: string) {
    this.#root = root;
  }

  makeFolder(path: string): Promise<void> {
    return fileOperation(path, async () => {
      let folder = this.#root ?? path;
      await makeFolder(folder);
      for (const name of namesBelow(folder, path)) {
        folder = join(folder, name);
        if (plainInfo(folder)?.isDirectory !== true) await makeFolder(folder);
      }
    });
  }

  // Creates and renames are asynchronous, because either may wait for a flush of another record.
  write(path: string, text: string): Promise<void> {
    return fileOperation(path, async () => {
      this.#checkFolders(path);
      using file = await this.#created(path);
      try {
        writeAll(text, (bytes) => file.writeSync(bytes));
        await file.syncData();
      } catch (error) {
        await Deno.remove(path).catch(() => {});
        throw error;
      }
    });
  }

  append(path: string, added: string | Uint8Array): Promise<void> {
    return fileOperation(path, () => {
      if (!this.#isOwn(path)) this.#file(path);
      // Synchronous, because without a flush the hand-over to a thread would cost more than the append.
      if (typeof added === "string") Deno.writeTextFileSync(path, added, { append: true });
      else Deno.writeFileSync(path, added, { append: true });
    });
  }

  truncate(path: string, size: number): Promise<void> {
    return this.#withOpenFile(path, "O_WRONLY", async (file) => {
      await file.truncate(size);
      await file.datasync();
    });
  }

  rename(from: string, to: string): Promise<void> {
    return fileOperation(to, () => {
      if (dirname(from) !== dirname(to)) this.#checkFolders(from);
      this.#checkFolders(to);
      if (!this.#isOwn(to)) this.#info(to);
      return this.#renamed(from, to);
    });
  }

  link(from: string, to: string): Promise<void> {
    return fileOperation(to, async () => {
      if (dirname(from) !== dirname(to)) this.#checkFolders(from);
      this.#checkFolders(to);
      try {
        await Deno.link(from, to);
      } catch (error) {
        // On a file server, a retried request may report the link that its first attempt made.
        if (codeOf(error) !== "EEXIST" || plainInfo(from)?.nlink !== 2) throw error;
      }
    });
  }

  flushFolder(path: string): Promise<void> {
    // Windows has no flush for folders.
    if (Deno.build.os === "windows") return Promise.resolve();
    return fileOperation(path, () => {
      if (!this.#isOwn(path) && this.#locks.get(path)?.isNew !== true) this.#info(path);
      // Opening a folder never blocks, and handing it to a thread would cost more.
      const folder = Deno.openSync(path);
      return folder.sync().catch((error) => {
        // Shared folders of virtual machines have no flush for folders.
        if (codeOf(error) !== "EINVAL") throw error;
      }).finally(() => folder.close());
    });
  }

  remove(path: string): Promise<void> {
    return fileOperation(path, async () => {
      if (this.#info(path) === undefined) return;
      await Deno.remove(path, { recursive: true }).catch((error) => {
        // Another process may remove the same file.
        if (this.#info(path) !== undefined) throw error;
      });
    });
  }

  // Small files are read synchronously, which is cheaper than handing the read to a thread. The path is checked once
  // before the read; replacing the file with a link or FIFO in between is not guarded against.
  read(path: string): Promise<string> {
    return fileOperation(path, () => {
      const size = this.#file(path)?.size;
      if (size === undefined) throw new FileError("not_found", path);
      if (size > MAX_FILE_BYTES) {
        throw this.#refusal(
          path,
          `it has ${counted(size, "byte")}, at most ${thousands(MAX_FILE_BYTES)} are read`,
        );
      }
      return size <= SYNC_READ_BYTES ? Deno.readTextFileSync(path) : Deno.readTextFile(path);
    }, this.#root);
  }

  async readFrom(path: string, offset: number, most: number): Promise<FilePart> {
    const missing = { bytes: new Uint8Array(), size: 0 };
    if (await this.stat(path) === undefined) return missing;
    return await this.#withOpenFile(path, "O_RDONLY", async (file, size) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(most, size - offset)));
      let length = 0;
      // Fewer bytes if the file has become shorter.
      for (let count = 1; count > 0 && length < bytes.length; length += count) {
        const rest = bytes.length - length;
        ({ bytesRead: count } = await file.read(bytes, length, rest, offset + length));
      }
      return { bytes: bytes.subarray(0, length), size };
    }).catch((error) => {
      // The file may be moved between the two looks at its name.
      if (error instanceof FileError && error.problem === "not_found") return missing;
      throw error;
    });
  }

  // List, stat and stats are synchronous, like `append`: a thread costs several times more.
  list(path: string): Promise<readonly FileEntry[]> {
    return fileOperation(path, () => {
      const entries: FileEntry[] = [];
      if (this.#info(path)?.isDirectory !== true) return entries;
      for (const { name, isFile, isDirectory } of Deno.readDirSync(path)) {
        entries.push({ name, isFolder: isDirectory, isOther: !isFile && !isDirectory });
      }
      return entries.sort((a, b) => a.name < b.name ? -1 : 1);
    }, this.#root);
  }

  stat(path: string): Promise<FileInfo | undefined> {
    return fileOperation(path, () => infoOf(this.#info(path)), this.#root);
  }

  /** Returns the information on files of a folder, by `names`; undefined for a missing file. Checks the folder once. */
  async stats(
    folder: string,
    names: readonly string[],
  ): Promise<readonly (FileInfo | undefined)[]> {
    if ((await this.stat(folder))?.isFolder !== true) return names.map(() => undefined);
    const found: (FileInfo | undefined)[] = [];
    for (const name of names) {
      const path = join(folder, name);
      found.push(await fileOperation(path, () => infoOf(plainInfo(path)), this.#root));
    }
    return found;
  }

  lock(path: string, { wait = false }: LockOptions = {}): Promise<LockAttempt> {
    return fileOperation(path, async () => {
      this.#info(path);
      const file = await Deno.open(path, { read: true, write: true, create: true });
      try {
        if (wait) await file.lock(true);
        else if (!await acquireLock(file)) {
          file.close();
          // On Windows, nobody but the holder reads a locked file.
          const part = await this.readFrom(path, 0, SYNC_READ_BYTES).catch(() => undefined);
          return { holder: decoder.decode(part?.bytes) };
        }
      } catch (error) {
        file.close();
        throw error;
      }
      const folder = dirname(path);
      // Only this process knows the temporary name of the folder: the record is new.
      const held = { file, isNew: isTemporary(basename(folder)) };
      if (basename(path) === ".lock") this.#locks.set(folder, held);
      return { lock: this.#heldLock(held, path) };
    });
  }

  isLocked(path: string): Promise<boolean> {
    return fileOperation(path, async () => {
      if (this.#info(path) === undefined) return false;
      using file = await Deno.open(path);
      // A shared lock, so that concurrent checks do not see each other.
      return !await file.tryLock(false);
    });
  }

  async #renamed(from: string, to: string): Promise<void> {
    const held = this.#locks.get(from);
    try {
      await Deno.rename(from, to);
    } catch (error) {
      if (codeOf(error) !== "EPERM") throw error;
      // Windows renames no folder with an open file, and some of its disks deny a rename onto a folder.
      if (plainInfo(to)?.isDirectory === true) throw new FileError("exists", to, error);
      if (held === undefined) throw error;
      await renameUnlocked(held, from, to);
    }
    if (held === undefined) return;
    this.#locks.delete(from);
    this.#locks.set(to, held);
  }

  #heldLock(held: FolderLock, path: string): FileLock {
    return {
      describe: (text) =>
        fileOperation(path, async () => {
          const { file } = held;
          await file.truncate(0);
          await file.seek(0, Deno.SeekMode.Start);
          writeAll(text, (bytes) => file.writeSync(bytes));
        }),
      release: async () => {
        for (const [folder, each] of this.#locks) {
          if (each === held) this.#locks.delete(folder);
        }
        const { file } = held;
        // The file of a free lock is empty. Closing alone would leave the lock to a child process that is being started.
        await file.truncate(0).catch(() => {}).then(() => file.unlock()).catch(() => {});
        file.close();
      },
    };
  }

  /** Returns true for an entry of a new record of this process, or of a folder in the record. */
  #isOwn(path: string): boolean {
    if (this.#locks.size === 0 || path.includes("..")) return false;
    const folder = folderOf(path);
    return (this.#locks.get(folder) ?? this.#locks.get(folderOf(folder)))?.isNew === true;
  }

  /** Creates a file, and fails where the name exists. A link at the name is rejected, not followed. */
  async #created(path: string): Promise<Deno.FsFile> {
    try {
      return await Deno.open(path, { write: true, createNew: true });
    } catch (error) {
      this.#info(path);
      throw error;
    }
  }

  /** Opens a plain file without following a link or blocking, runs `work`, and closes the file. */
  #withOpenFile<T>(
    path: string,
    access: "O_RDONLY" | "O_WRONLY",
    work: (file: promises.FileHandle, size: number) => Promise<T>,
  ): Promise<T> {
    return fileOperation(path, async () => {
      const { constants, promises } = await import("node:fs");
      // Undefined on Windows.
      const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
      const found = this.#file(path);
      const noFollow = this.#root === undefined ? 0 : O_NOFOLLOW;
      const file = await promises.open(path, constants[access] | O_NONBLOCK | noFollow);
      try {
        const { ino, size } = await file.stat();
        // With permissions for some files only, Deno resolves links before it opens the file, so O_NOFOLLOW finds none.
        if (noFollow !== 0 && ino !== found?.ino) {
          throw this.#refusal(path, "it changed while it was being opened");
        }
        return await work(file, size);
      } finally {
        await file.close();
      }
    }, access === "O_RDONLY" ? this.#root : undefined);
  }

  /** Returns the information on a path; undefined for a missing path. Rejects entries other than files and folders. */
  #info(path: string): Deno.FileInfo | undefined {
    if (this.#root === undefined || path === this.#root) return infoAt(path, Deno.statSync);
    const known = this.#checked.get(path);
    if (known === undefined) this.#checkFolders(path);
    const found = plainInfo(path);
    // The same folder as before: no folder above it has been replaced by a link.
    if (found === undefined || isSame(found, known)) return found;
    if (known !== undefined) this.#checkFolders(path);
    if (found.isDirectory) this.#checked.set(path, { dev: found.dev, ino: found.ino });
    return found;
  }

  /** Returns the information on a file; undefined for a missing path. Rejects all but plain files. */
  #file(path: string): Deno.FileInfo | undefined {
    const found = this.#info(path);
    if (found !== undefined && !found.isFile) throw this.#refusal(path, "it is not a plain file");
    return found;
  }

  /** Rejects a path outside the root, and a path through an entry below the root that is not a folder. */
  #checkFolders(path: string): void {
    if (this.#root === undefined || this.#isOwn(path)) return;
    const above = folderOf(path);
    const known = this.#checked.get(above);
    if (known !== undefined && isSame(plainInfo(above), known) && !path.endsWith("..")) return;
    let folder = this.#root;
    for (const name of namesBelow(folder, path).slice(0, -1)) {
      folder = join(folder, name);
      const found = plainInfo(folder);
      if (found?.isDirectory !== true) return;
      this.#checked.set(folder, { dev: found.dev, ino: found.ino });
    }
  }

  #refusal(path: string, what: string): Error {
    if (this.#root !== undefined) return refused(path, what);
    return new FileError("other", path, new Error(what));
  }
}

function infoOf(info: Deno.FileInfo | undefined): FileInfo | undefined {
  if (info === undefined) return undefined;
  const { isDirectory, size, mtime } = info;
  return { isFolder: isDirectory, size, modified: mtime?.getTime() ?? 0 };
}

type Identity = Pick<Deno.FileInfo, "dev" | "ino">;

/** Returns false where the system has no inode numbers, and for a missing file. */
function isSame(a: Identity | undefined, b: Identity | undefined): boolean {
  return a !== undefined && a.ino !== null && a.ino === b?.ino && a.dev === b.dev;
}

/** Returns the folder of a joined path; another path on a system where a name may have a backslash. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
}

/** Splits a path into the names below a root. Fails with `denied` for a path outside the root. */
function namesBelow(root: string, path: string): string[] {
  const rest = path.startsWith(root) ? path.slice(root.length) : "..";
  const names = rest.split(/[/\\]/);
  if (names.includes("..") || (names[0] !== "" && !/[/\\]$/.test(root))) {
    throw new FileError("denied", path, new Error(`it is outside of ${root}`));
  }
  return names.filter((name) => name !== "");
}

function infoAt(path: string, look: typeof Deno.statSync): Deno.FileInfo | undefined {
  try {
    return look(path);
  } catch (error) {
    // The last two: no entry can have that name.
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Returns the information on a plain file or folder; undefined for a missing path. Rejects all other entries. */
function plainInfo(path: string): Deno.FileInfo | undefined {
  const info = infoAt(path, Deno.lstatSync);
  if (info === undefined || info.isFile || info.isDirectory) return info;
  const { isSymlink, isFifo, isSocket } = info;
  const what = isSymlink ? "symbolic link" : isFifo ? "FIFO" : isSocket ? "socket" : "device";
  throw refused(path, `it is a ${what}`);
}

function refused(
  path: string,
  problem: string,
  hint = "Replace it with a plain file or folder, or remove it.",
): RecordError {
  return new RecordError("record_corrupt", `Cannot read ${path}: ${problem}`, {
    field: path,
    hint,
  });
}

async function makeFolder(path: string): Promise<void> {
  try {
    await ensureDir(path);
  } catch (error) {
    const isInTheWay = await exists(path, { isFile: true }).catch(() => false);
    throw isInTheWay ? new FileError("not_a_folder", path, error) : error;
  }
}

function writeAll(text: string, write: (bytes: Uint8Array) => number): void {
  let rest: Uint8Array = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(write(rest));
}

/** Errors of too many open files, which say nothing about an entry. */
const OPEN_LIMITS: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);

let operations = 0;
/** Resolves after pending work of other tasks has run. */
let otherTasks: Promise<void> | undefined;

/** Runs a file operation. Errors become a `FileError` on `path`, or `record_corrupt` for an unreadable entry below `root`. */
async function fileOperation<T>(path: string, work: () => T | Promise<T>, root = ""): Promise<T> {
  if (++operations % OPERATIONS_BEFORE_PAUSE === 0) otherTasks = setImmediate();
  await otherTasks;
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConveningError || error instanceof FileError) throw error;
    const problem = problemOf(error);
    const isOfEntry = problem === "other" && !OPEN_LIMITS.has(codeOf(error));
    const isNotGranted = error instanceof Deno.errors.NotCapable;
    if (root !== "" && (codeOf(error) === "EACCES" || isNotGranted || isOfEntry)) {
      const hint = isNotGranted
        ? "Grant the permission to the program, or choose another folder."
        : "Check the disk, and the permissions of the file and its folders.";
      throw refused(path, systemWords(error), hint);
    }
    throw new FileError(problem, path, error);
  }
}

const CODES: Readonly<Record<string, FileProblem>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  ENOTDIR: "not_a_folder",
  ENOTEMPTY: "exists",
  EEXIST: "exists",
  EROFS: "denied",
  EACCES: "denied",
  EPERM: "denied",
  ENOENT: "not_found",
  EXDEV: "other_disk",
};

function problemOf(error: unknown): FileProblem {
  if (error instanceof Deno.errors.NotCapable) return "denied";
  return CODES[codeOf(error)] ?? "other";
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code);
}

/** Files that the user names: each may be a link; opening never blocks. */
export const userFiles: DenoFileSystem = new DenoFileSystem();

const views = new Map<string, DenoFileSystem>();

/** Returns the file system below an absolute root; the process shares one per root. */
export function filesBelow(root: string): DenoFileSystem {
  return views.getOrInsertComputed(root, () => new DenoFileSystem(root));
}

/** Returns the file system of the record in `dir`: below its archive, or below `dir` where the record is in no archive. */
export function recordFiles(dir: string): DenoFileSystem {
  const path = resolve(dir);
  return filesBelow(archivePlace(path)?.out ?? path);
}

/** Resolves symbolic links in a path, also of a missing folder; returns the path unchanged where links cannot be resolved. */
export async function realPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return path;
    return join(await realPath(dirname(path)), basename(path));
  }
}
