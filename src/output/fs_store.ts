import { resolve } from "@std/path";
import { ensureDir, exists } from "@std/fs";
import {
  type FileEntry,
  FileError,
  type FileInfo,
  type FileLock,
  type FileProblem,
  type FileSystem,
  type LockAttempt,
  type LockOptions,
} from "../core/files.ts";
import type { ConveningStart, OpenRecord, RecordStore } from "../core/record.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";

/** The machine's files. The one place where records touch them. */
export class DenoFileSystem implements FileSystem {
  async makeFolder(path: string): Promise<void> {
    try {
      await at(path, () => ensureDir(path));
    } catch (error) {
      const inTheWay = error instanceof FileError &&
        (error.problem === "exists" || error.problem === "other") &&
        await exists(path, { isFile: true });
      throw inTheWay ? new FileError("not_a_folder", path, error.cause) : error;
    }
  }

  write(path: string, text: string): Promise<void> {
    return at(path, async () => {
      const options = { write: true, create: true, truncate: true };
      using file = await Deno.open(path, options);
      await writeAll(file, text);
      await file.syncData();
    });
  }

  append(path: string, text: string): Promise<void> {
    // It is not flushed: to hand it to a thread would cost more than to do it.
    return at(path, () => Deno.writeTextFileSync(path, text, { append: true }));
  }

  rename(from: string, to: string): Promise<void> {
    return at(to, () => Deno.rename(from, to));
  }

  flushFolder(path: string): Promise<void> {
    // Windows has no flush of a folder.
    if (Deno.build.os === "windows") return Promise.resolve();
    return at(path, async () => {
      using folder = await Deno.open(path);
      await folder.sync();
    });
  }

