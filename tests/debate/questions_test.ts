// Questions besides scores: audience, baseline and a judge's summary.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Choice, Stance } from "../../src/core/fact.ts";
import {
  audienceQuestions,
  baselineQuestions,
  summaryQuestion,
} from "../../src/debate/questions.ts";
import { answered, playAll, rules, said, sides } from "../support/players.ts";
import { debate } from "../../protocol.ts";
import { debateOf, drain, promptOf, Talker } from "../support/talkers.ts";

function questions(when: "before" | "after", earlier: readonly Stance[] = []) {
  return audienceQuestions({
    listeners: ["l1", "l2"],
    sides: sides(2),
    when,
    seq: when === "before" ? 0 : 9,
    earlier,
    task: "Say: {sides}",
  });
}

const HOLDS = {
  reasons: "Because.",
  stances: [
    { on: "Side B", stance: "agree", strength: 0.4, condition: "If paid for." },
    { on: "Side A", stance: "disagree", strength: 1, condition: "Unless it is free" },
  ],
};

describe("audienceQuestions()", () => {
  it("audienceQuestions() records a stance by the sides' ids in their order, asked before or after", () => {
    const [first] = questions("after");
    assert.equal(first!.key, "stance/after/l1");
    const labels = Object.fromEntries(sides(2).map(({ id, label }) => [id, label]));
    assert.deepEqual(first!.data, { labels });
    const stance = answered(first!, HOLDS) as Stance;
    assert.equal(stance.seq, 9);
    assert.deepEqual(stance.stances, [
      { on: "a", stance: "disagree", strength: 1, condition: "it is free" },
      { on: "b", stance: "agree", strength: 0.4, condition: "paid for." },
    ]);
    assert.ok(first!.matches(stance));
    assert.equal(questions("before")[0]!.matches(stance), false);
  });

  it("audienceQuestions() shows each listener what the same listener held before", () => {
    const [asked, other] = questions("after", [answered(questions("before")[0]!, HOLDS) as Stance]);
    assert.match(
      asked!.notes!,
      /before the debate:\n<stances>\nBecause\.\n- Side A: disagree \(1\), would agree if: it is free\n- Side B: agree \(0\.4\), if: paid for\.\n/,
    );
    assert.equal(other!.notes, undefined);
  });

  it("audienceQuestions() records an unreadable answer as no stance, with the reason", () => {
    const { status, reason, stances } = answered(questions("before")[0]!) as Stance;
    assert.deepEqual([status, reason, stances], ["unread", "not asked", []]);
  });

  it("audienceQuestions() reads a person's condition only as one of agreeing", () => {
    const { type } = questions("before")[0]!.schema;
    const read = (line: string) => type.safeParse({ "Side A": line, "Side B": "abstain" });
    for (const line of ["Disagree unless it is free", "disagree, would agree if it is free"]) {
      const found = read(line);
      assert.ok(found.success, line);
      const [held] = (found.data as typeof HOLDS).stances;
      assert.deepEqual([held!.stance, held!.condition], ["disagree", "it is free"]);
    }
    // A pattern with two ways to divide a blank would take hours over a megabyte, the most of a request.
    const blank = `agree${" ".repeat(1e6)}?`;
    for (const line of ["disagree if it is dear", "agree unless it is dear", blank]) {
      assert.equal(read(line).success, false, line);
    }
  });

  it("audienceQuestions() rejects unknown sides and strengths over 1", () => {
    const { type } = questions("before")[0]!.schema;
    assert.ok(type.safeParse(HOLDS).success);
    const wrong = (change: object) => ({ ...HOLDS, stances: [{ ...HOLDS.stances[0], ...change }] });
    assert.equal(type.safeParse(wrong({ on: "Side C" })).success, false);
    assert.equal(type.safeParse(wrong({ strength: 2 })).success, false);
    assert.equal(type.safeParse({ ...HOLDS, stances: [] }).success, false);
  });
});

describe("debate() with an audience", () => {
  it("debate() starts the audience's questions before the first message and again after the closings, with the first answers at hand", () => {
    const { script } = playAll(debate(rules({
      rounds: 0,
      before: questions("before"),
      after: () => questions("after"),
    })));
    assert.deepEqual(script.slice(0, 3), [
      "begin-ask stance/before/l1",
      "begin-ask stance/before/l2",
      "say opening/m",
    ]);
    assert.ok(script.indexOf("say closing/b") < script.indexOf("begin-ask stance/after/l1"));
    assert.ok(script.indexOf("begin-ask stance/after/l2") < script.indexOf("begin summary/m"));
    const at = script.indexOf("settle stance/before/l1 stance/before/l2");
    assert.equal(script[at + 1], "begin-ask stance/after/l1");
    assert.equal(
      script.at(-1),
      "settle verdict/judge/1 verdict/judge/2 stance/after/l1 stance/after/l2",
    );
  });
});

Deno.test("An audience that only listens does not change the judges' decision, and an unreadable one delays nothing", async () => {
  const agent = new Talker(({ context }) =>
    context.kind === "stance" ? { text: "Hm." } : undefined
  );
  const audience = [{ name: "Mira", persona: "Mira is hard to move." }, {}];
  const { workflow, record } = debateOf(agent, { audience, roundCount: 0 });
  const { result } = await drain(workflow);
  assert.equal(result!.winner, "a");
  assert.deepEqual([result!.audience?.members, result!.audience?.missing], [2, 2]);
  assert.match(
    promptOf(agent.asked("stance/before/listener-1")),
    /You are Mira, one of the audience/,
  );
  assert.match(promptOf(agent.asked("stance/before/listener-1")), /Mira is hard to move\./);
  assert.match(promptOf(agent.asked("stance/after/listener-2")), /You are Listener 2/);
  assert.match(record.files.get("metadata.md")!, /Mira is hard to move/);
});

describe("baselineQuestions()", () => {
  const [question] = baselineQuestions(["j"], { sides: sides(2), task: "Answer.", maxTokens: 999 });

  it("baselineQuestions() records the judge's answer and its side by id", () => {
    const { key, seq, participant, value } = answered(question!, {
      answer: "On balance, no.",
      winner: "Side B",
    }) as Choice;
    assert.deepEqual([key, seq, participant], ["baseline/j", 1, "j"]);
    assert.deepEqual(value, { winner: "b", answer: "On balance, no." });
    assert.equal(question!.maxTokens, 999);
  });

  it("baselineQuestions() records a tie as no side and an unreadable answer as none", () => {
    const valueOf = (value: unknown) => (answered(question!, value) as Choice).value;
    assert.deepEqual(valueOf({ answer: "Both.", winner: "tie" }), {
      winner: null,
      answer: "Both.",
    });
    assert.equal(valueOf(undefined), null);
  });
});

describe("summaryQuestion()", () => {
  it("summaryQuestion() records a judge's summary, asked after the last message", () => {
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

/** Creates a judge whose own answer favours the given side. */
function judging(label: string): Talker {
  return new Talker(({ context }) =>
    context.kind === "baseline"
      ? { text: JSON.stringify({ answer: "Weighed alone.", winner: label }) }
      : undefined
  );
}

Deno.test("A baseline is asked before the first message, with the debate's token budget, and the change is reported", async () => {
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
