import assert from "node:assert/strict";
import { assess } from "../../src/judging/assessment.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { Quotation } from "../../src/core/paper.ts";
import { PassageFinder } from "../../src/core/passage_finder.ts";
import {
  evidenceOf,
  LONG_PAPER,
  PAPER_FACTS,
  PAPER_START,
  QUOTATION,
} from "./support/paper_record.ts";
import { Sample } from "./verify_record.ts";

function held(facts: readonly Fact[] = PAPER_FACTS): Promise<Sample> {
  return Sample.make({ start: PAPER_START, facts, ending: assess(PAPER_START, facts) });
}

const DAMAGE: Readonly<
  Record<string, readonly [path: string, from: string | RegExp, to: string, problem: RegExp]>
> = {
  "evidence of another's turn": [
    "evidence/004",
    "participant: debater-a",
    "participant: debater-b",
    /participant is debater-b, but that of message 4 is debater-a/,
  ],
  "another posture": ["evidence/004", /posture: .*/, "posture: Nothing", /not the position/],
  "a figure that is too high": ["evidence/005", "verified: 0", "verified: 3", /its verified is 3/],
  "a figure that is too low": [
    "evidence/005",
    "not_found: 3",
    "not_found: 0",
    /its not_found is 0, not 3/,
  ],
  "a list of marks that says something else": [
    "evidence/005",
    "- not found: “No shop",
    "- verified: “No shop",
    /its body does not say/,
  ],
  "an invented quotation marked verified": [
    "evidence/004",
    "text: buses ran every six minutes, more people came",
    "text: buses ran every two minutes, more people came",
    /does not stand in the paper at 242 to 289/,
  ],
  "a quotation at another place": ["evidence/004", "start: 242", "start: 200", /at 200 to 289/],
  "a quotation from an unknown paper": [
    "evidence/004",
    "source: quiet",
    "source: loud",
    /from a paper that is not there: "loud"/,
  ],
  "a passage that no look-up returned": [
    "evidence/004",
    'chunk_id: "quiet#1"',
    'chunk_id: "quiet#7"',
    /marks passage "quiet#7" verified, which no look-up/,
  ],
  "a passage that says something else": [
    "evidence/004",
    'text: "Trade fell',
    'text: "Trade rose',
    /its passage "quiet#1" is not what the look-up returned/,
  ],
  "cited words outside of their passage": [
    "evidence/004",
    /(\n +)status: verified/,
    "$1cited: { start: 0, end: 9999 }$1status: verified",
    /the words it cites of passage "quiet#1" stand outside of the passage/,
  ],
  "a page that no search returned": [
    "evidence/004",
    "https://example.org/count",
    "https://example.org/other",
    /marks the page "https:\/\/example\.org\/other" verified/,
  ],
  "a mark that is none": ["evidence/005", "status: not found", "status: maybe", /status: Invalid/],
  "a look-up that returned nothing": ["lookups/004_1", "quiet#1", "quiet#2", /passage "quiet#1"/],
  "a mean that is not the topics'": [
    "scores/004",
    "criteria: { value: 0.9,",
    "criteria: { value: 0.8,",
    /its value is 0\.8, but its topics make it 0\.75/,
  ],
  "a topic without a number": [
    "scores/004",
    "criteria: { value: 0.9, ",
    "criteria: { ",
    /its value of topic 1 is no number from 0 to 1/,
  ],
  "a position that is not the message's": [
    "metadata.md",
    "position_from: 4",
    "position_from: 3",
    /its position of participants is/,
  ],
  "other figures in metadata.md": [
    "metadata.md",
    "debater-a: { verified: 3",
    "debater-a: { verified: 9",
    /its evidence is/,
  ],
};

for (const [name, [path, from, to, problem]] of Object.entries(DAMAGE)) {
  Deno.test(`verifyRecord() finds ${name}`, async () => {
    const sample = await held();
    await sample.edit(path, from, to);
    const found = await sample.findings();
    assert.ok(found.some((each) => problem.test(each)), found.join("\n"));
  });
}

Deno.test("verifyRecord() finds nothing in a sound debate over papers, whose judge speaks", async () => {
  assert.deepEqual(await (await held()).findings(), []);
});

Deno.test("verifyRecord() finds evidence of a message that is not there", async () => {
  const found = await (await held([...PAPER_FACTS, { ...evidenceOf(4), seq: 6, turn: "t" }]))
    .findings();
  assert.deepEqual(found, []);
  const lost = await (await held([...PAPER_FACTS, { ...evidenceOf(4), seq: 9, turn: "t" }]))
    .findings();
  assert.ok(lost.some((each) => /^evidence\/009\.md: .*message 9, which is missing/.test(each)));
});

