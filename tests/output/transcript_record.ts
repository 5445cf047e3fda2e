import type { Fact, Score, Verdict } from "../../src/core/fact.ts";
import { type Message, sha256 } from "../../src/core/message.ts";
import type { ConveningStart } from "../../src/core/event.ts";
import type { TranscriptRecord } from "../../src/record/transcript_outline.ts";

/** What a call left, for facts made by hand. */
export const MADE = {
  model: "test-model",
  usage: {
    inputTokens: 100,
    cachedInputTokens: 40,
    outputTokens: 20,
    costUsd: 0.001,
  },
  latencyMs: 12,
  createdAt: "2026-11-21T20:33:12.114Z",
} as const;

/** A debate of two advocates that has not begun. */
export const START: ConveningStart = {
  kind: "debate",
  topic: "Should cities ban private cars from their centres?",
  participants: [
    {
      id: "moderator",
      name: "Moderator",
      role: "moderator",
      label: "Moderator",
      model: "template",
    },
    {
      id: "ada",
      name: "Ada",
      role: "position_advocate",
      label: "Advocate A",
      position: "Yes, they should",
      model: "test-model",
    },
    {
      id: "ben",
      name: "Ben",
      role: "position_advocate",
      label: "Advocate B",
      position: "No, they should not",
      model: "test-model",
    },
  ],
  judges: [
    { id: "judge", name: "Judge", model: "test-model", rubric: "debate" },
  ],
  configuration: { kind: "debate", roundCount: 1 },
  seed: 1,
  startedAt: "2026-11-21T20:33:05.000Z",
  sources: [],
};

/** A message made by hand; its turn key and hash follow from what is given. */
export function message(
  fields: Partial<Message> & Pick<Message, "seq">,
): Message {
  const body = fields.body ?? `Message ${fields.seq} says something.`;
  return {
    type: "message",
    turn: `turn-${fields.seq}`,
    participant: "ada",
    name: "Ada",
    role: "position_advocate",
    phase: "argument",
    kind: "argument",
    round: 1,
    attempts: 1,
    marks: [],
    sha256: sha256(body),
    ...(fields.seq === 1 ? {} : { previous: fields.seq - 1 }),
    ...MADE,
    ...fields,
    body,
  };
}

/** A score whose total is what its numbers come to. */
export function score(about: number, participant: string, value = 8): Score {
  return {
    type: "score",
    message: about,
    participant,
    judge: "judge",
    rubric: "debate",
    scale: [0, 10],
    status: "scored",
    weights: { clarity: 0.5, evidence: 0.5 },
    criteria: { clarity: value, evidence: value },
    total: value,
    reasons: "Clear and supported.",
    ...MADE,
  };
}

/** One of the judge's two verdicts. */
export function verdict(number: number, winner: string | null): Verdict {
  return {
    type: "verdict",
    judge: "judge",
    rubric: "debate",
    number,
    order: number === 1 ? ["ada", "ben"] : ["ben", "ada"],
    status: "read",
    winner,
    reasons: "The record shows it.",
    ...MADE,
  };
}

const TEMPLATE = {
  participant: "moderator",
  name: "Moderator",
  role: "moderator",
  model: "template",
  usage: {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
  },
} as const;
const BEN = { participant: "ben", name: "Ben" } as const;

/** A whole debate of one round, decided for Ada. */
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
  message({
    seq: 3,
    phase: "opening",
    kind: "opening_statement",
    round: 0,
    previous: 1,
    ...BEN,
  }),
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

/** {@linkcode FACTS} as a transcript shows them. */
export const RECORD: TranscriptRecord = {
  start: START,
  facts: FACTS,
  status: "completed",
  endReason: "completed",
  endedAt: "2026-11-21T20:40:00.000Z",
};

/** A record in which `body` is the one thing said. */
export function saying(body: string): TranscriptRecord {
  return { ...RECORD, facts: [message({ seq: 1, body })] };
}
