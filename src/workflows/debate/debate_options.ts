import type { Agent } from "../../core/agent.ts";
import type { DebateConfig } from "../../core/config.ts";
import type { WorkflowOptions } from "../workflow_options.ts";

/** The keys of a debate's own rules, as in the configuration. */
export type DebateKeys =
  | "debateFormat"
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

/** Options of a debate. Defaults: see `DEBATE_DEFAULTS`. */
export interface DebateWorkflowConfig
  extends WorkflowOptions, Readonly<Pick<DebateConfig, DebateKeys>> {
  /** Who judges. @default one judge with the moderator's model, else the convening's */
  readonly judges?: readonly DebateJudge[] | undefined;
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
  /** What it scores by. */
  readonly rubric?: "debate" | undefined;
}

/** What a debate is unless it is told otherwise (protocols.md, "Debate"). */
export const DEBATE_DEFAULTS = {
  debateFormat: "formal",
  roundCount: 3,
  openingStatementMaxTokens: 300,
  argumentMaxTokens: 250,
  closingStatementMaxTokens: 350,
  summaryMaxTokens: 400,
  roundSummaries: true,
  blindOpenings: true,
  pacing: "sequential",
  closingOrder: "opening",
  moderation: "template",
  scoringEnabled: true,
  generateFullTranscript: false,
} as const satisfies Pick<DebateConfig, DebateKeys>;
