import { z } from "zod";
import type { Score, Verdict } from "../../core/fact.ts";
import { judgeShortId } from "../../core/message.ts";
import {
  common,
  commonShape,
  type FactFile,
  madeData,
  madeShape,
  optional,
  ordinal,
  padded,
  toMade,
} from "./renderer.ts";

const numbers = z.record(z.string(), z.number());

const scoreSchema = z.object({
  ...commonShape("score"),
  message: ordinal,
  participant: z.string(),
  judge: z.string(),
  rubric: z.string(),
  scale: z.tuple([z.number(), z.number()]),
  status: z.enum(["scored", "unscored"]),
  reason: z.string().optional(),
  weights: numbers,
  criteria: numbers,
  total: z.number().optional(),
  ...madeShape,
});

/** One judge's score of one message; the reasons are the body. */
export const scoreFile: FactFile<Score> = {
  type: "score",
  folder: "scores",
  schema: scoreSchema,
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
      criteria: score.criteria,
      total: score.total,
      ...madeData(score),
    },
    body: score.reasons,
  }),
  fact(data, body) {
    const read = scoreSchema.parse(data);
    return {
      type: "score",
      message: read.message,
      participant: read.participant,
      judge: read.judge,
      rubric: read.rubric,
      scale: read.scale,
      status: read.status,
      ...optional("reason", read.reason),
      weights: read.weights,
      criteria: read.criteria,
      ...optional("total", read.total),
      ...toMade(read),
      reasons: body,
    };
  },
  order: ({ message }) => [message],
};

const verdictSchema = z.object({
  ...commonShape("verdict"),
  judge: z.string(),
  rubric: z.string(),
  number: ordinal,
  order: z.array(z.string()),
  status: z.enum(["read", "unread"]),
  reason: z.string().optional(),
  winner: z.string().nullable(),
  ...madeShape,
});

/** One judge's verdict on one order of the sides; the reasons are the body. */
export const verdictFile: FactFile<Verdict> = {
  type: "verdict",
  folder: "verdicts",
  schema: verdictSchema,
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
  fact(data, body) {
    const read = verdictSchema.parse(data);
    return {
      type: "verdict",
      judge: read.judge,
      rubric: read.rubric,
      number: read.number,
      order: read.order,
      status: read.status,
      ...optional("reason", read.reason),
      winner: read.winner,
      ...toMade(read),
      reasons: body,
    };
  },
  order: ({ number }) => [number],
};
