import { z } from "zod";
import type { Evidence } from "../../core/fact.ts";
import type { Citations, Quotation } from "../../core/evidence.ts";
import { optional } from "./renderer.ts";
import { commonShape, count, type FactReader, ordinal, time } from "./shapes.ts";

const status = z.enum(["verified", "not found"]);
const place = { start: count.optional(), end: count.optional(), page: ordinal.optional() };

const hitShape = z.object({
  chunk_id: z.string(),
  text: z.string(),
  score: z.number(),
  paper: z.string().optional(),
  ...place,
  status: status.optional(),
});
const webShape = z.object({
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  status: status.optional(),
});
const citationsShape = z.object({
  paper: z.array(hitShape).optional(),
  web: z.array(webShape).optional(),
});
const quotationShape = z.object({
  text: z.string(),
  status: z.enum([...status.options, "said"]),
  from: z.enum(["paper", "web", "message"]).optional(),
  source: z.string().optional(),
  ...place,
  parts: z.array(z.object(place)).optional(),
  ["named_page"]: ordinal.optional(),
  topic: z.string().optional(),
});

const evidenceSchema = z.object({
  ...commonShape("evidence"),
  message: ordinal,
  turn: z.string(),
  participant: z.string(),
  posture: z.string(),
  per_topic: z.array(z.object({
    topic: z.string(),
    claim: z.string(),
    reasoning: z.string(),
    counterpoints: z.array(z.string()),
    citations: citationsShape,
  })),
  overall_position: z.string(),
  citations: citationsShape,
  quotations: z.array(quotationShape),
  verified: count,
  not_found: count,
  created_at: time,
});

/** Reads what `evidenceFile` writes; the figures and the body follow from the rest and are not read back. */
export const evidenceReader: FactReader<Evidence> = {
  schema: evidenceSchema,
  fact(data) {
    const read = evidenceSchema.parse(data);
    return {
      type: "evidence",
      seq: read.message,
      turn: read.turn,
      participant: read.participant,
      posture: read.posture,
      perTopic: read.per_topic.map(({ citations, ...argument }) => ({
        ...argument,
        citations: toCitations(citations),
      })),
      overallPosition: read.overall_position,
      citations: toCitations(read.citations),
      quotations: read.quotations.map(toQuotation),
      createdAt: read.created_at,
    };
  },
};

function toCitations({ paper, web }: z.infer<typeof citationsShape>): Citations {
  const hits = paper?.map(({ chunk_id: chunkId, ...rest }) => ({ chunkId, ...rest }));
  return { ...optional("paper", hits), ...optional("web", web) };
}

function toQuotation(
  { named_page: namedPage, ...rest }: z.infer<typeof quotationShape>,
): Quotation {
  return { ...rest, ...optional("namedPage", namedPage) };
}
