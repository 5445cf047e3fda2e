// Lists the convenings of an archive, a row each, and reads a convening again only after its files have changed.
import { basename, join } from "@std/path";
import { compareTexts, memoByObject } from "../core/values.ts";
import type { ConveningRow } from "../core/event.ts";
import { type FileSystem, inParallel } from "../core/files.ts";
import { seqOfName } from "./fact_row.ts";
import { byNumber, heldStatus } from "./archive.ts";
import { DAY } from "./archive_place.ts";
import { isNewFork } from "./metadata_file.ts";
import { ifReadable } from "./problems.ts";
import { readMetadata } from "./read.ts";
import { FileCache, settledStamp } from "./fact_cache.ts";

/** Returns the title of a convening in a list: the question of a debate over papers, else the topic, else the id. */
export function titleOf(
  { question, topic, dir }: {
    readonly question?: string | undefined;
    readonly topic?: string | undefined;
    readonly dir: string;
  },
): string {
  return question ?? topic ?? basename(dir);
}

const CONVENING = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)_/;

/** Lists the convenings of an archive, newest first, damaged ones as `unreadable`. Writes nothing and takes no lock. */
export async function listConvenings(files: FileSystem, out: string): Promise<ConveningRow[]> {
  const dirs: string[] = [];
  for (const day of await files.list(out)) {
    if (!DAY.test(day.name)) continue;
    const path = join(out, day.name);
    // Entries that are not plain folders are listed as unreadable.
    if (day.isOther === true) dirs.push(path);
    if (!day.isFolder) continue;
    for (const { name, isFolder, isOther } of await files.list(path)) {
      if ((isFolder || isOther === true) && CONVENING.test(name)) dirs.push(join(path, name));
    }
  }
  const archives = rowCache(files);
  const cache = new FileCache(archives.get(out));
  const rows = await inParallel(dirs, async (dir) => {
    const row = await cache.at(dir, await stampOf(files, dir), async () => {
      const value = await readRow(files, dir);
      // The convening may become readable without a change of its files.
      return { value, isSound: value.status !== "unreadable" };
    });
    return await withCurrentStatus(files, row);
  });
  archives.set(out, cache);
  return rows.sort(newestFirst);
}

/** Compares convenings by their start, the latest first; by the numbers of their directories if the starts are equal. */
export function newestFirst(a: ConveningRow, b: ConveningRow): number {
  return compareTexts(b.startedAt, a.startedAt) || byNumber(b.dir, a.dir);
}

/** Rows of the last listing, by archive. */
const rowCache = memoByObject((_: FileSystem) => new Map<string, FileCache<ConveningRow>>());

/** Returns a row with its current status: the lock is in no file, so the status is not cached. */
async function withCurrentStatus(files: FileSystem, row: ConveningRow): Promise<ConveningRow> {
  const status = await heldStatus(files, row.dir, row.status);
  return status === row.status ? row : { ...row, status };
}

/** Returns true for a convening that is shown as a new fork: it was never resumed, and no process runs it now. */
export function showsNewFork(
  { status, isNewFork }: { readonly status: string; readonly isNewFork?: boolean | undefined },
): boolean {
  return status === "interrupted" && isNewFork === true;
}

function stampOf(files: FileSystem, dir: string): Promise<string | undefined> {
  return ifReadable(async () => {
    const metadata = settledStamp(await files.stat(join(dir, "metadata.md")));
    const messages = settledStamp(await files.stat(join(dir, "messages")));
    return metadata && messages && `${metadata} ${messages}`;
    // Reading the row reports the problem.
  }, () => undefined);
}

async function readRow(files: FileSystem, dir: string): Promise<ConveningRow> {
  const messages = await countMessages(files, dir);
  return await ifReadable(async (): Promise<ConveningRow> => {
    const { start, progress, outcome, winner = null, strengthLevel, usage, question } =
      await readMetadata(files, dir);
    const { kind, topic, startedAt, participants, judges, parent } = start;
    const winnerName = participants.find(({ id }) => id === winner)?.name;
    const models = [...new Set([...participants, ...judges].map(({ model }) => model))];
    const { status } = progress;
    const fork = { parent, isNewFork: isNewFork(start, progress) || undefined };
    const ending = { outcome, winner, winnerName, strengthLevel, models, costUsd: usage.costUsd };
    const row = { dir, status, startedAt, messages, kind, topic, question, ...ending, ...fork };
    // A copy of the texts, which else keep the whole text of the file in memory.
    return JSON.parse(JSON.stringify(row));
  }, ({ message: problem }): ConveningRow => {
    const startedAt = timeOfName(dir);
    return { dir, status: "unreadable", startedAt, messages, winner: null, problem };
  });
}

export async function listRow(files: FileSystem, dir: string): Promise<ConveningRow> {
  return await withCurrentStatus(files, await readRow(files, dir));
}

function countMessages(files: FileSystem, dir: string): Promise<number> {
  return ifReadable(async () => {
    const entries = await files.list(join(dir, "messages"));
    return entries.filter(({ name }) => seqOfName(name) !== undefined).length;
  }, () => 0);
}

function timeOfName(dir: string): string {
  const name = basename(dir);
  const [, day = name, hour = "00", minute = "00", second = "00"] = CONVENING.exec(name) ?? [];
  return `${day}T${hour}:${minute}:${second}.000Z`;
}
