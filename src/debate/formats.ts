// Formats of debates (tone, rules, rubric), presets, default positions, and the texts of a debate's prompts.
import type {
  DebateConfig,
  DebateFormat,
  ListenerConfig,
  PresetName,
} from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Rubric } from "../core/outcome.ts";
import { ADVOCATE } from "../core/participant.ts";
import { letters, textsOf } from "../core/prompt.ts";
import { round4 } from "../core/statistics.ts";
import { counted } from "../core/text.ts";
import { checkWords } from "../core/topic.ts";
import { defined } from "../core/values.ts";
import presets from "../data/presets.json" with { type: "json" };
import texts from "../data/prompts/debate.json" with { type: "json" };
import { type RubricName, rubricNamed } from "../judging/scoring.ts";
import english from "./moderation.en.json" with { type: "json" };

interface DebateFormatRules {
  readonly rules: string;
  readonly tone: string;
  /** Text about the consequence of a breach. */
  readonly strictness: string;
  readonly moderation: string;
  /** Reasons for the moderator to interrupt, if the configuration leaves them to the format. */
  readonly interruptions: "none" | "facts" | "both";
  /** Defaults of the format; a preset or the configuration overrides them. */
  readonly defaults: Pick<DebateConfig, "roundSummaries" | "closingOrder">;
  /** Texts that override the common ones. */
  readonly templates: Readonly<Record<string, string>>;
  /** Id of the format's rubric; weights and wording of the criteria differ by format. */
  readonly rubric: RubricName;
}

export const FORMATS: Readonly<Record<DebateFormat, DebateFormatRules>> = {
  formal: {
    rules:
      "This is a formal debate. Every claim needs a reason; evidence is named for what it is; a rebuttal answers the argument " +
      "it is given, not a weaker one. No personal remarks.",
    tone: "Formal, precise and courteous.",
    strictness:
      "The rules are strict: a breach counts against the speaker, however good the point.",
    moderation: "The moderator keeps strictly to the order and the rules.",
    interruptions: "both",
    defaults: {},
    templates: {},
    rubric: "debate",
  },
  casual: {
    rules:
      "This is a casual debate among people who respect each other. Disagree openly, give reasons, and stay with the point. " +
      "Nobody needs to cite a source; a case from everyday life will do. Changing one's mind on a detail is welcome.",
    tone: "Conversational and plain; an everyday example beats a technical term.",
    strictness: "The rules are loose: slips of form are overlooked.",
    moderation: "The moderator keeps the exchange friendly and lets small slips pass.",
    interruptions: "none",
    defaults: { roundSummaries: false },
    templates: {
      introductionText: english.introduction.casual,
      introductionTextWithoutRounds: english.introductionWithoutRounds.casual,
      closing:
        "Wrap up in your own words: what you still hold, what you would now say otherwise, and why. " +
        "Bring nothing new. Write {length}.",
    },
    rubric: "debate-casual",
  },
  educational: {
    rules:
      "This is an educational debate: the audience wants to understand the question. Explain terms, show where the views really " +
      "part, and grant what is right on the other side. Say how sure a thing is, and what would settle it.",
    tone: "Clear and patient; assume an interested listener without special knowledge.",
    strictness:
      "The rules are strict about truth and lenient about form: a misleading claim counts against the speaker, a clumsy " +
      "one does not.",
    moderation:
      "The moderator draws out what can be learned from each exchange and corrects what would mislead.",
    interruptions: "facts",
    defaults: {},
    templates: {
      introductionText: english.introduction.educational,
      introductionTextWithoutRounds: english.introductionWithoutRounds.educational,
      roundSummary:
        "Sum up round {round} in at most 120 words for someone who wants to learn: what each side argued, where the views " +
        "really part, which terms matter, and what would settle it. Decide nothing.",
    },
    rubric: "debate-educational",
  },
  competitive: {
    rules:
      "This is a competitive debate: the sides argue to win. Press the strongest points, expose what is left unanswered, and " +
      "leave no argument of the other side standing. What is not answered counts as granted. No personal remarks.",
    tone: "Sharp, vivid and to the point.",
    strictness:
      "The rules are hard: a dropped argument is lost, and a false claim is a gift to the other side.",
    moderation: "The moderator keeps the pace and names what was left unanswered.",
    interruptions: "facts",
    defaults: { closingOrder: "reversed" },
    templates: {
      introductionText: english.introduction.competitive,
      introductionTextWithoutRounds: english.introductionWithoutRounds.competitive,
      roundSummary:
        "Sum up round {round} in at most 80 words: what each side put forward, and what it left unanswered. Decide nothing.",
    },
    rubric: "debate-competitive",
  },
};

/** Burden of proof, the same in every format. */
const BURDEN = "Each side has to support what it claims; neither wins by default.";

