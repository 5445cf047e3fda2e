import { z } from "zod";
import type { Failure, LookUp, Rejection } from "../../core/fact.ts";
import { optional } from "./renderer.ts";
import {
  commonShape,
  count,
  type FactReader,
  madeShape,
  ordinal,
  time,
  toMade,
  toUsage,
  usageShape,
} from "./shapes.ts";

const turnShape = { seq: ordinal, turn: z.string(), participant: z.string() };

const rejectedSchema = z.object({
  ...commonShape("rejected"),
  ...turnShape,
  attempt: ordinal,
  guard: z.string(),
  reason: z.string(),
  ...madeShape,
});

/** Reads what `rejectedFile` writes. */
export const rejectedReader: FactReader<Rejection> = {
  schema: rejectedSchema,
  fact(data, body) {
    const read = rejectedSchema.parse(data);
    return {
      type: "rejected",
      seq: read.seq,
      turn: read.turn,
      participant: read.participant,
      attempt: read.attempt,
      guard: read.guard,
      reason: read.reason,
      ...toMade(read),
      body,
    };
  },
};

const failureSchema = z.object({
  ...commonShape("failure"),
  ...turnShape,
  code: z.string(),
  attempts: count,
  model: z.string().optional(),
  usage: usageShape.optional(),
  latency_ms: z.number().nonnegative().optional(),
  created_at: time,
});

/** Reads what `failureFile` writes. */
export const failureReader: FactReader<Failure> = {
  schema: failureSchema,
  fact(data, body) {
    const read = failureSchema.parse(data);
    return {
      type: "failure",
      seq: read.seq,
      turn: read.turn,
      participant: read.participant,
      code: read.code,
      attempts: read.attempts,
      message: body,
      ...optional("model", read.model),
      ...optional(
        "usage",
        read.usage === undefined ? undefined : toUsage(read.usage),
      ),
      ...optional("latencyMs", read.latency_ms),
      createdAt: read.created_at,
    };
  },
};

const lookUpSchema = z.object({
  ...commonShape("lookup"),
  ...turnShape,
  seq: count,
  number: ordinal,
  tool: z.string(),
  args: z.unknown(),
  failed: z.boolean(),
  created_at: time,
});

/** Reads what `lookUpFile` writes. */
export const lookUpReader: FactReader<LookUp> = {
  schema: lookUpSchema,
  fact(data, body) {
    const read = lookUpSchema.parse(data);
    return {
      type: "lookup",
      seq: read.seq,
      number: read.number,
      turn: read.turn,
      participant: read.participant,
      tool: read.tool,
      args: read.args,
      failed: read.failed,
      result: body,
      createdAt: read.created_at,
    };
  },
};
