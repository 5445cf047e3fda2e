// Links of records: every file of a record, of an archive's indexes and of a study is reachable from `index.md`.
import assert from "node:assert/strict";
import { basename, posix } from "node:path";
import { withFolder } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { GOLDEN } from "../support/golden.ts";
import { ran } from "../support/run_main.ts";

const EXAMPLES = new URL("../../examples/records/", import.meta.url).pathname;
const RECORDS = [`${GOLDEN}/findings`, `${GOLDEN}/paper`];
for (const { name } of Deno.readDirSync(`${GOLDEN}/runs`)) RECORDS.push(`${GOLDEN}/runs/${name}`);
for (const day of Deno.readDirSync(EXAMPLES)) {
  if (!/^\d/.test(day.name)) continue;
  for (const { name, isDirectory } of Deno.readDirSync(`${EXAMPLES}${day.name}`)) {
    if (isDirectory) RECORDS.push(`${EXAMPLES}${day.name}/${name}`);
  }
}

for (const record of RECORDS) {
  Deno.test(`every file of ${basename(record)} in ${basename(posix.dirname(record))} is reachable from index.md`, async () => {
    assert.deepEqual(await notReached(record), []);
  });
}

withFolder.test("every file of a study is reachable from index.md", async (folder) => {
  const plan = new URL("../../examples/studies/offline.yaml", import.meta.url).pathname;
  await ran(["study", "run", plan, "--out", folder], { folder });
  assert.deepEqual(await notReached(`${folder}/studies/offline`), []);
});

/** Returns the paths of a folder's files that are not reachable from `index.md`. */
async function notReached(folder: string): Promise<string[]> {
  const files = await filesUnder(folder);
  const reached = new Set<string>(["index.md"]);
  for (const path of reached) {
    const text = files.get(path);
    assert.ok(text !== undefined, `${path} is linked and missing`);
    // Links in the texts of messages, papers and sources do not count.
    if (!path.endsWith(".md") || /(?:^|\/)(?:messages|sources)\//.test(path)) continue;
    for (const [, target = ""] of text.matchAll(/(?<!\\)\]\(([^()\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const to = posix.join(posix.dirname(path), target.replace(/#.*$/, ""));
      if (!to.startsWith("..")) reached.add(to);
    }
  }
  return [...files.keys()].filter((path) =>
    !reached.has(path) && !/^(?:log\.jsonl|\..*)$/.test(basename(path))
  );
}
