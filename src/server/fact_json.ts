import type { Score, Verdict } from "../core/fact.ts";
import type { Made, Message } from "../core/message.ts";

type Json = Readonly<Record<string, unknown>>;

/** A message as JSON: the keys of its file, null where there is nothing. */
export function messageJson(message: Message & { readonly file: string }): Json {
  return {
    seq: message.seq,
    turn: message.turn,
    participant: message.participant,
    name: message.name,
    role: message.role,
    position: message.position ?? null,
    phase: message.phase,
    kind: message.kind,
    round: message.round,
    reply_to: message.replyTo ?? null,
    attempts: message.attempts,
    marks: message.marks,
    file: message.file,
    ...madeJson(message),
    body: message.body,
  };
}

/** A judge's score of a message as JSON. */
export function scoreJson(score: Score): Json {
  return {
    message: score.message,
    participant: score.participant,
    judge: score.judge,
    rubric: score.rubric,
    scale: score.scale,
    status: score.status,
    reason: score.reason ?? null,
    weights: score.weights,
    not_applicable: score.notApplicable ?? null,
    criteria: score.criteria,
    total: score.total ?? null,
    topics: score.topics ?? null,
    ...madeJson(score),
    reasons: score.reasons,
  };
}

/** A judge's verdict as JSON. */
export function verdictJson(verdict: Verdict): Json {
  return {
    judge: verdict.judge,
    rubric: verdict.rubric,
    number: verdict.number,
    order: verdict.order,
    status: verdict.status,
    reason: verdict.reason ?? null,
    winner: verdict.winner,
    ...madeJson(verdict),
    reasons: verdict.reasons,
  };
}

function madeJson({ model, usage, latencyMs, createdAt }: Made): Json {
  return {
    model,
    usage: {
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    },
    latency_ms: latencyMs,
    created_at: createdAt,
  };
}
