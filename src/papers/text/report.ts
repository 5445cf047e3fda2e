// Computes a paper debate's report, with notes for readers, from the facts of its record, and its stages from its events.
import {
  type ConveningStart,
  type EventBody,
  factOf,
  noticesOf,
  type Stage,
  type StageTeller,
} from "../../core/event.ts";
import { endWords, type Fact, type Failure, messagesOf, type Score } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { type Citations, figuresIn, unreadPages } from "../../core/paper.ts";
import { capitalized, oneLine } from "../../core/text.ts";
import { defined } from "../../core/values.ts";
import { assess, lastStop } from "../../judging/assessment.ts";
import type { DebateReport, DebaterVerification, DebateSubject } from "./debate_report.ts";
import {
  bestPostures,
  type DebateResults,
  debateResults,
  type DebaterRecord,
  debatersOf,
  rankedScores,
  subjectOf,
} from "./debaters.ts";
import { leftOutOf, leftOutSentence } from "./excerpt.ts";
import { questionsIn } from "./lists.ts";
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

/** Result of a paper debate. */
export interface PaperDebateOutcome extends DebateSubject {
  /** Report; absent before the reporter's summary, and after an early end without scores. */
  readonly report?: DebateReport;
}

/** Returns a source of a paper debate's stages with data (context-network/rules/paper_debate.md). */
export function paperStages(start: ConveningStart, facts: readonly Fact[]): StageTeller {
  return new PaperStages(start, facts);
}

class PaperStages implements StageTeller {
  readonly #start: ConveningStart;
  readonly #facts: Fact[];
  /** Failures of an earlier run, whose turns are taken again. */
  readonly #earlier: ReadonlySet<Fact>;

  constructor(start: ConveningStart, facts: readonly Fact[]) {
    this.#start = start;
    this.#facts = [...facts];
    this.#earlier = new Set(facts.filter(({ type }) => type === "failure"));
  }

  after(event: EventBody): readonly Stage[] {
    const fact = factOf(event);
    if (fact !== undefined) this.#keep(fact);
    if (event.type === "turn-start") {
      const begun = AT_START.get(event.turn.kind);
      return begun === undefined ? [] : [begun];
    }
    if (fact?.type === "message") return this.#afterMessage(fact);
    return fact?.type === "failure" ? this.#afterFailure(fact) : [];
  }

  outcome(): PaperDebateOutcome {
    const report = debateReport(this.#start, this.#facts);
    return { ...this.#subject, ...report === undefined ? {} : { report } };
  }

  /** Stores a fact; a repeated failure of a turn after a resume replaces the first, as in the record. */
  #keep(fact: Fact): void {
    const before = fact.type === "failure"
      ? this.#facts.findIndex((each) => each.type === "failure" && each.turn === fact.turn)
      : -1;
    if (before === -1) this.#facts.push(fact);
    else this.#facts[before] = fact;
  }

  #afterMessage(message: Message): readonly Stage[] {
    const { kind, body, participant } = message;
    switch (kind) {
      case "questions":
        return [stage("questions_generated", { questions: questionsIn(body) })];
      case "question":
        return messagesOf(this.#facts, "questions").length === 0
          ? []
          : [stage("question_selected", { question: body })];
      case "postures":
        return this.#afterPostures();
      case "argument": {
        const own = this.#arguments.find(({ speech }) => speech === message);
        const data = { ...this.#seatOf(participant), argument: own?.argument };
        return [stage("debater_complete", data), ...this.#afterTurn(kind)];
      }
      case "cross_examination":
        return this.#afterTurn(kind);
      case "verdict":
        return [
          stage("judging_complete", { verdict: debateResults(this.#start, this.#facts).verdict }),
        ];
      case "report":
        return [stage("report_complete", { report: debateReport(this.#start, this.#facts) })];
      default:
        return [];
    }
  }

  #afterFailure({ turn, participant, message }: Failure): readonly Stage[] {
    const [kind = ""] = turn.split("/");
    if (kind !== "argument") return this.#afterTurn(kind);
    const data = { ...this.#seatOf(participant), error: message };
    return [stage("debater_error", data), ...this.#afterTurn(kind)];
  }

  #afterPostures(): readonly Stage[] {
    const { postures, topics } = this.#subject;
    return [
      stage("postures_generated", { postures, topics }),
      stage(`Running debate with ${postures.length} debaters...`),
      ...this.#debaters.slice(0, postures.length)
        .map((id) => stage("debater_started", this.#seatOf(id))),
    ];
  }

  /** Returns the stages after the last argument, and after the last cross-examination. */
  #afterTurn(kind: string): readonly Stage[] {
    const finished =
      this.#facts.filter((fact) =>
        fact.type === "message" ? fact.kind === kind : fact.type === "failure" &&
          fact.turn.startsWith(`${kind}/`) && !this.#earlier.has(fact)
      ).length;
    const argued = this.#arguments;
    if (kind === "cross_examination") return finished === argued.length ? [JUDGING] : [];
    const seats = this.#subject.postures.length;
    if (kind !== "argument" || finished < seats || argued.length === 0) return [];
    const crossed = this.#start.configuration.crossExamine === true && argued.length > 1;
    return [
      stage("debate_complete", { arguments: argued.map(({ argument }) => argument) }),
      ...crossed ? [] : [JUDGING],
    ];
  }

  get #debaters(): readonly string[] {
    return this.#start.participants.filter(({ role }) => role === "debater").map(({ id }) => id);
  }

  get #subject(): DebateSubject {
    const subject = subjectOf(this.#facts);
    return { ...subject, postures: subject.postures.slice(0, this.#debaters.length) };
  }

  #seatOf(id: string): { debaterIndex: number; posture: string; total: number } {
    const debaterIndex = this.#debaters.indexOf(id);
    const { postures } = this.#subject;
    return { debaterIndex, posture: postures[debaterIndex] ?? "", total: postures.length };
  }

  /** Returns the arguments so far, in the order of their messages. */
  get #arguments(): readonly DebaterRecord[] {
    return debatersOf(this.#start, this.#facts).filter(({ speech }) => speech !== undefined);
  }
}

const JUDGING = stage("Judging arguments...");

/** Stages at the start of a turn, by kind of turn. */
const AT_START: ReadonlyMap<string, Stage> = new Map([
  ["questions", stage("Generating questions from paper...")],
  ["postures", stage("Generating postures and topics...")],
  ["report", stage("Generating final report...")],
]);

function stage(name: string, data: unknown = null): Stage {
  return { name, data };
}
