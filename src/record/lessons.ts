// Lessons about models of an archive, `.models.json`: keys of profiles that servers' responses taught.
import { join } from "@std/path";
import { systemClock } from "../core/clock.ts";
import { type FileSystem, withLock, writeDurably } from "../core/files.ts";
import { LESSON_LIFE } from "../core/profile.ts";
import { jsonIn, listIn, memo, objectIn } from "../core/values.ts";
import { schemaOf } from "./fact_row.ts";
import { LEARNED, type LearnedKey, withLesson } from "./metadata_file.ts";

/** Maximum lessons in the file; the oldest are dropped. */
const MOST_LESSONS = 1000;
/** Maximum bytes that are read of the file. */
const MOST_BYTES = 4_000_000;

/** Maximum characters of a lesson; a longer one is dropped. */
const MOST_CHARACTERS = 10_000;

const lessonShape = memo(() => schemaOf(LEARNED, "field"));

/** Reads the lessons of the archive `out`, except those with a future time; none if the file is missing, a link, or malformed. */
export async function readLessons(files: FileSystem, out: string): Promise<LearnedKey[]> {
  const path = join(out, ".models.json");
  try {
    const { bytes } = await files.readFrom(path, 0, MOST_BYTES);
    const { version, lessons } = objectIn(jsonIn(new TextDecoder().decode(bytes)));
    return listIn(version === 1 && lessons).flatMap((each) => {
      if (JSON.stringify(each).length > MOST_CHARACTERS) return [];
      const lesson = lessonShape().safeParse(each).data as LearnedKey | undefined;
      return lesson === undefined || Date.parse(lesson.at) > systemClock.now() ? [] : [lesson];
    });
  } catch {
    // A convening works without lessons: the server's response teaches them again.
    return [];
  }
}

/**
 * Adds a lesson to the archive in `out`, and replaces an earlier lesson of the same model and key. A known lesson keeps its
 * time; lessons over a week old are dropped. Failing to write the file is not an error, because `metadata.md` also has the
 * lesson.
 */
export async function keepLesson(
  files: FileSystem,
  out: string,
  lesson: LearnedKey,
): Promise<void> {
  const now = Date.parse(lesson.at);
  await changeLessons(files, out, (known) => {
    const current = known.filter(({ at }) => now - Date.parse(at) < LESSON_LIFE);
    return withLesson(current, lesson)?.slice(-MOST_LESSONS);
    // The next convening learns the lesson again.
  }).catch(() => {});
}

/** Replaces the lessons of the archive in `out` by the result of `change`, unless that is undefined. */
function changeLessons(
  files: FileSystem,
  out: string,
  change: (lessons: LearnedKey[]) => LearnedKey[] | undefined,
): Promise<void> {
  return withLock(files, join(out, ".lock"), async () => {
    const lessons = change(await readLessons(files, out));
    if (lessons === undefined) return;
    const json = `${JSON.stringify({ version: 1, lessons }, null, 2)}\n`;
    await writeDurably(files, join(out, ".models.json"), json);
  });
}

/** Removes the lessons of the archive in `out`: those of a model at a server, or all. */
export async function removeLessons(
  files: FileSystem,
  out: string,
  of?: Pick<LearnedKey, "origin" | "model">,
): Promise<void> {
  if (of === undefined) return await files.remove(join(out, ".models.json"));
  const isOther = ({ origin, model }: LearnedKey) => origin !== of.origin || model !== of.model;
  if ((await readLessons(files, out)).every(isOther)) return;
  await changeLessons(files, out, (lessons) => lessons.filter(isOther));
}
