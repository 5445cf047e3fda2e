// Plans a study: reads and checks it, makes its cells, and forecasts calls, cost and the interval of its ratings.
import { dirname, join, resolve } from "@std/path";
import { BUILT_IN, type Catalogue, composeConvening, type OwnConfig } from "../compose.ts";
import { asNew } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { DEFAULT_OUT } from "../config/setting_shapes.ts";
import { defined } from "../core/values.ts";
import { ConfigurationError } from "../core/error.ts";
import { checkPrices } from "../engine/casting.ts";
import { absolutePaths } from "../inputs/inputs.ts";
import { defaultModel, modelsOf, withKeys } from "../inputs/servers.ts";
import { userFiles } from "../record/disk_files.ts";
import { memoryRecord } from "../record/stores.ts";
import { openStudy, STUDIES, studyFolder, type StudyOnDisk } from "../studies/folder.ts";
import { configurations, isOfPapers, planOf } from "../studies/plan.ts";
import { type CheckedStudy, checkStudy, studyValue } from "../studies/read_study.ts";
import type { StudyConfig } from "../studies/study.ts";

/** Options of planning a study. */
export interface StudyPlanOptions {
  /** The archive's folder. @default `out` of the study's base, else "convenings" */
  readonly out?: string | undefined;
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
  /** Reads an environment variable. @default the process's, where that is permitted */
  readonly env?: ((name: string) => string | undefined) | undefined;
}

/**
 * Reads and checks a study and makes its plan; writes nothing. `given` is the path of a study's YAML file or of its folder,
 * or an object. Fails with a `ConfigurationError` that names every wrong field.
 */
export async function planStudy(
  given: string | StudyConfig,
  { out, catalogue = BUILT_IN, env }: StudyPlanOptions = {},
): Promise<StudyOnDisk> {
  const parse = (config: unknown) => catalogue.parse(config);
  const { value, folder, archive } = await studyAt(given);
  const checked = await checkStudy(value, {
    parse,
    read: (path) => readGiven(resolve(folder, path)),
  });
  const study = settled(checked, folder, env);
  const { base } = study;
  const place = resolve(archive ?? out ?? String(base["out"] ?? DEFAULT_OUT));
  const cells = planOf(study, (config) => asNew(parse(config)));
  return { ...studyFolder(join(place, STUDIES, study.study)), study, cells };
}

/**
 * Composes a convening of each format and contestant; asks no model and writes nothing. Fails as they would begin: with a
 * `ConfigurationError` for a persona or rubric that cannot be read, a key that is not set unless workers have the keys,
 * and a model without a price where the study has a budget.
 */
export async function tryStudy(
  { study, cells }: StudyOnDisk,
  { catalogue = BUILT_IN, env: own, workersHaveKeys = false }: StudyPlanOptions & {
    readonly workersHaveKeys?: boolean;
  } = {},
): Promise<void> {
  const made = configurations(study);
  const { maxCost } = study.limits ?? {};
  const tried = new Set<string>();
  for (const cell of cells) {
    const parts = [cell.first, cell.second].map((id = "") => `${cell.format} ${id}`);
    if (parts.every((each) => tried.has(each))) continue;
    for (const each of parts) tried.add(each);
    const config = made.of(cell) as unknown as ConveningConfig;
    const env = workersHaveKeys ? withKeys(config, own) : own;
    await composeConvening(config, { catalogue, env, record: memoryRecord() });
    const models = new Set(modelsOf(config).map((model) => model ?? config.model));
    const agents = [...models].map((model) =>
      [model ?? "", { agent: catalogue.agent(model, { ...config, env }) }] as const
    );
    await checkPrices(new Map(agents), { ...config, limits: defined({ maxCost }) });
  }
}

/** The study's value, the folder that its paths mean, and the archive where the study is in one already. */
async function studyAt(
  given: string | StudyConfig,
): Promise<{ value: unknown; folder: string; archive?: string }> {
  if (typeof given !== "string") return { value: given, folder: resolve() };
  const path = resolve(given);
  if (/\.ya?ml$/i.test(path)) {
    return { value: studyValue(await readGiven(path), path), folder: dirname(path) };
  }
  const { study, archive } = await openStudy(path);
  return { value: study, folder: path, archive };
}