/** Returns the description of a format for all prompts: rules, tone, strictness and, with a moderator, moderation. */
export function describeFormat(format: DebateFormat, isModerated: boolean): string {
  const { rules, tone, strictness, moderation } = FORMATS[format];
  return [rules, BURDEN, tone, strictness, ...isModerated ? [moderation] : []].join(" ");
}

/** Returns the rubric of a format: `debate` for `formal`, else `debate-` and the name, such as `debate-casual`. */
export function debateRubric(format: DebateFormat): Rubric {
  return rubricNamed(FORMATS[format].rubric);
}

/** Returns the description of a rubric for all prompts, with its criteria in the given order. */
export function describeRubric(rubric: Rubric, order: readonly string[]): string {
  const by = new Map(rubric.criteria.map((each) => [each.id, each]));
  const criteria = order.map((id) => {
    const { weight, description, anchors = [] } = by.get(id)!;
    const own = anchors.map(({ from, means }) => `${from}: ${inLine(means)}`).join("; ");
    return `- ${id} (weight ${weight}): ${inLine(description)}${own === "" ? "" : ` ${own}.`}`;
  });
  const [least, most] = rubric.scale;
  const [low, high] = [0.5, 0.7].map((share) => round4(least + share * (most - least)));
  const steps = most - least === 10
    ? "whole and half points"
    : `steps of ${round4((most - least) / 20)}`;
  const bands = rubric.anchors.map(({ from, means }) => `${from}+ ${inLine(means)}`).join("; ");
  const isAnchored = rubric.criteria.every(({ anchors = [] }) => anchors.length > 0);
  return [
    `Speeches are scored from ${least} to ${most}, in ${steps}. Most competent speeches lie ` +
    `between ${low} and ${high}; the whole range is used. The criteria:`,
    ...criteria,
    ...(bands === "" || isAnchored ? [] : [`Bands: ${bands}.`]),
  ].join("\n");
}

function inLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Texts of a debate's prompts. */
export type DebateTemplates = Readonly<
  Record<
    | keyof typeof texts
    | "introductionText"
    | "introductionTextWithoutRounds"
    | "roundIntroductionText"
    | "interruptionText"
    | "interruptionTextForRule"
    | "interruptionTextForBoth",
    string
  >
>;

/**
 * Default texts of a debate's prompts; `prompts` in the configuration overrides each. `advocate`, `moderator`, `judge` and
 * `listener` describe a role; names that end in `Text` are spoken without a model; the others are tasks.
 */
export const DEBATE_TEMPLATES: DebateTemplates = {
  ...textsOf(texts),
  introductionText: english.introduction.formal,
  introductionTextWithoutRounds: english.introductionWithoutRounds.formal,
  roundIntroductionText: english.roundIntroduction,
  interruptionText: english.interruption.fact,
  interruptionTextForRule: english.interruption.rule,
  interruptionTextForBoth: english.interruption.both,
};

/**
 * Returns the configuration with the preset's settings, advocates (personas by id) and audience where keys are missing.
 * Idempotent. Throws a `ConfigurationError` if the configuration contradicts the preset.
 */
export function withPreset(config: DebateConfig): DebateConfig {
  if (config.preset === undefined) return config;
  const { sides } = PRESETS[config.preset];
  const complete = withPresetSettings(config);
  return sides === undefined ? complete : withSides(complete, config.preset, sides);
}

/** Returns the configuration with the preset's settings and audience where keys are missing; errors as `withPreset`. */
export function withPresetSettings<C extends Pick<DebateConfig, "preset" | "audience">>(
  config: C,
): C {
  if (config.preset === undefined) return config;
  const { settings, fixed, audience } = PRESETS[config.preset];
  const given: Readonly<Record<string, unknown>> = defined(config);
  for (const key of fixed) {
    if (given[key] === undefined || given[key] === settings[key]) continue;
    throw new ConfigurationError(
      `Cannot use ${key} ${JSON.stringify(given[key])} with preset "${config.preset}": it is ${
        JSON.stringify(settings[key])
      } there`,
      { field: key, hint: "Leave it out, or leave the preset out." },
    );
  }
  return { ...config, ...settings, ...(audience === undefined ? {} : { audience }), ...given };
}

/** Throws a `ConfigurationError` if the preset requires another number of advocates. */
export function checkSides(preset: PresetName | undefined, advocates: number): void {
  const sides = preset && PRESETS[preset].sides?.length;
  if (sides === undefined || sides === advocates) return;
  const held = `a debate of ${counted(advocates, "side")} with preset "${preset}"`;
  throw new ConfigurationError(`Cannot hold ${held}: it has ${sides}`, {
    field: "participants",
    hint: `Give ${counted(sides, "advocate")} or positions, or leave them out.`,
  });
}

