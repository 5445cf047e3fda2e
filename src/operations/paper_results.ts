// Results of a paper debate, from its record.
import { join } from "@std/path";
import type { ConveningStart } from "../core/convening_start.ts";
import type { Fact } from "../core/fact.ts";
import { type DebaterRecord, debatersOf, messagesOf, subjectOf } from "../papers/text/debaters.ts";
import { type EvidenceFigures, figuresOf } from "../core/evidence.ts";
import { questionsIn } from "../papers/text/lists.ts";
import { debateReport } from "../papers/text/report.ts";

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
