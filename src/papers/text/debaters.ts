// Reads the debaters of a paper debate and their scores from the facts of its record.
import { fieldOf } from "../../core/turn.ts";
import type { ConveningStart, ParticipantInfo } from "../../core/event.ts";
import type { DebaterArgument } from "../../core/paper.ts";
import type { Choice, Evidence, Fact, Failure, Score } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { mean, round4 } from "../../core/statistics.ts";
import { panelsOf, panelStandings } from "../../judging/panels.ts";
import type { RubricStandings } from "../../judging/scoring.ts";
import { argumentIn } from "./argument_body.ts";
import type { DebateReport, DebaterScores, DebateSubject, JudgeVerdict } from "./debate_report.ts";
import { posturesIn } from "./lists.ts";

/** Facts of one debater. */
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

export function messagesOf(facts: readonly Fact[], kind: string): Message[] {
  return facts.filter((fact): fact is Message => fact.type === "message" && fact.kind === kind)
    .toSorted((a, b) => a.seq - b.seq);
}

/** Returns the debaters that argued, in the order of their messages, then debaters whose argument failed. */
export function debatersOf(
  { participants }: Pick<ConveningStart, "participants">,
  facts: readonly Fact[],
): DebaterRecord[] {
  const { postures, topics } = subjectOf(facts);
  const debaters = participants.filter(({ role }) => role === "debater");
  const speeches = messagesOf(facts, "argument");
  const answers = messagesOf(facts, "cross_examination");
  const spoken = speeches.map((speech) => {
    const { participant, name } = speech;
    const answer = answers.find((each) => each.participant === participant);
    const evidence = [speech, answer].flatMap((own) =>
      facts.filter((fact): fact is Evidence => fact.type === "evidence" && fact.seq === own?.seq)
    );
    const failures = answer === undefined
      ? failuresOf(facts, "cross_examination", participant)
      : [];
    const said = { participant, name, speech, evidence, failures };
    return { ...said, ...argumentOf(said, { postures, topics, debaters }) };
  });
  const failed = debaters.flatMap(({ id, name }, index) => {
    if (speeches.some(({ participant }) => participant === id)) return [];
    const failures = failuresOf(facts, "argument", id);
    const posture = postures[index] ?? "";
    return failures.length === 0
      ? []
      : [{ participant: id, name, posture, evidence: [], failures }];
  });
  return [...spoken, ...failed];
}

function argumentOf(
  { speech, evidence: all }: {
    readonly speech: Message;
    readonly evidence: readonly Evidence[];
  },
  { postures, topics, debaters }: Omit<DebateSubject, "question"> & {
    readonly debaters: readonly ParticipantInfo[];
  },
): Pick<DebaterRecord, "posture" | "argument"> {
  const evidence = all.find(({ seq }) => seq === speech.seq);
  const index = debaters.findIndex(({ id }) => id === speech.participant);
  const posture = speech.position ?? evidence?.posture ?? postures[index] ?? "";
  const { perTopic, overallPosition } = evidence ?? argumentIn(speech.body, topics);
  return { posture, argument: { posture, perTopic, overallPosition } };
}

function failuresOf(facts: readonly Fact[], phase: string, participant: string): Failure[] {
  return facts.filter((fact): fact is Failure =>
    fact.type === "failure" && fact.participant === participant && fact.turn.startsWith(`${phase}/`)
  );
}

/** Standings that rank a paper debate, with the scores that they are computed from. */
export interface PaperStandings extends RubricStandings {
  /** Scores of the convening's own judges by this rubric, including unreadable ones. */
  readonly given: readonly Score[];
}

/**
 * Returns the result of the convening's own judges: scores of every debater that argued, the best total, and the distinct
 * insights and controversial points. Panels that judged later are ignored.
 */
export function judgeVerdict(start: ConveningStart, facts: readonly Fact[]): JudgeVerdict {
  const standings = paperStandings(start, facts);
  const perDebater = debatersOf(start, facts).filter(({ speech }) => speech !== undefined)
    .map((debater) => scoresOf(debater, { start, standings }));
  return { perDebater, bestOverall: bestOf(perDebater), ...insightsOf(start, facts) };
}

