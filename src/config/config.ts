// Validation of configurations: schemas and defaults of kinds, contradictions between settings, and models of a recorded cast.
import { z } from "zod";
import { cannotUse, ConfigurationError, type FieldProblem, problemsIn } from "../core/error.ts";
import { checkTopic } from "../core/topic.ts";
import { defined, isObject, listIn, memoByText, objectIn, type Schema } from "../core/values.ts";
import { IN_PLAIN_WORDS, problemsOf } from "../core/check_fields.ts";
import type { SchemaShape } from "../core/schema.ts";
import { ADVOCATE, type ParticipantConfig } from "../core/participant.ts";
import type { ConveningConfig, JudgeConfig } from "./convening_config.ts";
import { defaultsOf, isBuiltIn, type Kind, KINDS, schemaOf } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import presets from "../data/presets.json" with { type: "json" };
import { counted } from "../core/text.ts";

const schemaFor = memoByText(KINDS.length, (kind) => schemaOf(SETTINGS, kind));
const [FIRST, ...OTHERS] = KINDS;
const union = z.lazy(() =>
  z.discriminatedUnion("kind", [schemaFor(FIRST), ...OTHERS.map(schemaFor)])
);

/** Schema of every built-in kind's configuration, discriminated by `kind`. */
// The cast is safe: a test compares the table of settings with the interfaces.
export const configSchema: Schema<ConveningConfig> = union as unknown as Schema<ConveningConfig>;

/** Schemas of the configuration keys of programs' own kinds, by kind. */
export type OwnKinds = ReadonlyMap<string, SchemaShape>;

/** Validated configuration; the marker exists only in the type. */
export type Checked<C> = C & { readonly "~checked": true };

/** Configurations validated before, with the schemas of the own kind; all are frozen. */
const validated = new WeakMap<object, SchemaShape | undefined>();

/**
 * Validates a configuration; one that was validated before is returned unchanged. Throws a `ConfigurationError` with every
 * invalid key, its value and the allowed values. Keys of a kind in `own` override the keys that every kind has. `spelled` has the
 * names of keys in hints; undefined for a key that hints leave out.
 */
export function parseConfig(
  input: unknown,
  own: OwnKinds = new Map(),
  spelled?: ReadonlyMap<string, string | undefined>,
): Checked<ConveningConfig> {
  const kind = String(objectIn(input)["kind"]);
  const shape = own.get(kind);
  if (isObject(input) && validated.has(input) && validated.get(input) === shape) {
    return input as unknown as Checked<ConveningConfig>;
  }
  const schema = configurationSchema(kind, own);
  const result = schema.safeParse(input, IN_PLAIN_WORDS);
  if (result.success) {
    const config = Object.freeze(defined(result.data));
    validated.set(config, shape);
    // The schema of a kind corresponds to its configuration type.
    return config as unknown as Checked<ConveningConfig>;
  }
  const { issues } = result.error;
  const forms = [...KINDS, ...own.keys()];
  const names = { whole: "configuration", part: "key", forms, spelled, elsewhere };
  const problems = problemsOf(input, { issues, names });
  throw ConfigurationError.of([...problems, ...topicProblems(input)]);
}

/** Returns where a key belongs that was given to a part of a configuration, such as a participant. */
function elsewhere(key: string): string {
  if (!Object.hasOwn(SETTINGS, key)) return "";
  const server = "Another server is an entry under providers, named in model: NAME:MODEL. ";
  return `${key} is a key of the whole configuration. ${key === "baseUrl" ? server : ""}`;
}

/** Returns the schema of a kind's configurations; for an unknown kind, that of every built-in kind. */
export function configurationSchema(kind: string, own: OwnKinds = new Map()): z.ZodType<object> {
  const shape = own.get(kind);
  return shape ? ownSchema(kind, shape) : isBuiltIn(kind) ? schemaFor(kind) : union;
}

/** Returns the problem of a topic that the topic rule rejects by its form, beside problems of the schema. */
function topicProblems(input: unknown): readonly FieldProblem[] {
  const { kind, topic } = objectIn(input);
  if (kind === "paper-debate" || typeof topic !== "string") return [];
  return problemsIn(() => checkTopic(topic, { topicCheck: "off" }));
}

/** Names and language tags of English, the language of the moderator's templates. */
const ENGLISH = /^en(?:glish)?(?:[-_ ]|$)/i;

