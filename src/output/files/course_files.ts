import { z } from "zod";
import type { Choice, Context, Stop } from "../../core/fact.ts";
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
  toMade,
} from "./renderer.ts";

const choiceSchema = z.object({
  ...commonShape("choice"),
  key: z.string(),
  seq: ordinal,
  number: ordinal,
  participant: z.string(),
  kind: z.string(),
  value: z.unknown(),
  ...madeShape,
});

/** What a structured question brought, under `value`; the reasons are the body. */
export const choiceFile: FactFile<Choice> = {
  type: "choice",
  folder: "choices",
  schema: choiceSchema,
  name: ({ seq, number }, { width }) => `${padded(seq, width)}_${number}.md`,
  page: (choice) => ({
    data: {
      ...common("choice"),
      key: choice.key,
      seq: choice.seq,
      number: choice.number,
      participant: choice.participant,
      kind: choice.kind,
      value: jsonData(choice.value),
      model: choice.model,
      ...madeData(choice),
    },
    body: choice.reasons,
  }),
  fact(data, body) {
    const read = choiceSchema.parse(data);
    return {
      type: "choice",
      key: read.key,
      seq: read.seq,
      number: read.number,
      participant: read.participant,
      kind: read.kind,
      value: read.value,
      ...toMade(read),
      reasons: body,
    };
  },
  order: ({ seq, number }) => [seq, number],
};

const contextSchema = z.object({
  ...commonShape("context"),
  number: ordinal,
  through: ordinal,
  ...madeShape,
});

/** The rolling summary of older turns, the body. */
export const contextFile: FactFile<Context> = {
  type: "context",
  folder: "context",
  schema: contextSchema,
  name: ({ number }) => `${padded(number, 3)}.md`,
  page: (context) => ({
    data: {
      ...common("context"),
      number: context.number,
      through: context.through,
      model: context.model,
      ...madeData(context),
    },
    body: context.body,
  }),
  fact(data, body) {
    const read = contextSchema.parse(data);
    return {
      type: "context",
      number: read.number,
      through: read.through,
      ...toMade(read),
      body,
    };
  },
  order: ({ number }) => [number],
};

/** Why a convening ends, as files name it. */
export const END_REASONS = [
  "completed",
  "exit_condition",
  "consensus",
  "impasse",
  "max_turns",
  "max_duration",
  "max_tokens",
  "max_cost",
  "nothing_new",
  "cancelled",
  "failed",
] as const;

const stopSchema = z.object({
  ...commonShape("stop"),
  number: ordinal,
  reason: z.enum(END_REASONS),
  limit: z.number().optional(),
  value: z.number().optional(),
  last_seq: count,
  ...madeShape,
});

/** An early end; the summary made then is the body. */
export const stopFile: FactFile<Stop> = {
  type: "stop",
  folder: "stops",
  schema: stopSchema,
  name: ({ number }) => `${number}.md`,
  page: (stop) => ({
    data: {
      ...common("stop"),
      number: stop.number,
      reason: stop.reason,
      limit: stop.limit,
      value: stop.value,
      last_seq: stop.lastSeq,
      model: stop.model,
      ...madeData(stop),
    },
    body: stop.body,
  }),
  fact(data, body) {
    const read = stopSchema.parse(data);
    return {
      type: "stop",
      number: read.number,
      reason: read.reason,
      ...optional("limit", read.limit),
      ...optional("value", read.value),
      lastSeq: read.last_seq,
      ...toMade(read),
      body,
    };
  },
  order: ({ number }) => [number],
};
