import { z } from "zod";
import type { Score, Verdict } from "../../core/fact.ts";
import { optional } from "./renderer.ts";
import { commonShape, type FactReader, madeShape, ordinal, toMade } from "./shapes.ts";

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
  not_applicable: z.array(z.string()).optional(),
  criteria: numbers,
  total: z.number().optional(),
  topics: z.array(z.object({
    topic: z.string(),
    criteria: numbers,
    notes: z.string(),
    argued: z.literal(false).optional(),
  })).optional(),
  ...madeShape,
});

/** Reads what `scoreFile` writes. */
export const scoreReader: FactReader<Score> = {
  schema: scoreSchema,
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
      ...optional("notApplicable", read.not_applicable),
      criteria: read.criteria,
      ...optional("total", read.total),
      ...optional("topics", read.topics),
      ...toMade(read),
      reasons: body,
    };
  },
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

/** Reads what `verdictFile` writes. */
export const verdictReader: FactReader<Verdict> = {
  schema: verdictSchema,
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
};
