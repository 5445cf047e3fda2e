// Checking of configurations: schemas and defaults of their kinds, contradictions between settings, and models of roles over a recorded cast.
import { z } from "zod";
import type { ConveningConfig, JudgeConfig } from "./convening_config.ts";
import { ConfigurationError, type FieldProblem } from "../core/error.ts";
import { defined, memo } from "../core/values.ts";
import { IN_PLAIN_WORDS, problemsOf } from "../core/check_fields.ts";
import type { Schema, SchemaShape } from "../core/schema.ts";
import { composedOf, earlierOf, isBuiltIn, type Kind, KINDS, schemaOf } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import { ADVOCATE, type ParticipantConfig } from "../core/participant.ts";

const schemaFor = (kind: Kind) => memo(() => schemaOf(SETTINGS, kind));
const SCHEMAS: Readonly<Record<Kind, () => z.ZodObject>> = {
  dialogue: schemaFor("dialogue"),
  debate: schemaFor("debate"),
  consensus: schemaFor("consensus"),
  "paper-debate": schemaFor("paper-debate"),
};
const { dialogue, debate, consensus, "paper-debate": paper } = SCHEMAS;
const union = z.lazy(() =>
  z.discriminatedUnion("kind", [dialogue(), debate(), consensus(), paper()])
);

/** Every kind's configuration, told apart by `kind`: keys, types and ranges. */
// The table was compared with the interfaces when it was compiled.
export const configSchema: Schema<ConveningConfig> = union as unknown as Schema<ConveningConfig>;

/** Configuration keys of kinds that are not built in, by the kind's name. */
export type OwnKinds = ReadonlyMap<string, SchemaShape>;

/** A configuration that was checked; the key is in the type alone. */
export type Checked<C> = C & { readonly "~checked": true };

/** Configurations that were checked, with the schemas of the own kind; none of them can be changed any more. */
const checkedBefore = new WeakMap<object, SchemaShape | undefined>();

/**
 * The configuration, checked; a checked configuration is given back as it is. The error names every key that is wrong, its
 * value, and what is allowed. Keys of a kind of `own` stand over those that every kind has.
 */
export function parseConfig(input: unknown, own: OwnKinds = new Map()): Checked<ConveningConfig> {
  const kind = String((input as { kind?: unknown } | undefined)?.kind);
  const shape = own.get(kind);
  if (isChecked(input, shape)) return input;
  const schema = shape ? ownSchema(kind, shape) : isBuiltIn(kind) ? SCHEMAS[kind]() : union;
  const result = schema.safeParse(input, IN_PLAIN_WORDS);
  if (result.success) {
    checkedBefore.set(result.data, shape);
    // The schema of the kind is what the configuration's type says.
    return Object.freeze(result.data) as unknown as Checked<ConveningConfig>;
  }
  const { issues } = result.error;
  const names = { whole: "configuration", part: "key", forms: [...KINDS, ...own.keys()] };
  throw ConfigurationError.of(problemsOf(schema, input, { issues, names }));
}

/** Names and tags of English, in which the moderator's templates are. */
const ENGLISH = /^en(?:glish)?(?:[-_ ]|$)/i;

/** A configuration with the defaults of a new convening; a preset has its own. */
export function asNew(config: Checked<ConveningConfig>): object {
  const { kind, language } = config;
  if ("preset" in config && config.preset !== undefined) return config;
  const isTranslated = kind === "debate" && language !== undefined && !ENGLISH.test(language);
  return {
    ...composedOf(SETTINGS, kind),
    ...isTranslated ? { moderation: "model" } : {},
    ...defined(config),
  };
}

/** The configuration of a record with the defaults that it was made with, of keys that it does not have. */
export function asRecorded(
  kind: string,
  recorded: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return isBuiltIn(kind) ? { ...earlierOf(SETTINGS, kind), ...recorded } : { ...recorded };
}

/** The schema of configurations of a kind that is not built in. */
export function ownSchema(kind: string, shape: SchemaShape): z.ZodObject {
  // Every schema of a kind is one of zod.
  return schemaOf(SETTINGS, kind).extend(shape as unknown as z.ZodRawShape);
}

function isChecked(
  input: unknown,
  shape: SchemaShape | undefined,
): input is Checked<ConveningConfig> {
  if (typeof input !== "object" || input === null || !checkedBefore.has(input)) return false;
  return checkedBefore.get(input) === shape;
}

type Plain = Readonly<Record<string, unknown>>;

/** The default model where a key or a base URL is set. */
const DEFAULT_MODEL = "gpt-4o-mini";

/** Models of roles, over those of a cast. */
interface CastModels {
  readonly moderatorModel?: string | undefined;
  /** One for all advocates, or one each in their order. */
  readonly advocateModels?: readonly string[] | undefined;
  /** One judge each. */
  readonly judgeModels?: readonly string[] | undefined;
}

