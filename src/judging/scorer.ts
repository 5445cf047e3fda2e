// The observer that asks judges to score messages, one by one or a round per request.
import { z } from "zod";
import { HUMAN, type Scoring } from "../core/agent.ts";
import type { FactCheck, Score } from "../core/fact.ts";
import { addUsage, type Message, NO_USAGE } from "../core/message.ts";
import type { Observer, ObserverTools } from "../core/guard.ts";
import type { Rubric } from "../core/outcome.ts";
import { round4 } from "../core/statistics.ts";
import type { Answer, Consultation, Question } from "../core/turn.ts";
import { factCheckNote } from "../checking/questions.ts";
import { INTERRUPTION_ANSWER, tokensFor } from "../core/profile.ts";
import { fillTemplate, renderTurn } from "../core/prompt.ts";
import { rubricFor, type ScoreReply, scoreSchema, weightedTotal, weightsOf } from "./scoring.ts";
import { countsOf } from "../core/claims.ts";
import { turnsThrough } from "../core/text.ts";

/** Options of {@linkcode scorer}. */
export interface ScorerOptions {
  /** Ids of the judges. */
  readonly judges: readonly string[];
  /** Rubric of the judges. */
  readonly rubric: Rubric;
  /** Ids of the criteria in the order of the question. */
  readonly order: readonly string[];
  /** Task of a judge; may have the placeholders `{answered}`, `{opponent}`, `{seen}` and `{task}`. */
  readonly task: string;
  /** Returns the task of a scored turn to show to the judge; undefined if unknown. @default no task is shown */
  readonly taskOf?:
    | ((message: Message, said: readonly Message[]) => string | undefined)
    | undefined;
  /**
   * Scores all turns of a round by one request: the task, which may also have `{turns}`, and the number of turns in a message's round.
   * @default one request per turn
   */
  readonly byRound?:
    | { readonly task: string; readonly turnsIn: (message: Message) => number }
    | undefined;
  /** Names in prompts, by id, of the participants whose messages are scored. */
  readonly labels: ReadonlyMap<string, string>;
  /** Returns a message's fact check to show to the judges. @default no fact check is shown */
  readonly checkOf?:
    | ((message: Message, tools: ObserverTools) => Promise<FactCheck | undefined>)
    | undefined;
  /** True if refuted claims cap the scores of evidence criteria. @default false */
  readonly factCap?: boolean | undefined;
}

interface AppliedRubric {
  readonly applied: Rubric;
  /** Ids of the criteria that do not apply. */
  readonly notApplicable: readonly string[];
  readonly type: ReturnType<typeof scoreSchema>;
}

/** Creates the observer that asks every judge to score every message of the sides, one by one or by rounds. */
export function scorer(options: ScorerOptions): Observer {
  // Create each schema once: zod and the agents cache what they derive from a schema.
  const appliedTo = (isAnswer: boolean): AppliedRubric => {
    const { applied, notApplicable } = rubricFor(options.rubric, isAnswer);
    return { applied, notApplicable, type: scoreSchema(applied, options.order) };
  };
  const [forFirst, forAnswers] = [appliedTo(false), appliedTo(true)];
  const { byRound } = options;
  const gather = byRound && gatherRounds(byRound.turnsIn);
  return {
    name: "scorer",
    async observe(message, tools) {
      if (!options.labels.has(message.participant) || message.kind === INTERRUPTION_ANSWER) return;
      // An empty message is from a plan, which counts questions without waiting for a fact check.
      const checking = message.body === "" ? undefined : options.checkOf?.(message, tools);
      const check = checking && await checking;
      const rubric = isAnswer(message, tools.transcript, options.labels) ? forAnswers : forFirst;
      const { notApplicable } = rubric;
      const notes = [
        ...(check === undefined ? [] : [factCheckNote(check)]),
        ...(notApplicable.length === 0 ? [] : [
          `Turn ${message.seq} was made before any other side had spoken: it is not scored on ${
            notApplicable.join(", ")
          }.`,
        ]),
      ].join("\n\n");
      const question = (judge: string) =>
        scoreQuestion(message, judge, {
          ...options,
          ...rubric,
          notes,
          said: tools.transcript,
          checked: options.factCap === true && check !== undefined ? [check] : [],
        });
      const turns = gather?.({ message, tools, question });
      await Promise.all(options.judges.map(async (judge) => {
        if (byRound === undefined) return void await tools.ask(question(judge));
        if (turns !== undefined) await scoreRound(turns, judge, { ...options, ...byRound });
      }));
    },
  };
}

/** True if the speaker of a message had seen a message of another side. */
function isAnswer(
  { participant, previous = 0 }: Message,
  said: readonly Message[],
  sides: ScorerOptions["labels"],
): boolean {
  return said.some((each) =>
    each.seq <= previous && each.participant !== participant && sides.has(each.participant)
  );
}

