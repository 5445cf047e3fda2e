// Forks of records: copied facts, edits, damaged parents, failing disks.
import assert from "node:assert/strict";
import { basename } from "@std/path";
import { describe, it } from "@std/testing/bdd";
import type { Fact } from "../../src/core/fact.ts";
import { RecordError } from "../../src/core/error.ts";
import { FileError } from "../../src/core/files.ts";
import { type ForkOptions, forkRecord } from "../../src/record/fork.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { FACTS, MADE, message, score, START } from "./support/transcript_record.ts";
import { choiceOf, failureOf, lookUpOf, rejectedOf } from "./support/fixtures.ts";
import { FOUND, FOUND_START } from "./support/found_record.ts";
import { Sample, writeRecord } from "./support/verify_record.ts";

const NOW = "2026-11-22T08:00:00.000Z";
const clock = { now: () => Date.parse(NOW) };

function fork({ files, dir }: Sample, options: Omit<ForkOptions, "clock">): Promise<string> {
  return forkRecord(files, dir, { clock, ...options });
}

const ABOUT = (seq: number): Fact[] => {
  const turn = { seq, turn: `turn-${seq}`, participant: "ada" };
  return [
    rejectedOf(turn),
    lookUpOf(turn),
    choiceOf({ key: `bid-${seq}`, seq, participant: "ada" }),
    message({ seq }),
    score(seq, "ada"),
    { type: "context", number: seq, through: seq, body: `Up to ${seq}.`, ...MADE },
  ];
};
const EVERYTHING: readonly Fact[] = [1, 2, 3, 4].flatMap(ABOUT);

