import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { statedNumbers } from "../../src/judging/prose.ts";

const WEIGHTS = { ["logical_coherence"]: 0.6, clarity: 0.4 };

function stated(prose: string, scale: readonly [number, number] = [0, 10]): string[] {
  return statedNumbers(prose, { weights: WEIGHTS, scale })
    .map(({ of, value }) => `${of ?? "?"} ${value}`);
}

const STATED: readonly (readonly [prose: string, numbers: readonly string[]])[] = [
  ["I give 9/10.", ["? 9"]],
  ["I would give this turn 9 out of 10 because it is clear.", ["? 9"]],
  ["Clarity: 8", ["clarity 8"]],
  ["**Clarity**: 8/10, **Logical coherence**: 6.5/10.", ["clarity 8", "logical_coherence 6.5"]],
  ["- logical_coherence = 7\n- clarity = 4", ["logical_coherence 7", "clarity 4"]],
  [
    "Clarity is an 8, logical coherence gets only 3.",
    ["clarity 8", "logical_coherence 3"],
  ],
  ["In detail: logical coherence is fair (5.3), clarity is good (7.1).", [
    "logical_coherence 5.3",
    "clarity 7.1",
  ]],
  ["Clarity 8/10, logical coherence 6/10.", ["clarity 8", "logical_coherence 6"]],
  ["I give clarity a 9.", ["clarity 9"]],
  ["A 9 for clarity and 7/10 on logical coherence.", ["clarity 9", "logical_coherence 7"]],
  ["That makes a total of 7.2.", ["total 7.2"]],
  ["Overall: 8/10", ["total 8"]],
  ["Overall score: 8", ["total 8"]],
];

const NOT_STATED: readonly string[] = [
  "",
  "Clarity is good.",
  "It names 3 studies and 9 out of 10 dentists.",
  "The claim that 9 out of 10 dentists agree has no source.",
  "Clarity: 2 terms are left unexplained.",
  "It answers 4/5 of the points.",
  "I would have given 9/10.",
  "With sources it could earn 9/10.",
  "This does not deserve 9/10.",
  "It gets 9/10 if one counts the source.",
  "Clarity falls short of 9/10.",
  "In turn 3 clarity is 8.",
  "Clarity: 120",
  "Clarity suffers in round 2.",
  "Clarity: 80%",
  "Clarity is better than 8.",
];

describe("statedNumbers()", () => {
  for (const [prose, numbers] of STATED) {
    it(`statedNumbers() finds ${numbers.join(", ")} in: ${JSON.stringify(prose)}`, () => {
      assert.deepEqual(stated(prose).sort(), [...numbers].sort());
    });
  }

  for (const prose of NOT_STATED) {
    it(`statedNumbers() finds none in: ${JSON.stringify(prose)}`, () => {
      assert.deepEqual(stated(prose), []);
    });
  }

  it("statedNumbers() goes by the scale, and by the digits a number is given with", () => {
    assert.deepEqual(stated("Clarity: 0.85", [0, 1]), ["clarity 0.85"]);
    assert.deepEqual(stated("Clarity: 8.5", [0, 1]), []);
    assert.deepEqual(stated("I give 8/10.", [0, 1]), []);
    const [first] = statedNumbers("Clarity: 7", { weights: WEIGHTS, scale: [0, 10] });
    assert.ok(Math.abs(first!.tolerance - 0.5) < 1e-6);
  });

  it("statedNumbers() gives numbers within the scale alone, whatever the text", () => {
    const piece = fc.constantFrom(
      "clarity",
      "total",
      "(",
      "9",
      "/10",
      ")",
      ":",
      " is ",
      ". ",
      "I give",
      "\uE000",
    );
    const prose = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 60 }).map((all) => all.join(" ")),
    );
    fc.assert(fc.property(prose, (text) => {
      for (const { value } of statedNumbers(text, { weights: WEIGHTS, scale: [0, 10] })) {
        assert.ok(value >= 0 && value <= 10);
      }
    }));
  });
});
