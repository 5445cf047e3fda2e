// Fact checks as shown to judges.
import type { FactCheck } from "../core/fact.ts";
import { countsOf, countWords, factualityOf, settledIn } from "../core/fact_check_summary.ts";
import { sourcesOf } from "./statement_check.ts";
import { fenced, NO_ORDERS } from "./untrusted.ts";

/** The most false claims of one side that {@linkcode factCheckNotes} quotes. */
const QUOTED_CLAIMS = 8;

/** Fact check of a turn as shown to the judge that scores the turn; troubles of a checker name no model. */
export function factCheckNote(check: FactCheck): string {
  const turn = String(check.message);
  if (check.status === "unchecked") {
    return `The claims of turn ${turn} were not checked: the fact check failed. Do not hold that against the speaker.`;
  }
  if (check.claims.length === 0) {
    return `A fact check found no claim in turn ${turn} that a source could bear out or contradict.`;
  }
  const lines = check.claims.map((claim) =>
    `- ${claim.verdict} (${claim.confidence}): “${claim.text}”${sourcesOf(claim)}`
  );
  return [
    `This is what a fact check found on the claims of turn ${turn}. ${NO_ORDERS}`,
    fenced("fact-check", lines.join("\n"), { turn }),
  ].join("\n");
}

/**
 * All fact checks as shown to judges that compare the sides: counts of verdicts by side, and the false claims. Only
 * sides of `labels` (from participant id to name in prompts) count; undefined without any.
 */
export function factCheckNotes(
  facts: readonly FactCheck[],
  labels: ReadonlyMap<string, string>,
): string | undefined {
  const sides = [...labels].flatMap(([id, label]) => {
    const checks = facts.filter(({ participant }) => participant === id);
    return checks.length === 0 ? [] : [sideNote(label, checks)];
  });
  if (sides.length === 0) return undefined;
  return [
    `This is what a fact check found on the claims of each side. ${NO_ORDERS}`,
    fenced("fact-check", sides.join("\n")),
  ].join("\n");
}

function sideNote(label: string, checks: readonly FactCheck[]): string {
  const claims = checks.flatMap(({ claims }) => claims);
  const counts = countsOf(checks);
  const settled = settledIn(counts);
  const unchecked = checks.filter(({ status }) => status === "unchecked").length;
  const factuality = factualityOf(checks);
  const share = factuality === null
    ? ""
    : `; factuality ${factuality} over ${settled} settled ${settled === 1 ? "claim" : "claims"}`;
  const missing = unchecked === 0
    ? ""
    : `; ${unchecked} of its ${checks.length} turns could not be checked`;
  const wrong = checks.flatMap(({ message, claims }) =>
    claims.filter(({ verdict }) => verdict === "false")
      .map((claim) => `  - false, turn ${message}: “${claim.text}”${sourcesOf(claim)}`)
  );
  const more = wrong.length > QUOTED_CLAIMS
    ? [`  - and ${wrong.length - QUOTED_CLAIMS} more false claims`]
    : [];
  return [
    `- ${label}: ${claims.length} claims, ${countWords(counts)}${share}${missing}`,
    ...wrong.slice(0, QUOTED_CLAIMS),
    ...more,
  ].join("\n");
}
