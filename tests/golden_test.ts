// Golden files are reproduced, and golden records are valid.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { openConvening, verify } from "../mod.ts";
import { weightedTotal } from "../src/judging/scoring.ts";
import { round4 } from "../src/core/statistics.ts";
import { filesBelow } from "../src/record/disk_files.ts";
import { verifyRecord } from "../src/record/verify.ts";
import { GOLDEN, GOLDENS } from "./support/golden.ts";
import { filesUnder, RUNS, withRun } from "./support/golden_runs.ts";

/** Throws with the first line that differs, and how to write the files anew; whole files may be long. */
function assertKept(path: string, made: string, kept: string): void {
  if (made === kept) return;
  const [now, before] = [made.split("\n"), kept.split("\n")];
  const at = now.findIndex((line, index) => line !== before[index]);
  const line = at < 0 ? now.length : at;
  assert.fail(
    `Line ${line + 1} of tests/golden/${path} changed from\n${before[line]}\nto\n${now[line]}\n` +
      "If this is intended, run tests/support/write_golden.ts by the command at its beginning.",
  );
}

for (const [name, make] of Object.entries(GOLDENS)) {
  Deno.test(`golden: ${name} is reproduced byte for byte`, async () => {
    const [made, kept] = [await make(), await filesUnder(join(GOLDEN, name))];
    assert.deepEqual([...made.keys()].sort(), [...kept.keys()]);
    for (const [path, text] of made) assertKept(`${name}/${path}`, text, kept.get(path) ?? "");
  });
}

for (const name of ["findings", "paper"]) {
  Deno.test(`golden: the record ${name} is valid`, async () => {
    const { findings } = await verifyRecord(filesBelow(GOLDEN), join(GOLDEN, name));
    assert.deepEqual(findings, []);
  });
}

for (const name of Object.keys(RUNS)) {
  Deno.test(`golden: the run ${name} is valid, and every message has a speaker`, async () => {
    await withRun(name, async (dir) => {
      assert.deepEqual((await verify(dir)).findings, []);
      const { messages } = await openConvening(dir);
      assert.deepEqual(messages.map(({ seq }) => seq), messages.map((_, index) => index + 1));
      assert.ok(messages.every((message) => message.name !== ""));
    });
  });
}

Deno.test("golden: the numbers of the run debate add up", async () => {
  const table = await Deno.readTextFile(join(GOLDEN, "runs/debate/scores.md"));
  const tables = table.split(/^##+ /m).filter((part) => part.includes("**total**"));
  assert.ok(tables.length >= 2);
  for (const part of tables) {
    const rows = [...part.matchAll(/\| ([\d.]+) \|$/gm)].map(([, weighted]) => Number(weighted));
    const [, total] = /\*\*([\d.]+)\*\* \|$/m.exec(part)!;
    assert.equal(round4(rows.reduce((sum, row) => sum + row, 0)), Number(total), part);
  }
  await withRun("debate", async (dir) => {
    const { facts } = await openConvening(dir);
    const scores = facts.filter((fact) => fact.type === "score");
    assert.ok(scores.length >= 8);
    for (const { criteria, weights, total } of scores) {
      assert.equal(weightedTotal(criteria, weights), total);
    }
  });
});
