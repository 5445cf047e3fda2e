import { z } from "zod";
import type { RequestContext } from "../../../core/agent.ts";

const PaperName = z.object({ id: z.string(), title: z.string().default("") });
const WholePaper = PaperName.extend({ text: z.string() });

/** What the question "what can be asked" carries. */
export const QuestionsData = z.object({ papers: z.array(WholePaper).min(1) });

/** What the question "what can be held" carries. */
export const PosturesData = z.object({
  papers: z.array(WholePaper).min(1),
  question: z.string(),
  count: z.number().int().min(1).max(26),
});

/** What a debater's turn carries. */
export const ArgumentData = z.object({
  papers: z.array(PaperName).default([]),
  question: z.string(),
  topics: z.array(z.string()).min(1),
  postures: z.array(z.string()).default([]),
  posture: z.string(),
});

/** What a debater argues from. */
export type ArgumentMatter = z.infer<typeof ArgumentData>;

/** What a cross-examination carries. */
export const CrossData = z.object({
  papers: z.array(PaperName).default([]),
  question: z.string(),
  topics: z.array(z.string()).default([]),
  postures: z.array(z.string()).optional(),
  posture: z.string(),
});

const Mark = z.enum(["verified", "not found"]).optional().catch(undefined);
const CitationsData = z.object({
  paper: z.array(z.object({
    chunkId: z.string(),
    text: z.string().default(""),
    status: Mark,
  })).default([]),
  web: z.array(
    z.object({ title: z.string().default(""), url: z.string().default(""), status: Mark }),
  )
    .default([]),
});

/** What is read of an `Evidence` fact. */
export const EvidenceData = z.object({
  participant: z.string().default(""),
  posture: z.string().default(""),
  perTopic: z.array(z.object({
    topic: z.string(),
    claim: z.string(),
    reasoning: z.string(),
    counterpoints: z.array(z.string()).default([]),
    citations: CitationsData.default({ paper: [], web: [] }),
  })).default([]),
  overallPosition: z.string().default(""),
  quotations: z.array(z.object({
    text: z.string(),
    status: Mark,
    topic: z.string().optional(),
  })).default([]),
});

/** An argument with its marks. */
export type ArguedEvidence = z.infer<typeof EvidenceData>;

/** What the judge's question on one debater carries. */
export const TopicScoresData = z.object({
  rubric: z.object({
    scale: z.tuple([z.number(), z.number()]),
    criteria: z.array(z.object({ id: z.string(), description: z.string().default("") })).min(1),
  }),
  topics: z.array(z.string()).min(1),
  evidence: EvidenceData.optional(),
});

/** What the judge's question on the whole debate carries. */
export const InsightsData = z.object({
  question: z.string().default(""),
  topics: z.array(z.string()).default([]),
  arguments: z.array(EvidenceData).default([]),
});

/** What the reporter's turn carries. */
export const ReportData = z.object({
  question: z.string(),
  topics: z.array(z.string()).default([]),
  ranked: z.array(z.object({ posture: z.string(), total: z.number() })).default([]),
  winner: z.string().nullable().default(null),
  insights: z.array(z.string()).default([]),
  controversialPoints: z.array(z.string()).default([]),
  figures: z.array(z.object({
    posture: z.string(),
    verified: z.number(),
    notFound: z.number(),
  })).default([]),
  failed: z.array(z.string()).default([]),
});

/** What the reporter writes of. */
export type ReportMatter = z.infer<typeof ReportData>;

/** The data of a request in the shape asked for; undefined where it is in another. */
export function dataOf<T>(
  type: z.ZodType<T>,
  { data }: Pick<RequestContext, "data">,
): T | undefined {
  return type.safeParse(data).data;
}
