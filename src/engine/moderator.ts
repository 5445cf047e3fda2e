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

/** The participants with a moderator first, made with `model` where they have none; its name and id are free ones. */
export function withModerator(
  participants: readonly Participant[],
  { model, agent }: Pick<Participant, "model" | "agent">,
): readonly Participant[] {
  if (participants.some(({ role }) => role === "moderator")) return participants;
  const taken = (value: string) =>
    participants.some(({ id, name }) =>
      id.toLowerCase() === value.toLowerCase() || name.toLowerCase() === value.toLowerCase()
    );
  const name = ["Moderator", "The Moderator"].find((each) => !taken(each)) ?? "The Chair";
  const id = ["moderator", "the-moderator"].find((each) => !taken(each)) ?? "the-chair";
  return [createDebateModerator({ name, agentConfig: { id, model } }, agent), ...participants];
}
