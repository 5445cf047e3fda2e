// Reads what an archive has learned about models: biases of judges, and lessons from servers' errors.
import { join } from "@std/path";
import { z } from "zod";
import { forgetLessons, learn } from "../agents/learned.ts";
import { isOneModel } from "../judging/panels.ts";
import { newestDirs, readLessons, removeLessons } from "../record/archive.ts";
import { filesBelow } from "../record/disk_files.ts";
import { ifReadable } from "../record/problems.ts";

const Profile = z.object({ biases: z.array(z.string().max(500)).max(20) });
/** Matches the directory name of a judge check. */
const CHECK = /_judge-check(?:-\d+)?$/;

/**
 * Returns the biases that the newest completed judge check of a model found, a sentence each: the newest full check, else the newest
 * with a third of the questions. Empty if the archive has no check of the model.
 */
export async function knownBiases(archive: string, model: string): Promise<readonly string[]> {
  const files = filesBelow(archive);
  const checkIn = (path: string) =>
    ifReadable(async () => {
      const text = await files.read(path);
      const { parseMetadata } = await import("../record/read_pages.ts");
      const { start: { kind, participants, configuration }, progress } = parseMetadata(text, path);
      const isOfModel = isOneModel(participants.at(-1)?.model ?? "", model);
      if (kind !== "judge-check" || progress.status !== "completed" || !isOfModel) return undefined;
      const profile = Profile.safeParse(progress.value).data;
      return profile && { ...profile, isQuick: configuration["quick"] === true };
    }, () => undefined);
  let quick: readonly string[] | undefined;
  for await (const dir of newestDirs(files, archive)) {
    const found = CHECK.test(dir) ? await checkIn(join(dir, "metadata.md")) : undefined;
    if (found?.isQuick === false) return found.biases;
    quick ??= found?.biases;
  }
  return quick ?? [];
}

/**
 * Loads the lessons of the archive in `out`, an absolute path. Lessons in the metadata of records are ignored, because a stranger may
 * have written a record.
 */
export async function recallLessons(out: string): Promise<void> {
  for (const { at, ...lesson } of await readLessons(filesBelow(out), out)) learn(lesson, at);
}

/** Forgets the lessons of this process, and those of the archive in `out`, an absolute path: of a model at a server, or all. */
export async function dropLessons(
  out: string,
  of?: { readonly origin: string; readonly model: string },
): Promise<void> {
  forgetLessons();
  await removeLessons(filesBelow(out), out, of);
}
