// Computes the report of a paper debate, with notes for readers, from the facts of its record.
import { type ConveningStart, noticesOf } from "../../core/event.ts";
import { type Citations, figuresIn, unreadPages } from "../../core/paper.ts";
import { endWords, type Fact, messagesOf, type Score } from "../../core/fact.ts";
import { capitalized, oneLine } from "../../core/text.ts";
import { defined } from "../../core/values.ts";
import { assess, lastStop } from "../../judging/assessment.ts";
import type { DebateReport, DebaterVerification } from "./debate_report.ts";
import {
  bestPostures,
  type DebateResults,
  debateResults,
  type DebaterRecord,
  rankedScores,
  subjectOf,
} from "./debaters.ts";
import { leftOutOf, leftOutSentence } from "./excerpt.ts";
import { nextReads, searchFailures } from "./references.ts";
import { reportMarkdown } from "./report_markdown.ts";

/**
 * Computes the report of a paper debate; only the summary is the reporter's. Independent of the order of facts. Returns
 * undefined before the reporter's message, unless the debate ended early with scores.
 */
export function debateReport(
  start: ConveningStart,
  facts: readonly Fact[],
): DebateReport | undefined {
  if (start.kind !== "paper-debate") return undefined;
  const report = messagesOf(facts, "report").at(-1);
  const summary = report ?? lastStop(facts);
  if (summary === undefined) return undefined;
  const results = debateResults(start, facts);
  if (report === undefined && rubricOf(results) === null) return undefined;
  return reportOf(start, facts, { ...results, summary: summary.body.trim() });
}

function reportOf(
  start: ConveningStart,
  facts: readonly Fact[],
  { summary, ...results }: DebateResults & { readonly summary: string },
): DebateReport {
  const { debaters, verdict } = results;
  const { question, postures, topics } = subjectOf(facts);
  const { reads, why } = nextReads(start.papers ?? [], facts, { question, debaters });
  const { outcome, winner, strength, contradictions, notes } = assess(start, facts);
  const named = debaters.find(({ participant }) => participant === winner);
  // Fixed order of keys in report.json: main results, then markdown, then details.
  const first = {
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
      perDebaterKeyClaims: debaters.flatMap(({ posture, argument }) =>
        argument === undefined
          ? []
          : [{ posture, claims: argument.perTopic.map(({ topic, claim }) => ({ topic, claim })) }]
      ),
      scoringTable: verdict.perDebater,
    },
  };
  const rest = {
    verification: debaters.map(verificationOf),
    verdict: {
      outcome,
      winner: named?.posture ?? winner,
      ...defined({ strength: strength?.sentence }),
    },
    rubric: rubricOf(results),
    notes: [
      ...endingNotes(facts, first.rankedPostures),
      ...contradictions,
      ...debaterNotes(start, facts, { ...results, topics, postures }),
      ...rubricNotes(start, results),
      ...notes,
      ...unreadPages(start.papers ?? []),
      ...leftOutOf(start, facts).map(leftOutSentence),
      ...searchFailures(facts).slice(0, 3).map((reason) => `${capitalized(reason)}.`),
    ],
    papers: (start.papers ?? []).map(({ id, title }) => ({ id, title })),
  };
  const markdown = reportMarkdown({ ...first, ...rest }, noticesOf(start, facts));
  return { ...first, markdown, ...rest };
}

/** Returns the rubric of the scores; null without readable scores. */
function rubricOf({ standings }: DebateResults): DebateReport["rubric"] {
  const score = standings?.allScores.find(({ status }) => status === "scored");
  if (score === undefined) return null;
  return { id: score.rubric, scale: score.scale, weights: score.weights };
}

/** Returns a debater's evidence with its figures; all keys have the order of the record's files. */
export function verificationOf(
  { name, posture, speech, argument, evidence }: DebaterRecord,
): DebaterVerification {
  const crossed = evidence.filter(({ seq }) => seq !== speech?.seq)
    .map(({ citations }) => citations);
  return {
    debater: name,
    posture,
    message: speech?.seq ?? null,
    ...figuresIn(evidence),
    perTopic: (argument?.perTopic ?? []).map((each) => {
      return { ...each, citations: withoutEmpty(each.citations) };
    }),
    citations: withoutEmpty({
      paper: crossed.flatMap(({ paper = [] }) => paper),
      web: crossed.flatMap(({ web = [] }) => web),
    }),
    quotations: evidence.flatMap(({ quotations }) => quotations),
  };
}

function withoutEmpty({ paper = [], web = [] }: Citations): Citations {
  return { ...(paper.length === 0 ? {} : { paper }), ...(web.length === 0 ? {} : { web }) };
}

// Notes for readers, one sentence each; text of models and papers in them is not escaped.

