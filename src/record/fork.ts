// Forks: creates a new convening from the first messages of another.
import { basename } from "@std/path";
import { type Clock, isoTime } from "../core/clock.ts";
import { ConfigurationError, RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import type { ConveningStart } from "../core/event.ts";
import { DirectoryVectors } from "./shelves.ts";
import { archiveAround } from "./archive_place.ts";
import { aboutOf, FACT_ROWS, needsOf, rowOf } from "./codec.ts";
import { openRecord } from "./directory_record.ts";
import { eventsOf } from "./log.ts";
import { RESTORE } from "./problems.ts";
import { readRecordLeniently, type RecordProblem, turnsIn } from "./read.ts";
import type { RecordContents } from "./record_model.ts";

export interface ForkOptions {
  /** Number of the last message to copy, from 1. */
  readonly at: number;
  /** New text of message `at`, in markdown. @default the recorded text */
  readonly edit?: string | undefined;
  /** Id of the parent. @default the name of its directory */
  readonly parent?: string | undefined;
  /** Absolute path of the fork's archive. @default the parent's archive, else the folder that contains the parent */
  readonly out?: string | undefined;
  /** File system that contains `out`. @default the parent's */
  readonly files?: FileSystem | undefined;
  readonly clock: Clock;
}

type ForkCut = Pick<ForkOptions, "at" | "edit">;

/**
 * Creates a new convening from the first messages of another and the truth files about them, without stops, and without
 * verdicts unless a copied message states them. An edit leaves out the scores and checks of the message that it replaces.
 * Returns the new directory, for `resume`. The parent is not changed; damage in the parent is an error only if it affects
 * the copied facts.
 *
 * Fails with `not_found` where there is no convening, `config_invalid` for an unusable `at` or `edit`, `record_corrupt`
 * for a damaged, edited or missing file, and `record_unwritable`.
 */
export async function forkRecord(
  files: FileSystem,
  dir: string,
  { parent = basename(dir), out = archiveAround(dir), files: forks = files, clock, ...cut }:
    ForkOptions,
): Promise<string> {
  const contents = await readParent(files, dir, cut);
  const facts = selectFacts(contents, cut);
  const start: ConveningStart = {
    ...contents.start,
    startedAt: isoTime(clock),
    parent: { dir: parent, seq: cut.at },
  };
  const record = await openRecord(forks, { out }, { clock, start });
  try {
    for (const event of eventsOf(start, facts)) await record.apply(event);
    // The fork searches the same papers and can reuse the vectors.
    for await (const kept of new DirectoryVectors(files, dir).read()) {
      await record.vectors.add([kept]);
    }
    await record.close();
  } catch (error) {
    // An incomplete fork would look complete.
    await record.close().catch(() => {});
    await forks.remove(record.dir).catch(() => {});
    throw error;
  }
  return record.dir;
}

async function readParent(files: FileSystem, dir: string, cut: ForkCut): Promise<RecordContents> {
  const { contents, problems } = await readRecordLeniently(files, dir);
  const problem = problems.find((each) =>
    contents === undefined || concernsFork(each, cut, contents.facts)
  );
  if (problem === undefined) return contents!;
  const { path, problem: state, fix = RESTORE } = problem;
  throw new RecordError("record_corrupt", `Cannot fork ${dir}: in ${path}, ${state}`, {
    field: path,
    hint: path.startsWith("messages/") && state.includes("sha256")
      ? "Fork at that message with edit to take the change over, or put the text back."
      : fix,
  });
}

/**
 * Returns the facts of a fork, in the order in which they are applied: the first `at` messages, and the facts about them.
 * Verdicts are copied only if a copied message states them.
 * Fails with `config_invalid` for an unusable `at` or `edit`, and with `record_corrupt` for a lost message.
 */
function selectFacts(parent: RecordContents, { at, edit }: ForkCut): Fact[] {
  const { dir, facts } = parent;
  const body = edit === undefined ? undefined : checkedEdit(edit);
  checkRange(facts, dir, at);
  const isJudged = statesVerdicts(facts, at);
  const copied = facts.filter((fact) =>
    isCopied(fact, at, body !== undefined) || (isJudged && fact.type === "verdict")
  );
  checkWhole(copied, parent, at);
  const last = copied.findIndex((fact) => fact.type === "message" && fact.seq === at);
  if (body !== undefined) {
    if (last === -1) {
      throw new ConfigurationError(
        `Cannot edit message ${at} of ${dir}: that turn failed and has none`,
        { field: "at", hint: "Fork before it, or at another message." },
      );
    }
    const change = { body, marks: [], sha256: sha256(body), edited: true };
    copied[last] = { ...copied[last] as Message, ...change };
  }
  return copied.sort((a, b) => forkOrder(a) - forkOrder(b));
}

function statesVerdicts(facts: readonly Fact[], at: number): boolean {
  return facts.some((fact) => fact.type === "message" && fact.kind === "verdict" && fact.seq <= at);
}

function concernsFork(
  { path }: RecordProblem,
  { at, edit }: ForkCut,
  facts: readonly Fact[],
): boolean {
  // `checkWhole` finds missing messages among the copied facts.
  if (path === "messages") return false;
  const [, folder, number] = /^([a-z-]+)\/(?:0*(\d+)[_.])?/.exec(path) ?? [];
  const row = FACT_ROWS.find((each) => each.folder === folder);
  if (row?.type === "verdict") return statesVerdicts(facts, at);
  if (row?.fork === "never") return false;
  // Files of rolling summaries are not numbered by message.
  if (row?.about === undefined || number === undefined || row.type === "context") return true;
  const replaced = edit !== undefined && (row.outlivesEdit !== true || row.type === "message");
  return Number(number) < at || (Number(number) === at && !replaced);
}

function isCopied(fact: Fact, at: number, isEdit: boolean): boolean {
  const { fork, outlivesEdit = false } = rowOf(fact);
  const about = aboutOf(fact) ?? 0;
  return fork !== "never" && (about < at || (about === at && (outlivesEdit || !isEdit)));
}

function checkedEdit(edit: string): string {
  const body = edit.replace(/\r\n?/g, "\n").trim();
  if (/[\p{L}\p{N}]/u.test(body)) return body;
  throw new ConfigurationError(
    "Cannot edit the message: the new text has no word in it",
    { field: "edit", hint: "Give the text to say." },
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

/** Throws for a message that is lost or, in a convening that is not complete, still in flight. */
function checkWhole(selected: readonly Fact[], parent: RecordContents, at: number): void {
  const seqs = turnsIn(selected);
  let seq = 1;
  while (seqs.has(seq)) seq++;
  if (seq > at) return;
  const { dir, status, start, facts } = parent;
  const isLost = status === "completed" || seq <= (start.parent?.seq ?? 0) ||
    facts.some((fact) => needsOf(fact).some(([needed]) => needed === seq));
  if (isLost) {
    throw new RecordError(
      "record_corrupt",
      `Cannot fork ${dir} at ${at}: message ${seq} is missing`,
      {
        field: dir,
        hint: `Put its file back, or fork at ${seq - 1} or before.`,
      },
    );
  }
  throw new ConfigurationError(`Cannot fork ${dir} at ${at}: message ${seq} is not said yet`, {
    field: "at",
    hint: `Wait for it, resume the convening if it does not run, or fork at ${seq - 1} or before.`,
  });
}

/** Returns the sort key of a fact in a fork: by message, then by order within the turn; facts about no turn come last. */
function forkOrder(fact: Fact): number {
  const { fork } = rowOf(fact);
  return typeof fork === "number" ? (aboutOf(fact) ?? 0) + fork : Number.MAX_SAFE_INTEGER;
}
