import type { Score } from "../../../scoring.ts";
import type { FactCheck } from "../../../src/core/fact.ts";
import type { Message } from "../../../mod.ts";

const MADE = {
  model: "m",
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
  latencyMs: 0,
  createdAt: "2026-11-21T00:00:00.000Z",
} as const;

/** A fact check of a message whose one claim has the given verdict. */
export function checkOf(
  { seq, participant }: Message,
  verdict: "true" | "false" | "unverifiable",
): FactCheck {
  const sources = [{ title: "The almanac", url: "https://example.org/a", snippet: "No." }];
  return {
    type: "fact-check",
    message: seq,
    participant,
    mode: "standard",
    status: "checked",
    factuality: verdict === "false" ? 0 : 1,
    claims: [
      {
        text: "A small\nclaim.",
        quote: "It is\nsmall.",
        verdict: "false",
        confidence: 0.6,
        sources: [],
      },
      { text: `Claim of ${seq}.`, quote: `Said in ${seq}.`, verdict, confidence: 0.9, sources },
    ].filter((claim) => claim.verdict === verdict) as FactCheck["claims"],
    reasons: "",
    ...MADE,
  };
}

/** One judge's score of a message by a rubric of one criterion, from 0 to 10. */
export function scoreOf({ seq, participant }: Message, total: number, judge = "j"): Score {
  return {
    type: "score",
    message: seq,
    participant,
    judge,
    rubric: "r",
    scale: [0, 10],
    status: "scored",
    weights: { quality: 1 },
    criteria: { quality: total },
    total,
    reasons: "",
    ...MADE,
  };
}
