// Copies the project, as a user's checkout, to a temporary folder.
import { dirname, join, relative } from "@std/path";
import { ensureDir, walk } from "@std/fs";
import { ROOT } from "./deno_process.ts";

/** Paths that a user's checkout has, without most of the tests. */
const PARTS = [
  "LICENSE",
  "README.md",
  "deno.json",
  "deno.lock",
  "deno.test.json",
  "deno.test.lock",
  "examples",
  "mod.ts",
  "papers.ts",
  "protocol.ts",
  "scoring.ts",
  "studies.ts",
  "src",
  "tests/contracts",
  "tests/record/support",
  "tests/run.ts",
];

/** Copies the files that a user's commands need; `more` adds files or folders. */
export async function copyProject(to: string, more: readonly string[] = []): Promise<void> {
  for (const part of [...PARTS, ...more]) {
    const info = await Deno.stat(join(ROOT, part));
    if (info.isFile) await copyFile(part, to);
    else {
      for await (const { path } of walk(join(ROOT, part), { includeDirs: false })) {
        await copyFile(relative(ROOT, path), to);
      }
    }
  }
}

async function copyFile(path: string, to: string): Promise<void> {
  await ensureDir(dirname(join(to, path)));
  await Deno.copyFile(join(ROOT, path), join(to, path));
}
