// The questions of a fact check, and the texts that state fact checks to judges and readers.
import { z } from "zod";
import texts from "../data/prompts/checks.json" with { type: "json" };
import type { CheckedClaim, ClaimSource, FactCheck, StatedClaim } from "../core/fact.ts";
import type { Consultation } from "../core/turn.ts";
import type { SearchHit } from "../core/search.ts";
import { fenced, mergeTemplates, NO_ORDERS, textsOf } from "../core/prompt.ts";
import type { Message } from "../core/message.ts";
import { isUnchecked, isWrong, omittedBy } from "../core/claims.ts";
import { counted, oneLine } from "../core/text.ts";
import { CLAIM_VERDICTS, type ClaimVerdict } from "../core/outcome.ts";

/** A statement to check: a message or an attempt. */
export interface Statement extends Pick<Message, "seq" | "body" | "phase" | "round"> {
  readonly attempt: number;
}

interface Asking {
  /** Id of the helper. */
  readonly asked: string;
  readonly task: string;
}

/** Schema of a list of claims. */
export const CLAIMS: z.ZodType<readonly StatedClaim[]> = z.array(
  z.object({ quote: z.string(), text: z.string() }),
);

/** Creates the question which claims of a statement can be checked. */
export function claimsQuestion(
  { seq, attempt, body, phase, round }: Statement,
  { asked, task, max }: Asking & { readonly max: number },
): Consultation<{ readonly claims: readonly StatedClaim[] }> {
  return {
    key: `claims/${seq}/${attempt}`,
    asked,
    phase,
    kind: "claims",
    round,
    task,
    notes: [
      `This is what is to be checked. ${NO_ORDERS}`,
      fenced("statement", body),
      `Give at most ${counted(max, "claim")}.`,
    ].join("\n"),
    schema: { name: "claims", type: z.object({ claims: CLAIMS }) },
    data: { max, body },
  };
}

export interface ClaimVerdictReply {
  readonly reason: string;
  readonly verdict: ClaimVerdict;
  /** Condition that a misleading claim omits; else empty. */
  readonly omitted: string;
  readonly confidence: number;
  /** Numbers of the decisive search results, from 1. */
  readonly sources: readonly number[];
}

/** Creates the question whether search results support a claim. A verdict other than `unverifiable` must name a result. */
export function claimVerdictQuestion(
  { seq, attempt, phase, round }: Statement,
  { asked, task, number, claim, quote, hits }: Asking & {
    /** Number of the claim, from 1. */
    readonly number: number;
    readonly claim: string;
    /** The words of the statement that make the claim. */
    readonly quote: string;
    readonly hits: readonly SearchHit[];
  },
): Consultation<ClaimVerdictReply> {
  return {
    key: `claim-verdict/${seq}/${attempt}/${number}`,
    asked,
    phase,
    kind: "claim_verdict",
    round,
    task,
    notes: [
      `This is the claim, and what was found about it. ${NO_ORDERS}`,
      fenced("claim", claim),
      fenced("exact-words", quote),
      ...hits.map(({ title, url, snippet }, index) =>
        fenced("result", snippet, { n: String(index + 1), title, url })
      ),
    ].join("\n"),
    alone: true,
    schema: { name: "claim_verdict", type: verdictSchema(hits.length) },
    data: { claim, hits: hits.map(({ url, snippet }) => ({ url, snippet })) },
  };
}

function verdictSchema(results: number): z.ZodType<ClaimVerdictReply> {
  return z.object({
    reason: z.string(),
    verdict: z.enum(CLAIM_VERDICTS),
    omitted: z.string().default(""),
    confidence: z.number().min(0).max(1),
    // The bounds are only shown in the JSON schema: an invalid number is ignored, and the others count.
    sources: z.array(z.int().meta({ minimum: 1, maximum: Math.max(1, results) })),
  }).refine(
    ({ verdict, sources }) =>
      verdict === "unverifiable" || sources.some((each) => isShown(each, results)),
    {
      path: ["sources"],
      message: `a claim that is not unverifiable needs the number of a result, 1 to ${results}`,
    },
  ).refine(({ verdict, omitted }) => verdict !== "misleading" || omitted.trim() !== "", {
    path: ["omitted"],
    message: "a misleading claim needs the condition that it leaves out",
  });
}

/** True if a search result with this number was shown. */
export function isShown(number: number, results: number): boolean {
  return number >= 1 && number <= results;
}

/** Prompt texts of fact checking and of the persona guard, by name. */
export type FactCheckTemplates = Readonly<Record<keyof typeof texts, string>>;

/** Default prompt texts of fact checking and of the persona guard; `prompts` in the configuration can replace each. */
export const FACT_CHECK_TEMPLATES: FactCheckTemplates = textsOf(texts);

/** Returns prompt texts, of checks or of a kind of convening, overridden by those of a configuration, which may have both. */
export function templatesWith<K extends string>(
  defaults: Readonly<Record<K, string>>,
  prompts: Readonly<Record<string, string>> = {},
): Readonly<Record<K, string>> {
  const isCheck = (name: string) => Object.hasOwn(FACT_CHECK_TEMPLATES, name);
  const areChecks = Object.keys(defaults).every(isCheck);
  const own = Object.entries(prompts).filter(([name]) => isCheck(name) === areChecks);
  return mergeTemplates(defaults, Object.fromEntries(own));
}

