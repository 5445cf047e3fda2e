// The folder of a study: configuration, plan and lock.
import { basename, dirname, join } from "@std/path";
import { stringify } from "@std/yaml";
import { z } from "zod";
import { ConfigurationError, RecordError } from "../core/error.ts";
import {
  errorAt,
  type FileLock,
  type FileSystem,
  temporaryName,
  writeDurably,
} from "../core/files.ts";
import { systemClock } from "../core/clock.ts";
import type { ConveningStart } from "../core/event.ts";
import { isObject } from "../core/values.ts";
import { removeAbandoned, takeLock } from "../record/claim.ts";
import { filesBelow } from "../record/disk_files.ts";
import { describeHolder } from "../record/folder_lock.ts";
import { canonicalJson } from "./plan.ts";
import { type CheckedStudy, id, keptStudy } from "./read_study.ts";
import type { Cell } from "./study.ts";
import { counted, thousands } from "../core/text.ts";

/** Folder of an archive with its studies. */
export const STUDIES = "studies";
/** Folder of a study with its convenings. */
export const DEBATES = "debates";
/** File in a study's folder that requests a stop of the run. */
export const STOP = ".stop";
/** File in a study's folder while the workers of a queue have convenings of the study. */
export const QUEUED = ".queued";

/** Size in bytes of a file that {@linkcode checkWritable} writes; a convening takes more. */
const PROBE = 1 << 16;

/** A study's folder. */
export interface StudyFolder {
  /** Absolute path. */
  readonly dir: string;
  /** Absolute path of the archive. */
  readonly archive: string;
  /** File system of the archive. */
  readonly files: FileSystem;
}

/** A study with its plan and folder; the folder may not exist yet. */
export interface StudyOnDisk extends StudyFolder {
  /** Configuration, with the topics of a file read in. */
  readonly study: CheckedStudy;
  /** Plan of the study. */
  readonly cells: readonly Cell[];
}

/** Returns the study folder at an absolute path `ARCHIVE/studies/ID`. Throws `not_found` for other paths. */
export function studyFolder(dir: string): StudyFolder {
  const archive = dirname(dirname(dir));
  if (basename(dirname(dir)) !== STUDIES) {
    throw missing(dir, "a study's folder is ARCHIVE/studies/ID");
  }
  return { dir, archive, files: filesBelow(archive) };
}

function missing(dir: string, state: string): RecordError {
  return new RecordError("not_found", `Cannot open ${dir}: ${state}`, {
    field: dir,
    hint: "Give the directory of a study, or run its study.yaml first.",
  });
}

/** Returns the path of a cell's record. */
export function cellDir({ dir }: Pick<StudyFolder, "dir">, { key }: Pick<Cell, "key">): string {
  return join(dir, DEBATES, key);
}

/** Throws `record_corrupt` if a record is of another convening than the cell's, as in a renamed or a stranger's folder. */
export function checkCell(
  { seed, participants }: Pick<ConveningStart, "seed" | "participants">,
  { key, first, second, ...cell }: Cell,
): void {
  const seats = participants.map(({ id }) => id).filter((id) => id === first || id === second);
  if (seed === cell.seed && seats[0] === first && seats[1] === second) return;
  throw corrupt(`${DEBATES}/${key}`, "it is the record of another convening");
}

/** Opens a study without a lock. Throws `not_found`, or `record_corrupt` if a file cannot be parsed. */
export async function openStudy(dir: string): Promise<StudyOnDisk> {
  const folder = studyFolder(dir);
  const study = await readConfiguration(folder);
  const cells = await readPlan(folder);
  if (study === undefined || cells === undefined) throw missing(dir, "no study is there");
  return { ...folder, study, cells };
}

async function readConfiguration({ dir, files }: StudyFolder): Promise<CheckedStudy | undefined> {
  const path = join(dir, "study.yaml");
  if (await files.stat(path) === undefined) return undefined;
  const text = await files.read(path);
  try {
    return keptStudy(text, path);
  } catch (cause) {
    throw corrupt(path, "it is not a valid study", cause);
  }
}

const CELL = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{16}$/),
  topic: id,
  first: id.optional(),
  second: id.optional(),
  format: id,
  repeat: z.int().min(1),
  seed: z.int().min(0),
  question: z.int().min(1).optional(),
});

async function readPlan({ dir, files }: StudyFolder): Promise<Cell[] | undefined> {
  const path = join(dir, "plan.jsonl");
  if (await files.stat(path) === undefined) return undefined;
  const lines = (await files.read(path)).split("\n").filter((line) => line !== "");
  const keys = new Set<string>();
  return lines.map((line, index) => {
    const at = `line ${index + 1}`;
    let cell: Cell;
    try {
      cell = CELL.parse(JSON.parse(line)) as Cell;
    } catch (cause) {
      throw corrupt(path, `${at} is not a valid cell`, cause);
    }
    if (keys.has(cell.key)) throw corrupt(path, `${at} repeats the cell of an earlier line`);
    keys.add(cell.key);
    return cell;
  });
}

