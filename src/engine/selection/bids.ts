import { z } from "zod";
import type { Choice } from "../../core/fact.ts";
import { beginAsk, type Begun, settle } from "../../core/protocol.ts";
import {
  othersThanLast,
  type SelectionContext,
  type Speaker,
  type SpeakerSelection,
  spokenTurns,
} from "../../core/selection.ts";
import type { Question } from "../../core/turn.ts";
import { choiceQuestion, fieldOf } from "../choice_question.ts";

/** A reply to the question how much one wants to speak: the reason first. */
interface BidReply {
  readonly reason: string;
  readonly bid: number;
}

const SCHEMA = {
  name: "bid",
  type: z.object({ reason: z.string().default(""), bid: z.number().min(0).max(1) }),
};

/** The most tokens of a bid. */
const BID_TOKENS = 150;

/**
 * Whoever bids most speaks (context-network/rules/dialogue_and_consensus.md): all but the last speaker bid at once. Of equal bids the one who
 * has spoken less wins, then the one named first; a bid that could not be read is none. Where only one may speak, nobody
 * is asked.
 */
export function bidSelection(task: string): SpeakerSelection {
  return {
    name: "bids",
    *next(context) {
      const candidates = othersThanLast(context);
      const [only] = candidates;
      if (candidates.length === 1) return only!.id;
      const begun: Begun<Choice>[] = [];
      for (const each of candidates) {
        begun.push(yield* beginAsk(bidQuestion(task, each, context)));
      }
      return highest(candidates, yield* settle(begun), spokenTurns(context));
    },
  };
}

function bidQuestion(
  task: string,
  { id }: Speaker,
  context: SelectionContext,
): Question<BidReply, Choice> {
  const { said, turn, participants } = context;
  const last = said.at(-1);
  return choiceQuestion({
    key: `bid/turn-${turn}/${id}`,
    seq: (last?.seq ?? 0) + 1,
    asked: id,
    phase: "dialogue",
    kind: "bid",
    round: Math.ceil(turn / participants.length),
    task,
    schema: SCHEMA,
    about: last === undefined ? undefined : [last.seq],
    data: { turn, spoken: spokenTurns(context) },
    maxTokens: BID_TOKENS,
    valueOf: (reply) => ({ bid: reply?.bid ?? null }),
    reasonsOf: ({ reason }) => reason,
  });
}

function highest(
  candidates: readonly Speaker[],
  choices: readonly Choice[],
  spoken: Readonly<Record<string, number>>,
): string {
  const bids = new Map(choices.map(({ participant, value }) => [participant, bidIn(value)]));
  const [first] = candidates.map(({ id }) => id).sort((a, b) =>
    (bids.get(b) ?? 0) - (bids.get(a) ?? 0) || (spoken[a] ?? 0) - (spoken[b] ?? 0)
  );
  return first!;
}

function bidIn(value: unknown): number {
  const bid = fieldOf(value, "bid");
  return typeof bid === "number" ? bid : 0;
}
