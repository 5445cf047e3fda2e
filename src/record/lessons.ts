// Lessons of an archive, in `.models.json`: keys of models' profiles that servers taught, for later convenings.
import { memo } from "../core/once_each.ts";
import { join } from "@std/path";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { defined } from "../core/defined.ts";
import { type FileSystem, writeDurably } from "../core/files.ts";
import { jsonIn } from "../core/json_text.ts";
import { LESSON_LIFE } from "../core/profile.ts";
import type { LearnedKey } from "./metadata_file.ts";

/** The most lessons of a file; the oldest are dropped. */
const MOST = 1000;
/** The most bytes of the file that are read. */
const MOST_BYTES = 4_000_000;

const lessonShape = memo(() => {
  const text = z.string().max(2000);
  return z.object({
    origin: text,
    model: text,
    key: text,
    from: z.json().optional(),
    to: z.json(),
    because: text,
    at: z.iso.datetime(),
  });
});
const fileShape = memo(() => z.object({ version: z.literal(1), lessons: z.array(z.unknown()) }));

/**
 * The lessons that the archive in `out` keeps, but for those of a time to come; none where the file is missing, a link, or no
 * file of lessons.
 */
export async function readLessons(files: FileSystem, out: string): Promise<LearnedKey[]> {
  const path = join(out, ".models.json");
  try {
    if (await files.stat(path) === undefined) return [];
    const { bytes } = await files.readFrom(path, 0, MOST_BYTES);
    const { data } = fileShape().safeParse(jsonIn(new TextDecoder().decode(bytes)));
    return data?.lessons.flatMap((each) => {
      const lesson = lessonShape().safeParse(each).data;
      return lesson === undefined || Date.parse(lesson.at) > systemClock.now()
        ? []
        : [defined(lesson)];
    }) ?? [];
  } catch {
    // A convening needs no lesson: the server teaches the lesson again.
    return [];
  }
}

/**
 * Adds a lesson to those of the archive in `out`, in the place of an earlier lesson of the same model and key. A lesson
 * that the archive has keeps its time; lessons over a week old are dropped. A file that cannot be written is no failure: the lesson is in the metadata.
 */
export async function keepLesson(
  files: FileSystem,
  out: string,
  lesson: LearnedKey,
): Promise<void> {
  try {
    const { lock } = await files.lock(join(out, ".lock"), { wait: true });
    try {
      const now = Date.parse(lesson.at);
      const known = (await readLessons(files, out))
        .filter(({ at }) => now - Date.parse(at) < LESSON_LIFE);
      if (known.some((each) => sameLesson(each, lesson))) return;
      const others = known.filter((each) =>
        each.origin !== lesson.origin || each.model !== lesson.model || each.key !== lesson.key
      );
      const lessons = [...others, lesson].slice(-MOST);
      const json = `${JSON.stringify({ version: 1, lessons }, null, 2)}\n`;
      await writeDurably(files, join(out, ".models.json"), json);
    } finally {
      await lock?.release();
    }
  } catch {
    // The next convening learns the lesson itself.
  }
}

/** True for lessons that are equal but for their times. */
export function sameLesson(a: LearnedKey, b: LearnedKey): boolean {
  const value = ({ origin, model, key, to, because }: LearnedKey) =>
    JSON.stringify([origin, model, key, to, because]);
  return value(a) === value(b);
}

/** Removes the lessons of the archive in `out`. */
export async function removeLessons(files: FileSystem, out: string): Promise<void> {
  await files.remove(join(out, ".models.json"));
}
