import { basename } from "@std/path";
import { type Clock, isoTime } from "../core/clock.ts";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { addUsage, NO_USAGE } from "../core/message.ts";
import type { ConveningStart, OpenRecord, VectorShelf } from "../core/record.ts";
import { DirectoryVectors } from "./answers.ts";
import { archiveAround } from "./archive.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { eventOf } from "../core/event_fact.ts";
import { RESTORE } from "./problems.ts";
import { concernsFork, selectFacts } from "./fork_selection.ts";
import { readRecordLeniently, type RecordContents } from "./read.ts";

/** Options of {@linkcode forkRecord}. */
export interface ForkOptions extends RecordOptions {
  /** The number of the last message to take over, from 1. */
  readonly at: number;
  /** What message `at` says instead, in markdown. @default what it said */
  readonly edit?: string | undefined;
  /** The archive the fork stands in: an absolute path. @default the parent's, else the folder the parent is in */
  readonly out?: string | undefined;
  /** The files below `out`. @default those of the parent */
  readonly files?: FileSystem | undefined;
  readonly clock: Clock;
}

/**
 * Makes a new convening of the first messages of one and of every truth file about them, without verdicts and stops; an
 * edit leaves out what judged the message it replaces. Gives its directory; `resume` goes on from there. The parent is
 * not changed, and damage in it matters only where it concerns what is taken over.
 *
 * Fails with `not_found` where there is no convening, `config_invalid` for an `at` or `edit` that cannot be used,
 * `record_corrupt` for a damaged, edited or missing file, and `record_unwritable`.
 */
export async function forkRecord(
  files: FileSystem,
  dir: string,
  options: ForkOptions,
): Promise<string> {
  const { at, edit, clock, out = archiveAround(dir), files: forks = files, ...rest } = options;
  const contents = await readParent(files, dir, options);
  const facts = selectFacts(contents.facts, dir, { at, edit });
  const start: ConveningStart = {
    ...contents.start,
    startedAt: isoTime(clock),
    parent: { dir: basename(dir), seq: at },
  };
  const record = await openRecord(forks, { out }, { ...rest, clock, start });
  try {
    await applyAll(record, start, facts);
    await copyVectors(record, new DirectoryVectors(files, dir));
    await record.close();
  } catch (error) {
    // Half a fork would pass for a whole one.
    await record.close().catch(() => {});
    await forks.remove(record.dir).catch(() => {});
    throw error;
  }
  return record.dir;
}

async function applyAll(
  record: OpenRecord,
  start: ConveningStart,
  facts: readonly Fact[],
): Promise<void> {
  let n = 1;
  let usage = NO_USAGE;
  const at = start.startedAt;
  await record.apply({ type: "convening-start", start, n, at });
  for (const fact of facts) {
    const used = "usage" in fact ? fact.usage : undefined;
    if (used !== undefined) usage = addUsage(usage, used);
    const event = { ...eventOf(fact, usage), n: ++n, at: fact.createdAt };
    await record.apply(event);
  }
}

/** The fork searches the same papers. */
async function copyVectors({ vectors }: OpenRecord, from: VectorShelf): Promise<void> {
  for await (const kept of from.read()) await vectors?.add([kept]);
}

async function readParent(
  files: FileSystem,
  dir: string,
  cut: ForkOptions,
): Promise<RecordContents> {
  const { contents, problems } = await readRecordLeniently(files, dir);
  const problem = problems.find((each) => contents === undefined || concernsFork(each, cut));
  if (problem === undefined && contents !== undefined) return contents;
  const { path, problem: state } = problem ??
    { path: "metadata.md", problem: "it cannot be read" };
  throw new RecordError(
    "record_corrupt",
    `Cannot fork ${dir}: in ${path}, ${state}`,
    {
      field: path,
      hint: path.startsWith("messages/") && state.includes("sha256")
        ? "Fork at that message with --edit to take the change over, or put the text back."
        : RESTORE,
    },
  );
}
