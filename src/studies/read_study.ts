// Parses and checks the configuration of a study, from study.yaml or a program's object.
import { z } from "zod";
import type {
  ConveningConfig,
  DebateConfig,
  PaperDebateConfig,
} from "../config/convening_config.ts";
import {
  ConfigurationError,
  type FieldProblem,
  fieldProblem,
  MOST_PROBLEMS,
  problemsIn,
} from "../core/error.ts";
import { jsonIn } from "../core/values.ts";
import { DEVICE } from "../core/files.ts";
import { yamlIn } from "../core/yaml.ts";
import { didYouMean } from "../core/text.ts";
import { IN_PLAIN_WORDS, problemsOf } from "../core/check_fields.ts";
import { checkTopic, type TopicRules } from "../core/topic.ts";
import { isBuiltIn } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { configurations, isOfPapers, papersOf, roleOfContestants } from "./plan.ts";
import type { StudyConfig, StudyTopic } from "./study.ts";

/** A checked configuration of a study. */
export interface CheckedStudy extends StudyConfig {
  /** Topics, read in if they were in a file; absent for paper debates. */
  readonly topics?: readonly StudyTopic[] | undefined;
}

interface StudyReader {
  /** Checks the configuration of a convening; throws a `ConfigurationError`. */
  readonly parse: (config: unknown) => unknown;
  /** Returns the text of a file that the study names. */
  readonly read: (path: string) => Promise<string>;
  /** True for the study of a folder; earlier versions planned with participants that contestants replace. */
  readonly isPlanned: boolean;
}

const ID_HINT = "Give an id: small letters, digits and '-', at most 64.";
/** Shape of ids of studies, topics, contestants and formats. */
export const id: z.ZodString = z.string(ID_HINT).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, ID_HINT);

/** Shape of SPDX licence expressions. */
export const license: z.ZodString = z.string().max(100).regex(
  /^[A-Za-z0-9][A-Za-z0-9.+-]*( (AND|OR|WITH) [A-Za-z0-9][A-Za-z0-9.+-]*)*$/,
  "Name the licence as SPDX does, such as CC-BY-4.0.",
);

const count = z.int().min(1);
const entries = z.array(
  z.looseObject({ model: z.string().optional(), persona: z.string().optional() }),
);
/** Shape of the keys of a configuration that are used before the configuration is checked. */
const settings = z.looseObject({
  out: z.string().optional(),
  participants: entries.optional(),
  judges: entries.optional(),
  papers: z.array(z.string()).optional(),
  refusedTerms: z.array(z.string()).optional(),
});

const topicEntry = z.strictObject({ id, topic: z.string() });
const topicList = z.array(topicEntry).min(1);
const TOPICS_HINT = "Give a list of topics, each with id and topic, or { file: topics.jsonl }.";

const FORMATS_HINT = "Give at least one format: names, or configurations by name.";

const STUDY = z.strictObject({
  study: id,
  base: z.looseObject(
    { ...settings.shape, kind: z.string() },
    "Give the kind and the settings of all convenings.",
  ),
  topics: z.union([topicList, z.strictObject({ file: z.string().min(1) })], TOPICS_HINT)
    .optional(),
  papers: z.array(z.string().min(1)).min(1).optional(),
  questions: count.max(100).optional(),
  contestants: z.array(z.looseObject({ id })).min(2).optional(),
  pairs: z.union([
    z.literal("all"),
    z.array(z.tuple([z.string(), z.string()])).min(1),
    z.strictObject({ against: z.string() }),
    z.strictObject({ sample: count }),
  ], "Give all, pairs such as [[a, b]], { against: a } or { sample: 200 }.").optional(),
  sides: z.enum(["both", "as-given"]).optional(),
  formats: z.union([
    z.array(z.string()).min(1),
    z.record(id, settings).refine((given) => Object.keys(given).length > 0, FORMATS_HINT),
  ], FORMATS_HINT).optional(),
  seeds: z.union(
    [count.max(1000), z.array(z.int().min(0).max(0xffffffff)).min(1)],
    "Give 1 to 1,000 repeats, or a list of seeds such as [1, 2].",
  ).optional(),
  seed: z.int().min(0).max(0xffffffff).optional(),
  judges: entries.min(1).optional(),
  excludeOwn: z.boolean().optional(),
  limits: z.strictObject({
    maxCost: z.number().positive().optional(),
    maxDebates: count.optional(),
    maxFailures: z.number().min(0).max(1).optional(),
  }).optional(),
  concurrency: count.max(1000).optional(),
  rates: z.record(
    z.string(),
    z.strictObject({
      requestsPerMinute: z.number().positive().optional(),
      tokensPerMinute: z.number().positive().optional(),
    }),
  ).optional(),
  ratings: z.strictObject({
    ties: z.enum(["davidson", "half"]).optional(),
    side: z.boolean().optional(),
    covariates: z.array(z.enum(["length"])).optional(),
    ridge: z.number().min(0).optional(),
    bootstrap: z.int().min(0).max(10_000).optional(),
  }).optional(),
  license: license.optional(),
});

