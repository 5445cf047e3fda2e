// Records after kills, full disks and damage.
import assert from "node:assert/strict";
import { afterCrash, conveningIn } from "../engine/support/killed_runs.ts";
import { FileError, type FileSystem, temporaryName } from "../../src/core/files.ts";
import { moveRecord } from "../../src/record/claim.ts";
import { folderRecord, openRecord } from "../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { parseFact } from "../../src/record/read_pages.ts";
import { withRecordErrors } from "../../src/record/problems.ts";
import { readRecord } from "../../src/record/read.ts";
import { rebuildIndex } from "../../src/record/verify.ts";
import type { Message, Usage } from "../../src/core/message.ts";
import type { OpenRecord } from "../../src/core/record.ts";
import { withFolder } from "../support/cli.ts";
import { begun } from "./support/begun.ts";
import {
  endingOf,
  Events,
  FACTS,
  messageOf,
  resumeOf,
  scoreOf,
  startOf,
} from "./support/fixtures.ts";
import { type Faults, FaultyFiles, Killed } from "./support/faulty_files.ts";

const SLOW = { refreshDelay: 60_000 };
const AT_ONCE = { refreshDelay: 0 };
const MESSAGES = 4;

/** Runs a small convening from the record's current state, as an engine would. */
async function run(
  files: FileSystem,
  dir: string | undefined,
  accepted: Map<number, Message>,
): Promise<void> {
  const place = dir === undefined ? { out: "/out" } : { dir };
  const record = await openRecord(files, place, { ...SLOW, start: startOf() });
  try {
    await goOn(record, accepted);
    await record.close();
  } finally {
    // A killed process writes nothing more; its timers end.
    await record.close().catch(() => {});
  }
}

async function goOn(record: OpenRecord, accepted: Map<number, Message>): Promise<void> {
  const done = new Set(record.facts.map((fact) => fact.type === "message" ? fact.seq : 0));
  for (const fact of record.facts) {
    if (fact.type === "message" && accepted.has(fact.seq)) {
      assert.deepEqual(fact, accepted.get(fact.seq));
    }
  }
  for (const seq of accepted.keys()) assert.ok(done.has(seq), `message ${seq} is lost`);
  const events = new Events(record);
  if (record.resumed) await events.apply(resumeOf(done.size));
  for (let seq = 1; seq <= MESSAGES; seq++) {
    if (done.has(seq)) continue;
    const message = messageOf(seq, { body: `${seq} said at operation ${accepted.size}` });
    await events.fact(message);
    accepted.set(seq, message);
    await events.fact(scoreOf(seq, message.participant, [7, 8]));
    await events.apply({ type: "round-end", round: seq });
  }
  await events.apply({ type: "convening-end", ending: endingOf() });
}

/** Returns the events of a record's log and checks that each line is whole. */
function logIn(
  files: ReadonlyMap<string, string>,
): { readonly n: number; readonly type: string; readonly usage?: Usage }[] {
  return files.get("log.jsonl")!.trimEnd().split("\n").map((line) => JSON.parse(line));
}

function checkWhole(memory: MemoryFileSystem): void {
  for (const [path, text] of memory.files()) {
    const [, type] = /\/(message|score)s\/[^./][^/]*$/.exec(path) ?? [];
    if (type !== undefined) parseFact(text, path, type as "message" | "score");
  }
}

Deno.test("openRecord() loses no accepted message and leaves whole files when it is killed after any operation", async () => {
  let operations = Infinity;
  for (let killAfter = 0; killAfter < operations; killAfter++) {
    const memory = new MemoryFileSystem();
    const accepted = new Map<number, Message>();
    const files = new FaultyFiles(memory, { killAfter });
    try {
      await run(files, undefined, accepted);
      operations = files.operations;
    } catch (error) {
      assert.ok(error instanceof Killed, String(error));
    }
    checkWhole(memory);
    const survived = await afterCrash(memory);
    await run(survived, conveningIn(survived), accepted);
    const dir = conveningIn(survived)!;
    const contents = await readRecord(survived, dir);
    assert.equal(contents.status, "completed");
    assert.equal(contents.facts.filter(({ type }) => type === "message").length, MESSAGES);
    const left = [...survived.files(dir).keys()].filter((path) => path.endsWith(".tmp"));
    assert.deepEqual(left, [], `after ${killAfter} operations`);
    logIn(survived.files(dir));
  }
  assert.ok(operations > 50 && operations < Infinity, `${operations}`);
});

