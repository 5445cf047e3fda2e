// Arithmetic of scores: totals, standings, rubrics.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  checkRubric,
  debateRubric,
  decide,
  type Rubric,
  type Score,
  standings,
  weightedTotal,
} from "../../scoring.ts";
import { scoreSchema, standingsByRubric } from "../../src/judging/scoring.ts";
import { round4 } from "../../src/core/statistics.ts";
import { scoreBy } from "./support/judging.ts";

function score(participant: string, criteria?: Record<string, number>): Score {
  return scoreBy("judge", { participant, ...criteria && { criteria } });
}

describe("weightedTotal()", () => {
  it("weightedTotal() is the sum of the displayed rows, for any weights and scores", () => {
    const rows = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 10, noNaN: true })),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(fc.property(rows, (given) => {
      const sum = given.reduce((total, [weight]) => total + weight, 0);
      const weights = Object.fromEntries(given.map(([weight], i) => [`c${i}`, weight / sum]));
      const criteria = Object.fromEntries(given.map(([, value], i) => [`c${i}`, round4(value)]));
      const printed = Object.keys(weights).map((id) => (criteria[id]! * weights[id]!).toFixed(4));
      const added = printed.reduce((total, row) => total + Number(row), 0);
      assert.ok(Math.abs(weightedTotal(criteria, weights) - added) < 2e-4 * given.length);
      assert.equal(
        weightedTotal(criteria, weights),
        round4(Object.keys(weights).reduce((t, id) => t + round4(criteria[id]! * weights[id]!), 0)),
      );
    }));
  });
});

describe("standings()", () => {
  const names = new Map([["a", "Ada"], ["b", "Ben"], ["c", "Cy"]]);

  const both = (clarity: number, wit: number, rest: Partial<Score> = {}) => [
    { ...score("a", { clarity, wit }), message: 1, ...rest },
    { ...score("b", { clarity, wit }), message: 2, ...rest },
  ];

  it("standings() are means per criterion over scored turns, totals by weight, and counts of missing scores", () => {
    const { scores, unscored } = standings([
      ...both(8, 5),
      { ...score("a", { clarity: 7, wit: 6 }), message: 3 },
      { ...score("b", { clarity: 5, wit: 4 }), message: 4 },
      { ...score("a"), message: 5 },
      { ...score("b", { clarity: 9, wit: 9 }), message: 6 },
    ], names);
    assert.deepEqual(scores, {
      a: { name: "Ada", total: 6.7, breakdown: { clarity: 7.5, wit: 5.5 }, scored: 2, missing: 1 },
      b: {
        ...{ name: "Ben", total: 5.7, breakdown: { clarity: 6.5, wit: 4.5 } },
        ...{ scored: 2, missing: 0, unmatched: 1 },
      },
    });
    assert.deepEqual(unscored, []);
  });

  it("standings() are equal when every judge treats both sides alike, whatever is unreadable", () => {
    const places = [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => ({
      seq,
      phase: seq < 3 ? "opening" : "argument",
      round: Math.ceil(seq / 4),
      kind: seq % 4 < 2 ? "argument" : "rebuttal",
    })).map((place) => ({ ...place, kind: place.seq < 3 ? "opening_statement" : place.kind }));
    const speakers = ["a", "b", "a", "b", "b", "a", "b", "a"];
    fc.assert(fc.property(
      fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
      fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 3, maxLength: 3 }),
      (isRead, levels) => {
        const scores = places.flatMap(({ seq }, at) =>
          levels.map((level, judge) => ({
            ...score(
              speakers[at]!,
              isRead[at * 3 + judge] ? { clarity: level, wit: level } : undefined,
            ),
            message: seq,
            judge: `judge-${judge}`,
          }))
        );
        const { scores: found, unscored } = standings(scores, names, places);
        assert.equal(found["a"]?.total, found["b"]?.total);
        assert.deepEqual(unscored, found["a"] === undefined ? ["a", "b"] : []);
        assert.equal(
          decide([], scores, places).outcome,
          found["a"] === undefined ? "unscored" : "undecided",
        );
      },
    ));
  });

  it("standings() ignore the total of a judge that did not score a turn for every side", () => {
    const harsh = [1, 3].flatMap((message) => [
      { ...score("a"), message, judge: "harsh" },
      { ...score("b", { clarity: 4, wit: 4 }), message: message + 1, judge: "harsh" },
    ]);
    const { scores } = standings([...both(8, 8, { judge: "kind" }), ...harsh], names);
    assert.deepEqual([scores["a"]?.total, scores["b"]?.total], [8, 8]);
    assert.deepEqual([scores["a"]?.missing, scores["b"]?.unmatched], [2, 2]);
    assert.deepEqual(standings(harsh, names), { scores: {}, unscored: ["a", "b"] });
  });

  it("standings() total is the weighted sum of its breakdown, for any scores", () => {
    const number = fc.double({ min: 0, max: 10, noNaN: true }).map(round4);
    const some = fc.array(fc.record({ clarity: number, wit: number }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(fc.property(some, (all) => {
      const { a } = standings(all.map((criteria) => score("a", criteria)), names).scores;
      const { breakdown } = a!;
      assert.equal(
        a!.total,
        round4(round4(breakdown["clarity"]! * 0.6) + round4(breakdown["wit"]! * 0.4)),
      );
      for (const value of [a!.total, ...Object.values(breakdown)]) {
        assert.equal(Number(value.toFixed(4)), value);
      }
    }));
  });
});

