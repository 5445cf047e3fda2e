// The protocol of a debate.
import type { Fact, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { begin, beginAsk, type Begun, type Protocol, results, settle } from "../core/protocol.ts";
import type { Question } from "../core/turn.ts";
import { decide } from "../judging/votes.ts";
import { withNotes } from "./flow/flow_design.ts";
import { introduce, introduceRound, roundSummary, summarise, sumsUpRound } from "./moderating.ts";
import { reviewRound } from "./review.ts";
import { argue, close, open } from "./rounds.ts";
import type { DebateOutcome, DebateRules, Next } from "./rules.ts";

export type { DebateOutcome, DebateRules, Exchange, Side } from "./rules.ts";

/** A debate, from the introduction to the summary (context-network/rules/debate.md). */
export function debate(rules: DebateRules): Protocol<DebateOutcome> {
  return rules.flow === true ? withNotes(play(rules), rules.advocates) : play(rules);
}

function* play(rules: DebateRules): Protocol<DebateOutcome> {
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
  // Judges with fact checks or notes at hand wait for the last of them; the summary does not.
  const { judgesAfter } = rules;
  const early = judgesAfter === undefined ? yield* beginAll(rules.verdicts([], said)) : [];
  const after = yield* beginAll(rules.after?.(said) ?? []);
  const summing = yield* summarise(rules, summaries);
  const found = judgesAfter === undefined ? [] : yield* results(judgesAfter);
  const late = judgesAfter === undefined ? [] : yield* beginAll(rules.verdicts(found, said));
  const [summary] = yield* settle(summing);
  const answers = yield* settle<Fact>([...early, ...late, ...after, ...asked]);
  const verdicts = answers.filter((fact): fact is Verdict => fact.type === "verdict");
  const isTied = decide(verdicts, []).winner === null;
  const last = yield* beginAll(isTied ? rules.tiebreak?.(found, said) ?? [] : []);
  return {
    summary,
    verdicts: last.length === 0 ? verdicts : [...verdicts, ...yield* settle(last)],
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
