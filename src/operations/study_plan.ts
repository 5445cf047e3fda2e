// Plans a study: reads and checks it, builds its cells, and forecasts calls, cost and the interval of its ratings.
import { dirname, join, resolve } from "@std/path";
import { BUILT_IN, type Catalogue, composeConvening } from "../compose.ts";
import { withNewDefaults } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { DEFAULT_OUT } from "../config/setting_shapes.ts";
import { checkArguments } from "../core/check_fields.ts";
import { ADDRESS_SETTINGS, type KeyRules } from "../core/key_rules.ts";
import { Z95 } from "../core/statistics.ts";
import { defined } from "../core/values.ts";
import { checkPrices } from "../engine/casting.ts";
import { absolutePaths, isYaml, readFile } from "../inputs/inputs.ts";
import { checkFilesOf, defaultModel, modelsOf, serversOf, withKeys } from "../inputs/servers.ts";
import { memoryRecord } from "../record/stores.ts";
import { rateNames } from "../studies/limits.ts";
import { openStudy, STUDIES, studyFolder, type StudyOnDisk } from "../studies/folder.ts";
import { configurations, isOfPapers, planOf } from "../studies/plan.ts";
import { type CheckedStudy, checkStudy, studyValue } from "../studies/read_study.ts";
import { fit } from "../studies/fit.ts";
import { hasClusters, insufficiencyOf, POINTS } from "../studies/ratings.ts";
import { type Cell, clusterOf, type StudyConfig, type StudyForecast } from "../studies/study.ts";

/** Options of planning a study. */
export interface StudyPlanOptions extends KeyRules {
  /** Folder of the archive. @default `out` of the study's base, else "convenings" */
  readonly out?: string | undefined;
  /** Known kinds and agents. @default the built-in kinds and agents */
  readonly catalogue?: Catalogue | undefined;
  /** Reads an environment variable. @default reads the process's environment, if permitted */
  readonly env?: ((name: string) => string | undefined) | undefined;
}

/** Returns the rules for API keys: a stranger may have written the addresses of a study's folder, but not of a given file. */
export function studyKeyRules(
  given: string | StudyConfig,
  { allowBaseUrls, untrusted }: KeyRules,
): KeyRules {
  const isOthers = typeof given === "string" && !isYaml(given);
  return defined({
    allowBaseUrls,
    untrusted: untrusted ?? (isOthers ? ADDRESS_SETTINGS : undefined),
  });
}

/**
 * Reads and checks a study, and plans its cells; writes nothing. `given` is the path of a study's YAML file or folder, or
 * an object. Throws a `ConfigurationError` with every wrong field.
 */
export async function planStudy(
  given: string | StudyConfig,
  { out, catalogue = BUILT_IN, env }: StudyPlanOptions = {},
): Promise<StudyOnDisk> {
  if (out !== undefined) checkArguments("planStudy", { out });
  const parse = (config: unknown) => catalogue.parse(config);
  const { value, folder, archive } = await studyAt(given);
  const checked = await checkStudy(value, {
    parse,
    read: (path) => readGiven(resolve(folder, path)),
    isPlanned: archive !== undefined,
  });
  const study = pinSettings(checked, folder, env);
  const { base } = study;
  const archiveDir = resolve(archive ?? out ?? String(base["out"] ?? DEFAULT_OUT));
  const cells = planOf(study, (config) => {
    const parsed = parse(config);
    // Keys of presets have no new defaults, or earlier plans in other languages would no longer match.
    return "preset" in parsed && parsed.preset !== undefined ? parsed : withNewDefaults(parsed);
  });
  return { ...studyFolder(join(archiveDir, STUDIES, study.study)), study, cells };
}

/**
 * Composes a convening of each format and contestant, to find errors before the study runs; asks no model and writes
 * nothing. Throws a `ConfigurationError` for an unreadable persona or rubric, for a missing API key (unless
 * `workersHaveKeys`), and for a model without a price if the study has a budget.
 */
export async function tryStudy(
  { study, cells }: StudyOnDisk,
  { catalogue = BUILT_IN, env: userEnv, workersHaveKeys = false, allowBaseUrls, untrusted }:
    & StudyPlanOptions
    & { readonly workersHaveKeys?: boolean } = {},
): Promise<void> {
  const configs = configurations(study);
  const { maxCost } = study.limits ?? {};
  const tried = new Set<string>();
  for (const cell of cells) {
    const parts = [cell.first, cell.second].map((id = "") => `${cell.format} ${id}`);
    if (parts.every((each) => tried.has(each))) continue;
    for (const each of parts) tried.add(each);
    const config = configs.of(cell) as unknown as ConveningConfig;
    // Workers have rules of their own.
    const rules = workersHaveKeys ? {} : { allowBaseUrls, untrusted };
    const env = workersHaveKeys ? withKeys(config, userEnv) : userEnv;
    checkFilesOf(config, { catalogue, env, ...rules });
    await composeConvening(config, { catalogue, env, ...rules, record: memoryRecord() });
    const models = new Set(modelsOf(config).map((model) => model ?? config.model));
    const agents = [...models].map((model) =>
      [model ?? "", { agent: catalogue.agent(model, { ...config, env, ...rules }) }] as const
    );
    await checkPrices(new Map(agents), { ...config, limits: defined({ maxCost }) });
  }
}

