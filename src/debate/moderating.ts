// The moderator's part of a debate: introductions, summaries, interruptions, and the review after a round.
import { z } from "zod";
import type { Message } from "../core/message.ts";
import { fenced, fillTemplate } from "../core/prompt.ts";
import {
  ask,
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  results,
  say,
  settle,
  settleWhatCan,
} from "../core/protocol.ts";
import { INTERRUPTION_ANSWER, tokensFor } from "../core/profile.ts";
import type { CheckedClaim, Choice, Fact, Score } from "../core/fact.ts";
import { REJECT_FROM } from "../checking/fact_checker.ts";
import { oneLine } from "../core/text.ts";
import { choiceQuestion, type Turn } from "../core/turn.ts";
import { sourceName } from "../checking/questions.ts";
import { disagreementOf, marginOf } from "../judging/agreement.ts";
import { standingsByRubric } from "../judging/scoring.ts";
import { round4 } from "../core/statistics.ts";
import english from "./moderation.en.json" with { type: "json" };
import { type DebateRules, isSpeech, type NextStep } from "./rules.ts";
import { isAnythingNew, NOTE_TAKER } from "./note_taker.ts";

/** Yields the introduction, unless there is no moderator or the first round's introduction would follow immediately. */
export function* introduce(rules: DebateRules): Protocol<Message[]> {
  const { moderator, rounds, openings = true } = rules;
  if (moderator === undefined) return [];
  if (rules.exchange === "statements" && !openings && rounds > 0) return [];
  return [
    yield* say({
      ...introduction(rules, moderator),
      key: `opening/${moderator}`,
      phase: "opening",
      kind: "introduction",
      round: 0,
    }),
  ];
}

/** Yields the introduction of a round of statements, unless the moderator spoke last: no two turns in a row. */
export function* introduceRound(
  rules: DebateRules,
  round: number,
  said: readonly Message[],
): Protocol<Message[]> {
  const { moderator, templates, values } = rules;
  if (moderator === undefined || rules.exchange !== "statements") return [];
  if (said.at(-1)?.participant === moderator || (round > 1 && rules.roundSummaries)) return [];
  const place = {
    key: `round-${round}/introduction/${moderator}`,
    phase: "argument",
    kind: "round_introduction",
    round,
  };
  if (said.length === 0) return [yield* say({ ...introduction(rules, moderator), ...place })];
  return [
    yield* say({
      ...place,
      speaker: moderator,
      maxTokens: rules.caps.summary,
      task: templates.roundIntroduction,
      values,
      text: rules.templateIntroduction
        ? fillTemplate(templates.roundIntroductionText, { ...values, round: String(round) })
        : undefined,
    }),
  ];
}

/** Returns true if the moderator summarises the round; false if the summary of the debate would follow immediately. */
export function sumsUpRound(
  { moderator, roundSummaries, closings = true, summary = true }: DebateRules,
  next: NextStep,
): boolean {
  return moderator !== undefined && roundSummaries && (next === "continue" || closings || !summary);
}

/** Returns the turn of a round summary; the debate continues without waiting for the answer. */
export function roundSummary(rules: DebateRules, round: number): Turn {
  const moderator = rules.moderator!;
  return {
    key: `round-${round}/summary/${moderator}`,
    speaker: moderator,
    phase: "argument",
    kind: "round_summary",
    round,
    maxTokens: rules.caps.summary,
    task: rules.templates.roundSummary,
    aside: true,
  };
}

/** Begins the summary of the debate, with the round summaries as notes; returns an empty list if there is no summary. */
export function* summarise(
  rules: DebateRules,
  begun: readonly Begun<Message>[],
): Protocol<Begun<Message>[]> {
  const { moderator, summary = true } = rules;
  if (moderator === undefined) return [];
  const rounds = yield* settleWhatCan(begun);
  if (!summary) return [];
  const notes = rounds.filter((each) => each.type === "message")
    .map(({ round, body }) => `Your summary of round ${round}:\n${fenced("summary", body)}`);
  const turn: Turn = {
    key: `summary/${moderator}`,
    speaker: moderator,
    phase: "summary",
    kind: "summary",
    round: 0,
    maxTokens: rules.caps.summary,
    task: rules.templates.summary,
    notes: notes.length === 0 ? undefined : notes,
  };
  return [yield* begin(turn)];
}

