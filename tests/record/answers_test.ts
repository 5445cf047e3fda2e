// Answers that are stored on disk until the message they belong to is recorded.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { pause } from "../../src/core/clock.ts";
import { ANSWERS, DirectoryAnswers } from "../../src/record/shelves.ts";
import { folderRecord, openRecord } from "../../src/record/directory_record.ts";
import { fork } from "../../mod.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { withFolder } from "../support/cli.ts";
import { begun } from "./support/begun.ts";
import { Events, messageOf, startOf } from "./support/fixtures.ts";

const FIRST = { of: "turn/1", id: "turn/1 1 aa", value: { text: "Words\u2028, «quoted»." } };
const SECOND = { of: "turn/1", id: "claims/1/1 1 bb", value: null };
const OTHER = { of: "turn/2", id: "turn/2 1 cc", value: [1, { deep: "../x" }] };

async function opened(files?: MemoryFileSystem) {
  const { memory, record, dir } = await begun({}, files);
  await record.close();
  return { memory, dir, answers: new DirectoryAnswers(memory, dir) };
}

function namesIn(memory: MemoryFileSystem, dir: string): string[] {
  return [...memory.files(dir).keys()].filter((path) => path.startsWith(ANSWERS));
}

Deno.test("keep() stores an answer that read() returns in another process until its turn is dropped", async () => {
  const { memory, dir, answers } = await opened();
  assert.deepEqual(await answers.read(), []);
  for (const each of [FIRST, SECOND, OTHER]) await answers.keep(each);
  await answers.keep({ ...FIRST, value: "later" });
  const again = new DirectoryAnswers(memory, dir);
  const byId = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;
  assert.deepEqual(
    [...await again.read()].sort(byId),
    [{ ...FIRST, value: "later" }, SECOND, OTHER].sort(byId),
  );
  for (const name of namesIn(memory, dir)) assert.match(name, /^\.answers\/[0-9a-f]{32}\.json$/);
  await again.drop("turn/1");
  await again.drop("turn/7");
  assert.deepEqual(await new DirectoryAnswers(memory, dir).read(), [OTHER]);
  await again.clear();
  assert.deepEqual(namesIn(memory, dir), []);
  await again.keep(FIRST);
  assert.deepEqual(await again.read(), [FIRST]);
});

Deno.test("keep() waits until the answer's file is written and has its name", async () => {
  class SlowFiles extends MemoryFileSystem {
    override write(path: string, text: string) {
      return pause(2).then(() => super.write(path, text));
    }
    override rename(from: string, to: string) {
      return pause(1).then(() => super.rename(from, to));
    }
  }
  const { dir, answers, memory } = await opened(new SlowFiles());
  await answers.keep(FIRST);
  assert.deepEqual(await new DirectoryAnswers(memory, dir).read(), [FIRST]);
});

Deno.test("read() omits entries that are unreadable, links, or incomplete", async () => {
  const { memory, dir, answers } = await opened();
  await answers.keep(FIRST);
  const bad = ["", "{", "[]", '{"version":2,"of":"a","id":"b"}', '{"version":1,"of":"","id":"b"}'];
  for (const [at, text] of bad.entries()) {
    await memory.write(join(dir, ANSWERS, `${at}.json`), text);
  }
  await memory.write(join(dir, ANSWERS, ".x.json.tmp"), JSON.stringify({ version: 1, ...OTHER }));
  await memory.makeFolder(join(dir, ANSWERS, "folder.json"));
  assert.deepEqual(await answers.read(), [FIRST]);
});

Deno.test("keep() does not recreate a removed directory", async () => {
  const { memory, dir, answers } = await opened();
  await memory.remove(dir);
  await assert.rejects(answers.keep(FIRST), { code: "record_unwritable" });
  assert.equal(await memory.stat(dir), undefined);
});

withFolder.test("openRecord() removes incomplete answers, and verify and fork ignore stored answers", async (out) => {
  const files = filesBelow(out);
  const record = await openRecord(files, { out }, { start: startOf() });
  const events = new Events(record);
  await events.apply({ type: "convening-start", start: startOf() });
  await events.fact(messageOf(1));
  await record.answers.keep(OTHER);
  await record.close();
  const half = join(record.dir, ANSWERS, ".half.json.tmp");
  await files.write(half, "{");
  const again = await folderRecord({ dir: record.dir }).open(startOf());
  assert.equal(await files.stat(half), undefined);
  assert.deepEqual(await again.answers?.read(), [OTHER]);
  await again.close();
  assert.deepEqual((await verifyRecord(files, record.dir)).findings, []);
  const dir = await fork(record.dir, { at: 1 });
  assert.equal(await files.stat(join(dir, ANSWERS)), undefined);
});
