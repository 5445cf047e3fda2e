// Computes the report of a paper debate, with notes for readers, from the facts of its record.
import { fieldOf } from "../../core/turn.ts";
import type { ConveningStart } from "../../core/event.ts";
import { defined } from "../../core/values.ts";
import {
  type Citations,
  figuresOf,
  type Quotation,
  type TopicArgument,
  unreadPages,
} from "../../core/paper.ts";
import { endWords, type Fact } from "../../core/fact.ts";
import { capitalized, oneLine } from "../../core/text.ts";
import { assess, lastStop } from "../../judging/assessment.ts";
import type { DebateReport, DebaterVerification, JudgeVerdict } from "./debate_report.ts";
import {
  type DebaterRecord,
  debatersOf,
  judgeVerdict,
  messagesOf,
  type PaperStandings,
  paperStandings,
  rankedScores,
  rubricOf,
  subjectOf,
} from "./debaters.ts";
import { excerptKind, excerptsOf } from "./excerpt.ts";
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
      perDebaterKeyClaims: debaters.flatMap(keyClaimsOf),
      scoringTable: verdict.perDebater,
    },
  };
  const rest = {
    verification: debaters.map(verificationOf),
    verdict: comparisonOf(start, facts, debaters),
    rubric: rubricOf(standings),
    notes: reportNotes(start, facts, { debaters, topics, verdict, standings, isReported }),
    papers: (start.papers ?? []).map(({ id, title }) => ({ id, title })),
  };
  return { ...first, markdown: reportMarkdown({ ...first, ...rest }), ...rest };
}

function keyClaimsOf(
  { posture, argument }: DebaterRecord,
): DebateReport["appendix"]["perDebaterKeyClaims"] {
  if (argument === undefined) return [];
  return [{ posture, claims: argument.perTopic.map(({ topic, claim }) => ({ topic, claim })) }];
}

/** Returns the posture that the judges named. */
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
 * Returns a debater's evidence for the report, with keys in a fixed order and without undefined values, so that the report of
 * a running debate is byte-identical to the report from its files.
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
    ...(paper.length === 0 ? {} : { paper: paper.map((each) => ordered(each, HIT)) }),
    ...(web.length === 0 ? {} : { web: web.map((each) => ordered(each, PAGE)) }),
  };
}

const PLACE = ["start", "end", "page"] as const;
const HIT = [
  "chunkId",
  "text",
  "score",
  "paper",
  "page",
  "start",
  "end",
  "cited",
  "status",
] as const;
const PAGE = ["title", "url", "snippet", "status"] as const;
const QUOTATION = [
  "text",
  "status",
  "from",
  "source",
  "start",
  "end",
  "page",
  "parts",
  "namedPage",
  "topic",
] as const;

function quotationOf({ parts, ...rest }: Quotation): Quotation {
  return ordered({ ...rest, parts: parts?.map((each) => ordered(each, PLACE)) }, QUOTATION);
}

