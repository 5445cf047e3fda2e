// Counts of fact checks.
import { type CheckedClaim, CLAIM_VERDICTS, type ClaimVerdict, type FactCheck } from "./fact.ts";
import { round4 } from "./statistics.ts";

/** Number of claims by verdict. */
export interface ClaimCounts extends Readonly<Record<ClaimVerdict, number>> {
  /** All of them. */
  readonly claims: number;
}

/** One participant's claims. */
export interface ParticipantClaims extends ClaimCounts {
  /** (true + 0.5 × (misleading + disputed)) / settled claims, four decimals; null where no claim was settled. */
  readonly factuality: number | null;
}

/** Counts of a convening's fact checks. */
export interface FactCheckSummary extends ClaimCounts {
  /** `strict` where any turn could be turned down for a false claim. */
  readonly mode: FactCheck["mode"];
  /** Messages whose claims were looked up. */
  readonly checked: number;
  /** Messages with which the checker did not get through. */
  readonly unchecked: number;
  /** By participant id, in the order of their first messages. */
  readonly byParticipant: Readonly<Record<string, ParticipantClaims>>;
}

/** Counts of fact checks, the first message first; undefined without any. */
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

/** The share of settled claims that are borne out, misleading and disputed ones counted half; null where none was settled. */
export function factualityOf(checks: readonly Pick<FactCheck, "claims">[]): number | null {
  const counts = countsOf(checks);
  const half = counts.misleading + counts.disputed;
  const settled = settledIn(counts);
  // If no claim has its words, a record of an earlier version is read: unverifiable claims counted half.
  const all = checks.flatMap(({ claims }) => claims);
  if (all.length > 0 && all.every(({ quote }) => quote === undefined)) {
    return round4((counts.true + 0.5 * counts.unverifiable) / all.length);
  }
  return settled === 0 ? null : round4((counts.true + 0.5 * half) / settled);
}

/** Number of claims that were settled. */
export function settledIn({ claims, unverifiable }: ClaimCounts): number {
  return claims - unverifiable;
}

/** The claims of some fact checks, counted by verdict. */
export function countsOf(checks: readonly Pick<FactCheck, "claims">[]): ClaimCounts {
  const claims = checks.flatMap((check) => check.claims);
  const count = (is: ClaimVerdict) => claims.filter(({ verdict }) => verdict === is).length;
  return {
    claims: claims.length,
    true: count("true"),
    misleading: count("misleading"),
    disputed: count("disputed"),
    false: count("false"),
    unverifiable: count("unverifiable"),
  };
}

/** The numbers of claims by verdict, in words; verdicts without a claim are left out, but for `true` and `false`. */
export function countWords(counts: Omit<ClaimCounts, "claims">): string {
  return CLAIM_VERDICTS.filter((each) => counts[each] > 0 || /true|false/.test(each))
    .map((each) => `${counts[each]} ${each}`).join(", ");
}

/** The reason for a claim's verdict, from the check's lines; empty where it is not there. */
export function reasonOf(claim: CheckedClaim, { claims, reasons }: FactCheck): string {
  const { verdict, confidence, text, sources } = claim;
  const line = reasons.split("\n")[claims.indexOf(claim)] ?? "";
  const start = `- ${verdict} (${confidence}): “${text}”. `;
  if (!line.startsWith(start)) return "";
  const rest = line.slice(start.length);
  const end = rest.lastIndexOf(sources.length === 1 ? " (source: “" : " (sources: “");
  return sources.length === 0 || end === -1 ? rest : rest.slice(0, end);
}
