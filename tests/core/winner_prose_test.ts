import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { winnersInProse } from "../../src/judging/prose.ts";

const SIDES = [
  { id: "a", names: ["Advocate A"] },
  { id: "b", names: ["Advocate B"] },
];
const SHORT = [{ id: "a", names: ["A"] }, { id: "b", names: ["B"] }];

/** "A" and "B" in full, so that a row is easy to read. */
function named(prose: string): string {
  const full = prose.replace(/\b([AB])\b(?=['’]s|[^\w'’]|$)/g, "Advocate $1");
  return winnersInProse(full, SIDES).join("+");
}

const NAMED: readonly (readonly [prose: string, winner: string])[] = [
  ["A wins.", "a"],
  ["B won the debate.", "b"],
  ["B wins the debate because it answered every objection.", "b"],
  ["Overall, A is stronger.", "a"],
  ["On balance B makes the more convincing case.", "b"],
  ["Taken together, B's arguments are stronger.", "b"],
  ["B is overall more persuasive than A.", "b"],
  ["In the end A comes out ahead.", "a"],
  ["A, on balance, wins.", "a"],
  ["A carries the debate.", "a"],
  ["A's case carries the day.", "a"],
  ["The winner is B.", "b"],
  ["**Winner: B**", "b"],
  ['Winner: "B"', "b"],
  ["I therefore vote for A.", "a"],
  ["I find in favour of B.", "b"],
  ["I declare A the winner.", "a"],
  ["My vote goes to B.", "b"],
  ["Victory goes to A.", "a"],
  ["The debate was won by B.", "b"],
  ["A loses.", "b"],
  ["A loses the debate.", "b"],
  ["A lost to B.", "b"],
  ["B beats A.", "b"],
  ["It is B who wins.", "b"],
  ["Not A but B wins.", "b"],
  ["A should win.", "a"],
  ["A narrowly prevails.", "a"],
  ["A is the clear winner.", "a"],
  ["B deserves the win.", "b"],
  ["Because A did not answer the point on costs, B wins.", "b"],
  ["A wins, even if narrowly.", "a"],
  ["In my view, A wins.", "a"],
  ["On points A wins.", "a"],
  ["A won the point on costs but B wins overall.", "b"],
  ["A won the point on costs, but B wins.", "b"],
  ["Although A was more eloquent, B wins.", "b"],
  ["While A is stronger on evidence, B is stronger overall.", "b"],
  ["A wins on evidence. B wins on logic. Overall, B wins.", "b"],
  ["Evidence: A wins.\nLogic: A wins.\nOverall: B wins.", "b"],
  ["A wins on style; B carries the debate.", "b"],
  ["Advocate B argues that it has won, but A wins the debate.", "a"],
  ["Over all turns A argues better than B, most of all in clear language.", "a"],
  ["A does not win; B does better overall.", "b"],
];

const UNNAMED: readonly string[] = [
  "",
  "Both sides were good.",
  "A did not win.",
  "A doesn't win the debate.",
  "Neither A nor B wins.",
  "No one can say that A wins.",
  "I do not think A wins.",
  "It is hard to say that A wins.",
  "A fails to win the debate.",
  "A would have won with better sources.",
  "A might win on another day.",
  "If A had answered, A wins the debate.",
  "A wins only if costs are all that counts.",
  "A won the point on costs.",
  "A wins on evidence.",
  "On evidence, A wins.",
  "On evidence A wins.",
  "In the rebuttals, A wins.",
  "Evidence quality: A wins.",
  "A wins round 2.",
  "A wins over the audience.",
  "A won nothing.",
  "A is the winner of round 2.",
  "A is the clear winner on evidence.",
  "A carries the day on this point.",
  "I side with A on costs.",
  "A is stronger.",
  "Overall, A is stronger on evidence.",
  "Overall, A was better prepared.",
  "B claims that A wins.",
  "A says it wins the debate.",
  "A argues that B loses.",
  'A says "we win, and Advocate A wins the debate" in its closing.',
  "A and B are as good as equal: A does best in logic, B in evidence, and neither lead is clear.",
  "Overall A and B are better than expected.",
  "A or B wins, it is a matter of taste.",
  "The edge goes to A.",
  "A is ahead after round 1.",
  "The winner is not A.",
  "I cannot declare A the winner.",
  "My vote does not go to A.",
  "A's opening wins the audience.",
  "A wins, but only on costs.",
  "There is no winner: A and B are equal.",
];

describe("winnersInProse()", () => {
  for (const [prose, winner] of NAMED) {
    it(`winnersInProse() finds ${winner} in: ${JSON.stringify(prose)}`, () => {
      assert.equal(named(prose), winner);
    });
  }

  for (const prose of UNNAMED) {
    it(`winnersInProse() finds nobody in: ${JSON.stringify(prose)}`, () => {
      assert.equal(named(prose), "");
    });
  }

  it("winnersInProse() gives both where both are named", () => {
    assert.equal(named("A wins. B wins."), "a+b");
    assert.equal(named("Overall A wins, and overall B wins."), "a+b");
  });

  it("winnersInProse() tells short names from other words, and one name from a longer one", () => {
    assert.deepEqual(winnersInProse("A strong debate. It was a win for a side. B wins.", SHORT), [
      "b",
    ]);
    assert.deepEqual(winnersInProse("A won the point on costs but B wins overall", SHORT), ["b"]);
    const longer = [{ id: "ann", names: ["Ann"] }, { id: "annlee", names: ["Ann Lee"] }];
    assert.deepEqual(winnersInProse("Ann Lee wins.", longer), ["annlee"]);
    assert.deepEqual(winnersInProse("Anna wins.", longer), []);
  });

  it("winnersInProse() knows a side by any of its names, odd characters included", () => {
    const sides = [
      { id: "x", names: ["Ada | *Lovelace*", "Yes (they should)"] },
      { id: "y", names: ["../Ben", "No"] },
    ];
    assert.deepEqual(winnersInProse("Ada | *Lovelace* wins the debate.", sides), ["x"]);
    assert.deepEqual(winnersInProse("The winner is Yes (they should).", sides), ["x"]);
    assert.deepEqual(winnersInProse("../Ben prevails.", sides), ["y"]);
  });

  it("winnersInProse() of three sides takes one that loses for no winner", () => {
    const sides = [...SIDES, { id: "c", names: ["Advocate C"] }];
    assert.deepEqual(winnersInProse("Advocate A loses.", sides), []);
    assert.deepEqual(winnersInProse("Advocate A loses to Advocate C.", sides), ["c"]);
  });

  it("winnersInProse() names none but sides, whatever the text, and ends", () => {
    const piece = fc.constantFrom(
      "Advocate A",
      "Advocate B",
      "wins",
      "not",
      ",",
      ". ",
      "overall",
      " ",
      "\uE000",
      "9",
      "(",
    );
    const prose = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 60 }).map((all) => all.join(" ")),
    );
    fc.assert(fc.property(prose, (text) => {
      assert.ok(winnersInProse(text, SIDES).every((id) => id === "a" || id === "b"));
    }));
    assert.deepEqual(
      winnersInProse("Advocate A ".repeat(5000) + "clearly ".repeat(5000), SIDES),
      [],
    );
  });
});
