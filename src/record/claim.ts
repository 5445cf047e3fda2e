// Claims a directory for writing: a new one in an archive, or an existing convening's. Also moves convenings to and from the
// trash of an archive.
import { basename, dirname, join } from "@std/path";
import { type Clock, isoTime, systemClock } from "../core/clock.ts";
import { ConfigurationError, ConveningError, RecordError } from "../core/error.ts";
import {
  checkPlain,
  errorAt,
  FileError,
  type FileLock,
  type FileSystem,
  isTemporary,
  removeTemporaries,
  temporaryName,
  writeDurably,
} from "../core/files.ts";
import { memoByObject, RecentMap } from "../core/values.ts";
import { paperFile } from "../core/paper.ts";
import type { ConveningStart } from "../core/event.ts";
import { archiveAt } from "./archive.ts";
import { FACT_ROWS } from "./codec.ts";
import { PAGE_FOLDERS } from "./page_tree.ts";
import { paperFolders, renderPaper } from "./papers.ts";
import { ANSWERS, INBOX, VECTORS } from "./shelves.ts";
import { AGAIN, noConvening, withRecordErrors } from "./problems.ts";
import { describeHolder } from "./folder_lock.ts";
import { cutHalfLine } from "./log.ts";
import type { RecordContents } from "./record_model.ts";

interface Claim {
  readonly dir: string;
  readonly lock: FileLock;
}

/** Age in milliseconds from which an unfinished directory or file is abandoned; a younger one may still be being written. */
const ABANDONED = 3_600_000;

/** Claims a new directory in the archive `out`: writes the files to a hidden folder, then renames it to the first free name. */
export async function claimDirectory(
  files: FileSystem,
  out: string,
  { start, as, metadata, ...holding }: Holding & {
    readonly start: ConveningStart;
    /** Path of the directory in the archive, with `/`. @default the day, and the first free name */
    readonly as?: string | undefined;
    readonly metadata: string;
  },
): Promise<Claim> {
  const name = as === undefined ? conveningName(start) : basename(as);
  const day = join(out, as === undefined ? start.startedAt.slice(0, 10) : dirname(as));
  await files.makeFolder(out);
  await files.makeFolder(day);
  if (as === undefined) {
    await checkIndexes(files, out);
    await checkIndexes(files, day);
    await removeAbandoned(files, day, holding.clock);
  }
  const hidden = join(day, temporaryName(name));
  let lock: FileLock | undefined;
  try {
    await files.makeFolder(hidden);
    ({ lock } = await files.lock(join(hidden, ".lock")));
    if (lock === undefined) throw new FileError("exists", hidden);
    await lock.describe(lockText(holding));
    await writeStart(files, hidden, start);
    await writeDurably(files, join(hidden, "metadata.md"), metadata, { truth: true });
    const rename = as === undefined ? renameOntoFree : renameOnto;
    const dir = await rename(files, hidden, join(day, name));
    await files.flushFolder(day);
    if (as === undefined) await files.flushFolder(out);
    return { dir, lock };
  } catch (error) {
    await lock?.release();
    await files.remove(hidden).catch(() => {});
    throw errorAt(error, hidden, join(day, name));
  }
}

async function writeStart(
  files: FileSystem,
  dir: string,
  { sources, papers = [] }: ConveningStart,
): Promise<void> {
  for (const [index, paper] of papers.entries()) {
    await writeDurably(files, join(dir, paperFile(index)), renderPaper(paper));
  }
  if (sources.length === 0) return;
  const folder = join(dir, "sources");
  await files.makeFolder(folder);
  for (const { name, text } of sources) {
    await writeDurably(files, join(folder, name), text);
  }
  await files.flushFolder(folder);
}

/** Renames a directory to a given name. Fails with `taken` if a convening has the name. */
async function renameOnto(files: FileSystem, from: string, dir: string): Promise<string> {
  try {
    await files.rename(from, dir);
    return dir;
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    const message = `Cannot make ${dir}: the folder contains a convening already`;
    const hint = "Resume that convening, or move it elsewhere.";
    throw new ConveningError("taken", message, { field: dir, hint, cause: error });
  }
}

function isNameTaken(error: unknown): boolean {
  return error instanceof FileError &&
    (error.problem === "exists" || error.problem === "not_a_folder");
}

/** Last number tried for each name, so that convenings that start at the same time try different names. */
const latestNumbers = memoByObject((_files: FileSystem) => new RecentMap<number>(100));

async function renameOntoFree(files: FileSystem, hidden: string, dir: string): Promise<string> {
  const latest = latestNumbers(files);
  for (;;) {
    const number = (latest.get(dir) ?? 0) + 1;
    latest.set(dir, number);
    const target = number === 1 ? dir : `${dir}-${number}`;
    try {
      await files.rename(hidden, target);
      return target;
    } catch (error) {
      if (!isNameTaken(error) || number >= 100_000) throw error;
    }
  }
}

/** Returns the start time, to the second, with the kind, as a directory name. */
export function conveningName({ startedAt, kind }: ConveningStart): string {
  const word = kind.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return `${startedAt.slice(0, 19).replaceAll(":", "-")}_${word === "" ? "convening" : word}`;
}

/** Fails with `record_corrupt` if an index file of a folder in an archive is not a plain file, before the convening starts. */
async function checkIndexes(files: FileSystem, folder: string): Promise<void> {
  for (const { name, isOther } of await files.list(folder)) {
    const isOurs = isTemporary(name) || ["index.md", "pages", ".lock"].includes(name);
    if (isOther === true && isOurs) await files.stat(join(folder, name));
  }
}

