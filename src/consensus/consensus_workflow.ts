import { HUMAN } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import type { EndReason } from "../core/fact.ts";
import { capFor } from "../core/guard.ts";
import { labelsOf, mergeTemplates } from "../core/prompt.ts";
import type { Protocol } from "../core/protocol.ts";
import type { ConveningResult } from "../core/result.ts";
import { type Participant, withModerator } from "../engine/participant.ts";
import { fieldOf } from "../engine/choice_question.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import { checkerFrom } from "../engine/fact_check_design.ts";
import { FACT_CHECK_TEMPLATES } from "../checking/prompts.ts";
import type { WorkflowDesign } from "../engine/workflow_options.ts";
import {
  CONSENSUS_DEFAULTS,
  CONSENSUS_MAX_TURNS,
  type ConsensusOptions,
} from "./consensus_options.ts";
import { CONSENSUS_TEMPLATES, type ConsensusTemplates } from "./prompts.ts";
import { consensus, type ConsensusOutcome, type ConsensusRules } from "./protocol.ts";

/** What a consensus dialogue comes to. */
export type ConsensusWorkflowResult = ConveningResult<ConsensusOutcome>;

/** The most tokens of the moderator's summary. */
const SUMMARY_TOKENS = 400;

/**
 * A search for consensus: two or more participants, and a moderator, who is made where none is given. Without a limit on
 * turns it ends after 40.
 */
export class ConsensusWorkflow extends DialogueWorkflow<ConsensusOutcome> {
  readonly #rules: ConsensusRules;

  /** A consensus dialogue that has not started. */
  constructor(
    topic: string,
    participants: readonly Participant[],
    options: ConsensusOptions = {},
  ) {
    const cast = castOf(participants, options);
    const { moderatorModel: _, ...settings } = options;
    const rules = rulesOf(topic.trim(), cast, options);
    super(topic, cast, {
      ...settings,
      limits: { ...options.limits, maxTurns: options.limits?.maxTurns ?? CONSENSUS_MAX_TURNS },
      design: designOf(rules, cast, options),
    });
    this.#rules = rules;
  }

  /** Proposals, turns with stances, a summary. */
  protected override protocol(): Protocol<ConsensusOutcome> {
    return consensus(this.#rules);
  }
}

/** The participants with one moderator; refused unless two or more others take part. */
function castOf(
  participants: readonly Participant[],
  { model, moderatorModel }: ConsensusOptions,
): readonly Participant[] {
  const { speakers } = checkerFrom(participants);
  const moderators = speakers.filter(({ role }) => role === "moderator").length;
  const others = speakers.length - moderators;
  if (moderators > 1 || others < 2) {
    throw new ConfigurationError(
      `Cannot seek consensus with ${moderators} moderators and ${others} other participants`,
      {
        field: "participants",
        hint: "Give two or more participants, and at most one of the role moderator.",
      },
    );
  }
  const usual = moderatorModel ?? model;
  if (usual !== undefined) return withModerator(participants, { model: usual });
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
    threshold: checked(threshold, "threshold", { least: 0, most: 1 }),
    stableTurns: checked(stableTurns, "stableTurns", { least: 1, most: 1000 }),
    caps: { statement: capFor(options.words, maxTokensPerTurn), summary: SUMMARY_TOKENS },
    templates: templatesOf(options),
  };
}

/** Its own texts; those of fact checking are not its own. */
function templatesOf({ prompts = {} }: ConsensusOptions): ConsensusTemplates {
  const own = Object.entries(prompts).filter(([name]) =>
    !Object.hasOwn(FACT_CHECK_TEMPLATES, name)
  );
  return mergeTemplates(CONSENSUS_TEMPLATES, Object.fromEntries(own));
}

function designOf(
  { templates, moderator, caps }: ConsensusRules,
  cast: readonly Participant[],
  options: ConsensusOptions,
): WorkflowDesign {
  return {
    kind: "consensus",
    rules: templates.rules,
    roles: { participant: templates.participant, moderator: templates.moderator },
    labels: labelsIn(cast, options),
    endReason: reasonOf,
    summariser: { id: moderator, task: templates.earlySummary, maxTokens: caps.summary },
    expectedMessages: options.limits?.maxTurns ?? CONSENSUS_MAX_TURNS,
    wordsApply: ({ kind }) => kind === "statement",
    configuration: keysOf(options),
  };
}

function keysOf(
  {
    threshold = CONSENSUS_DEFAULTS.threshold,
    stableTurns = CONSENSUS_DEFAULTS.stableTurns,
    maxTokensPerTurn = CONSENSUS_DEFAULTS.maxTokensPerTurn,
  }: ConsensusOptions,
): { readonly [K in keyof typeof CONSENSUS_DEFAULTS]: number } {
  return { threshold, stableTurns, maxTokensPerTurn };
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

function checked(
  value: number,
  key: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  if (value >= least && value <= most && (most === 1 || Number.isInteger(value))) return value;
  throw new ConfigurationError(`Cannot use ${key}: ${value} is not allowed`, {
    field: key,
    hint: `Allowed: ${most === 1 ? "numbers" : "whole numbers"} from ${least} to ${most}`,
  });
}

function reasonOf(value: unknown): EndReason | undefined {
  const reason = fieldOf(value, "endReason");
  return reason === "consensus" || reason === "impasse" ? reason : undefined;
}
