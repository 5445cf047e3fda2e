import type { Assessment } from "../core/outcome.ts";
import type { ProposalStanding } from "../core/outcome.ts";
import type { ClaimCounts } from "../core/fact_check_summary.ts";
import type { Judged } from "./judging.ts";
import type { Told } from "./told.ts";

type Json = Record<string, unknown>;
type Part<K extends keyof Assessment> = NonNullable<Assessment[K]>;

/** The keys that `--json` prints of every run, null where there is nothing; `value` only of kinds that keep one. */
export function toldJson(told: Told): Json {
  const { dir, status, endReason, outcome, winner, scores, unscored, usage } = told;
  const { waitingFor, agreement, contradictions, notes } = told;
  const { factChecks, audience, baseline, consensus, paper } = told;
  return {
    dir: dir ?? null,
    status,
    end_reason: endReason ?? null,
    outcome,
    winner,
    scores: mapValues(
      scores,
      ({ name, total, breakdown, scored, missing }) => ({
        name,
        total,
        breakdown,
        scored,
        missing,
      }),
    ),
    unscored,
    ...told.value === undefined ? {} : { value: told.value },
    usage: {
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    },
    waiting_for: waitingFor?.map(({ participant, turn }) => ({ participant, turn })) ?? null,
    agreement: agreement === undefined ? null : agreementJson(agreement),
    contradictions: contradictions ?? null,
    notes: notes ?? null,
    fact_checks: factChecks === undefined ? null : factChecksJson(factChecks),
    audience: audience === undefined ? null : audienceJson(audience),
    baseline: baseline?.map(({ judge, model, before, after, changed }) => ({
      judge,
      model,
      before,
      after: after ?? null,
      changed,
    })) ?? null,
    consensus: consensus === undefined ? null : {
      threshold: consensus.threshold,
      agreed: consensus.agreed.map(proposalJson),
      open: consensus.open.map(proposalJson),
    },
    question: paper?.question ?? null,
    postures: paper?.postures ?? null,
    topics: paper?.topics ?? null,
    report: paper?.report?.data ?? null,
    verification: paper?.debaters.map(({ participant, posture, verified, notFound }) => ({
      participant,
      posture,
      verified,
      not_found: notFound,
    })) ?? null,
  };
}

/** What a new panel came to, as `--json` prints it beside the convening. */
export function panelJson({ judges, panel, convening: { result } }: Judged): Json {
  const told = toldJson({ ...panel, status: result.status, usage: result.usage });
  const { outcome, winner, scores, unscored, agreement, contradictions, notes } = told;
  return {
    rubric: judges[0]?.rubric ?? null,
    judges: judges.map(({ id, name, model }) => ({ id, name, model })),
    outcome,
    winner,
    scores,
    unscored,
    agreement,
    contradictions,
    notes,
  };
}

/** How far judges agree, as `--json` prints it. */
export function agreementJson({ alpha, judges, spread }: Part<"agreement">): Json {
  return {
    alpha: alpha ?? null,
    judges: judges.map((each) => ({
      judge: each.judge,
      model: each.model,
      rubric: each.rubric,
      scored: each.scored,
      mean: each.mean ?? null,
      alpha_without: each.alphaWithout ?? null,
      with_others: each.withOthers ?? null,
      by_length: each.byLength ?? null,
      votes: each.votes,
      steady: each.steady,
    })),
    spread,
  };
}

function factChecksJson(summary: Part<"factChecks">): Json {
  const { mode, checked, unchecked, byParticipant } = summary;
  return {
    mode,
    checked,
    unchecked,
    ...countsJson(summary),
    by_participant: mapValues(
      byParticipant,
      (each) => ({ ...countsJson(each), factuality: each.factuality }),
    ),
  };
}

function countsJson(counts: ClaimCounts): Json {
  const { claims, misleading, disputed, unverifiable } = counts;
  return { claims, true: counts.true, misleading, disputed, false: counts.false, unverifiable };
}

function audienceJson({ members, missing, sides, winner }: Part<"audience">): Json {
  return {
    members,
    missing,
    sides: mapValues(sides, ({ before, after, moved }) => ({ before, after, moved })),
    winner,
  };
}

function proposalJson({ id, text, by, share, holds }: ProposalStanding): Json {
  return {
    id,
    text,
    by,
    share,
    holds: mapValues(
      holds,
      ({ stance, strength, condition }) => ({ stance, strength, condition: condition ?? null }),
    ),
  };
}

/** An object with the same keys: they are ids, and stay what they are. */
function mapValues<V>(object: Readonly<Record<string, V>>, map: (value: V) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
