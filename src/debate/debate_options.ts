// The options of a debate, from the interfaces of configurations, and their defaults.
import { standardsOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { Agent } from "../core/agent.ts";
import type {
  CommonConfig,
  DebateConfig,
  JudgeConfig,
  ListenerConfig,
} from "../config/convening_config.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";

/** The keys of a debate's own rules, as in the configuration. */
export type DebateKeys = Exclude<
  keyof DebateConfig,
  keyof CommonConfig | "kind" | "positions" | "moderatorModel" | "judges" | "rubric" | "audience"
>;

/**
 * Options of a debate. Defaults: see `DEBATE_DEFAULTS`; over them go the format's own, then the preset's, then what is
 * given. A preset's personas are for the advocates that have none.
 */
export interface DebateWorkflowConfig
  extends WorkflowOptions, Readonly<Pick<DebateConfig, DebateKeys | "rubric">> {
  /** Judges. @default one judge with the moderator's model, else the convening's */
  readonly judges?: readonly DebateJudge[] | undefined;
  /** Listeners that are asked for their stances before and after. @default none; five where the audience decides */
  readonly audience?: readonly DebateListener[] | undefined;
}

/** A judge of a debate, as a configuration has one, or with an agent. */
export interface DebateJudge extends Readonly<JudgeConfig> {
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
}

/** A listener of a debate, who is asked before and after. */
export interface DebateListener extends Readonly<ListenerConfig> {
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
}

/** The defaults of a debate (context-network/rules/debate.md). */
export const DEBATE_DEFAULTS: {
  readonly [
    K in Exclude<
      DebateKeys,
      "preset" | "summaryBy" | "scoreBy" | "judgeTemperature" | "noteModel" | "tiebreakModel"
    >
  ]: NonNullable<DebateConfig[K]>;
} = standardsOf(SETTINGS, "debate") as never;
