// Inbox of a record: words and requests that other processes leave.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { NewSubmission } from "../../src/core/record.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import {
  DirectoryInbox,
  INBOX,
  leaveSubmission,
  MAX_SUBMISSION_BYTES,
} from "../../src/record/shelves.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { withFolder } from "../support/cli.ts";
import { begun } from "./support/begun.ts";
import { endingOf, Events, messageOf, startOf } from "./support/fixtures.ts";
import { FaultyFiles, Killed } from "./support/faulty_files.ts";
import { anyCharacter } from "../support/any_character.ts";

const SAY: NewSubmission = {
  type: "say",
  participant: "advocate-a",
  turn: "turn/2",
  text: "Mine.\n\r\u0000<b>",
};

async function opened() {
  const { memory, record, dir } = await begun();
  await record.close();
  return { memory, dir, inbox: new DirectoryInbox(memory, dir) };
}

Deno.test("leaveSubmission() leaves submissions that read() returns, oldest first, until they are done", async () => {
  const { memory, dir, inbox } = await opened();
  assert.deepEqual(await inbox.read(), []);
  const left: NewSubmission[] = [
    SAY,
    { type: "interjection", text: "But buses!" },
    { type: "pause" },
    { type: "say", participant: "b", text: "x" },
  ];
  const ids: string[] = [];
  for (const each of left) ids.push(await leaveSubmission(memory, dir, each));
  const read = await inbox.read();
  assert.deepEqual(read, left.map((each, at) => ({ id: ids[at], ...each })));
  await inbox.done(ids[1]!);
  await inbox.done(ids[1]!);
  assert.deepEqual((await inbox.read()).map(({ id }) => id), [ids[0], ids[2], ids[3]]);
});

Deno.test("leaveSubmission() and read() keep any text unchanged", async () => {
  const { memory, dir, inbox } = await opened();
  const words = fc.string({ unit: anyCharacter });
  await fc.assert(
    fc.asyncProperty(words, fc.string({ minLength: 1 }), async (text, participant) => {
      const id = await leaveSubmission(memory, dir, { type: "say", participant, text });
      assert.deepEqual(await inbox.read(), [{ id, type: "say", participant, text }]);
      await inbox.done(id);
    }),
  );
});

Deno.test("leaveSubmission() rejects a text that is too long and a folder without a convening", async () => {
  const { memory, dir } = await opened();
  await assert.rejects(
    leaveSubmission(memory, dir, { type: "interjection", text: "x".repeat(MAX_SUBMISSION_BYTES) }),
    { code: "config_invalid", field: "text" },
  );
  await assert.rejects(leaveSubmission(memory, "/nowhere", SAY), { code: "not_found" });
  assert.equal(await memory.stat(`${dir}/${INBOX}`), undefined);
});

Deno.test("leaveSubmission() leaves a whole submission or none when it is killed after any operation", async () => {
  for (let after = 0;; after++) {
    const { memory, dir, inbox } = await opened();
    const files = new FaultyFiles(memory, { killAfter: after });
    try {
      const id = await leaveSubmission(files, dir, SAY);
      assert.deepEqual(await inbox.read(), [{ id, ...SAY }]);
      assert.ok(after > 3, `${after} operations`);
      return;
    } catch (error) {
      assert.ok(error instanceof Killed, String(error));
    }
    for (const { id: _id, ...rest } of await inbox.read()) assert.deepEqual(rest, SAY);
  }
});

Deno.test("leaveSubmission() on a full disk fails with the advice to try again, because a resume would not have the words", async () => {
  const { memory, dir } = await opened();
  const files = new FaultyFiles(memory, { refuse: () => "full" });
  await assert.rejects(leaveSubmission(files, dir, SAY), {
    code: "record_unwritable",
    hint: "Free some space, then try again.",
  });
});

Deno.test("DirectoryInbox skips an unreadable submission, leaves it there, and reads it once it is repaired", async () => {
  const { memory, dir, inbox } = await opened();
  const id = await leaveSubmission(memory, dir, SAY);
  const folder = `${dir}/${INBOX}`;
  const broken: Record<string, string> = {
    "0001.json": '{"version":1,"type":"say","participant":"a","te',
    "0002.json": '{"version":2,"type":"pause"}',
    "0003.json": '{"version":1,"type":"shout","text":"x"}',
    "0004.json": '{"version":1,"type":"say","participant":7,"text":"x"}',
    "0005.json": "x".repeat(MAX_SUBMISSION_BYTES + 1),
    "0006.txt": "words",
    ".0007.json.tmp": '{"version":1,"type":"pause"}',
    ".0008.json": '{"version":1,"type":"pause"}',
    "a b.json": '{"version":1,"type":"pause"}',
  };
  for (const [name, text] of Object.entries(broken)) await memory.write(`${folder}/${name}`, text);
  await memory.makeFolder(`${folder}/0009.json`);
  for (let time = 0; time < 2; time++) {
    assert.deepEqual((await inbox.read()).map((each) => each.id), [id]);
  }
  for (const [name, text] of Object.entries(broken)) {
    assert.equal(await memory.read(`${folder}/${name}`), text);
  }
  await memory.write(`${folder}/0001.json`, '{"version":1,"type":"pause"}\n');
  assert.deepEqual((await inbox.read()).map((each) => each.id), ["0001", id]);
});

Deno.test("DirectoryInbox removes only its own submissions", async () => {
  const { memory, dir, inbox } = await opened();
  for (const id of ["../metadata", "../metadata.md", "a/b", "", ".", "x\u0000"]) {
    await inbox.done(id);
  }
  await inbox.done("0001");
  assert.ok(await memory.stat(`${dir}/metadata.md`));
});

withFolder.test("DirectoryInbox rejects a link that leads outside the directory", async (out) => {
  const files = filesBelow(out);
  const record = await openRecord(files, { out }, { start: startOf() });
  await record.close();
  await files.makeFolder(`${record.dir}/${INBOX}`);
  await Deno.writeTextFile(`${out}/secret`, '{"version":1,"type":"interjection","text":"secret"}');
  await Deno.symlink(`${out}/secret`, `${record.dir}/${INBOX}/0001.json`);
  await leaveSubmission(files, record.dir, { type: "pause" });
  await assert.rejects(record.inbox.read(), {
    code: "record_corrupt",
    message: /0001\.json: it is/,
  });
});

Deno.test("openRecord() has an inbox in its directory, which no other reader looks at", async () => {
  const { memory, dir } = await opened();
  await leaveSubmission(memory, dir, SAY);
  await memory.write(`${dir}/${INBOX}/.old.json.tmp`, "half");
  const record = await openRecord(memory, { dir }, { clock: { now: () => 4e6 } });
  assert.equal((await record.inbox.read()).length, 1);
  const events = new Events(record);
  await events.fact(messageOf(1));
  const ending = endingOf({ outcome: "unscored", winner: null });
  await events.apply({ type: "convening-end", ending });
  await record.close();
  assert.deepEqual((await verifyRecord(memory, dir)).findings, []);
  const paths = [...memory.files(dir)];
  assert.deepEqual(paths.filter(([path]) => path.endsWith(".tmp")), []);
  for (const [path, text] of paths) {
    if (!path.startsWith(INBOX)) assert.doesNotMatch(text, /inbox/, path);
  }
});
