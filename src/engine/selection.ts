// Selects the next speaker of a dialogue: round-robin, by bids, or by the moderator.
import { z } from "zod";
import { asConveningError, ConfigurationError } from "../core/error.ts";
import type { Choice } from "../core/fact.ts";
import { memo } from "../core/values.ts";
import {
  ask,
  beginQuestions,
  nextInOrder,
  othersThanLast,
  type Protocol,
  type SelectionContext,
  settle,
  type Speaker,
  type SpeakerSelection,
  spokenTurns,
} from "../core/protocol.ts";
import { choiceQuestion, fieldOf } from "../core/turn.ts";
import type { Participant } from "../core/participant.ts";
import type { Selecting } from "./workflow_options.ts";
import { counted } from "../core/text.ts";

export interface Selected {
  /** Participants that take turns: all except a moderator that selects. */
  readonly speakers: readonly Participant[];
  readonly selection: SpeakerSelection;
}

const ROUND_ROBIN: SpeakerSelection = {
  name: "round-robin",
  // deno-lint-ignore require-yield -- it asks nobody
  *next(context) {
    return nextInOrder(context);
  },
};

/** Resolves the setting `select`. Selection by the moderator throws a `ConfigurationError` without one moderator and two others. */
export function selectionOf(
  select: Selecting,
  participants: readonly Participant[],
  templates: { readonly bid: string; readonly nextSpeaker: string },
): Selected {
  if (typeof select === "object") return { speakers: participants, selection: named(select) };
  if (select === "round-robin") return { speakers: participants, selection: ROUND_ROBIN };
  if (select === "bids") return { speakers: participants, selection: bidSelection(templates.bid) };
  const moderators = participants.filter(({ role }) => role === "moderator");
  const speakers = participants.filter(({ role }) => role !== "moderator");
  const [moderator] = moderators;
  if (moderator === undefined || moderators.length > 1 || speakers.length < 2) {
    const chairs = counted(moderators.length, "moderator");
    const given = `${chairs} and ${counted(speakers.length, "other")}`;
    throw new ConfigurationError(`Cannot have the moderator select with ${given}`, {
      field: "select",
      hint: "Give one participant the role moderator, in addition to two or more others.",
    });
  }
  return {
    speakers,
    selection: moderatorSelection({ moderator: moderator.id, task: templates.nextSpeaker }),
  };
}

/** Returns a program's own selection; errors of its code name the selection. */
function named(select: SpeakerSelection): SpeakerSelection {
  const { name } = select;
  return {
    name,
    *next(context) {
      try {
        return yield* select.next(context);
      } catch (error) {
        throw asConveningError(error, { part: `selection "${name}"` });
      }
    },
  };
}

/** Creates a selection among all but the last speaker; with a single candidate, `choose` is not called. */
function amongOthers(
  name: string,
  choose: (candidates: readonly Speaker[], context: SelectionContext) => Protocol<string>,
): SpeakerSelection {
  return {
    name,
    *next(context) {
      const candidates = othersThanLast(context);
      return candidates.length === 1 ? candidates[0]!.id : yield* choose(candidates, context);
    },
  };
}

/** Returns the place of a question before a turn. */
function placeOf({ said, turn, participants }: SelectionContext) {
  const round = Math.ceil(turn / participants.length);
  return { seq: (said.at(-1)?.seq ?? 0) + 1, phase: "dialogue", round };
}

const bidSchema = memo(() => ({
  name: "bid",
  type: z.object({ reason: z.string().default(""), bid: z.number().min(0).max(1) }),
}));

/**
 * Selects the highest bidder (context-network/rules/dialogue_and_consensus.md): all but the last speaker bid in parallel. Equal bids
 * go to the participant with fewer turns, then to the first in order. An unreadable bid counts as 0.
 */
function bidSelection(task: string): SpeakerSelection {
  return amongOthers("bids", function* (candidates, context) {
    const questions = candidates.map(({ id }) => bidQuestion(task, id, context));
    const bids = yield* settle(yield* beginQuestions(questions));
    return highest(candidates, bids, spokenTurns(context));
  });
}

function bidQuestion(task: string, id: string, context: SelectionContext) {
  return choiceQuestion({
    key: `bid/turn-${context.turn}/${id}`,
    ...placeOf(context),
    asked: id,
    kind: "bid",
    task,
    schema: bidSchema(),
    valueOf: (reply) => ({ bid: reply?.bid ?? null }),
    reasonsOf: ({ reason }) => reason,
  });
}

function highest(
  candidates: readonly Speaker[],
  choices: readonly Choice[],
  spoken: Readonly<Record<string, number>>,
): string {
  const bids = new Map(
    choices.map(({ participant, value }) => [participant, Number(fieldOf(value, "bid")) || 0]),
  );
  const [first] = candidates.map(({ id }) => id).sort((a, b) =>
    (bids.get(b) ?? 0) - (bids.get(a) ?? 0) || (spoken[a] ?? 0) - (spoken[b] ?? 0)
  );
  return first!;
}

/** Lets the moderator choose among all but the last speaker; an unreadable reply selects the next in order. */
function moderatorSelection(
  { moderator, task }: { readonly moderator: string; readonly task: string },
): SpeakerSelection {
  return amongOthers("moderator", function* (candidates, context) {
    const choice = yield* ask(speakerQuestion(candidates, context, { asked: moderator, task }));
    const chosen = fieldOf(choice.value, "speaker");
    return candidates.find(({ id }) => id === chosen)?.id ?? nextInOrder(context);
  });
}

function speakerQuestion(
  candidates: readonly Speaker[],
  context: SelectionContext,
  asked: { readonly asked: string; readonly task: string },
) {
  return choiceQuestion({
    key: `next-speaker/turn-${context.turn}`,
    ...placeOf(context),
    ...asked,
    kind: "next_speaker",
    schema: {
      name: "next_speaker",
      type: z.object({
        reason: z.string().default(""),
        speaker: z.enum(candidates.map(({ label }) => label)),
      }),
    },
    data: { labels: Object.fromEntries(candidates.map(({ id, label }) => [id, label])) },
    valueOf: (reply) => ({
      speaker: candidates.find(({ label }) => label === reply?.speaker)?.id ?? null,
    }),
    reasonsOf: ({ reason }) => reason,
  });
}
