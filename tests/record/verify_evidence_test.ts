// Verification of quotations in paper debates.
import assert from "node:assert/strict";
import { assess } from "../../src/judging/assessment.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { Quotation } from "../../src/core/paper.ts";
import { PassageFinder } from "../../src/core/passage_finder.ts";
import { webResult } from "../../src/papers/tools.ts";
import {
  evidenceOf,
  LONG_PAPER,
  PAPER_FACTS,
  PAPER_START,
  QUOTATION,
} from "./support/paper_record.ts";
import { Sample } from "./support/verify_record.ts";

/** Returns the facts with other quotations in message 4. */
function quoting(...quotations: readonly Quotation[]): readonly Fact[] {
  return PAPER_FACTS.map((fact) =>
    fact.type === "evidence" && fact.seq === 4 ? evidenceOf(4, { quotations }) : fact
  );
}

function held(facts: readonly Fact[] = PAPER_FACTS): Promise<Sample> {
  return Sample.make({ start: PAPER_START, facts, ending: assess(PAPER_START, facts) });
}

Deno.test("verifyRecord() reports evidence of a missing message", async () => {
  const found = await (await held([...PAPER_FACTS, { ...evidenceOf(4), seq: 6, turn: "t" }]))
    .findings();
  assert.deepEqual(found, []);
  const lost = await (await held([...PAPER_FACTS, { ...evidenceOf(4), seq: 9, turn: "t" }]))
    .findings();
  assert.ok(lost.some((each) => /^evidence\/009\.md: .*message 9, which is missing/.test(each)));
});

Deno.test("verifyRecord() accepts a verified quotation of an earlier message only if the message has it", async () => {
  const found = async (source: string, text: string) => {
    const said = { text, status: "verified", from: "message", source } as const;
    return await (await held(quoting(QUOTATION, said))).findings();
  };
  assert.deepEqual(await found("2", "Under what conditions does trade come back"), []);
  assert.match((await found("2", "it never came back at all")).join(), /in message 2/);
  assert.match((await found("5", "Posture B holds.")).join(), /in message 5/);
});

Deno.test("verifyRecord() accepts a page whose excerpt an earlier turn's search returned differently", async () => {
  const page = { title: "A count", url: "https://example.org/count", snippet: "Trade \ud83d" };
  const facts = [...PAPER_FACTS, { ...evidenceOf(4), seq: 6, turn: "t" }].flatMap((fact) => {
    if (fact.type === "lookup" && fact.tool === "webSearch") {
      return [fact, { ...fact, seq: 6, turn: "t", number: 3, result: webResult([page]) }];
    }
    if (fact.type !== "evidence" || fact.seq !== 6) return [fact];
    return [{ ...fact, citations: { web: [{ ...page, status: "verified" } as const] } }];
  });
  assert.deepEqual(await (await held(facts)).findings(), []);
});

const { topic, ...WHERE } = QUOTATION;
/** Quotation of the short paper with omissions, and the position of each part. */
const OMITTING: Quotation = {
  ...WHERE,
  text: "Trade fell in the first month … buses ran every six minutes",
  start: 138,
  end: 271,
  page: 1,
  parts: [{ start: 138, end: 167, page: 1 }, { start: 242, end: 271, page: 2 }],
  topic,
};

Deno.test("verifyRecord() finds each part of a quotation with omissions and rejects repeated words", async () => {
  const findings = async (quotation: Quotation) =>
    (await (await held(quoting(quotation))).findings()).join("\n");
  assert.equal(await findings(OMITTING), "");
  const [first, last] = OMITTING.parts!;
  for (const parts of [[first!, { ...last!, start: 243 }], [first!], [last!, first!]]) {
    assert.match(await findings({ ...OMITTING, parts }), /at 138 to 271/);
  }
  const said = { text: "Posture B holds.", status: "said", from: "message" } as const;
  assert.match(await findings({ ...said, source: "2" }), /marks a quotation said .* in message 2/);
});

Deno.test("verifyRecord() accepts quotations without parts, as earlier records have them", async () => {
  const { parts: _, ...former } = OMITTING;
  assert.deepEqual(await (await held(quoting(former))).findings(), []);
});

Deno.test("verifyRecord() accepts omissions of 400 to 500 characters within a paragraph, as earlier records have them", async () => {
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
    const findings = (await (await held(quoting(quotation))).findings()).join("\n");
    assert.match(findings, isSound ? /^$/ : /is not in paper \S+ at 0 to /);
  }
});