/** The participants and judges of a configuration with other models, where any of theirs is given. */
export function castWith(
  configuration: Plain,
  { judgeModels, ...models }: CastModels,
): { participants?: ParticipantConfig[]; judges?: JudgeConfig[] } {
  const participants = listOf<ParticipantConfig>(configuration["participants"]);
  const judges = listOf<JudgeConfig>(configuration["judges"]);
  const isOther = models.moderatorModel !== undefined || models.advocateModels !== undefined;
  return {
    ...isOther && participants.length > 0 ? { participants: withModels(participants, models) } : {},
    ...judgeModels === undefined ? {} : {
      judges: judgeModels.map((model, at) => ({
        // As many as before keep their other settings.
        ...judges.length === judgeModels.length ? judges[at] : {},
        model,
      })),
    },
  };
}

function withModels(
  participants: readonly ParticipantConfig[],
  { moderatorModel, advocateModels }: CastModels,
): ParticipantConfig[] {
  const advocates = participants.filter(({ role = ADVOCATE }) => role === ADVOCATE);
  const given = advocateModels?.length ?? 1;
  if (given !== 1 && given !== advocates.length) {
    throw new ConfigurationError(
      `Cannot use advocateModels: ${given} were given for ${advocates.length} advocates`,
      {
        field: "advocateModels",
        hint: "Give one for all advocates, or one for each in their order.",
      },
    );
  }
  return participants.map((each) => {
    const at = advocates.indexOf(each);
    const advocateModel = at === -1 ? undefined : advocateModels?.[given === 1 ? 0 : at];
    const model = each.role === "moderator" ? moderatorModel : advocateModel;
    return model === undefined ? { ...each } : { ...each, model };
  });
}

/**
 * A recorded configuration for another `model`: a record names every role's model, and those that only followed the default
 * follow the other model too.
 */
export function followModel(recorded: Plain): Record<string, unknown> {
  const { model } = recorded;
  const usual = model === undefined ? ["offline", DEFAULT_MODEL] : [model];
  const follow = (list: unknown) =>
    Array.isArray(list)
      ? list.map(({ model, ...rest }: Plain) =>
        model === undefined || usual.includes(model) ? rest : { ...rest, model }
      )
      : list;
  const followed: Record<string, unknown> = { ...recorded };
  for (const key of ["participants", "judges", "audience"]) {
    if (key in recorded) followed[key] = follow(recorded[key]);
  }
  return followed;
}

/** A recorded list: it was checked when it was written, and is checked again when it is resumed. */
function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** Parts of a debate besides its settings, known once its participants are. */
export interface Present {
  readonly hasModerator: boolean;
  /** True if claims are checked. */
  readonly checksFacts: boolean;
  /** The rubric of the preset, which nobody asked for. */
  readonly presetRubric?: unknown;
}

type Given = Readonly<Record<string, unknown>>;

/** A key that contradicts others. `{key}` in a text stands for another key. */
interface Contradiction {
  readonly key: string;
  /** @default all kinds */
  readonly kinds?: readonly Kind[];
  /**
   * True if the key's value, which is set, contradicts the rest; without `present` the participants are not known
   * yet.
   */
  readonly when: (given: Given, value: unknown, present: Present | undefined) => boolean;
  readonly state: string;
  readonly hint: string;
}

const EVERY_ROLE = "Give {model}, which is every role's.";
const NO_JUDGE = "with {scoringEnabled} false: there is no judge";

/** A key that needs a judge. */
function needsJudge(
  key: string,
  instead: string,
  when: Contradiction["when"] = () => true,
): Contradiction {
  return {
    key,
    kinds: ["debate"],
    when: (given, value, present) =>
      present !== undefined && given["scoringEnabled"] === false && when(given, value, present),
    state: NO_JUDGE,
    hint: `Leave {scoringEnabled} out, or ${instead}.`,
  };
}