function introduction(
  rules: DebateRules,
  moderator: string,
): Pick<Turn, "speaker" | "maxTokens" | "task" | "values" | "text"> {
  const { templates, rounds } = rules;
  const text = rounds === 0 ? templates.introductionTextWithoutRounds : templates.introductionText;
  const values = { nextAction: courseOf(rules), ...rules.values };
  return {
    speaker: moderator,
    maxTokens: rules.caps.summary,
    task: templates.introduction,
    values,
    text: rules.templateIntroduction ? fillTemplate(text, values) : undefined,
  };
}

/** Returns the course of the debate as one sentence for the introduction. */
function courseOf(
  { exchange = "rebuttals", rounds, openings = true, closings = true }: DebateRules,
): string {
  const parts = [
    ...(openings ? ["openings"] : []),
    ...(rounds > 0 ? ["rounds"] : []),
    ...(closings ? ["closings"] : []),
  ].join(" ");
  const course = new Map(Object.entries(english.course)).get(parts) ?? "";
  const exchanges = fillTemplate(english.exchange[exchange], { rounds: roundsOf(rounds) });
  return fillTemplate(course, { rounds: exchanges });
}

/** Returns a number of rounds in words, such as `3 rounds`. */
export function roundsOf(rounds: number): string {
  return rounds === 1 ? "one round" : `${rounds} rounds`;
}

const Ruling = z.object({ reason: z.string(), breach: z.boolean(), rule: z.string().max(300) });

/**
 * Yields at most one interruption of a speech, for a claim found false, a broken rule or both, and the speaker's answer.
 * `seq` is the number of the next message.
 */
