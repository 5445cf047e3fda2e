import type { Score, Verdict } from "../../core/fact.ts";
import { judgeShortId } from "../../core/message.ts";
import { common, type FactFile, madeData, padded } from "./renderer.ts";

/** One judge's score of one message; the reasons are the body. */
export const scoreFile: FactFile<Score> = {
  type: "score",
  folder: "scores",
  name: (score, { width }) =>
    `${padded(score.message, width)}_${judgeShortId(score.judge, score.model, score.rubric)}.md`,
  page: (score) => ({
    data: {
      ...common("score"),
      message: score.message,
      participant: score.participant,
      judge: score.judge,
      model: score.model,
      rubric: score.rubric,
      scale: score.scale,
      status: score.status,
      reason: score.reason,
      weights: score.weights,
      not_applicable: score.notApplicable,
      criteria: score.criteria,
      total: score.total,
      topics: score.topics?.map(({ topic, criteria, notes, argued }) => ({
        topic,
        criteria,
        notes,
        argued,
      })),
      ...madeData(score),
    },
    body: score.reasons,
  }),
  order: ({ message }) => [message],
};

/** One judge's verdict on one order of the sides; the reasons are the body. */
export const verdictFile: FactFile<Verdict> = {
  type: "verdict",
  folder: "verdicts",
  name: (verdict) =>
    `${judgeShortId(verdict.judge, verdict.model, verdict.rubric)}_${verdict.number}.md`,
  page: (verdict) => ({
    data: {
      ...common("verdict"),
      judge: verdict.judge,
      model: verdict.model,
      rubric: verdict.rubric,
      number: verdict.number,
      order: verdict.order,
      status: verdict.status,
      reason: verdict.reason,
      winner: verdict.winner,
      ...madeData(verdict),
    },
    body: verdict.reasons,
  }),
  order: ({ number }) => [number],
};
