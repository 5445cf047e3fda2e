// Results of convenings, as values and as the JSON of every door.
import { join } from "@std/path";
import type { z } from "zod";
import type { ConveningStart, Ending } from "../core/event.ts";
import { type EvidenceFigures, figuresOf } from "../core/paper.ts";
import type { Fact } from "../core/fact.ts";
import { NO_USAGE } from "../core/message.ts";
import type { Assessment, Strength } from "../core/outcome.ts";
import { type DebaterRecord, debatersOf, messagesOf, subjectOf } from "../papers/text/debaters.ts";
import { questionsIn } from "../papers/text/lists.ts";
import { debateReport } from "../papers/text/report.ts";
import type { Given } from "./operation.ts";
import { jsonOf, type PanelJson, panelOutput, resultOutput } from "./outputs.ts";

/** Keys of every result; the others are absent of a run that never began. */
type RequiredKeys = "status" | "outcome" | "winner" | "scores" | "unscored" | "usage";

/** The result of a convening that ended, rests, or failed. */
export type ShownResult = Pick<Ending, RequiredKeys> & Partial<Omit<Ending, RequiredKeys>> & {
  /** The absolute path of its directory. */
  readonly dir?: string | undefined;
  /** The protocol's return value, of kinds that keep it in the record. */
  readonly value?: unknown;
  /** Of a paper debate. */
  readonly paper?: PaperResult | undefined;
};

const NO_RESULT: ShownResult = {
  status: "failed",
  endReason: "failed",
  outcome: "unscored",
  winner: null,
  scores: {},
  unscored: [],
  usage: NO_USAGE,
};

/** The result of an ending; without one, that of no convening. */
export function resultOf(
  ending: Ending | undefined,
  { dir, paper }: Pick<ShownResult, "dir" | "paper">,
): ShownResult {
  return { ...ending ?? NO_RESULT, dir, paper };
}

/** The keys that `--json` prints of every run, null where there is nothing; `value` only of kinds that keep one. */
export function resultJson(
  { paper, strength, ...result }: ShownResult,
): Given<z.output<typeof resultOutput>> {
  return jsonOf(resultOutput, {
    ...result,
    strength: strengthOf(strength),
    question: paper?.question,
    postures: paper?.postures,
    topics: paper?.topics,
    report: paper?.report?.data,
    verification: paper?.debaters,
  });
}

/** The assessment of a new panel, as `--json` prints it with the convening. */
export function panelJson(
  { judges, panel: { strength, ...panel } }: {
    readonly judges: ConveningStart["judges"];
    readonly panel: Assessment;
  },
): PanelJson {
  const [{ rubric } = {}] = judges;
  return jsonOf(panelOutput, { ...panel, strength: strengthOf(strength), rubric, judges });
}

function strengthOf(strength: Strength | undefined) {
  if (strength === undefined) return undefined;
  const votes = strength.votes.map((each) => ({ ...each, tiebreak: each.tiebreak ?? false }));
  return { ...strength, votes };
}

/** Results of a paper debate besides those of any convening. */
export interface PaperResult {
  /** The debated question; undefined until it is settled. */
  readonly question: string | undefined;
  /** The questions that were put to the papers, as long as none of them was chosen. */
  readonly questions: readonly string[];
  /** The postures of the debaters, in their order. */
  readonly postures: readonly string[];
  /** The topics that each of them argues on. */
  readonly topics: readonly string[];
  /** The absolute paths of the report's page and data; undefined before there is one. */
  readonly report: { readonly page: string; readonly data: string } | undefined;
  /** The debaters that argued, or failed to. */
  readonly debaters: readonly DebaterResult[];
}

/** Results of one debater. */
export interface DebaterResult
  extends EvidenceFigures, Pick<DebaterRecord, "participant" | "name" | "posture"> {
  /** The topics that it did not argue on; empty where it argued on none that can be told. */
  readonly notArgued: readonly string[];
  /** Reason for the lack of an argument; undefined of a debater with one. */
  readonly failure: string | undefined;
}

/** The results in a record of a paper debate; undefined of any other kind. */
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

/** The figures of several pieces of evidence together. */
export function figuresIn(evidence: DebaterRecord["evidence"]): EvidenceFigures {
  const figures = evidence.map(figuresOf);
  return {
    verified: figures.reduce((sum, each) => sum + each.verified, 0),
    notFound: figures.reduce((sum, each) => sum + each.notFound, 0),
  };
}
