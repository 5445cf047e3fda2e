// Scores of all turns of a round by one request a judge: the question, and the scores that its answer holds.
import { tokensFor } from "../core/asks.ts";
import type { Score } from "../core/fact.ts";
import { addUsage, type Message, NO_USAGE } from "../core/message.ts";
import type { Consultation, ObserverTools } from "../core/guard.ts";
import { fillTemplate, renderTurn } from "../core/prompt.ts";
import type { Answer, Question } from "../core/turn.ts";
import { z } from "zod";
import type { ScoreReply } from "./scoring.ts";

/** A turn that is ready to be scored: its question to each judge, and what that is made of. */
export interface TurnToScore {
  readonly message: Message;
  readonly tools: ObserverTools;
  /** The question for one judge's score of this turn alone. */
  readonly question: (judge: string) => Question<ScoreReply, Score>;
}

/** Turns of one convening that wait for the rest of their round. */
export class WaitingRounds {
  readonly #turnsIn: (message: Message) => number;
  /** By the messages of the run: a plan counts the same questions before. */
  readonly #waiting = new WeakMap<readonly Message[], Map<string, TurnToScore[]>>();

  /** `turnsIn` gives the number of turns that are scored in the round of a message. */
  constructor(turnsIn: (message: Message) => number) {
    this.#turnsIn = turnsIn;
  }

  /** The turns of a round in their order, once the last of them has come. */
  take(turn: TurnToScore): readonly TurnToScore[] | undefined {
    const { message, tools: { transcript } } = turn;
    const rounds = this.#waiting.get(transcript) ?? new Map<string, TurnToScore[]>();
    this.#waiting.set(transcript, rounds);
    const key = `${message.phase}/${message.round}`;
    const turns = [...rounds.get(key) ?? [], turn];
    rounds.set(key, turns);
    if (turns.length < this.#turnsIn(message)) return undefined;
    rounds.delete(key);
    return turns.toSorted((a, b) => a.message.seq - b.message.seq);
  }
}

/** Scores by turn, as a reply holds them; undefined where a turn's part cannot be read. */
type RoundReply = Readonly<Record<string, ScoreReply | undefined>>;

/**
 * Has a judge score the turns of a round in one request, each as its own fact; the first has the usage of the request. A
 * turn whose part of the reply cannot be read is asked about alone.
 */
export async function scoreRound(
  turns: readonly TurnToScore[],
  judge: string,
  options: { readonly task: string; readonly labels: ReadonlyMap<string, string> },
): Promise<void> {
  const { tools } = turns.at(-1)!;
  const recorded = tools.recorded();
  const questions = turns.map((turn) => ({ ...turn, question: turn.question(judge) }));
  const isScored = questions.every(({ question }) =>
    recorded.some((each) => question.matches(each))
  );
  const answer = isScored || turns.length < 2
    ? undefined
    : await tools.consult(roundQuestion(questions, judge, options));
  let used = answer?.usage ?? NO_USAGE;
  for (const { message, question, tools } of questions) {
    const usage = used;
    const value = answer?.value?.[keyOf(message)];
    const isOnRecord = recorded.some((each) => question.matches(each));
    if (!isOnRecord) used = NO_USAGE;
    if (answer !== undefined && value !== undefined && !isOnRecord) {
      await tools.record(question.toFact({ ...answer, usage, value }, 1));
      continue;
    }
    const alone = (own: Answer<ScoreReply>) => ({ ...own, usage: addUsage(usage, own.usage) });
    await tools.ask({ ...question, toFact: (own, number) => question.toFact(alone(own), number) });
  }
}

/** A turn with its question to one judge. */
interface AskedTurn extends Omit<TurnToScore, "question"> {
  readonly question: Question<ScoreReply, Score>;
}

function keyOf({ seq }: Message): string {
  return `turn_${seq}`;
}

/** One judge's question about all turns of a round. */
function roundQuestion(
  turns: readonly AskedTurn[],
  judge: string,
  { task, labels }: { readonly task: string; readonly labels: ReadonlyMap<string, string> },
): Consultation<RoundReply> {
  const { message: last, question: { phase, round, values } } = turns.at(-1)!;
  // The transcript of the prompt ends with what the last turn had been given.
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
    // A part that cannot be read leaves the others as they are.
    schema: {
      name: "round_scores",
      type: z.object(
        Object.fromEntries(parts.map(([key, type]) => [key, type.catch(undefined as never)])),
      ),
    },
    maxTokens: tokensFor("round_scores", turns.length),
    data: { turns: turns.map(({ message: { seq } }) => seq) },
    compute: (agent) => agent.scoring === undefined ? undefined : computed(turns, agent),
  };
}

/** A turn in a line: its number, speaker, view and task. */
function lineOf({ message: { seq }, question: { values = {} } }: AskedTurn): string {
  return fillTemplate(`- Turn ${seq}, by {opponent}. {seen} Its task was: “{task}”`, values);
}

async function computed(
  turns: readonly AskedTurn[],
  agent: Parameters<NonNullable<Consultation["compute"]>>[0],
): Promise<RoundReply> {
  const scores = turns.map(async ({ message, question }) =>
    [keyOf(message), await question.compute?.(agent)] as const
  );
  return Object.fromEntries(await Promise.all(scores));
}
