// Record stores pass the contract: in memory, on disk, and a program's own that keeps events.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { walk } from "@std/fs";
import { ConveningError, type ConveningEvent } from "@convenings/convenings";
import { type ConveningStart, factOf } from "@convenings/convenings/protocol";
import { memoryRecord } from "../../src/record/stores.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import type { OpenRecord, RecordStore } from "../../src/core/record.ts";
import { startOf } from "./support/fixtures.ts";
import { recordStoreContract } from "../contracts/record_store_contract.ts";

const OPTIONS = { refreshDelay: 5 };

recordStoreContract("memoryRecord()", () => {
  const store = memoryRecord(OPTIONS);
  return Promise.resolve({ store, again: () => store, files: () => Promise.resolve(store.files) });
});

recordStoreContract("folderRecord()", async () => {
  const out = await Deno.makeTempDir();
  let dir = "";
  const store: RecordStore = {
    async open(start): Promise<OpenRecord> {
      const record = await folderRecord({ out }, OPTIONS).open(start);
      dir = record.dir ?? "";
      return record;
    },
  };
  return {
    store,
    again: () => folderRecord({ dir }, OPTIONS),
    async files() {
      const found = new Map<string, string>();
      for await (const { path } of walk(dir, { includeDirs: false })) {
        found.set(path.slice(dir.length + 1), await Deno.readTextFile(join(path)));
      }
      return found;
    },
  };
});

/** A store that keeps the events of one record, and no files. */
class EventStore implements RecordStore {
  readonly #events: ConveningEvent[] = [];
  #start: ConveningStart | undefined;
  #isOpen = false;

  open(start: ConveningStart): Promise<OpenRecord> {
    this.#start ??= start;
    const code = this.#isOpen ? "locked" : "config_invalid";
    if (this.#isOpen || this.#start.kind !== start.kind) {
      return Promise.reject(new ConveningError(code, "Cannot open the record"));
    }
    this.#isOpen = true;
    const last = this.#events.findLast(({ type }) => /^convening-(?:end|resume)$/.test(type));
    const facts = this.#events.flatMap((event) => factOf(event) ?? []);
    return Promise.resolve({
      start: this.#start,
      resumed: facts.length > 0,
      status: last?.type === "convening-end" ? last.ending.status : "running",
      facts: facts.sort((a, b) => a.type === "message" && b.type === "message" ? a.seq - b.seq : 0),
      lastEvent: this.#events.at(-1)?.n ?? 0,
      apply: (event) => Promise.resolve(void this.#events.push(event)),
      close: () => Promise.resolve(void (this.#isOpen = false)),
    });
  }
}

recordStoreContract("a program's own store", () => {
  const store = new EventStore();
  return Promise.resolve({ store, again: () => store });
});

Deno.test("memoryRecord() has no inbox and stores no answers, because no other process can reach it", async () => {
  const record = await memoryRecord().open(startOf());
  assert.deepEqual([record.inbox, record.answers], [undefined, undefined]);
  await record.close();
});