Deno.test("verifyRecord() takes a quotation of an earlier message for verified only if it stands there", async () => {
  const from = (source: string, text: string): Fact[] =>
    PAPER_FACTS.map((fact) =>
      fact.type === "evidence" && fact.seq === 4
        ? evidenceOf(4, {
          quotations: [QUOTATION, { text, status: "verified", from: "message", source }],
        })
        : fact
    );
  const found = async (source: string, text: string) =>
    await (await held(from(source, text))).findings();
  assert.deepEqual(await found("2", "Under what conditions does trade come back"), []);
  assert.match((await found("2", "it never came back at all")).join(), /in message 2/);
  assert.match((await found("5", "Posture B holds.")).join(), /in message 5/);
});

/** Words of the short paper with others left out between them, and the place of each part. */
const OMITTING: Quotation = {
  ...QUOTATION,
  text: "Trade fell in the first month … buses ran every six minutes",
  start: 138,
  end: 271,
  page: 1,
  parts: [{ start: 138, end: 167, page: 1 }, { start: 242, end: 271, page: 2 }],
};

Deno.test("verifyRecord() finds each part of a quotation with omissions, and trusts no repeated words", async () => {
  const findings = async (quotation: Quotation) => {
    const facts = PAPER_FACTS.map((fact) =>
      fact.type === "evidence" && fact.seq === 4 ? evidenceOf(4, { quotations: [quotation] }) : fact
    );
    return (await (await held(facts)).findings()).join("\n");
  };
  assert.equal(await findings(OMITTING), "");
  const [first, last] = OMITTING.parts!;
  for (const parts of [[first!, { ...last!, start: 243 }], [first!], [last!, first!]]) {
    assert.match(await findings({ ...OMITTING, parts }), /at 138 to 271/);
  }
  const said = { text: "Posture B holds.", status: "said", from: "message" } as const;
  assert.match(await findings({ ...said, source: "2" }), /marks a quotation said .* in message 2/);
});

Deno.test("verifyRecord() takes quotations of records without parts by their former rule", async () => {
  const { parts: _, ...former } = OMITTING;
  for (const text of [former.text, "Trade fell … minutes"]) {
    const facts = PAPER_FACTS.map((fact) =>
      fact.type === "evidence" && fact.seq === 4
        ? evidenceOf(4, { quotations: [{ ...former, text }] })
        : fact
    );
    assert.deepEqual(await (await held(facts)).findings(), [], text);
  }
});

Deno.test("verifyRecord() takes omissions of 400 to 500 characters within a paragraph, as records of before have them", async () => {
  const part = (shop: number) => {
    const start = LONG_PAPER.text.indexOf(`Shop ${shop} `);
    return { start, end: start + `Shop ${shop} of the sample sold`.length };
  };
  const words = ({ start, end }: { start: number; end: number }) =>
    LONG_PAPER.text.slice(start, end);
  for (const [shop, isSound] of [[11, true], [14, false]] as const) {
    const parts = [part(1), part(shop)];
    const left = parts[1]!.start - parts[0]!.end;
    assert.ok(isSound ? left > 400 && left < 500 : left > 500 && left < 700, String(left));
    const text = parts.map(words).join(" … ");
    assert.equal(new PassageFinder(LONG_PAPER.text).find(text), undefined);
    const { start } = parts[0]!;
    const place = { source: LONG_PAPER.id, start, end: parts[1]!.end, parts };
    const quotation: Quotation = { text, status: "verified", from: "paper", ...place };
    const facts = PAPER_FACTS.map((fact) =>
      fact.type === "evidence" && fact.seq === 4 ? evidenceOf(4, { quotations: [quotation] }) : fact
    );
    const findings = (await (await held(facts)).findings()).join("\n");
    assert.match(findings, isSound ? /^$/ : /does not stand in the paper at 0 to /);
  }
});

Deno.test("verifyRecord() does not take a judge that metadata.md does not know for a speaker", async () => {
  const sample = await held();
  await sample.edit("metadata.md", /judges: \[\{ id: judge-1/, "judges: [{ id: judge-9");
  const found = await sample.findings();
  assert.ok(found.some((each) => /no participant "judge-1"/.test(each)), found.join("\n"));
});
