import { z } from "zod";
import type { Evidence } from "../../core/fact.ts";
import type {
  Citations,
  LookupHit,
  Quotation,
  WebSearchResult,
} from "../../core/paper/evidence.ts";
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
  status,
  from: z.enum(["paper", "web", "message"]).optional(),
  source: z.string().optional(),
  ...place,
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
  return { ...optional("paper", paper?.map(toHit)), ...optional("web", web?.map(toPage)) };
}

function toHit({ chunk_id: chunkId, text, score, ...rest }: z.infer<typeof hitShape>): LookupHit {
  return {
    chunkId,
    text,
    score,
    ...optional("paper", rest.paper),
    ...optional("page", rest.page),
    ...optional("start", rest.start),
    ...optional("end", rest.end),
    ...optional("status", rest.status),
  };
}

function toPage({ title, url, snippet, status }: z.infer<typeof webShape>): WebSearchResult {
  return { title, url, snippet, ...optional("status", status) };
}

function toQuotation({ text, status, ...rest }: z.infer<typeof quotationShape>): Quotation {
  return {
    text,
    status,
    ...optional("from", rest.from),
    ...optional("source", rest.source),
    ...optional("start", rest.start),
    ...optional("end", rest.end),
    ...optional("page", rest.page),
    ...optional("topic", rest.topic),
  };
}
