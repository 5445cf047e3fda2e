// Contradictions between winner and scores.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { contradictionsOf } from "../../src/judging/judge_notes.ts";
import type { Score, Verdict } from "../../src/core/fact.ts";
import { standings } from "../../src/judging/scoring.ts";
import { decide } from "../../src/judging/panels.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

const NAMES = new Map([["a", "Advocate A"], ["b", "Advocate B"], ["l", "Judge 3"]]);

function found(scores: readonly Score[], verdicts: readonly Verdict[]): readonly string[] {
  return contradictionsOf({
    standings: standings(scores, NAMES).scores,
    decision: decide(verdicts, scores),
    verdicts,
    scores,
    messages: [],
    names: NAMES,
  });
}

function both(judge: string, winner: string | null, reasons = ""): Verdict[] {
  return [1, 2].map((number) => verdictBy(judge, { number, winner, reasons }));
}

function totals(judge: string, a: number, b: number): Score[] {
  return [
    scoreBy(judge, { participant: "a", message: 1, criteria: { clarity: a, wit: a } }),
    scoreBy(judge, { participant: "b", message: 2, criteria: { clarity: b, wit: b } }),
  ];
}

describe("contradictionsOf()", () => {
  it("contradictionsOf() finds none when winner and scores agree, whatever the reasons say", () => {
    const reasons = "Advocate B wins the debate.";
    assert.deepEqual(found(totals("j", 7, 6), both("j", "a", reasons)), []);
    assert.deepEqual(found([], []), []);
  });

  it("contradictionsOf() reports a winner without the highest total once, with the standings' totals", () => {
    const scores = [
      ...totals("j", 6, 7.5),
      scoreBy("j", { participant: "a", message: 3, criteria: { clarity: 6.0001, wit: 7.0003 } }),
      scoreBy("j", { participant: "b", message: 4, criteria: { clarity: 6.0006, wit: 7.1111 } }),
    ];
    const { a, b } = standings(scores, NAMES).scores;
    assert.deepEqual(found(scores, both("j", "a")), [
      `The winner, Advocate A, has a total of ${a!.total}; Advocate B has the highest, ${
        b!.total
      }.`,
    ]);
  });

  it("contradictionsOf() ignores totals that are equal as displayed", () => {
    assert.deepEqual(found(totals("j", 7.3931, 7.3949), both("j", "a")), []);
    assert.equal(found(totals("j", 7.3931, 7.3951), both("j", "a")).length, 1);
  });

  it("contradictionsOf() ignores equal totals and a winner without scores", () => {
    assert.deepEqual(found(totals("j", 6, 6), both("j", "a")), []);
    assert.deepEqual(found(totals("j", 6, 7).slice(1), both("j", "a")), []);
  });

  it("contradictionsOf() reports only the judge whose scores contradict its own vote", () => {
    const scores = [...totals("j", 6, 5), ...totals("k", 7, 5), ...totals("l", 4, 5)];
    const verdicts = ["j", "k", "l"].flatMap((judge) => both(judge, "a"));
    assert.deepEqual(found(scores, verdicts), [
      "Judge 3 named Advocate A in every order, whose total it put at 4; it put that of Advocate B at 5.",
    ]);
    const wavering = [
      verdictBy("j", { number: 1, winner: "b" }),
      verdictBy("j", { number: 2, winner: "a" }),
    ];
    assert.deepEqual(found(totals("j", 6, 5), wavering), []);
  });
});
