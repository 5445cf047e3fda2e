// The seam to speaker selections.
import type { Message } from "./message.ts";
import type { Protocol } from "./protocol.ts";

/** One who can be given the floor. */
export interface Speaker {
  /** The participant's id. */
  readonly id: string;
  /** As prompts name it; unique among the speakers. */
  readonly label: string;
  /** As readers see it. */
  readonly name: string;
}

/** State of a convening when the next speaker is chosen. */
export interface SelectionContext {
  /** Participants that take turns, in order; two or more. */
  readonly participants: readonly Speaker[];
  /** The turns so far, oldest first. */
  readonly said: readonly Message[];
  /** The number of the turn, from 1. */
  readonly turn: number;
}

/** Says who speaks next in a dialogue. */
export interface SpeakerSelection {
  /** snake_case or with `-`, for messages about it. */
  readonly name: string;
  /**
   * The id of the next speaker. Part of the protocol: a function of what it is given and of the answers to what it asks,
   * and nothing else; after an interruption it is played again. A question's key holds the turn's number.
   */
  next(context: SelectionContext): Protocol<string>;
}

/** The speaker after the last one, in order; the first where nobody has spoken. */
export function nextInOrder({ participants, said }: Omit<SelectionContext, "turn">): string {
  const last = said.at(-1)?.participant;
  const index = participants.findIndex(({ id }) => id === last);
  return participants[(index + 1) % participants.length]!.id;
}

/** Participants that may speak next: all but the last speaker. */
export function othersThanLast({ participants, said }: SelectionContext): readonly Speaker[] {
  return participants.filter(({ id }) => id !== said.at(-1)?.participant);
}

/** Number of turns of each participant, by id. */
export function spokenTurns(
  { participants, said }: SelectionContext,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    participants.map(({ id }) => [id, said.filter((each) => each.participant === id).length]),
  );
}
