// The trash of an archive: a folder for deleted convenings, which no list, index or search reads.
import { basename, dirname, join } from "@std/path";
import { systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import { FileError, type FileSystem } from "../core/files.ts";
import { archiveAt } from "./archive.ts";
import { takeLock } from "./claim.ts";
import { describeHolder } from "./fs_store.ts";
import { asRecordError } from "./problems.ts";

/** The folder of an archive's deleted convenings: days, each with its convenings. */
export function trashOf(out: string): string {
  return join(out, "trash");
}

/**
 * Moves a convening between an archive and its trash, and writes the archive's indexes again. Fails with `locked` where a
 * process runs the convening, and with `taken` where the new directory is there already.
 */
export async function moveRecord(
  files: FileSystem,
  { out, from, to }: {
    /** The archive. */
    readonly out: string;
    /** The directory as it is, and as it will be. */
    readonly from: string;
    readonly to: string;
  },
): Promise<void> {
  const lock = await takeLock(files, from, { holder: describeHolder(), clock: systemClock });
  try {
    await files.makeFolder(dirname(to));
    await files.rename(from, to);
    for (const folder of [dirname(from), dirname(to)]) await files.flushFolder(folder);
  } catch (error) {
    const isTaken = error instanceof FileError && error.problem === "exists" &&
      error.path !== dirname(to);
    throw isTaken
      ? new ConveningError("taken", `Cannot move ${from}: ${to} is there already`, {
        field: "id",
        hint: "Move one of the two elsewhere.",
      })
      : asRecordError(error);
  } finally {
    await lock.release();
  }
  await archiveAt(files, out).refresh(basename(dirname(to)), basename(to));
}
