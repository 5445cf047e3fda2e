// Reads the debaters of a paper debate and their scores from the facts of its record.
import { fieldOf } from "../../core/turn.ts";
import type { ConveningStart } from "../../core/event.ts";
import type { DebaterArgument } from "../../core/paper.ts";
import {
  type Choice,
  type Evidence,
  type Fact,
  type Failure,
  messagesOf,
  type Score,
} from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { mean, round4 } from "../../core/statistics.ts";
import { panelsOf, panelStandings } from "../../judging/panels.ts";
import type { RubricStandings } from "../../judging/scoring.ts";
import { argumentIn } from "./argument_body.ts";
import type { DebateReport, DebaterScores, DebateSubject, JudgeVerdict } from "./debate_report.ts";
import { posturesIn } from "./lists.ts";

export interface DebaterRecord {
  readonly participant: string;
  readonly name: string;
  /** Position that the debater argues for. */
  readonly posture: string;
  /** Message with the argument; absent if the turn failed. */
  readonly speech?: Message | undefined;
  /** Argument in the evidence, or parsed from the message without evidence; absent without `speech`. */
  readonly argument?: DebaterArgument | undefined;
  /** Evidence of the argument, then of the cross-examination. */
  readonly evidence: readonly Evidence[];
  /** Failures of the argument or the cross-examination. */
  readonly failures: readonly Failure[];
}

/** Reads question, postures and topics from the messages; empty before these messages. */
export function subjectOf(facts: readonly Fact[]): DebateSubject {
  const bodyOf = (kind: string) => messagesOf(facts, kind)[0]?.body ?? "";
  return { question: bodyOf("question").trim(), ...posturesIn(bodyOf("postures")) };
}

/** Returns the debaters that argued, in the order of their messages, then debaters whose argument failed. */
export function debatersOf(
  { participants }: Pick<ConveningStart, "participants">,
  facts: readonly Fact[],
): DebaterRecord[] {
  const { postures, topics } = subjectOf(facts);
  const seats = participants.filter(({ role }) => role === "debater")
    .map(({ id, name }, index) => ({ participant: id, name, posture: postures[index] ?? "" }));
  const speeches = messagesOf(facts, "argument");
  const answers = messagesOf(facts, "cross_examination");
  const spoken = speeches.map((speech) => {
    const { participant, name } = speech;
    const answer = answers.find((each) => each.participant === participant);
    const own = evidenceOf(facts, speech);
    const seat = seats.find((each) => each.participant === participant);
    const posture = speech.position ?? own[0]?.posture ?? seat?.posture ?? "";
    const { perTopic, overallPosition } = own[0] ?? argumentIn(speech.body, topics);
    return {
      participant,
      name,
      posture,
      speech,
      argument: { posture, perTopic, overallPosition },
      evidence: [...own, ...evidenceOf(facts, answer)],
      failures: answer === undefined ? failuresOf(facts, "cross_examination", participant) : [],
    };
  });
  const failed = seats
    .filter((seat) => speeches.every(({ participant }) => participant !== seat.participant))
    .map((seat) => ({
      ...seat,
      evidence: [],
      failures: failuresOf(facts, "argument", seat.participant),
    }));
  return [...spoken, ...failed.filter(({ failures }) => failures.length > 0)];
}

function evidenceOf(facts: readonly Fact[], message: Message | undefined): Evidence[] {
  return facts.filter((fact): fact is Evidence =>
    fact.type === "evidence" && fact.seq === message?.seq
  );
}

function failuresOf(facts: readonly Fact[], phase: string, participant: string): Failure[] {
  return facts.filter((fact): fact is Failure =>
    fact.type === "failure" && fact.participant === participant && fact.turn.startsWith(`${phase}/`)
  );
}

/** Standings that rank a paper debate, with the scores that they are computed from. */
interface PaperStandings extends RubricStandings {
  /** Scores of the convening's own judges by this rubric, including unreadable ones. */
  readonly allScores: readonly Score[];
}

/** Debaters and results of a paper debate. Panels that judged later are ignored. */
export interface DebateResults {
  readonly debaters: readonly DebaterRecord[];
  /** Standings by the first judge's rubric; undefined without scores. */
  readonly standings: PaperStandings | undefined;
  /** Scores of every debater that argued, the best total, the distinct insights and controversial points. */
  readonly verdict: JudgeVerdict;
}

