// Record stores pass the contract: in memory, on disk.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { walk } from "@std/fs";
import { folderRecord, memoryRecord } from "../../src/record/stores.ts";
import type { OpenRecord, RecordStore } from "../../src/core/record.ts";
import { startOf } from "./support/fixtures.ts";
import { recordStoreContract } from "../contracts/record_store_contract.ts";

const OPTIONS = { refreshDelay: 5 };

recordStoreContract("memoryRecord()", () => {
  const store = memoryRecord(OPTIONS);
  return Promise.resolve({
    store,
    again: () => store,
    files: () => Promise.resolve(store.files),
  });
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

Deno.test("memoryRecord() has no inbox and stores no answers, because no other process can reach it", async () => {
  const record = await memoryRecord().open(startOf());
  assert.deepEqual([record.inbox, record.answers], [undefined, undefined]);
  await record.close();
});
