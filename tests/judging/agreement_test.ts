// Agreement among judges.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { agreementOf } from "../../src/judging/agreement.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

/** Speeches of two sides in turn; the second side's are longer. */
const MESSAGES = [1, 2, 3, 4].map((seq) => ({
  seq,
  body: "word ".repeat(seq % 2 === 0 ? 100 + seq : 10 + seq),
}));

function scoresOf(judge: string, clarity: readonly number[], rest = {}) {
  return clarity.map((value, index) =>
    scoreBy(judge, {
      message: index + 1,
      participant: index % 2 === 0 ? "a" : "b",
      criteria: { clarity: value, wit: value },
      ...rest,
    })
  );
}

describe("agreementOf()", () => {
  it("agreementOf() is 1 without spread for judges who agree", () => {
    const scores = ["x", "y"].flatMap((judge) => scoresOf(judge, [4, 6, 5, 7]));
    const { alpha, judges, spread } = agreementOf(scores, [], MESSAGES);
    assert.equal(alpha, 1);
    assert.deepEqual(spread, { clarity: 0, wit: 0 });
    assert.deepEqual(
      judges.map(({ judge, withOthers, mean, scored }) => ({ judge, withOthers, mean, scored })),
      [
        { judge: "x", withOthers: 1, mean: 5.5, scored: 4 },
        { judge: "y", withOthers: 1, mean: 5.5, scored: 4 },
      ],
    );
  });

  it("agreementOf() reveals a judge that prefers longer speeches, and the agreement of the others", () => {
    const fair = [7, 4, 8, 5];
    const scores = [
      ...scoresOf("fair-1", fair),
      ...scoresOf("fair-2", fair.map((each) => each + 0.5)),
      ...scoresOf("long", [2, 8, 3, 9]),
    ];
    const { alpha, judges } = agreementOf(scores, [], MESSAGES);
    const [first, second, long] = judges;
    assert.ok(alpha! < 0.2);
    assert.equal(long!.byLength, 1);
    assert.ok(first!.byLength! < 0);
    assert.ok(long!.withOthers! < 0 && long!.alphaWithout! > 0.9);
    assert.ok(second!.alphaWithout! < 0);
  });

  it("agreementOf() counts a judge once whose model was replaced between its verdicts", () => {
    const verdicts = ["m", "l"].map((model, at) =>
      verdictBy("x", { number: at + 1, winner: "a", model })
    );
    const { judges } = agreementOf(scoresOf("x", [4, 6, 5, 7]), verdicts.reverse(), MESSAGES);
    assert.deepEqual(judges.map(({ model, votes, steady }) => [model, votes, steady]), [
      ["m", ["a", "a"], true],
    ]);
  });

  it("agreementOf() is of the panel, without a tie-break judge, who scores nothing", () => {
    const verdicts = ["x", "y", "last"].map((judge) =>
      verdictBy(judge, { winner: "a", ...judge === "last" ? { tiebreak: true } : {} })
    );
    const scores = ["x", "y"].flatMap((judge) => scoresOf(judge, [4, 6, 5, 7]));
    const { judges } = agreementOf(scores, verdicts, MESSAGES);
    assert.deepEqual(judges.map(({ judge, votes }) => [judge, votes]), [["x", ["a"]], ["y", [
      "a",
    ]]]);
  });

  it("agreementOf() has too few data for one judge, no judges, or constant scores", () => {
    assert.deepEqual(agreementOf([], [], []), { alpha: undefined, judges: [], spread: {} });
    const [one] = agreementOf(scoresOf("x", [4, 6, 5, 7]), [], MESSAGES).judges;
    assert.equal(one!.alphaWithout, undefined);
    assert.equal(one!.withOthers, undefined);
    const same = ["x", "y", "z"].flatMap((judge) => scoresOf(judge, [5, 5, 5, 5]));
    const { alpha, judges } = agreementOf(same, [], MESSAGES);
    assert.equal(alpha, undefined);
    assert.ok(
      judges.every(({ withOthers, byLength }) =>
        withOthers === undefined && byLength === undefined
      ),
    );
  });

  it("agreementOf() omits unreadable scores", () => {
    const scores = [
      ...scoresOf("x", [4, 6, 5, 7]),
      ...scoresOf("y", [4, 6, 5]),
      scoreBy("y", { message: 4, participant: "b" }),
    ];
    const { alpha, judges, spread } = agreementOf(scores, [], MESSAGES);
    assert.equal(alpha, 1);
    assert.equal(judges[1]!.scored, 3);
    assert.deepEqual(spread, { clarity: 0, wit: 0 });
  });

  it("agreementOf() compares judges with different scales, each relative to its scale", () => {
    const small = { rubric: "small", scale: [0, 1] } as const;
    const scores = [...scoresOf("x", [4, 6, 5, 7]), ...scoresOf("y", [0.4, 0.6, 0.5, 0.7], small)];
    const { alpha, judges, spread } = agreementOf(scores, [], MESSAGES);
    assert.equal(alpha, 1);
    assert.deepEqual(judges.map(({ rubric, mean }) => [rubric, mean]), [["two", 5.5], [
      "small",
      0.55,
    ]]);
    assert.deepEqual(spread, {});
    const more = [
      ...scores,
      ...scoresOf("v", [6, 8, 7, 9]),
      ...scoresOf("w", [0.5, 0.7, 0.6, 0.8], small),
    ];
    // Two judges differ by 2 and by 0.1: the deviation is the difference divided by √2.
    assert.deepEqual(agreementOf(more, [], MESSAGES).spread, {
      "small/clarity": 0.0707,
      "small/wit": 0.0707,
      "two/clarity": 1.4142,
      "two/wit": 1.4142,
    });
  });

  it("agreementOf() returns votes by order and names judges whose votes follow the order", () => {
    const { judges } = agreementOf([], [
      verdictBy("firm", { number: 2, winner: "a" }),
      verdictBy("firm", { number: 1, winner: "a" }),
      verdictBy("first-shown", { number: 1, winner: "a" }),
      verdictBy("first-shown", { number: 2, winner: "b" }),
      verdictBy("once", { number: 1, winner: "a" }),
      verdictBy("tie", { number: 1, winner: null }),
      verdictBy("tie", { number: 2, winner: null }),
      verdictBy("unread", { number: 1 }),
      verdictBy("unread", { number: 2, winner: null }),
    ], []);
    assert.deepEqual(judges.map(({ judge, votes, steady }) => [judge, votes, steady]), [
      ["firm", ["a", "a"], true],
      ["first-shown", ["a", "b"], false],
      ["once", ["a"], false],
      ["tie", [null, null], true],
      ["unread", [null, null], false],
    ]);
  });
});
