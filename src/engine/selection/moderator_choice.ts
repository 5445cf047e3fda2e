import { z } from "zod";
import type { Choice } from "../../core/fact.ts";
import { ask } from "../../core/protocol.ts";
import {
  nextInOrder,
  othersThanLast,
  type SelectionContext,
  type Speaker,
  type SpeakerSelection,
  spokenTurns,
} from "../../core/selection.ts";
import type { Question } from "../../core/turn.ts";
import { choiceQuestion, fieldOf } from "../choice_question.ts";

/** A reply to the question who speaks next: the reason first, then a label. */
interface SpeakerReply {
  readonly reason: string;
  readonly speaker: string;
}

/** The most tokens of an answer. */
const ANSWER_TOKENS = 150;

/**
 * Whom the moderator names speaks next, but never who has just spoken; where that cannot be read, the next in order.
 * Where only one may speak, the moderator is not asked.
 */
export function moderatorSelection(
  { moderator, task }: {
    /** The moderator's id. */
    readonly moderator: string;
    /** What the moderator is asked. */
    readonly task: string;
  },
): SpeakerSelection {
  return {
    name: "moderator",
    *next(context) {
      const candidates = othersThanLast(context);
      const [only] = candidates;
      if (candidates.length === 1) return only!.id;
      const choice = yield* ask(speakerQuestion(candidates, context, { moderator, task }));
      const chosen = fieldOf(choice.value, "speaker");
      return candidates.find(({ id }) => id === chosen)?.id ?? nextInOrder(context);
    },
  };
}

function speakerQuestion(
  candidates: readonly Speaker[],
  context: SelectionContext,
  { moderator, task }: { readonly moderator: string; readonly task: string },
): Question<SpeakerReply, Choice> {
  const { said, turn, participants } = context;
  const last = said.at(-1);
  return choiceQuestion({
    key: `next-speaker/turn-${turn}`,
    seq: (last?.seq ?? 0) + 1,
    asked: moderator,
    phase: "dialogue",
    kind: "next_speaker",
    round: Math.ceil(turn / participants.length),
    task,
    schema: {
      name: "next_speaker",
      type: z.object({
        reason: z.string().default(""),
        speaker: z.enum(candidates.map(({ label }) => label)),
      }),
    },
    about: last === undefined ? undefined : [last.seq],
    data: {
      labels: Object.fromEntries(candidates.map(({ id, label }) => [id, label])),
      spoken: spokenTurns(context),
      ...last === undefined ? {} : { last: last.participant },
    },
    maxTokens: ANSWER_TOKENS,
    valueOf: (reply) => ({
      speaker: candidates.find(({ label }) => label === reply?.speaker)?.id ?? null,
    }),
    reasonsOf: ({ reason }) => reason,
  });
}
