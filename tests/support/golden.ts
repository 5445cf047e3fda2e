import { join, resolve } from "@std/path";
import { damageFiles } from "./golden_damage.ts";
import { doorFiles } from "./golden_doors.ts";
import { promptFiles } from "./golden_prompts.ts";
import { findingsFiles, paperFiles } from "./golden_record.ts";
import { runFiles, RUNS } from "./golden_runs.ts";

/** The folder of golden files. */
export const GOLDEN = resolve("tests/golden");

/** Makes the files of each golden folder, by path. */
export const GOLDENS: Readonly<Record<string, () => Promise<ReadonlyMap<string, string>>>> = {
  findings: findingsFiles,
  paper: paperFiles,
  doors: doorFiles,
  damage: damageFiles,
  prompts: promptFiles,
  ...Object.fromEntries(
    Object.keys(RUNS).map((name) => [join("runs", name), () => runFiles(name)]),
  ),
};