describe("forkRecord()", () => {
  it("copies the first messages and the facts about them, and leaves the parent unchanged", async () => {
    const sample = await Sample.make();
    const before = sample.files.files(sample.dir);
    const dir = await fork(sample, { at: 5 });
    assert.equal(dir, "/out/2026-11-22/2026-11-22T08-00-00_debate");
    assert.deepEqual(sample.files.files(sample.dir), before);
    const forked = await readRecord(sample.files, dir);
    const taken = FACTS.filter((fact) =>
      fact.type === "message" ? fact.seq <= 5 : fact.type === "score"
    );
    assert.deepEqual(forked.facts, taken);
    assert.equal(forked.status, "running");
    assert.equal(forked.endReason, undefined);
    assert.deepEqual(forked.start, {
      ...START,
      startedAt: NOW,
      parent: { dir: "2026-11-21T20-33-05_debate", seq: 5 },
    });
  });

  it("makes a valid record whose files are the parent's, byte for byte", async () => {
    const sample = await Sample.make();
    const dir = await fork(sample, { at: 5 });
    const { findings } = await verifyRecord(sample.files, dir);
    assert.deepEqual(findings, []);
    const parent = sample.files.files(sample.dir);
    for (const [path, text] of sample.files.files(dir)) {
      if (!/^(messages|scores)\//.test(path)) continue;
      assert.equal(text, parent.get(path), path);
    }
  });

  it("copies rejected attempts, look-ups, choices and folds up to its cut", async () => {
    const sample = await Sample.make({ facts: EVERYTHING, ending: null });
    const dir = await fork(sample, { at: 2 });
    const { facts } = await readRecord(sample.files, dir);
    assert.deepEqual(
      facts.map(({ type }) => type),
      ["message", "score", "rejected", "choice", "context", "lookup"]
        .flatMap((type) => [type, type]),
    );
  });

  it("replaces the last message's text and omits its scores", async () => {
    const sample = await Sample.make({ facts: EVERYTHING, ending: null });
    const dir = await fork(sample, { at: 3, edit: "\n# Other words\r\n" });
    const { facts } = await readRecord(sample.files, dir);
    const edited = facts.findLast((fact) => fact.type === "message");
    assert.deepEqual([edited?.body, edited?.edited], ["# Other words", true]);
    const count = (type: Fact["type"]) => facts.filter((fact) => fact.type === type).length;
    assert.deepEqual([count("score"), count("context"), count("rejected")], [2, 2, 3]);
    const text = [...sample.files.files(dir)]
      .find(([path]) => path.startsWith("messages/003"))?.[1];
    assert.match(text ?? "", /\nedited: true\n/);
    assert.deepEqual((await verifyRecord(sample.files, dir)).findings, []);
  });

  it("copies fact checks, drafts, stances and memory up to its cut", async () => {
    const sample = await Sample.make({ start: FOUND_START, facts: FOUND, ending: null });
    const kept = (facts: readonly Fact[]) =>
      facts.filter(({ type }) => type !== "message").map((fact) =>
        fact.type === "fact-check" || fact.type === "score"
          ? `${fact.type} ${fact.message}`
          : "seq" in fact
          ? `${fact.type} ${fact.seq}`
          : fact.type
      );
    const before = ["stance 0", "stance 0", "stance 0"];
    const first = await readRecord(sample.files, await fork(sample, { at: 1 }));
    assert.deepEqual(kept(first.facts), [
      ...["score 1", "score 1", "choice 1", "choice 1", "lookup 0", "fact-check 1", "draft 1"],
      ...before,
    ]);
    const edited = await fork(sample, { at: 1, edit: "Other words." });
    const { facts } = await readRecord(sample.files, edited);
    assert.deepEqual(kept(facts), ["choice 1", "choice 1", "lookup 0", ...before]);
    const fifth = await readRecord(sample.files, await fork(sample, { at: 5 }));
    assert.equal(fifth.facts.filter(({ type }) => type === "stance").length, 6);
    assert.deepEqual(fifth.facts.filter(({ type }) => type === "fact-check").length, 2);
    for (const dir of [first.dir, edited, fifth.dir]) {
      assert.deepEqual((await verifyRecord(sample.files, dir)).findings, []);
    }
  });

  it("is written to another archive when configured, beside others of the same second", async () => {
    const sample = await Sample.make();
    const name = "/other/2026-11-22/2026-11-22T08-00-00_debate";
    for (const expected of [name, `${name}-2`, `${name}-3`]) {
      assert.equal(await fork(sample, { at: 1, out: "/other" }), expected);
    }
  });

  it("keeps sources and the width of file names", async () => {
    const sources = [{ name: "facts.md", text: "Cities are old." }];
    const start = { ...START, expectedMessages: 12_000, sources };
    const sample = await Sample.make({ start });
    const dir = await fork(sample, { at: 2 });
    const paths = [...sample.files.files(dir).keys()];
    assert.ok(paths.includes("sources/facts.md"));
    assert.ok(paths.some((path) => path.startsWith("messages/00002_")));
  });

  it("continues without a turn that the parent's protocol skipped", async () => {
    const failure = failureOf({ seq: 2, turn: "turn-2", participant: "ada" });
    const facts = [message({ seq: 1 }), failure, message({ seq: 3, previous: 1 })];
    const sample = await Sample.make({ facts, ending: null });
    const dir = await fork(sample, { at: 3 });
    assert.equal((await readRecord(sample.files, dir)).facts.length, 3);
    await assert.rejects(fork(sample, { at: 2, edit: "words" }), { code: "config_invalid" });
  });

  it("is damaged where the process was killed before the last copied message", async () => {
    const sample = await Sample.make();
    const parent = basename(sample.dir);
    sample.dir = await fork(sample, { at: 5 });
    for (const path of ["messages/005", "scores/005", "messages/004", "scores/004"]) {
      await sample.remove(path);
    }
    await assert.rejects(readRecord(sample.files, sample.dir), {
      code: "record_corrupt",
      message: /message 4 is missing, though the fork begins with 5 messages of /,
      hint: `Put the file of message 4 back, or fork ${parent} again.`,
    });
  });

  it("rejects a number without a message", async () => {
    const sample = await Sample.make();
    for (const at of [0, -1, 8, 1.5, NaN]) {
      await assert.rejects(fork(sample, { at }), {
        code: "config_invalid",
        field: "at",
        message: `Cannot fork ${sample.dir} at ${at}: it has messages 1 to 7`,
      });
    }
    const empty = await Sample.make({ facts: [], ending: null });
    await assert.rejects(fork(empty, { at: 1 }), /has no messages yet/);
  });

  it("rejects an empty edit and a folder without a convening", async () => {
    const sample = await Sample.make();
    for (const edit of ["", " \n", "---"]) {
      await assert.rejects(fork(sample, { at: 2, edit }), { field: "edit" });
    }
    sample.dir = "/nowhere";
    await assert.rejects(fork(sample, { at: 1 }), { code: "not_found" });
  });
});

describe("forkRecord() of a damaged parent", () => {
  type Damage = [string, (sample: Sample) => Promise<unknown>];
  const within: Damage[] = [
    ["an edited message", (s) => s.edit("messages/002", /says/g, "said")],
    ["damaged front matter", (s) => s.edit("messages/002", "seq:", "seq: [")],
    ["a lost message", (s) => s.remove("messages/002")],
    ["a damaged score", (s) => s.edit("scores/004", "total:", "total: [")],
    ["damaged metadata", (s) => s.edit("metadata.md", "seed:", "seed: [")],
  ];
  for (const [name, damage] of within) {
    it(`rejects ${name} within the copied part and leaves nothing behind`, async () => {
      const sample = await Sample.make();
      await damage(sample);
      const before = sample.files.files();
      await assert.rejects(fork(sample, { at: 5 }), { code: "record_corrupt" });
      assert.deepEqual(sample.files.files(), before);
    });
  }

  it("hands on the remedy of a file that cannot be read", async () => {
    const hint = "Grant the permission to the program, or choose another folder.";
    class Closed extends MemoryFileSystem {
      override read(path: string): Promise<string> {
        return path.includes("messages/002")
          ? Promise.reject(new RecordError("record_corrupt", "No.", { field: path, hint }))
          : super.read(path);
      }
    }
    const files = new Closed();
    const dir = await writeRecord(files);
    await assert.rejects(forkRecord(files, dir, { clock, at: 5 }), {
      code: "record_corrupt",
      hint,
    });
  });

  it("rejects the number of a message in flight, and of a message that another needs", async () => {
    const facts = [message({ seq: 1 }), message({ seq: 3, previous: 1 })];
    const sample = await Sample.make({ facts, ending: null });
    await assert.rejects(fork(sample, { at: 3 }), {
      code: "config_invalid",
      message: `Cannot fork ${sample.dir} at 3: message 2 is not said yet`,
      hint: /^Wait for it, .* or fork at 1 or before\.$/,
    });
    const lost = await Sample.make({ facts: [...facts, score(2, "ada")], ending: null });
    await assert.rejects(fork(lost, { at: 3 }), {
      code: "record_corrupt",
      message: `Cannot fork ${lost.dir} at 3: message 2 is missing`,
    });
  });

  it("rejects a damaged verdict that a copied message states, and ignores any other", async () => {
    const sample = await Sample.make({
      facts: [...FACTS.slice(0, -1), message({ seq: 8, kind: "verdict" })],
    });
    await sample.edit("verdicts/", "number:", "number: [");
    assert.ok(await fork(sample, { at: 7 }));
    await assert.rejects(fork(sample, { at: 8 }), { code: "record_corrupt" });
  });

  it("ignores damage after its cut, and of briefs", async () => {
    const sample = await Sample.make();
    await sample.files.makeFolder(`${sample.dir}/briefs`);
    await sample.files.write(`${sample.dir}/briefs/1.md`, "---\nnumber: [\n---\n");
    await sample.edit("messages/005", "says", "said");
    await sample.remove("messages/006");
    await sample.edit("scores/005", "total:", "total: [");
    const dir = await fork(sample, { at: 4 });
    assert.deepEqual((await verifyRecord(sample.files, dir)).findings, []);
  });

  it("accepts an edited message's change when it is given as the edit", async () => {
    const sample = await Sample.make();
    await sample.edit("messages/004", /says something\.$/, "says more.");
    await assert.rejects(fork(sample, { at: 4 }), { code: "record_corrupt" });
    const dir = await fork(sample, { at: 4, edit: "Message 4 says more." });
    const { facts } = await readRecord(sample.files, dir);
    const last = facts.findLast((fact) => fact.type === "message");
    assert.equal(last?.body, "Message 4 says more.");
  });
});

describe("forkRecord() on a disk that fails", () => {
  it("removes the partial fork and names the path that could not be written", async () => {
    class FullDisk extends MemoryFileSystem {
      room = Infinity;
      override write(path: string, text: string): Promise<void> {
        return this.room-- > 0
          ? super.write(path, text)
          : Promise.reject(new FileError("full", path));
      }
    }
    const files = new FullDisk();
    const dir = await writeRecord(files);
    files.room = 6;
    await assert.rejects(forkRecord(files, dir, { clock, at: 5 }), { code: "record_unwritable" });
    const left = (await files.list("/out/2026-11-22")).map(({ name }) => name);
    assert.deepEqual(left.filter((name) => name.includes("debate")), []);
  });
});