/** Shape of study.yaml in a study's folder: topics are a list, not a file. */
const KEPT = STUDY.extend({ topics: topicList.optional() });

const NAMES = { whole: "study", part: "key" } as const;

/** Parses YAML; throws a `ConfigurationError` for invalid YAML, and for aliases that inflate it. */
export function studyValue(text: string, path: string): unknown {
  return yamlIn(
    text,
    (reason) =>
      new ConfigurationError(`Cannot use the study "${path}": ${reason}`, {
        field: path,
        hint: "Give a YAML file with the keys study, base and topics.",
      }),
  );
}

/** Parses the study.yaml of a study's folder; the settings of convenings are checked at the next run. */
export function keptStudy(text: string, path: string): CheckedStudy {
  return KEPT.parse(studyValue(text, path)) as unknown as CheckedStudy;
}

/** Checks a study and reads the file of topics. Throws a `ConfigurationError` that names every wrong field. */
export async function checkStudy(value: unknown, reader: StudyReader): Promise<CheckedStudy> {
  const input = value ?? {};
  const result = STUDY.safeParse(input, IN_PLAIN_WORDS);
  if (!result.success) {
    const { issues } = result.error;
    throw refusal(problemsOf(input, { issues, names: NAMES }));
  }
  // Zod drops this key without an error.
  const [hidden] = valuesIn(input).find(([path]) => path.at(-1) === "__proto__") ?? [];
  if (hidden !== undefined) {
    const field = hidden.join(".");
    const message = `Cannot use the study: unknown key "${field}"`;
    throw refusal([{ field, message, hint: "Leave it out." }]);
  }
  // The contents of base, formats, contestants and judges are checked below.
  const read = result.data as unknown as StudyConfig;
  const { topics } = read;
  const study: CheckedStudy = topics !== undefined && "file" in topics
    ? { ...read, topics: readTopics(await reader.read(topics.file), topics.file) }
    : { ...read, topics };
  const problems = [...planProblems(study)];
  if (!reader.isPlanned && DEVICE.test(study.study)) {
    const state = `Windows keeps the name "${study.study}" for a device`;
    problems.push(fieldProblem("study", state, "Give another id."));
  }
  if (problems.length === 0) problems.push(...settingProblems(study, reader));
  if (problems.length === 0) problems.push(...secretProblems(study));
  if (problems.length > 0) throw refusal(problems);
  return study;
}

function refusal(problems: readonly FieldProblem[]): ConfigurationError {
  return ConfigurationError.of(problems, undefined, "study");
}

function readTopics(text: string, path: string): StudyTopic[] {
  const problems: FieldProblem[] = [];
  const topics = text.replace(/^\uFEFF/, "").split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const parsed = topicEntry.safeParse(jsonIn(line));
    if (parsed.success) return [parsed.data];
    problems.push(fieldProblem(`${path}:${index + 1}`, "it is not a topic", LINES));
    return [];
  });
  if (topics.length === 0 && problems.length === 0) {
    problems.push(fieldProblem("topics.file", `"${path}" has no topic`, LINES));
  }
  if (problems.length > 0) throw refusal(problems.slice(0, MOST_PROBLEMS));
  return topics;
}

const LINES = 'Give a line such as {"id": "cars", "topic": "Cities should ban cars"} for each.';

function missing(field: string, hint: string): FieldProblem {
  return { field, message: `Cannot use the study: ${field} is missing`, hint };
}

/** Ids of other participants and judges, and the label of a tie; not allowed for contestants. */
const RESERVED =
  /^(?:tie|moderator|questioner|reporter|fact-checker|audience|judge|(?:judge|listener)-\d+)$/;

/** Keys that a study sets for each convening, with the key of the study to use instead. */
const GIVEN = { topic: "topics", seed: "seed", pick: "questions" } as const;