/** Applies the defaults of a new convening; a preset brings its own, but its moderator has the templates in English alone. */
export function withNewDefaults(config: Checked<ConveningConfig>): object {
  const { kind, language = "en" } = config;
  // A program's own kind may have a key of this name.
  const preset = config.kind === "debate" ? config.preset : undefined;
  const fixed: readonly string[] = preset === undefined ? [] : presets[preset].fixed;
  const isModerated = kind === "debate" && !fixed.includes("moderation");
  return {
    ...preset === undefined ? defaultsOf(SETTINGS, kind, "newDefaults") : {},
    ...isModerated && !ENGLISH.test(language) ? { moderation: "model" } : {},
    ...defined(config),
  };
}

/** Adds the earlier defaults to a recorded configuration, for missing keys whose default has changed since. */
export function withEarlierDefaults(kind: string, recorded: Values): Values {
  const earlier = isBuiltIn(kind) ? defaultsOf(SETTINGS, kind, "earlierDefaults") : {};
  return { ...earlier, ...followModel(recorded, { isNew: false }) };
}

export function ownSchema(kind: string, shape: SchemaShape): z.ZodObject {
  // Every schema of a kind is a zod schema.
  return schemaOf(SETTINGS, kind).extend(shape as unknown as z.ZodRawShape);
}

/** Values by configuration key, not validated. */
type Values = Readonly<Record<string, unknown>>;

/** Default model if a key or a base URL is set. */
const DEFAULT_MODEL = "gpt-4o-mini";

interface CastModels {
  readonly moderatorModel?: string | undefined;
  /** One model for all advocates, or one per advocate in order. */
  readonly advocateModels?: readonly string[] | undefined;
  /** One model per judge. */
  readonly judgeModels?: readonly string[] | undefined;
}