export function* interrupt(rules: DebateRules, message: Message, seq: number): Protocol<Message[]> {
  const { moderator, interruptions = "none" } = rules;
  if (moderator === undefined || interruptions === "none") return [];
  const begun = interruptions === "facts"
    ? []
    : [yield* beginAsk(rulingQuestion(rules, moderator, { message, seq }))];
  const facts = interruptions === "rules" ? [] : yield* results("fact_checker");
  const [ruling] = yield* settle(begun);
  const text = textFor(rules, message, {
    claim: falseClaim(facts, message, rules.rejectFrom),
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

/** Returns the text of an interruption; undefined without a reason to interrupt. */
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
  return template && fillTemplate(template, {
    opponent,
    rule: oneLine(rule ?? "").replace(/[\p{L}\p{N}]$/u, "$&."),
    claim: oneLine(claim?.quote ?? ""),
    source: sourceOf(claim),
  });
}

/** Returns the quoted false claim of highest confidence, the first of equals; undefined below confidence `from`. */
function falseClaim(
  facts: readonly Fact[],
  { seq }: Message,
  from = REJECT_FROM,
): CheckedClaim | undefined {
  const check = facts.find((fact) => fact.type === "fact-check" && fact.message === seq);
  if (check?.type !== "fact-check") return undefined;
  return check.claims
    .filter(({ verdict, confidence, quote }) =>
      verdict === "false" && confidence >= from && quote !== undefined
    )
    .toSorted((a, b) => b.confidence - a.confidence)[0];
}

function sourceOf(claim: CheckedClaim | undefined): string {
  const [source] = claim?.sources ?? [];
  if (source === undefined) return "-";
  const name = sourceName(source);
  return oneLine(source.url === "" ? name : `${name}, ${source.url}`);
}

/** Returns the broken rule; undefined if the ruling names none or could not be read. */
function brokenRule(ruling: Choice | undefined): string | undefined {
  const { breach, rule = "" } = RulingRead.safeParse(ruling?.value).data ?? {};
  return breach === true && rule.trim() !== "" ? rule : undefined;
}

const RulingRead = z.object({ breach: z.boolean(), rule: z.string() });

/** Returns the question about a breach of rules; null, the value of an unreadable reply, never interrupts. */
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

/** Gap between the two best sides and what it is compared with, on the rubric's scale, to four decimals. */
interface Closeness {
  /** Best total minus second best total. */
  readonly gap: number;
  /** The larger of the gap's margin of error ({@linkcode marginOf}) and the judges' disagreement ({@linkcode disagreementOf}). */
  readonly disagreement: number;
}

/**
 * Returns the next step after a round. An adaptive debate asks the moderator after each round from the second on, and after
 * the last. If nothing new was said, the rounds end. After the last planned round, one round is added if the gap between the
 * sides is at most its margin of error or the judges' disagreement.
 */
export function* reviewRound(
  rules: DebateRules,
  round: number,
  said: readonly Message[],
): Protocol<NextStep> {
  const { moderator, rounds, adaptive = false } = rules;
  const last = round === rounds;
  if (moderator === undefined || !adaptive || round > rounds || (round === 1 && !last)) {
    return round < rounds ? "continue" : "end";
  }
  const closeness = last ? closenessOf(rules, said, yield* results("scorer")) : undefined;
  const seq = said.at(-1)!.seq + 1;
  // The notes of the round answer the question, if there are any.
  const computed = rules.flow !== true ? undefined : {
    reason: "By the notes of the round.",
    ["anything_new"]: isAnythingNew(
      yield* results(NOTE_TAKER, seq),
      said.filter((message) => message.round === round && isSpeech(rules, message)),
    ),
  };
  const { value } = yield* ask(choiceQuestion({
    key: `round-${round}/review/${moderator}`,
    asked: moderator,
    phase: "argument",
    kind: "round_review",
    round,
    task: rules.templates.roundReview,
    schema: { name: "round_review", type: Review },
    compute: () => computed,
    seq,
    valueOf: (reply) => ({ anythingNew: reply?.anything_new ?? null, ...closeness }),
    reasonsOf: ({ reason }) => reason,
  }));
  // The recorded gap decides, not the computed one: after a resume, there may be more scores.
  const { anythingNew, gap, disagreement } = ReviewRead.safeParse(value).data ?? {};
  if (!last) return anythingNew === false ? "nothing new" : "continue";
  const close = gap !== undefined && disagreement !== undefined && gap <= disagreement;
  return close && anythingNew !== false ? "continue" : "end";
}

/** Returns the closeness of the sides by the scores so far; undefined if fewer than two sides have scores. */
export function closenessOf(
  { advocates }: Pick<DebateRules, "advocates">,
  said: readonly Message[],
  facts: readonly Fact[],
): Closeness | undefined {
  const seqs = new Set(said.map(({ seq }) => seq));
  const scores = facts.filter((fact): fact is Score => fact.type === "score")
    .filter(({ message }) => seqs.has(message));
  const names = new Map(advocates.map(({ id, label }) => [id, label]));
  const [first] = standingsByRubric(scores, names, said);
  if (first === undefined) return undefined;
  const { margin: gap, spread = 0 } = marginOf(first, null);
  // Another rubric may have another scale.
  const own = scores.filter(({ rubric }) => rubric === first.rubric);
  const disagreement = Math.max(spread, round4(disagreementOf(own) ?? 0));
  return gap === undefined ? undefined : { gap, disagreement };
}

const Review = z.object({ reason: z.string(), ["anything_new"]: z.boolean() });

/** Value of a review; `anythingNew` is null if the reply could not be read. */
const ReviewRead = z.object({
  anythingNew: z.boolean().nullable(),
  gap: z.number().optional(),
  disagreement: z.number().optional(),
});
