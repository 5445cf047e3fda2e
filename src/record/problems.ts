// Errors of records: what cannot be written, and what cannot be read.
import { RecordError } from "../core/error.ts";
import { FileError, type FileProblem, type FileSystem } from "../core/files.ts";

const STATES: Record<FileProblem, [string, string]> = {
  "not_found": [
    "its folder is gone",
    "Put the folder back where it was, then resume.",
  ],
  exists: [
    "something is in the way",
    "Move what is there, or choose another folder with --out.",
  ],
  denied: [
    "writing there is not allowed",
    "Change the folder's permissions, grant --allow-write for it, or choose another with --out.",
  ],
  full: [
    "the disk is full",
    "Free some space, then resume: what was accepted is intact.",
  ],
  "not_a_folder": [
    "a part of the path is a file, not a folder",
    "Choose another folder with --out.",
  ],
  other: [
    "the system refused",
    "See the error beneath, then resume: what was accepted is intact.",
  ],
};

/**
 * A failed file operation as `record_unwritable` that names the path and says what to do; other errors as they are. `again`
 * stands in the place of the advice to resume.
 */
export function asRecordError(error: unknown, again = ""): unknown {
  if (!(error instanceof FileError)) return error;
  const [state, advice] = STATES[error.problem];
  const hint = again === "" ? advice : advice.replace(/then resume[^.]*/, again);
  const detail = error.problem === "other" && error.cause instanceof Error
    ? ` (${error.cause.message})`
    : "";
  return new RecordError(
    "record_unwritable",
    `Cannot write ${error.path}: ${state}${detail}`,
    { cause: error, field: error.path, hint },
  );
}

/** Runs `work`; a file operation that fails, fails as {@linkcode asRecordError} has it. */
export async function writing<T>(work: () => Promise<T>, again?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRecordError(error, again);
  }
}

/** Runs `read`; where a file cannot be read or is damaged, gives the value of `otherwise`. */
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

/** The text of a file; undefined where there is none that can be read. */
export function readText(files: FileSystem, path: string): Promise<string | undefined> {
  return ifReadable(() => files.read(path), () => undefined);
}

/** The advice for a truth file that was changed. */
export const RESTORE = "Put the file back as it was, from a backup or from version control.";

/** A damaged file as `record_corrupt`; `problem` says what is wrong `at` a path, or at a line of the file at `path`. */
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

/** The failure to do something with `dir`, in which there is no convening. */
export function noConvening(act: string, dir: string): RecordError {
  return new RecordError(
    "not_found",
    `Cannot ${act}: there is no convening in it (no metadata.md)`,
    { field: dir, hint: "Give the directory of one convening." },
  );
}
