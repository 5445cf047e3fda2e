// The debate workflow: made in code, or from a configuration.
import { checkArguments } from "../core/check_fields.ts";
import type { Protocol } from "../core/protocol.ts";
import type { ConveningResult } from "../core/event.ts";
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
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import { drawSeed } from "../engine/start.ts";
import type { HandedIn } from "../engine/workflow_options.ts";
import { checkOptions, isChecked, markChecked } from "../engine/casting.ts";
import { refuseContradictions } from "../config/config.ts";
import type { DebateConfig, JudgeConfig } from "../config/convening_config.ts";
import { letters } from "../core/prompt.ts";
import { checkTopic, checkWords } from "../core/topic.ts";
import { FACT_CHECKER } from "../checking/fact_checker.ts";
import { designOf } from "./debate_design.ts";
import type { DebateWorkflowConfig } from "./settings.ts";
import { defaultPositions, inCharacter, withPreset, withPresetSettings } from "./formats.ts";
import { debate } from "./protocol.ts";
import type { DebateOutcome, DebateRules } from "./rules.ts";

/** Result of a debate. */
export type DebateWorkflowResult = ConveningResult<DebateOutcome>;

/** A debate of two or more advocates, with an optional moderator and judges. */
export class DebateWorkflow extends DialogueWorkflow<DebateOutcome> {
  readonly #rules: DebateRules;

  /** Creates a debate; it starts with `run` or `stream`. */
  constructor(
    topic: string,
    participants: readonly Participant[],
    config: DebateWorkflowConfig = {},
  ) {
    checkArguments(new.target.name, { topic, participants });
    const seed = config.seed ?? drawSeed();
    // A checked configuration already contains the settings of its preset.
    const settings = isChecked(config)
      ? config
      : withPresetSettings(checkOptions("debate", config, topic));
    const { rules, design, speakers } = designOf(topic.trim(), participants, { ...settings, seed });
    super(topic, inCharacter(speakers, settings.preset), {
      ...settings,
      seed,
      seedGiven: config.seedGiven ?? config.seed !== undefined,
      transcript: transcriptOf(settings),
      design: { ...design, ...settings.design },
    });
    this.#rules = rules;
  }

  /** Returns the protocol of the debate. */
  protected override protocol(): Protocol<DebateOutcome> {
    return debate(this.#rules);
  }
}

const FORMS = { json: "json", markdown: "md", text: "txt" } as const;

/** Returns the transcript formats requested by any of the three settings. */
function transcriptOf(
  { transcript, generateFullTranscript, outputFormat }: DebateWorkflowConfig,
): DebateWorkflowConfig["transcript"] {
  const more = [
    ...generateFullTranscript === true ? ["md" as const] : [],
    ...outputFormat === undefined ? [] : [FORMS[outputFormat]],
  ];
  return more.length === 0 ? transcript : [...new Set([...transcript ?? [], ...more])];
}

/** Creates the debate of a configuration, with defaults for missing keys. */
export function debateFrom(configured: DebateConfig, handed: HandedIn): DebateWorkflow {
  // Checked before default positions are made from the topic.
  checkTopic(configured.topic, configured);
  const config = withPreset(configured);
  const { topic, participants: _people, positions: _positions, sources: _files, ...settings } =
    config;
  const { agentOf, ...options } = handed;
  const participants = castOf(config).map((each) => ({ ...each, agent: agentOf(each.id) }));
  const { scoringEnabled = true, judges = scoringEnabled ? [{}] : undefined } = config;
  const all = {
    ...settings,
    ...options,
    judges: judges?.map((judge: JudgeConfig, index, { length }) => ({
      ...judge,
      agent: agentOf(judge.id ?? (length === 1 ? "judge" : `judge-${index + 1}`)),
    })),
    audience: config.audience?.map((listener, index) => ({
      ...listener,
      agent: agentOf(`listener-${index + 1}`),
    })),
  };
  return new DebateWorkflow(topic, participants, markChecked(all));
}

/** Returns the configured participants, with a default moderator and default positions where they are missing. */
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
  const defaults = advocates.length === 2 ? defaultPositions(topic) : [];
  const placed = participants.map((each) => ({
    ...each,
    position: each.position ?? defaults[advocates.indexOf(each)],
  }));
  const cast = participantsFrom(placed, { moderatorModel, make: participantOf });
  const hasOthers = participants.some(({ role = ADVOCATE }) =>
    role !== ADVOCATE && role !== FACT_CHECKER
  );
  return hasOthers ? cast : [...moderators, ...cast];
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
