import { HUMAN } from "../core/agent.ts";
import type { ConsensusConfig } from "../config/config.ts";
import { atParticipant, createParticipant, withModerator } from "../engine/participant.ts";
import type { HandedIn } from "../engine/workflow_options.ts";
import { ConsensusWorkflow } from "./consensus_workflow.ts";

/** The consensus dialogue a configuration describes; of three where it names none. */
export function consensusFrom(config: ConsensusConfig, handed: HandedIn): ConsensusWorkflow {
  const { topic, participants: given, sources: _files, ...settings } = config;
  const { agentOf, ...options } = handed;
  const { moderatorModel: model } = config;
  const participants = (given ?? [{ name: "Ada" }, { name: "Ben" }, { name: "Cleo" }])
    .map((each, index) =>
      atParticipant(index, () =>
        createParticipant({
          ...each,
          agentConfig: each.role === "moderator" ? { ...each, model: each.model ?? model } : each,
        }))
    );
  const like = participants.find((each) => each.model !== HUMAN);
  const cast = withModerator(participants, { model: model ?? config.model ?? like?.model })
    .map((each) => ({ ...each, agent: agentOf(each.id) }));
  return new ConsensusWorkflow(topic, cast, { ...settings, ...options });
}