/** Yields contradictions between the keys of a study. */
function* planProblems(study: CheckedStudy): Generator<FieldProblem> {
  const { base, topics, contestants = [], pairs } = study;
  const ofPapers = isOfPapers(study);
  yield* takenKeyProblems("base", base, GIVEN);
  for (const key of isBuiltIn(base.kind) ? Object.keys(STUDY.shape) : []) {
    if (!Object.hasOwn(base, key) || Object.hasOwn(SETTINGS, key) || key in GIVEN) continue;
    yield fieldProblem(`base.${key}`, "it is a key of the study", `Give ${key} beside base.`);
  }
  if (ofPapers && topics !== undefined) {
    yield fieldProblem("topics", "papers give the topics", "Leave topics out.");
  }
  if (ofPapers && papersOf(study).length === 0) yield missing("papers", "Give the papers' files.");
  if (!ofPapers && topics === undefined) yield missing("topics", TOPICS_HINT);
  for (const key of ["papers", "questions"] as const) {
    if (ofPapers || study[key] === undefined) continue;
    yield fieldProblem(key, "this is not a study of paper debates", `Leave ${key} out.`);
  }
  yield* duplicateIds("topics", topics ?? []);
  yield* duplicateIds("contestants", contestants);
  for (const [index, { topic }] of topics?.entries() ?? []) {
    yield* problemsAs(() => checkTopic(topic, base as TopicRules), () => `topics.${index}.topic`);
  }
  yield* formatProblems(study);
  if (study.contestants !== undefined) {
    yield* contestantProblems(study, contestants.map((each) => each.id));
  } else if (pairs !== undefined) {
    yield fieldProblem("pairs", "the study has no contestants", "Give contestants.");
  }
}

function* duplicateIds(
  field: string,
  entries: readonly { readonly id: string }[],
): Generator<FieldProblem> {
  const hint = "Give every entry an id of its own.";
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id)) yield fieldProblem(`${field}.${index}.id`, `"${id}" is taken`, hint);
    seen.add(id);
  }
}

/** Yields a problem for each key of a configuration that the study sets instead. */
function* takenKeyProblems(
  field: string,
  settings: object,
  taken: Readonly<Record<string, string>>,
): Generator<FieldProblem> {
  for (const [key, instead] of Object.entries(taken)) {
    if (!Object.hasOwn(settings, key)) continue;
    const state = `the study gives each convening its ${key}`;
    yield fieldProblem(`${field}.${key}`, state, `Give ${instead}.`);
  }
}

function* formatProblems(study: CheckedStudy): Generator<FieldProblem> {
  const { base, formats = {}, judges } = study;
  if (Array.isArray(formats)) {
    if (base.kind === "debate") return;
    return yield fieldProblem("formats", `a ${base.kind} has none`, "Give configurations by name.");
  }
  const taken = {
    ...GIVEN,
    out: "base.out",
    ...isOfPapers(study) && { papers: "papers" },
    ...judges && { judges: "judges in each format, or only those of the study" },
  };
  for (const [name, settings] of Object.entries(formats)) {
    yield* takenKeyProblems(`formats.${name}`, settings, taken);
  }
}

function* contestantProblems(study: CheckedStudy, ids: readonly string[]): Generator<FieldProblem> {
  const { pairs = "all" } = study;
  for (const [index, id] of ids.entries()) {
    const field = `contestants.${index}`;
    if (RESERVED.test(id)) {
      yield fieldProblem(`${field}.id`, `"${id}" has another meaning`, "Give another id.");
    }
    if (Object.hasOwn(study.contestants![index]!, "position")) {
      const hint = "Give base.positions, the first seat's first.";
      yield fieldProblem(`${field}.position`, "contestants exchange their seats", hint);
    }
  }
  const named = typeof pairs === "string" || "sample" in pairs
    ? []
    : "against" in pairs
    ? [["pairs.against", pairs.against] as const]
    : pairs.flatMap((pair, index) => pair.map((id) => [`pairs.${index}`, id] as const));
  for (const [field, id] of named) {
    if (ids.includes(id)) continue;
    const hint = `${didYouMean(id, ids)}Contestants: ${ids.join(", ")}`;
    yield fieldProblem(field, `there is no contestant "${id}"`, hint);
  }
  if (!Array.isArray(pairs)) return;
  for (const [index, [first, second]] of pairs.entries()) {
    if (first !== second) continue;
    yield fieldProblem(`pairs.${index}`, `both sides are "${first}"`, "Give two contestants.");
  }
}

/** Returns the problems of convenings' configurations, with fields named as in the study. */
function settingProblems(
  study: CheckedStudy,
  { parse, isPlanned }: StudyReader,
): FieldProblem[] {
  const { contestants, base: { kind } } = study;
  const hasSides = contestants === undefined || kind === "debate" || kind === "paper-debate";
  const tried = hasSides ? study : { ...study, contestants: undefined };
  const problems = new Map<string, FieldProblem>();
  const { trial, formats } = configurations(tried);
  for (const format of formats) {
    const nameOf = (field: string) => fieldOf(field, tried, format);
    for (const each of problemsAs(() => parse(trial(format)), nameOf)) {
      problems.set(each.field, each);
    }
  }
  const found = [...problems.values()];
  if (hasSides) return isPlanned ? found : [...found, ...seatProblems(study)];
  if (problems.has("base.kind")) return found;
  const hint = "Leave contestants out, or give a base of the kind debate.";
  return [fieldProblem("contestants", `a ${kind} has no sides`, hint), ...found];
}