async function readGiven(path: string): Promise<string> {
  try {
    return await userFiles.read(path);
  } catch (cause) {
    throw new ConfigurationError(`Cannot read the study's file "${path}"`, {
      field: path,
      hint: "Give a file that can be read.",
      cause,
    });
  }
}

/** A study whose paths are absolute and whose default model is named, so that every run holds the same convenings. */
function settled(
  study: CheckedStudy,
  folder: string,
  env: StudyPlanOptions["env"],
): CheckedStudy {
  const { base, formats } = study;
  const model = base["model"] ?? defaultModel({ ...base, env });
  const own = formats !== undefined && !Array.isArray(formats)
    ? Object.fromEntries(
      Object.entries(formats).map(([name, each]) => [name, absolutePaths(each, folder)]),
    )
    : formats;
  return defined({
    ...absolutePaths(study, folder),
    // A base is a configuration without its topic.
    base: { ...absolutePaths(base as object, folder), kind: base.kind, model },
    formats: own,
  });
}

/** Forecast of a study. */
export interface StudyForecast {
  /** The study's name. */
  readonly study: string;
  /** The absolute path of the folder that a run makes or resumes. */
  readonly dir: string;
  /** Number of convenings. */
  readonly planned: number;
  /** Requests to agents, without retries and repairs. */
  readonly calls: number;
  /** Tokens of prompts and replies, at most. */
  readonly maxTokens: number;
  /** US dollars for those tokens, as known before; the study's budget where that is less. */
  readonly maxCost: number | "unknown";
  /** Number of calls by model. */
  readonly models: Readonly<Record<string, number>>;
  /** Half the width of the 95 % interval of a rating, in points, at a fifth of ties; absent without contestants. */
  readonly interval?: number;
}

/**
 * Plans a study and one convening of each format and pair, and counts; asks no model and writes nothing. Fails as
 * {@linkcode planStudy} does.
 */
export async function forecastStudy(
  given: string | StudyConfig,
  options: StudyPlanOptions = {},
): Promise<StudyForecast> {
  const { study, dir, cells } = await planStudy(given, options);
  const { catalogue, env } = options;
  const made = configurations(study);
  // Convenings of a group differ in their topics and seeds, and in who sits where.
  const groups = Map.groupBy(
    cells,
    ({ format, first = "", second = "", topic }) =>
      JSON.stringify([format, [first, second].sort(), isOfPapers(study) ? topic : ""]),
  );
  const models: Record<string, number> = {};
  let [calls, maxTokens]: [number, number] = [0, 0];
  let maxCost: number | "unknown" = 0;
  for (const group of groups.values()) {
    const config = made.of(group[0]!) as unknown as OwnConfig;
    const workflow = await composeConvening(config, { catalogue, env, record: memoryRecord() });
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
  const { contestants = [], limits = {} } = study;
  const interval = expectedInterval({
    contestants: contestants.length,
    debates: cells.length * 2 / contestants.length,
  });
  return {
    study: study.study,
    dir,
    planned: cells.length,
    calls,
    maxTokens,
    maxCost: maxCost === "unknown" ? maxCost : Math.min(maxCost, limits.maxCost ?? Infinity),
    models,
    ...interval === undefined ? {} : { interval: Math.round(interval) },
  };
}

/**
 * Half the width of the 95 % interval of a rating, in points, where each of `contestants` holds `debates` debates and
 * `ties` is the share of ties; of a difference of two ratings √2 times as much. Undefined of fewer than two contestants
 * or without decided debates.
 */
function expectedInterval(
  { contestants, debates, ties = 0.2 }: {
    readonly contestants: number;
    readonly debates: number;
    /** From 0 to 1. @default 0.2 */
    readonly ties?: number | undefined;
  },
): number | undefined {
  const decided = debates * (1 - ties);
  if (contestants < 2 || decided <= 0) return undefined;
  return 341 * Math.sqrt(4 * (contestants - 1) / (decided * contestants));
}