/** Returns an object with keys in the given order, without undefined values. */
function ordered<T extends object>(value: T, keys: readonly (keyof T)[]): T {
  return defined(Object.fromEntries(keys.map((key) => [key, value[key]]))) as T;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

interface NoteSources {
  /** Debaters, including those whose argument failed. */
  readonly debaters: readonly DebaterRecord[];
  readonly topics: readonly string[];
  readonly verdict: JudgeVerdict;
  /** Standings that rank the debaters; undefined without scores. */
  readonly standings: PaperStandings | undefined;
  /** True once the reporter has spoken. */
  readonly isReported: boolean;
}

/** Returns notes for readers, one sentence each; text of models and papers in them is not escaped. */
function reportNotes(
  start: ConveningStart,
  facts: readonly Fact[],
  sources: NoteSources,
): string[] {
  const { contradictions, notes } = assess(start, facts);
  return [
    ...earlyEndNotes(facts, sources),
    ...tieNotes(sources),
    ...contradictions,
    ...sources.debaters.flatMap(failureNotes),
    ...sources.debaters.flatMap((each) => gapNotes(each, sources)),
    ...sources.debaters.flatMap((each) => falseClaimNotes(facts, each)),
    ...missingScoreNotes(start, sources),
    ...otherRubricNotes(start, sources),
    ...notes,
    ...unreadPages(start.papers ?? []),
    ...excerptNotes(start, facts),
    ...searchFailures(facts).slice(0, 3).map((reason) => `${capitalized(reason)}.`),
  ];
}

function earlyEndNotes(facts: readonly Fact[], { isReported }: NoteSources): string[] {
  const stop = isReported ? undefined : lastStop(facts);
  return stop === undefined ? [] : [
    `The debate ended early (${
      endWords(stop.reason)
    }) after message ${stop.lastSeq}: this report shows what had been said by then, and ` +
    "its summary was made at that end.",
  ];
}

function tieNotes({ verdict: { perDebater } }: NoteSources): string[] {
  const ranked = rankedScores(perDebater);
  const best = ranked.filter(({ score }) => score === ranked[0]?.score);
  return best.length < 2 ? [] : [
    `The highest total, ${best[0]!.score}, is shared by ${best.length} postures: ` +
    `${quotedList(best.map(({ posture }) => posture))}.`,
  ];
}

function failureNotes({ name, posture, speech, failures }: DebaterRecord): string[] {
  return failures.map(({ code, message, attempts }) => {
    const what = speech === undefined
      ? `${name}, for "${posture}", failed and was not judged`
      : `${name}, for "${posture}", did not answer in cross-examination`;
    const often = attempts > 1 ? ` after ${attempts} attempts` : "";
    return `${what}: ${asReason(message, 300)} (${code}${often}).`;
  });
}

/** Returns notes on topics that were not argued, and on an argument without evidence on record. */
function gapNotes(
  { name, posture, speech, argument, evidence }: DebaterRecord,
  { topics }: NoteSources,
): string[] {
  if (speech === undefined || argument === undefined) return [];
  const argued = new Set(argument.perTopic.map(({ topic }) => topic));
  const missed = topics.filter((topic) => !argued.has(topic));
  const who = `${name}, for "${posture}",`;
  return [
    ...missed.length === 0 ? [] : [`${who} did not argue on ${quotedList(missed)}.`],
    ...evidence.some(({ seq }) => seq === speech.seq)
      ? []
      : [`The quotations and citations of ${who} were not looked up.`],
  ];
}

/** Returns a note on the claims of an argument that fact checks found false. */
function falseClaimNotes(
  facts: readonly Fact[],
  { name, posture, speech }: DebaterRecord,
): string[] {
  const claims = facts.flatMap((fact) =>
    fact.type === "fact-check" && fact.message === speech?.seq ? fact.claims : []
  ).filter(({ verdict }) => verdict === "false");
  return claims.length === 0 ? [] : [
    `The fact check found these claims of ${name}, for "${posture}", false: ` +
    `${quotedList(claims.map(({ text }) => oneLine(text, 200)))}.`,
  ];
}

function quotedList(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

function asReason(text: string, length: number): string {
  return oneLine(text, length).replace(/[.\s]+$/, "");
}

function missingScoreNotes(
  { judges }: ConveningStart,
  { debaters, standings }: NoteSources,
): string[] {
  const names = debaters.filter(({ speech }) => speech !== undefined);
  if (standings === undefined) {
    return names.length === 0 ? [] : ["Nothing was scored: there is no ranking."];
  }
  return names.flatMap(({ participant, name, posture }) => {
    const given = standings.given.filter((score) => score.participant === participant);
    const reasons = given.filter(({ status }) => status !== "scored").map(({ judge, reason }) => {
      const named = judges.find(({ id }) => id === judge)?.name ?? judge;
      return `${named}: ${asReason(reason ?? "no reason given", 200)}`;
    });
    if (given.length > 0 && reasons.length === 0) return [];
    const isWhole = reasons.length === given.length;
    const state = isWhole ? "no score" : `${reasons.length} of ${given.length} scores missing`;
    const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
    return [`${name}, for "${posture}", has ${state}${why}.`];
  });
}

function otherRubricNotes({ judges }: ConveningStart, { standings }: NoteSources): string[] {
  if (standings === undefined) return [];
  const others = judges.filter(({ rubric }) => rubric !== standings.rubric)
    .map(({ name, rubric }) => `${name} scored by ${rubric}`).join(", ");
  const ranking = `The ranking goes by the rubric ${standings.rubric} alone`;
  return others === "" ? [] : [`${ranking}; ${others}: see scores.md.`];
}

/** Returns notes on parts of papers omitted from prompts, recomputed from the configuration's limits. */
function excerptNotes(
  { papers = [], configuration }: ConveningStart,
  facts: readonly Fact[],
): string[] {
  const { paperCharacters: limits } = configuration;
  const kind = excerptKind(limits);
  const asked = [
    {
      key: "questions",
      what: "The questions were made from",
      isMade: isGenerated(facts, "questions"),
    },
    {
      key: "postures",
      what: "Postures and topics were made from",
      isMade: isGenerated(facts, "postures"),
    },
    { key: "debaters", what: "The debaters were shown", isMade: true },
  ];
  return asked.flatMap(({ key, what, isMade }) => {
    const limit = fieldOf(limits, key);
    if (!isMade || typeof limit !== "number") return [];
    return excerptsOf(papers, limit, kind).flatMap(({ text, leftOut }, index) => {
      if (leftOut === 0) return [];
      const { title, text: { length } } = papers[index]!;
      const first = kind === "start" ? "the first " : "";
      const part = text === ""
        ? `nothing of the ${formatted(length)} characters`
        : `${first}${formatted(length - leftOut)} of ${formatted(length)} characters`;
      const reached = key === "debaters" ? "they" : "debaters";
      return [`${what} ${part} of "${title}"; ${reached} could reach the rest by look-ups.`];
    });
  });
}

/** Returns true if a model or a person wrote a message of the kind; false if it was given. */
function isGenerated(facts: readonly Fact[], kind: string): boolean {
  return messagesOf(facts, kind).some(({ model }) => model !== "template");
}

function formatted(value: number): string {
  return value.toLocaleString("en");
}