Deno.test("metadata.md states the end of a convening after all other files, also when a note comes with the end", async () => {
  const memory = new MemoryFileSystem();
  const ended: boolean[] = [];
  const files = new FaultyFiles(memory, {
    refuse: (path) => {
      // Check before each operation: are there pages that still show a running convening?
      const dir = conveningIn(memory);
      const text = (name: string) => dir === undefined ? "" : memory.files(dir).get(name) ?? "";
      if (/^status: completed$/m.test(text("metadata.md")) && !path.endsWith("log.jsonl")) {
        ended.push(/completed/.test(text("index.md")));
      }
      return undefined;
    },
  });
  const record = await openRecord(files, { out: "/out" }, { ...SLOW, start: startOf() });
  const events = new Events(record);
  await events.fact(messageOf(1));
  const notes = ["top_p", "presence_penalty"].map((parameter) =>
    events.apply({ type: "parameter_dropped", model: "m", parameter, asked: 1, because: "refused" })
  );
  await Promise.all([...notes, events.apply({ type: "convening-end", ending: endingOf() })]);
  await record.close();
  assert.ok(ended.length > 0 && ended.every((is) => is), String(ended));
  assert.match(memory.files(record.dir).get("metadata.md")!, /presence_penalty/);
});

async function failing(faults: Faults) {
  const memory = new MemoryFileSystem();
  const files = new FaultyFiles(memory, faults);
  const record = await openRecord(files, { out: "/out" }, { ...AT_ONCE, start: startOf() });
  const events = new Events(record);
  let error: unknown;
  try {
    for (let seq = 1; seq <= 3; seq++) await events.fact(messageOf(seq));
    await record.close();
  } catch (caught) {
    error = caught;
    delete faults.refuse;
    await record.close().catch(() => {});
  }
  return { memory, error, dir: record.dir };
}

for (const [problem, words] of [["full", /the disk is full/], ["denied", /not allowed/]] as const) {
  Deno.test(`apply() names the path when writing a message fails: ${problem}`, async () => {
    const { memory, error, dir } = await failing({
      refuse: (path) => path.includes("messages/.003") ? problem : undefined,
    });
    assert.match(String(error), words);
    assert.match(String(error), /messages\/003_position_advocate_f06244c4\.md: /);
    assert.equal((error as { code: string }).code, "record_unwritable");
    assert.ok((error as { hint: string }).hint);
    const { facts } = await readRecord(memory, dir);
    assert.equal(facts.length, 2);
  });
}

Deno.test("a full disk keeps no part of a file", async () => {
  class FullDisk extends MemoryFileSystem {
    isFull = false;
    override async write(path: string, text: string): Promise<void> {
      await super.write(path, this.isFull ? text.slice(0, 9) : text);
      if (this.isFull) throw new FileError("full", path);
    }
  }
  const files = new FullDisk();
  const record = await openRecord(files, { out: "/out" }, { ...AT_ONCE, start: startOf() });
  files.isFull = true;
  await assert.rejects(new Events(record).fact(messageOf(1)), { code: "record_unwritable" });
  await assert.rejects(record.close(), /disk is full/);
  await assert.rejects(openRecord(files, { out: "/out" }, { start: startOf() }), {
    message: "Cannot write /out/2026-11-21/2026-11-21T20-33-05_debate: the disk is full",
    hint: "Free some space, then try again.",
  });
  // Judging, an export and a resume alike: the hint does not name one.
  const place = { dir: record.dir! };
  const locked = new FaultyFiles(files, {
    refuse: (path) => path.endsWith(".lock") ? "full" : undefined,
  });
  await assert.rejects(openRecord(locked, place), { hint: "Free some space, then try again." });
  const left = [...files.files().keys()].filter((path) => path.endsWith(".tmp"));
  assert.deepEqual(left, []);
});

Deno.test("close() releases the lock after its last write, also when the log cannot be written", async () => {
  const appended = Promise.withResolvers<void>();
  class FullLog extends MemoryFileSystem {
    override append(path: string): Promise<void> {
      appended.resolve();
      return Promise.reject(new FileError("full", path));
    }
    override async write(path: string, text: string): Promise<void> {
      if (path.includes("/.index.md.")) {
        await appended.promise;
        for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done));
      }
      await super.write(path, text);
    }
  }
  const files = new FullLog();
  const record = await openRecord(files, { out: "/out" }, { ...SLOW, start: startOf() });
  await new Events(record).fact(messageOf(1));
  await assert.rejects(record.close(), /log\.jsonl: the disk is full/);
  assert.match(await files.read(`${record.dir}/index.md`), /001_/);
});

Deno.test("names of sources fit into a file name, and differ where letter case does not count", async () => {
  const files = new MemoryFileSystem();
  const names = ["\u65e5".repeat(90), "\u00df.md", "SS.md", "\uac00.md", "\u1100\u1161.md"]
    .concat("aux.md", "x", "X.");
  const start = startOf({ sources: names.map((name) => ({ name, text: name })) });
  const record = await openRecord(files, { out: "/out" }, { ...SLOW, start });
  await record.close();
  const kept = (await files.list(`${record.dir}/sources`)).map(({ name }) => name);
  assert.deepEqual(record.start.sources.map(({ name }) => name).toSorted(), kept);
  const folded = new Set(kept.map((name) => name.normalize("NFC").toUpperCase()));
  assert.equal(folded.size, names.length);
  for (const name of kept) {
    assert.ok(new TextEncoder().encode(temporaryName(name)).length <= 255, name);
    assert.doesNotMatch(name, /^aux|\.$/, "Windows refuses the name");
  }
});

