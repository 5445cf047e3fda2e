// Flags that say who takes part, laid over a configuration.
import { ADVOCATE } from "../core/participant.ts";
import { castWith } from "../config/config.ts";
import { withPreset } from "../debate/preset.ts";
import type { DebateConfig, GuardSettings } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { ADVOCATE_MODEL, GUARD, JUDGE_MODEL, MODERATOR_MODEL, PERSONA, POSITION } from "./flags.ts";
import { type FlagValues, nameFlag } from "./flag.ts";
import type { PersonaSetting } from "./read_value.ts";

type Participants = NonNullable<DebateConfig["participants"]>;

/** Puts the flags that say who takes part, and how, into a configuration. */
export function applyCastFlags(merged: Plain, values: FlagValues): void {
  const guards = values.get(GUARD);
  if (guards !== undefined) merged["guards"] = guarded(merged["guards"], guards);
  const positions = values.get(POSITION);
  const isDebate = merged["kind"] === "debate";
  if (positions !== undefined && isDebate) placePositions(merged, positions);
  placeModels(merged, values);
  const personas = values.get(PERSONA);
  if (personas !== undefined) placePersonas(merged, personas);
}

/** Models of roles; an advocate's model needs advocates to stand in. */
function placeModels(merged: Plain, values: FlagValues): void {
  const advocateModels = values.get(ADVOCATE_MODEL);
  if (advocateModels !== undefined) {
    merged["participants"] = castOf(merged);
    delete merged["positions"];
  }
  try {
    Object.assign(
      merged,
      castWith(merged, {
        moderatorModel: values.get(MODERATOR_MODEL),
        advocateModels,
        judgeModels: values.get(JUDGE_MODEL),
      }),
    );
  } catch (error) {
    throw nameFlag(error, new Map([["advocateModels", ADVOCATE_MODEL]]));
  }
}

/** The settings of guards with the modes of the flags: a mode keeps the other settings of its guard. */
function guarded(
  before: unknown,
  settings: readonly { readonly name: keyof GuardSettings; readonly mode: string }[],
): Plain {
  const guards: Plain = isPlain(before) ? { ...before } : {};
  for (const { name, mode } of settings) {
    const known = guards[name];
    guards[name] = isPlain(known) ? { ...known, mode } : mode;
  }
  return guards;
}

const DEBATER = "debater";
/** The number of debaters where no setting gives one (context-network/rules/paper_debate.md). */
const POSTURES = 3;

/** Positions go to the file's advocates where it names some. */
function placePositions(merged: Plain, positions: readonly string[]): void {
  if (positions.length < 2) {
    throw new ConfigurationError(
      "Cannot use --position: only one was given",
      {
        field: "--position",
        hint: "Give no position, or two or more that differ.",
      },
    );
  }
  const participants = participantsOf(merged);
  if (participants === undefined) return;
  const advocates = participants.filter(isAdvocate);
  if (advocates.length !== positions.length) {
    throw new ConfigurationError(
      `Cannot use --position: ${positions.length} were given, the configuration has ${advocates.length} advocates`,
      { field: "--position", hint: "Give one position for each advocate." },
    );
  }
  delete merged["positions"];
  merged["participants"] = placed(participants, (at) => ({
    position: positions[at],
  }));
}

/** Personas by name or id; those without one go to the speakers that are left, in their order. */
function placePersonas(merged: Plain, settings: readonly PersonaSetting[]): void {
  const participants = castOf(merged);
  const speakers = participants.filter(isAdvocate);
  const named = new Map<Participants[number], string>();
  for (const setting of settings) {
    const { of, persona } = setting;
    const one = of === undefined
      ? speakers.find((each) => !named.has(each) && !isMeant(each, settings))
      : speakers.find((each) => isCalled(each, of));
    if (one === undefined || named.has(one)) {
      throw refusePersona(setting, one === undefined ? speakers : undefined);
    }
    named.set(one, persona);
  }
  delete merged["positions"];
  merged["participants"] = participants.map((each) => {
    const persona = named.get(each);
    return persona === undefined ? { ...each } : { ...each, persona };
  });
}

function refusePersona(
  { of, persona }: PersonaSetting,
  speakers: Participants | undefined,
): ConfigurationError {
  const shown = of === undefined ? persona : `${of}=${persona}`;
  const names = speakers?.map(({ name }) => name).join(", ");
  const state = names === undefined
    ? `${of} was given one already`
    : of === undefined
    ? "everyone who speaks has one"
    : `nobody is called "${of}"`;
  return new ConfigurationError(`Cannot use --persona ${shown}: ${state}`, {
    field: "--persona",
    hint: names === undefined
      ? "Give each speaker one persona."
      : `Who speaks: ${names}. Give each at most one persona.`,
  });
}

function isCalled({ id, name }: Participants[number], word: string): boolean {
  return id === word || name.toLowerCase() === word.toLowerCase();
}

function isMeant(each: Participants[number], settings: readonly PersonaSetting[]): boolean {
  return settings.some(({ of }) => of !== undefined && isCalled(each, of));
}

function participantsOf(merged: Plain): Participants | undefined {
  // The configuration file was checked, and flags were read.
  return merged["participants"] as Participants | undefined;
}

/** The participants; where none are named, the default ones. */
function castOf(merged: Plain): Participants {
  const named = participantsOf(merged);
  if (merged["kind"] === "paper-debate") return withUsualDebaters(named ?? [], merged["postures"]);
  if (named !== undefined) return named;
  if (merged["kind"] === "dialogue") return [{ name: "Ada" }, { name: "Ben" }];
  if (merged["kind"] === "consensus") return [{ name: "Ada" }, { name: "Ben" }, { name: "Cleo" }];
  const { preset, positions } = merged as Pick<DebateConfig, "preset" | "positions">;
  const { participants } = withPreset({ kind: "debate", topic: "", preset, positions });
  return participants ?? (positions ?? [undefined, undefined]).map((position, at) => {
    const letter = String.fromCharCode(65 + at);
    return {
      id: `advocate-${letter.toLowerCase()}`,
      name: `Advocate ${letter}`,
      role: ADVOCATE,
      ...(position === undefined ? {} : { position }),
    };
  });
}

/** The roles of those who speak for themselves. */
const SPEAKERS: readonly unknown[] = [undefined, ADVOCATE, "participant", DEBATER];

function isAdvocate({ role }: { readonly role?: unknown }): boolean {
  return SPEAKERS.includes(role);
}

function withUsualDebaters(given: Participants, postures: unknown): Participants {
  if (given.some(isAdvocate)) return given;
  return withDebaters(given, typeof postures === "number" ? postures : POSTURES);
}

/** The first `count` debaters with everybody else; as many more, unnamed, as there are too few. */
export function withDebaters(participants: Participants, count: number): Participants {
  const debaters = participants.filter(isAdvocate).slice(0, count);
  const more = Array.from({ length: Math.max(0, count - debaters.length) }, (_, at) => {
    const letter = String.fromCharCode(65 + debaters.length + at);
    return { id: `debater-${letter.toLowerCase()}`, name: `Debater ${letter}`, role: DEBATER };
  });
  return [...participants.filter((each) => !isAdvocate(each)), ...debaters, ...more];
}

/** Every participant, each advocate with more keys. */
function placed<P extends { readonly role?: unknown }>(
  participants: readonly P[],
  more: (at: number) => Plain,
): Plain[] {
  let at = 0;
  return participants.map((each) => isAdvocate(each) ? { ...each, ...more(at++) } : { ...each });
}

/** A mapping of keys to values, as a configuration is before it is checked. */
export type Plain = Record<string, unknown>;

/** True of such a mapping. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
