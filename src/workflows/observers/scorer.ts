import type { Score } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Observer } from "../../core/observer.ts";
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
}

/** Has every judge score every message of the sides, each alone and alongside the debate. */
export function scorer(options: ScorerOptions): Observer {
  const type = scoreSchema(options.rubric, options.order);
  return {
    name: "scorer",
    async observe(message, { ask }) {
      if (!options.labels.has(message.participant)) return;
      await Promise.all(
        options.judges.map((judge) => ask(scoreQuestion(message, judge, { ...options, type }))),
      );
    },
  };
}

/** The question for one judge's score of one message. */
function scoreQuestion(
  message: Message,
  judge: string,
  { rubric, task, labels, type }: ScorerOptions & { readonly type: Schema<ScoreReply> },
): Question<ScoreReply, Score> {
  return {
    key: `score/${message.seq}/${judge}`,
    asked: judge,
    phase: message.phase,
    kind: "score",
    round: message.round,
    task,
    values: { answered: String(message.seq), opponent: labels.get(message.participant)! },
    schema: { name: "score", type },
    about: message.replyTo === undefined ? [] : [message.replyTo],
    data: { rubric, message: message.seq },
    toFact: (answer) => scoreOf(message, judge, { rubric, answer }),
    matches: (fact): fact is Score =>
      fact.type === "score" && fact.message === message.seq && fact.judge === judge &&
      fact.rubric === rubric.id,
  };
}

function scoreOf(
  message: Message,
  judge: string,
  { rubric, answer }: { rubric: Rubric; answer: Answer<ScoreReply> },
): Score {
  const { value, problem, text, ...made } = answer;
  const weights = weightsOf(rubric);
  const common = {
    type: "score",
    message: message.seq,
    participant: message.participant,
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
  const criteria = Object.fromEntries(
    rubric.criteria.map(({ id }) => [id, round4(value.scores[id]!)]),
  );
  const total = weightedTotal(criteria, weights);
  return { ...common, status: "scored", criteria, total, reasons: value.reasons };
}
