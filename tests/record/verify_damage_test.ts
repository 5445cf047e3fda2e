// Verification of damaged records.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { Fact } from "../../src/core/fact.ts";
import { judgeShortId, sha256, shortId } from "../../src/core/message.ts";
import { exactWords } from "../../src/core/quotations.ts";
import { assess } from "../../src/judging/assessment.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { factCheckOf, lookUpOf, rejectedOf } from "./support/fixtures.ts";
import { FOUND, FOUND_START } from "./support/found_record.ts";
import { PAPER_FACTS, PAPER_START } from "./support/paper_record.ts";
import { FACTS, MADE, score } from "./support/transcript_record.ts";
import { Sample, type WriteRecordOptions } from "./support/verify_record.ts";

const JUDGE = judgeShortId("judge", MADE.model, "debate");
const LISTENER = shortId("listener-1");
const SMALL: readonly Fact[] = FACTS.slice(0, 3);
const FINDINGS = { start: FOUND_START, facts: FOUND, ending: assess(FOUND_START, FOUND) };
const PAPERS = { start: PAPER_START, facts: PAPER_FACTS, ending: assess(PAPER_START, PAPER_FACTS) };

/** Edit of the only file that begins with `lead`, and the expected finding. */
type Edit = readonly [lead: string, from: string | RegExp, to: string, finding: RegExp];

/** Each alias repeats the previous list ten times: a billion values. */
const BOMB = Array.from(
  { length: 10 },
  (_, at) => `a${at}: &a${at} [${at === 0 ? "x" : Array(10).fill(`*a${at - 1}`).join(", ")}]\n`,
).join("");

const DEBATE_EDITS: readonly Edit[] = [
  ["metadata.md", "kind:", `${BOMB}kind:`, /^metadata\.md.*its YAML aliases expand/],
  ["metadata.md", "kind:", "a: &a [*a]\nkind:", /^metadata\.md.*its YAML aliases expand/],
  ["messages/004", "phase:", "a: &a { b: *a }\nphase:", /^messages\/004.*its YAML aliases expand/],
  ["messages/004", /says something\.$/, "said something.", /^messages\/004.*sha256/],
  ["messages/004", "seq: 4", "seq: [4", /^messages\/004.*line/],
  ["messages/004", /\nphase: .*/, "", /^messages\/004.*phase/],
  ["messages/004", "convenings/1", "convenings/9", /^messages\/004.*format/],
  ["messages/004", "type: message", "type: score", /^messages\/004.*type/],
  ["messages/004", /phase[\s\S]*/, "", /^messages\/004/],
  ["messages/004", /[\s\S]+/, "", /^messages\/004.*---/],
  ["messages/004", "turn: turn-4", "turn: turn-2", /turn key "turn-2"/],
  ["messages/004", "phase: ", "position: No\nphase: ", /^messages\/004.*its position is "No"/],
  [
    "messages/004",
    "phase: ",
    "gist: I concede.\nphase: ",
    /^messages\/004.*the format has no key "gist"/,
  ],
  ["messages/004", "participant: ada", "participant: eve", /participant "eve"/],
  ["messages/005", "seq: 5", "seq: 900000000", /^messages: messages 8 to 899999999 are missing/],
  ["messages/005", "reply_to: 4", "reply_to: 6", /not before it \(6\)/],
  ["messages/005", /answers: 004/, "answers: 002", /^messages\/005.*answers/],
  ["messages/005", /model: .*/, "model: 7", /^messages\/005.*made\.model/],
  ["scores/004", "total: 8", "total: 9", /^scores\/004.*total do not fit/],
  ["scores/004", "clarity: 0.5", "clarity: 0.6", /do not fit each other/],
  ["scores/004", "clarity: 8", "clarity: 18", /do not fit each other/],
  ["scores/004", "participant: ada", "participant: ben", /is ben, but that of message 4 is ada/],
  ["scores/004", "message: 4", "message: 40", /message 40 is missing/],
  [`verdicts/${JUDGE}_1`, "winner: ada", "winner: moderator", /^verdicts.*"moderator" is not one/],
  ["metadata.md", /input_tokens: \d+/, "input_tokens: 1", /^metadata\.md/],
  ["metadata.md", "winner: ada", "winner: ben", /^(metadata|index)\.md/],
  ["metadata.md", "kind: debate\n", "", /^metadata\.md.*kind/],
  ["index.md", /messages\/002_/, "messages/902_", /^index\.md.*leads nowhere/],
  ["index.md", /\]\(messages\/002[^)]*/, "](../../../etc/passwd", /leads nowhere/],
  ["index.md", /\]\(messages\/002[^)]*/, "](https://e.example", /leads nowhere/],
  ["index.md", /$/, "many words here ".repeat(900), /^index\.md: it has [\d,]+ tokens/],
  ["index.md", "Message 2", "Message two", /^index\.md/],
  ["summary.md", "heard", "ignored", /^summary\.md/],
  ["scores.md", /8/, "9", /^scores\.md/],
  ["log.jsonl", '{"', "{{", /^log\.jsonl: line 1: it is not an event/],
  ["log.jsonl", '"n":3', '"n":1', /^log\.jsonl: line 3: its number 1/],
];