export function hasOneModel(preset: PresetName | undefined): boolean {
  return preset !== undefined && PRESETS[preset].oneModel === true;
}

/** Returns the participants; advocates without a persona get the preset's (a persona id), in order. */
export function inCharacter<
  P extends { readonly role?: string | undefined; readonly persona?: string | undefined },
>(participants: readonly P[], preset: PresetName | undefined): P[] {
  const sides = preset === undefined ? [] : PRESETS[preset].sides ?? [];
  const advocates = participants.filter(({ role = ADVOCATE }) => role === ADVOCATE);
  return participants.map((each) => {
    const persona = each.persona ?? sides[advocates.indexOf(each)]?.persona;
    return persona === undefined ? each : { ...each, persona };
  });
}

function withSides(
  { positions, ...config }: DebateConfig,
  preset: PresetName,
  sides: NonNullable<Preset["sides"]>,
): DebateConfig {
  const { participants } = config;
  if (participants === undefined) {
    if (positions !== undefined) checkSides(preset, positions.length);
    const checked = positions?.map((each, index) => checkWords(each, `positions.${index}`));
    return {
      ...config,
      participants: sides.map((side, index) => ({
        id: side.id ?? `advocate-${letters(index).toLowerCase()}`,
        name: side.name ?? `Advocate ${letters(index)}`,
        role: ADVOCATE,
        position: checked?.[index],
        persona: side.persona,
      })),
    };
  }
  checkSides(preset, participants.filter(({ role = ADVOCATE }) => role === ADVOCATE).length);
  return {
    ...config,
    ...(positions === undefined ? {} : { positions }),
    participants: inCharacter(participants, preset),
  };
}

/** Settings of a preset: configuration keys other than those about participants. */
type PresetSettings = Omit<
  DebateConfig,
  "kind" | "topic" | "preset" | "participants" | "positions" | "judges" | "audience"
>;

/** A named set of settings for a debate of another shape (context-network/rules/debate.md). */
interface Preset {
  /** Values of keys that the configuration does not set. */
  readonly settings: PresetSettings;
  /** Keys of `settings` that the configuration may not set to other values. */
  readonly fixed: readonly (keyof PresetSettings)[];
  /** Advocates in order; a persona is an id. @default any number of advocates */
  readonly sides?:
    | readonly { readonly id?: string; readonly name?: string; readonly persona?: string }[]
    | undefined;
  readonly audience?: readonly ListenerConfig[] | undefined;
  /** True if one model must speak for all sides. @default false */
  readonly oneModel?: boolean | undefined;
}

// JSON imports have no literal types; a test checks every preset against the configuration's schema.
export const PRESETS = presets as Readonly<Record<PresetName, Preset>>;

/** Topics that compare two things: `X vs Y`, or `X or Y?`. */
const COMPARED = /^(.+?)\s+(?:vs\.?|versus)\s+(.+?)\s*\??$/iu;
const EITHER = /^([^,]+?),?\s+or\s+(.+?)\s*\?$/iu;
/** First words of a question whose part before `or` is no position. */
const ASKING =
  /^(?:why|how|what|which|who|whom|whose|when|where|whether|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|if|in|on|at|for)\b/iu;

/** Returns default positions for two sides: the two things that the topic compares, else for and against the topic. */
export function defaultPositions(topic: string): [string, string] {
  const question = topic.trim();
  const [, first, second] = COMPARED.exec(question) ??
    (ASKING.test(question) ? [] : EITHER.exec(question) ?? []);
  const isPair = first !== undefined && second !== undefined &&
    first.toLowerCase() !== second.toLowerCase() && !EITHER.test(`${second}?`) &&
    !COMPARED.test(second);
  return isPair ? [first, second] : [`For: ${question}`, `Against: ${question}`];
}

/** First words of a question that has no two sides. */
const OPEN = /^(?:why|how|what|which|who|whom|whose|when|where)\b/iu;
/** A choice inside a topic; "or not" is none. */
const CHOICE = /\s(?:or|vs\.?|versus)\s+(?!not\b)/iu;

/** Returns a hint if no positions are given and the topic names no two sides; otherwise undefined. */
export function positionHint(
  { topic, positions, participants = [] }: DebateConfig,
): string | undefined {
  if (positions !== undefined || participants.some(({ position }) => position)) return undefined;
  const question = topic.trim();
  const first = OPEN.exec(question)?.[0].toLowerCase();
  if (first !== undefined) {
    return `A question that begins with "${first}" has no two sides: give two positions (--position).`;
  }
  const isFor = defaultPositions(question)[0] === `For: ${question}`;
  return isFor && CHOICE.test(question)
    ? "The sides are for and against the topic; if the topic is a choice, give each side as a position (--position)."
    : undefined;
}