Deno.test("a part of a line in a log on a full disk is cut at the next resume, and nothing follows it before", async () => {
  class FullLog extends MemoryFileSystem {
    isFull = false;
    override async append(path: string, text: string): Promise<void> {
      await super.append(path, this.isFull ? text.slice(0, -9) : text);
      if (!this.isFull) return;
      this.isFull = false;
      throw new FileError("full", path);
    }
  }
  const files = new FullLog();
  const record = await openRecord(files, { out: "/out" }, { ...SLOW, start: startOf() });
  const events = new Events(record);
  await events.fact(messageOf(1));
  files.isFull = true;
  await events.fact(messageOf(2));
  await assert.rejects(record.close(), /log\.jsonl: the disk is full/);
  const { dir } = record;
  const resumed = await openRecord(files, { dir: dir! }, SLOW);
  await new Events(resumed).apply(resumeOf(1));
  await resumed.close();
  const log = (await files.read(`${dir}/log.jsonl`)).trimEnd().split("\n");
  assert.deepEqual(log.map((line) => JSON.parse(line).type), ["message", "convening-resume"]);
});

Deno.test("close() fails when derived files could not be written", async () => {
  const { error } = await failing({
    refuse: (path) => path.includes("/.index.md.") ? "full" : undefined,
  });
  assert.match(String(error), /index\.md.*the disk is full/);
});

Deno.test("apply() names a folder that was removed and does not recreate it", async () => {
  const { memory, record, events, dir } = await begun();
  await memory.remove(dir);
  await assert.rejects(events.fact(messageOf(1)), {
    code: "record_unwritable",
    message: /2026-11-21T20-33-05_debate.*its folder is gone/,
  });
  await assert.rejects(record.close(), { code: "record_unwritable" });
  assert.equal(memory.files(dir).size, 0);
});

Deno.test("openRecord() gives convenings of one second separate directories", async () => {
  const memory = new MemoryFileSystem();
  const records = await Promise.all(
    [1, 2, 3].map(() => openRecord(memory, { out: "/out" }, { ...SLOW, start: startOf() })),
  );
  assert.deepEqual(records.map(({ dir }) => dir.split("/").at(-1)).sort(), [
    "2026-11-21T20-33-05_debate",
    "2026-11-21T20-33-05_debate-2",
    "2026-11-21T20-33-05_debate-3",
  ]);
  await Promise.all(records.map((record) => record.close()));
});

async function written() {
  const { memory, record, events, dir } = await begun();
  for (const fact of FACTS) await events.fact(fact);
  await record.close();
  return { memory, dir };
}

const M2 = "messages/002_position_advocate_6839d198.md";

/** Edits of a message's file; undefined removes the file. */
const REFUSED: readonly [change: (text: string) => string | undefined, refusal: object][] = [
  [(text) => `${text} Edited.`, {
    message: /002_position_advocate_6839d198\.md: .*edited/,
    hint: /fork/,
  }],
  [() => undefined, { message: /message 2 is missing/ }],
  [() => '---\nformat: convenings/1\ntype: "mess\n---\n', { message: /002_.*line \d/ }],
];

for (const [change, refusal] of REFUSED) {
  Deno.test(`openRecord() rejects a damaged message: ${JSON.stringify(String(change))}`, async () => {
    const { memory, dir } = await written();
    const text = await memory.read(`${dir}/${M2}`);
    const changed = change(text);
    if (changed === undefined) await memory.remove(`${dir}/${M2}`);
    else await memory.write(`${dir}/${M2}`, changed);
    await assert.rejects(openRecord(memory, { dir }), { code: "record_corrupt", ...refusal });
    await memory.write(`${dir}/${M2}`, text);
    await (await openRecord(memory, { dir })).close();
  });
}

Deno.test("openRecord() reports that there is no record to open", async () => {
  await assert.rejects(openRecord(new MemoryFileSystem(), { dir: "/none" }), { code: "not_found" });
});

const HOLDERS = [
  ["that a program names", () => ({ pid: 4711, host: "alpha" }), "process 4711 on alpha"],
  ["which is this process, as for a fork or an export", undefined, `process ${Deno.pid} on .*`],
] as const;

