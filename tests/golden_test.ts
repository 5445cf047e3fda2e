import assert from "node:assert/strict";
import { join, relative } from "@std/path";
import { openConvening, verify } from "../mod.ts";
import { round4, weightedTotal } from "../src/core/scoring.ts";
import { filesBelow } from "../src/output/disk_files.ts";
import { verifyRecord } from "../src/output/verify.ts";
import {
  findingsFiles,
  GOLDEN,
  GOLDEN_FINDINGS,
  GOLDEN_PAPER,
  goldenFiles,
  paperFiles,
} from "./support/golden_record.ts";

for (
  const [name, folder, make] of [
    ["A debate", GOLDEN, goldenFiles],
    ["A record with facts of every usual type", GOLDEN_FINDINGS, findingsFiles],
    ["A debate over papers", GOLDEN_PAPER, paperFiles],
  ] as const
) {
  Deno.test(`${name} leaves its golden record, to the byte`, async () => {
    const files = await make();
    const kept = await filesUnder(folder);
    assert.deepEqual([...kept.keys()], [...files.keys()]);
    for (const [path, text] of files) assert.equal(text, kept.get(path), path);
  });
}

for (
  const [name, folder] of [
    ["with facts of every usual type", GOLDEN_FINDINGS],
    ["of a debate over papers", GOLDEN_PAPER],
  ] as const
) {
  Deno.test(`The golden record ${name} is sound`, async () => {
    const { findings } = await verifyRecord(filesBelow(folder), folder);
    assert.deepEqual(findings, []);
  });
}

Deno.test("The golden record is sound, adds up, and names every speaker", async () => {
  assert.deepEqual((await verify(GOLDEN)).findings, []);
  const { messages, facts, result } = await openConvening(GOLDEN);
  assert.deepEqual(messages.map(({ seq }) => seq), messages.map((_, index) => index + 1));
  assert.ok(messages.every(({ name }) => name !== ""));
  const scores = facts.filter((fact) => fact.type === "score");
  assert.equal(scores.length, 8);
  for (const { criteria, weights, total } of scores) {
    assert.equal(weightedTotal(criteria, weights), total);
  }
  const table = await Deno.readTextFile(join(GOLDEN, "scores.md"));
  const tables = table.split(/^##+ /m).filter((part) => part.includes("**total**"));
  assert.equal(tables.length, 2);
  for (const part of tables) {
    const rows = [...part.matchAll(/\| ([\d.]+) \|$/gm)].map(([, weighted]) => Number(weighted));
    const [, total] = /\*\*([\d.]+)\*\* \|$/m.exec(part)!;
    assert.equal(round4(rows.reduce((sum, row) => sum + row, 0)), Number(total), part);
  }
  assert.equal(Object.keys(result.scores).length, 2);
});

async function filesUnder(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(at)) {
      const path = join(at, name);
      if (isDirectory) folders.push(path);
      else files.set(relative(folder, path), await Deno.readTextFile(path));
    }
  }
  return new Map([...files].sort());
}
