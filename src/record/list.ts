// The list of an archive: one line a convening, read again once its files have changed.
import { basename, join } from "@std/path";
import { defined, onceEach } from "../core/values.ts";
import type { Outcome, Status } from "../core/fact.ts";
import type { Usage } from "../core/message.ts";
import type { ConveningStart } from "../core/event.ts";
import { type FileSystem, inParallel } from "../core/files.ts";
import { seqOfName } from "./fact_row.ts";
import { byNumber, compareTexts, DAY } from "./archive.ts";
import { ifReadable } from "./problems.ts";
import { readMetadata, settledStamp } from "./read.ts";

/** One convening of an archive, in one line. */
export interface ConveningRow {
  /** The path of its directory. */
  readonly dir: string;
  /** `interrupted`: it says `running`, and no process holds its lock. `unreadable`: `problem` says why. */
  readonly status: Status | "interrupted" | "unreadable";
  /** ISO 8601, UTC; of an unreadable one, what its directory's name says. */
  readonly startedAt: string;
  /** Number of message files. */
  readonly messages: number;
  /** Absent where `metadata.md` cannot be read. */
  readonly kind?: string;
  /** Absent where `metadata.md` cannot be read. */
  readonly topic?: string;
  /** Absent while there is none. */
  readonly outcome?: Outcome;
  /** The winner's id; null when no one won or it is not known. */
  readonly winner: string | null;
  /** The winner's name. */
  readonly winnerName?: string;
  /** The models of participants and judges, each once. Absent where `metadata.md` cannot be read. */
  readonly models?: readonly string[];
  /** US dollars so far. Absent where `metadata.md` cannot be read. */
  readonly costUsd?: Usage["costUsd"];
  /** The convening and message that it was forked from. Absent of a convening that is no fork. */
  readonly parent?: ConveningStart["parent"];
  /** The reason why the convening cannot be read. */
  readonly problem?: string;
}

const CONVENING = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)_/;

/** The convenings of an archive, newest first; damaged ones are listed as unreadable. Writes nothing, takes no lock. */
export async function listConvenings(files: FileSystem, out: string): Promise<ConveningRow[]> {
  const dirs: string[] = [];
  for (const day of await files.list(out)) {
    if (!DAY.test(day.name)) continue;
    const path = join(out, day.name);
    // Entries that are no plain folder are listed as unreadable.
    if (day.isOther === true) dirs.push(path);
    if (!day.isFolder) continue;
    for (const { name, isFolder, isOther } of await files.list(path)) {
      if ((isFolder || isOther === true) && CONVENING.test(name)) dirs.push(join(path, name));
    }
  }
  const archives = known(files);
  const before = archives.get(out);
  const read = new Map<string, KnownRow>();
  const rows = await inParallel(dirs, async (dir) => {
    const stamp = await stampOf(files, dir);
    const found = before?.get(dir);
    const isSame = stamp !== undefined && found?.stamp === stamp;
    const row = isSame ? found.row : await readRow(files, dir);
    // One that cannot be read may become readable without a change of its files.
    if (stamp !== undefined && row.status !== "unreadable") read.set(dir, { row, stamp });
    return await standingRow(files, row);
  });
  archives.set(out, read);
  return rows.sort((a, b) => compareTexts(b.startedAt, a.startedAt) || byNumber(b.dir, a.dir));
}

/** The row of a convening as its files had it, with their stamp at that time. */
interface KnownRow {
  readonly stamp: string;
  readonly row: ConveningRow;
}

/** The rows of archives as they were last listed, by archive and directory. */
const known = onceEach((_: FileSystem) => new Map<string, ReadonlyMap<string, KnownRow>>());

/** As a row stands now: who holds a convening's lock is in no file. */
async function standingRow(files: FileSystem, row: ConveningRow): Promise<ConveningRow> {
  const status = await heldStatus(files, row.dir, row.status);
  return status === row.status ? row : { ...row, status };
}

/** A recorded status as it is shown: `interrupted` where it is `running` and no process holds the convening's lock. */
export async function heldStatus<S extends string>(
  files: FileSystem,
  dir: string,
  status: S,
): Promise<S | "interrupted"> {
  return status === "running" && !await isHeld(files, dir) ? "interrupted" : status;
}

function stampOf(files: FileSystem, dir: string): Promise<string | undefined> {
  return ifReadable(async () => {
    const metadata = settledStamp(await files.stat(join(dir, "metadata.md")));
    const messages = settledStamp(await files.stat(join(dir, "messages")));
    return metadata && messages && `${metadata} ${messages}`;
    // Reading says what is wrong.
  }, () => undefined);
}

async function readRow(files: FileSystem, dir: string): Promise<ConveningRow> {
  const messages = await countMessages(files, dir);
  return await ifReadable(async (): Promise<ConveningRow> => {
    const { start, progress, outcome, winner = null, usage } = await readMetadata(files, dir);
    const { kind, topic, startedAt, participants, judges, parent } = start;
    const winnerName = participants.find(({ id }) => id === winner)?.name;
    const models = [...new Set([...participants, ...judges].map(({ model }) => model))];
    const { status } = progress;
    const ending = { outcome, winner, winnerName, models, costUsd: usage.costUsd, parent };
    return defined({ dir, status, startedAt, messages, kind, topic, ...ending });
  }, ({ message: problem }): ConveningRow => {
    const startedAt = timeOfName(dir);
    return { dir, status: "unreadable", startedAt, messages, winner: null, problem };
  });
}

/** The row of the convening in `dir`. */
export async function listRow(files: FileSystem, dir: string): Promise<ConveningRow> {
  return await standingRow(files, await readRow(files, dir));
}

function countMessages(files: FileSystem, dir: string): Promise<number> {
  return ifReadable(async () => {
    const entries = await files.list(join(dir, "messages"));
    return entries.filter(({ name }) => seqOfName(name) !== undefined).length;
  }, () => 0);
}

/** Tells whether a process holds a convening's lock. A lock that cannot be asked for counts as held. */
export function isHeld(files: FileSystem, dir: string): Promise<boolean> {
  return ifReadable(() => files.isLocked(join(dir, ".lock")), () => true);
}

function timeOfName(dir: string): string {
  const name = basename(dir);
  const [, day = name, hour = "00", minute = "00", second = "00"] = CONVENING.exec(name) ?? [];
  return `${day}T${hour}:${minute}:${second}.000Z`;
}
