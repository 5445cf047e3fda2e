// Size of the pages with scores, and their links.
import assert from "node:assert/strict";
import { posix } from "node:path";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import type { Fact } from "../../src/core/fact.ts";
import { longText } from "../../src/record/page_tree.ts";
import { factCheckOf, messageOf, scoreOf, startOf, verdictOf } from "./support/fixtures.ts";
import { Sample } from "./support/verify_record.ts";

const count = await loadTokenCounter();
const SIDES = ["advocate-a", "advocate-b"] as const;

/** Returns the scores of all messages and the repeated verdicts of a judge. */
function judged(judge: string, model: string, messages: number): Fact[] {
  const scores = Array.from({ length: messages }, (_, i) => ({
    ...scoreOf(i + 1, SIDES[i % 2]!, [(i * 7 + model.length) % 10, (i + judge.length) % 10]),
    judge,
    model,
  }));
  const verdicts = Array.from({ length: 12 }, (_, i) => ({
    ...verdictOf(i + 1, SIDES[Math.floor(i / 3) % 2]!),
    reasons: "What decides is which costs the other side left unanswered, and it left most. "
      .repeat(4),
    pass: i % 2 + 1,
    asking: Math.floor(i / 2) + 1,
    judge,
    model,
  }));
  return [...scores, ...verdicts];
}

/** Makes a record with three judges and some later panels; returns its pages with scores, path to text. */
async function pagesOf(messages: number, later: number, claims = 0) {
  const judges = [1, 2, 3].map((number) => ({
    ...{ id: `judge-${number}`, name: `Judge ${number}`, model: "gpt-4o", rubric: "debate" },
  }));
  const claim = { verdict: "false", confidence: 1, sources: [] } as const;
  const text = "Half of the shops in the centre of the town closed within a single year";
  const facts = [
    ...Array.from({ length: messages }, (_, i) => messageOf(i + 1)),
    ...judges.flatMap(({ id, model }) => judged(id, model, messages)),
    ...Array.from({ length: later }, (_, i) => judged(`later-${i}`, `model-${i}`, messages)).flat(),
    factCheckOf(1, { claims: Array(claims).fill({ ...claim, text }) }),
  ];
  const { files, dir } = await Sample.make({ start: startOf({ judges }), facts });
  const all = files.files(dir);
  return { all, pages: [...all].filter(([path]) => /^scores\.md$|^score-table\//.test(path)) };
}

Deno.test("scores.md of three judges stays within 2,000 tokens and leads to every verdict and score", async () => {
  for (
    const [messages, later, claims] of [[6, 0, 0], [20, 0, 0], [20, 4, 60], [2, 9, 0]] as const
  ) {
    const { all, pages } = await pagesOf(messages, later, claims);
    const linked = new Set<string>();
    for (const [path, text] of pages) {
      assert.ok(count(text) <= 2000, `${path} has ${count(text)} tokens`);
      for (const [, target = ""] of text.matchAll(/(?<!\\)\]\(([^()\s]*)\)/g)) {
        const file = posix.join(posix.dirname(path), target);
        assert.ok(file === "../index.md" || all.has(file), `${path}: ${target}`);
        linked.add(file);
      }
    }
    for (const path of all.keys()) {
      const isListed = /^(?:verdicts|scores|score-table)\//.test(path);
      assert.ok(!isListed || linked.has(path), `${messages}, ${later}: no page links ${path}`);
    }
  }
});

Deno.test("The list of a page's parts names the sections of a part before their subsections", () => {
  const headings = ["## Own", "### A", "### B", "### C", "### D", "## Judged again"];
  const { first } = longText({
    markdown: headings.map((each) => `${each}\n\n${"Text. ".repeat(20)}`).join("\n\n"),
    ...{ path: "scores.md", prefix: "score-table/part_", room: 20, noun: "page of scores" },
    front: () => ({}),
  }, count);
  assert.match(first, /Part 2\][^\n]* Judged again$/m);
});

Deno.test("scores.md says whether the votes or the tie-break named the winner", async () => {
  const both = (judge: string, winner: string, tiebreak?: true) =>
    [1, 2].map((number) => ({
      ...verdictOf(number, winner),
      ...{ judge, pass: number, asking: 1, ...tiebreak && { tiebreak } },
    }));
  const tied = [...both("judge-1", "advocate-a"), ...both("judge-2", "advocate-b")];
  for (
    const [facts, named] of [
      [tied.slice(0, 2), /Winner by the votes: Ada\./],
      [[...tied, ...both("judge-3", "advocate-b", true)], /Winner by the tie-break: Bo\./],
    ] as const
  ) {
    const judges = [...new Set(facts.map(({ judge }) => judge))]
      .map((id) => ({ id, name: id, model: "gpt-4o", rubric: "debate" }));
    const { files, dir } = await Sample.make({
      start: startOf({ judges }),
      facts: [messageOf(1), messageOf(2), ...facts],
    });
    assert.match(files.files(dir).get("scores.md") ?? "", named);
  }
});