  remove(path: string): Promise<void> {
    return at(path, async () => {
      try {
        await Deno.remove(path, { recursive: true });
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    });
  }

  read(path: string): Promise<string> {
    return at(path, () => Deno.readTextFile(path));
  }

  // What only asks for names and sizes is done at once, as `append` is: to hand it to a thread costs several times more.
  list(path: string): Promise<readonly FileEntry[]> {
    return at(path, () => {
      const entries: FileEntry[] = [];
      try {
        for (const { name, isDirectory, isSymlink } of Deno.readDirSync(path)) {
          entries.push({ name, isFolder: isDirectory, isLink: isSymlink });
        }
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
      return entries.sort((a, b) => a.name < b.name ? -1 : 1);
    });
  }

  stat(path: string): Promise<FileInfo | undefined> {
    return at(path, () => {
      try {
        return infoOf(Deno.statSync(path));
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    });
  }

  async lock(
    path: string,
    { wait = false }: LockOptions = {},
  ): Promise<LockAttempt> {
    // Its holder describes itself in the file: nothing else may be written over.
    if (await at(path, () => isLink(path))) throw new FileError("denied", path);
    return await at(path, async () => {
      const options = { read: true, write: true, create: true };
      const file = await Deno.open(path, options);
      try {
        if (wait) await file.lock(true);
        else if (!await tookLock(file)) {
          file.close();
          return { holder: await Deno.readTextFile(path) };
        }
      } catch (error) {
        file.close();
        throw error;
      }
      return { lock: heldLock(file) };
    });
  }

  isLocked(path: string): Promise<boolean> {
    return at(path, async () => {
      try {
        using file = await Deno.open(path);
        // A shared one, so that those who ask at once do not see each other.
        return !await file.tryLock(false);
      } catch (error) {
        if (isAbsent(error)) return false;
        throw error;
      }
    });
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isSymlink;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** How long those who only ask for a lock are waited for: so many milliseconds, so many times. */
const ASKING = { pause: 5, times: 200 } as const;

/** Takes a file's lock if nobody holds it. Whoever asks whether it is held has a share in it for a moment: that is no holder. */
async function tookLock(file: Deno.FsFile): Promise<boolean> {
  for (let time = 0; time < ASKING.times; time++) {
    if (await file.tryLock(true)) return true;
    // There is no share in a lock that is held.
    if (!await file.tryLock(false)) return false;
    await file.unlock();
    await new Promise((resolve) => setTimeout(resolve, ASKING.pause));
  }
  return false;
}

/** Whether nothing is there: a file in the place of a folder on the way is nothing, too. */
function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

function heldLock(file: Deno.FsFile): FileLock {
  return {
    async describe(text) {
      await file.truncate(0);
      await file.seek(0, Deno.SeekMode.Start);
      await writeAll(file, text);
    },
    async release() {
      // A free lock names nobody; closing lets go of it.
      await file.truncate(0).catch(() => {});
      file.close();
    },
  };
}

const encoder = new TextEncoder();

async function writeAll(file: Deno.FsFile, text: string): Promise<void> {
  let rest: Uint8Array = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
}

/** Runs a file operation; what fails fails as a `FileError` on `path`. */
async function at<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new FileError(problemOf(error), path, error);
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
};

function problemOf(error: unknown): FileProblem {
  if (error instanceof Deno.errors.NotCapable) return "denied";
  const code = (error as { code?: unknown }).code;
  return (typeof code === "string" ? CODES[code] : undefined) ?? "other";
}

/** What a file holds from a byte on, at most `most` bytes of it; `size` is that of the whole file, 0 when it is missing. */
export async function readFrom(
  path: string,
  offset: number,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly size: number }> {
  return await at(path, async () => {
    try {
      using file = await Deno.open(path);
      const { size } = await file.stat();
      const bytes = new Uint8Array(Math.max(0, Math.min(most, size - offset)));
      await file.seek(offset, Deno.SeekMode.Start);
      let read = 0;
      while (read < bytes.length) {
        const count = await file.read(bytes.subarray(read));
        if (count === null) break;
        read += count;
      }
      return { bytes: bytes.subarray(0, read), size };
    } catch (error) {
      if (isAbsent(error)) return { bytes: new Uint8Array(), size: 0 };
      throw error;
    }
  });
}

/** A file of at most so many bytes is read at once; a larger one holds nothing else up. */
const READ_AT_ONCE = 1 << 17;

/** The bytes of a whole file. */
export async function readBytes(
  path: string,
  { size }: Pick<FileInfo, "size">,
): Promise<Uint8Array<ArrayBuffer>> {
  return await at(
    path,
    () => size > READ_AT_ONCE ? Deno.readFile(path) : Deno.readFileSync(path),
  );
}

/**
 * What the last of some names is, each of them one step further down from a folder; undefined where one is missing, a
 * symbolic link, or neither a file nor a folder.
 */
export async function reached(
  folder: string,
  names: readonly string[],
): Promise<FileInfo | undefined> {
  return await at(folder, () => {
    let path = folder;
    let info: Deno.FileInfo | undefined;
    try {
      for (const name of names) {
        path += `/${name}`;
        info = Deno.lstatSync(path);
        if (!info.isFile && !info.isDirectory) return undefined;
      }
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    return info && infoOf(info);
  });
}

function infoOf({ isDirectory, size, mtime }: Deno.FileInfo): FileInfo {
  return { isFolder: isDirectory, size, modified: mtime?.getTime() ?? 0 };
}

/** The machine's files, as every record of the process shares them. */
export const diskFiles: DenoFileSystem = new DenoFileSystem();

/** Where a folder record is kept: a new directory in an archive, or an existing convening's. */
export type FolderPlace =
  | { readonly out: string; readonly dir?: undefined }
  | {
    readonly dir: string;
    readonly out?: undefined;
    /** Keys of its configuration that are other from now on; undefined takes one out. @default none */
    readonly changed?: Readonly<Record<string, unknown>> | undefined;
  };

/**
 * A record that is a directory of markdown: a new one, claimed in the archive `out`, or the convening in `dir`, which is
 * locked and read. Relative paths mean the working folder.
 */
export function folderRecord(
  place: FolderPlace,
  options: RecordOptions = {},
): RecordStore {
  const absolute = place.dir === undefined
    ? { out: resolve(place.out) }
    : { ...place, dir: resolve(place.dir) };
  return {
    open: (start: ConveningStart): Promise<OpenRecord> =>
      openRecord(diskFiles, absolute, {
        holder: describeHolder,
        ...options,
        start,
      }),
  };
}

/** Who holds a lock: the pid, and the host where asking for it is allowed. */
function describeHolder(): { pid: number; host: string } {
  const { state } = Deno.permissions.querySync({
    name: "sys",
    kind: "hostname",
  });
  const host = state === "granted" ? Deno.hostname() : "localhost";
  return { pid: Deno.pid, host };
}
