import type { Evidence, FactCheck, Rejection, TurnDraft } from "../core/fact.ts";
import { figuresOf } from "../core/evidence.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a speaker wrote for itself, as `--json` prints it. */
export function privateJson(draft: TurnDraft | undefined): Json {
  return { private: draft?.fields ?? null };
}

/** The attempts that were turned down, as `--json` prints them. */
export function rejectedJson(rejected: readonly Rejection[]): Json {
  return {
    rejected: rejected.map(({ attempt, guard, reason, body }) => ({
      attempt,
      guard,
      reason,
      body,
    })),
  };
}

/** A message's fact check, and what it cites and quotes, as `--json` prints them. */
export function factsJson(
  { factCheck, evidence }: {
    readonly factCheck?: FactCheck | undefined;
    readonly evidence?: Evidence | undefined;
  },
): Json {
  return {
    fact_check: factCheck === undefined ? null : factCheckJson(factCheck),
    evidence: evidence === undefined ? null : evidenceJson(evidence),
  };
}

function factCheckJson({ mode, status, reason, factuality, claims }: FactCheck): Json {
  return { mode, status, reason: reason ?? null, factuality, claims };
}

/** The marks stand in the message itself: they are counted here. */
function evidenceJson(evidence: Evidence): Json {
  const { posture, perTopic, overallPosition, citations, quotations } = evidence;
  const { verified, notFound } = figuresOf(evidence);
  return {
    posture,
    per_topic: perTopic,
    overall_position: overallPosition,
    citations,
    quotations,
    verified,
    not_found: notFound,
  };
}
