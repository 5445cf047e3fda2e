import type { FactCheck, Score } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Observer, ObserverTools } from "../../core/observer.ts";
import {
  round4,
  type Rubric,
  type ScoreReply,
  scoreSchema,
  weightedTotal,
  weightsOf,
} from "../../core/scoring.ts";
import type { Schema } from "../../core/schema.ts";
import type { Answer, Question } from "../../core/turn.ts";
import { factCheckNote } from "../fact_checking/fact_check_notes.ts";

/** Options of {@linkcode scorer}. */
export interface ScorerOptions {
  /** The judges' ids. */
  readonly judges: readonly string[];
  /** What the judges score by. */
  readonly rubric: Rubric;
  /** The criterion ids in the order they are asked. */
  readonly order: readonly string[];
  /** What a judge is asked. */
  readonly task: string;
  /** Whose messages are scored: from participant id to how prompts name it. */
  readonly labels: ReadonlyMap<string, string>;
  /** A message's fact check, which the judges see and which is waited for. @default none is made */
  readonly checkOf?:
    | ((message: Message, tools: ObserverTools) => Promise<FactCheck | undefined>)
    | undefined;
}

/** Has every judge score every message of the sides, each alone and alongside the debate. */
export function scorer(options: ScorerOptions): Observer {
  const type = scoreSchema(options.rubric, options.order);
  return {
    name: "scorer",
    async observe(message, tools) {
      if (!options.labels.has(message.participant)) return;
      // A plan's message has no words, and what is asked about it is counted at once.
      const check = message.body === "" ? undefined : options.checkOf?.(message, tools);
      const found = check && await check;
      const notes = found && factCheckNote(found);
      await Promise.all(
        options.judges.map((judge) =>
          tools.ask(scoreQuestion(message, judge, { ...options, type, notes }))
        ),
      );
    },
  };
}

/** The question for one judge's score of one message. */
function scoreQuestion(
  message: Message,
  judge: string,
  { rubric, task, labels, type, notes }: ScorerOptions & {
    readonly type: Schema<ScoreReply>;
    readonly notes: string | undefined;
  },
): Question<ScoreReply, Score> {
  return {
    key: `score/${message.seq}/${judge}`,
    asked: judge,
    phase: message.phase,
    kind: "score",
    round: message.round,
    task,
    values: { answered: String(message.seq), opponent: labels.get(message.participant)! },
    notes,
    schema: { name: "score", type },
    about: message.replyTo === undefined ? [] : [message.replyTo],
    data: { rubric, message: message.seq },
    toFact: (answer) =>
      scoreOf(message, judge, {
        rubric,
        answer,
        read: ({ scores, reasons }) => ({
          criteria: Object.fromEntries(
            rubric.criteria.map(({ id }) => [id, round4(scores[id]!)]),
          ),
          reasons,
        }),
      }),
    matches: (fact): fact is Score =>
      fact.type === "score" && fact.message === message.seq && fact.judge === judge &&
      fact.rubric === rubric.id,
  };
}

/**
 * One judge's score of one message: what `read` makes of its answer, the total by arithmetic; without a readable answer
 * it is `unscored`, with the reason.
 */
export function scoreOf<T>(
  { seq, participant }: Message,
  judge: string,
  { rubric, answer, read }: {
    readonly rubric: Rubric;
    readonly answer: Answer<T>;
    readonly read: (value: T) => Pick<Score, "criteria" | "reasons" | "topics">;
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
    ...made,
  } as const;
  if (value === undefined) {
    const reason = problem ?? "The reply could not be read.";
    return { ...common, status: "unscored", reason, criteria: {}, reasons: text };
  }
  const found = read(value);
  return { ...common, status: "scored", ...found, total: weightedTotal(found.criteria, weights) };
}
