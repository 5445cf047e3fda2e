import { z } from "zod";
import { END_REASONS } from "../../core/fact.ts";
import { commonShape, count, ordinal, shaped, time } from "../fact_reader.ts";
import { readFrontMatter } from "../frontmatter_reader.ts";
import type { Metadata } from "./metadata_file.ts";
import { optional } from "./renderer.ts";

const STATUSES = [
  "running",
  "waiting",
  "paused",
  "completed",
  "stopped",
  "failed",
] as const;
const OUTCOMES = ["decided", "undecided", "unscored"] as const;

const standingShape = z.object({
  name: z.string(),
  total: z.number(),
  breakdown: z.record(z.string(), z.number()),
  scored: count,
  missing: count,
  // Absent from records of earlier versions.
  unmatched: count.optional(),
});

/** The front matter of `metadata.md`. */
export const metadataSchema = z.object({
  ...commonShape("metadata"),
  // Absent from records of earlier versions.
  layout: z.literal(2).optional(),
  kind: z.string().min(1),
  topic: z.string(),
  status: z.enum(STATUSES),
  end_reason: z.enum(END_REASONS).nullable(),
  waiting_for: z.array(z.object({ participant: z.string(), turn: z.string() })).optional(),
  outcome: z.enum(OUTCOMES).nullable(),
  winner: z.string().nullable(),
  value: z.unknown().optional(),
  scores: z.record(z.string(), standingShape),
  unscored: z.array(z.string()),
  participants: z.array(z.object({
    id: z.string(),
    name: z.string(),
    role: z.string(),
    label: z.string(),
    position: z.string().optional(),
    position_from: ordinal.optional(),
    model: z.string(),
  })),
  judges: z.array(z.object({
    id: z.string(),
    name: z.string(),
    model: z.string(),
    rubric: z.string(),
  })),
  usage: z.object({
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    cost_usd: z.union([z.number().nonnegative(), z.literal("unknown")]),
  }),
  statistics: z.record(z.string(), z.number()),
  seed: z.int(),
  started_at: time,
  ended_at: time.nullable(),
  resumes: z.array(time),
  expected_messages: ordinal.optional(),
  sources: z.array(z.string()),
  papers: z.array(z.object({ file: z.string(), id: z.string(), title: z.string() })).optional(),
  parent: z.object({ dir: z.string(), seq: count }).optional(),
  configuration: z.record(z.string(), z.unknown()),
});

/** Reads `metadata.md`. Fails with `record_corrupt`, naming the line or key. */
export function parseMetadata(text: string, path: string): Metadata {
  const { data } = readFrontMatter(text, path);
  const read = shaped(path, () => metadataSchema.parse(data));
  return {
    start: {
      kind: read.kind,
      topic: read.topic,
      participants: read.participants.map(({ position, position_from: from, ...rest }) => ({
        ...rest,
        // What messages say is read from them.
        ...optional("position", from === undefined ? position : undefined),
      })),
      judges: read.judges,
      configuration: read.configuration,
      seed: read.seed,
      startedAt: read.started_at,
      sources: [],
      ...optional("expectedMessages", read.expected_messages),
      ...optional("parent", read.parent),
    },
    progress: {
      status: read.status,
      ...optional("endReason", read.end_reason ?? undefined),
      ...optional("endedAt", read.ended_at ?? undefined),
      ...optional("waitingFor", read.waiting_for),
      ...optional("value", read.value),
      resumes: read.resumes,
    },
    sources: read.sources,
    papers: (read.papers ?? []).map(({ file }) => file),
    layout: read.layout ?? 1,
    ...optional("outcome", read.outcome ?? undefined),
    winner: read.winner,
  };
}
