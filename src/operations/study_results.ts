// Writes results of a study into its folder: the report, and exports of its data.
import { join, resolve } from "@std/path";
import { z } from "zod";
import { checkArguments, checkFields } from "../core/check_fields.ts";
import { readFile } from "../inputs/inputs.ts";
import { knownBiases } from "../inputs/lessons.ts";
import { AGAIN, withRecordErrors } from "../record/problems.ts";
import { openStudy, type StudyOnDisk } from "../studies/folder.ts";
import type { StudyReport } from "../studies/report.ts";
import { BUILT_IN } from "../compose.ts";
import { importPackage } from "../inputs/servers.ts";
import type { StudyExportOptions } from "../studies/export/export.ts";
import type { StudyExport } from "../studies/export/tables.ts";
import { recordedPrompts } from "./convening.ts";
import type { StudyPlanOptions } from "./study_plan.ts";

/** Options of {@linkcode studyReport}. */
export interface StudyReportOptions {
  /** Number of bootstrap samples for the intervals of ratings; 0 for none. @default the study's, else 0 */
  readonly bootstrap?: number | undefined;
  /**
   * Path of a CSV file with the winners that people chose, with the columns `debate` (a key of the plan), `winner` (a
   * contestant, else a participant's id, or `tie`) and `rater`. @default `labels.csv` in the study's folder if it exists
   */
  readonly labels?: string | undefined;
}

const REPORT_OPTIONS = z.strictObject({
  bootstrap: z.int().min(0).max(10_000).optional(),
  labels: z.string().optional(),
});

/**
 * Writes the report of a study, finished or not, to `report/` in its folder: `leaderboard.md`, `.csv` and `.html`,
 * `diagnostics.md` and `ratings.json`. The same records give the same bytes. Throws `not_found`, and `config_invalid` for
 * invalid labels.
 */
export async function studyReport(
  dir: string,
  options: StudyReportOptions = {},
): Promise<StudyReport> {
  checkArguments("studyReport", { dir });
  const { bootstrap, labels } = checkFields(options, REPORT_OPTIONS, "options of studyReport");
  const { writeReport } = await import("../studies/report.ts");
  const on = await openStudy(resolve(dir));
  const given = {
    bootstrap,
    labels: await labelsOf(on, labels),
    biasesOf: (model: string) => knownBiases(on.archive, model),
  };
  return await withRecordErrors(() => writeReport(on, given), AGAIN);
}

async function labelsOf(on: StudyOnDisk, given: string | undefined) {
  if (given === undefined) {
    const path = join(on.dir, "labels.csv");
    const isThere = await on.files.stat(path) !== undefined;
    return isThere ? { text: await on.files.read(path), path } : undefined;
  }
  const path = resolve(given);
  const hint = "Give a file of comma-separated values that can be read.";
  return { text: await readFile(path, { what: "labels", field: "labels", hint }), path };
}

/**
 * Writes the finished convenings of a study as tables, with a data card, Croissant metadata and a manifest, to
 * `exports/TIME` in the study's folder. Takes no lock and asks no model. Throws `not_found`, and `config_invalid` for an
 * invalid option, a release without a licence, or a Parquet package that cannot be loaded.
 */
export async function exportStudy(
  dir: string,
  { catalogue = BUILT_IN, ...options }: StudyExportOptions & Pick<StudyPlanOptions, "catalogue"> =
    {},
): Promise<StudyExport> {
  checkArguments("exportStudy", { dir });
  const on = await openStudy(resolve(dir));
  const { writeExport } = await import("../studies/export/export.ts");
  const promptsOf = (contents: Parameters<typeof recordedPrompts>[0]) =>
    recordedPrompts(contents, catalogue);
  const whole = { ...on, promptsOf, importPackage };
  return await withRecordErrors(() => writeExport(on.dir, whole, options), AGAIN);
}
