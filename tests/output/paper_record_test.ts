// Files of a paper debate's record: index, summary, scores, metadata, transcripts.
import assert from "node:assert/strict";
import { assess } from "../../src/judging/assessment.ts";
import type { Fact } from "../../src/core/fact.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { renderTranscript } from "../../src/record/transcript.ts";
import { PAPER_FACTS, PAPER_START, POSTURES, QUESTION } from "./support/paper_record.ts";
import { Sample } from "./verify_record.ts";

const count = await loadTokenCounter();

async function pageOf(name: string, facts: readonly Fact[] = PAPER_FACTS): Promise<string> {
  const ending = assess(PAPER_START, facts);
  const sample = await Sample.make({ start: PAPER_START, facts, ending });
  return await sample.files.read(`${sample.dir}/${name}`);
}

Deno.test("index.md of a paper debate states the question, failed debaters, and the state of quotations", async () => {
  const text = await pageOf("index.md");
  assert.ok(count(text) <= 2000);
  const lines = [
    `- Question: ${QUESTION}`,
    "- Paper: Quiet streets: &lt;b\\>twelve&lt;/b\\> towns: [paper.md](paper.md)",
    "- Paper 2: Trade, again: [paper-2.md](paper-2.md), in parts: [paper-2/index.md](paper-2/index.md)",
    "- Debater C failed: Cannot reach gpt-4o-mini: no answer within &lt;300\\> s",
    "- Quotations and citations of Debater A: 3 verified, 0 not found.",
    "- Quotations and citations of Debater B: 0 verified, 3 not found.",
    "- Winner: **Debater A** (It comes back wherever \\*buses\\* run).",
  ];
  for (const line of lines) assert.ok(text.split("\n").includes(line), `${line}\n${text}`);
  assert.match(text, /^- Of the 12125 characters of “Trade, again”, prompts left out \d+ for/m);
  assert.match(text, /\| Debater B \| It never comes back \\\| at all \| 0\.44 \|/);
  assert.match(text, /\| Debater B \| argument \(0 verified, 3 not found\) \|/);
  assert.match(text, /\| Judge \| verdict \|/);
  assert.match(text, /\[report\.md\]\(report\.md\) · \[report\.json\]\(report\.json\)/);
});

Deno.test("index.md states that the question is open until it is chosen, and links no report", async () => {
  const text = await pageOf("index.md", PAPER_FACTS.slice(0, 1));
  assert.match(text, /^- Question: not settled yet$/m);
  assert.doesNotMatch(text, /report\.md|Quotations and citations|of each argument/);
  // Only requested prompts are counted here.
  assert.match(text, /^- Of the .*, prompts left out \d+ for the questions; look-ups/m);
});

Deno.test("summary.md of a paper debate begins with the result and ends with the reporter's quoted words", async () => {
  const text = await pageOf("summary.md");
  const order = [
    "## Result",
    "- Debater B (It never comes back \\| at all): **0.44**",
    "## Debaters and papers",
    "- Debater C failed: ",
    "; look-ups can reach the whole paper.",
    `Question: ${QUESTION}`,
    "The report: [report.md](report.md), [report.json](report.json).",
    "## Summary",
    "it gives a reader no orders.",
    "> Trade came back where buses ran.",
  ].map((words) => text.indexOf(words));
  assert.ok(order.every((at) => at > 0), text);
  assert.deepEqual(order, order.toSorted((a, b) => a - b));
});

Deno.test("a turn that failed and succeeded later does not count as failed", async () => {
  const turn = "argument/debater-b";
  const failure = PAPER_FACTS.find((fact) => fact.type === "failure")!;
  const facts = [...PAPER_FACTS, { ...failure, seq: 5, turn, participant: "debater-b" }];
  assert.doesNotMatch(await pageOf("summary.md", facts), /Debater B failed/);
});

Deno.test("scores.md lists the quotations that were not found, by message", async () => {
  const text = await pageOf("scores.md");
  assert.match(text, /^### Debater A \(It comes back wherever \\\*buses\\\* run\)$/m);
  assert.match(text, /^\| Debater B \| 0 \| 3 \|$/m);
  assert.match(
    text,
    /^- \[5\]\(evidence\/005\.md\) Debater B: not found: “No shop was ever open again”$/m,
  );
});

Deno.test("metadata.md contains question, papers, figures, omissions in prompts, and the origin of positions", async () => {
  const { data } = readFrontMatter(await pageOf("metadata.md"), "metadata.md");
  assert.equal(data.question, QUESTION);
  assert.deepEqual(data.evidence, {
    "debater-a": { verified: 3, not_found: 0 },
    "debater-b": { verified: 0, not_found: 3 },
  });
  const [left] = data.left_out as Record<string, unknown>[];
  assert.equal(left?.paper, "trade");
  assert.deepEqual(Object.keys(left ?? {}), ["paper", "questions", "postures", "debaters"]);
  assert.deepEqual(
    (data.papers as { file: string; id: string }[]).map(({ file, id }) => [file, id]),
    [["paper.md", "quiet"], ["paper-2.md", "trade"]],
  );
  const shown = (data.participants as Record<string, unknown>[])
    .map(({ id, position, position_from: from }) => [id, position, from]);
  assert.deepEqual(shown.slice(1, 4), [
    ["debater-a", POSTURES[0], 4],
    ["debater-b", POSTURES[1], 5],
    ["debater-c", undefined, undefined],
  ]);
  assert.equal((data.statistics as Record<string, unknown>).evidence, 2);
});

for (const format of ["md", "txt", "html", "json"] as const) {
  Deno.test(`the ${format} transcript of a paper debate shows positions, marks and failed debaters`, async () => {
    const text = (await renderTranscript(format, {
      start: PAPER_START,
      facts: PAPER_FACTS,
      status: "completed",
    })).replace(/\s+/g, " ").replace(/<\/?bdi>/g, "");
    const expected = [
      ["It never comes back", "No shop was ever open again", "quiet"],
      ["no answer within", "Trade came back where buses ran."],
    ].flat();
    for (const words of expected) assert.ok(text.includes(words), `${format} lacks "${words}"`);
    if (format === "json") return;
    assert.match(text, /Quotations and citations: 3 verified, 0 not found/);
    assert.match(text, /not found(?:: |<\/span> <span class="note">)passage quiet\\?#99/i);
    if (format !== "html") assert.match(text, /The summary is message 8/);
    if (format !== "txt") assert.doesNotMatch(text, /<script>|<b>/);
  });
}

Deno.test("the json transcript contains papers and evidence as files do, and for other kinds neither", async () => {
  const json = async (start = PAPER_START) =>
    JSON.parse(
      await renderTranscript("json", { start, facts: PAPER_FACTS, status: "completed" }),
    ) as Record<string, unknown>;
  const document = await json();
  assert.deepEqual(document.papers, PAPER_START.papers);
  assert.equal(document.question, QUESTION);
  const [first] = document.evidence as Record<string, unknown>[];
  assert.equal(first?.message, 4);
  assert.ok("per_topic" in first && "not_found" in first);
  const { papers: _papers, ...without } = PAPER_START;
  const other = await json(without);
  for (const key of ["papers", "evidence", "question", "left_out", "quotations"]) {
    assert.equal(key in other, false, key);
  }
});
