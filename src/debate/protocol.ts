// The protocol of a debate.
import type { Fact, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { begin, beginAsk, type Begun, type Protocol, results, settle } from "../core/protocol.ts";
import type { Question } from "../core/turn.ts";
import { introduce, introduceRound, roundSummary, summarise, sumsUpRound } from "./moderating.ts";
import { reviewRound } from "./review.ts";
import { argue, close, open } from "./rounds.ts";
import type { DebateOutcome, DebateRules, Next } from "./rules.ts";

export type { DebateOutcome, DebateRules, Exchange, Side } from "./rules.ts";

/** A debate, from the introduction to the summary (context-network/rules/debate.md). */
export function* debate(rules: DebateRules): Protocol<DebateOutcome> {
  const said: Message[] = [];
  const summaries: Begun<Message>[] = [];
  const asked = yield* beginAll(rules.before ?? []);
  said.push(...yield* introduce(rules));
  said.push(...yield* open(rules));
  let round = 0;
  let next: Next = rules.rounds > 0 ? "goes on" : "ends";
  while (next === "goes on") {
    round++;
    said.push(...yield* introduceRound(rules, round, said));
    said.push(...yield* argue(rules, round, said));
    next = yield* reviewRound(rules, round, said);
    if (sumsUpRound(rules, next)) summaries.push(yield* begin(roundSummary(rules, round)));
  }
  said.push(...yield* close(rules));
  // Who judges with the fact checks at hand waits for the last of them; the summary does not.
  const { factsChecked = false } = rules;
  const early = factsChecked ? [] : yield* beginAll(rules.verdicts([], said));
  const after = yield* beginAll(rules.after?.(said) ?? []);
  const summing = yield* summarise(rules, summaries);
  const late = factsChecked
    ? yield* beginAll(rules.verdicts(yield* results("fact_checker"), said))
    : [];
  const [summary] = yield* settle(summing);
  const answers = yield* settle<Fact>([...early, ...late, ...after, ...asked]);
  return {
    summary,
    verdicts: answers.filter((fact): fact is Verdict => fact.type === "verdict"),
    rounds: round,
    nothingNew: next === "nothing new",
  };
}

function* beginAll<F extends Fact>(
  questions: readonly Question<unknown, F>[],
): Protocol<Begun<F>[]> {
  const begun: Begun<F>[] = [];
  for (const question of questions) begun.push(yield* beginAsk(question));
  return begun;
}
