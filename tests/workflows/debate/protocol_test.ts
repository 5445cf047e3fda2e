import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { debate } from "../../../protocol.ts";
import { playAll, rules } from "../support/players.ts";

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
  it("debate() has 5R+6 messages in the order of its sequence diagram", () => {
    const { messages } = playAll(debate(rules({ rounds: 2 })));
    assert.deepEqual(
      messages.map(({ kind, participant, round }) => `${round} ${kind} ${participant}`),
      [
        "0 introduction m",
        "0 opening_statement a",
        "0 opening_statement b",
        "1 argument a",
        "1 rebuttal b",
        "1 argument b",
        "1 rebuttal a",
        "1 round_summary m",
        "2 argument a",
        "2 rebuttal b",
        "2 argument b",
        "2 rebuttal a",
        "2 round_summary m",
        "0 closing_statement a",
        "0 closing_statement b",
        "0 summary m",
      ],
    );
    for (const rounds of [0, 1, 3, 10]) {
      assert.equal(playAll(debate(rules({ rounds }))).messages.length, 5 * rounds + 6);
    }
  });

  it("debate() turn keys are unique, and the same whenever it is played", () => {
    fc.assert(fc.property(ruleSets, (given) => {
      const keys = playAll(debate(rules(given))).turns.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
      assert.deepEqual(playAll(debate(rules(given))).turns.map(({ key }) => key), keys);
    }));
  });

  it("debate() moderator never speaks twice running, whatever the rules", () => {
    fc.assert(fc.property(ruleSets, (given) => {
      const speakers = playAll(debate(rules(given))).messages.map(({ participant }) => participant);
      for (const [index, speaker] of speakers.entries()) {
        assert.ok(speaker !== "m" || speakers[index + 1] !== "m");
      }
    }));
  });

  it("debate() has every side speak the same kinds of turn equally often", () => {
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

  it("debate() rebuttals reply to the argument they answer, by another side, in the same round", () => {
    fc.assert(fc.property(ruleSets, (given) => {
      const { messages, turns } = playAll(debate(rules(given)));
      for (const message of messages.filter(({ kind }) => kind === "rebuttal")) {
        const answered = messages[message.replyTo! - 1]!;
        assert.equal(answered.kind, "argument");
        assert.equal(answered.round, message.round);
        assert.notEqual(answered.participant, message.participant);
        const { values } = turns.find(({ key }) => key === message.turn)!;
        assert.equal(values?.answered, String(answered.seq));
      }
    }));
  });

  it("debate() of three has each opponent rebut each argument", () => {
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

  it("debate() begins blind openings together, and says the others in turn", () => {
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

  it("debate() begins round summaries and settles them only before the final summary", () => {
    const { script, settled, turns } = playAll(debate(rules()));
    assert.equal(script[script.indexOf("begin round-1/summary/m") + 1], "say round-2/argument/a");
    assert.equal(script[script.indexOf("begin round-2/summary/m") + 1], "say closing/a");
    const at = script.indexOf("settle round-1/summary/m round-2/summary/m");
    assert.equal(script[at + 1], "begin summary/m");
    assert.equal(settled[1]!.required, false);
    for (const turn of turns) assert.equal(turn.aside === true, turn.kind === "round_summary");
    assert.match(turns.at(-1)!.notes!, /summary of round 1.*\n\n.*summary of round 2/);
  });

  it("debate() asks every judge in two passes, begun before the summary and waited for last", () => {
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

  it("debate() of three asks in every rotation, the schema's names in the order of the question", () => {
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

  it("debate() simultaneous begins a round's arguments at once, then its rebuttals, and the closings", () => {
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

  it("debate() closings follow the openings, or their reverse", () => {
    const order = (reversedClosings: boolean) =>
      playAll(debate(rules({ reversedClosings }))).turns
        .filter(({ kind }) => kind === "closing_statement").map(({ speaker }) => speaker);
    assert.deepEqual(order(false), ["a", "b"]);
    assert.deepEqual(order(true), ["b", "a"]);
  });

  it("debate() without rounds introduces itself so, and has no round summaries", () => {
    const { messages, turns } = playAll(debate(rules({ rounds: 0 })));
    assert.equal(messages.length, 6);
    assert.doesNotMatch(turns[0]!.text!, /round/i);
  });

  it("debate() without a moderator has speeches alone", () => {
    const { messages, value } = playAll(debate(rules({ moderator: undefined, rounds: 1 })));
    assert.equal(messages.length, 8);
    assert.equal(value.summary, undefined);
    assert.equal(value.verdicts.length, 2);
  });

  it("debate() introduction is a template's text, or asked of the moderator", () => {
    assert.match(playAll(debate(rules())).turns[0]!.text!, /A topic/);
    assert.equal(playAll(debate(rules({ templateIntroduction: false }))).turns[0]!.text, undefined);
  });
});
