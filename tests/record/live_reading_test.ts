// Reading a record while it is written.
import assert from "node:assert/strict";
import type { FileEntry, FilePart } from "../../src/core/files.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { eventOf } from "../../src/core/event.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { begun } from "./support/begun.ts";
import { FACTS, START } from "./support/transcript_record.ts";

/** Files of a running convening: each read is followed by one more event. */
class MovingFiles extends MemoryFileSystem {
  /** Applies the next event. */
  next: (() => Promise<void>) | undefined;

  override async list(path: string): Promise<readonly FileEntry[]> {
    const entries = await super.list(path);
    await this.#move();
    return entries;
  }

  override async read(path: string): Promise<string> {
    const text = await super.read(path);
    await this.#move();
    return text;
  }

  async #move(): Promise<void> {
    const { next } = this;
    // The writer's own reads apply no event.
    this.next = undefined;
    await next?.();
    this.next = next;
  }
}

/** Returns a convening with `done` facts on record; further facts follow one by one. */
async function movingRecord(done: number): Promise<{ files: MovingFiles; dir: string }> {
  const files = new MovingFiles();
  const record = await openRecord(files, { out: "/out" }, { start: START, refreshDelay: 0 });
  const at = START.startedAt;
  let n = 0;
  await record.apply({ type: "convening-start", start: START, n: ++n, at });
  for (const fact of FACTS.slice(0, done)) await record.apply({ ...eventOf(fact), n: ++n, at });
  const rest = FACTS.slice(done);
  files.next = async () => {
    const fact = rest.shift();
    if (fact !== undefined) await record.apply({ ...eventOf(fact), n: ++n, at });
    else await record.close();
  };
  return { files, dir: record.dir };
}

Deno.test("readRecord() and verifyRecord() report no problem while the convening runs", async () => {
  for (let done = 0; done < FACTS.length; done++) {
    const read = await movingRecord(done);
    const { facts } = await readRecord(read.files, read.dir);
    assert.ok(facts.length >= done);
    const verified = await movingRecord(done);
    const { findings } = await verifyRecord(verified.files, verified.dir);
    assert.deepEqual(findings, [], `from ${done} facts on`);
  }
});

Deno.test("readRecord() opens the log once, and reads more than its last 64 KiB only if no event ends there", async () => {
  /** Sizes of the parts of the log that were read. */
  const parts: number[] = [];
  class CountedLog extends MemoryFileSystem {
    override async readFrom(path: string, offset: number, most: number): Promise<FilePart> {
      const part = await super.readFrom(path, offset, most);
      if (path.endsWith("/log.jsonl")) parts.push(part.bytes.length);
      return part;
    }
  }
  const { memory, record, dir } = await begun({}, new CountedLog());
  await record.close();
  const read = async (n: number, length: number) => {
    const pad = "x".repeat(length);
    await memory.append(`${dir}/log.jsonl`, `${JSON.stringify({ n, type: "later", pad })}\n`);
    parts.length = 0;
    const { lastEvent } = await readRecord(memory, dir);
    assert.equal(lastEvent, n);
    return [...parts];
  };
  const [first, ...more] = await read(2, 200 * 1024);
  assert.deepEqual([first, more.length], [64 * 1024, 1]);
  assert.deepEqual(await read(3, 10), [64 * 1024]);
});

Deno.test("Pages are written while a convening runs, although the clock of the machine jumps", async () => {
  const files = new MemoryFileSystem();
  let now = Date.parse(START.startedAt);
  const clock = { now: () => now += 24 * 60 * 60 * 1000 };
  const record = await openRecord(files, { out: "/out" }, { start: START, refreshDelay: 0, clock });
  const at = START.startedAt;
  await record.apply({ type: "convening-start", start: START, n: 1, at });
  const messages = FACTS.filter(({ type }) => type === "message").slice(0, 3);
  for (const [index, fact] of messages.entries()) {
    await record.apply({ ...eventOf(fact), n: index + 2, at });
    const end = performance.now() + 5000;
    for (let page = ""; !page.includes(`messages/00${index + 1}`);) {
      assert.ok(performance.now() < end, `index.md lacks message ${index + 1}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      page = await files.read(`${record.dir}/index.md`).catch(() => "");
    }
  }
  await record.close();
});
