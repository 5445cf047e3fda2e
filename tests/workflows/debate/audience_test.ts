import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createDebateWorkflow, memoryRecord } from "../../../mod.ts";
import type { Stance } from "../../../src/core/fact.ts";
import { audienceQuestions } from "../../../src/debate/audience.ts";
import { answered, playAll, rules, sides } from "../support/players.ts";
import { debate } from "../../../protocol.ts";
import { cast, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

function questions(when: "before" | "after") {
  return audienceQuestions({
    listeners: ["l1", "l2"],
    sides: sides(2),
    when,
    seq: when === "before" ? 0 : 9,
    task: "Say: {sides}",
  });
}

const HOLDS = {
  reasons: "Because.",
  stances: [
    { on: "Side B", stance: "agree", strength: 0.4, condition: "If paid for." },
    { on: "Side A", stance: "disagree", strength: 1, condition: " " },
  ],
};

describe("audienceQuestions()", () => {
  it("audienceQuestions() keeps a stance by the sides' ids, in their order, with what was asked before or after", () => {
    const [first] = questions("after");
    assert.equal(first!.key, "stance/after/l1");
    const labels = Object.fromEntries(sides(2).map(({ id, label }) => [id, label]));
    assert.deepEqual(first!.data, { labels });
    const stance = answered(first!, HOLDS) as Stance;
    assert.equal(stance.seq, 9);
    assert.deepEqual(stance.stances, [
      { on: "a", stance: "disagree", strength: 1 },
      { on: "b", stance: "agree", strength: 0.4, condition: "If paid for." },
    ]);
    assert.ok(first!.matches(stance));
    assert.equal(questions("before")[0]!.matches(stance), false);
  });

  it("audienceQuestions() an answer that cannot be read is a stance on nothing, and says why", () => {
    const { status, reason, stances } = answered(questions("before")[0]!) as Stance;
    assert.deepEqual([status, reason, stances], ["unread", "not asked", []]);
  });

  it("audienceQuestions() takes no side that is none, and no strength over 1", () => {
    const { type } = questions("before")[0]!.schema;
    assert.ok(type.safeParse(HOLDS).success);
    const wrong = (change: object) => ({ ...HOLDS, stances: [{ ...HOLDS.stances[0], ...change }] });
    assert.equal(type.safeParse(wrong({ on: "Side C" })).success, false);
    assert.equal(type.safeParse(wrong({ strength: 2 })).success, false);
    assert.equal(type.safeParse({ ...HOLDS, stances: [] }).success, false);
  });
});

describe("debate() with an audience", () => {
  it("debate() begins to ask the audience before anything is said, and again after the closings, and waits at the end", () => {
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
    assert.equal(
      script.at(-1),
      "settle verdict/judge/1 verdict/judge/2 stance/after/l1 stance/after/l2 " +
        "stance/before/l1 stance/before/l2",
    );
  });
});

Deno.test("An audience that only listens leaves the judges' decision alone; one that cannot be read holds nothing up", async () => {
  const agent = new Talker(({ context }) =>
    context.kind === "stance" ? { text: "Hm." } : undefined
  );
  const record = memoryRecord();
  const audience = [{ name: "Mira", persona: "Mira is hard to move." }, {}];
  const { result } = await drain(createDebateWorkflow(TOPIC, cast(agent), {
    audience,
    record,
    roundCount: 0,
    judges: [{ agent }],
    guards: { repetition: "off" },
  }));
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

Deno.test("A debate that its audience decides has five listeners where none are given", async () => {
  const agent = new Talker(({ context }) =>
    context.kind === "stance" ? { text: "Hm." } : undefined
  );
  const { result } = await drain(createDebateWorkflow(TOPIC, cast(agent), {
    decision: "audience",
    record: memoryRecord(),
    roundCount: 0,
    judges: [{ agent }],
    guards: { repetition: "off" },
  }));
  assert.equal(result!.audience?.members, 5);
  assert.deepEqual([result!.outcome, result!.winner], ["unscored", null]);
});
