// The shipped records are valid and equal the records that their messages give today.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { exampleRecord, exampleRecords, folderOf } from "../examples/records/make.ts";
import { pictureOf } from "../examples/records/picture.ts";
import { verify } from "../mod.ts";

const RECORDS = "examples/records";

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    found.push(...isDirectory ? await filesBelow(path) : [path]);
  }
  return found;
}

for (const name of exampleRecords()) {
  Deno.test(`examples/records has ${name} as its messages give it today, and valid`, async () => {
    const files = await exampleRecord(name);
    const dir = join(RECORDS, folderOf(files));
    const kept = await filesBelow(dir);
    assert.deepEqual(
      kept.filter((path) => !path.endsWith(".lock")).sort(),
      [...files.keys()].map((path) => join(dir, path)).sort(),
    );
    for (const [path, text] of files) {
      const before = await Deno.readTextFile(join(dir, path));
      assert.equal(before, text, `${path} differs: run deno task examples`);
    }
    assert.equal(await Deno.readTextFile(join(RECORDS, `${name}.svg`)), pictureOf(files));
    const { findings } = await verify(dir);
    assert.deepEqual(findings, []);
  });
}
