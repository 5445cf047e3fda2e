import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { debate } from "../../../protocol.ts";
import type { DebateRules } from "../../../src/debate/rules.ts";
import { playAll, rules } from "../support/players.ts";

const structures = fc.record({
  sides: fc.integer({ min: 2, max: 4 }),
  rounds: fc.integer({ min: 1, max: 5 }),
  exchange: fc.constantFrom("rebuttals", "clash", "alternating", "statements"),
  openings: fc.boolean(),
  closings: fc.boolean(),
  simultaneous: fc.boolean(),
  roundSummaries: fc.boolean(),
  summary: fc.boolean(),
  moderator: fc.constantFrom("m", undefined),
});

function played(given: Parameters<typeof rules>[0]) {
  return playAll(debate(rules(given)));
}

function lines(given: Parameters<typeof rules>[0]): string[] {
  return played(given).messages.map(({ seq, round, kind, participant, replyTo }) =>
    `${seq} ${round} ${kind} ${participant}${replyTo === undefined ? "" : ` to ${replyTo}`}`
  );
}

const BARE = {
  moderator: undefined,
  openings: false,
  closings: false,
} satisfies Partial<DebateRules>;

describe("debate() by its exchanges", () => {
  it("debate() with a clash has a reply to each rebuttal", () => {
    assert.deepEqual(lines({ ...BARE, exchange: "clash", rounds: 1 }), [
      "1 1 argument a",
      "2 1 rebuttal b to 1",
      "3 1 reply a to 2",
      "4 1 argument b",
      "5 1 rebuttal a to 4",
      "6 1 reply b to 5",
    ]);
  });

  it("debate() with a clash of three: one reply to all rebuttals of an argument", () => {
    const { turns } = played({ ...BARE, exchange: "clash", rounds: 1, sides: 3 });
    assert.deepEqual(turns.slice(0, 4).map(({ kind, speaker }) => `${kind} ${speaker}`), [
      "argument a",
      "rebuttal b",
      "rebuttal c",
      "reply a",
    ]);
    assert.deepEqual(turns[3]!.values, {
      opponent: "Side B, Side C",
      answered: "2, 3",
      place: "Round 1 of 1, the last round",
    });
  });

  it("debate() with a clash at once: all argue, all rebut, all reply", () => {
    const { script } = played({ ...BARE, exchange: "clash", rounds: 1, simultaneous: true });
    assert.deepEqual(script.filter((step) => step.startsWith("settle round")), [
      "settle round-1/argument/a round-1/argument/b",
      "settle round-1/rebuttal/b/a round-1/rebuttal/a/b",
      "settle round-1/reply/a round-1/reply/b",
    ]);
  });

  it("debate() with blind closings has them begun together, in their order", () => {
    const { script } = played({
      ...BARE,
      closings: true,
      rounds: 0,
      blindClosings: true,
      reversedClosings: true,
    });
    assert.deepEqual(script.slice(0, 3), [
      "begin closing/b",
      "begin closing/a",
      "settle closing/b closing/a",
    ]);
  });

  it("debate() alternating has one turn a round, odd rounds A, even rounds B, each answering the one before", () => {
    assert.deepEqual(lines({ ...BARE, exchange: "alternating", rounds: 4 }), [
      "1 1 argument a",
      "2 2 reply b to 1",
      "3 3 reply a to 2",
      "4 4 reply b to 3",
    ]);
    assert.equal(lines({ ...BARE, exchange: "alternating", rounds: 12 }).length, 12);
  });

  it("debate() alternating of three goes round, and its prompts name whom each answers", () => {
    const { turns } = played({ ...BARE, exchange: "alternating", rounds: 4, sides: 3 });
    assert.deepEqual(turns.map(({ speaker }) => speaker), ["a", "b", "c", "a"]);
    assert.deepEqual(turns.map(({ values }) => values?.opponent), [
      undefined,
      "Side A",
      "Side B",
      "Side C",
    ]);
  });

  it("debate() of statements introduces each round, then each side answers the latest of the side before it", () => {
    const pro = { exchange: "statements", openings: false, closings: false } as const;
    assert.deepEqual(lines({ ...pro, roundSummaries: false, summary: false }), [
      "1 1 round_introduction m",
      "2 1 statement a",
      "3 1 statement b to 2",
      "4 2 round_introduction m",
      "5 2 statement a to 3",
      "6 2 statement b to 5",
    ]);
  });

  it("debate() of statements at once has each answer the round before", () => {
    const { messages, script } = played({
      ...BARE,
      exchange: "statements",
      simultaneous: true,
    });
    assert.deepEqual(script.slice(0, 3), [
      "begin round-1/statement/a",
      "begin round-1/statement/b",
      "settle round-1/statement/a round-1/statement/b",
    ]);
    assert.deepEqual(messages.map(({ replyTo }) => replyTo), [undefined, undefined, 2, 1]);
  });

  it("debate() with openings opens with its own introduction, and introduces every round of statements", () => {
    const { turns } = played({ exchange: "statements", roundSummaries: false });
    assert.deepEqual(turns.filter(({ speaker }) => speaker === "m").map(({ kind }) => kind), [
      "introduction",
      "round_introduction",
      "round_introduction",
      "summary",
    ]);
    assert.match(turns[3]!.text!, /^Round 1\./);
    assert.match(turns[6]!.text!, /^Round 2\./);
  });

  it("debate() whose first round is introduced right away says there what the debate is about", () => {
    const given = { exchange: "statements", openings: false, closings: false } as const;
    const [first] = played(given).turns;
    assert.equal(first!.kind, "round_introduction");
    assert.match(first!.text!, /A topic/);
    assert.match(first!.text!, /2 rounds in which each side speaks once/);
    const [asked] = played({ ...given, templateIntroduction: false }).turns;
    assert.equal(asked!.text, undefined);
  });

  it("debate() introductions say what will come, and nothing that will not", () => {
    const text = (given: Partial<DebateRules>) => played(given).turns[0]!.text!;
    assert.match(text({}), /opening statements, go on with 2 rounds of argument and rebuttal, and/);
    assert.match(text({ rounds: 1 }), /go on with one round of argument/);
    assert.doesNotMatch(text({ openings: false }), /opening/);
    assert.doesNotMatch(text({ closings: false }), /closing/);
    assert.match(text({ rounds: 0 }), /opening statements and then closing statements/);
  });

  it("debate() without a summary asks the moderator for none", () => {
    const { turns, value } = played({ summary: false });
    assert.ok(turns.every(({ kind }) => kind !== "summary"));
    assert.equal(value.summary, undefined);
  });

  it("debate() turn keys are unique in every structure, and the moderator never speaks twice running", () => {
    fc.assert(fc.property(structures, (given) => {
      const simultaneous = given.simultaneous && given.exchange !== "alternating";
      const { turns, messages } = played({ ...given, simultaneous });
      assert.equal(new Set(turns.map(({ key }) => key)).size, turns.length);
      for (const [index, { participant }] of messages.entries()) {
        assert.ok(participant !== "m" || messages[index + 1]?.participant !== "m");
      }
    }));
  });

  it("debate() speeches answer speeches of another side, whatever the structure", () => {
    fc.assert(fc.property(structures, (given) => {
      const { messages } = played(given);
      for (const { replyTo, participant, seq } of messages) {
        if (replyTo === undefined) continue;
        assert.ok(replyTo < seq);
        assert.notEqual(messages[replyTo - 1]!.participant, participant);
        assert.notEqual(messages[replyTo - 1]!.participant, "m");
      }
    }));
  });

  it("debate() rounds are counted in what it comes to", () => {
    assert.equal(played({ rounds: 3 }).value.rounds, 3);
    assert.equal(played({ rounds: 0 }).value.rounds, 0);
    assert.equal(played({}).value.nothingNew, false);
  });
});