const CONTRADICTIONS: readonly Contradiction[] = [
  ...["retrieval", "embeddingModel"].map((key): Contradiction => ({
    key,
    kinds: ["dialogue", "consensus", "debate"],
    when: () => true,
    state: "this is no paper debate",
    hint: `Leave {${key}} out.`,
  })),
  {
    key: "embeddingModel",
    kinds: ["paper-debate"],
    when: ({ retrieval }) => retrieval === undefined || retrieval === "keyword",
    state: "passages are found by keyword, which needs no model",
    hint: "Give {retrieval} semantic or hybrid, or leave {embeddingModel} out.",
  },
  {
    key: "advocateModels",
    kinds: ["dialogue", "consensus", "paper-debate"],
    when: () => true,
    state: "this is no debate",
    hint: EVERY_ROLE,
  },
  {
    key: "judgeModels",
    kinds: ["dialogue", "consensus"],
    when: () => true,
    state: "this is no debate",
    hint: EVERY_ROLE,
  },
  {
    key: "moderatorModel",
    kinds: ["debate"],
    when: ({ moderation }) => moderation === "none",
    state: "there is no moderator",
    hint: "Use {moderation} template or model, or leave {moderatorModel} out.",
  },
  {
    key: "moderatorModel",
    kinds: ["dialogue"],
    when: ({ select }) => select !== "moderator",
    state: "nobody moderates this dialogue",
    hint: "Use it with {select} moderator, or leave {moderatorModel} out.",
  },
  {
    key: "pick",
    kinds: ["paper-debate"],
    when: ({ question }) => question !== undefined,
    state: "{question} says what is debated",
    hint: "Leave {question} out to have questions put to the papers, or leave {pick} out.",
  },
  {
    key: "positions",
    kinds: ["debate"],
    when: ({ participants }) => participants !== undefined,
    state: "beside {participants}: each advocate has a position of its own there",
    hint: "Give each advocate its position under {participants}, or leave {participants} out.",
  },
  {
    key: "moderation",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === true && value === "none",
    state: "there is a moderator",
    hint: "Leave the moderator out of the {participants}, or {moderation} out.",
  },
  {
    key: "interruptions",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === false && value !== "none",
    state: "there is no moderator to interrupt",
    hint: 'Have a moderator, or use {interruptions} "none".',
  },
  {
    key: "interruptions",
    kinds: ["debate"],
    when: (_given, value, present) =>
      present?.checksFacts === false && (value === "facts" || value === "both"),
    state: "claims are not checked",
    hint: 'Turn {factCheck} on, or use {interruptions} "rules" or "none".',
  },
  {
    key: "adaptive",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === false && value === true,
    state: "there is no moderator to review the rounds",
    hint: "Have a moderator, or leave {adaptive} out.",
  },
  {
    key: "noteModel",
    kinds: ["debate"],
    when: ({ flow }) => flow !== true,
    state: "no notes are taken",
    hint: "Turn {flow} on, or leave {noteModel} out.",
  },
  {
    key: "summaryBy",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === false && value === "moderator",
    state: "there is no moderator",
    hint: 'Use {summaryBy} "judge" or "none", or have a moderator.',
  },
  needsJudge(
    "summaryBy",
    'use {summaryBy} "moderator" or "none"',
    (_given, value) => value === "judge",
  ),
  needsJudge("baseline", "use {baseline} false", (_given, value) => value === true),
  needsJudge("scoreBy", "leave {scoreBy} out", (_given, value) => value === "round"),
  needsJudge("judges", "leave {judges} out"),
  needsJudge(
    "rubric",
    "leave {rubric} out",
    (_given, value, present) => value !== present?.presetRubric,
  ),
  needsJudge("judgeTemperature", "leave {judgeTemperature} out"),
  needsJudge("tiebreakModel", "leave {tiebreakModel} out"),
  {
    key: "tiebreakModel",
    kinds: ["debate"],
    when: ({ decision }) => decision === "audience",
    state: 'with {decision} "audience": no vote of a judge decides',
    hint: 'Leave {tiebreakModel} out, or use {decision} "judges".',
  },
  needsJudge("verdictRepeats", "use {verdictRepeats} 0", (_given, value) => value !== 0),
  {
    key: "pacing",
    kinds: ["debate"],
    when: ({ exchange }, value, present) =>
      present !== undefined && exchange === "alternating" && value === "simultaneous",
    state: 'with {exchange} "alternating": a round is one turn',
    hint: 'Use {pacing} "sequential", or {exchange} "rebuttals" or "statements".',
  },
  {
    key: "roundCount",
    kinds: ["debate"],
    when: ({ openings, closings }, value, present) =>
      present !== undefined && value === 0 && openings === false && closings === false,
    state: "without {openings} and {closings}: nothing is said",
    hint: "Have one round or more, or opening or closing statements.",
  },
];

/** The words of a front door: how a key and its value are called, and how another key is. */
export interface KeyWords {
  /** The name of a key. */
  readonly name: (key: string) => string;
  /** A key's value after its name; a value of several parts is not shown. */
  readonly shown?: (value: unknown, key: string) => string;
}

const KEYS: KeyWords = { name: (key) => key };

function contradictionsIn(
  given: Given,
  present?: Present,
  { name, shown = shownValue }: KeyWords = KEYS,
): FieldProblem[] {
  const worded = (text: string) => text.replace(/\{(\w+)\}/g, (_, key: string) => name(key));
  return CONTRADICTIONS.flatMap(({ key, kinds, when, state, hint }) => {
    const value = given[key];
    const isOf = kinds === undefined || kinds.some((kind) => kind === given["kind"]);
    if (!isOf || value === undefined || !when(given, value, present)) return [];
    const why = /^(?:with|without|beside) /.test(state)
      ? ` ${worded(state)}`
      : `: ${worded(state)}`;
    return [{
      field: name(key),
      message: `Cannot use ${name(key)}${shown(value, key)}${why}`,
      hint: worded(hint),
    }];
  });
}

/** Rejects a configuration that contradicts itself. */
export function refuseContradictions(given: Given, present?: Present, words?: KeyWords): void {
  const problems = contradictionsIn(given, present, words);
  if (problems.length > 0) throw ConfigurationError.of(problems);
}

function shownValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  return "id" in value ? ` ${JSON.stringify(value.id)}` : "";
}
