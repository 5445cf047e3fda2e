import { z } from "zod";
import type { Choice, Context, Stop } from "../../core/fact.ts";
import { END_REASONS } from "./course_files.ts";
import { optional } from "./renderer.ts";
import { commonShape, count, type FactReader, madeShape, ordinal, toMade } from "./shapes.ts";

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

/** Reads what `choiceFile` writes. */
export const choiceReader: FactReader<Choice> = {
  schema: choiceSchema,
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
};

const contextSchema = z.object({
  ...commonShape("context"),
  number: ordinal,
  through: ordinal,
  ...madeShape,
});

/** Reads what `contextFile` writes. */
export const contextReader: FactReader<Context> = {
  schema: contextSchema,
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
};

const stopSchema = z.object({
  ...commonShape("stop"),
  number: ordinal,
  reason: z.enum(END_REASONS),
  limit: z.number().optional(),
  value: z.number().optional(),
  last_seq: count,
  ...madeShape,
});

/** Reads what `stopFile` writes. */
export const stopReader: FactReader<Stop> = {
  schema: stopSchema,
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
};
