// Lessons of an archive, taken in before a convening of the archive begins, and forgotten.
import { forgetLessons, learn } from "../agents/learned.ts";
import { filesBelow } from "../record/disk_files.ts";
import { readLessons, removeLessons } from "../record/lessons.ts";
import type { LearnedKey } from "../record/metadata_file.ts";

/** Takes in the lessons that the archive in `out`, an absolute path, keeps, and over them those of a record. */
export async function recallLessons(
  out: string,
  recorded: readonly LearnedKey[] = [],
): Promise<void> {
  const kept = await readLessons(filesBelow(out), out);
  for (const { at, ...lesson } of [...kept, ...recorded]) learn(lesson, at);
}

/** Forgets the lessons of this process and of the archive in `out`, an absolute path. */
export async function dropLessons(out: string): Promise<void> {
  forgetLessons();
  await removeLessons(filesBelow(out), out);
}
