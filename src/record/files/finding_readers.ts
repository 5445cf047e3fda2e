import { z } from "zod";
import { CLAIM_VERDICTS, type FactCheck, type Stance } from "../../core/fact.ts";
import { optional } from "./renderer.ts";
import { commonShape, count, type FactReader, madeShape, ordinal, toMade } from "./shapes.ts";

const share = z.number().min(0).max(1);

const factCheckSchema = z.object({
  ...commonShape("fact-check"),
  message: ordinal,
  participant: z.string(),
  mode: z.enum(["standard", "strict"]),
  status: z.enum(["checked", "unchecked"]),
  reason: z.string().optional(),
  factuality: share.nullable(),
  dropped: ordinal.optional(),
  claims: z.array(z.object({
    text: z.string(),
    quote: z.string().exactOptional(),
    verdict: z.enum(CLAIM_VERDICTS),
    omitted: z.string().exactOptional(),
    confidence: share,
    sources: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
  })),
  ...madeShape,
});

/** Reads what `factCheckFile` writes. */
export const factCheckReader: FactReader<FactCheck> = {
  schema: factCheckSchema,
  fact(data, body) {
    const read = factCheckSchema.parse(data);
    return {
      type: "fact-check",
      message: read.message,
      participant: read.participant,
      mode: read.mode,
      status: read.status,
      ...optional("reason", read.reason),
      factuality: read.factuality,
      ...optional("dropped", read.dropped),
      claims: read.claims,
      ...toMade(read),
      reasons: body,
    };
  },
};

const stanceSchema = z.object({
  ...commonShape("stance"),
  key: z.string(),
  seq: count,
  participant: z.string(),
  status: z.enum(["read", "unread"]),
  reason: z.string().optional(),
  stances: z.array(z.object({
    on: z.string(),
    stance: z.enum(["agree", "disagree", "abstain"]),
    strength: share,
    condition: z.string().optional(),
  })),
  ...madeShape,
});

/** Reads what `stanceFile` writes. */
export const stanceReader: FactReader<Stance> = {
  schema: stanceSchema,
  fact(data, body) {
    const read = stanceSchema.parse(data);
    return {
      type: "stance",
      key: read.key,
      seq: read.seq,
      participant: read.participant,
      status: read.status,
      ...optional("reason", read.reason),
      stances: read.stances.map(({ condition, ...each }) => ({
        ...each,
        ...optional("condition", condition),
      })),
      ...toMade(read),
      reasons: body,
    };
  },
};
