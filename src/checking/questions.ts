import { z } from "zod";
import { CLAIM_VERDICTS, type ClaimVerdict } from "../core/fact.ts";
import type { Consultation } from "../core/observer.ts";
import type { SearchHit } from "../core/search.ts";
import { fenced, NO_ORDERS } from "./untrusted.ts";

/** The most tokens of either answer. */
const ANSWER_TOKENS = { claims: 600, verdict: 300 } as const;

/** What is checked: one message, or one attempt at it. */
export interface Statement {
  /** The message's number. */
  readonly seq: number;
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** What was said. */
  readonly body: string;
  /** Such as `opening`. */
  readonly phase: string;
  /** From 1; 0 outside the rounds. */
  readonly round: number;
}

/** What a claim is judged by, and how it is asked. */
export interface Asking {
  /** The party's id. */
  readonly asked: string;
  /** What is asked. */
  readonly task: string;
}

/** The claims that were found, in the order of their weight. */
export interface ClaimsReply {
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
    maxTokens: ANSWER_TOKENS.claims,
  };
}

/** What the results say of a claim. */
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
    data: { claim, hits: hits.map(({ title, url, snippet }) => ({ title, url, snippet })) },
    maxTokens: ANSWER_TOKENS.verdict,
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

/** Whether a result of this number was shown. */
export function isShown(number: number, results: number): boolean {
  return number >= 1 && number <= results;
}
