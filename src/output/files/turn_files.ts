import { z } from "zod";
import type { Failure, LookUp, Rejection } from "../../core/fact.ts";
import {
  common,
  commonShape,
  count,
  type FactFile,
  jsonData,
  madeData,
  madeShape,
  optional,
  ordinal,
  padded,
  time,
  toMade,
  toUsage,
  usageData,
  usageShape,
} from "./renderer.ts";

const turnShape = { seq: ordinal, turn: z.string(), participant: z.string() };

const rejectedSchema = z.object({
  ...commonShape("rejected"),
  ...turnShape,
  attempt: ordinal,
  guard: z.string(),
  reason: z.string(),
  ...madeShape,
});

/** An attempt that a guard turned down; its text is the body. */
export const rejectedFile: FactFile<Rejection> = {
  type: "rejected",
  folder: "rejected",
  schema: rejectedSchema,
  name: ({ seq, attempt }, { width }) => `${padded(seq, width)}_${attempt}.md`,
  page: (rejection) => ({
    data: {
      ...common("rejected"),
      seq: rejection.seq,
      turn: rejection.turn,
      participant: rejection.participant,
      attempt: rejection.attempt,
      guard: rejection.guard,
      reason: rejection.reason,
      model: rejection.model,
      ...madeData(rejection),
    },
    body: rejection.body,
  }),
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
  order: ({ seq, attempt }) => [seq, attempt],
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

/** A turn that failed for good; the error's message is the body. */
export const failureFile: FactFile<Failure> = {
  type: "failure",
  folder: "failures",
  schema: failureSchema,
  name: ({ seq }, { width }) => `${padded(seq, width)}.md`,
  page: (failure) => ({
    data: {
      ...common("failure"),
      seq: failure.seq,
      turn: failure.turn,
      participant: failure.participant,
      code: failure.code,
      attempts: failure.attempts,
      model: failure.model,
      usage: failure.usage === undefined ? undefined : usageData(failure.usage),
      latency_ms: failure.latencyMs,
      created_at: failure.createdAt,
    },
    body: failure.message,
  }),
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
  order: ({ seq }) => [seq],
};

const lookUpSchema = z.object({
  ...commonShape("lookup"),
  ...turnShape,
  number: ordinal,
  tool: z.string(),
  args: z.unknown(),
  failed: z.boolean(),
  created_at: time,
});

/** What a tool was asked, under `args`, and what it gave back, the body. */
export const lookUpFile: FactFile<LookUp> = {
  type: "lookup",
  folder: "lookups",
  schema: lookUpSchema,
  name: ({ seq, number }, { width }) => `${padded(seq, width)}_${number}.md`,
  page: (lookup) => ({
    data: {
      ...common("lookup"),
      seq: lookup.seq,
      number: lookup.number,
      turn: lookup.turn,
      participant: lookup.participant,
      tool: lookup.tool,
      args: jsonData(lookup.args),
      failed: lookup.failed,
      created_at: lookup.createdAt,
    },
    body: lookup.result,
  }),
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
  order: ({ seq, number }) => [seq, number],
};
