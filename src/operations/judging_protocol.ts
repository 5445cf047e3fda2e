import type { Fact, Failure } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { INTERJECTION } from "../core/past.ts";
import {
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  settle,
  settleWhatCan,
} from "../core/protocol.ts";
import type { Question, Turn } from "../core/turn.ts";

/** What is judged again, and what is asked about it. */
export interface JudgingRules {
  /** What was said, by number. */
  readonly messages: readonly Message[];
  /** The turns that failed and were done without. */
  readonly failures: readonly Failure[];
  /** The number of the last message that the closing questions are about; those after it tell how it was judged. */
  readonly through: number;
  /** The closing questions about the messages. */
  readonly questions: (messages: readonly Message[]) => readonly Question<unknown, Fact>[];
}

/**
 * A record, played from what was said: every turn is answered from the record, with the sight it had then, so that
 * blind openings are blind to those who score them too. The closing questions are asked before what the convening's own
 * judges said, so that nobody goes by that.
 */
export function* judging(rules: JudgingRules): Protocol<readonly Fact[]> {
  const all = heats(rules);
  const isBefore = (turns: readonly Taken[]) => turns.some(({ seq }) => seq <= rules.through);
  yield* play(all.filter(isBefore));
  const asked: Begun<Fact>[] = [];
  for (const question of rules.questions(rules.messages)) asked.push(yield* beginAsk(question));
  yield* play(all.filter((turns) => !isBefore(turns)));
  return yield* settle(asked);
}

function* play(heats: readonly (readonly Taken[])[]): Protocol<void> {
  for (const turns of heats) {
    const begun: Begun<Message>[] = [];
    for (const { turn } of turns) begun.push(yield* begin(turn));
    yield* settleWhatCan(begun);
  }
}

/** A turn that was taken, or failed. */
interface Taken {
  readonly seq: number;
  readonly turn: Turn;
}

/** The turns in groups that had been given the same messages. */
function heats({ messages, failures }: JudgingRules): Taken[][] {
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
  const groups: Taken[][] = [];
  let first = 0;
  for (const { seq, given, turn } of taken) {
    const group = groups.at(-1);
    if (group === undefined || (given ?? 0) >= first) {
      groups.push([{ seq, turn }]);
      first = seq;
    } else group.push({ seq, turn });
  }
  return groups;
}

function turnOf({ turn, participant, phase, kind, round, replyTo }: Message): Turn {
  const aside = kind === "round_summary";
  return { key: turn, speaker: participant, phase, kind, round, replyTo, aside, task: "" };
}