function corrupt(path: string, state: string, cause?: unknown): RecordError {
  return new RecordError("record_corrupt", `Cannot use ${path}: ${state}`, {
    field: path,
    hint: "Put the file back as it was.",
    cause,
  });
}

/** Throws a `FileError` if no convening can be written, such as on a full disk or a mount that can only be read. */
export async function checkWritable({ dir, files }: StudyFolder): Promise<void> {
  const folder = join(dir, DEBATES);
  const path = join(folder, temporaryName("worker"));
  try {
    await files.write(path, "-".repeat(PROBE));
  } catch (error) {
    throw errorAt(error, path, folder);
  } finally {
    await files.remove(path).catch(() => {});
  }
}

/** Takes the lock of a study, creates missing folders, and removes abandoned files. Throws `locked` if the lock is taken. */
export async function lockStudy({ dir, files }: StudyFolder): Promise<FileLock> {
  await files.makeFolder(join(dir, DEBATES));
  const lock = await takeLock(files, dir, { holder: describeHolder(), clock: systemClock });
  for (const folder of [dir, join(dir, DEBATES)]) {
    await removeAbandoned(files, folder, systemClock);
  }
  return lock;
}

interface ExtendOptions {
  readonly extend?: boolean | undefined;
}

/**
 * Writes configuration and plan, and returns the resulting plan. Throws a `ConfigurationError` if the plan on disk has other
 * cells, or, without `extend`, fewer cells.
 */
export async function settlePlan(
  on: StudyOnDisk,
  options: ExtendOptions,
): Promise<readonly Cell[]> {
  const { dir, files, study } = on;
  const [before, planned] = [await readConfiguration(on), await readPlan(on)];
  const known = before === undefined ? [] : planned ?? [];
  const added = newCells(known, on, { before, ...options });
  const plan = [...known, ...added];
  const path = (name: string) => join(dir, name);
  if (added.length > 0 || planned === undefined) {
    const lines = plan.map((cell) => `${JSON.stringify(cell)}\n`).join("");
    await writeDurably(files, path("plan.jsonl"), lines, { truth: true });
  }
  if (before === undefined || canonicalJson(before) !== canonicalJson(study)) {
    const text = stringify(study, { schema: "core", skipInvalid: true });
    await writeDurably(files, path("study.yaml"), text, { truth: true });
  }
  return plan;
}

/** Returns the cells that the known plan lacks; errors as `settlePlan`. */
function newCells(
  known: readonly Cell[],
  { dir, study, cells }: StudyOnDisk,
  { before, extend }: ExtendOptions & { readonly before: CheckedStudy | undefined },
): Cell[] {
  const now = new Map(cells.map((cell) => [cell.key, canonicalJson(cell)]));
  const then = new Map(known.map((cell) => [cell.key, canonicalJson(cell)]));
  const lost = known.filter(({ key }) => now.get(key) !== then.get(key));
  const added = cells.filter(({ key }) => !then.has(key));
  if (lost.length === 0 && (added.length === 0 || extend === true || before === undefined)) {
    return added;
  }
  const changed = before === undefined ? [] : changedKeys(before, study);
  const what = changed.length > 0
    ? `${changed.join(", ")} changed`
    : "plan.jsonl does not match study.yaml";
  const state = `${thousands(lost.length)} of ${counted(known.length, "convening")} would change, ${
    thousands(added.length)
  } would be new`;
  throw new ConfigurationError(`Cannot run the study ${dir}: ${what}; ${state}`, {
    field: changed[0] ?? join(dir, "plan.jsonl"),
    hint: lost.length === 0 && extend === undefined
      ? "Add the new convenings with --extend-plan (elsewhere: extend), or take the change back."
      : changed.length > 0
      ? "Take the change back, or give the study another name: convenings of a plan are never altered."
      : "If a judge has a contestant's model under another name, an earlier version kept the judge: give excludeOwn: false. " +
        "Else put plan.jsonl back as it was, or give the study another name.",
  });
}

/** Returns the paths of keys with different values, such as `base.roundCount`. */
function changedKeys(before: object, now: object, above = ""): string[] {
  const [a, b] = [before, now] as Readonly<Record<string, unknown>>[];
  return [...new Set([...Object.keys(a!), ...Object.keys(b!)])].flatMap((key) => {
    const [was, is] = [a![key], b![key]];
    if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return [];
    return isObject(was) && isObject(is)
      ? changedKeys(was, is, `${above}${key}.`)
      : [`${above}${key}`];
  });
}
