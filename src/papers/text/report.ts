// The report of a paper debate, by arithmetic over its record.
import { assess, lastStop } from "../../judging/assessment.ts";
import type { ConveningStart } from "../../core/convening_start.ts";
import type { Fact } from "../../core/fact.ts";
import type { DebateReport, DebaterVerification } from "./debate_report.ts";
import { type DebaterRecord, debatersOf, messagesOf, subjectOf } from "./debaters.ts";
import {
  judgeVerdict,
  type PaperStandings,
  paperStandings,
  rankedScores,
  rubricOf,
} from "./judge_verdict.ts";
import { nextReads } from "./next_reads.ts";
import { reportMarkdown } from "./report_markdown.ts";
import { reportNotes } from "./report_notes.ts";
import { defined } from "../../core/defined.ts";
import {
  type Citations,
  figuresOf,
  type LookupHit,
  type Quotation,
  type TopicArgument,
  type WebSearchResult,
} from "../../core/evidence.ts";

/**
 * The report of a paper debate, by arithmetic over its record but for the reporter's summary; it does not depend on the
 * order of the facts. Undefined until the reporter has spoken; of a debate that ended early, until something was scored.
 */
export function debateReport(
  start: ConveningStart,
  facts: readonly Fact[],
): DebateReport | undefined {
  if (start.kind !== "paper-debate") return undefined;
  const report = messagesOf(facts, "report").at(-1);
  const stop = report === undefined ? lastStop(facts) : undefined;
  if (report === undefined && stop === undefined) return undefined;
  const standings = paperStandings(start, facts);
  const isScored = standings?.given.some(({ status }) => status === "scored") === true;
  const summary = report?.body ?? (isScored ? stop?.body : undefined);
  return summary === undefined ? undefined : reportOf(start, facts, {
    summary: summary.trim(),
    standings,
    isReported: report !== undefined,
  });
}

function reportOf(
  start: ConveningStart,
  facts: readonly Fact[],
  { summary, standings, isReported }: {
    readonly summary: string;
    readonly standings: PaperStandings | undefined;
    readonly isReported: boolean;
  },
): DebateReport {
  const { question, postures, topics } = subjectOf(facts);
  const debaters = debatersOf(start, facts);
  const verdict = judgeVerdict(start, facts);
  const { reads, why } = nextReads(start, facts);
  const report: Omit<DebateReport, "markdown"> = {
    question,
    topics,
    postures,
    summary,
    rankedPostures: rankedScores(verdict.perDebater),
    validatedInsights: verdict.insights,
    controversialPoints: verdict.controversialPoints,
    recommendedNextReads: reads,
    ...(why === undefined ? {} : { noNextReads: why }),
    appendix: {
      perDebaterKeyClaims: debaters.flatMap(keyClaimsOf),
      scoringTable: verdict.perDebater,
    },
    verification: debaters.map(verificationOf),
    verdict: comparisonOf(start, facts, debaters),
    rubric: rubricOf(standings),
    notes: reportNotes(start, facts, {
      debaters,
      topics,
      verdict,
      standings,
      isReported,
    }),
    papers: (start.papers ?? []).map(({ id, title }) => ({ id, title })),
  };
  // The seeds' keys first: a reader of the file meets the page of markdown before what was added.
  const { verification, verdict: compared, rubric, notes, papers, ...first } = report;
  const markdown = reportMarkdown(report);
  return { ...first, markdown, verification, verdict: compared, rubric, notes, papers };
}

function keyClaimsOf(
  { posture, argument }: DebaterRecord,
): DebateReport["appendix"]["perDebaterKeyClaims"] {
  if (argument === undefined) return [];
  return [{ posture, claims: argument.perTopic.map(({ topic, claim }) => ({ topic, claim })) }];
}

/** Posture that the judges named. */
function comparisonOf(
  start: ConveningStart,
  facts: readonly Fact[],
  debaters: readonly DebaterRecord[],
): DebateReport["verdict"] {
  const { outcome, winner } = assess(start, facts, { compareJudges: false });
  const named = debaters.find(({ participant }) => participant === winner);
  return { outcome, winner: named?.posture ?? winner };
}

/**
 * A debater's evidence as a report has it: every key in one order and none without a value, so that a report made while a
 * debate runs is to the letter the one made from its files.
 */
export function verificationOf(
  { name, posture, speech, argument, evidence }: DebaterRecord,
): DebaterVerification {
  const figures = evidence.map(figuresOf);
  const crossed = evidence.filter(({ seq }) => seq !== speech?.seq)
    .map(({ citations }) => citations);
  return {
    debater: name,
    posture,
    message: speech?.seq ?? null,
    verified: sum(figures.map(({ verified }) => verified)),
    notFound: sum(figures.map(({ notFound }) => notFound)),
    perTopic: (argument?.perTopic ?? []).map(topicOf),
    citations: citationsOf({
      paper: crossed.flatMap(({ paper = [] }) => paper),
      web: crossed.flatMap(({ web = [] }) => web),
    }),
    quotations: evidence.flatMap(({ quotations }) => quotations.map(quotationOf)),
  };
}

function topicOf(
  { topic, claim, reasoning, counterpoints, citations }: TopicArgument,
): TopicArgument {
  return { topic, claim, reasoning, counterpoints, citations: citationsOf(citations) };
}

function citationsOf({ paper = [], web = [] }: Citations): Citations {
  return {
    ...(paper.length === 0 ? {} : { paper: paper.map(passageOf) }),
    ...(web.length === 0 ? {} : { web: web.map(pageOf) }),
  };
}

function passageOf(
  { chunkId, text, score, paper, page, start, end, cited, status }: LookupHit,
): LookupHit {
  return defined({ chunkId, text, score, paper, page, start, end, cited, status });
}

function pageOf({ title, url, snippet, status }: WebSearchResult): WebSearchResult {
  return defined({ title, url, snippet, status });
}

function quotationOf(
  { text, status, from, source, start, end, page, parts, namedPage, topic }: Quotation,
): Quotation {
  return defined({
    text,
    status,
    from,
    source,
    start,
    end,
    page,
    parts: parts?.map(({ start, end, page }) => defined({ start, end, page })),
    namedPage,
    topic,
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
