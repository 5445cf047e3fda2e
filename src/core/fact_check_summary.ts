import type { FactCheck } from "./fact.ts";
import { round4 } from "./scoring.ts";

/** How many claims were found to be what. */
export interface ClaimCounts {
  /** All of them. */
  readonly claims: number;
  /** Those that sources bear out. */
  readonly true: number;
  /** Those that sources contradict. */
  readonly false: number;
  /** Those that no source decides. */
  readonly unverifiable: number;
}

/** One participant's claims. */
export interface ParticipantClaims extends ClaimCounts {
  /** (true + 0.5 × unverifiable) / claims, four decimals; null without claims. */
  readonly factuality: number | null;
}

/** What a convening's fact checks come to. */
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

/** What fact checks come to, the first message first; undefined without any. */
export function factChecksOf(checks: readonly FactCheck[]): FactCheckSummary | undefined {
  if (checks.length === 0) return undefined;
  const by = Map.groupBy(checks, ({ participant }) => participant);
  return {
    mode: checks.some(({ mode }) => mode === "strict") ? "strict" : "standard",
    checked: checks.filter(({ status }) => status === "checked").length,
    unchecked: checks.filter(({ status }) => status === "unchecked").length,
    ...countsOf(checks),
    byParticipant: Object.fromEntries(
      [...by].map(([id, own]) => {
        const counts = countsOf(own);
        return [id, { ...counts, factuality: factualityOf(counts) }];
      }),
    ),
  };
}

/** (true + 0.5 × unverifiable) / claims (protocols.md, "Debate"); null without claims. */
export function factualityOf(counts: ClaimCounts): number | null {
  const { claims, unverifiable } = counts;
  return claims === 0 ? null : round4((counts.true + 0.5 * unverifiable) / claims);
}

/** The claims of some fact checks, counted by verdict. */
export function countsOf(checks: readonly Pick<FactCheck, "claims">[]): ClaimCounts {
  const claims = checks.flatMap((check) => check.claims);
  const count = (is: string) => claims.filter(({ verdict }) => verdict === is).length;
  return {
    claims: claims.length,
    true: count("true"),
    false: count("false"),
    unverifiable: count("unverifiable"),
  };
}
