// Debate protocol: order of turns and questions by rounds, exchanges and rules.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { debate } from "../../protocol.ts";
import { playAll, rules } from "../support/players.ts";
import type { DebateRules } from "../../src/debate/rules.ts";

const ruleSets = fc.record({
  sides: fc.integer({ min: 2, max: 4 }),
  rounds: fc.integer({ min: 0, max: 5 }),
  blindOpenings: fc.boolean(),
  simultaneous: fc.boolean(),
  reversedClosings: fc.boolean(),
  roundSummaries: fc.boolean(),
  templateIntroduction: fc.boolean(),
  moderator: fc.constantFrom("m", undefined),
});

describe("debate()", () => {
  it("debate() gives every side the same kinds of turn equally often", () => {
    fc.assert(fc.property(ruleSets, (given) => {
      const { messages } = playAll(debate(rules(given)));
      const kinds = (id: string) =>
        messages.filter(({ participant }) => participant === id).map(({ kind }) => kind).sort();
      for (const id of ["b", "c", "d"].slice(0, given.sides - 1)) {
        assert.deepEqual(kinds(id), kinds("a"));
      }
      assert.equal(kinds("a").length, 2 + given.rounds * given.sides);
    }));
  });

  it("debate() of three sides has each opponent rebut each argument", () => {
    const { messages } = playAll(debate(rules({ sides: 3, rounds: 1 })));
    const round = messages.filter(({ round, participant }) => round === 1 && participant !== "m");
    assert.deepEqual(round.map(({ turn }) => turn), [
      "round-1/argument/a",
      "round-1/rebuttal/b/a",
      "round-1/rebuttal/c/a",
      "round-1/argument/b",
      "round-1/rebuttal/a/b",
      "round-1/rebuttal/c/b",
      "round-1/argument/c",
      "round-1/rebuttal/a/c",
      "round-1/rebuttal/b/c",
    ]);
  });

  it("debate() starts blind openings concurrently and other openings in sequence", () => {
    const { script } = playAll(debate(rules({ rounds: 0 })));
    assert.deepEqual(script.slice(1, 4), [
      "begin opening/a",
      "begin opening/b",
      "settle opening/a opening/b",
    ]);
    const seeing = playAll(debate(rules({ rounds: 0, blindOpenings: false })));
    assert.deepEqual(seeing.script.slice(1, 3), ["say opening/a", "say opening/b"]);
    assert.doesNotMatch(seeing.turns[2]!.task, /not known to you/);
  });

  it("debate() starts round summaries early and awaits them before the final summary", () => {
    const { script, settled, turns } = playAll(debate(rules()));
    assert.equal(script[script.indexOf("begin round-1/summary/m") + 1], "say round-2/argument/a");
    assert.equal(script[script.indexOf("begin round-2/summary/m") + 1], "say closing/a");
    const at = script.indexOf("settle round-1/summary/m round-2/summary/m");
    assert.equal(script[at + 1], "begin summary/m");
    assert.equal(settled[1]!.required, false);
    for (const turn of turns) assert.equal(turn.aside === true, turn.kind === "round_summary");
    assert.match(`${turns.at(-1)!.notes}`, /summary of round 1[^]*,.*summary of round 2/);
  });

  it("debate() asks every judge in two passes, started before the summary and awaited last", () => {
    const { script, questions } = playAll(debate(rules({ judges: ["j", "k"] })));
    assert.deepEqual(questions.map(({ key }) => key), [
      "verdict/j/1",
      "verdict/j/2",
      "verdict/k/1",
      "verdict/k/2",
    ]);
    assert.ok(script.indexOf("begin-ask verdict/k/2") < script.indexOf("begin summary/m"));
    assert.equal(script.at(-1), "settle verdict/j/1 verdict/j/2 verdict/k/1 verdict/k/2");
    const orders = questions.slice(0, 2).map(({ values }) => values!.sides);
    assert.deepEqual(orders, [
      "- Side 1: Position a\n- Side 2: Position b",
      "- Side 1: Position b\n- Side 2: Position a",
    ]);
  });

  it("debate() of three sides asks in every rotation, with the schema's names in the order of the question", () => {
    const { questions } = playAll(debate(rules({ sides: 3 })));
    const shown = questions.map(({ values }) =>
      values!.sides!.match(/(?<=Position )[abc]/g)!.join("")
    );
    assert.equal(shown.length, 3);
    assert.ok(shown.every((order) => shown[0]!.repeat(2).includes(order)), shown.join());
    assert.equal(new Set(shown).size, 3);
    for (const { schema, values } of questions) {
      const names = values!.sides!.match(/Side [123]/g)!;
      for (const winner of [...names, "tie"]) {
        assert.ok(schema.type.safeParse({ reasons: "r", winner }).success);
      }
      assert.equal(schema.type.safeParse({ reasons: "r", winner: "Side 4" }).success, false);
    }
  });

  it("debate() with simultaneous rounds starts a round's arguments concurrently, then its rebuttals, and the closings", () => {
    const { script } = playAll(debate(rules({ rounds: 1, simultaneous: true })));
    assert.deepEqual(script.slice(4, 14), [
      "begin round-1/argument/a",
      "begin round-1/argument/b",
      "settle round-1/argument/a round-1/argument/b",
      "begin round-1/rebuttal/b/a",
      "begin round-1/rebuttal/a/b",
      "settle round-1/rebuttal/b/a round-1/rebuttal/a/b",
      "begin round-1/summary/m",
      "begin closing/a",
      "begin closing/b",
      "settle closing/a closing/b",
    ]);
  });
});

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

  it("debate() with a simultaneous clash: all argue, all rebut, all reply", () => {
    const { script } = played({ ...BARE, exchange: "clash", rounds: 1, simultaneous: true });
    assert.deepEqual(script.filter((step) => step.startsWith("settle round")), [
      "settle round-1/argument/a round-1/argument/b",
      "settle round-1/rebuttal/b/a round-1/rebuttal/a/b",
      "settle round-1/reply/a round-1/reply/b",
    ]);
  });

  it("debate() alternating of three rotates, and its prompts name whom each speaker answers", () => {
    const { turns } = played({ ...BARE, exchange: "alternating", rounds: 4, sides: 3 });
    assert.deepEqual(turns.map(({ speaker }) => speaker), ["a", "b", "c", "a"]);
    assert.deepEqual(turns.map(({ values }) => values?.opponent), [
      undefined,
      "Side A",
      "Side B",
      "Side C",
    ]);
  });

  it("debate() of statements introduces each round, then each side answers the previous side's latest statement", () => {
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

  it("debate() of simultaneous statements has each side answer the previous round", () => {
    const { messages, script } = played({ ...BARE, exchange: "statements", simultaneous: true });
    assert.deepEqual(script.slice(0, 3), [
      "begin round-1/statement/a",
      "begin round-1/statement/b",
      "settle round-1/statement/a round-1/statement/b",
    ]);
    assert.deepEqual(messages.map(({ replyTo }) => replyTo), [undefined, undefined, 2, 1]);
  });

  it("debate() with openings has an introduction to them and introduces every round of statements", () => {
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

  it("debate() without openings introduces the debate in the first round's introduction", () => {
    const given = { exchange: "statements", openings: false, closings: false } as const;
    const [first] = played(given).turns;
    assert.equal(first!.kind, "round_introduction");
    assert.match(first!.text!, /A topic/);
    assert.match(first!.text!, /2 rounds in which each side speaks once/);
    const [asked] = played({ ...given, templateIntroduction: false }).turns;
    assert.equal(asked!.text, undefined);
  });

  it("debate() introductions announce exactly what follows", () => {
    const text = (given: Partial<DebateRules>) => played(given).turns[0]!.text!;
    assert.match(text({}), /opening statements, go on with 2 rounds of argument and rebuttal, and/);
    assert.match(text({ rounds: 1 }), /go on with one round of argument/);
    assert.doesNotMatch(text({ openings: false }), /opening/);
    assert.doesNotMatch(text({ closings: false }), /closing/);
    assert.match(text({ rounds: 0 }), /opening statements and then closing statements/);
    assert.doesNotMatch(text({ rounds: 0 }), /round|answer what the other side/i);
    assert.match(text({}), /answer what the other side/);
  });

  it("debate() turn keys are unique and the moderator never speaks twice in a row in every structure", () => {
    fc.assert(fc.property(structures, (given) => {
      const simultaneous = given.simultaneous && given.exchange !== "alternating";
      const { turns, messages } = played({ ...given, simultaneous });
      assert.equal(new Set(turns.map(({ key }) => key)).size, turns.length);
      for (const [index, { participant }] of messages.entries()) {
        assert.ok(participant !== "m" || messages[index + 1]?.participant !== "m");
      }
    }));
  });

  it("debate() speeches answer another side's speeches in every structure", () => {
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
});
