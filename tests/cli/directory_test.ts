import assert from "node:assert/strict";
import { join } from "@std/path";
import { withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";

const RECORDS = join(import.meta.dirname!, "../../examples/records");

/** An archive with the days of the shipped records, as links are not followed in it. */
async function archiveIn(folder: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const day of ["2026-11-22", "2026-11-23"]) {
    for await (const { name, isDirectory } of Deno.readDir(join(RECORDS, day))) {
      if (!isDirectory || !/T/.test(name)) continue;
      const to = join(folder, "convenings", day, name);
      await Deno.mkdir(to, { recursive: true });
      for (const page of ["index.md", "metadata.md"]) {
        await Deno.copyFile(join(RECORDS, day, name, page), join(to, page));
      }
      ids.push(name);
    }
  }
  return ids.sort();
}

Deno.test("DIR is latest, an id or the beginning of one id, of the usual archive or of the archive before it", async () => {
  await withFolder(async (folder) => {
    const ids = await archiveIn(folder);
    const last = ids.at(-1)!;
    const day = last.slice(0, 10);
    const path = join(folder, "convenings", day, last);
    const page = await Deno.readTextFile(join(path, "index.md"));
    const words = [
      "latest",
      "convenings/latest",
      last,
      last.slice(0, 19),
      path,
      `${path}/index.md`,
    ];
    for (const word of words) {
      const end = await runMain(["show", word], { folder });
      assert.equal(end.stdout, page, word + end.stderr);
    }
    const json = await runMain(["verify", "latest", "--json"], { folder });
    assert.equal(JSON.parse(json.stdout).dir, path);
    for (const id of ids.filter((each) => each !== last && each.startsWith(day))) {
      await Deno.remove(join(folder, "convenings", day, id), { recursive: true });
    }
    for (const word of [day, `convenings/${day}`]) {
      assert.equal((await runMain(["show", word], { folder })).stdout, page, word);
    }
  });
});

Deno.test("a beginning of several ids is rejected with their list, one of no id with where it was looked for", async () => {
  await withFolder(async (folder) => {
    const none = await runMain(["verify", "latest"], { folder });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /^error: Cannot find the latest convening: there is none in \//);
    const ids = await archiveIn(folder);
    const many = await runMain(["show", "2026-11"], { folder });
    assert.equal(many.code, 2);
    assert.match(
      many.stderr,
      new RegExp(`which convening 2026-11 is: ${ids.length} ids begin so\n`),
    );
    for (const id of ids.slice(-8)) assert.ok(many.stderr.includes(`\n  ${id}\n`), id);
    const missing = await runMain(["show", "2025-01-01"], { folder });
    assert.match(
      missing.stderr,
      /Cannot find 2025-01-01: .* no convening in \/.*convenings has an id/,
    );
  });
});
