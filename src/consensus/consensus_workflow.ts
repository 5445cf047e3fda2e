// The consensus workflow: made in code, or from a configuration.
import { checkArguments } from "../core/check_fields.ts";
import { checkerFrom } from "../checking/fact_checker.ts";
import type { CommonConfig, ConsensusConfig } from "../config/convening_config.ts";
import { defaultsOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { tokensFor } from "../core/profile.ts";
import { HUMAN } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import { capFor } from "../core/guard.ts";
import { fillTemplate, labelsOf } from "../core/prompt.ts";
import type { Protocol } from "../core/protocol.ts";
import type { ConveningResult } from "../core/event.ts";
import { counted, percentText } from "../core/text.ts";
import { fieldOf } from "../core/turn.ts";
import { defined } from "../core/values.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import { type Participant, participantsFrom, withModerator } from "../core/participant.ts";
import type { HandedIn, WorkflowDesign, WorkflowOptions } from "../engine/workflow_options.ts";
import { checkOptions, markChecked } from "../engine/casting.ts";
import { templatesWith } from "../checking/questions.ts";
import {
  consensus,
  CONSENSUS_TEMPLATES,
  type ConsensusOutcome,
  type ConsensusRules,
} from "./protocol.ts";

/** Result of a consensus dialogue. */
export type ConsensusWorkflowResult = ConveningResult<ConsensusOutcome>;

/** A consensus dialogue of two or more participants and a moderator, created if missing; `maxTurns` is 40 by default. */
export class ConsensusWorkflow extends DialogueWorkflow<ConsensusOutcome> {
  readonly #rules: ConsensusRules;

  /** Creates a consensus dialogue; it starts with `run` or `stream`. */
  constructor(topic: string, participants: readonly Participant[], options: ConsensusOptions = {}) {
    checkArguments(new.target.name, { topic, participants });
    checkOptions("consensus", options, topic);
    const cast = castOf(participants, options);
    const { moderatorModel: _, ...settings } = options;
    const rules = rulesOf(topic.trim(), cast, options);
    super(topic, cast, {
      ...settings,
      limits: { ...options.limits, maxTurns: options.limits?.maxTurns ?? CONSENSUS_MAX_TURNS },
      design: { ...designOf(rules, cast, options), ...options.design },
    });
    this.#rules = rules;
  }

  /** Returns the protocol of the dialogue. */
  protected override protocol(): Protocol<ConsensusOutcome> {
    return consensus(this.#rules);
  }
}

/** Returns the cast with a moderator. Throws a `ConfigurationError` for several moderators or fewer than two others. */
function castOf(
  participants: readonly Participant[],
  { model, moderatorModel }: ConsensusOptions,
): readonly Participant[] {
  const { speakers } = checkerFrom(participants);
  const moderators = speakers.filter(({ role }) => role === "moderator").length;
  const others = speakers.length - moderators;
  if (moderators > 1 || others < 2) {
    const given = `${counted(moderators, "moderator")} and ${counted(others, "other participant")}`;
    throw new ConfigurationError(`Cannot seek consensus with ${given}`, {
      field: "participants",
      hint: "Give two or more participants, and at most one of the role moderator.",
    });
  }
  const named = moderatorModel ?? model;
  if (named !== undefined) return withModerator(participants, { model: named });
  const like = speakers.find((each) => (each.agent?.model ?? each.model) !== HUMAN);
  return withModerator(participants, { model: like?.model, agent: like?.agent });
}

function rulesOf(
  topic: string,
  cast: readonly Participant[],
  options: ConsensusOptions,
): ConsensusRules {
  const { threshold, stableTurns, maxTokensPerTurn } = keysOf(options);
  const labels = labelsIn(cast, options);
  const others = checkerFrom(cast).speakers.filter(({ role }) => role !== "moderator");
  return {
    topic,
    moderator: cast.find(({ role }) => role === "moderator")!.id,
    participants: others.map(({ id }) => ({ id, label: labels.get(id)! })),
    people: new Set(
      others.filter(({ agent, model }) => (agent?.model ?? model ?? options.model) === HUMAN)
        .map(({ id }) => id),
    ),
    threshold,
    stableTurns,
    caps: { statement: capFor(options.words, maxTokensPerTurn), summary: tokensFor("summary") },
    templates: templatesWith(CONSENSUS_TEMPLATES, options.prompts),
  };
}

function designOf(
  { templates, moderator, caps, threshold, stableTurns }: ConsensusRules,
  cast: readonly Participant[],
  options: ConsensusOptions,
): WorkflowDesign {
  return {
    kind: "consensus",
    rules: fillTemplate(templates.rules, {
      count: percentText(threshold),
      turns: counted(stableTurns, "turn"),
    }),
    roles: { participant: templates.participant, moderator: templates.moderator },
    labels: labelsIn(cast, options),
    endReason: (value) =>
      (["consensus", "impasse"] as const).find((each) => each === fieldOf(value, "endReason")),
    summariser: { id: moderator, task: templates.earlySummary, maxTokens: caps.summary },
    expectedMessages: options.limits?.maxTurns ?? CONSENSUS_MAX_TURNS,
    wordedKinds: ["statement"],
    configuration: keysOf(options),
  };
}

function keysOf(
  { threshold, stableTurns, maxTokensPerTurn }: ConsensusOptions,
): typeof CONSENSUS_DEFAULTS {
  return { ...CONSENSUS_DEFAULTS, ...defined({ threshold, stableTurns, maxTokensPerTurn }) };
}

function labelsIn(
  cast: readonly Participant[],
  options: ConsensusOptions,
): ReadonlyMap<string, string> {
  return labelsOf(
    checkerFrom(cast).speakers.map((each) => ({
      ...each,
      model: each.agent?.model ?? each.model ?? options.model,
    })),
  );
}

/** Configuration keys for the rules of a consensus dialogue. */
export type ConsensusKeys = Exclude<
  keyof ConsensusConfig,
  keyof CommonConfig | "kind" | "moderatorModel"
>;

/** Options of a consensus dialogue. Defaults: see `CONSENSUS_DEFAULTS`. */
export interface ConsensusOptions
  extends WorkflowOptions, Readonly<Pick<ConsensusConfig, ConsensusKeys>> {
  /** Model of a created moderator. @default the convening's, or the model of the first participant that is no person */
  readonly moderatorModel?: string | undefined;
}

/** Defaults of a consensus dialogue (context-network/rules/dialogue_and_consensus.md). */
export const CONSENSUS_DEFAULTS: { readonly [K in ConsensusKeys]: number } = defaultsOf(
  SETTINGS,
  "consensus",
) as never;

/** Default of `limits.maxTurns`, which ends a discussion without consensus or impasse. */
const CONSENSUS_MAX_TURNS = 40;

/** Creates the consensus dialogue of a configuration, with three default participants if none are configured. */
export function consensusFrom(config: ConsensusConfig, handed: HandedIn): ConsensusWorkflow {
  const { topic, participants: given, sources: _files, ...settings } = config;
  const { agentOf, ...options } = handed;
  const { moderatorModel: model } = config;
  const defaults = [{ name: "Ada" }, { name: "Ben" }, { name: "Cleo" }];
  const participants = participantsFrom(given ?? defaults, { moderatorModel: model });
  const like = participants.find((each) => each.model !== HUMAN);
  const cast = withModerator(participants, { model: model ?? config.model ?? like?.model })
    .map((each) => ({ ...each, agent: agentOf(each.id) }));
  return new ConsensusWorkflow(topic, cast, markChecked({ ...settings, ...options }));
}
