// Table of all golden files and the functions that make them.
import { join, resolve } from "@std/path";
import { damageFiles } from "./golden_damage.ts";
import { doorFiles } from "./golden_doors.ts";
import { promptFiles } from "./golden_prompts.ts";
import { findingsFiles, paperFiles } from "./golden_record.ts";
import { runFiles, RUNS } from "./golden_runs.ts";

/** Folder of golden files. */
export const GOLDEN = resolve("tests/golden");

const MAKERS: Readonly<Record<string, () => Promise<ReadonlyMap<string, string>>>> = {
  findings: findingsFiles,
  paper: paperFiles,
  doors: doorFiles,
  damage: damageFiles,
  prompts: promptFiles,
  ...Object.fromEntries(
    Object.keys(RUNS).map((name) => [join("runs", name), () => runFiles(name)]),
  ),
};

/** Makes the files of each golden folder, by path; stylesheets in pages are emptied. */
export const GOLDENS: typeof MAKERS = Object.fromEntries(
  Object.entries(MAKERS).map(([name, make]) => [name, async () => {
    const files = [...await make()];
    return new Map(files.map(([path, text]) => [path, withoutStyle(text)]));
  }]),
);

function withoutStyle(text: string): string {
  return text.replace(/<style>[^<]*<\/style>/, "<style></style>")
    .replace(/(?<=style-src &#39;)sha256-[\w+/=]+/, "HASH");
}