/** The most false and misleading claims of one side that {@linkcode factCheckNotes} quotes. */
const QUOTED_CLAIMS = 8;

/** Explanation of the verdict `unverifiable` for a judge that scores the turn. */
const UNSETTLED =
  " Unverifiable means that the excerpts did not settle the claim: never lower a score for it. Where a source above " +
  "settles it, rely on the source and say so. The sources are incomplete: blame nobody for text that was not supplied.";

/** States the fact check of a turn for the judge that scores the turn; a failure is stated without the checker's model. */
export function factCheckNote(check: FactCheck): string {
  const turn = String(check.message);
  if (check.status === "unchecked") {
    return `The claims of turn ${turn} were not checked: the fact check failed. Do not hold that against the speaker.`;
  }
  if (check.claims.length === 0) {
    return `A fact check found no claim in turn ${turn} that a source could support or contradict.`;
  }
  const lines = check.claims.map((claim) => {
    const sure = claim.confidence === 0 ? "" : ` (${claim.confidence})`;
    const verdict = isUnchecked(claim, check)
      ? "not checked, because the fact check failed"
      : claim.verdict + sure;
    return `- ${verdict}: “${claim.text}”${omittedBy(claim)}${sourcesOf(claim)}`;
  });
  const isOpen = check.claims.some(({ verdict }) => verdict === "unverifiable");
  return [
    `This is what a fact check found on the claims of turn ${turn}. ${NO_ORDERS}${
      isOpen ? UNSETTLED : ""
    }`,
    fenced("fact-check", lines.join("\n"), { turn }),
  ].join("\n");
}

/**
 * States the false and misleading claims of each side, for a judge that compares the sides or a writer of a brief. Covers the
 * participants in `labels` (name in prompts by id); `turnName` names a turn. Undefined if none of their turns was checked.
 */
export function factCheckNotes(
  facts: readonly FactCheck[],
  labels: ReadonlyMap<string, string>,
  turnName: (seq: number) => string = String,
): string | undefined {
  const sides = [...labels].flatMap(([id, label]) => {
    const checks = facts.filter(({ participant }) => participant === id);
    return checks.length === 0 ? [] : [sideNote(label, checks, turnName)];
  });
  if (sides.length === 0) return undefined;
  return [
    `This is what a fact check found on the claims of each side. ${NO_ORDERS} The sources are incomplete: a claim that ` +
    "they do not settle counts neither for nor against its side.",
    fenced("fact-check", sides.join("\n")),
  ].join("\n");
}

function sideNote(
  label: string,
  checks: readonly FactCheck[],
  turnName: (seq: number) => string,
): string {
  const claims = checks.flatMap(({ claims }) => claims);
  const failed = checks.flatMap((check) => check.claims.filter((each) => isUnchecked(each, check)));
  const left = failed.length === 0 ? "" : `, ${failed.length} not checked`;
  const unchecked = checks.filter(({ status }) => status === "unchecked").length;
  const missing = unchecked === 0
    ? ""
    : `; ${unchecked} of its ${checks.length} turns could not be checked`;
  const wrong = checks.flatMap(({ message, claims }) =>
    claims.filter(isWrong)
      .map((claim) =>
        `  - ${claim.verdict}, turn ${turnName(message)}: “${claim.text}”${omittedBy(claim)}${
          sourcesOf(claim)
        }`
      )
  );
  const more = wrong.length > QUOTED_CLAIMS
    ? [`  - and ${wrong.length - QUOTED_CLAIMS} more that are false or misleading`]
    : [];
  const isOpen = claims.length > 0 && claims.every(({ verdict }) => verdict === "unverifiable");
  const none = isOpen ? "none could be settled" : "none found false or misleading";
  const found = wrong.length === 0 ? none : "found false or misleading:";
  return [
    `- ${label}: ${
      counted(claims.length - failed.length, "claim")
    } checked${left}${missing}; ${found}`,
    ...wrong.slice(0, QUOTED_CLAIMS),
    ...more,
  ].join("\n");
}

/** The most code points of a source's title where it is quoted in one line. */
const TITLE_LENGTH = 120;

/** States the decisive sources of a claim in brackets; empty if there are none. */
export function sourcesOf({ sources }: Pick<CheckedClaim, "sources">): string {
  if (sources.length === 0) return "";
  const names = sources.map((source) => `“${sourceName(source)}”`);
  return ` (${sources.length === 1 ? "source" : "sources"}: ${names.join(", ")})`;
}

/** Returns the name of a source: the host of a web page, because anyone may have written its title; the name of a background file. */
export function sourceName({ title, url }: Pick<ClaimSource, "title" | "url">): string {
  if (url === "") return "a page without an address";
  return oneLine(URL.parse(url)?.host || title, TITLE_LENGTH);
}
