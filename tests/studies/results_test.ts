// Results of a study's convenings, read from records.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { basename, dirname, join, resolve } from "@std/path";
import { filesBelow } from "../../src/record/disk_files.ts";
import { readStudyDebate, studyDebates } from "../../src/studies/results.ts";
import type { Cell } from "../../src/studies/study.ts";
import { withFolder } from "../support/cli.ts";

const DAY = resolve("examples/records/2026-11-23");
const RECORD = join(DAY, Deno.readDirSync(DAY).find(({ isDirectory }) => isDirectory)!.name);

const CELL: Cell = {
  key: basename(RECORD),
  topic: "branches",
  first: "advocate-a",
  second: "advocate-b",
  format: "base",
  repeat: 1,
  seed: 7,
};

Deno.test("results: sides and votes of a debate name contestants", async () => {
  const found = await readStudyDebate(filesBelow(DAY), RECORD, CELL);
  assert.equal(found.status, "completed");
  assert.equal(found.winner, null);
  assert.deepEqual(found.sides.map(({ contestant, turns }) => [contestant, turns]), [
    ["advocate-a", 5],
    ["advocate-b", 5],
  ]);
  const metadata = await Deno.readTextFile(join(RECORD, "metadata.md"));
  const numbers = (key: string) =>
    [...metadata.matchAll(new RegExp(`${key}: ([\\d.]+)`, "g"))].map(([, number]) =>
      Number(number)
    );
  assert.deepEqual(found.sides.map(({ total }) => total), numbers(" total"));
  assert.deepEqual([found.usage.inputTokens], numbers(" input_tokens"));
  // The rubrics of the judges have the scales 0 to 10 and 0 to 1: margins are compared as shares.
  for (const { words, totals } of found.sides) {
    assert.ok(words > 500);
    assert.deepEqual(Object.values(totals).map((total) => total > 0 && total < 1), [true, true]);
  }
  assert.deepEqual(found.votes.map(({ judge, winner }) => [judge, winner]), [
    ["judge-1", "advocate-b"],
    ["judge-2", "advocate-a"],
  ]);
  assert.deepEqual(found.votes[0]!.verdicts, [
    { shownFirst: "advocate-b", winner: "advocate-b", pass: 1 },
    { shownFirst: "advocate-a", winner: "advocate-b", pass: 2 },
  ]);
});

withFolder.test("results: a vote of a judge whose model was replaced has the verdicts of both models", async (folder) => {
  await cp(RECORD, join(folder, CELL.key), { recursive: true });
  const verdict = join(folder, CELL.key, "verdicts", "59b30919_2_1.md");
  const text = await Deno.readTextFile(verdict);
  await Deno.writeTextFile(verdict, text.replace("model: language-model", "model: other-model"));
  const { votes } = await readStudyDebate(filesBelow(folder), join(folder, CELL.key), CELL);
  const cast = votes.map(({ judge, askings, winner }) => [judge, askings, winner]);
  assert.deepEqual(cast, [["judge-1", 2, "advocate-b"], ["judge-2", 2, "advocate-a"]]);
  assert.deepEqual(votes.map(({ verdicts }) => verdicts.map(({ pass }) => pass)), [[1, 2], [1, 2]]);
});

Deno.test("results: without contestants the sides are participants, the first speaker first", async () => {
  const { first: _first, second: _second, ...cell } = CELL;
  const { sides } = await readStudyDebate(filesBelow(DAY), RECORD, cell);
  assert.deepEqual(sides.map(({ contestant }) => contestant), ["advocate-b", "advocate-a"]);
});

Deno.test("results: the record of another seed or of exchanged seats is not that of the cell", async () => {
  const { first, second } = CELL;
  for (
    const other of [{ seed: 8 }, { first: second, second: first }, { second: "of-another-pair" }]
  ) {
    const cell = { ...CELL, ...other } as Cell;
    const { status, code, sides } = await readStudyDebate(filesBelow(DAY), RECORD, cell);
    assert.deepEqual([status, code, sides], ["failed", "record_corrupt", []]);
  }
});

withFolder.test("results: cells without a record are planned and damaged records are failed, in the order of the plan", async (study) => {
  await Deno.mkdir(join(study, "debates", "damaged"), { recursive: true });
  await Deno.writeTextFile(join(study, "debates", "damaged", "metadata.md"), "no front matter");
  const cells = ["absent", "damaged", "absent2"].map((key) => ({ ...CELL, key }));
  const found = await studyDebates({ files: filesBelow(study), dir: study, cells });
  assert.deepEqual(found.map(({ cell, status, code }) => [cell.key, status, code]), [
    ["absent", "planned", undefined],
    ["damaged", "failed", "record_corrupt"],
    ["absent2", "planned", undefined],
  ]);
  assert.equal(dirname(found[0]!.dir), join(study, "debates"));
});
