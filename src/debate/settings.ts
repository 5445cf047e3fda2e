// Options of a debate, and settings with defaults.
import { defaultsOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { Agent } from "../core/agent.ts";
import type {
  CommonConfig,
  DebateConfig,
  JudgeConfig,
  ListenerConfig,
} from "../config/convening_config.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { type CastFacts, refuseContradictions } from "../config/config.ts";
import { defined } from "../core/values.ts";
import { capFor } from "../core/guard.ts";
import { FORMATS, PRESETS } from "./formats.ts";
import type { DebateRules } from "./rules.ts";

/** Configuration keys for the rules of a debate. */
export type DebateKeys = Exclude<
  keyof DebateConfig,
  keyof CommonConfig | "kind" | "positions" | "moderatorModel" | "judges" | "rubric" | "audience"
>;

/**
 * Options of a debate. Values override the preset's, those override the format's, and those override `DEBATE_DEFAULTS`.
 * Advocates without a persona get the preset's.
 */
export interface DebateWorkflowConfig
  extends WorkflowOptions, Readonly<Pick<DebateConfig, DebateKeys | "rubric">> {
  /** Judges. @default one judge with the moderator's model, or the convening's without a moderator */
  readonly judges?: readonly DebateJudge[] | undefined;
  /** Listeners, asked for their stances before and after the debate. @default none; five if the audience decides */
  readonly audience?: readonly DebateListener[] | undefined;
}

/** A judge of a debate, with a model or an agent. */
export interface DebateJudge extends Readonly<JudgeConfig> {
  /** Agent of the judge, instead of `model`. */
  readonly agent?: Agent | undefined;
}

/** A listener of a debate, with a model or an agent. */
export interface DebateListener extends Readonly<ListenerConfig> {
  /** Agent of the listener, instead of `model`. */
  readonly agent?: Agent | undefined;
}

/** Defaults of a debate (context-network/rules/debate.md). */
export const DEBATE_DEFAULTS: {
  readonly [
    K in Exclude<
      DebateKeys,
      "preset" | "summaryBy" | "scoreBy" | "judgeTemperature" | "noteModel" | "tiebreakModel"
    >
  ]: NonNullable<DebateConfig[K]>;
} = defaultsOf(SETTINGS, "debate") as never;

/** Settings of a debate with defaults. */
export type DebateSettings =
  & Omit<DebateWorkflowConfig, keyof typeof DEBATE_DEFAULTS | "summaryBy">
  & {
    readonly [K in keyof typeof DEBATE_DEFAULTS | "summaryBy"]: NonNullable<DebateConfig[K]>;
  };

/** Returns the settings with the debate's and the format's defaults. Throws a `ConfigurationError` for contradictions. */
export function settingsOf(
  config: DebateWorkflowConfig,
  present: Pick<CastFacts, "hasModerator" | "checksFacts">,
): DebateSettings {
  const given = defined(config);
  const { debateFormat = DEBATE_DEFAULTS.debateFormat, exchange = "rebuttals" } = given;
  const settings = withWords({
    summaryBy: present.hasModerator ? "moderator" : "none",
    ...DEBATE_DEFAULTS,
    // Round summaries would follow every single turn, or precede every round introduction.
    ...(exchange === "rebuttals" || exchange === "clash" ? {} : { roundSummaries: false }),
    ...FORMATS[debateFormat].defaults,
    ...given,
  } as DebateSettings);
  const { preset } = settings;
  const presetRubric = preset && PRESETS[preset].settings.rubric;
  refuseContradictions({ ...settings, kind: "debate", positions: undefined }, {
    ...present,
    presetRubric,
  });
  return settings;
}

/** Returns the reasons to interrupt; `format` is replaced by the format's reasons, without `facts` if no claims are checked. */
export function interruptionsOf(
  { interruptions, debateFormat }: Pick<DebateSettings, "interruptions" | "debateFormat">,
  { checksFacts }: Pick<CastFacts, "checksFacts">,
): NonNullable<DebateRules["interruptions"]> {
  if (interruptions !== "format") return interruptions;
  const wanted = FORMATS[debateFormat].interruptions;
  return checksFacts ? wanted : wanted === "both" ? "rules" : "none";
}

/** Raises the token caps of the advocates' turns to at least twice the maximum number of words. */
function withWords(settings: DebateSettings): DebateSettings {
  const { words, openingStatementMaxTokens, argumentMaxTokens, closingStatementMaxTokens } =
    settings;
  return {
    ...settings,
    openingStatementMaxTokens: capFor(words, openingStatementMaxTokens),
    argumentMaxTokens: capFor(words, argumentMaxTokens),
    closingStatementMaxTokens: capFor(words, closingStatementMaxTokens),
  };
}
