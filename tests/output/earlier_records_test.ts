// Records that an earlier version finished stay as they were written: sound, and unchanged by a rebuild or a repair.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { MemoryFileSystem } from "../../src/record/memory_files.ts";
import { mendRecord, rebuildIndex } from "../../src/record/rebuild.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { openConvening } from "../../mod.ts";
import { debateReport } from "../../src/papers/text/report.ts";
import { renderConvening } from "../../src/operations/reading_convenings.ts";
import { readFrontMatter } from "../../src/record/frontmatter_reader.ts";
import { GOLDEN } from "../support/golden.ts";
import { filesUnder } from "../support/golden_runs.ts";

const DIR = "/archive/record";

/** A finished record of an earlier version: a debate with contradictions that stand in reasons, or a paper debate. */
async function earlier(
  name: "debate" | "paper",
): Promise<{ files: MemoryFileSystem; texts: ReadonlyMap<string, string> }> {
  const files = new MemoryFileSystem();
  const texts = await filesUnder(join(GOLDEN, "earlier", name));
  for (const [path, text] of texts) {
    await files.makeFolder(join(DIR, path, ".."));
    await files.write(join(DIR, path), text);
  }
  return { files, texts };
}

async function problemsOf(files: MemoryFileSystem): Promise<string[]> {
  return (await verifyRecord(files, DIR)).findings.map(({ path }) => path);
}

/** Changes a file; a text that has nothing to change fails. */
async function edit(
  files: MemoryFileSystem,
  path: string,
  [before, after]: readonly [before: string, after: string],
): Promise<void> {
  const text = await files.read(join(DIR, path));
  assert.ok(text.includes(before), `${path}: ${before}`);
  await files.write(join(DIR, path), text.replaceAll(before, after));
}

for (const name of ["debate", "paper"] as const) {
  Deno.test(`an earlier version's ${name} is sound, and stays as it is`, async () => {
    const { files, texts } = await earlier(name);
    assert.deepEqual(await problemsOf(files), []);
    assert.deepEqual(await mendRecord(files, DIR), []);
    await rebuildIndex(files, DIR);
    for (const [path, text] of texts) assert.equal(await files.read(join(DIR, path)), text, path);
    assert.deepEqual(await files.list(join(DIR, "report")), []);
  });

  Deno.test(`an edit of an earlier version's ${name} is found and repaired`, async () => {
    const { files, texts } = await earlier(name);
    await edit(files, "index.md", ["completed", "stopped"]);
    await edit(files, "summary.md", ["## Summary", "## Made up"]);
    assert.deepEqual(await problemsOf(files), ["index.md", "summary.md"]);
    assert.deepEqual(await mendRecord(files, DIR), ["index.md", "summary.md"]);
    for (const [path, text] of texts) assert.equal(await files.read(join(DIR, path)), text, path);
  });
}

Deno.test("an earlier version's report is shown as it is recorded", async () => {
  const { start, facts, report } = await openConvening(join(GOLDEN, "earlier/paper"));
  const kept = JSON.parse(await Deno.readTextFile(join(GOLDEN, "earlier/paper/report.json")));
  assert.deepEqual(report, kept);
  assert.notDeepEqual(JSON.parse(JSON.stringify(debateReport(start, facts))), kept);
});

Deno.test("contradictions that an earlier version found in reasons are shown as they are recorded", async () => {
  const dir = join(GOLDEN, "earlier/debate");
  const { data } = readFrontMatter(await Deno.readTextFile(join(dir, "metadata.md")), dir);
  assert.ok(Array.isArray(data.contradictions) && data.contradictions.length === 5);
  assert.deepEqual((await openConvening(dir)).result.contradictions, data.contradictions);
  const transcript = JSON.parse(await renderConvening(dir, "json"));
  assert.deepEqual(transcript.contradictions, data.contradictions);
});

const SENTENCE = "state 9 as the total; its numbers come to 6.625.";

for (
  const [what, edited] of [
    ["numbers that no score has", [SENTENCE, SENTENCE.replace("6.625", "8")]],
    ["a judge that is not there", [`judge \\"judge\\" for`, `judge \\"x\\" for`]],
    ["other words", [SENTENCE, "are made up."]],
  ] as const
) {
  Deno.test(`contradictions in reasons are found where they name ${what}`, async () => {
    const { files } = await earlier("debate");
    await edit(files, "metadata.md", edited);
    assert.deepEqual(
      [...new Set(await problemsOf(files))].sort(),
      ["index.md", "metadata.md", "scores.md", "summary.md"],
    );
  });
}

for (
  const [what, path, edited] of [
    ["a reference that no paper names", "report.json", ["Elms of the north", "Oaks of the south"]],
    ["an address that no paper names", "report.json", ["2101.01234", "2101.01235"]],
    ["a number that was changed", "report.json", ["0.7879", "0.9879"]],
    ["a page that was changed", "report.md", ["## Appendix", "## Made up"]],
  ] as const
) {
  Deno.test(`an earlier version's report is found to be edited: ${what}`, async () => {
    const { files } = await earlier("paper");
    await edit(files, path, edited);
    const found = await problemsOf(files);
    assert.ok(found.includes(path), found.join(", "));
  });
}
