import type { Assessment } from "../../core/outcome.ts";
import type { Consensus, ProposalStanding } from "../../core/outcome.ts";
import type { ClaimCounts, FactCheckSummary } from "../../core/fact_check_summary.ts";
import type { Agreement } from "../../core/outcome.ts";
import type { FrontMatter } from "../frontmatter.ts";
import { PAPER_KEYS } from "../paper_findings.ts";

const FOUND_KEYS = [
  "agreement",
  "fact_checks",
  "audience",
  "baseline",
  "consensus",
  "contradictions",
  "notes",
] as const;

/** The keys of what was found that `metadata.md` has where there is something to say. */
export const ASSESSMENT_KEYS = [...FOUND_KEYS, ...PAPER_KEYS] as const;

/** What an assessment says beside standings, as front matter; keys without anything to say are left out. */
export function assessmentData(
  assessment: Omit<Assessment, "outcome">,
): FrontMatter & { readonly [K in typeof FOUND_KEYS[number]]: FrontMatter[string] } {
  const { agreement, factChecks, audience, baseline, consensus, contradictions, notes } =
    assessment;
  return {
    agreement: agreement && agreementData(agreement),
    fact_checks: factChecks && factCheckData(factChecks),
    audience: audience && {
      members: audience.members,
      missing: audience.missing,
      sides: mapped(audience.sides, (side) => ({ ...side })),
      winner: audience.winner,
    },
    baseline: baseline?.map(({ judge, model, before, after, changed }) => ({
      judge,
      model,
      before,
      after,
      changed,
    })),
    consensus: consensus && consensusData(consensus),
    contradictions: contradictions.length === 0 ? undefined : contradictions,
    notes: notes.length === 0 ? undefined : notes,
  };
}

function agreementData({ alpha, judges, spread }: Agreement): FrontMatter {
  return {
    // Null: too few judges for one.
    alpha: alpha ?? null,
    spread,
    judges: judges.map((each) => ({
      judge: each.judge,
      model: each.model,
      rubric: each.rubric,
      scored: each.scored,
      mean: each.mean,
      alpha_without: each.alphaWithout,
      with_others: each.withOthers,
      by_length: each.byLength,
      votes: each.votes,
      steady: each.steady,
    })),
  };
}

function factCheckData({ byParticipant, ...counts }: FactCheckSummary): FrontMatter {
  return { ...shownCounts(counts), by_participant: mapped(byParticipant, shownCounts) };
}

/** Without the verdicts that records of earlier versions do not know, where no claim has them. */
function shownCounts<T extends ClaimCounts>({ misleading, disputed, ...counts }: T): FrontMatter {
  return {
    ...counts,
    ...(misleading === 0 ? {} : { misleading }),
    ...(disputed === 0 ? {} : { disputed }),
  };
}

function consensusData({ threshold, agreed, open }: Consensus): FrontMatter {
  return { threshold, agreed: agreed.map(proposalData), open: open.map(proposalData) };
}

function proposalData({ id, text, by, share, holds }: ProposalStanding): FrontMatter {
  return { id, text, by, share, holds: mapped(holds, (hold) => ({ ...hold })) };
}

function mapped<V>(
  values: Readonly<Record<string, V>>,
  to: (value: V) => FrontMatter,
): FrontMatter {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]));
}
