import { ConfigurationError, RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { type Message, sha256 } from "../core/message.ts";
import { aboutOf, FACT_ROWS, rowOf } from "./codec.ts";
import { lostMessages, type RecordProblem } from "./read.ts";

/** What is taken over into a fork. */
export interface ForkCut {
  /** The number of the last message taken over. */
  readonly at: number;
  /** What message `at` says instead, if anything. */
  readonly edit?: string | undefined;
}

/**
 * The facts of a fork: the first `at` messages and what is about them, in the order in which they may be applied. Fails
 * with `config_invalid` where `at` or `edit` cannot be used, and with `record_corrupt` where a message is missing.
 */
export function selectFacts(
  facts: readonly Fact[],
  dir: string,
  { at, edit }: ForkCut,
): Fact[] {
  const body = edit === undefined ? undefined : checkedEdit(edit);
  checkRange(facts, dir, at);
  const isEdit = body !== undefined;
  const selected = facts.filter((fact) => isTaken(fact, at, isEdit))
    .map((fact) =>
      isEdit && fact.type === "message" && fact.seq === at ? edited(fact, body) : fact
    );
  checkWhole(selected, dir, at);
  if (isEdit && !selected.some((fact) => isMessageAt(fact, at))) {
    throw new ConfigurationError(
      `Cannot edit message ${at} of ${dir}: that turn failed and has none`,
      { field: "at", hint: "Fork before it, or at another message." },
    );
  }
  return selected.sort((a, b) => stageOf(a) - stageOf(b));
}

/** Whether something wrong in the parent concerns what a fork takes over. */
export function concernsFork(
  { path }: RecordProblem,
  { at, edit }: ForkCut,
): boolean {
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

function edited(message: Message, body: string): Message {
  return { ...message, body, marks: [], sha256: sha256(body), edited: true };
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
  let last = 0;
  for (const fact of facts) {
    if (fact.type === "message") last = Math.max(last, fact.seq);
  }
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
  const there = new Set<number>();
  for (const fact of selected) {
    if (fact.type === "message" || fact.type === "failure") there.add(fact.seq);
  }
  for (let seq = 1; seq <= at; seq++) {
    if (there.has(seq)) continue;
    throw new RecordError(
      "record_corrupt",
      `Cannot fork ${dir} at ${at}: message ${seq} is missing`,
      {
        field: dir,
        hint: `Resume the convening first, or fork at ${seq - 1} or before.`,
      },
    );
  }
}

function isMessageAt(fact: Fact, at: number): boolean {
  return fact.type === "message" && fact.seq === at;
}

/** The place among the facts of a fork: by message, then by the order within the turn; what is about no turn last. */
function stageOf(fact: Fact): number {
  const { fork } = rowOf(fact);
  return typeof fork === "number" ? (aboutOf(fact) ?? 0) + fork : Number.MAX_SAFE_INTEGER;
}
