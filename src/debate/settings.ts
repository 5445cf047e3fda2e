import { defined } from "../core/defined.ts";
import type { DebateConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { capFor } from "../core/guard.ts";
import { DEBATE_DEFAULTS, type DebateWorkflowConfig } from "./debate_options.ts";
import { FORMATS } from "./formats.ts";
import { presetNamed } from "./presets.ts";
import { withPresetSettings } from "./preset.ts";
import type { DebateRules } from "./rules.ts";

/** A debate's settings with the defaults filled in. */
export type DebateSettings =
  & Omit<DebateWorkflowConfig, keyof typeof DEBATE_DEFAULTS | "summaryBy">
  & {
    readonly [K in keyof typeof DEBATE_DEFAULTS | "summaryBy"]: NonNullable<DebateConfig[K]>;
  };

/** Who is there, as far as settings hang on it. */
export interface Present {
  readonly hasModerator: boolean;
  /** Whether claims are checked. */
  readonly checksFacts: boolean;
}

/** What goes without saying of a debate: the defaults, over them the format's, the preset's, and what is given. */
export function settingsOf(
  config: DebateWorkflowConfig,
  present: Present,
): DebateSettings {
  const given = defined(withPresetSettings(config));
  const { debateFormat = DEBATE_DEFAULTS.debateFormat, exchange = "rebuttals" } = given;
  const settings = withWords({
    summaryBy: present.hasModerator ? "moderator" : "none",
    ...DEBATE_DEFAULTS,
    // A summary after every turn, or before every introduction, would be ceremony.
    ...(exchange === "rebuttals" ? {} : { roundSummaries: false }),
    ...FORMATS[debateFormat].defaults,
    ...given,
  } as DebateSettings);
  for (const problem of problemsOf(settings, present)) {
    throw new ConfigurationError(problem.state, { field: problem.field, hint: problem.hint });
  }
  return settings;
}

/** What the moderator interrupts for, where `format` was said: as far as claims are checked. */
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

interface Problem {
  readonly field: string;
  readonly state: string;
  readonly hint: string;
}

/** What contradicts what; the first counts. */
function problemsOf(settings: DebateSettings, { hasModerator, checksFacts }: Present): Problem[] {
  const { exchange, interruptions, summaryBy } = settings;
  const found: (Problem | false)[] = [
    hasModerator && settings.moderation === "none" && {
      field: "moderation",
      state: 'Cannot use moderation "none": there is a moderator',
      hint: "Leave the moderator out of the participants, or moderation out of the configuration.",
    },
    !hasModerator && interruptions !== "none" && {
      field: "interruptions",
      state: `Cannot use interruptions "${interruptions}": there is no moderator to interrupt`,
      hint: 'Have a moderator, or use interruptions "none".',
    },
    !checksFacts && (interruptions === "facts" || interruptions === "both") && {
      field: "interruptions",
      state: `Cannot use interruptions "${interruptions}": claims are not checked`,
      hint: 'Turn factCheck on, or use interruptions "rules" or "none".',
    },
    !hasModerator && settings.adaptive && {
      field: "adaptive",
      state: "Cannot use adaptive true: there is no moderator to review the rounds",
      hint: "Have a moderator, or leave adaptive out.",
    },
    !hasModerator && summaryBy === "moderator" && {
      field: "summaryBy",
      state: 'Cannot use summaryBy "moderator": there is no moderator',
      hint: 'Use summaryBy "judge" or "none", or have a moderator.',
    },
    ...unjudged(settings),
    exchange === "alternating" && settings.pacing === "simultaneous" && {
      field: "pacing",
      state: 'Cannot use pacing "simultaneous" with exchange "alternating": a round is one turn',
      hint: 'Use pacing "sequential", or exchange "rebuttals" or "statements".',
    },
    settings.roundCount === 0 && !settings.openings && !settings.closings && {
      field: "roundCount",
      state: "Cannot hold a debate of 0 rounds without openings and closings: nothing is said",
      hint: "Have one round or more, or opening or closing statements.",
    },
  ];
  return found.filter((each) => each !== false);
}

/** What needs a judge where there is none: key, value, and what to do instead. */
function unjudged(settings: DebateSettings): Problem[] {
  const { scoringEnabled, summaryBy, baseline, judges, judgeTemperature, preset } = settings;
  if (scoringEnabled) return [];
  // A preset's own rubric was not asked for.
  const rubric = settings.rubric === (preset && presetNamed(preset).settings.rubric)
    ? undefined
    : settings.rubric;
  const named = JSON.stringify(typeof rubric === "object" ? rubric.id : rubric);
  const needed: (readonly [field: string, given: string, instead: string] | false)[] = [
    summaryBy === "judge" &&
    ["summaryBy", 'summaryBy "judge"', 'use summaryBy "moderator" or "none"'],
    baseline && ["baseline", "baseline true", "use baseline false"],
    judges !== undefined && ["judges", "judges", "leave judges out"],
    rubric !== undefined && ["rubric", `rubric ${named}`, "leave rubric out"],
    judgeTemperature !== undefined &&
    ["judgeTemperature", `judgeTemperature ${judgeTemperature}`, "leave judgeTemperature out"],
  ];
  return needed.filter((each) => each !== false).map(([field, given, instead]) => ({
    field,
    state: `Cannot use ${given} with scoringEnabled false: there is no judge`,
    hint: `Leave scoringEnabled out, or ${instead}.`,
  }));
}
