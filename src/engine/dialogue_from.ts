// A dialogue made from a configuration.
import type { DialogueConfig } from "../config/convening_config.ts";
import { refuseContradictions } from "../config/contradictions.ts";
import { participantsFrom, withModerator } from "../core/participant.ts";
import { DialogueWorkflow } from "./dialogue_workflow.ts";
import type { HandedIn } from "./workflow_options.ts";
import { checkedOptions } from "./check_options.ts";

/** The dialogue a configuration describes; of two where it names none, with a moderator where one selects. */
export function dialogueFrom(config: DialogueConfig, handed: HandedIn): DialogueWorkflow<unknown> {
  const { topic, participants: given, moderatorModel, sources: _files, ...settings } = config;
  const { agentOf, ...options } = handed;
  refuseContradictions({ ...config });
  const speakers = participantsFrom(given ?? [{ name: "Ada" }, { name: "Ben" }], {
    moderatorModel,
  });
  const cast = config.select === "moderator"
    ? withModerator(speakers, { model: moderatorModel })
    : speakers;
  const participants = cast.map((each) => ({ ...each, agent: agentOf(each.id) }));
  return new DialogueWorkflow(topic, participants, checkedOptions({ ...settings, ...options }));
}
