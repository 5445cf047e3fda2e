// Converts results of convenings into the JSON of the command line, HTTP and MCP.
import { join } from "@std/path";
import type { z } from "zod";
import {
  type ConveningStart,
  type Ending,
  noModelSentence,
  type WaitedFor,
  writersOf,
} from "../core/event.ts";
import { type EvidenceFigures, figuresIn } from "../core/paper.ts";
import { type EndReason, type Fact, messagesOf } from "../core/fact.ts";
import { NO_USAGE } from "../core/message.ts";
import type { Assessment, Strength } from "../core/outcome.ts";
import { defined } from "../core/values.ts";
import { type DebaterRecord, debatersOf, subjectOf } from "../papers/text/debaters.ts";
import { questionsIn } from "../papers/text/lists.ts";
import { debateReport } from "../papers/text/report.ts";
import { type Given, jsonOf, type PanelJson, panelOutput, resultOutput } from "./outputs.ts";

/** Keys that every result has; a run that failed before it began has only these. */
type RequiredKeys = "status" | "outcome" | "winner" | "scores" | "unscored" | "usage";

/** The result of a convening that ended, failed, paused or waits. */
export type ShownResult = Pick<Ending, RequiredKeys> & Partial<Omit<Ending, RequiredKeys>> & {
  /** Absolute path of the convening's directory. */
  readonly dir?: string | undefined;
  /** The protocol's return value, for kinds that record it. */
  readonly value?: unknown;
  readonly paper?: PaperResult | undefined;
};

/** The result of a convening without an ending: failed, and empty. */
export const NO_RESULT: ShownResult = {
  status: "failed",
  endReason: "failed",
  outcome: "unscored",
  winner: null,
  scores: {},
  unscored: [],
  usage: NO_USAGE,
};

/**
 * Converts a result into JSON: every key is present, null if it has no value, except `value` and `noModelSpoke`. `facts` have
 * the writers, and the reasons why words for a waiting turn were rejected.
 */
export function resultJson(
  { paper, strength, outcome, winner, ...result }: ShownResult,
  facts: readonly Fact[] = [],
): Given<z.output<typeof resultOutput>> {
  // The result so far of a convening that has not ended is no outcome.
  const hasEnded = result.endReason !== undefined;
  return jsonOf(resultOutput, {
    ...result,
    waitingFor: result.waitingFor && withReasons(result.waitingFor, facts),
    outcome: hasEnded ? outcome : null,
    winner: hasEnded ? winner : null,
    strength: strengthOf(strength),
    question: paper?.question,
    postures: paper?.postures,
    topics: paper?.topics,
    report: paper?.report?.data,
    verification: paper?.debaters,
    noModelSpoke: noModelSentence(writersOf(facts)) === undefined ? undefined : true,
  });
}

/** Adds to turns that wait for a person the reasons why their last words were rejected. */
export function withReasons(
  waitingFor: readonly WaitedFor[],
  facts: readonly Fact[],
): readonly (WaitedFor & { readonly rejected?: string | undefined })[] {
  const reasons = new Map(
    facts.flatMap((fact) => fact.type === "rejected" ? [[fact.turn, fact.reason]] : []),
  );
  return waitingFor.map((waited) => defined({ ...waited, rejected: reasons.get(waited.turn) }));
}

export function panelJson(
  { judges, panel: { strength, ...panel }, endReason }: {
    readonly judges: ConveningStart["judges"];
    readonly panel: Assessment;
    readonly endReason: EndReason;
  },
): PanelJson {
  const [{ rubric } = {}] = judges;
  return jsonOf(panelOutput, {
    ...panel,
    strength: strengthOf(strength),
    rubric,
    judges,
    endReason,
  });
}

function strengthOf(strength: Strength | undefined) {
  if (strength === undefined) return undefined;
  const votes = strength.votes.map((each) => ({ ...each, tiebreak: each.tiebreak ?? false }));
  return { ...strength, votes };
}

/** Results that only a paper debate has. */
export interface PaperResult {
  /** The debated question; undefined until it is settled. */
  readonly question: string | undefined;
  /** The generated questions; empty once one is chosen. */
  readonly questions: readonly string[];
  /** Postures in the order of the debaters. */
  readonly postures: readonly string[];
  /** Topics that each debater argues on. */
  readonly topics: readonly string[];
  /** Absolute paths of the report's page and JSON; undefined without a report. */
  readonly report: { readonly page: string; readonly data: string } | undefined;
  /** Debaters that argued or failed. */
  readonly debaters: readonly DebaterResult[];
}

export interface DebaterResult
  extends EvidenceFigures, Pick<DebaterRecord, "participant" | "name" | "posture"> {
  /** Topics without an argument; empty if no topic of the debater's argument is known. */
  readonly notArgued: readonly string[];
  /** Error message of a debater without a speech; else undefined. */
  readonly failure: string | undefined;
}

/** Returns the results of a paper debate from its facts; undefined for any other kind. */
export function paperResultOf(
  start: ConveningStart | undefined,
  facts: readonly Fact[],
  { dir }: { readonly dir: string | undefined },
): PaperResult | undefined {
  if (start?.kind !== "paper-debate") return undefined;
  const { question, postures, topics } = subjectOf(facts);
  const isReported = dir !== undefined && debateReport(start, facts) !== undefined;
  return {
    question: question === "" ? undefined : question,
    questions: question === ""
      ? messagesOf(facts, "questions").flatMap(({ body }) => questionsIn(body))
      : [],
    postures,
    topics,
    report: isReported
      ? { page: join(dir, "report.md"), data: join(dir, "report.json") }
      : undefined,
    debaters: debatersOf(start, facts).map((each) => debaterResult(each, topics)),
  };
}

function debaterResult(
  { participant, name, posture, speech, argument, evidence, failures }: DebaterRecord,
  topics: readonly string[],
): DebaterResult {
  const argued = (argument?.perTopic ?? []).map(({ topic }) => topic);
  const notArgued = argued.length === 0 ? [] : topics.filter((topic) => !argued.includes(topic));
  const failure = speech === undefined ? failures.at(-1)?.message : undefined;
  return { participant, name, posture, notArgued, failure, ...figuresIn(evidence) };
}
