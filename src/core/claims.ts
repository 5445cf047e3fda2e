// Counts and words of the claims that fact checks looked up.
import type { CheckedClaim, FactCheck } from "./fact.ts";
import { CLAIM_VERDICTS, type ClaimCounts, type FactCheckSummary } from "./outcome.ts";
import { round4 } from "./statistics.ts";

/** Summarizes the fact checks of a convening, in message order; undefined if there are none. */
export function factChecksOf(checks: readonly FactCheck[]): FactCheckSummary | undefined {
  if (checks.length === 0) return undefined;
  const by = Map.groupBy(checks, ({ participant }) => participant);
  return {
    mode: checks.some(({ mode }) => mode === "strict") ? "strict" : "standard",
    checked: checks.filter(({ status }) => status === "checked").length,
    unchecked: checks.filter(({ status }) => status === "unchecked").length,
    ...countsOf(checks),
    byParticipant: Object.fromEntries(
      [...by].map(([id, own]) => [id, { ...countsOf(own), factuality: factualityOf(own) }]),
    ),
  };
}

/** Computes the factuality of checks, as in {@linkcode ParticipantClaims.factuality}; null if no claim was settled. */
export function factualityOf(checks: readonly Pick<FactCheck, "claims">[]): number | null {
  const counts = countsOf(checks);
  const half = counts.misleading + counts.disputed;
  const settled = settledIn(counts);
  // Records of earlier versions have no quotes; there, unverifiable claims counted half.
  const all = checks.flatMap(({ claims }) => claims);
  if (all.length > 0 && all.every(({ quote }) => quote === undefined)) {
    return round4((counts.true + 0.5 * counts.unverifiable) / all.length);
  }
  return settled === 0 ? null : round4((counts.true + 0.5 * half) / settled);
}

/** Returns true for a claim that was found false, or misleading by what it leaves out. */
export function isWrong({ verdict }: CheckedClaim): boolean {
  return verdict === "false" || verdict === "misleading";
}

/** States the condition that a misleading claim omits; empty for other claims. */
export function omittedBy({ omitted }: { readonly omitted?: string | undefined }): string {
  return omitted === undefined ? "" : ` leaves out: ${omitted}`;
}

export function settledIn({ claims, unverifiable }: ClaimCounts): number {
  return claims - unverifiable;
}

export function countsOf(checks: readonly Pick<FactCheck, "claims">[]): ClaimCounts {
  const claims = checks.flatMap((check) => check.claims);
  const counts = CLAIM_VERDICTS.map((each) =>
    [each, claims.filter(({ verdict }) => verdict === each).length] as const
  );
  return { claims: claims.length, ...Object.fromEntries(counts) } as ClaimCounts;
}

/** Lists the numbers of claims by verdict, in words; omits zeros, except of `true` and `false`. */
export function claimCountsText(counts: Omit<ClaimCounts, "claims">): string {
  return CLAIM_VERDICTS.filter((each) => counts[each] > 0 || /true|false/.test(each))
    .map((each) => `${counts[each]} ${each}`).join(", ");
}

/** Beginnings of the recorded reasons of claims that are unverifiable because their check failed. */
export const FAILED_CHECKS = {
  lookUp: "It could not be looked up: ",
  verdict: "What was found could not be judged: ",
} as const;

/** True for a claim that is unverifiable only because its look-up or its verdict failed. */
export function isUnchecked(claim: CheckedClaim, check: FactCheck): boolean {
  const reason = claim.confidence === 0 ? reasonOf(claim, check) : "";
  return Object.values(FAILED_CHECKS).some((each) => reason.startsWith(each));
}

/** Returns the reason for a claim's verdict, parsed from the check's `reasons`; empty if it is not found there. */
export function reasonOf(claim: CheckedClaim, { claims, reasons }: FactCheck): string {
  const { verdict, confidence, text, sources } = claim;
  const line = reasons.split("\n")[claims.indexOf(claim)] ?? "";
  const quoted = `- ${verdict} (${confidence}): “${text}”`;
  // Earlier versions wrote a full stop after every quotation.
  const start = [`${quoted}. `, `${quoted} `].find((each) => line.startsWith(each));
  if (start === undefined) return "";
  const rest = line.slice(start.length);
  const end = rest.lastIndexOf(sources.length === 1 ? " (source: “" : " (sources: “");
  return sources.length === 0 || end === -1 ? rest : rest.slice(0, end);
}