/** Returns the scores that a program gives the messages of the sides, as {@linkcode scorer} records them. */
export async function scoresByProgram(
  { score }: Scoring,
  judge: string,
  { rubric, labels, said, checks }: Pick<ScorerOptions, "rubric" | "labels"> & {
    readonly said: readonly Message[];
    /** Fact checks that cap the scores of evidence criteria. */
    readonly checks: readonly FactCheck[];
  },
): Promise<Score[]> {
  const made = { text: "", model: "", usage: NO_USAGE, latencyMs: 0, createdAt: "" };
  const scored = said.filter(({ participant, kind }) =>
    labels.has(participant) && kind !== INTERRUPTION_ANSWER
  );
  return await Promise.all(scored.map(async (message) => {
    const { applied, notApplicable } = rubricFor(rubric, isAnswer(message, said, labels));
    const given = await Promise.resolve(message).then((each) => score(each, applied))
      .catch(() => undefined);
    const value = scoreSchema(applied).safeParse(given).data;
    const read = readWith(applied, checks.filter((check) => check.message === message.seq));
    return scoreOf(message, judge, {
      rubric: applied,
      notApplicable,
      answer: value === undefined ? made : { ...made, value },
      read,
    });
  }));
}

/** Returns a function that reads a reply: rounds the scores and caps those of evidence criteria. */
function readWith(rubric: Rubric, checks: readonly FactCheck[]) {
  return ({ scores, reasons }: ScoreReply): Pick<Score, "criteria" | "judged" | "reasons"> => {
    const given = rubric.criteria.map(({ id }) => [id, round4(scores[id]!)] as const);
    return { ...capped(Object.fromEntries(given), rubric, checks), reasons };
  };
}

/**
 * Caps the scores of evidence criteria at the top of the scale times the share of claims that were not refuted. `judged` holds the
 * original scores that were higher.
 */
export function capped(
  given: Readonly<Record<string, number>>,
  { criteria, scale: [least, most] }: Rubric,
  checks: readonly FactCheck[],
): Pick<Score, "criteria" | "judged"> {
  const { claims, false: refuted } = countsOf(checks);
  const cap = claims === 0 ? Infinity : Math.max(least, round4(most * (1 - refuted / claims)));
  const high = criteria.flatMap(({ id, evidence }) =>
    evidence === true && given[id]! > cap ? [id] : []
  );
  if (high.length === 0) return { criteria: given };
  return {
    criteria: { ...given, ...Object.fromEntries(high.map((id) => [id, cap])) },
    judged: Object.fromEntries(high.map((id) => [id, given[id]!])),
  };
}

function scoreQuestion(
  message: Message,
  judge: string,
  { rubric, task, taskOf, labels, applied, notApplicable, type, notes, said, checked }:
    & ScorerOptions
    & AppliedRubric
    & {
      readonly notes: string;
      readonly said: readonly Message[];
      /** Fact checks that cap the scores of evidence criteria. */
      readonly checked: readonly FactCheck[];
    },
): Question<ScoreReply, Score> {
  const { previous = 0 } = message;
  const few = ["no turn", "turn 1 alone"];
  return {
    key: `score/${message.seq}/${judge}`,
    asked: judge,
    phase: message.phase,
    kind: "score",
    round: message.round,
    task,
    values: {
      answered: String(message.seq),
      opponent: labels.get(message.participant)!,
      seen: `Its speaker had seen ${few[previous] ?? turnsThrough(previous)}.`,
      task: taskOf?.(message, said) ?? "to speak to the topic",
    },
    notes: notes === "" ? undefined : notes,
    schema: { name: "score", type },
    data: { rubric: applied, participant: message.participant, body: message.body },
    compute: ({ scoring }) => scoring?.score(message, applied),
    toFact: (answer) =>
      scoreOf(message, judge, {
        rubric: applied,
        notApplicable,
        answer,
        read: readWith(applied, checked),
      }),
    matches: (fact): fact is Score =>
      fact.type === "score" && fact.message === message.seq && fact.judge === judge &&
      fact.rubric === rubric.id,
  };
}

/**
 * Creates one judge's score of one message: `read` converts the answer, and the total is computed from the criteria. Without a readable
 * answer the status is `unscored`, with the reason.
 */
export function scoreOf<T>(
  { seq, participant }: Message,
  judge: string,
  { rubric, notApplicable, answer, read }: {
    /** Rubric with the criteria that apply to the message. */
    readonly rubric: Rubric;
    /** Ids of the criteria that do not apply. */
    readonly notApplicable: readonly string[];
    readonly answer: Answer<T>;
    readonly read: (value: T) => Pick<Score, "criteria" | "judged" | "reasons" | "topics">;
  },
): Score {
  const { value, problem, text, ...made } = answer;
  const weights = weightsOf(rubric);
  const common = {
    type: "score",
    message: seq,
    participant,
    judge,
    rubric: rubric.id,
    scale: rubric.scale,
    weights,
    ...notApplicable.length === 0 ? {} : { notApplicable },
    ...made,
  } as const;
  if (value === undefined) {
    const reason = problem ?? "The reply could not be read.";
    return { ...common, status: "unscored", reason, criteria: {}, reasons: text };
  }
  const found = read(value);
  return { ...common, status: "scored", ...found, total: weightedTotal(found.criteria, weights) };
}

