// The options of a debate, and its settings with defaults filled in.
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
import { type Present, refuseContradictions } from "../config/config.ts";
import { defined } from "../core/values.ts";
import { capFor } from "../core/guard.ts";
import { FORMATS } from "./formats.ts";
import { presetNamed } from "./preset.ts";
import type { DebateRules } from "./rules.ts";

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

/** A debate's settings with the defaults filled in. */
export type DebateSettings =
  & Omit<DebateWorkflowConfig, keyof typeof DEBATE_DEFAULTS | "summaryBy">
  & {
    readonly [K in keyof typeof DEBATE_DEFAULTS | "summaryBy"]: NonNullable<DebateConfig[K]>;
  };

/** Settings with defaults: over the debate's defaults go the format's, the preset's, and what is given. */
export function settingsOf(
  config: DebateWorkflowConfig,
  present: Pick<Present, "hasModerator" | "checksFacts">,
): DebateSettings {
  const given = defined(config);
  const { debateFormat = DEBATE_DEFAULTS.debateFormat, exchange = "rebuttals" } = given;
  const settings = withWords({
    summaryBy: present.hasModerator ? "moderator" : "none",
    ...DEBATE_DEFAULTS,
    // A summary after every turn, or before every introduction, would be ceremony.
    ...(exchange === "rebuttals" || exchange === "clash" ? {} : { roundSummaries: false }),
    ...FORMATS[debateFormat].defaults,
    ...given,
  } as DebateSettings);
  const { preset } = settings;
  const presetRubric = preset && presetNamed(preset).settings.rubric;
  refuseContradictions({ ...settings, kind: "debate", positions: undefined }, {
    ...present,
    presetRubric,
  });
  return settings;
}

/** Reasons for the moderator to interrupt, where `format` was given: as far as claims are checked. */
export function interruptionsOf(
  { interruptions, debateFormat }: Pick<DebateSettings, "interruptions" | "debateFormat">,
  { checksFacts }: Pick<Present, "checksFacts">,
): NonNullable<DebateRules["interruptions"]> {
  if (interruptions !== "format") return interruptions;
  const wanted = FORMATS[debateFormat].interruptions;
  if (checksFacts || wanted === "none" || wanted === "rules") return wanted;
  return wanted === "both" ? "rules" : "none";
}

/** A range of words raises the token caps of the advocates' turns to twice its words. */
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
