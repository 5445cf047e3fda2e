import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Choice } from "../../../src/core/fact.ts";
import { baselineQuestions, summaryQuestion } from "../../../src/debate/judge_questions.ts";
import { answered, said, sides } from "../support/players.ts";
import { debateOf, drain, promptOf, Talker } from "../support/talkers.ts";

describe("baselineQuestions()", () => {
  const [question] = baselineQuestions(["j"], { sides: sides(2), task: "Answer.", maxTokens: 999 });

  it("baselineQuestions() keeps the judge's answer and the side it came to, by id", () => {
    const { key, seq, participant, value } = answered(question!, {
      answer: "On balance, no.",
      winner: "Side B",
    }) as Choice;
    assert.deepEqual([key, seq, participant], ["baseline/j", 1, "j"]);
    assert.deepEqual(value, { winner: "b", answer: "On balance, no." });
    assert.equal(question!.maxTokens, 999);
  });

  it("baselineQuestions() a tie is no side, and an answer that cannot be read is none", () => {
    const valueOf = (value: unknown) => (answered(question!, value) as Choice).value;
    assert.deepEqual(valueOf({ answer: "Both.", winner: "tie" }), {
      winner: null,
      answer: "Both.",
    });
    assert.equal(valueOf(undefined), null);
  });
});

describe("summaryQuestion()", () => {
  it("summaryQuestion() keeps a judge's summary, asked after all that was said", () => {
    const message = said(
      { key: "k", speaker: "a", phase: "", kind: "reply", round: 1, task: "" },
      7,
    );
    const question = summaryQuestion("j", { said: [message], task: "T", maxTokens: 9 });
    const choice = answered(question, { summary: "So it went." }) as Choice;
    assert.deepEqual([choice.key, choice.seq, choice.value], ["summary/j", 8, {
      summary: "So it went.",
    }]);
    assert.equal((answered(question) as Choice).value, null);
  });
});

/** A judge whose own answer comes to the given side. */
function judging(label: string): Talker {
  return new Talker(({ context }) =>
    context.kind === "baseline"
      ? { text: JSON.stringify({ answer: "Weighed alone.", winner: label }) }
      : undefined
  );
}

Deno.test("A baseline is asked before anything is said, at the debate's token budget, and what changed is told", async () => {
  for (const [label, changed] of [["Ben", true], ["Ada", false]] as const) {
    const agent = judging(label);
    const { workflow } = debateOf(agent, { baseline: true });
    const { result } = await drain(workflow);
    const asked = agent.asked("baseline/j");
    assert.doesNotMatch(promptOf(asked), /<turn number="\d/);
    // Openings, one round of four turns, and closings.
    assert.equal(asked.maxTokens, 2 * 300 + 4 * 250 + 2 * 350);
    assert.deepEqual(result!.baseline?.map((each) => [each.judge, each.changed]), [["j", changed]]);
  }
});

Deno.test("A judge sums up where it is told to, though there is a moderator", async () => {
  const agent = new Talker(({ context, schema }) =>
    context.kind === "summary" && schema !== undefined
      ? { text: JSON.stringify({ summary: "A judge's words." }) }
      : undefined
  );
  const { workflow } = debateOf(agent, { summaryBy: "judge" });
  const { result } = await drain(workflow);
  assert.equal(result!.summary, "A judge's words.");
  assert.ok(result!.messages.every(({ kind }) => kind !== "summary"));
  assert.ok(!agent.keys.includes("summary/m"));
});
