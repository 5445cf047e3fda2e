// Locks of folders on the disk of the machine: taking one, keeping one over a rename, and naming the holder.
import { join } from "@std/path";
import { FileError } from "../core/files.ts";

export interface FolderLock {
  file: Deno.FsFile;
  /** True for the folder of a new record. */
  readonly isNew: boolean;
}

/** Renames a locked folder while its lock is released. */
export async function renameUnlocked(held: FolderLock, from: string, to: string): Promise<void> {
  // Closing alone frees the lock late on Windows, and elsewhere while a child process is being started.
  await held.file.unlock();
  held.file.close();
  const [renamed] = await Promise.allSettled([Deno.rename(from, to)]);
  const folder = renamed.status === "fulfilled" ? to : from;
  held.file = await Deno.open(join(folder, ".lock"), { read: true, write: true });
  if (!await acquireLock(held.file)) {
    throw new FileError("other", folder, new Error("another process locked it during its rename"));
  }
  if (renamed.status === "rejected") throw renamed.reason;
}

/**
 * Limits of waiting for a lock: pause between attempts in milliseconds, number of attempts, and attempts for a lock whose
 * file names a holder. A child process holds its parent's open files until its program starts, which takes long on a busy
 * machine.
 */
const LOCK_WAIT = { pause: 5, attempts: 200, namedAttempts: 10 } as const;

/**
 * Takes a file's exclusive lock unless another process holds it. `isLocked` holds a shared lock for a moment, which is
 * not a holder. A lock whose file is empty was released or taken just now.
 */
export async function acquireLock(file: Deno.FsFile): Promise<boolean> {
  let refusals = 0;
  for (let attempt = 0; attempt < LOCK_WAIT.attempts; attempt++) {
    if (await file.tryLock(true)) return true;
    // A shared lock is granted only where no exclusive lock is held.
    if (await file.tryLock(false)) await file.unlock();
    else if (++refusals > LOCK_WAIT.namedAttempts && (await file.stat()).size > 0) return false;
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT.pause));
  }
  return false;
}

/** Returns the holder for a lock file: the process id, and the host name if the permissions allow reading it. */
export function describeHolder(): { pid: number; host: string } {
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "hostname" });
  const host = state === "granted" ? Deno.hostname() : "localhost";
  return { pid: Deno.pid, host };
}
