import { standardsOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { CommonConfig, ConsensusConfig } from "../config/convening_config.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";

/** The keys of a consensus dialogue's own rules, as in the configuration. */
export type ConsensusKeys = Exclude<
  keyof ConsensusConfig,
  keyof CommonConfig | "kind" | "moderatorModel"
>;

/** Options of a consensus dialogue. Defaults: see `CONSENSUS_DEFAULTS`. */
export interface ConsensusOptions
  extends WorkflowOptions, Readonly<Pick<ConsensusConfig, ConsensusKeys>> {
  /** The model of a moderator that is made where none takes part. @default the convening's, else the first participant's */
  readonly moderatorModel?: string | undefined;
}

/** The defaults of a consensus dialogue (context-network/rules/dialogue_and_consensus.md). */
export const CONSENSUS_DEFAULTS: { readonly [K in ConsensusKeys]: number } = standardsOf(
  SETTINGS,
  "consensus",
) as never;

/** The limit on turns where none is set: a discussion that neither agrees nor rests ends all the same. */
export const CONSENSUS_MAX_TURNS = 40;
