import type { DialogueConfig } from "../../config/convening_config.ts";
import { ConfigurationError } from "../../core/error.ts";
import { nextInOrder, type SpeakerSelection } from "../../core/selection.ts";
import type { Participant } from "../participant.ts";
import { bidSelection } from "./bids.ts";
import { moderatorSelection } from "./moderator_choice.ts";

/** How the next speaker is chosen: by name, or by an instance of one's own. */
export type Selecting = NonNullable<DialogueConfig["select"]> | SpeakerSelection;

/** Who takes turns, and what says whose turn it is. */
export interface Selected {
  /** Those who take turns: all, but for the moderator where it selects. */
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

/** What a way of selecting means for these participants; refused where a moderator is to select and there is none. */
export function selectionOf(
  select: Selecting,
  participants: readonly Participant[],
  templates: { readonly bid: string; readonly nextSpeaker: string },
): Selected {
  if (typeof select === "object") return { speakers: participants, selection: select };
  if (select === "round-robin") return { speakers: participants, selection: ROUND_ROBIN };
  if (select === "bids") {
    return { speakers: participants, selection: bidSelection(templates.bid) };
  }
  const moderators = participants.filter(({ role }) => role === "moderator");
  const speakers = participants.filter(({ role }) => role !== "moderator");
  const [moderator] = moderators;
  if (moderator === undefined || moderators.length > 1 || speakers.length < 2) {
    throw new ConfigurationError(
      `Cannot have the moderator select: there are ${moderators.length} moderators and ${speakers.length} others`,
      {
        field: "select",
        hint: "Give one participant the role moderator, beside two or more others.",
      },
    );
  }
  return {
    speakers,
    selection: moderatorSelection({ moderator: moderator.id, task: templates.nextSpeaker }),
  };
}
