// Presets of debates, and default positions.
import presets from "../data/presets.json" with { type: "json" };
import type { DebateConfig, ListenerConfig, PresetName } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { ADVOCATE } from "../core/participant.ts";
import { defined } from "../core/values.ts";
import { letters } from "../core/prompt.ts";
import { checkWords } from "../core/topic.ts";
import { counted } from "../core/text.ts";

interface Presettable {
  readonly preset?: PresetName | undefined;
  readonly audience?: readonly ListenerConfig[] | undefined;
}

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
export function withPresetSettings<C extends Presettable>(config: C): C {
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
