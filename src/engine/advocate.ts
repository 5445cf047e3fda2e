import type { Agent } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import { createParticipant, type Participant, type ParticipantOptions } from "./participant.ts";

/** One who takes part in a debate: an advocate with a position, a moderator, a judge. */
export type DebateParticipant = Participant;

/** A participant of a debate; the role `position_advocate` (the default) needs a position. */
export function createDebateParticipant(
  options: ParticipantOptions,
  agent?: Agent,
): DebateParticipant {
  const { role = "position_advocate" } = options;
  if (role === "position_advocate" && options.position === undefined) {
    throw new ConfigurationError(
      `Cannot create advocate "${options.name}": it has no position`,
      {
        field: "position",
        hint: "Say what the advocate stands for.",
      },
    );
  }
  return createParticipant({ ...options, role }, agent);
}