describe("standingsByRubric()", () => {
  const names = new Map([["a", "Ada"], ["b", "Ben"]]);
  const academic = (participant: string, judge: string, evidence: number, message = 1): Score => ({
    ...score(participant, { clarity: 1, wit: 1 }),
    message,
    judge,
    rubric: "academic",
    scale: [0, 1],
    weights: { clarity: 0.5, evidence: 0.5 },
    criteria: { clarity: 1, evidence },
    total: 0.5 + evidence / 2,
  });
  const mixed = [
    academic("a", "k", 0.5),
    score("a", { clarity: 8, wit: 5 }),
    academic("a", "l", 0.7),
    { ...score("b", { clarity: 4, wit: 5 }), message: 2 },
    academic("b", "k", 0.9, 2),
    academic("b", "l", 0.9, 2),
  ];

  it("standingsByRubric() averages over the judges of a rubric, never across rubrics", () => {
    const [two, other, ...more] = standingsByRubric(mixed, names);
    assert.deepEqual(more, []);
    assert.deepEqual(two, {
      matched: [[mixed[1], mixed[3]]],
      rubric: "two",
      weights: { clarity: 0.6, wit: 0.4 },
      scores: {
        a: { name: "Ada", total: 6.8, breakdown: { clarity: 8, wit: 5 }, scored: 1, missing: 0 },
        b: { name: "Ben", total: 4.4, breakdown: { clarity: 4, wit: 5 }, scored: 1, missing: 0 },
      },
      unscored: [],
    });
    assert.equal(other!.rubric, "academic");
    assert.deepEqual(other!.scores["a"], {
      name: "Ada",
      total: 0.8,
      breakdown: { clarity: 1, evidence: 0.6 },
      scored: 2,
      missing: 0,
    });
    assert.equal(other!.scores["b"]!.total, 0.95);
    assert.deepEqual(other!.unscored, []);
  });

  it("standingsByRubric() and standings() do not depend on the order of answers", () => {
    const all = standingsByRubric(mixed, names);
    assert.deepEqual(standingsByRubric(mixed.toReversed(), names), all);
    const { scores, unscored } = all[0]!;
    assert.deepEqual(standings(mixed, names), { scores, unscored });
    assert.deepEqual(standingsByRubric([], names), []);
    assert.deepEqual(standings([], names), { scores: {}, unscored: [] });
  });
});

describe("Rubrics of debates", () => {
  it("debateRubric() of each format has weights that sum to 1, and only the formal one is `debate`", () => {
    const formats = ["formal", "casual", "educational", "competitive"] as const;
    const ids = formats.map((format) => checkRubric(debateRubric(format)).id);
    assert.deepEqual(ids, ["debate", "debate-casual", "debate-educational", "debate-competitive"]);
  });

  it("scoreSchema() asks for reasons before scores, in the given order, within the scale", () => {
    const criteria = ["clarity", "wit"].map((id) => ({ id, weight: 0.5, description: "" }));
    const rubric: Rubric = { id: "two", scale: [0, 10], criteria, anchors: [] };
    const type = scoreSchema(rubric, ["wit", "clarity"]);
    const good = { reasons: "Well.", scores: { wit: 0, clarity: 10 } };
    assert.deepEqual(type.parse(good), good);
    for (
      const bad of [
        { reasons: "", scores: good.scores },
        { reasons: "Well.", scores: { wit: 1 } },
        { reasons: "Well.", scores: { wit: 1, clarity: 10.5 } },
        { reasons: "Well.", scores: { wit: "7", clarity: 1 } },
      ]
    ) assert.equal(type.safeParse(bad).success, false);
  });
});

describe("standings() of turns with inapplicable criteria", () => {
  it("standings() omit a criterion, for every side, that could not be scored for one side", () => {
    const names = new Map([["pro", "Pro"], ["con", "Con"]]);
    const first: Score = { ...score("pro", { clarity: 5 }), weights: { clarity: 1 } };
    const second = { ...score("con", { clarity: 5, wit: 5 }), message: 2 };
    const { scores } = standings([first, second], names);
    assert.deepEqual(Object.values(scores).map(({ total, breakdown }) => [total, breakdown]), [
      [5, { clarity: 5 }],
      [5, { clarity: 5 }],
    ]);
    const [{ weights } = { weights: {} }] = standingsByRubric([first, second], names);
    assert.deepEqual(weights, { clarity: 1 });
  });

  it("standings() average over the turns to which a criterion applies", () => {
    const names = new Map([["pro", "Pro"], ["con", "Con"]]);
    const all = [
      { ...score("pro", { clarity: 5 }), weights: { clarity: 1 } },
      { ...score("con", { clarity: 5, wit: 5 }), message: 2 },
      { ...score("pro", { clarity: 5, wit: 9 }), message: 3 },
      { ...score("con", { clarity: 5, wit: 5 }), message: 4 },
    ];
    const { scores } = standings(all, names);
    assert.deepEqual(scores["pro"]?.breakdown, { clarity: 5, wit: 9 });
    assert.equal(scores["con"]?.total, 5);
  });
});
