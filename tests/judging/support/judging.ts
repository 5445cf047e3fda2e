// Scores and verdicts for tests of judges.
import type { Score, Verdict } from "../../../src/core/fact.ts";
import { weightedTotal } from "../../../src/judging/scoring.ts";

/** Provenance of facts that no model made. */
export const MADE = {
  model: "m",
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
  latencyMs: 0,
  createdAt: "2026-11-21T00:00:00.000Z",
} as const;
const WEIGHTS = { clarity: 0.6, wit: 0.4 };

/** Returns a judge's score of message 1 by the rubric "two"; unscored without `criteria`. */
export function scoreBy(
  judge: string,
  { criteria, ...rest }: Partial<Score> & Pick<Score, "participant">,
): Score {
  return {
    ...MADE,
    type: "score",
    message: 1,
    judge,
    rubric: "two",
    scale: [0, 10],
    weights: WEIGHTS,
    reasons: "",
    ...(criteria === undefined
      ? { status: "unscored", reason: "unread", criteria: {} }
      : { status: "scored", criteria, total: weightedTotal(criteria, rest.weights ?? WEIGHTS) }),
    ...rest,
  };
}

/** Returns a judge's verdict on the sides "a" and "b" in the order of its pass; unreadable without `winner`. */
export function verdictBy(judge: string, { winner, ...rest }: Partial<Verdict>): Verdict {
  const { pass, number = 1 } = rest;
  return {
    ...MADE,
    type: "verdict",
    judge,
    rubric: "two",
    number: 1,
    order: (pass ?? number) % 2 === 1 ? ["a", "b"] : ["b", "a"],
    reasons: "",
    ...(winner === undefined
      ? { status: "unread", reason: "unread", winner: null }
      : { status: "read", winner }),
    ...rest,
  };
}
