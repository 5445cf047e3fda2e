import type { DialogueConfig } from "../core/config.ts";
import { createParticipant } from "../participants/participant.ts";
import { DialogueWorkflow } from "./dialogue_workflow.ts";
import type { HandedIn } from "./workflow_options.ts";

/** The dialogue a configuration describes; of two where it names none. */
export function dialogueFrom(config: DialogueConfig, handed: HandedIn): DialogueWorkflow<unknown> {
  const { topic, participants: given, sources: _files, ...settings } = config;
  const { agentOf, ...options } = handed;
  const participants = (given ?? [{ name: "Ada" }, { name: "Ben" }]).map((each) => {
    const participant = createParticipant({ ...each, agentConfig: each });
    return { ...participant, agent: agentOf(participant.id) };
  });
  return new DialogueWorkflow(topic, participants, { ...settings, ...options });
}