function endingNotes(facts: readonly Fact[], ranked: DebateReport["rankedPostures"]): string[] {
  const stop = messagesOf(facts, "report").length > 0 ? undefined : lastStop(facts);
  const best = bestPostures(ranked);
  const early = stop && `The debate ended early (${endWords(stop.reason)}) after message ` +
      `${stop.lastSeq}: this report shows what had been said by then, and its summary was made at that end.`;
  const tie = best.length < 2
    ? undefined
    : `The highest total, ${ranked[0]!.score}, is shared by ` +
      `${best.length} postures: ${quotedList(best)}.`;
  return [early, tie].filter((note) => note !== undefined);
}

/** Returns notes on debaters: failures, topics not argued, evidence not looked up, claims found false, missing scores. */
function debaterNotes(
  { judges }: ConveningStart,
  facts: readonly Fact[],
  { debaters, standings, topics, postures }:
    & DebateResults
    & Pick<DebateReport, "topics" | "postures">,
): string[] {
  const spoken = debaters.filter(({ speech }) => speech !== undefined);
  const missing = spoken.flatMap((each) => missingScores(each, judges, standings?.allScores ?? []));
  const unscored = spoken.length === 0 ? [] : ["Nothing was scored: there is no ranking."];
  const silent = postures.filter((each) => debaters.every(({ posture }) => posture !== each));
  return [
    ...debaters.flatMap(failureNotes),
    ...silent.map((posture) => `Nobody argued for "${posture}".`),
    ...spoken.flatMap((each) => gapNotes(each, topics)),
    ...spoken.flatMap((each) => falseClaimNotes(each, facts)),
    ...standings === undefined ? unscored : missing,
  ];
}

function failureNotes(debater: DebaterRecord): string[] {
  return debater.failures.map(({ code, message, attempts }) => {
    const what = debater.speech === undefined
      ? "failed and was not judged"
      : "did not answer in cross-examination";
    const often = attempts > 1 ? ` after ${attempts} attempts` : "";
    return `${named(debater)} ${what}: ${asReason(message, 300)} (${code}${often}).`;
  });
}

/** Returns notes on topics that were not argued, and on an argument without evidence on record. */
function gapNotes(debater: DebaterRecord, topics: readonly string[]): string[] {
  const { speech, argument, evidence } = debater;
  const argued = new Set(argument?.perTopic.map(({ topic }) => topic));
  const missed = topics.filter((topic) => !argued.has(topic));
  return [
    ...missed.length === 0 ? [] : [`${named(debater)} did not argue on ${quotedList(missed)}.`],
    ...evidence.some(({ seq }) => seq === speech?.seq)
      ? []
      : [`The quotations and citations of ${named(debater)} were not looked up.`],
  ];
}

/** Returns a note on the claims of an argument that fact checks found false. */
function falseClaimNotes(debater: DebaterRecord, facts: readonly Fact[]): string[] {
  const claims = facts.flatMap((fact) =>
    fact.type === "fact-check" && fact.message === debater.speech?.seq ? fact.claims : []
  ).filter(({ verdict }) => verdict === "false");
  return claims.length === 0 ? [] : [
    `The fact check found these claims of ${named(debater)} false: ` +
    `${quotedList(claims.map(({ text }) => oneLine(text, 200)))}.`,
  ];
}

/** Returns a note on a debater without a score of some judge. */
function missingScores(
  debater: DebaterRecord,
  judges: ConveningStart["judges"],
  scores: readonly Score[],
): string[] {
  const own = scores.filter(({ participant }) => participant === debater.participant);
  const reasons = own.filter(({ status }) => status !== "scored").map(({ judge, reason }) => {
    const name = judges.find(({ id }) => id === judge)?.name ?? judge;
    return `${name}: ${asReason(reason ?? "no reason given", 200)}`;
  });
  if (own.length > 0 && reasons.length === 0) return [];
  const isWhole = reasons.length === own.length;
  const state = isWhole ? "no score" : `${reasons.length} of ${own.length} scores missing`;
  const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
  return [`${named(debater)} has ${state}${why}.`];
}

function named({ name, posture }: DebaterRecord): string {
  return `${name}, for "${posture}",`;
}

function quotedList(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

function asReason(text: string, length: number): string {
  return oneLine(text, length).replace(/[.\s]+$/, "");
}

function rubricNotes({ judges }: ConveningStart, { standings }: DebateResults): string[] {
  if (standings === undefined) return [];
  const others = judges.filter(({ rubric }) => rubric !== standings.rubric)
    .map(({ name, rubric }) => `${name} scored by ${rubric}`).join(", ");
  const ranking = `The ranking goes by the rubric ${standings.rubric} alone`;
  return others === "" ? [] : [`${ranking}; ${others}: see scores.md.`];
}
