// Records of earlier versions are valid; their pages stay unchanged until `convenings index` writes them in today's form.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import {
  exportTranscript,
  mendRecord,
  rebuildIndex,
  verifyRecord,
} from "../../src/record/verify.ts";
import { assess } from "../../src/judging/assessment.ts";
import { readRecord } from "../../src/record/read.ts";
import { openConvening } from "../../mod.ts";
import { debateReport } from "../../src/papers/text/report.ts";
import { renderConvening } from "../../src/operations/reading_convenings.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { GOLDEN } from "../support/golden.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { advocateOf } from "./support/fixtures.ts";
import { message, score, START } from "./support/transcript_record.ts";
import { writeRecord } from "./support/verify_record.ts";

const DIR = "/archive/record";

/**
 * Returns a completed record of an earlier version: a debate with contradictions in reasons, a paper debate, or a pro/con
 * debate whose totals count a criterion as 0 for the side that could not be scored by it.
 */
async function earlier(
  name: "debate" | "paper" | "pro_con",
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

/** Edits a file; throws if the text does not change. */
async function edit(
  files: MemoryFileSystem,
  path: string,
  [before, after]: readonly [before: string, after: string],
): Promise<void> {
  const text = await files.read(join(DIR, path));
  assert.ok(text.includes(before), `${path}: ${before}`);
  await files.write(join(DIR, path), text.replaceAll(before, after));
}

/** Current version of derived pages. */
const PAGES = 26;
const NOTE =
  `Derived pages were not compared: they have version 1; convenings index DIR writes version ${PAGES}.`;

for (const name of ["debate", "paper"] as const) {
  Deno.test(`an earlier version's ${name} is valid and unchanged until its pages are written again`, async () => {
    const { files, texts } = await earlier(name);
    const { findings, unchecked } = await verifyRecord(files, DIR);
    assert.deepEqual([findings, unchecked], [[], NOTE]);
    assert.deepEqual(await mendRecord(files, DIR), []);
    for (const [path, text] of texts) assert.equal(await files.read(join(DIR, path)), text, path);
    await rebuildIndex(files, DIR);
    assert.match(await files.read(join(DIR, "index.md")), RegExp(`^pages: ${PAGES}$`, "m"));
    for (const [path, text] of texts) {
      if (!path.includes("/")) continue;
      assert.equal(await files.read(join(DIR, path)), text, path);
    }
    const again = await verifyRecord(files, DIR);
    assert.deepEqual([again.findings, again.unchecked], [[], undefined]);
  });

  Deno.test(`a missing page of an earlier version's ${name} is reported and repaired`, async () => {
    const { files } = await earlier(name);
    await edit(files, "scores.md", ["# ", "# Of another version: "]);
    assert.deepEqual(await problemsOf(files), []);
    await files.remove(join(DIR, "summary.md"));
    assert.deepEqual(await problemsOf(files), ["index.md"]);
    assert.deepEqual(await mendRecord(files, DIR), ["index.md"]);
    assert.deepEqual((await verifyRecord(files, DIR)).unchecked, undefined);
  });
}

Deno.test("edits of numbers from facts are reported in an earlier version's record", async () => {
  const { files } = await earlier("debate");
  await edit(files, "metadata.md", ["messages: ", "messages: 1"]);
  assert.deepEqual(await problemsOf(files), ["metadata.md"]);
  const { files: others } = await earlier("debate");
  await edit(others, "metadata.md", ["total: 6.6676", "total: 9.6676"]);
  await edit(others, "metadata.md", ["scored: 4\n", "scored: 3\n    unmatched: 1\n"]);
  assert.deepEqual(await problemsOf(others), ["metadata.md"]);
});

Deno.test("earlier totals may count a criterion that one side was not scored by; other numbers are compared", async () => {
  const { files } = await earlier("pro_con");
  assert.deepEqual(await problemsOf(files), []);
  await edit(files, "metadata.md", ["logical_coherence: 6.4", "logical_coherence: 9.4"]);
  assert.deepEqual(await problemsOf(files), ["metadata.md"]);
  await rebuildIndex(files, DIR);
  assert.deepEqual(await problemsOf(files), []);
  assert.doesNotMatch(await files.read(join(DIR, "metadata.md")), /responsiveness: 0\b/);
});

Deno.test("earlier totals may count turns that have no score on the other side; counts are compared", async () => {
  const { files } = await earlier("debate");
  await files.remove(join(DIR, "scores/010_44a3256d.md"));
  await edit(files, "metadata.md", ["scores: 8,", "scores: 7,"]);
  const problems = async () =>
    (await verifyRecord(files, DIR)).findings.map(({ problem }) => problem)
      .filter((problem) => problem.startsWith("its scores"));
  assert.equal((await problems()).length, 1);
  await edit(files, "metadata.md", ["8.2 }\n    scored: 4", "8.2 }\n    scored: 3"]);
  assert.deepEqual(await problems(), []);
});

Deno.test("an earlier version gave nobody a total if one of several sides had no readable score", async () => {
  const files = new MemoryFileSystem();
  const { total: _total, ...unread } = { ...score(3, "cy"), criteria: {} };
  const third = advocateOf("cy", "Cy", { label: "Advocate C", position: "Some" });
  const dir = await writeRecord(files, {
    start: { ...START, participants: [...START.participants, third] },
    facts: [
      ...["ada", "ben", "cy"].map((id, at) => message({ seq: at + 1, participant: id, name: id })),
      score(1, "ada"),
      score(2, "ben"),
      { ...unread, status: "unscored", reason: "No number." },
    ],
    ending: { outcome: "undecided", winner: null },
  });
  const metadata = await files.read(join(dir, "metadata.md"));
  const earlier = metadata.replace(
    /^scores:\n[^]*?^unscored: .*$/m,
    "scores: {}\nunscored: [ada, ben, cy]",
  );
  assert.notEqual(earlier, metadata);
  const index = await files.read(join(dir, "index.md"));
  await files.write(join(dir, "index.md"), index.replace(/^pages: .*\n/m, ""));
  for (const [text, count] of [[earlier, 0], [earlier.replace("ben, ", ""), 2]] as const) {
    await files.write(join(dir, "metadata.md"), text);
    const { findings } = await verifyRecord(files, dir);
    assert.equal(findings.length, count);
  }
});

Deno.test("statistics of the first version count fewer types; their counts are compared", async () => {
  const { files } = await earlier("debate");
  await edit(files, "metadata.md", [" fact_checks: 0, stances: 0, choices: 0,", ""]);
  assert.deepEqual(await problemsOf(files), []);
  await edit(files, "metadata.md", [" verdicts: 2,", " verdicts: 1,"]);
  assert.deepEqual(await problemsOf(files), ["metadata.md"]);
});

Deno.test("an export of an earlier version's record writes metadata.md in the words of the pages, and hides no loss", async () => {
  const { files } = await earlier("debate");
  const note = "notes: [A note in the words of an earlier version.]\n";
  await edit(files, "metadata.md", ["contradictions:\n", `${note}contradictions:\n`]);
  assert.deepEqual(await problemsOf(files), []);
  await exportTranscript(files, DIR, "txt");
  const { findings, unchecked } = await verifyRecord(files, DIR);
  assert.deepEqual([findings, unchecked], [[], undefined]);
  const index = await files.read(join(DIR, "index.md"));
  assert.match(index, /^- Winner, verdicts and scores do not agree in 5 places\.$/m);
  await files.remove(join(DIR, "scores/010_44a3256d.md"));
  await exportTranscript(files, DIR, "md");
  assert.deepEqual(await problemsOf(files), ["metadata.md"]);
});

Deno.test("an earlier version's report is shown as recorded", async () => {
  const { start, facts, report } = await openConvening(join(GOLDEN, "earlier/paper"));
  const kept = JSON.parse(await Deno.readTextFile(join(GOLDEN, "earlier/paper/report.json")));
  assert.deepEqual(report, kept);
  assert.notDeepEqual(JSON.parse(JSON.stringify(debateReport(start, facts))), kept);
});

Deno.test("contradictions that an earlier version found in reasons are shown as recorded", async () => {
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
  Deno.test(`recorded contradictions are not shown when they name ${what}`, async () => {
    const { files } = await earlier("debate");
    await edit(files, "metadata.md", edited);
    const { start, facts, contradictions } = await readRecord(files, DIR);
    assert.equal(contradictions?.length, 5);
    const shown = assess(start, facts, { recorded: contradictions }).contradictions;
    assert.ok(shown.length < 5, shown.join("\n"));
  });
}