interface TurnToScore {
  readonly message: Message;
  readonly tools: ObserverTools;
  /** Creates the question for one judge's score of this turn alone. */
  readonly question: (judge: string) => Question<ScoreReply, Score>;
}

/** Returns a function that collects turns and returns the turns of a round, in order, when the round's last turn is added. */
function gatherRounds(turnsIn: (message: Message) => number) {
  // Keyed by the run's transcript, because a plan of the same workflow uses the same observer.
  const waiting = new WeakMap<readonly Message[], Map<string, TurnToScore[]>>();
  return (turn: TurnToScore): readonly TurnToScore[] | undefined => {
    const { message, tools: { transcript } } = turn;
    const rounds = waiting.getOrInsertComputed(transcript, () => new Map());
    const key = `${message.phase}/${message.round}`;
    const turns = [...rounds.get(key) ?? [], turn];
    rounds.set(key, turns);
    if (turns.length < turnsIn(message)) return undefined;
    rounds.delete(key);
    return turns.toSorted((a, b) => a.message.seq - b.message.seq);
  };
}

/** Reply with a score per turn; undefined for a turn whose part cannot be read. */
type RoundReply = Readonly<Record<string, ScoreReply | undefined>>;

/**
 * Asks a judge to score the turns of a round in one request, and records each score as a fact. The last has the usage of the request:
 * after a kill between two scores, the resumed run takes the kept answer and its usage. A turn whose part of the reply cannot be read
 * is asked about alone.
 */
async function scoreRound(
  turns: readonly TurnToScore[],
  judge: string,
  options: { readonly task: string; readonly labels: ReadonlyMap<string, string> },
): Promise<void> {
  const { tools } = turns.at(-1)!;
  const recorded = tools.recorded();
  const questions = turns.map((turn) => ({ ...turn, question: turn.question(judge) }));
  const open = questions.filter(({ question }) => !recorded.some((each) => question.matches(each)));
  const answer = open.length === 0 || turns.length < 2
    ? undefined
    : await tools.consult(roundQuestion(questions, judge, options));
  for (const asked of questions) {
    const { message, question, tools } = asked;
    const usage = asked === open.at(-1) ? answer?.usage ?? NO_USAGE : NO_USAGE;
    const value = answer?.value?.[keyOf(message)];
    if (answer !== undefined && value !== undefined && open.includes(asked)) {
      await tools.record(question.toFact({ ...answer, usage, value }, 1));
      continue;
    }
    const toFact = (alone: Answer<ScoreReply>, number: number) =>
      question.toFact({ ...alone, usage: addUsage(usage, alone.usage) }, number);
    await tools.ask({ ...question, toFact });
  }
}

interface AskedTurn extends Omit<TurnToScore, "question"> {
  readonly question: Question<ScoreReply, Score>;
}

function keyOf({ seq }: Message): string {
  return `turn_${seq}`;
}

function roundQuestion(
  turns: readonly AskedTurn[],
  judge: string,
  { task, labels }: { readonly task: string; readonly labels: ReadonlyMap<string, string> },
): Consultation<RoundReply> {
  const { message: last, question: { phase, round, values } } = turns.at(-1)!;
  // The prompt's transcript ends with the last message that the last turn's speaker had seen.
  const unseen = turns.filter(({ message: { seq } }) => seq > (last.previous ?? 0))
    .map(({ message }) => renderTurn(message, labels.get(message.participant)!).trimEnd());
  const notes = turns.flatMap(({ question: { notes } }) => notes ?? []);
  const parts = turns.map(({ message, question }) =>
    [keyOf(message), question.schema.type as z.ZodType<ScoreReply>] as const
  );
  return {
    key: `score-round/${phase}-${round}/${judge}`,
    asked: judge,
    phase,
    kind: "round_scores",
    round,
    task,
    values: { ...values, turns: turns.map(lineOf).join("\n") },
    notes: [...unseen, ...notes].join("\n\n"),
    // An unreadable part must not invalidate the others.
    schema: {
      name: "round_scores",
      type: z.object(
        Object.fromEntries(parts.map(([key, type]) => [key, type.catch(undefined as never)])),
      ),
    },
    maxTokens: tokensFor("round_scores", turns.length),
    data: { turns: turns.map(({ message: { seq } }) => seq) },
    // A person writes lines, and a program scores one message: each turn is asked about alone.
    compute: (agent) => agent.model === HUMAN || agent.scoring !== undefined ? {} : undefined,
  };
}

/** Returns a line with a turn's number, speaker, seen turns and task. */
function lineOf({ message: { seq }, question: { values = {} } }: AskedTurn): string {
  return fillTemplate(`- Turn ${seq}, by {opponent}. {seen} Its task was: “{task}”`, values);
}
