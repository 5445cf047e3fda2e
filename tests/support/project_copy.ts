import { dirname, join, relative } from "@std/path";
import { ensureDir, walk } from "@std/fs";
import { ROOT } from "./deno_process.ts";

/** What a user's checkout is made of, but for most of its tests. */
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
  "tests/output/support",
  "tests/run.ts",
];

/** Copies the project to a new folder, as far as a user's commands need it; `more` adds files or folders of it. */
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
