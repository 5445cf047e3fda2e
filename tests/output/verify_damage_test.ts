import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { Fact } from "../../src/core/fact.ts";
import { judgeShortId } from "../../src/core/message.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { FACTS, MADE, score } from "./transcript_record.ts";
import { Sample } from "./verify_record.ts";

const JUDGE = judgeShortId("judge", MADE.model, "debate");
const SMALL: readonly Fact[] = FACTS.slice(0, 3);

describe("verifyRecord() on damage", () => {
  type Damage = [string, (sample: Sample) => Promise<unknown>, RegExp];
  const cases: Damage[] = [
    [
      "an edited message",
      (s) => s.edit("messages/004", /says something\.$/, "said something."),
      /^messages\/004.*sha256/,
    ],
    ["a message deleted from the middle", (s) => s.remove("messages/004"), /message 4 is missing/],
    [
      "the last message deleted",
      (s) => s.remove("messages/007"),
      /^log\.jsonl: line \d+: it announces message 7, which is missing/,
    ],
    [
      "damaged front matter",
      (s) => s.edit("messages/004", "seq: 4", "seq: [4"),
      /^messages\/004.*line/,
    ],
    [
      "a key that is gone",
      (s) => s.edit("messages/004", /\nphase: .*/, ""),
      /^messages\/004.*phase/,
    ],
    [
      "another format",
      (s) => s.edit("messages/004", "convenings/1", "convenings/9"),
      /^messages\/004.*format/,
    ],
    [
      "another type",
      (s) => s.edit("messages/004", "type: message", "type: score"),
      /^messages\/004.*type/,
    ],
    ["a cut file", (s) => s.edit("messages/004", /phase[\s\S]*/, ""), /^messages\/004/],
    ["an empty file", (s) => s.edit("messages/004", /[\s\S]+/, ""), /^messages\/004.*---/],
    [
      "a name that does not fit",
      (s) =>
        s.files.rename(
          s.path("messages/004"),
          `${s.dir}/messages/008_position_advocate_00000000.md`,
        ),
      /^messages\/008.*name does not fit/,
    ],
    [
      "a number twice",
      async (s) =>
        s.files.write(
          `${s.dir}/messages/004_other_00000000.md`,
          await s.files.read(s.path("messages/004_position")),
        ),
      /message number 4/,
    ],
    [
      "a turn key twice",
      (s) => s.edit("messages/004", "turn: turn-4", "turn: turn-2"),
      /turn key "turn-2"/,
    ],
    [
      "an unknown participant",
      (s) => s.edit("messages/004", "participant: ada", "participant: eve"),
      /participant "eve"/,
    ],
    [
      "a reply to the future",
      (s) => s.edit("messages/005", "reply_to: 4", "reply_to: 6"),
      /not before it \(6\)/,
    ],
    [
      "a link to another message",
      (s) => s.edit("messages/005", /answers: 004/, "answers: 002"),
      /^messages\/005.*answers/,
    ],
    [
      "a model without a name",
      (s) => s.edit("messages/005", /model: .*/, "model: 7"),
      /^messages\/005.*made\.model/,
    ],
    [
      "a wrong total",
      (s) => s.edit("scores/004", "total: 8", "total: 9"),
      /^scores\/004.*total is 9.*sum to 8/,
    ],
    [
      "weights that do not sum to 1",
      (s) => s.edit("scores/004", "clarity: 0.5", "clarity: 0.6"),
      /weights sum to 1\.1/,
    ],
    [
      "a number outside the scale",
      (s) => s.edit("scores/004", "clarity: 8", "clarity: 18"),
      /outside the scale/,
    ],
    [
      "a score of another's message",
      (s) => s.edit("scores/004", "participant: ada", "participant: ben"),
      /participant is ben, but that of message 4 is ada/,
    ],
    [
      "a score of a message that is not there",
      (s) => s.edit("scores/004", "message: 4", "message: 40"),
      /message 40 is missing/,
    ],
    [
      "a winner who was not shown",
      (s) => s.edit(`verdicts/${JUDGE}_1`, "winner: ada", "winner: moderator"),
      /^verdicts.*winner "moderator" is none of the sides/,
    ],
    [
      "other usage in metadata.md",
      (s) => s.edit("metadata.md", /input_tokens: \d+/, "input_tokens: 1"),
      /^metadata\.md/,
    ],
    [
      "another winner in metadata.md",
      (s) => s.edit("metadata.md", "winner: ada", "winner: ben"),
      /^(metadata|index)\.md/,
    ],
    [
      "unreadable metadata.md",
      (s) => s.edit("metadata.md", "kind: debate\n", ""),
      /^metadata\.md.*kind/,
    ],
    ["no index", (s) => s.remove("index.md"), /^index\.md: it is missing/],
    [
      "an index with a dead link",
      (s) => s.edit("index.md", /messages\/002_/, "messages/902_"),
      /^index\.md.*leads nowhere/,
    ],
    [
      "an index with a link outside",
      (s) => s.edit("index.md", /\]\(messages\/002[^)]*/, "](../../../etc/passwd"),
      /leads out of the directory/,
    ],
    [
      "an index with a link to the web",
      (s) => s.edit("index.md", /\]\(messages\/002[^)]*/, "](https://e.example"),
      /is not relative/,
    ],
    [
      "an index that is too long",
      (s) => s.edit("index.md", /$/, "many words here ".repeat(900)),
      /^index\.md: it has \d+ tokens/,
    ],
    [
      "an index changed by hand",
      (s) => s.edit("index.md", "Message 2", "Message two"),
      /^index\.md/,
    ],
    ["a summary changed by hand", (s) => s.edit("summary.md", "heard", "ignored"), /^summary\.md/],
    ["standings changed by hand", (s) => s.edit("scores.md", /8/, "9"), /^scores\.md/],
    ["no standings", (s) => s.remove("scores.md"), /^scores\.md/],
    [
      "a log with a broken line",
      (s) => s.edit("log.jsonl", '{"', "{{"),
      /^log\.jsonl: line 1: it is no event/,
    ],
    [
      "a log out of order",
      (s) => s.edit("log.jsonl", '"n":3', '"n":1'),
      /^log\.jsonl: line 3: its number 1/,
    ],
    [
      "a name with a control character",
      (s) => s.files.write(`${s.dir}/messages/a\u0007b`, ""),
      /control character/,
    ],
  ];
  for (const [name, damage, expected] of cases) {
    it(`reports ${name}`, async () => {
      const sample = await Sample.make();
      await damage(sample);
      const before = sample.files.files();
      const findings = await sample.findings();
      assert.ok(
        findings.some((finding) => expected.test(finding)),
        `no finding fits ${expected}: ${findings.join("\n")}`,
      );
      assert.deepEqual(sample.files.files(), before, "it wrote something");
    });
  }

  it("reports any other words in a message's file", async () => {
    const { files, dir } = await Sample.make();
    const [[path, text] = ["", ""]] = [...files.files(dir)]
      .filter(([each]) => each.startsWith("messages/004"));
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.nat(), async (words, place) => {
        const at = place % text.length;
        const changed = text.slice(0, at) + words + text.slice(at + 1);
        fc.pre(changed.toWellFormed() !== text);
        await files.write(`${dir}/${path}`, changed);
        const body = changed.split("\n---\n").slice(1).join("\n---\n");
        const { findings } = await verifyRecord(files, dir);
        if (body === "Message 4 says something.") return;
        assert.ok(findings.length > 0, changed);
      }),
      { numRuns: 40 },
    );
  });

  it("names a fix for everything it finds", async () => {
    for (const [, damage] of cases) {
      const sample = await Sample.make();
      await damage(sample);
      const { findings } = await verifyRecord(sample.files, sample.dir);
      for (const { fix, problem } of findings) assert.ok(fix, problem);
    }
  });

  it("reports files about a turn that is another's or missing", async () => {
    const rejected = {
      type: "rejected",
      seq: 2,
      turn: "turn-9",
      participant: "ada",
      attempt: 1,
      guard: "length",
      reason: "Too long.",
      body: "words",
      ...MADE,
    } as const;
    const lookup = {
      type: "lookup",
      seq: 9,
      number: 1,
      turn: "turn-9",
      participant: "ada",
      tool: "search",
      args: {},
      failed: false,
      result: "",
      createdAt: MADE.createdAt,
    } as const;
    const sample = await Sample.make({ facts: [...FACTS, rejected, lookup] });
    const findings = await sample.findings();
    assert.equal(findings.length, 2);
    assert.match(findings[0]!, /^rejected\/002_1\.md: its turn is turn-9, but that of message 2/);
    assert.match(findings[1]!, /^lookups\/009_1\.md: .*message 9.*missing/);
  });

  it("reports numbers in an unscored score and criteria without weight", async () => {
    const facts = [
      ...SMALL,
      { ...score(2, "ada"), status: "unscored", reason: "none" } as const,
      { ...score(3, "ben"), criteria: { clarity: 8, evidence: 8, wit: 9 } },
    ];
    const sample = await Sample.make({ facts, ending: null });
    const findings = await sample.findings();
    assert.equal(findings.length, 2);
    assert.match(findings[0]!, /says unscored/);
    assert.match(findings[1]!, /no weight for "wit"/);
  });

  it("asks what it is handed about the order of turns", async () => {
    const { files, dir } = await Sample.make();
    const lost = { path: "messages", problem: "message 3 was lost" };
    const { findings } = await verifyRecord(files, dir, {
      check: ({ facts }) => facts.length === FACTS.length ? [lost] : [],
    });
    assert.deepEqual(findings, [lost]);
  });

  it("refuses a folder in which there is no convening", async () => {
    const files = new MemoryFileSystem();
    await files.makeFolder("/empty");
    for (const dir of ["/empty", "/nowhere"]) {
      await assert.rejects(verifyRecord(files, dir), { code: "not_found" });
    }
  });
});