const FINDING_EDITS: readonly Edit[] = [
  ["fact-checks/001", "participant: advocate-a", "participant: advocate-b", /1 is advocate-a/],
  ["fact-checks/001", "factuality: 0.5", "factuality: 0.9", /claims make it 0\.5/],
  [
    "fact-checks/001",
    "quote: says a thing",
    "quote: says nothing",
    /not in message 1: "says nothing"/,
  ],
  ["fact-checks/001", "verdict: unverifiable", "verdict: maybe", /claims\.2\.verdict/],
  ["fact-checks/002", "factuality: null", "factuality: 1", /its status and claims make it null/],
  ["drafts/001", "turn: turn/1", "turn: turn/2", /is turn\/2, but that of message 1 is turn\/1/],
  ["drafts/001", "SECRET doubts", "SECRET doubt", /no section "critique"/],
  [
    `stances/000_${LISTENER}`,
    `"on": advocate-a`,
    `"on": advocate-z`,
    /no participant "advocate-z"/,
  ],
  [`stances/000_${LISTENER}`, "status: read", "status: unread", /its status is unread/],
  ["metadata.md", "alpha: ", "alpha: 1", /its agreement is/],
  ["metadata.md", "advocate-b\nscores", "advocate-a\nscores", /the truth files give/],
];

