// Hand-made facts of a debate of one round between Ada and Ben, and their transcript record.
import type { Fact, Score, Verdict } from "../../../src/core/fact.ts";
import { type Made, type Message, NO_USAGE } from "../../../src/core/message.ts";
import type { ConveningStart } from "../../../src/core/event.ts";
import type { ModelContents } from "../../../src/record/record_model.ts";
import { advocateOf, AT, messageOf, MODERATOR, scoreOf, startOf, verdictOf } from "./fixtures.ts";

/** Provenance of hand-made facts. */
export const MADE: Made = {
  model: "test-model",
  usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, costUsd: 0.001 },
  latencyMs: 12,
  createdAt: AT,
};

const { expectedMessages: _none, ...BEGUN } = startOf();
const { model } = MADE;

/** Start of a debate of two advocates. */
export const START: ConveningStart = {
  ...BEGUN,
  participants: [
    MODERATOR,
    advocateOf("ada", "Ada", { label: "Advocate A", position: "Yes, they should", model }),
    advocateOf("ben", "Ben", { label: "Advocate B", position: "No, they should not", model }),
  ],
  judges: [{ id: "judge", name: "Judge", model, rubric: "debate" }],
  configuration: { kind: "debate", roundCount: 1 },
};

/** Returns a message; turn key and hash follow from the given fields. */
export function message(fields: Partial<Message> & Pick<Message, "seq">): Message {
  const { seq, body = `Message ${seq} says something.` } = fields;
  const given = { turn: `turn-${seq}`, participant: "ada", name: "Ada", round: 1, ...MADE };
  return messageOf(seq, { ...given, ...fields, body });
}

/** Returns a score with the matching total. */
export function score(about: number, participant: string, value = 8): Score {
  return {
    ...scoreOf(about, participant, [value, value]),
    judge: "judge",
    weights: { clarity: 0.5, evidence: 0.5 },
    criteria: { clarity: value, evidence: value },
    reasons: "Clear and supported.",
    ...MADE,
  };
}

/** Returns one of the judge's two verdicts. */
export function verdict(number: number, winner: string | null): Verdict {
  return {
    ...verdictOf(number, winner),
    judge: "judge",
    order: number === 1 ? ["ada", "ben"] : ["ben", "ada"],
    reasons: "The record shows it.",
    ...MADE,
  };
}

const TEMPLATE = {
  participant: "moderator",
  name: "Moderator",
  role: "moderator",
  model: "template",
  usage: NO_USAGE,
} as const;
const BEN = { participant: "ben", name: "Ben" } as const;

/** Facts of a whole debate of one round, decided for Ada. */
export const FACTS: readonly Fact[] = [
  message({
    seq: 1,
    phase: "opening",
    kind: "introduction",
    round: 0,
    body: "Welcome to this debate.",
    ...TEMPLATE,
  }),
  message({ seq: 2, phase: "opening", kind: "opening_statement", round: 0 }),
  message({ seq: 3, phase: "opening", kind: "opening_statement", round: 0, previous: 1, ...BEN }),
  message({ seq: 4, marks: ["truncated"] }),
  message({ seq: 5, kind: "rebuttal", replyTo: 4, ...BEN }),
  message({ seq: 6, phase: "closing", kind: "closing_statement", round: 0 }),
  message({
    seq: 7,
    phase: "summary",
    kind: "summary",
    round: 0,
    body: "Both sides were heard.",
    ...TEMPLATE,
  }),
  score(4, "ada", 8),
  score(5, "ben", 6),
  verdict(1, "ada"),
  verdict(2, "ada"),
];

/** Transcript record of {@linkcode FACTS}. */
export const RECORD: ModelContents = {
  start: START,
  facts: FACTS,
  status: "completed",
  endReason: "completed",
  endedAt: "2026-11-21T20:40:00.000Z",
};

/** Returns a record whose only message is `body`. */
export function saying(body: string): ModelContents {
  return { ...RECORD, facts: [message({ seq: 1, body })] };
}
