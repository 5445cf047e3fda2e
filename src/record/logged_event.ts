import { z } from "zod";
import type { ConveningEvent } from "../core/event.ts";

const place = z.looseObject({
  seq: z.number(),
  turn: z.string(),
  participant: z.string(),
  name: z.string(),
  phase: z.string(),
  kind: z.string(),
  round: z.number(),
});
const usage = z.looseObject({
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.union([z.number(), z.literal("unknown")]),
});
const fact = z.looseObject({ type: z.string(), createdAt: z.string() });
const message = place.extend({ body: z.string(), model: z.string(), usage });

/** What each type of event must hold for whoever shows it; what else it holds is kept. */
const PARTS: Readonly<Record<ConveningEvent["type"], z.ZodRawShape>> = {
  "convening-start": {
    start: z.looseObject({
      kind: z.string(),
      topic: z.string(),
      participants: z.array(z.looseObject({ id: z.string(), name: z.string() })),
    }),
  },
  "convening-resume": { replayed: z.number(), usage },
  "convening-end": {
    ending: z.looseObject({
      status: z.string(),
      outcome: z.string(),
      scores: z.record(z.string(), z.unknown()),
      unscored: z.array(z.string()),
      usage,
    }),
  },
  "phase-start": { phase: z.string() },
  "phase-end": { phase: z.string() },
  "round-start": { round: z.number() },
  "round-end": { round: z.number() },
  "turn-start": { turn: place },
  "turn-wait": { turn: place, task: z.string() },
  "turn-answer": { turn: place },
  "message-delta": { turn: place, text: z.string() },
  "message-reset": { turn: place, reason: z.string() },
  "turn-reject": {
    rejection: fact.extend({ turn: z.string(), attempt: z.number(), reason: z.string() }),
  },
  "turn-fail": { failure: fact.extend({ seq: z.number(), turn: z.string(), message: z.string() }) },
  message: { message, usage },
  score: { score: fact.extend({ message: z.number(), status: z.string() }), usage },
  verdict: { verdict: fact.extend({ judge: z.string() }), usage },
  choice: { choice: fact.extend({ kind: z.string(), participant: z.string(), key: z.string() }) },
  context: { context: fact },
  lookup: { lookup: fact.extend({ tool: z.string() }) },
  "fact-check": {
    factCheck: fact.extend({
      message: z.number(),
      status: z.string(),
      claims: z.array(z.looseObject({ text: z.string(), verdict: z.string() })),
    }),
    usage,
  },
  draft: { draft: fact },
  stance: {
    stance: fact.extend({
      key: z.string(),
      participant: z.string(),
      status: z.string(),
      stances: z.array(z.looseObject({ on: z.string(), stance: z.string() })),
    }),
    usage,
  },
  fact: { fact: fact.extend({ kind: z.string(), key: z.string() }) },
  evidence: { evidence: fact.extend({ seq: z.number(), participant: z.string() }) },
  interjection: { turn: place },
  interruption: { turn: place, about: z.number() },
  stop: { stop: fact.extend({ reason: z.string() }) },
  "limit-warning": { limit: z.string(), value: z.number(), max: z.number() },
  stage: { name: z.string() },
};

const SCHEMAS = new Map(
  Object.entries(PARTS).map(([type, parts]) => [
    type,
    z.looseObject({
      type: z.literal(type),
      ...parts,
      n: z.int().min(0).describe("From 1, over the whole convening; 0 for a message-delta."),
      at: z.string().describe("ISO 8601, UTC, with milliseconds."),
    }),
  ]),
);

/** The schema of each type of event. */
export const EVENT_SCHEMAS: readonly z.ZodObject[] = [...SCHEMAS.values()];

/** Whether a line of a log, read as JSON, is an event: a log is edited, damaged and written by other versions. */
export function isEvent(value: unknown): value is ConveningEvent {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const { type } = value;
  return typeof type === "string" && SCHEMAS.get(type)?.safeParse(value).success === true;
}
