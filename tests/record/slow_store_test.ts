// Records in a custom, slow file system equal records in the usual one, byte for byte.
import assert from "node:assert/strict";
import type { Agent } from "../../mod.ts";
import { fileRecord, type FileSystem } from "../../protocol.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { recordStoreContract } from "../contracts/record_store_contract.ts";
import {
  comparable,
  consensusRunIn,
  conveningIn,
  dialogueRunIn,
  paperRunIn,
  type Ran,
  runIn,
} from "../engine/support/killed_runs.ts";
import { deliberation } from "../consensus/support/deliberators.ts";
import { paperTalker } from "../papers/debate/support/paper_talkers.ts";
import { Talker } from "../support/talkers.ts";

/** File system with network latency: operations take 0 to 2 ms and finish in any order. */
class SlowFiles {
  operations = 0;

  constructor(under: MemoryFileSystem) {
    return new Proxy(this, {
      get: (self, name) => {
        if (name === "operations") return self.operations;
        const operation = Reflect.get(under, name) as (...given: unknown[]) => Promise<unknown>;
        return async (...given: unknown[]) => {
          await new Promise((resolve) => setTimeout(resolve, ++self.operations * 7 % 3));
          return await operation.apply(under, given);
        };
      },
    });
  }
}

function slow(under: MemoryFileSystem): SlowFiles & FileSystem {
  return new SlowFiles(under) as SlowFiles & FileSystem;
}

recordStoreContract("fileRecord() over a slow store", () => {
  const memory = new MemoryFileSystem();
  const files = slow(memory);
  let dir = "";
  return Promise.resolve({
    store: {
      async open(start) {
        const record = await fileRecord(files, { out: "/out" }, { refreshDelay: 5 }).open(start);
        dir = record.dir ?? "";
        return record;
      },
    },
    again: () => fileRecord(files, { dir }, { refreshDelay: 5 }),
    files: () => Promise.resolve(memory.files(dir)),
  });
});

const agreeing = deliberation(() => ({ stance: "agree" }));

const KINDS: Readonly<Record<string, (files: FileSystem, dir?: string) => Promise<Ran>>> = {
  dialogue: (files, dir) => dialogueRunIn(files, dir, { agent: new Talker() }),
  debate: (files, dir) => runIn(files, dir, { agent: new Talker() }),
  consensus: (files, dir) => consensusRunIn(files, dir, { agent: new Talker(agreeing) as Agent }),
  "paper-debate": (files, dir) => paperRunIn(files, dir, { agent: paperTalker() }),
};

for (const [kind, run] of Object.entries(KINDS)) {
  Deno.test(`a ${kind} in a slow store leaves the same directory as elsewhere and can be resumed`, async () => {
    const [calm, remote] = [new MemoryFileSystem(), new MemoryFileSystem()];
    const files = slow(remote);
    for (const each of [calm, files]) assert.equal((await run(each)).error, undefined);
    const dir = conveningIn(remote)!;
    assert.ok(files.operations > 50, String(files.operations));
    const whole = comparable(calm.files(conveningIn(calm)!));
    assert.deepEqual([...comparable(remote.files(dir))], [...whole]);
    assert.deepEqual((await verifyRecord(files, dir)).findings, []);
    const { error, result } = await run(files, dir);
    assert.equal(error, undefined);
    assert.equal(result?.status, "completed");
  });
}