/** Returns the standings by the first judge's rubric; undefined without scores of the convening's own judges. */
export function paperStandings(
  start: Pick<ConveningStart, "judges" | "participants">,
  facts: readonly Fact[],
): PaperStandings | undefined {
  const own = panelsOf(start, facts).find((panel) => panel.own);
  if (own === undefined) return undefined;
  const names = new Map(start.participants.map(({ id, name }) => [id, name]));
  const [first] = panelStandings(own, names);
  if (first === undefined) return undefined;
  return { ...first, given: own.scores.filter(({ rubric }) => rubric === first.rubric) };
}

/** Returns the rubric of the scores; null without readable scores. */
export function rubricOf(standings: PaperStandings | undefined): DebateReport["rubric"] {
  const score = standings?.given.find(({ status }) => status === "scored");
  if (score === undefined) return null;
  return { id: score.rubric, scale: score.scale, weights: score.weights };
}

/** Returns the postures with a total, the highest first; ties keep the order of the debaters. */
export function rankedScores(perDebater: readonly DebaterScores[]): DebateReport["rankedPostures"] {
  return perDebater.flatMap(({ posture, totals }) =>
    totals.weighted === null ? [] : [{ posture, score: totals.weighted }]
  ).sort((a, b) => b.score - a.score);
}

/** Returns the number of topics not argued, in brackets after a space; an empty string if all were argued. */
export function missedWords(scores: DebaterScores | undefined): string {
  const { perTopic = [] } = scores ?? {};
  const missed = perTopic.filter(({ argued }) => argued === false).length;
  return missed === 0 ? "" : ` (${missed} of ${perTopic.length} topics not argued)`;
}

function bestOf(perDebater: readonly DebaterScores[]): string {
  const ranked = rankedScores(perDebater);
  const best = ranked.filter(({ score }) => score === ranked[0]?.score)
    .map(({ posture }) => posture);
  return best.length > 1 ? `Tie: ${best.join(" | ")}` : best.join("");
}

function scoresOf(
  { participant, posture }: DebaterRecord,
  { start, standings }: {
    readonly start: ConveningStart;
    readonly standings: PaperStandings | undefined;
  },
): DebaterScores {
  const standing = standings?.scores[participant];
  const read = (standings?.given ?? []).filter((score) =>
    score.participant === participant && score.status === "scored"
  );
  const topics = new Set(read.flatMap(({ topics = [] }) => topics.map(({ topic }) => topic)));
  return {
    posture,
    perTopic: [...topics].map((topic) => topicScores(topic, { read, start })),
    totals: { weighted: standing?.total ?? null, byCriterion: standing?.breakdown ?? {} },
  };
}

/** Returns the mean scores of a topic over the judges, and all notes. */
function topicScores(
  topic: string,
  { read, start }: { readonly read: readonly Score[]; readonly start: ConveningStart },
): DebaterScores["perTopic"][number] {
  const given = read.flatMap(({ judge, topics = [] }) =>
    topics.filter((each) => each.topic === topic).map((each) => ({ judge, ...each }))
  );
  const ids = Object.keys(read[0]?.weights ?? {});
  const scores = ids.map((id) =>
    [id, round4(mean(given.map(({ criteria }) => criteria[id] ?? 0)) ?? 0)] as const
  );
  const nameOf = (id: string) => start.judges.find((each) => each.id === id)?.name ?? id;
  const several = new Set(given.map(({ judge }) => judge)).size > 1;
  const notes = given.map(({ judge, notes: text }) =>
    several ? `${nameOf(judge)}: ${text.trim()}` : text.trim()
  );
  const argued = given.every((each) => each.argued === false) ? { argued: false } : {};
  return { topic, scores: Object.fromEntries(scores), notes: notes.join(" "), ...argued };
}

function insightsOf(
  { judges }: Pick<ConveningStart, "judges">,
  facts: readonly Fact[],
): Pick<JudgeVerdict, "insights" | "controversialPoints"> {
  const choices = facts.filter((fact): fact is Choice =>
    fact.type === "choice" && fact.kind === "insights" &&
    judges.some(({ id }) => id === fact.participant)
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
  return {
    insights: textsOf(choices, "insights"),
    controversialPoints: textsOf(choices, "controversialPoints"),
  };
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