/** Removes temporary files and directories that have not changed for so long that their writer must be gone. */
export async function removeAbandoned(
  files: FileSystem,
  folder: string,
  clock: Clock,
): Promise<void> {
  for (const { name, isFolder } of await files.list(folder)) {
    if (!isTemporary(name)) continue;
    const path = join(folder, name);
    const { modified = Infinity } = await files.stat(path) ?? {};
    if (clock.now() - modified < ABANDONED) continue;
    const { lock } = isFolder ? await files.lock(join(path, ".lock")) : {};
    if (isFolder && lock === undefined) continue;
    await files.remove(path);
    await lock?.release();
  }
}

/**
 * Opens the convening in `dir`: locks the directory, removes what a crash left, reads the contents, and checks the kind if
 * one is given. Fails with `locked` if another process holds the lock.
 */
export async function reopenDirectory(
  files: FileSystem,
  dir: string,
  { kind, ...holding }: Holding & { readonly kind?: string | undefined },
): Promise<Claim & { readonly contents: RecordContents }> {
  if (await files.stat(join(dir, "metadata.md")) === undefined) {
    throw noConvening(`open ${dir}`, dir);
  }
  await checkPlain(files, dir);
  const lock = await takeLock(files, dir, holding);
  try {
    await removeUnfinished(files, dir, holding.clock);
    const { readRecord } = await import("./read.ts");
    const contents = await readRecord(files, dir);
    if (kind !== undefined && contents.start.kind !== kind) {
      throw new ConfigurationError(
        `Cannot open ${dir} as a ${kind}: it is a ${contents.start.kind}`,
        { field: "kind", hint: `Resume it as a ${contents.start.kind}.` },
      );
    }
    for (const name of ["log.jsonl", VECTORS]) await cutHalfLine(files, join(dir, name));
    return { dir, lock, contents };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Takes the lock of a folder and writes the holder into the lock file. Fails with `locked` if another process holds the lock. */
export async function takeLock(
  files: FileSystem,
  dir: string,
  holding: Holding,
): Promise<FileLock> {
  const { lock, holder: other } = await files.lock(join(dir, ".lock"));
  if (lock === undefined) {
    throw new RecordError(
      "locked",
      `Cannot open ${dir}: ${holderWords(other, holding.clock)} has it open`,
      { field: dir, hint: "Wait until that process is done, or pause its run, and try again." },
    );
  }
  try {
    await lock.describe(lockText(holding));
  } catch (error) {
    await lock.release();
    throw error;
  }
  return lock;
}

/**
 * Moves a convening between an archive and its trash, and updates the archive's indexes. Fails with `locked` if a process
 * runs the convening, with `taken` if the target exists, and with `not_found` if another move was faster.
 */
export async function moveRecord(
  files: FileSystem,
  { out, from, to }: {
    readonly out: string;
    /** Current and new path of the directory. */
    readonly from: string;
    readonly to: string;
  },
): Promise<void> {
  await withRecordErrors(async () => {
    await files.makeFolder(dirname(to));
    let lock: FileLock | undefined;
    try {
      lock = await takeLock(files, from, { holder: describeHolder(), clock: systemClock });
      await renameOnto(files, from, to);
    } catch (error) {
      if (!(error instanceof FileError) || error.problem !== "not_found") throw error;
      throw noConvening(`move ${from}`, from);
    } finally {
      await lock?.release();
    }
    for (const folder of [dirname(from), dirname(to)]) await files.flushFolder(folder);
    await archiveAt(files, out).refresh(basename(dirname(to)), basename(to));
  }, AGAIN);
}

/** Removes temporary files; of submissions only abandoned ones, because other processes may still be writing them. */
async function removeUnfinished(files: FileSystem, dir: string, clock: Clock): Promise<void> {
  const folders = ["", "sources", ...Object.values(PAGE_FOLDERS), ANSWERS]
    .concat(FACT_ROWS.map(({ folder }) => folder), await paperFolders(files, dir));
  for (const folder of folders) await removeTemporaries(files, join(dir, folder));
  await removeTemporaries(files, join(dir, INBOX), clock.now() - ABANDONED);
}

/** Process that holds a record. */
export interface RecordHolder {
  /** Process id. */
  readonly pid: number;
  /** Host name. */
  readonly host: string;
}

/** Process that takes a lock, and its clock. */
interface Holding {
  readonly holder: RecordHolder;
  readonly clock: Clock;
}

/** Formats the text of a lock file: a key per line. */
function lockText({ holder: { pid, host }, clock }: Holding): string {
  return `pid: ${pid}\nhost: ${host}\nstarted_at: ${isoTime(clock)}\n`;
}

/** Names the holder in the text of a lock file, such as `process 4711 on alpha`. */
export function holderName(text: string): string {
  const [, pid, host] = /^pid: (\d+)\nhost: (\S+)$/m.exec(text) ?? [];
  return pid === undefined ? "another process" : `process ${pid} on ${host}`;
}

/** Describes the holder in the text of a lock file, such as `process 4711 on alpha, for 12 s,`. */
function holderWords(text: string, clock: Clock): string {
  const [, started] = /^started_at: (\S+)$/m.exec(text) ?? [];
  if (started === undefined) return holderName(text);
  const seconds = Math.round((clock.now() - Date.parse(started)) / 1000);
  return `${holderName(text)}, for ${Math.max(0, seconds)} s,`;
}
