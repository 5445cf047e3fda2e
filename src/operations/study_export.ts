// Exports of studies.
import { resolve } from "@std/path";
import { BUILT_IN } from "../compose.ts";
import { importPackage } from "../inputs/servers.ts";
import type { StudyExportOptions } from "../studies/export/export.ts";
import type { StudyExport } from "../studies/export/tables.ts";
import { openStudy } from "../studies/folder.ts";
import { recordedPrompts } from "./convening.ts";
import type { StudyPlanOptions } from "./study_plan.ts";

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
