import type { ConsensusConfig } from "../config/convening_config.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";

/** The keys of a consensus dialogue's own rules, as in the configuration. */
export type ConsensusKeys = "threshold" | "stableTurns" | "maxTokensPerTurn";

/** Options of a consensus dialogue. Defaults: see `CONSENSUS_DEFAULTS`. */
export interface ConsensusOptions
  extends WorkflowOptions, Readonly<Pick<ConsensusConfig, ConsensusKeys>> {
  /** The model of a moderator that is made where none takes part. @default the convening's, else the first participant's */
  readonly moderatorModel?: string | undefined;
}

/** What a consensus dialogue is unless it is told otherwise (context-network/rules/dialogue_and_consensus.md). */
export const CONSENSUS_DEFAULTS = {
  threshold: 0.8,
  stableTurns: 3,
  maxTokensPerTurn: 250,
} as const satisfies Pick<ConsensusConfig, ConsensusKeys>;

/** The limit on turns where none is set: a discussion that neither agrees nor rests ends all the same. */
export const CONSENSUS_MAX_TURNS = 40;