for (const [what, holder, named] of HOLDERS) {
  Deno.test(`openRecord() names the age of a lock and its holder, ${what}`, async () => {
    const { memory, record, dir } = await begun({ holder, clock: { now: () => 1_000_000 } });
    const later = { now: () => 1_012_000 };
    await assert.rejects(openRecord(memory, { dir }, { clock: later }), {
      code: "locked",
      message: new RegExp(`${named}, for 12 s`),
    });
    await record.close();
  });
}

withFolder.test("folderRecord() names this process, though the option for another is there and undefined", async (out) => {
  const options = { holder: undefined, clock: undefined, refreshDelay: undefined };
  const record = await folderRecord({ out }, options).open(startOf());
  const message = new RegExp(`process ${Deno.pid} on `);
  await assert.rejects(folderRecord({ dir: record.dir! }).open(startOf()), { message });
  await record.close();
});

Deno.test("a failed read of a program's files is not reported as a write", async () => {
  const { memory, record, dir } = await begun();
  await record.close();
  memory.read = (path) => Promise.reject(new FileError("other", path, new Error("no network")));
  await assert.rejects(openRecord(memory, { dir }), {
    code: "record_unwritable",
    message: /^Cannot use .*metadata\.md: .*\(no network\)$/,
  });
});

Deno.test("openRecord() removes incomplete files after a crash and continues after the last whole line of the log", async () => {
  const { memory, dir } = await written();
  await memory.write(`${dir}/messages/.004_x_00000000.md.tmp`, "half");
  await memory.write(`${dir}/.index.md.tmp`, "half");
  await memory.append(`${dir}/log.jsonl`, '{"n":99,"type":"mess');
  const record = await openRecord(memory, { dir }, SLOW);
  assert.equal(record.lastEvent, FACTS.length);
  await new Events(record).fact(messageOf(4));
  await record.close();
  const files = memory.files(dir);
  assert.deepEqual([...files.keys()].filter((path) => path.endsWith(".tmp")), []);
  assert.equal(logIn(files).at(-1)?.n, FACTS.length + 1);
});

Deno.test("rebuildIndex() writes every derived file again, byte for byte", async () => {
  const { memory, dir } = await written();
  const before = memory.files(dir);
  for (const name of ["index.md", "summary.md", "scores.md"]) await memory.remove(`${dir}/${name}`);
  await memory.write(`${dir}/scores.md`, "old");
  await memory.makeFolder(`${dir}/pages`);
  await memory.write(`${dir}/pages/001.md`, "stale");
  await rebuildIndex(memory, dir);
  const after = memory.files(dir);
  before.delete(".lock");
  after.delete(".lock");
  assert.deepEqual(after, before);
  await memory.remove(`${dir}/log.jsonl`);
  await rebuildIndex(memory, dir);
  const log = logIn(memory.files(dir));
  assert.deepEqual(log.map(({ n }) => n), log.map((_, i) => i + 1));
  assert.equal(log.filter(({ type }) => type === "message").length, 3);
  const { usage } = await readRecord(memory, dir);
  const last = log.findLast((event) => event.usage !== undefined);
  assert.deepEqual(last?.usage, usage, "the usage of the record so far");
});

Deno.test("apply() writes a bounded number of files for a message", async () => {
  const memory = new MemoryFileSystem();
  const files = new FaultyFiles(memory);
  const start = startOf({ kind: "dialogue" });
  const record = await openRecord(files, { out: "/out" }, { ...SLOW, start });
  const events = new Events(record);
  for (let seq = 1; seq <= 300; seq++) await events.fact(messageOf(seq));
  const written = () => files.done.filter((each) => each.startsWith("rename"));
  assert.equal(written().filter((each) => each.includes("/messages/")).length, 300);
  assert.ok(written().length <= 305, `${written().length}`);
  await record.close();
  // One page per round, and the pages that lead to them.
  assert.ok(written().length <= 390, `${written().length}`);
});

Deno.test("moveRecord() names the path that cannot be written, at every operation", async () => {
  for (const refused of [".lock", "/trash/2026-11-21", "/index.md"]) {
    const { memory, record, dir } = await begun();
    await record.close();
    const files = new FaultyFiles(memory, {
      refuse: (path) =>
        path.includes(refused) || path.includes(`/.${refused.slice(1)}.`) ? "denied" : undefined,
    });
    const move = { out: "/out", from: dir, to: dir.replace("/out/", "/out/trash/") };
    await assert.rejects(moveRecord(files, move), { code: "record_unwritable" }, refused);
  }
});

Deno.test("withRecordErrors() states the act to repeat: resume, or the caller's", async () => {
  for (const problem of ["full", "not_found", "other"] as const) {
    const work = () => Promise.reject(new FileError(problem, "/a/site"));
    await assert.rejects(withRecordErrors(work), { hint: /then resume/ });
    await assert.rejects(withRecordErrors(work, "then write the site again"), {
      hint: /, then write the site again\.$/,
    });
  }
});
