// Errors of records: files that cannot be written, and files that cannot be read.
import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import {
  checkPlain,
  FileError,
  type FileProblem,
  type FileSystem,
  systemWords,
} from "../core/files.ts";

const STATES: Record<FileProblem, [string, string]> = {
  "not_found": ["its folder is gone", "Put the folder back where it was, then resume."],
  exists: ["the name is taken", "Move the existing entry, or choose another folder."],
  denied: [
    "writing there is not allowed",
    "Change the folder's permissions, or choose another folder.",
  ],
  full: ["the disk is full", "Free some space, then resume: accepted turns are intact."],
  "not_a_folder": ["a part of the path is a file, not a folder", "Choose another folder."],
  "other_disk": [
    "the folder is on another disk, or in a lower layer of an overlay",
    "Replace the folder by a copy of it on this disk, then resume.",
  ],
  other: ["the system reports an error", "See the cause, then resume: accepted turns are intact."],
};

/** Converts a `FileError` to `record_unwritable`; returns other errors unchanged. `again` replaces the advice to resume. */
export function asRecordError(error: unknown, again = ""): unknown {
  if (!(error instanceof FileError)) return error;
  const [state, remedy] = STATES[error.problem];
  const advice = error.flag === undefined
    ? remedy
    : `Run the program with ${error.flag}, or choose another folder.`;
  const hint = again === "" ? advice : advice.replace(/then resume[^.]*/, again);
  const isOther = error.problem === "other";
  const detail = isOther && error.cause !== undefined ? ` (${systemWords(error.cause)})` : "";
  return new RecordError(
    "record_unwritable",
    // The failed operation may have been a read.
    `Cannot ${isOther ? "use" : "write"} ${error.path}: ${state}${detail}`,
    { cause: error, field: error.path, hint },
  );
}

/** Advice after an error of an operation that can simply be repeated. */
export const AGAIN = "then try again";

/** Runs `work`, and converts its error with {@linkcode asRecordError}. */
export async function withRecordErrors<T>(work: () => Promise<T>, again?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRecordError(error, again);
  }
}

/** Runs `read`; if a file is unreadable or damaged, returns the result of `otherwise`. */
export async function ifReadable<T, E>(
  read: () => Promise<T>,
  otherwise: (error: RecordError | FileError) => E,
): Promise<T | E> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RecordError || error instanceof FileError) return otherwise(error);
    throw error;
  }
}

/** Returns the text of a file; undefined for a missing or unreadable file. */
export function readText(files: FileSystem, path: string): Promise<string | undefined> {
  return ifReadable(() => files.read(path), () => undefined);
}

/** Hint for a truth file that was changed. */
export const RESTORE = "Put the file back as it was, from a backup or from version control.";

/** Creates a `record_corrupt` error. `at` is the file's path, or the path with a line number; `problem` follows it. */
export function corrupt(
  at: string,
  problem: string,
  { hint = RESTORE, cause, path = at }: {
    readonly hint?: string;
    readonly cause?: unknown;
    readonly path?: string;
  } = {},
): RecordError {
  const message = `Cannot read ${at}: ${problem}`;
  return new RecordError("record_corrupt", message, { cause, field: path, hint });
}

/**
 * Throws for a folder with an entry that is neither a file nor a folder: `record_corrupt` with the entry, or `not_found` if the
 * folder contains no convening. `act` is the action on the folder.
 */
export async function checkEntries(files: FileSystem, dir: string, act: string): Promise<void> {
  try {
    await checkPlain(files, dir);
  } catch (error) {
    if (await files.stat(join(dir, "metadata.md")) !== undefined) throw error;
    throw noConvening(`${act} ${dir}`, dir);
  }
}

/** Creates the `not_found` error of an action on `dir`, which does not exist or contains no convening. */
export function noConvening(act: string, dir: string): RecordError {
  const message = `Cannot ${act}: no convening is there (no metadata.md)`;
  const hint = "Give a convening's directory, as list prints it or in a study's debates.";
  return new RecordError("not_found", message, { field: dir, hint });
}