const PAPER_EDITS: readonly Edit[] = [
  ["evidence/004", "participant: debater-a", "participant: debater-b", /of message 4 is debater-a/],
  ["evidence/004", /posture: .*/, "posture: Nothing", /not the position/],
  ["evidence/005", "verified: 0", "verified: 3", /its verified is 3/],
  ["evidence/005", "not_found: 3", "not_found: 0", /its not_found is 0, not 3/],
  ["evidence/005", "- not found: “No", "- verified: “No", /its body does not say/],
  ["evidence/004", "text: buses ran every six", "text: buses ran every two", /at 242 to 289/],
  ["evidence/004", "start: 242", "start: 200", /is not in paper quiet at 200 to 289/],
  ["evidence/004", "source: quiet", "source: loud", /is not in paper loud at 242 to 289/],
  ["evidence/004", '"quiet#1"', '"quiet#7"', /marks passage "quiet#7" verified, which no look-up/],
  [
    "evidence/004",
    'text: "Trade fell',
    'text: "Trade rose',
    /marks passage "quiet#1" verified, which no look-up/,
  ],
  [
    "evidence/004",
    /(\n +)status: verified/,
    "$1cited: { start: 0, end: 9999 }$1status: verified",
    /marks passage "quiet#1" verified, which no look-up/,
  ],
  ["evidence/004", /(?<=quiet#1[^]*?end: )/, "9", /marks passage "quiet#1" verified, which no/],
  ["evidence/004", "from: paper\n    source: quiet\n    start", "start", /a quotation verified/],
  ["evidence/004", "start: 242\n    end: 289\n    page", "page", /a quotation verified/],
  ["evidence/004", "from: paper", "from: web", /a quotation verified/],
  ["evidence/004", "People came back", "Trade doubled", /the page "https.*\/count" verified/],
  ["evidence/004", "org/count", "org/other", /the page "https:\/\/example\.org\/other" verified/],
  ["evidence/005", "status: not found", "status: maybe", /status: "maybe" is not allowed/],
  ["lookups/004_1", "quiet#1", "quiet#2", /passage "quiet#1"/],
  ["scores/004", "criteria: { value: 0.9,", "criteria: { value: 0.8,", /do not fit each other/],
  ["scores/004", "criteria: { value: 0.9, ", "criteria: { ", /do not fit each other/],
  ["metadata.md", "position_from: 4", "position_from: 3", /its position of participants is/],
  ["metadata.md", "a: { verified: 3", "a: { verified: 9", /its evidence is/],
  ["metadata.md", /judges: \[\{ id: judge-1/, "judges: [{ id: judge-9", /participant "judge-1"/],
];

/** Damage other than edits of a file's text. */
const OTHERS: readonly [name: string, damage: (s: Sample) => Promise<unknown>, finding: RegExp][] =
  [
    ["a message deleted from the middle", (s) => s.remove("messages/004"), /message 4 is missing/],
    [
      "the last message deleted",
      (s) => s.remove("messages/007"),
      /^log\.jsonl: .*message 7, which/,
    ],
    [
      "the last message deleted, with the log",
      (s) => s.remove("messages/007").then(() => s.remove("log.jsonl")),
      /^metadata\.md: it counts 7 messages, but the truth files have 6/,
    ],
    ["no index", (s) => s.remove("index.md"), /^index\.md: it is missing/],
    ["no standings", (s) => s.remove("scores.md"), /^scores\.md/],
    [
      "a name that does not fit",
      (s) => s.files.rename(s.path("messages/004"), `${s.dir}/messages/008_advocate_00000000.md`),
      /^messages\/008.*name does not fit/,
    ],
    [
      "a number twice",
      async (s) => {
        const text = await s.files.read(s.path("messages/004_position"));
        await s.files.write(`${s.dir}/messages/004_other_00000000.md`, text);
      },
      /message number 4/,
    ],
    [
      "a name with a control character",
      (s) => s.files.write(`${s.dir}/messages/a\u0007b`, ""),
      /control character/,
    ],
  ];

async function finds(
  options: WriteRecordOptions,
  damage: (sample: Sample) => Promise<unknown>,
  expected: RegExp,
): Promise<void> {
  const sample = await Sample.make(options);
  await damage(sample);
  const before = sample.files.files();
  const { findings } = await verifyRecord(sample.files, sample.dir);
  const texts = findings.map(({ path, problem }) => `${path}: ${problem}`);
  assert.ok(texts.some((each) => expected.test(each)), `${expected}: ${texts.join("\n")}`);
  for (const { fix, problem } of findings) assert.ok(fix, problem);
  assert.deepEqual(sample.files.files(), before, "it wrote something");
}

describe("verifyRecord() on damage", () => {
  const edits = [
    ["debate", {}, DEBATE_EDITS],
    ["debate with findings", FINDINGS, FINDING_EDITS],
    ["paper debate", PAPERS, PAPER_EDITS],
  ] as const;
  for (const [record, options, rows] of edits) {
    for (const [lead, from, to, finding] of rows) {
      it(`reports ${to.slice(0, 40) || "nothing"} in the place of ${from} in ${lead} of a ${record}`, () =>
        finds(options, (sample) => sample.edit(lead, from, to), finding));
    }
  }
  for (const [name, damage, finding] of OTHERS) {
    it(`reports ${name}`, () => finds({}, damage, finding));
  }

  it("reports of an answer only that the answered message is missing", async () => {
    const sample = await Sample.make();
    const { files, dir } = sample;
    const [[path = "", answered = ""] = []] = [...files.files(dir)].flatMap(([each, text]) => {
      const [, name] = /^answers: (\S+)$/m.exec(text) ?? [];
      return each.startsWith("messages/") && name !== undefined ? [[each, name]] : [];
    });
    assert.match(answered, /^\d+_/);
    await sample.remove(`messages/${answered}`);
    const { findings } = await verifyRecord(files, dir);
    assert.deepEqual(findings.filter((each) => each.path === path), []);
    assert.ok(findings.some(({ problem }) => problem.includes("is missing")));
  });

  it("reports any changed text in a message's file", async () => {
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

  it("reports files about a missing turn or another turn", async () => {
    const rejected = rejectedOf({ turn: "turn-9", participant: "ada" });
    const lookup = lookUpOf({ seq: 9, turn: "turn-9", participant: "ada" });
    const sample = await Sample.make({ facts: [...FACTS, rejected, lookup] });
    const findings = await sample.findings();
    assert.equal(findings.length, 2);
    assert.match(findings[0]!, /^rejected\/002_1\.md: its turn is turn-9, but that of message 2/);
    assert.match(findings[1]!, /^lookups\/009_1\.md: .*message 9.*missing/);
  });

  it("reports a fact check, draft or stance about a missing message", async () => {
    const of = (type: Fact["type"]) => FOUND.find((fact) => fact.type === type)!;
    const stance = { key: "stance/9", seq: 9, participant: "moderator" };
    const facts = [
      ...FOUND,
      factCheckOf(9),
      { ...of("draft"), seq: 9 } as Fact,
      { ...of("stance"), ...stance } as Fact,
    ];
    const ending = assess(FOUND_START, facts);
    const findings = await (await Sample.make({ start: FOUND_START, facts, ending })).findings();
    assert.deepEqual(findings.map((each) => each.split(":")[0]?.split(/[_.]/)[0]).sort(), [
      "drafts/009",
      "fact-checks/009",
      "stances/009",
    ]);
    for (const each of findings) assert.match(each, /message 9, which is missing/);
  });

  it("reports a sync program's copy of a message, which is read once, by its own name", async () => {
    const sample = await Sample.make();
    const before = await readRecord(sample.files, sample.dir);
    const path = sample.path("messages/004");
    const text = await sample.files.read(path);
    for (const end of [" (conflict).md", "-2.md"]) {
      const copy = text.replace("latency_ms: ", "latency_ms: 9");
      await sample.files.write(path.replace(/\.md$/, end), copy);
    }
    const { facts } = await readRecord(sample.files, sample.dir);
    assert.deepEqual(facts, before.facts);
    assert.match((await sample.findings()).join("\n"), /conflict\)\.md: its name does not fit/);
  });

  it("reports an excerpt that the record's source does not have, and no words that end within a word or are split", async () => {
    const start = { ...FOUND_START, sources: [{ name: "a.md", text: "Shops\r\nstay open." }] };
    const body = `Open after mid\u00ad\nnight, says example.org/${"a".repeat(600)}.`;
    const found = async (snippet: string, words = body) => {
      const sources = [{ title: "a.md", url: "sources/a.md", snippet }];
      const [claim] = factCheckOf(1).claims;
      const claims = [words.slice(0, 40), words].map((each) => ({
        ...claim!,
        quote: exactWords(each, words)!,
        sources,
      }));
      const check = factCheckOf(1, { claims, factuality: 1 });
      const facts = FOUND.map((fact) =>
        fact === FOUND[8]
          ? check
          : fact === FOUND[6]
          ? { ...fact, body, sha256: sha256(body) }
          : fact
      );
      assert.ok(facts.includes(check));
      return await (await Sample.make({ start, facts, ending: assess(start, facts) })).findings();
    };
    assert.deepEqual(await found("Shops\r\nstay op"), []);
    assert.match(
      (await found("Shops close"))[0]!,
      /^fact-checks\/001\.md: .* not in sources\/a\.md/,
    );
    assert.match(
      (await found("Shops", body.replace("night", "day")))[0]!,
      /not in message 1: "Open/,
    );
  });

  it("reports scores in an unscored score and criteria without weight", async () => {
    const facts = [
      ...SMALL,
      { ...score(2, "ada"), status: "unscored", reason: "none" } as const,
      { ...score(3, "ben"), criteria: { clarity: 8, evidence: 8, wit: 9 } },
    ];
    const findings = await (await Sample.make({ facts, ending: null })).findings();
    assert.equal(findings.length, 2);
    assert.match(findings[0]!, /its status is unscored/);
    assert.match(findings[1]!, /do not fit each other/);
  });

  it("uses the given check of the order of turns", async () => {
    const { files, dir } = await Sample.make();
    const lost = { path: "messages", problem: "message 3 was lost" };
    const { findings } = await verifyRecord(files, dir, {
      check: ({ facts }) => facts.length === FACTS.length ? [lost] : [],
    });
    assert.deepEqual(findings, [lost]);
  });

  it("rejects a folder without a convening", async () => {
    const files = new MemoryFileSystem();
    await files.makeFolder("/empty");
    for (const dir of ["/empty", "/nowhere"]) {
      await assert.rejects(verifyRecord(files, dir), { code: "not_found" });
    }
  });
});