/** Returns the debaters, and the results of the convening's own judges. */
export function debateResults(start: ConveningStart, facts: readonly Fact[]): DebateResults {
  const debaters = debatersOf(start, facts);
  const standings = standingsOf(start, facts);
  const perDebater = debaters.filter(({ speech }) => speech !== undefined)
    .map((debater) => scoresOf(debater, start, standings));
  const best = bestPostures(rankedScores(perDebater));
  const choices = facts.filter((fact): fact is Choice =>
    fact.type === "choice" && fact.kind === "insights" &&
    start.judges.some(({ id }) => id === fact.participant)
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
  const verdict = {
    perDebater,
    bestOverall: best.length > 1 ? `Tie: ${best.join(" | ")}` : best.join(""),
    insights: textsOf(choices, "insights"),
    controversialPoints: textsOf(choices, "controversialPoints"),
  };
  return { debaters, standings, verdict };
}

function standingsOf(start: ConveningStart, facts: readonly Fact[]): PaperStandings | undefined {
  const own = panelsOf(start, facts).find((panel) => panel.own);
  if (own === undefined) return undefined;
  const [first] = panelStandings(start, own);
  if (first === undefined) return undefined;
  return { ...first, allScores: own.scores.filter(({ rubric }) => rubric === first.rubric) };
}

/** Returns the postures with a total, the highest first; ties keep the order of the debaters. */
export function rankedScores(perDebater: readonly DebaterScores[]): DebateReport["rankedPostures"] {
  return perDebater.flatMap(({ posture, totals }) =>
    totals.weighted === null ? [] : [{ posture, score: totals.weighted }]
  ).sort((a, b) => b.score - a.score);
}

/** Returns the rank of a total, such as `1 (tie)`, its place in the words of `placeWords`; `–` if no posture has the total. */
export function rankOf(
  total: number,
  { rankedPostures }: Pick<DebateReport, "rankedPostures">,
  placeWords: (place: number) => string,
): string {
  const same = rankedPostures.filter(({ score }) => score === total).length;
  if (same === 0) return "–";
  const above = rankedPostures.filter(({ score }) => score > total).length;
  return `${placeWords(above + 1)}${same > 1 ? " (tie)" : ""}`;
}

/** Returns the number of topics not argued, in brackets after a space; an empty string if all were argued. */
export function missedWords(scores: DebaterScores | undefined): string {
  const { perTopic = [] } = scores ?? {};
  const missed = perTopic.filter(({ argued }) => argued === false).length;
  return missed === 0 ? "" : ` (${missed} of ${perTopic.length} topics not argued)`;
}

/** Returns the postures that share the highest total of a ranking. */
export function bestPostures(ranked: DebateReport["rankedPostures"]): string[] {
  return ranked.filter(({ score }) => score === ranked[0]?.score).map(({ posture }) => posture);
}

function scoresOf(
  { participant, posture }: DebaterRecord,
  start: ConveningStart,
  standings: PaperStandings | undefined,
): DebaterScores {
  const standing = standings?.scores[participant];
  const read = (standings?.allScores ?? []).filter((score) =>
    score.participant === participant && score.status === "scored"
  );
  const topics = new Set(read.flatMap(({ topics = [] }) => topics.map(({ topic }) => topic)));
  return {
    posture,
    perTopic: [...topics].map((topic) => topicScores(topic, read, start)),
    totals: { weighted: standing?.total ?? null, byCriterion: standing?.breakdown ?? {} },
  };
}

/** Returns the mean scores of a topic over the judges, and all notes. */
function topicScores(
  topic: string,
  read: readonly Score[],
  { judges }: ConveningStart,
): DebaterScores["perTopic"][number] {
  const parts = read.flatMap(({ judge, topics = [] }) =>
    topics.filter((each) => each.topic === topic).map((each) => ({ judge, ...each }))
  );
  const ids = Object.keys(read[0]?.weights ?? {});
  const scores = ids.map((id) =>
    [id, round4(mean(parts.map(({ criteria }) => criteria[id] ?? 0)) ?? 0)] as const
  );
  const nameOf = (id: string) => judges.find((each) => each.id === id)?.name ?? id;
  const several = new Set(parts.map(({ judge }) => judge)).size > 1;
  const notes = parts.map(({ judge, notes: text }) =>
    several ? `${nameOf(judge)}: ${text.trim()}` : text.trim()
  );
  const argued = parts.every((each) => each.argued === false) ? { argued: false } : {};
  return { topic, scores: Object.fromEntries(scores), notes: notes.join(" "), ...argued };
}

/** Returns the distinct texts under a key of all values. */
function textsOf(choices: readonly Choice[], key: string): string[] {
  const texts = choices.flatMap(({ value }): readonly unknown[] => {
    const list = fieldOf(value, key);
    return Array.isArray(list) ? list : [];
  });
  const said = texts.filter((text): text is string => typeof text === "string")
    .map((text) => text.trim()).filter((text) => text !== "");
  return [...new Set(said)];
}
