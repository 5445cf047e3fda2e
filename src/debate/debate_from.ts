// A debate made from a configuration.
import { refuseContradictions } from "../config/contradictions.ts";
import type { Agent } from "../core/agent.ts";
import type { DebateConfig } from "../config/convening_config.ts";
import { letters } from "../core/prompt.ts";
import { checkTopic, checkWords } from "../core/topic.ts";
import {
  ADVOCATE,
  createDebateModerator,
  createDebateParticipant,
  createParticipant,
  MODERATOR,
  type Participant,
  type ParticipantOptions,
  participantsFrom,
} from "../core/participant.ts";
import type { HandedIn } from "../engine/workflow_options.ts";
import type { DebateJudge } from "./debate_options.ts";
import { DebateWorkflow } from "./debate_workflow.ts";
import { defaultPositions } from "./positions.ts";
import { withPreset } from "./preset.ts";
import { checkedOptions } from "../engine/check_options.ts";
import { FACT_CHECKER } from "../checking/fact_checker.ts";

/** The debate a configuration describes; what it leaves out goes without saying. */
export function debateFrom(given: DebateConfig, handed: HandedIn): DebateWorkflow {
  // Before the positions that are made of it.
  checkTopic(given.topic, given);
  const config = withPreset(given);
  const { topic, participants: _given, positions: _positions, sources: _files, ...settings } =
    config;
  const { agentOf, ...options } = handed;
  const participants = castOf(config).map((each) => ({ ...each, agent: agentOf(each.id) }));
  const judges = config.judges?.map((judge, index, { length }) => ({
    ...judge,
    agent: agentOf(judge.id ?? (length === 1 ? "judge" : `judge-${index + 1}`)),
  }));
  const audience = config.audience?.map((listener, index) => ({
    ...listener,
    agent: agentOf(`listener-${index + 1}`),
  }));
  const made = {
    ...settings,
    ...options,
    judges: judges ?? judgeOf(config, agentOf("judge")),
    audience,
  };
  return new DebateWorkflow(topic, participants, checkedOptions(made));
}

/** The judge that only an agent was handed in for; nobody judges without scores. */
function judgeOf(
  { scoringEnabled = true }: DebateConfig,
  agent: Agent | undefined,
): DebateJudge[] | undefined {
  return scoringEnabled && agent !== undefined ? [{ agent }] : undefined;
}

/** The participants a configuration names, with a moderator and positions where it names none. */
function castOf(config: DebateConfig): Participant[] {
  const { participants, positions, moderatorModel, moderation, topic } = config;
  refuseContradictions({ ...config });
  const moderators = moderation === "none"
    ? []
    : [createDebateModerator({ agentConfig: { id: "moderator", model: moderatorModel } })];
  if (participants === undefined) {
    return [...moderators, ...advocatesFor(positions ?? defaultPositions(topic))];
  }
  const advocates = participants.filter(({ role = ADVOCATE }) => role === ADVOCATE);
  const usual = advocates.length === 2 ? defaultPositions(topic) : [];
  const placed = participants.map((each) => ({
    ...each,
    position: each.position ?? usual[advocates.indexOf(each)],
  }));
  const cast = participantsFrom(placed, { moderatorModel, make: participantOf });
  const others = participants.some(({ role = ADVOCATE }) =>
    role !== ADVOCATE && role !== FACT_CHECKER
  );
  return others ? cast : [...moderators, ...cast];
}

function participantOf(options: ParticipantOptions): Participant {
  const { role = ADVOCATE } = options;
  if (role === MODERATOR) return createDebateModerator(options);
  return role === ADVOCATE ? createDebateParticipant(options) : createParticipant(options);
}

function advocatesFor(positions: readonly string[]): Participant[] {
  return positions.map((position, index) =>
    createDebateParticipant({
      name: `Advocate ${letters(index)}`,
      position: checkWords(position, `positions.${index}`),
      agentConfig: { id: `advocate-${letters(index).toLowerCase()}` },
    })
  );
}
