// Fact checks as shown to judges, and to readers of a record.
import type { CheckedClaim, FactCheck } from "../core/fact.ts";
import { sourcesOf } from "./statement_check.ts";
import { fenced, NO_ORDERS } from "../core/prompt.ts";

/** The most false and misleading claims of one side that {@linkcode factCheckNotes} quotes. */
const QUOTED_CLAIMS = 8;

/** The bounds of a fact check, for readers. */
export const FOR_READERS =
  "Unverifiable means that the excerpts did not settle the claim. The sources are incomplete.";

/** The bounds of a fact check, for judges. */
const FOR_JUDGES =
  "Unverifiable means that the excerpts did not settle the claim: never lower a score for it. Where a source above " +
  "settles it, rely on the source and say so. The sources are incomplete: blame nobody for text that was not supplied.";

/** Fact check of a turn as shown to the judge that scores the turn; troubles of a checker name no model. */
export function factCheckNote(check: FactCheck): string {
  const turn = String(check.message);
  if (check.status === "unchecked") {
    return `The claims of turn ${turn} were not checked: the fact check failed. Do not hold that against the speaker.`;
  }
  if (check.claims.length === 0) {
    return `A fact check found no claim in turn ${turn} that a source could support or contradict.`;
  }
  const lines = check.claims.map((claim) =>
    `- ${claim.verdict} (${claim.confidence}): “${claim.text}”${omittedBy(claim)}${
      sourcesOf(claim)
    }`
  );
  return [
    `This is what a fact check found on the claims of turn ${turn}. ${NO_ORDERS} ${FOR_JUDGES}`,
    fenced("fact-check", lines.join("\n"), { turn }),
  ].join("\n");
}

/**
 * Notes on all fact checks for judges that compare the sides, or with other `bounds` for others: by side, the claims that were found false or misleading. Only
 * those of `labels` (from participant id to its name in prompts) count, and turns are called by `turnName`; undefined without
 * any.
 */
export function factCheckNotes(
  facts: readonly FactCheck[],
  labels: ReadonlyMap<string, string>,
  turnName: (seq: number) => string = String,
  bounds = FOR_JUDGES,
): string | undefined {
  const sides = [...labels].flatMap(([id, label]) => {
    const checks = facts.filter(({ participant }) => participant === id);
    return checks.length === 0 ? [] : [sideNote(label, checks, turnName)];
  });
  if (sides.length === 0) return undefined;
  return [
    `This is what a fact check found on the claims of each side. ${NO_ORDERS} ${bounds}`,
    fenced("fact-check", sides.join("\n")),
  ].join("\n");
}

/** The condition that a misleading claim leaves out. */
function omittedBy({ omitted }: CheckedClaim): string {
  return omitted === undefined ? "" : ` leaves out: ${omitted}`;
}

function sideNote(
  label: string,
  checks: readonly FactCheck[],
  turnName: (seq: number) => string,
): string {
  const claims = checks.flatMap(({ claims }) => claims);
  const unchecked = checks.filter(({ status }) => status === "unchecked").length;
  const missing = unchecked === 0
    ? ""
    : `; ${unchecked} of its ${checks.length} turns could not be checked`;
  const wrong = checks.flatMap(({ message, claims }) =>
    claims.filter(({ verdict }) => verdict === "false" || verdict === "misleading")
      .map((claim) =>
        `  - ${claim.verdict}, turn ${turnName(message)}: “${claim.text}”${omittedBy(claim)}${
          sourcesOf(claim)
        }`
      )
  );
  const more = wrong.length > QUOTED_CLAIMS
    ? [`  - and ${wrong.length - QUOTED_CLAIMS} more that are false or misleading`]
    : [];
  const found = wrong.length === 0
    ? "none found false or misleading"
    : "found false or misleading:";
  return [
    `- ${label}: ${claims.length} claims checked${missing}; ${found}`,
    ...wrong.slice(0, QUOTED_CLAIMS),
    ...more,
  ].join("\n");
}