/** Returns the participants and judges of a configuration with replaced models; lists without a replacement are omitted. */
export function castWith(
  configuration: Values,
  { judgeModels, ...models }: CastModels,
): { participants?: ParticipantConfig[]; judges?: JudgeConfig[] } {
  const participants = listIn<ParticipantConfig>(configuration["participants"]);
  const judges = listIn<JudgeConfig>(configuration["judges"]);
  const isOther = models.moderatorModel !== undefined || models.advocateModels !== undefined;
  return {
    ...isOther && participants.length > 0 ? { participants: withModels(participants, models) } : {},
    ...judgeModels === undefined ? {} : {
      judges: judgeModels.map((model, at) => ({
        // With the same number of judges, their other settings are kept.
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
  const count = advocateModels?.length ?? 1;
  if (count !== 1 && count !== advocates.length) {
    const state = `${count} were given for ${counted(advocates.length, "advocate")}`;
    const hint = "Give one for all advocates, or one for each in their order.";
    throw cannotUse("advocateModels", state, hint);
  }
  return participants.map((each) => {
    const at = advocates.indexOf(each);
    const advocateModel = at === -1 ? undefined : advocateModels?.[count === 1 ? 0 : at];
    const model = each.role === "moderator" ? moderatorModel : advocateModel;
    return model === undefined ? { ...each } : { ...each, model };
  });
}

/**
 * Prepares a recorded configuration to be used again, with another `model` if `isNew`. Records name the model of every role; a
 * role that had only the default loses the name and follows the new `model`, or the recorded `model` if that is a replay, since
 * a replay's name in a role has no folder.
 */
export function followModel(recorded: Values, { isNew }: { readonly isNew: boolean }): Values {
  const { model } = recorded;
  if (!isNew && !String(model).startsWith("replay:")) return recorded;
  const defaults = model === undefined
    ? ["offline", DEFAULT_MODEL]
    : [model, String(model).replace(/^replay:.*[/\\](?=[^/\\])/s, "replay:")];
  const follow = (list: unknown) =>
    Array.isArray(list)
      ? list.map(({ model, ...rest }: Values) =>
        model === undefined || defaults.includes(model) ? rest : { ...rest, model }
      )
      : list;
  const followed: Record<string, unknown> = { ...recorded };
  for (const key of ["participants", "judges", "audience"]) {
    if (key in recorded) followed[key] = follow(recorded[key]);
  }
  return followed;
}

/** Facts about a debate that are known once its participants are. */
export interface CastFacts {
  readonly hasModerator: boolean;
  readonly checksFacts: boolean;
  /** Rubric of the preset, which the user did not set. */
  readonly presetRubric?: unknown;
}

interface Contradiction {
  readonly key: string;
  readonly kinds: readonly Kind[];
  /** The other setting, in words. */
  readonly state: string;
  /** Returns true if the key's value contradicts the rest. `present` is undefined before the participants are known. */
  readonly when: (given: Values, value: unknown, present: CastFacts | undefined) => boolean;
}

function rule(
  kinds: readonly Kind[],
  key: string,
  state: string,
  when: Contradiction["when"] = () => true,
): Contradiction {
  return { kinds, key, state, when };
}

function needsJudge(key: string, when: Contradiction["when"] = () => true): Contradiction {
  return rule(
    ["debate"],
    key,
    "with scoringEnabled false: there is no judge",
    (given, value, present) =>
      present !== undefined && given["scoringEnabled"] === false && when(given, value, present),
  );
}

function needsModerator(key: string, needs: (value: unknown) => boolean): Contradiction {
  return rule(
    ["debate"],
    key,
    "there is no moderator",
    (_given, value, present) => present?.hasModerator === false && needs(value),
  );
}

const NO_DEBATE = "this is not a debate";

const CONTRADICTIONS: readonly Contradiction[] = [
  rule(
    ["paper-debate"],
    "embeddingModel",
    "passages are found by keyword, which needs no model; see retrieval",
    ({ retrieval = "keyword" }) => retrieval === "keyword",
  ),
  rule(["dialogue", "consensus", "paper-debate"], "advocateModels", NO_DEBATE),
  rule(["dialogue", "consensus"], "judgeModels", NO_DEBATE),
  rule(
    ["debate"],
    "moderatorModel",
    "there is no moderator; see moderation",
    ({ moderation }) => moderation === "none",
  ),
  rule(
    ["dialogue"],
    "moderatorModel",
    "there is no moderator; see select",
    ({ select }) => select !== "moderator",
  ),
  rule(
    ["debate"],
    "positions",
    "with participants: each advocate has its position there",
    ({ participants }) => participants !== undefined,
  ),
  rule(
    ["debate"],
    "moderation",
    "a moderator is among participants",
    (_given, value, present) => present?.hasModerator === true && value === "none",
  ),
  needsModerator("interruptions", (value) => value !== "none"),
  rule(
    ["debate"],
    "interruptions",
    "claims are not checked; see factCheck.mode",
    (_given, value, present) =>
      present?.checksFacts === false && (value === "facts" || value === "both"),
  ),
  needsModerator("adaptive", (value) => value === true),
  rule(["debate"], "noteModel", "no notes are taken; see flow", ({ flow }) => flow !== true),
  needsModerator("summaryBy", (value) => value === "moderator"),
  needsJudge("summaryBy", (_given, value) => value === "judge"),
  needsJudge("baseline", (_given, value) => value === true),
  needsJudge("scoreBy", (_given, value) => value === "round"),
  needsJudge("judges"),
  needsJudge("rubric", (_given, value, present) => value !== present?.presetRubric),
  needsJudge("judgeTemperature"),
  needsJudge("tiebreakModel"),
  rule(
    ["debate"],
    "tiebreakModel",
    'with decision "audience": no vote of a judge decides',
    ({ decision }) => decision === "audience",
  ),
  needsJudge("verdictRepeats", (_given, value) => value !== 0),
  rule(
    ["debate"],
    "pacing",
    'with exchange "alternating": a round is one turn',
    ({ exchange }, value, present) =>
      present !== undefined && exchange === "alternating" && value === "simultaneous",
  ),
  rule(
    ["debate"],
    "roundCount",
    "without openings and closings: there is no turn",
    ({ openings, closings }, value, present) =>
      present !== undefined && value === 0 && openings === false && closings === false,
  ),
];

/** Throws a `ConfigurationError` if a configuration contradicts itself. */
export function refuseContradictions(given: Values, present?: CastFacts): void {
  const problems = CONTRADICTIONS.flatMap(({ key, kinds, when, state }) => {
    const value = given[key];
    const applies = kinds.some((kind) => kind === given["kind"]);
    if (!applies || value === undefined || !when(given, value, present)) return [];
    const why = /^(?:with|without) /.test(state) ? ` ${state}` : `: ${state}`;
    const message = `Cannot use ${key}${shownValue(value)}${why}`;
    return [{ field: key, message, hint: "Leave it out, or change what it contradicts." }];
  });
  if (problems.length > 0) throw ConfigurationError.of(problems);
}

function shownValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  return "id" in value ? ` ${JSON.stringify(value.id)}` : "";
}
