// Interruptions by the moderator, and their answers.
import { z } from "zod";
import { tokensFor } from "../core/asks.ts";
import type { CheckedClaim, Choice, Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { fillTemplate, type PlaceholderValues } from "../core/prompt.ts";
import { beginAsk, type Protocol, results, say, settle } from "../core/protocol.ts";
import { REJECT_FROM } from "../checking/fact_checker.ts";
import { choiceQuestion } from "../core/turn.ts";
import { sourceName } from "../checking/statement_check.ts";
import { type DebateRules, INTERRUPTION_ANSWER } from "./rules.ts";

const Ruling = z.object({
  reason: z.string(),
  breach: z.boolean(),
  rule: z.string().max(300),
});

/**
 * One interruption of a speech at most, for a claim that was found false, a broken rule, or both, and the answer of the
 * one concerned; nothing where all is well. `seq` is the number of the next message.
 */
export function* interrupt(
  rules: DebateRules,
  message: Message,
  seq: number,
): Protocol<Message[]> {
  const { moderator, interruptions = "none" } = rules;
  if (moderator === undefined || interruptions === "none") return [];
  const begun = interruptions === "facts"
    ? []
    : [yield* beginAsk(rulingQuestion(rules, moderator, { message, seq }))];
  const found = interruptions === "rules" ? [] : yield* results("fact_checker");
  const [ruling] = yield* settle(begun);
  const text = textFor(rules, message, {
    claim: falseClaim(found, message, rules.rejectFrom),
    rule: brokenRule(ruling),
  });
  if (text === undefined) return [];
  const { phase, round } = message;
  const interruption = yield* say({
    key: `${message.turn}/interruption`,
    speaker: moderator,
    phase,
    kind: "interruption",
    interrupts: true,
    round,
    replyTo: message.seq,
    task: text,
    text,
  });
  const answer = yield* say({
    key: `${message.turn}/interruption/answer`,
    speaker: message.participant,
    phase,
    kind: INTERRUPTION_ANSWER,
    round,
    replyTo: interruption.seq,
    maxTokens: tokensFor(INTERRUPTION_ANSWER),
    task: rules.templates.interruptionAnswer,
    values: { answered: String(interruption.seq) },
  });
  return [interruption, answer];
}

/** Text of an interruption; undefined without a reason to interrupt. */
function textFor(
  { templates, advocates }: DebateRules,
  { participant }: Message,
  { claim, rule }: {
    readonly claim: CheckedClaim | undefined;
    readonly rule: string | undefined;
  },
): string | undefined {
  const { interruptionText, interruptionTextForRule, interruptionTextForBoth } = templates;
  const template = claim === undefined
    ? rule && interruptionTextForRule
    : rule === undefined
    ? interruptionText
    : interruptionTextForBoth;
  const opponent = advocates.find(({ id }) => id === participant)?.label ?? participant;
  const values: PlaceholderValues = {
    opponent,
    rule: inLine(rule ?? ""),
    claim: inLine(claim?.quote ?? ""),
    source: sourceOf(claim),
  };
  return template && fillTemplate(template, values);
}

/** The false claim that is surest, the first of several, with the words that make it. */
function falseClaim(
  found: readonly Fact[],
  { seq }: Message,
  from = REJECT_FROM,
): CheckedClaim | undefined {
  const check = found.find((fact) => fact.type === "fact-check" && fact.message === seq);
  if (check?.type !== "fact-check") return undefined;
  return check.claims
    .filter(({ verdict, confidence, quote }) =>
      verdict === "false" && confidence >= from && quote !== undefined
    )
    .reduce<CheckedClaim | undefined>(
      (surest, claim) => claim.confidence > (surest?.confidence ?? -1) ? claim : surest,
      undefined,
    );
}

function sourceOf(claim: CheckedClaim | undefined): string {
  const [source] = claim?.sources ?? [];
  if (source === undefined) return "-";
  const name = sourceName(source);
  return inLine(source.url === "" ? name : `${name}, ${source.url}`);
}

/** The rule that was broken, where a ruling that could be read names one. */
function brokenRule(ruling: Choice | undefined): string | undefined {
  const read = RulingRead.safeParse(ruling?.value);
  return read.success && read.data.breach && read.data.rule.trim() !== ""
    ? read.data.rule
    : undefined;
}

const RulingRead = z.object({ breach: z.boolean(), rule: z.string() });

/** Question on a breach of rules; its value is null where the reply could not be read, which never interrupts. */
function rulingQuestion(
  { templates, advocates }: DebateRules,
  moderator: string,
  { message, seq }: { readonly message: Message; readonly seq: number },
) {
  const opponent = advocates.find(({ id }) => id === message.participant)!.label;
  return choiceQuestion({
    key: `${message.turn}/ruling`,
    asked: moderator,
    phase: message.phase,
    kind: "ruling",
    round: message.round,
    task: templates.ruling,
    values: { answered: String(message.seq), opponent },
    schema: { name: "ruling", type: Ruling },
    seq,
    valueOf: (reply) =>
      reply === undefined ? null : { breach: reply.breach, rule: reply.rule.trim() },
    reasonsOf: ({ reason }) => reason,
  });
}

function inLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
