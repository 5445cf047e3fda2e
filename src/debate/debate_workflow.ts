// The workflow of debates.
import type { Protocol } from "../core/protocol.ts";
import type { ConveningResult } from "../core/event.ts";
import type { Participant } from "../core/participant.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import { drawSeed } from "../engine/start.ts";
import { designOf } from "./debate_design.ts";
import type { DebateWorkflowConfig } from "./debate_options.ts";
import { inCharacter, withPresetSettings } from "./preset.ts";
import { debate, type DebateOutcome, type DebateRules } from "./protocol.ts";
import { checkOptions, isChecked } from "../engine/check_options.ts";

/** Result of a debate. */
export type DebateWorkflowResult = ConveningResult<DebateOutcome>;

/** A debate: a moderator, two or more advocates, judges; its protocol reads like its sequence diagram. */
export class DebateWorkflow extends DialogueWorkflow<DebateOutcome> {
  readonly #rules: DebateRules;

  /** A debate that has not started. */
  constructor(
    topic: string,
    participants: readonly Participant[],
    config: DebateWorkflowConfig = {},
  ) {
    const seed = config.seed ?? drawSeed();
    // A checked configuration has its preset in it.
    const settled = isChecked(config) ? config : withPresetSettings(checkOptions("debate", config));
    const { rules, design, speakers } = designOf(topic.trim(), participants, { ...settled, seed });
    super(topic, inCharacter(speakers, settled.preset), {
      ...settled,
      seed,
      seedGiven: config.seedGiven ?? config.seed !== undefined,
      transcript: transcriptOf(settled),
      design,
    });
    this.#rules = rules;
  }

  /** A debate's turns, from the introduction to the summary. */
  protected override protocol(): Protocol<DebateOutcome> {
    return debate(this.#rules);
  }
}

const FORMS = { json: "json", markdown: "md", text: "txt" } as const;

/** The forms of the transcript that any of the settings asks for. */
function transcriptOf(
  { transcript, generateFullTranscript, outputFormat }: DebateWorkflowConfig,
): DebateWorkflowConfig["transcript"] {
  const more = [
    ...generateFullTranscript === true ? ["md" as const] : [],
    ...outputFormat === undefined ? [] : [FORMS[outputFormat]],
  ];
  return more.length === 0 ? transcript : [...new Set([...transcript ?? [], ...more])];
}
