// Forks: a new convening of the first messages of another.
import { basename } from "@std/path";
import { type Clock, isoTime } from "../core/clock.ts";
import { ConfigurationError, RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { addUsage, type Message, NO_USAGE, sha256 } from "../core/message.ts";
import { type ConveningStart, eventOf } from "../core/event.ts";
import type { OpenRecord } from "../core/record.ts";
import { DirectoryVectors } from "./shelves.ts";
import { archiveAround } from "./archive.ts";
import { aboutOf, FACT_ROWS, rowOf } from "./codec.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { RESTORE } from "./problems.ts";
import {
  lostMessages,
  readRecordLeniently,
  type RecordContents,
  type RecordProblem,
  turnsIn,
} from "./read.ts";

/** Options of {@linkcode forkRecord}. */
export interface ForkOptions extends RecordOptions {
  /** The number of the last message to take over, from 1. */
  readonly at: number;
  /** The new text of message `at`, in markdown. @default the text on record */
  readonly edit?: string | undefined;
  /** The archive the fork stands in: an absolute path. @default the parent's, else the folder the parent is in */
  readonly out?: string | undefined;
  /** The files below `out`. @default those of the parent */
  readonly files?: FileSystem | undefined;
  readonly clock: Clock;
}

type ForkCut = Pick<ForkOptions, "at" | "edit">;

/**
 * Makes a new convening of the first messages of one and of every truth file about them, without verdicts and stops; an
 * edit leaves out what judged the message it replaces. Gives its directory; `resume` continues it. The parent is
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
    // The fork searches the same papers.
    for await (const kept of new DirectoryVectors(files, dir).read()) {
      await record.vectors.add([kept]);
    }
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

async function readParent(files: FileSystem, dir: string, cut: ForkCut): Promise<RecordContents> {
  const { contents, problems } = await readRecordLeniently(files, dir);
  const problem = problems.find((each) => contents === undefined || concernsFork(each, cut));
  if (problem === undefined && contents !== undefined) return contents;
  const { path, problem: state } = problem ??
    { path: "metadata.md", problem: "it cannot be read" };
  throw new RecordError("record_corrupt", `Cannot fork ${dir}: in ${path}, ${state}`, {
    field: path,
    hint: path.startsWith("messages/") && state.includes("sha256")
      ? "Fork at that message with --edit to take the change over, or put the text back."
      : RESTORE,
  });
}

/**
 * The facts of a fork: the first `at` messages and what is about them, in the order in which they may be applied. Fails
 * with `config_invalid` where `at` or `edit` cannot be used, and with `record_corrupt` where a message is missing.
 */
function selectFacts(facts: readonly Fact[], dir: string, { at, edit }: ForkCut): Fact[] {
  const body = edit === undefined ? undefined : checkedEdit(edit);
  checkRange(facts, dir, at);
  const taken = facts.filter((fact) => isTaken(fact, at, body !== undefined));
  checkWhole(taken, dir, at);
  const last = taken.findIndex((fact) => fact.type === "message" && fact.seq === at);
  if (body !== undefined) {
    if (last === -1) {
      throw new ConfigurationError(
        `Cannot edit message ${at} of ${dir}: that turn failed and has none`,
        { field: "at", hint: "Fork before it, or at another message." },
      );
    }
    const change = { body, marks: [], sha256: sha256(body), edited: true };
    taken[last] = { ...taken[last] as Message, ...change };
  }
  return taken.sort((a, b) => stageOf(a) - stageOf(b));
}

/** Tells whether a problem of the parent concerns facts that the fork takes over. */
function concernsFork({ path }: RecordProblem, { at, edit }: ForkCut): boolean {
  // Messages that are missing are found among what is taken over.
  if (path === "messages" || /^(verdicts|stops)\//.test(path)) return false;
  const [, folder, number] = /^([a-z-]+)\/0*(\d+)[_.]/.exec(path) ?? [];
  const row = FACT_ROWS.find((each) => each.folder === folder);
  // Files of a rolling summary have numbers of their own.
  if (row?.about === undefined || row.type === "context") return true;
  const replaced = edit !== undefined && (row.outlivesEdit !== true || row.type === "message");
  return Number(number) < at || (Number(number) === at && !replaced);
}

function isTaken(fact: Fact, at: number, isEdit: boolean): boolean {
  const { fork, outlivesEdit = false } = rowOf(fact);
  const about = aboutOf(fact) ?? 0;
  return fork !== "never" && (about < at || (about === at && (outlivesEdit || !isEdit)));
}

function checkedEdit(edit: string): string {
  const body = edit.replace(/\r\n?/g, "\n").trim();
  if (/[\p{L}\p{N}]/u.test(body)) return body;
  throw new ConfigurationError(
    "Cannot edit the message: the new text has no word in it",
    { field: "edit", hint: "Give a file that holds what is to be said." },
  );
}

function checkRange(facts: readonly Fact[], dir: string, at: number): void {
  const last = facts.reduce(
    (most, fact) => fact.type === "message" ? Math.max(most, fact.seq) : most,
    0,
  );
  if (Number.isInteger(at) && at >= 1 && at <= last) return;
  throw new ConfigurationError(
    `Cannot fork ${dir} at ${at}: ${
      last === 0 ? "it has no messages yet" : `it has messages 1 to ${last}`
    }`,
    { field: "at", hint: "Give the number of the last message to keep." },
  );
}

function checkWhole(selected: readonly Fact[], dir: string, at: number): void {
  const [lost] = lostMessages(selected, dir);
  if (lost !== undefined) throw lost;
  const there = turnsIn(selected);
  for (let seq = 1; seq <= at; seq++) {
    if (there.has(seq)) continue;
    throw new RecordError(
      "record_corrupt",
      `Cannot fork ${dir} at ${at}: message ${seq} is missing`,
      { field: dir, hint: `Resume the convening first, or fork at ${seq - 1} or before.` },
    );
  }
}

/** The place among the facts of a fork: by message, then by the order within the turn; what is about no turn last. */
function stageOf(fact: Fact): number {
  const { fork } = rowOf(fact);
  return typeof fork === "number" ? (aboutOf(fact) ?? 0) + fork : Number.MAX_SAFE_INTEGER;
}
