// Files of a paper debate's record: index, summary, scores, metadata, transcripts.
import assert from "node:assert/strict";
import { assess } from "../../src/judging/assessment.ts";
import type { Fact } from "../../src/core/fact.ts";
import { renderTranscript } from "../../src/record/transcript.tsx";
import { PAPER_FACTS, PAPER_START } from "./support/paper_record.ts";
import { Sample } from "./support/verify_record.ts";

async function pageOf(name: string, facts: readonly Fact[] = PAPER_FACTS): Promise<string> {
  const ending = assess(PAPER_START, facts);
  const sample = await Sample.make({ start: PAPER_START, facts, ending });
  return await sample.read(name);
}

Deno.test("index.md states that the question is open until it is chosen, and links no report", async () => {
  const text = await pageOf("index.md", PAPER_FACTS.slice(0, 1));
  assert.match(text, /^- Question: not settled yet$/m);
  assert.doesNotMatch(text, /report\.md|Quotations and citations|of each argument/);
  // Only requested prompts are counted here.
  assert.match(text, /^- Of the .*, prompts left out at least [\d,]+ for the questions; look-ups/m);
});

Deno.test("a turn that failed and succeeded later does not count as failed", async () => {
  const turn = "argument/debater-b";
  const failure = PAPER_FACTS.find((fact) => fact.type === "failure")!;
  const facts = [...PAPER_FACTS, { ...failure, seq: 5, turn, participant: "debater-b" }];
  assert.doesNotMatch(await pageOf("summary.md", facts), /Debater B failed/);
});

Deno.test("the json transcript of another kind has neither papers nor evidence", async () => {
  const json = async (start = PAPER_START) =>
    JSON.parse(
      await renderTranscript("json", { start, facts: PAPER_FACTS, status: "completed" }),
    ) as Record<string, unknown>;
  const { papers: _papers, ...without } = PAPER_START;
  const other = await json(without);
  for (const key of ["papers", "evidence", "question", "left_out", "quotations"]) {
    assert.equal(key in other, false, key);
  }
});
