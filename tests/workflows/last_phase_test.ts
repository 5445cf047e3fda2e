import assert from "node:assert/strict";
import type { FileSystem } from "../../src/core/files.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { mendRecord, verifyRecord } from "../../src/record/verify.ts";
import { FaultyFiles } from "../output/support/faulty_files.ts";
import { deliberation } from "./support/deliberators.ts";
import {
  afterCrash,
  comparable,
  consensusRunIn,
  conveningIn,
  dialogueRunIn,
  paperRunIn,
  runIn,
} from "./support/killed_runs.ts";
import { paperTalker } from "./support/paper_talkers.ts";
import { Talker } from "./support/talkers.ts";

const TRANSCRIPTS = { transcript: ["md", "json", "html"] } as const;

const KINDS: Readonly<
  Record<string, (files: FileSystem, dir: string | undefined) => ReturnType<typeof runIn>>
> = {
  debate: (files, dir) => runIn(files, dir, { agent: new Talker(), ...TRANSCRIPTS }),
  dialogue: (files, dir) =>
    dialogueRunIn(files, dir, { agent: new Talker(), maxTurns: 3, ...TRANSCRIPTS }),
  consensus: (files, dir) =>
    consensusRunIn(files, dir, { agent: new Talker(deliberation()), ...TRANSCRIPTS }),
  "paper debate": (files, dir) =>
    paperRunIn(files, dir, { agent: paperTalker(), crossExamine: true, ...TRANSCRIPTS }),
};

/** Every file of the archive, its indexes included, without locks, logs, times, latencies and marks of resuming. */
function archived(memory: MemoryFileSystem): Map<string, string> {
  const files = [...memory.files()].filter(([path]) => !/\/(\.lock|log\.jsonl)$/.test(path));
  const texts = files.map(([path, text]) =>
    [path, text.replace(/^ *"latency_ms": .*\n/gm, "")] as const
  );
  return comparable(new Map(texts));
}

function messagesIn(memory: MemoryFileSystem): number {
  return [...memory.files().keys()].filter((path) => /\/messages\/\d+_[^/]*$/.test(path)).length;
}

for (const [kind, run] of Object.entries(KINDS)) {
  Deno.test(`A ${kind} killed at any file operation after its last message is resumed to a complete record`, async () => {
    const calm = new MemoryFileSystem();
    const counted = new FaultyFiles(calm);
    assert.equal((await run(counted, undefined)).error, undefined);
    const expected = archived(calm);
    assert.equal([...expected.keys()].filter((path) => path.includes("transcript.")).length, 3);
    let kills = 0;
    for (let killAfter = counted.operations - 1; killAfter > 0; killAfter--, kills++) {
      const where = `killed after ${killAfter} of ${counted.operations} operations`;
      const memory = new MemoryFileSystem();
      await run(new FaultyFiles(memory, { killAfter }), undefined);
      if (messagesIn(memory) < messagesIn(calm)) break;
      const survived = await afterCrash(memory);
      const dir = conveningIn(survived)!;
      const { status } = await readRecord(survived, dir);
      if (status === "completed") assert.deepEqual(await mendRecord(survived, dir), [], where);
      else assert.equal((await run(survived, dir)).error, undefined, where);
      assert.deepEqual((await verifyRecord(survived, dir)).findings, [], where);
      assert.deepEqual(archived(survived), expected, where);
    }
    assert.ok(kills > 15, `${kills} kills`);
  });

  Deno.test(`A completed ${kind} without some of its derived files is completed by resuming it`, async () => {
    const calm = new MemoryFileSystem();
    await run(calm, undefined);
    const expected = archived(calm);
    const dir = conveningIn(calm)!;
    const derived = [...calm.files(dir).keys()].filter((path) =>
      /^(index|summary|scores|report|transcript)\.\w+$/.test(path)
    );
    for (const from of derived.keys()) {
      const memory = await afterCrash(calm);
      const gone = derived.slice(from);
      for (const path of gone) await memory.remove(`${dir}/${path}`);
      await memory.write(`${dir}/.${gone[0]}.tmp`, "half");
      const mended = await mendRecord(memory, dir);
      assert.deepEqual(gone.filter((path) => !mended.includes(path)), []);
      assert.deepEqual(archived(memory), expected, gone.join(" "));
      assert.deepEqual(await mendRecord(memory, dir), []);
    }
  });
}
