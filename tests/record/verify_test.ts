// Verification of valid records.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { describe, it } from "@std/testing/bdd";
import type { Fact } from "../../src/core/fact.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { fileSchemas } from "../../src/record/read.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { withFolder } from "../support/cli.ts";
import { FACTS, message, START } from "./support/transcript_record.ts";
import { failureOf, stopOf } from "./support/fixtures.ts";
import { Sample, writeRecord, type WriteRecordOptions } from "./support/verify_record.ts";

const SMALL: readonly Fact[] = FACTS.slice(0, 3);

describe("verifyRecord() on a sound record", () => {
  const cases: [string, WriteRecordOptions][] = [
    ["completed", {}],
    ["interrupted", { facts: SMALL, ending: null }],
    ["with a turn in flight", { facts: [SMALL[0]!, SMALL[2]!], ending: null }],
    ["stopped", {
      facts: [...SMALL, stopOf()],
      ending: { status: "stopped", endReason: "max_tokens", winner: null },
    }],
    ["failed", {
      facts: [...SMALL, failureOf({ turn: "turn-4", participant: "ada" })],
      ending: { status: "failed", endReason: "failed" },
    }],
    ["with nothing said", { facts: [], ending: null }],
    ["stopped with nothing said", {
      facts: [],
      start: { ...START, topic: "Should cities ban private cars from their centres?" },
      ending: { status: "stopped", endReason: "max_duration", winner: null },
    }],
    ["of 400 messages", {
      facts: Array.from({ length: 400 }, (_, at) => message({ seq: at + 1, round: at + 1 })),
      ending: { outcome: "unscored", winner: null },
    }],
  ];
  for (const [name, options] of cases) {
    it(`reports nothing for a record that is ${name}`, async () => {
      const sample = await Sample.make(options);
      const before = sample.files.files();
      assert.deepEqual(await sample.findings(), []);
      assert.deepEqual(sample.files.files(), before, "it wrote something");
    });
  }

  it("returns the number of messages and the status", async () => {
    const { files, dir } = await Sample.make();
    const { messages, status } = await verifyRecord(files, dir);
    assert.deepEqual({ messages, status }, { messages: 7, status: "completed" });
  });

  it("reports a record without a running process as interrupted", async () => {
    const { files, dir } = await Sample.make({ facts: SMALL, ending: null });
    assert.equal((await verifyRecord(files, dir)).status, "interrupted");
    const { lock } = await files.lock(`${dir}/.lock`);
    assert.equal((await verifyRecord(files, dir)).status, "running");
    await lock!.release();
  });

  it("accepts a record whose line ends git changed to CRLF", async () => {
    const topic = "Should we adopt [the new plan](https://example.org/plan)?";
    const sample = await Sample.make({ start: { ...START, topic } });
    const { files, dir } = sample;
    for (const [path, text] of files.files(dir)) {
      await files.write(join(dir, path), text.replaceAll("\n", "\r\n"));
    }
    assert.deepEqual(await sample.findings(), []);
  });

  it("accepts a topic with a markdown link", async () => {
    const topic = "Should we adopt [the new plan](https://example.org/plan)?";
    const sample = await Sample.make({ start: { ...START, topic } });
    assert.deepEqual(await sample.findings(), []);
    await sample.edit("index.md", /\n# /, "\n[x](https://example.org/plan)\n\n# ");
    assert.match((await sample.findings()).join("\n"), /index\.md.*leads nowhere/);
  });

  it("accepts formats of transcripts that this version does not know", async () => {
    for (const transcript of [["pdf"], "md", null]) {
      const configuration = { ...START.configuration, transcript };
      const sample = await Sample.make({ start: { ...START, configuration } });
      assert.deepEqual(await sample.findings(), [], `${transcript}`);
    }
  });

  it("ignores remains of a crash and unknown files", async () => {
    const sample = await Sample.make({ facts: SMALL, ending: null });
    const { files, dir } = sample;
    await files.write(`${dir}/messages/.004_x_00000000.md.tmp`, "---\nfor");
    await files.append(`${dir}/log.jsonl`, '{"n":99,"type":"mess');
    await files.write(`${dir}/notes.txt`, "mine");
    await files.write(`${dir}/report.md`, "mine");
    assert.deepEqual(await sample.findings(), []);
  });

  it("lists every damaged line of a log, however many there are", async () => {
    const { files, dir } = await Sample.make();
    await files.append(`${dir}/log.jsonl`, "x\n".repeat(150_000));
    assert.equal((await verifyRecord(files, dir)).findings.length, 150_000);
  });

  it("ignores outdated derived files of a running convening", async () => {
    const sample = await Sample.make({ facts: SMALL, ending: null });
    await sample.edit("index.md", /002_/, "009_");
    await sample.remove("summary.md");
    assert.deepEqual(await sample.findings(), []);
  });
});

describe("fileSchemas()", () => {
  it("has a schema for the type of every fact's file", async () => {
    const { files, dir } = await Sample.make();
    let checked = 0;
    for (const [path, text] of files.files(dir)) {
      if (!/^(metadata\.md|[a-z-]+\/)/.test(path) || path.startsWith("pages/")) continue;
      const { data } = readFrontMatter(text, path);
      const schema = fileSchemas()[String(data.type)];
      assert.ok(schema?.safeParse(data).success, path);
      checked++;
    }
    assert.equal(checked, FACTS.length + 1);
  });
});

withFolder.test("verifyRecord() accepts a valid record on disk and reports links that lead outside", async (out) => {
  const files = filesBelow(out);
  const dir = await writeRecord(files, { out });
  assert.deepEqual((await verifyRecord(files, dir)).findings, []);
  await Deno.symlink(join(dir, "index.md"), join(dir, "messages", "x.txt"));
  const { findings } = await verifyRecord(files, dir);
  assert.deepEqual(findings.map(({ path }) => path), ["messages/x.txt"]);
});

it("verifyRecord() names lines of the vectors' file without a valid vector, and opening cuts off an incomplete line", async () => {
  const files = new MemoryFileSystem();
  const dir = await writeRecord(files, { ending: null });
  const path = join(dir, "embeddings.jsonl");
  const record = await openRecord(files, { dir });
  await record.vectors.add([{ id: "a", vector: new Float32Array([1, 0.5]) }]);
  await record.close();
  const sound = await files.read(path);
  await files.write(path, `${sound}{"id":"b","vec`);
  assert.deepEqual((await verifyRecord(files, dir)).findings, []);
  await (await openRecord(files, { dir })).close();
  assert.equal(await files.read(path), sound);
  await files.write(path, `${sound}no JSON\n{"id":"b","vector":"AAA="}\n{"id":"c"}\n${sound}`);
  assert.deepEqual(
    (await verifyRecord(files, dir)).findings.map(({ path, problem }) => `${path}: ${problem}`),
    [2, 3, 4].map((line) => `embeddings.jsonl: line ${line}: it is not a vector`),
  );
});
