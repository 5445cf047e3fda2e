// Results of a study in its folder: the report, and exports.
import { join, resolve } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import { knownBiases } from "../inputs/lessons.ts";
import { userFiles } from "../record/disk_files.ts";
import { openStudy, type StudyOnDisk } from "../studies/folder.ts";
import { readLabels } from "../studies/comparisons.ts";
import type { StudyReport } from "../studies/report.ts";
import { BUILT_IN } from "../compose.ts";
import { importPackage } from "../inputs/servers.ts";
import type { StudyExportOptions } from "../studies/export/export.ts";
import type { StudyExport } from "../studies/export/tables.ts";
import { recordedPrompts } from "./convening.ts";
import type { StudyPlanOptions } from "./study_plan.ts";

/** Options of {@linkcode studyReport}. */
export interface StudyReportOptions {
  /** Number of bootstrap samples for the intervals of ratings; 0 for none. @default as the study says, else 0 */
  readonly bootstrap?: number | undefined;
  /**
   * Path of a file of comma-separated values with people's winners: the columns `debate` (a key of the plan), `winner` (a
   * contestant or `tie`) and `rater`. @default `labels.csv` in the study's folder, where it is there
   */
  readonly labels?: string | undefined;
}

/**
 * Writes the report of a study, finished or not, to `report/` in its folder: `leaderboard.md`, `.csv` and `.html`,
 * `diagnostics.md` and `ratings.json`. The same records give the same bytes. Fails with `not_found` where there is no study,
 * and with `config_invalid` for labels that cannot be used.
 */
export async function studyReport(
  dir: string,
  { bootstrap, labels }: StudyReportOptions = {},
): Promise<StudyReport> {
  const { writeReport } = await import("../studies/report.ts");
  const on = await openStudy(resolve(dir));
  return await writeReport(on, {
    bootstrap,
    labels: await labelsOf(on, labels),
    biasesOf: (model) => knownBiases(on.archive, model),
  });
}

async function labelsOf(on: StudyOnDisk, given: string | undefined) {
  const path = given === undefined ? join(on.dir, "labels.csv") : resolve(given);
  const files = given === undefined ? on.files : userFiles;
  try {
    if (given === undefined && await files.stat(path) === undefined) return undefined;
    return readLabels(await files.read(path), path, on.cells);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(`Cannot read the labels "${path}"`, {
      field: "labels",
      hint: "Give a file of comma-separated values that can be read.",
      cause,
    });
  }
}

/**
 * Writes the finished convenings of a study as tables, with a card, a description for catalogues and a manifest, to
 * `exports/TIME` in the study's folder. Takes no lock, asks no model. Fails with `not_found`, and with `config_invalid` for
 * a wrong option, a release without a licence, and a package for Parquet that cannot be loaded.
 */
export async function exportStudy(
  dir: string,
  { catalogue = BUILT_IN, ...options }: StudyExportOptions & Pick<StudyPlanOptions, "catalogue"> =
    {},
): Promise<StudyExport> {
  const on = await openStudy(resolve(dir));
  const { writeExport } = await import("../studies/export/export.ts");
  const promptsOf = (contents: Parameters<typeof recordedPrompts>[0]) =>
    recordedPrompts(contents, catalogue);
  return await writeExport(on.dir, { ...on, promptsOf, importPackage }, options);
}