/** Yields a problem for each setting of seats that the contestants replace. */
function* seatProblems(study: CheckedStudy): Generator<FieldProblem> {
  if (study.contestants === undefined) return;
  const seat = roleOfContestants(study.base.kind);
  for (const [from, settings] of settingsIn(study)) {
    const { participants = [], speakingOrder = "given", postures = 2 } = settings as Partial<
      DebateConfig & PaperDebateConfig
    >;
    const state = "the contestants take the seats";
    for (const [at, { role = seat }] of participants.entries()) {
      if (role !== seat) continue;
      const hint = "Give its keys to the contestants, or leave it out.";
      yield fieldProblem(`${from}.participants.${at}`, state, hint);
    }
    if (speakingOrder !== "given") {
      yield fieldProblem(`${from}.speakingOrder`, state, "Leave it out.");
    }
    if (postures !== 2) yield fieldProblem(`${from}.postures`, state, "Leave it out.");
  }
}

/** Returns the base and the named formats of a study, each with its key. */
function settingsIn({ base, formats = [] }: CheckedStudy) {
  const named = Array.isArray(formats) ? [] : Object.entries(formats);
  return [
    ["base", base] as const,
    ...named.map(([name, each]) => [`formats.${name}`, each] as const),
  ];
}

const SECRET = /(?:(?<!cache_)key|token|secret|password|authorization|credentials?)$/i;

/** Returns a problem for each possible secret in headers, `extraBody` or URLs, because study.yaml is stored on disk. */
function secretProblems(study: CheckedStudy): FieldProblem[] {
  return settingsIn(study).flatMap(([from, { baseUrl, providers, factCheck }]) =>
    [...valuesIn({ baseUrl, providers, factCheck })].filter(holdsSecret).map(([path]) => {
      const hint =
        "Send it in a header, by the name of a variable such as ${MY_KEY}, and set the variable.";
      return fieldProblem([from, ...path].join("."), "study.yaml would keep its value", hint);
    })
  );
}

function holdsSecret([path, value]: readonly [readonly string[], unknown]): boolean {
  if (typeof value !== "string") return false;
  const [top, , part, ...rest] = path;
  // Allowed: a variable, with an optional scheme before it, such as `Bearer ${MY_KEY}`.
  if (top === "providers" && part === "headers") return !/^(?:[A-Za-z]+ )?\$\{\w+\}$/.test(value);
  if (path.includes("extraBody")) return rest.some((name) => SECRET.test(name));
  const query = /Url$/.test(path.at(-1)!) ? URL.parse(value)?.searchParams.keys() : undefined;
  return query?.some((name) => SECRET.test(name)) === true;
}

function* valuesIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [path: readonly string[], value: unknown]> {
  if (value === null || typeof value !== "object") return;
  for (const [key, each] of Object.entries(value)) {
    yield [[...path, key], each];
    yield* valuesIn(each, [...path, key]);
  }
}

/** Returns the key of the study from which a key of a convening's configuration comes. */
function fieldOf(field: string, study: CheckedStudy, format: string): string {
  const [top = "", ...rest] = field.split(".");
  if (top === "judges" && study.judges !== undefined) return field;
  const { base, contestants, formats } = study;
  if (top === "debateFormat" && Array.isArray(formats)) return `formats.${formats.indexOf(format)}`;
  const ofFormat = formats === undefined || Array.isArray(formats)
    ? undefined
    : (formats as Readonly<Record<string, object>>)[format];
  const [from, settings] = ofFormat !== undefined && Object.hasOwn(ofFormat, top)
    ? [`formats.${format}`, ofFormat]
    : ["base", base];
  if (top !== "participants" || contestants === undefined) return `${from}.${field}`;
  const [place = "", ...key] = rest;
  const others = Number(place) - contestants.length;
  if (!(others >= 0)) return ["contestants", ...rest].join(".");
  // The other participants follow the contestants.
  const role = roleOfContestants(base.kind);
  const { participants = [] } = settings as Pick<ConveningConfig, "participants">;
  const places = participants.flatMap((each, at) => (each.role ?? role) === role ? [] : [at]);
  return [from, top, places[others], ...key].join(".");
}

/** Runs a check and returns its problems, with fields renamed by `nameOf`. */
function problemsAs(check: () => unknown, nameOf: (field: string) => string): FieldProblem[] {
  return problemsIn(check).map((each) => {
    const name = nameOf(each.field);
    const message = each.message.replace("use the configuration:", "use the study:")
      .replace(`the ${each.field}`, each.field).replace(each.field, () => name);
    return { field: name, message, hint: each.hint };
  });
}
