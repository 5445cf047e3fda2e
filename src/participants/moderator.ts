import type { Agent } from "../core/agent.ts";
import { createParticipant, type Participant, type ParticipantOptions } from "./participant.ts";

/** The moderator of a debate: introduces, summarises each round and the whole, and does not decide. */
export function createDebateModerator(
  options: Partial<ParticipantOptions> = {},
  agent?: Agent,
): Participant {
  return createParticipant(
    { name: "Moderator", ...options, role: "moderator" },
    agent,
  );
}