/** Returns the keys of a study's `rates` that apply to none of its models. */
export function unusedRates(
  study: StudyConfig,
  { catalogue, env }: Pick<StudyPlanOptions, "catalogue" | "env"> = {},
): string[] {
  if (study.rates === undefined) return [];
  const { formats, trial } = configurations(study);
  const configs = formats.map((format) => trial(format) as Partial<ConveningConfig>);
  const used = new Set(configs.flatMap((config) => {
    const { embeddingModel } = config as { readonly embeddingModel?: string };
    const models = [...modelsOf(config), config.model, embeddingModel];
    return [
      ...models.map((model = "") => ({ model })),
      ...serversOf(config, { catalogue, env }).map((source) => ({ model: "", source })),
    ].flatMap(rateNames);
  }));
  return Object.keys(study.rates).filter((name) => !used.has(name));
}

/** Returns the study's value, the base folder of its relative paths, and the archive if the study is already in one. */
async function studyAt(
  given: string | StudyConfig,
): Promise<{ value: unknown; folder: string; archive?: string }> {
  if (typeof given !== "string") return { value: given, folder: resolve() };
  const path = resolve(given);
  if (isYaml(path)) {
    return { value: studyValue(await readGiven(path), path), folder: dirname(path) };
  }
  const { study, archive } = await openStudy(path);
  return { value: study, folder: path, archive };
}

async function readGiven(path: string): Promise<string> {
  const hint = "Give a file that can be read.";
  return await readFile(path, { what: "the study's file", field: path, hint });
}

/** Makes paths absolute and sets the default model, so that every run of the study has the same convenings. */
function pinSettings(
  study: CheckedStudy,
  folder: string,
  env: StudyPlanOptions["env"],
): CheckedStudy {
  const { base, formats } = study;
  const model = base["model"] ?? defaultModel({ ...base, env });
  const absolute = formats !== undefined && !Array.isArray(formats)
    ? Object.fromEntries(
      Object.entries(formats).map(([name, each]) => [name, absolutePaths(each, folder)]),
    )
    : formats;
  return defined({
    ...absolutePaths(study, folder),
    // The cast is safe: `base` is a configuration without a topic.
    base: { ...absolutePaths(base as object, folder), kind: base.kind, model },
    formats: absolute,
  });
}

/**
 * Forecasts the calls, tokens, cost and precision of a study from one planned convening of each format, pair and seating. Asks no
 * model and writes nothing. Throws as {@linkcode planStudy} does.
 */
export async function forecastStudy(
  given: string | StudyConfig,
  options: StudyPlanOptions = {},
): Promise<StudyForecast> {
  const { study, dir, cells } = await planStudy(given, options);
  const { catalogue, env } = options;
  const composed = { catalogue, env, ...studyKeyRules(given, options) };
  const configs = configurations(study);
  // The convenings of a group differ only in topic and seed.
  const groups = Map.groupBy(
    cells,
    ({ format, first, second, topic }) =>
      JSON.stringify([format, first, second, isOfPapers(study) ? topic : ""]),
  );
  const models: Record<string, number> = {};
  const judged: Cell[] = [];
  let calls = 0;
  let maxTokens = 0;
  let maxCost: number | "unknown" = 0;
  for (const group of groups.values()) {
    const config = configs.of(group[0]!) as unknown as ConveningConfig;
    const { scoringEnabled } = config as { readonly scoringEnabled?: boolean };
    if (scoringEnabled !== false) judged.push(...group);
    checkFilesOf(config, composed);
    const workflow = await composeConvening(config, { ...composed, record: memoryRecord() });
    const plan = await workflow.plan();
    calls += plan.calls * group.length;
    maxTokens += plan.maxTokens * group.length;
    for (const [model, count] of Object.entries(plan.models)) {
      models[model] = (models[model] ?? 0) + count * group.length;
    }
    maxCost = maxCost === "unknown" || plan.maxCost === "unknown"
      ? "unknown"
      : maxCost + plan.maxCost * group.length;
  }
  const { contestants, limits = {} } = study;
  return {
    study: study.study,
    dir,
    planned: cells.length,
    calls,
    maxTokens,
    maxCost: maxCost === "unknown" ? maxCost : Math.min(maxCost, limits.maxCost ?? Infinity),
    models,
    ...defined({ interval: contestants && expectedInterval(judged) }),
    unusedRates: unusedRates(study, options),
  };
}

const TIES = 0.2;

/**
 * Returns half the width of the widest 95 % interval of a rating, in points, if contestants are equal and the share
 * {@linkcode TIES} of the debates tie; undefined if the pairs do not connect the contestants, or no contestant gets a rating.
 */
function expectedInterval(cells: readonly Cell[]): number | undefined {
  const even = cells.map((cell) => ({
    first: cell.first!,
    second: cell.second!,
    score: 0.5,
    weight: 1 - TIES,
    x: [],
    cluster: clusterOf(cell),
  }));
  const fitted = fit(even, { ridge: 0, ties: "half", side: false, covariates: 0 });
  if (fitted === undefined) return undefined;
  // Ratings also estimate the effects of seat and length, and ties; with few clusters this widens intervals.
  const parameters = [...fitted.parameters, "side", "length", "log tie"];
  const clusters = new Set(even.map(({ cluster }) => cluster)).size;
  const factor = hasClusters(even, { ...fitted, parameters })
    ? clusters / (clusters - (parameters.length - 1))
    : 1;
  const errors = fitted.names.flatMap((name, at) => {
    const own = even.filter(({ first, second }) => name === first || name === second);
    const error = Math.sqrt(factor * fitted.covariance[at]![at]!);
    const decided = Math.round((1 - TIES) * own.length);
    // All opponents of the plan are met.
    const lacks = insufficiencyOf({ decided, opponents: 0, planned: 0, error });
    return lacks === undefined ? [error] : [];
  });
  return errors.length === 0 ? undefined : Math.round(POINTS * Z95 * Math.max(...errors));
}
