// Studies for clients of a server: checks a study that a client sends, and converts states and forecasts into JSON.
import { join } from "@std/path";
import { z } from "zod";
import { cannotUse, ConveningError } from "../core/error.ts";
import { valueText } from "../core/check_fields.ts";
import { money } from "../core/message.ts";
import { counted, durationText, thousands } from "../core/text.ts";
import { isObject, type JsonObject } from "../core/values.ts";
import { byNumber } from "../record/archive.ts";
import { filesBelow } from "../record/disk_files.ts";
import type { StudyForecast, StudyStatus } from "../studies/study.ts";
import { refuseLocal } from "./client_configuration.ts";
import { withoutPaths } from "./client_view.ts";
import type { ReadingContext } from "./operation.ts";
import { costUsd, count, type Given, jsonOf, links, named } from "./outputs.ts";

const text = z.string();

export const STUDY_ID: z.ZodString = z.string().describe("The study's id, as list_studies has it.");

/** Common keys of operations on a study. */
export const OF_STUDY = { tags: ["studies"], errors: ["not_found", "record_corrupt"] } as const;

export const studyOutput = named(
  "Study",
  z.object({
    id: text,
    state: z.enum(["running", "unfinished", "completed", "unreadable"]).describe(
      "unfinished where convenings remain or failed; unreadable where its files are damaged.",
    ),
    why: text.nullable().describe("Why the study is unfinished; null if it is not."),
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

export type StudyJson = Given<z.output<typeof studyOutput>>;

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Returns the folder of a study of an archive. Throws `not_found`. */
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
    hint: "Give an id from the list of studies.",
  });
}

export async function studyIds(out: string): Promise<readonly string[]> {
  const files = filesBelow(out);
  const folder = join(out, "studies");
  const ids = [];
  for (const { name, isFolder } of await files.list(folder)) {
    if (!isFolder || !ID.test(name)) continue;
    const parts = await files.list(join(folder, name));
    if (parts.some((each) => ["plan.jsonl", "study.yaml"].includes(each.name))) ids.push(name);
  }
  return ids.sort(byNumber);
}

/** Returns the state of a study, from the run of this process, else from the study's folder. */
export async function studyJson(
  context: Pick<ReadingContext, "out" | "dir" | "pool">,
  id: string,
): Promise<StudyJson> {
  const dir = await studyDir(context, id);
  const { studyStatus } = await import("../studies/status.ts");
  try {
    return shownStudy(context.pool?.studies.run(id)?.progress ?? await studyStatus(dir));
  } catch (error) {
    throw withoutPaths(error, context.out);
  }
}

export function shownStudy(
  { study: id, isRunning, isSpent, hasFailed, ...status }: StudyStatus,
): StudyJson {
  const { planned, done, failed } = status;
  const state = isRunning ? "running" : done === planned ? "completed" : "unfinished";
  const left = planned - done - failed;
  const stopped = hasFailed === true ? "too many failed" : "no process runs the study";
  const reason = isSpent ? "the budget is spent" : stopped;
  const reasons = [
    ...failed === 0 ? [] : [`${counted(failed, "convening")} failed`],
    ...left === 0 ? [] : [`${counted(left, "convening")} left, and ${reason}`],
  ];
  const why = state === "unfinished" ? `${reasons.join("; ")}.` : null;
  return jsonOf(studyOutput, { ...status, id, state, why, links: studyLinks(id) });
}

type StudyNumbers =
  & Pick<StudyStatus, "planned" | "done" | "failed" | "running" | "costUsd">
  & { readonly [K in "maxCost" | "perMinute" | "minutesLeft"]?: number | null };

/** Returns the numbers of a study as a line. */
export function studyLine(
  { planned, done, failed, running, perMinute, costUsd, maxCost, minutesLeft }: StudyNumbers,
): string {
  const cost = money({ costUsd });
  return [
    `${thousands(done)} of ${thousands(planned)} done`,
    ...failed === 0 ? [] : [`${thousands(failed)} failed`],
    ...running === 0 ? [] : [`${thousands(running)} running`],
    ...perMinute == null ? [] : [`${perMinute.toFixed(perMinute < 10 ? 1 : 0)} a minute`],
    maxCost == null ? cost : `${cost} of ${money({ costUsd: maxCost })}`,
    ...minutesLeft
      ? [`${minutesLeft < 1 ? "under a minute" : durationText(minutesLeft)} left`]
      : [],
  ].join(" · ");
}

/** Returns the URL paths of a study's resources on this server. */
export function studyLinks(id: string): Readonly<Record<string, string>> {
  const self = `/api/studies/${id}`;
  return { self, events: `${self}/events`, debates: `${self}/debates` };
}

/** Returns the row of a study whose files cannot be read. */
export function unreadableStudy(id: string, error: unknown): StudyJson {
  if (!(error instanceof ConveningError)) throw error;
  return jsonOf(studyOutput, {
    id,
    state: "unreadable",
    planned: 0,
    done: 0,
    failed: 0,
    running: 0,
    codes: { [error.code]: 1 },
    costUsd: 0,
    links: studyLinks(id),
  });
}

export const forecastOutput = named(
  "StudyForecast",
  z.object({
    id: text,
    planned: count.describe("Convenings."),
    calls: count.describe("Requests to models, without retries and repairs."),
    maxTokens: count.describe("Tokens of prompts and replies, at most."),
    costUsd: costUsd.describe("US dollars, at most."),
    models: z.record(text, count).describe("Calls by model."),
    interval: z.number().nullable().describe(
      "Half the width of the widest 95 % interval of a rating, in points; null without contestants, " +
        "and if the pairs or the number of debates give no rating.",
    ),
    unusedRates: z.array(text).describe("Keys of rates that apply to no model of the study."),
  }),
);

export function forecastJson(
  { study: id, maxCost: costUsd, ...counts }: StudyForecast,
): Given<z.output<typeof forecastOutput>> {
  return jsonOf(forecastOutput, { ...counts, id, costUsd });
}

/** Keys that name files of the server; a study with such keys can be run only by the command line. */
const FILES: readonly string[] = ["papers", "paperIds", "sources"];

/**
 * Returns a study that a client sent without `extend`, which is checked, and refuses keys that a client may not set. Throws
 * `config_invalid`; `planStudy` checks all other keys.
 */
export function clientStudy(
  { extend, ...study }: JsonObject,
): { readonly study: JsonObject; readonly extend: boolean | undefined } {
  if (extend !== undefined && typeof extend !== "boolean") {
    throw cannotUse("extend", `${valueText(extend)} is not allowed`, "Give true or false.");
  }
  const { base, topics, formats } = study;
  checkSettings(study, []);
  if (isObject(topics)) {
    throw cannotUse("topics", "clients cannot name files", "Give the topics as [{id, topic}].");
  }
  checkSettings(base, ["base"]);
  for (const [name, each] of Object.entries(isObject(formats) ? formats : {})) {
    checkSettings(each, ["formats", name]);
  }
  return { study, extend };
}

function checkSettings(settings: unknown, path: readonly string[]): void {
  if (!isObject(settings)) return;
  const key = FILES.find((each) => Object.hasOwn(settings, each));
  if (key !== undefined) {
    const hint = "Run a study of papers or sources by the command study run.";
    throw cannotUse([...path, key].join("."), "clients cannot set it", hint);
  }
  refuseLocal(settings, path, true);
}
