// Lessons of an archive, taken in before a convening of the archive begins, and forgotten.
import { forgetLessons, learn } from "../agents/learned.ts";
import { filesBelow } from "../record/disk_files.ts";
import { readLessons, removeLessons } from "../record/archive.ts";

/**
 * Takes in the lessons that the archive in `out`, an absolute path, keeps. Lessons in the metadata of a record are none of
 * them: a stranger may have written the record.
 */
export async function recallLessons(out: string): Promise<void> {
  for (const { at, ...lesson } of await readLessons(filesBelow(out), out)) learn(lesson, at);
}

/** Forgets the lessons of this process and of the archive in `out`, an absolute path. */
export async function dropLessons(out: string): Promise<void> {
  forgetLessons();
  await removeLessons(filesBelow(out), out);
}
