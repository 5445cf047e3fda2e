// Folders of an archive: its days, its trash, and the directories of convenings.
import { basename, dirname, join } from "@std/path";

/** Matches the directory name of a convening: start time and kind. */
export const CONVENING = /^\d{4}-\d\d-\d\dT(\d\d)-(\d\d)-(\d\d)_[a-z0-9-]+$/;
/** Matches the name of a day's folder. */
export const DAY = /^\d{4}-\d\d-\d\d$/;

interface ArchivePlace {
  readonly out: string;
  /** Absent for a convening of a study, which no index lists. */
  readonly day?: string;
  readonly name: string;
}

/** Splits the path of a convening's directory into archive, day and name; undefined for a directory outside an archive. */
export function archivePlace(dir: string): ArchivePlace | undefined {
  const name = basename(dir);
  const above = dirname(dir);
  const day = basename(above);
  if (DAY.test(day) && CONVENING.test(name)) return { out: dirname(above), day, name };
  const isOfStudy = /[\\/]studies[\\/][a-z0-9-]+[\\/]debates[\\/][0-9a-f]{16}$/.test(dir);
  return isOfStudy ? { out: join(above, "../../.."), name } : undefined;
}

/** Returns the archive that contains a convening's directory; the parent folder for a directory outside an archive. */
export function archiveAround(dir: string): string {
  const place = archivePlace(dir);
  if (place !== undefined) return place.out;
  const above = dirname(dir);
  return DAY.test(basename(above)) ? dirname(above) : above;
}

/** Returns the folder of an archive's deleted convenings, with a folder per day. */
export function trashOf(out: string): string {
  return join(out, "trash");
}
