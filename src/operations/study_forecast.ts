// The forecast of a study before it runs: calls, the most they can cost, and the interval of its ratings.
import { composeConvening, type OwnConfig } from "../compose.ts";
import { memoryRecord } from "../record/memory_files.ts";
import { configurations, isOfPapers } from "../studies/plan.ts";
import type { StudyConfig } from "../studies/study.ts";
import { planStudy, type StudyPlanOptions } from "./study_plan.ts";

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
