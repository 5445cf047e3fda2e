// A study as every door shows it: the schema of its state, and the state by the folder and by this process.
import { join } from "@std/path";
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import { counted } from "../core/text.ts";
import { filesBelow } from "../record/disk_files.ts";
import type { StudyStatus } from "../studies/status.ts";
import { type Given, named, type ReadingContext } from "./operation.ts";
import { links } from "./outputs.ts";
import { withoutPaths } from "./problems.ts";
import type { StudyForecast } from "./study_forecast.ts";

const text = z.string();
const count = z.int().min(0);

/** The id of a study. */
export const STUDY_ID: z.ZodString = z.string().describe("The study's id, as list_studies has it.");

/** Keys that the rows of operations on a study share. */
export const OF_STUDY = { tags: ["studies"], errors: ["not_found", "record_corrupt"] } as const;

/** The state of a study. */
export const studyOutput = named(
  "Study",
  z.object({
    id: text,
    state: z.enum(["running", "unfinished", "completed", "unreadable"]).describe(
      "running while a process runs it; unfinished where convenings are left, or failed; unreadable where its files are damaged.",
    ),
    why: text.nullable().describe("The reason why it is unfinished; null otherwise."),
    planned: count.describe("Convenings of the plan."),
    done: count.describe("Convenings that ended."),
    failed: count.describe("Convenings that failed."),
    running: count.describe("Convenings that a process runs."),
    codes: z.record(text, count).describe("Failed convenings by the code of the error."),
    perMinute: z.number().nullable().describe("Convenings a minute; null where too few ended."),
    minutesLeft: z.number().nullable().describe("Minutes until the end at this rate, about."),
    costUsd: z.number().describe("US dollars so far, as far as prices are known."),
    maxCost: z.number().nullable().describe("The limit in US dollars; null for none."),
    links,
  }),
);

/** The state of a study as JSON. */
export type StudyJson = Given<z.output<typeof studyOutput>>;

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The folder of a study of an archive. Fails with `not_found` where there is none. */
export async function studyDir(
  { out, dir: given }: Pick<ReadingContext, "out" | "dir">,
  id: string,
): Promise<string> {
  const dir = given ?? join(out, "studies", id);
  const isThere = (given !== undefined || ID.test(id)) &&
    await filesBelow(given ?? out).stat(join(dir, "plan.jsonl")) !== undefined;
  if (isThere) return dir;
  throw new ConveningError("not_found", `Cannot find study "${id.slice(0, 100)}"`, {
    field: "id",
    hint: "GET /api/studies lists what there is.",
  });
}

/** The ids of an archive's studies, sorted. */
export async function studyIds(out: string): Promise<readonly string[]> {
  const files = filesBelow(out);
  const folder = join(out, "studies");
  if (await files.stat(folder) === undefined) return [];
  const entries = (await files.list(folder)).filter(({ name, isFolder }) =>
    isFolder && ID.test(name)
  );
  return entries.map(({ name }) => name).sort();
}

/** The state of a study: that of the run of this process, else by the study's folder. */
export async function studyJson(
  context: Pick<ReadingContext, "out" | "dir" | "pool">,
  id: string,
): Promise<StudyJson> {
  const dir = await studyDir(context, id);
  const { studyStatus } = await import("./studies.ts");
  try {
    return shownStudy(context.pool?.studies.run(id)?.progress ?? await studyStatus(dir));
  } catch (error) {
    throw withoutPaths(error, context.out);
  }
}

/** A status as JSON. */
export function shownStudy(
  { study: id, dir: _dir, isRunning, isSpent, ...status }: StudyStatus,
): StudyJson {
  const { planned, done, failed } = status;
  const state = isRunning ? "running" : done === planned ? "completed" : "unfinished";
  const left = planned - done - failed;
  const reason = isSpent ? "the budget is spent" : "no process runs the study";
  const reasons = [
    ...failed === 0 ? [] : [`${counted(failed, "convening")} failed`],
    ...left === 0 ? [] : [`${counted(left, "convening")} left, and ${reason}`],
  ];
  return {
    id,
    state,
    why: state === "unfinished" ? `${reasons.join("; ")}.` : null,
    ...status,
    maxCost: status.maxCost ?? null,
    perMinute: status.perMinute ?? null,
    minutesLeft: status.minutesLeft ?? null,
    links: studyLinks(id),
  };
}

/** Links to a study's resources: paths of this server. */
export function studyLinks(id: string): Readonly<Record<string, string>> {
  const self = `/api/studies/${id}`;
  return { self, events: `${self}/events`, debates: `${self}/debates` };
}

/** A study whose files cannot be read, in a list. */
export function unreadableStudy(study: string, error: unknown): StudyJson {
  if (!(error instanceof ConveningError)) throw error;
  const counts = { planned: 0, done: 0, failed: 0, running: 0, costUsd: 0 };
  const status = {
    study,
    dir: "",
    isRunning: false,
    isSpent: false,
    codes: { [error.code]: 1 },
    ...counts,
  };
  return { ...shownStudy(status), state: "unreadable", why: null };
}

/** The forecast of a study as every door shows it. */
export interface ForecastJson
  extends Omit<StudyForecast, "study" | "dir" | "maxCost" | "interval"> {
  /** The study's id. */
  readonly id: string;
  /** US dollars, at most. */
  readonly costUsd: number | "unknown";
  /** Half the width of a rating's 95 % interval, in points; null without contestants. */
  readonly interval: number | null;
}

/** A forecast as JSON. */
export function forecastJson(
  { study: id, dir: _dir, maxCost, interval, ...counts }: StudyForecast,
): ForecastJson {
  return { id, ...counts, costUsd: maxCost, interval: interval ?? null };
}
