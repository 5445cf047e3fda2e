import type { Failure, Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { INTERJECTION } from "../../core/past.ts";
import {
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  settle,
  settleWhatCan,
} from "../../core/protocol.ts";
import type { Question, Turn } from "../../core/turn.ts";

/** What is judged again, and what is asked about it. */
export interface JudgingRules {
  /** What was said, by number. */
  readonly messages: readonly Message[];
  /** The turns that failed and were done without. */
  readonly failures: readonly Failure[];
  /** The closing questions about the messages. */
  readonly verdicts: (messages: readonly Message[]) => readonly Question<unknown, Verdict>[];
}

/**
 * A record, played from what was said: every turn is answered from the record, with the sight it had then, so that
 * blind openings are blind to those who score them too; then the closing questions are asked.
 */
export function* judging(rules: JudgingRules): Protocol<readonly Verdict[]> {
  for (const turns of heats(rules)) {
    const begun: Begun<Message>[] = [];
    for (const turn of turns) begun.push(yield* begin(turn));
    yield* settleWhatCan(begun);
  }
  const verdicts: Begun<Verdict>[] = [];
  for (const question of rules.verdicts(rules.messages)) verdicts.push(yield* beginAsk(question));
  return yield* settle(verdicts);
}

/** The turns in groups that had been given the same messages. */
function heats({ messages, failures }: JudgingRules): Turn[][] {
  const last = messages.at(-1)?.seq ?? 0;
  const taken = [
    ...messages.filter(({ kind }) => kind !== INTERJECTION).map((each) => ({
      seq: each.seq,
      given: each.previous ?? 0,
      turn: turnOf(each),
    })),
    // A failure after the last message was never done without.
    ...failures.filter(({ seq }) => seq < last).map(({ seq, turn, participant }) => ({
      seq,
      given: undefined,
      turn: { key: turn, speaker: participant, phase: "", kind: "", round: 0, task: "" },
    })),
  ].sort((a, b) => a.seq - b.seq);
  const groups: Turn[][] = [];
  let first = 0;
  for (const { seq, given, turn } of taken) {
    const group = groups.at(-1);
    if (group === undefined || (given ?? 0) >= first) {
      groups.push([turn]);
      first = seq;
    } else group.push(turn);
  }
  return groups;
}

function turnOf({ turn, participant, phase, kind, round, replyTo }: Message): Turn {
  const aside = kind === "round_summary";
  return { key: turn, speaker: participant, phase, kind, round, replyTo, aside, task: "" };
}
