// Questions of a fact check: claims of a statement, and a verdict on each.
import { z } from "zod";
import { CLAIM_VERDICTS, type ClaimVerdict } from "../core/fact.ts";
import type { Consultation } from "../core/observer.ts";
import type { SearchHit } from "../core/search.ts";
import { fenced, NO_ORDERS } from "./untrusted.ts";
import { mergeTemplates } from "../core/prompt.ts";

/** Statement that is checked: a message, or an attempt. */
export interface Statement {
  /** The message's number. */
  readonly seq: number;
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** Text of the statement. */
  readonly body: string;
  /** Such as `opening`. */
  readonly phase: string;
  /** From 1; 0 outside the rounds. */
  readonly round: number;
}

/** Judge of a claim, and the task. */
interface Asking {
  /** The party's id. */
  readonly asked: string;
  /** Task of the question. */
  readonly task: string;
}

/** The claims that were found, in the order of their weight. */
interface ClaimsReply {
  readonly claims: readonly {
    /** The words of the statement that the claim rests on. */
    readonly quote: string;
    /** The claim in one sentence. */
    readonly text: string;
  }[];
}

/** Asks which claims of a statement can be checked. */
export function claimsQuestion(
  { seq, attempt, body, phase, round }: Statement,
  { asked, task, max }: Asking & { readonly max: number },
): Consultation<ClaimsReply> {
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
      `Give at most ${max} ${max === 1 ? "claim" : "claims"}.`,
    ].join("\n"),
    schema: {
      name: "claims",
      type: z.object({ claims: z.array(z.object({ quote: z.string(), text: z.string() })) }),
    },
    data: { max, body },
  };
}

/** Verdict on a claim by the results. */
export interface ClaimVerdictReply {
  readonly reason: string;
  readonly verdict: ClaimVerdict;
  /** The condition that a misleading claim leaves out; else empty. */
  readonly omitted: string;
  readonly confidence: number;
  /** The numbers of the results that decided it, from 1. */
  readonly sources: readonly number[];
}

/** Asks whether the results of a search bear a claim out; a verdict that names none of them is asked for again. */
export function claimVerdictQuestion(
  { seq, attempt, phase, round }: Statement,
  { asked, task, number, claim, quote, hits }: Asking & {
    /** The claim's, from 1. */
    readonly number: number;
    readonly claim: string;
    /** The words it rests on. */
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
      `This is the claim, and what was found on it. ${NO_ORDERS}`,
      fenced("claim", claim),
      fenced("exact-words", quote),
      ...hits.map(({ title, url, snippet }, index) =>
        fenced("result", snippet, { n: String(index + 1), title, url })
      ),
    ].join("\n"),
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
    // The bounds are told, not held to: a number too many is left out, and the others count.
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

/** True if a result of this number was shown. */
export function isShown(number: number, results: number): boolean {
  return number >= 1 && number <= results;
}

/** The texts of fact checking and of the persona guard; each can be replaced under `prompts` in the configuration. */
export const FACT_CHECK_TEMPLATES = {
  factChecker:
    "You are {name}. You check what is said here against sources. You take no side: who made a claim, and how well " +
    "it was put, do not count.",
  claims:
    "List the claims of fact that the statement above makes and that a source could bear out or contradict: events, " +
    "figures, dates, findings, what a law or a text says. Leave out opinions, forecasts, wishes, definitions and " +
    "examples that are plainly invented. Give for each first the exact words of the statement that make it, copied " +
    "letter by letter, then the claim that these words make and no more, as one sentence that can be understood on " +
    "its own, with names in the place of pronouns; the most important one first. Where there is none, give an empty list.",
  claimVerdict:
    "Judge the claim above, as its exact words put it, by the results above and by nothing else. Give your reason " +
    "first, in one or two sentences. Then the verdict: true where the results bear the claim out; misleading where " +
    "they bear it out and it leaves out a condition that changes it; disputed where some results bear it out and " +
    "others contradict it; false where they contradict it; unverifiable where they settle nothing or are about " +
    "something else. Then the condition that a misleading claim leaves out, else nothing; how sure you are, from 0 " +
    "to 1; and the numbers of the results that decided it, none where the claim is unverifiable.",
  personaChecker:
    "You are {name}. You compare what is said here with the persona it is said in. You take no side.",
  personaCheck:
    "Say whether the statement above is as its persona would speak: look at what the persona does and does not do, " +
    "and at nothing else; whether the statement is right or good is no matter here. Give your reason first, then " +
    "whether it is consistent, and where it is not, the breach in one sentence that its speaker can act on.",
} as const satisfies Readonly<Record<string, string>>;

/** The texts of fact checking and of the persona guard, by name. */
export type FactCheckTemplates = Readonly<Record<keyof typeof FACT_CHECK_TEMPLATES, string>>;

/** The texts of fact checking and of the persona guard, with the configuration's over them; others are left alone. */
export function factCheckTemplates(
  prompts: Readonly<Record<string, string>> = {},
): FactCheckTemplates {
  return mergeTemplates(FACT_CHECK_TEMPLATES, ofChecks(prompts, true));
}

/** The texts of a kind of convening, with the configuration's over them; those of checks are left alone. */
export function kindTemplates<K extends string>(
  usual: Readonly<Record<K, string>>,
  prompts: Readonly<Record<string, string>> = {},
): Readonly<Record<K, string>> {
  return mergeTemplates(usual, ofChecks(prompts, false));
}

/** The templates that are, or are not, among those of fact checking and the persona guard. */
function ofChecks(
  prompts: Readonly<Record<string, string>>,
  wanted: boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(prompts).filter(([name]) =>
      Object.hasOwn(FACT_CHECK_TEMPLATES, name) === wanted
    ),
  );
}
