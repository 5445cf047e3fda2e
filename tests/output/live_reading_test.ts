import assert from "node:assert/strict";
import type { FileEntry } from "../../src/core/files.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { eventOf } from "../../src/core/event.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { FACTS, START } from "./transcript_record.ts";

/** Files of a convening that runs while they are read: one more event happens after each look at them. */
class MovingFiles extends MemoryFileSystem {
  /** Lets the next thing happen. */
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
    // What the writer itself looks at moves nothing.
    this.next = undefined;
    await next?.();
    this.next = next;
  }
}

/** A convening of which `done` facts are on record; the others follow one by one. */
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

Deno.test("readRecord() and verifyRecord() find nothing wrong with a convening that runs meanwhile", async () => {
  for (let done = 0; done < FACTS.length; done++) {
    const read = await movingRecord(done);
    const { facts } = await readRecord(read.files, read.dir);
    assert.ok(facts.length >= done);
    const verified = await movingRecord(done);
    const { findings } = await verifyRecord(verified.files, verified.dir);
    assert.deepEqual(findings, [], `from ${done} facts on`);
  }
});
