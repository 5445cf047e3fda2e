// Settings of a debate with defaults filled in.
import { type Present, refuseContradictions } from "../config/contradictions.ts";
import { defined } from "../core/values.ts";
import type { DebateConfig } from "../config/convening_config.ts";
import { capFor } from "../core/guard.ts";
import { DEBATE_DEFAULTS, type DebateWorkflowConfig } from "./debate_options.ts";
import { FORMATS } from "./formats.ts";
import { presetNamed } from "./preset.ts";
import type { DebateRules } from "./rules.ts";

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
