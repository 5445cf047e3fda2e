// Rules of paper debates and their defaults.
import assert from "node:assert/strict";
import {
  createRetriever,
  MAX_PASSAGES,
  PAPER_DEBATE_DEFAULTS,
  type PaperHit,
} from "../../papers.ts";
import type { AgentRequest } from "../../protocol.ts";
import { rubricNamed } from "../../scoring.ts";
import { promptOf } from "../support/talkers.ts";
import { kindsOf } from "./cases/debate_cases.ts";
import { heldOnce, hold, type Seen } from "./support/holding.ts";
import { PAPER } from "./support/paper_holding.ts";

/** A paper debate with only a paper. */
const BARE = { kind: "paper-debate", papers: [PAPER], seed: 1, guards: { repetition: "off" } };
/** A paper of 80,000 characters with numbered sentences. */
const LONG = Array.from(
  { length: 2600 },
  (_, n) => `In case ${n} the count rose. `.padEnd(50, "y "),
)
  .join("");

function asked({ requests }: Seen, kind: string): AgentRequest {
  return requests.find(({ context }) => context.kind === kind)!;
}

/** Returns the number of characters of the paper in a prompt. */
function quotedIn(request: AgentRequest): number {
  const [, text = ""] = /<source name="paper [^"]*">\n([\s\S]*?)\n<\/source>/
    .exec(promptOf(request)) ?? [];
  return text.length;
}

Deno.test('Rule "Paper debate": 3 postures, question 1 of the list, a debater for each posture, one judge, a report', async () => {
  const { messages, result, ...seen } = await heldOnce(BARE);
  assert.deepEqual(kindsOf({ messages, ...seen }), [
    ...["questions", "question", "postures"],
    ...["argument", "argument", "argument"],
    ...["verdict", "report"],
  ]);
  const [questions, question] = messages;
  assert.ok(questions!.body.includes(`\n1. ${question!.body}\n`), questions!.body);
  assert.deepEqual(
    messages.filter(({ kind }) => kind === "argument").map(({ participant, name }) => [
      participant,
      name,
    ]),
    [["debater-a", "Debater A"], ["debater-b", "Debater B"], ["debater-c", "Debater C"]],
  );
  assert.equal(result?.status, "completed");
});

Deno.test('Rule "Judge": the conceptual rubric, every debater by every topic, one judge', async () => {
  const { facts } = await heldOnce(BARE);
  const scores = facts.filter((fact) => fact.type === "score");
  assert.deepEqual(scores.map(({ judge, rubric }) => [judge, rubric]), [
    ["judge", "conceptual"],
    ["judge", "conceptual"],
    ["judge", "conceptual"],
  ]);
  const { criteria, scale } = rubricNamed("conceptual");
  assert.deepEqual(scale, [0, 1]);
  assert.deepEqual(
    criteria.map(({ id, weight }) => [id, weight]),
    [["value", 0.3], ["cohesiveness", 0.25], ["relevance", 0.2], ["clarity", 0.15], [
      "engagement",
      0.1,
    ]],
  );
  for (const { topics } of scores) assert.equal(topics?.length, 3);
});

Deno.test('Rule "Defaults" of paper debates: temperature 0.7 and 4096 tokens, for judges 0.3 and 3000', async () => {
  const seen = await hold({ ...BARE, crossExamine: true });
  const of = (kind: string) => {
    const { temperature, maxTokens } = asked(seen, kind);
    return [temperature, maxTokens];
  };
  for (const kind of ["questions", "postures", "argument"]) {
    assert.deepEqual(of(kind), [0.7, 4096], kind);
  }
  for (const kind of ["topic_scores", "insights"]) assert.deepEqual(of(kind), [0.3, 3000], kind);
  for (const kind of ["cross_examination", "report"]) assert.deepEqual(of(kind), [0.7, 1000], kind);
});

Deno.test('Rule "The whole paper is used": prompts quote 100,000 characters and state that the rest is omitted', async () => {
  const path = await Deno.makeTempFile({ suffix: ".md" });
  try {
    await Deno.writeTextFile(path, LONG);
    const seen = await hold({ ...BARE, papers: [path] });
    assert.equal(seen.result?.status, "completed");
    for (const kind of ["questions", "postures", "argument"]) {
      const request = asked(seen, kind);
      const quoted = quotedIn(request);
      assert.ok(quoted <= 100_000 && quoted > 99_900, `${kind}: ${quoted}`);
      const [, left] = /: (\d+) of the \d+ characters of this paper are left out here\./
        .exec(promptOf(request))!;
      assert.ok(Math.abs(Number(left) + quoted - LONG.trimEnd().length) < 10, left);
    }
    const beginnings = ["questions", "postures", "argument"].map((kind) => {
      const { messages: [system, user] } = asked(seen, kind);
      return [system!.content, user!.content.slice(0, 100_000)];
    });
    assert.deepEqual(new Set(beginnings.map((each) => JSON.stringify(each))).size, 1);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test('Rule "lookupPaper": 5 passages of about 500 characters with an overlap of 100, unique ids and offsets, scores from 0 to 1', async () => {
  assert.equal(MAX_PASSAGES, 5);
  const retriever = createRetriever([{ id: "long", title: "Long", text: LONG }]);
  assert.equal((await retriever.search("the count rose")).length, 5);
  const all = (await retriever.search("the count rose", { limit: 1000 }))
    .toSorted((a, b) => a.start - b.start);
  assert.equal(new Set(all.map(({ chunkId }) => chunkId)).size, all.length);
  const pairs = all.slice(1).map((hit, index) => [all[index]!, hit] as const);
  for (const [before, { start, end, text, score }] of pairs) {
    assert.equal(text, LONG.slice(start, end));
    assert.ok(text.length <= 500 && text.length >= 250, String(text.length));
    assert.ok(score > 0 && score <= 1);
    assert.ok(overlap(before, start) > 0 && overlap(before, start) <= 100);
  }
});

function overlap({ end }: PaperHit, start: number): number {
  return end - start;
}

Deno.test('Rule "Paper debate": defaults are recorded with their resolved values', async () => {
  const { files } = await heldOnce(BARE);
  const metadata = files.get("metadata.md")!;
  for (
    const line of [
      "postures: 3",
      "crossExamine: false",
      "retrieval: keyword",
      "paperCharacters: { questions: 100000, postures: 100000, debaters: 100000, excerpt: sections }",
      "temperature: 0.7",
      "judgeTemperature: 0.3",
      "maxPromptTokens: 60000",
      "argumentMaxTokens: 4096",
      "judgeMaxTokens: 3000",
    ]
  ) assert.ok(metadata.includes(`  ${line}\n`), line);
  assert.equal(PAPER_DEBATE_DEFAULTS.pick, 1);
});
