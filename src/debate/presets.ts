import type { DebateConfig, ListenerConfig, PresetName } from "../config/convening_config.ts";
import alternating from "../data/presets/alternating.json" with { type: "json" };
import oxford from "../data/presets/oxford.json" with { type: "json" };
import proCon from "../data/presets/pro-con.json" with { type: "json" };
import selfPlay from "../data/presets/self-play.json" with { type: "json" };

/** What a preset can set: configuration keys other than those that say who takes part. */
export type PresetSettings = Omit<
  DebateConfig,
  "kind" | "topic" | "preset" | "participants" | "positions" | "judges" | "audience"
>;

/** A debate that differs from the usual one in more than a key (context-network/rules/debate.md): configuration, and no code. */
export interface Preset {
  /** The keys it sets unless they are given. */
  readonly settings: PresetSettings;
  /** Those of its keys that make it what it is: given otherwise, they contradict it. */
  readonly fixed: readonly (keyof PresetSettings)[];
  /** Its advocates, in order, where it has a number of its own; a persona is an id. */
  readonly sides?:
    | readonly { readonly id?: string; readonly name?: string; readonly persona?: string }[]
    | undefined;
  /** Those who listen. */
  readonly audience?: readonly ListenerConfig[] | undefined;
  /** Whether one model must speak for all sides. @default false */
  readonly oneModel?: boolean | undefined;
}

// JSON knows no literal types; a test holds every preset against the configuration's schema.
const PRESETS = {
  alternating,
  "pro-con": proCon,
  oxford,
  "self-play": selfPlay,
} as Readonly<Record<PresetName, Preset>>;

/** The preset of a name. */
export function presetNamed(name: PresetName): Preset {
  return PRESETS[name];
}
