import { countWords } from "../core/fact_check_summary.ts";
import type { ProposalStanding } from "../core/outcome.ts";
import { plainLine } from "../core/text.ts";
import type { Told } from "../operations/told.ts";

/** What was found besides the outcome: consensus, audience, fact checks, agreement, baseline, contradictions, notes. */
export function findingLines(told: Told): string[] {
  return [
    ...consensusLines(told),
    ...audienceLines(told),
    ...factCheckLines(told),
    ...agreementLines(told),
    ...baselineLines(told),
    ...(told.contradictions ?? []).map((each) => `Contradiction: ${plainLine(each)}`),
    ...(told.notes ?? []).map((each) => `Note: ${plainLine(each)}`),
  ];
}

function consensusLines({ consensus }: Told): string[] {
  if (consensus === undefined) return [];
  const lines = (title: string, proposals: readonly ProposalStanding[]) =>
    proposals.length === 0
      ? []
      : [title, ...proposals.map(({ text, share }) => `  ${percent(share)}  ${plainLine(text)}`)];
  return [...lines("Agreed:", consensus.agreed), ...lines("Open:", consensus.open)];
}

function audienceLines(told: Told): string[] {
  const { audience } = told;
  if (audience === undefined) return [];
  const missing = audience.missing === 0 ? "" : `, ${audience.missing} of them not counted`;
  return [
    `Audience: ${audience.members} asked before and after${missing}`,
    ...Object.entries(audience.sides).map(([id, { before, after }]) =>
      `  ${percent(before)} → ${percent(after)}  ${nameOf(id, told)}`
    ),
  ];
}

function factCheckLines({ factChecks }: Told): string[] {
  if (factChecks === undefined) return [];
  const { claims, checked, unchecked } = factChecks;
  const not = unchecked === 0 ? "" : `; ${unchecked} not checked`;
  return [
    `Fact checks: ${checked} message${checked === 1 ? "" : "s"}, ${claims} claim${
      claims === 1 ? "" : "s"
    } (${countWords(factChecks)})${not}`,
  ];
}

function agreementLines({ agreement }: Told): string[] {
  if (agreement === undefined || agreement.judges.length < 2) return [];
  const { alpha, judges } = agreement;
  const shown = alpha === undefined ? "too few scores to tell" : `alpha ${alpha.toFixed(2)}`;
  return [`Agreement: ${judges.length} judges, ${shown}`];
}

function baselineLines(told: Told): string[] {
  return (told.baseline ?? []).map(({ judge, before, after, changed }) => {
    const side = (id: string | null | undefined) => id == null ? "no side" : nameOf(id, told);
    const then = after === undefined
      ? "no verdict to compare"
      : changed
      ? `changed by the debate: ${side(before)}, then ${side(after)}`
      : `unchanged by the debate: ${side(after)}`;
    return `Baseline: ${plainLine(judge)} ${then}`;
  });
}

function nameOf(id: string, { scores }: Told): string {
  return plainLine(scores[id]?.name ?? id);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`.padStart(5);
}
