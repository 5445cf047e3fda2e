import { standardsOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { Agent } from "../core/agent.ts";
import type { DebateConfig, FactCheckConfig } from "../config/convening_config.ts";
import type { Rubric } from "../judging/scoring.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";

/** The keys of a debate's own rules, as in the configuration. */
export type DebateKeys =
  | "preset"
  | "debateFormat"
  | "exchange"
  | "openings"
  | "closings"
  | "turnForm"
  | "summaryBy"
  | "interruptions"
  | "adaptive"
  | "decision"
  | "baseline"
  | "roundCount"
  | "openingStatementMaxTokens"
  | "argumentMaxTokens"
  | "closingStatementMaxTokens"
  | "summaryMaxTokens"
  | "roundSummaries"
  | "blindOpenings"
  | "pacing"
  | "closingOrder"
  | "moderation"
  | "scoringEnabled"
  | "generateFullTranscript"
  | "judgeTemperature";

/**
 * Options of a debate. Defaults: see `DEBATE_DEFAULTS`; over them go the format's own, then the preset's, then what is
 * given. A preset's personas are for the advocates that have none.
 */
export interface DebateWorkflowConfig
  extends WorkflowOptions, Readonly<Pick<DebateConfig, DebateKeys>> {
  /** Who judges. @default one judge with the moderator's model, else the convening's */
  readonly judges?: readonly DebateJudge[] | undefined;
  /** What judges score by: a built-in rubric's id, or a rubric. @default the format's */
  readonly rubric?: string | Rubric | undefined;
  /** Those whose stances are asked before and after. @default none; five where the audience decides */
  readonly audience?: readonly DebateListener[] | undefined;
  /** Whether and how claims are checked. @default off */
  readonly factCheck?: FactCheckConfig | undefined;
}

/** One who judges a debate; what is left out goes without saying. */
export interface DebateJudge {
  /** Unique among participants and judges. @default "judge", of several "judge-1" and so on */
  readonly id?: string | undefined;
  /** As readers see it. */
  readonly name?: string | undefined;
  /** The name of its model. */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
  /** 0 to 2. @default the convening's `judgeTemperature` */
  readonly temperature?: number | undefined;
  /** What it scores by: a built-in rubric's id, or a rubric. @default the debate's `rubric` */
  readonly rubric?: string | Rubric | undefined;
}

/** One who listens to a debate, and is asked before and after. */
export interface DebateListener {
  /** As readers see it. @default "Listener 1" and so on */
  readonly name?: string | undefined;
  /** The name of its model. @default the first judge's */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
  /** Who it is, as text for the prompt. */
  readonly persona?: string | undefined;
}

/** The defaults of a debate (context-network/rules/debate.md). */
export const DEBATE_DEFAULTS: {
  readonly [K in Exclude<DebateKeys, "preset" | "summaryBy" | "judgeTemperature">]: NonNullable<
    DebateConfig[K]
  >;
} = standardsOf(SETTINGS, "debate") as never;
