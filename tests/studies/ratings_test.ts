// Ratings: equal to other programs' figures and to known true values; data that are insufficient.
import assert from "node:assert/strict";
import { rateStudy, type StudyRatings } from "../../src/studies/ratings.ts";
import type { RatingSettings, StudyDebate } from "../../src/studies/study.ts";
import { ended, simulated } from "./simulated_study.ts";

const rate = (debates: readonly StudyDebate[], settings?: RatingSettings) =>
  rateStudy({ study: "s", plan: "p", debates }, settings);

/** Checks that every number in a value is finite. */
function assertFinite(value: unknown): void {
  JSON.stringify(value, (key, each) => {
    assert.ok(typeof each !== "number" || Number.isFinite(each), `${key}: ${each}`);
    return each;
  });
}

function close(found: readonly number[], expected: readonly number[], most = 1e-9): void {
  assert.equal(found.length, expected.length);
  for (const [at, each] of found.entries()) {
    assert.ok(Math.abs(each - expected[at]!) <= most, `${at}: ${each}, not ${expected[at]}`);
  }
}

/** Strengths of drawn debates. */
const FIVE = { a: 1, b: 0.4, c: 0, d: -0.4, e: -1 };
const DRAWN = simulated({ strengths: FIVE, side: 0.4, length: 1.5, tie: 0.5 }, {
  topics: 6,
  seed: 11,
});

Deno.test("ratings: estimates, errors and likelihood equal another program's", () => {
  // R 4.2.2, survival 3.5-3, from ratings.json: X has the rows (D/2, 0), (-D/2, 0), (0, 1) of a debate's win, loss and tie, where
  // D is +1 and -1 for a to d, 1 for the seat, and x; y marks the outcome.
  // g <- coxph(Surv(rep(1, 3*n), y) ~ X + strata(rep(1:n, 3)), cluster=rep(C$cluster, 3), method="breslow")
  // With T from these strengths to strengths that sum to 0, and 7 free parameters over G clusters:
  // T %*% coef(g); sqrt(diag(T %*% g$var %*% t(T)) * G / (G - 7)); g$loglik[2]
  const { fit, model } = rate(DRAWN);
  close(fit!.estimates, [
    0.870720863203881,
    0.192311531596182,
    0.531173726351616,
    -0.677453629072289,
    -0.916752492079389,
    0.587843679104328,
    0.220765809166888,
    -0.943045480030716,
  ]);
  close([fit!.logLikelihood], [-105.325528026445]);
  assert.equal(model.errors, "cluster sandwich");
  close(fit!.covariance.map((row, at) => Math.sqrt(row[at]!)), [
    0.356664017467669,
    0.266488940548380,
    0.386318664196380,
    0.346633306600577,
    0.290751498940549,
    0.228937410071445,
    0.226013328962287,
    0.293069206388106,
  ]);
});

Deno.test("ratings: two contestants have the strengths of their odds", () => {
  const debates = Array.from({ length: 100 }, (_, at) => {
    const winner = at % 10 < 6 ? "a" : at % 10 < 8 ? "b" : null;
    const seats = at < 50 ? { first: "a", second: "b" } : { first: "b", second: "a" };
    return ended({ ...seats, topic: `t${at % 50}`, winner });
  });
  const { fit, tie, side } = rate(debates, { covariates: [] });
  close([fit!.estimates[0]! - fit!.estimates[1]!], [Math.log(60 / 20)]);
  close([tie!], [20 / Math.sqrt(60 * 20)]);
  close([side!.estimate], [0]);
});

Deno.test("ratings: exchanged seats and winners change the sign of the side effect and nothing else", () => {
  const mirrored = DRAWN.map((debate): StudyDebate => ({
    ...debate,
    cell: { ...debate.cell, first: debate.cell.second!, second: debate.cell.first! },
    sides: debate.sides.toReversed(),
  }));
  const [one, other] = [rate(DRAWN), rate(mirrored)];
  close(other.ratings.map(({ rating }) => rating!), one.ratings.map(({ rating }) => rating!), 1e-8);
  close([other.side!.estimate], [-one.side!.estimate]);
  assert.equal(rate(DRAWN).data, one.data);
});

Deno.test("ratings: intervals contain the true values in about 95 of 100 studies", () => {
  const strengths = { a: 0.8, b: 0.3, c: 0, d: -0.3, e: -0.8 };
  let [held, side] = [0, 0];
  const studies = 60;
  for (let seed = 1; seed <= studies; seed++) {
    const found = rate(simulated({ strengths, side: 0.4, tie: 0.5 }, { topics: 8, seed }));
    for (const { contestant, interval } of found.ratings) {
      const truth = 1500 + strengths[contestant as "a"] * 400 / Math.LN10;
      if (interval![0] <= truth && truth <= interval![1]) held++;
    }
    if (found.side!.interval[0] <= 0.4 && 0.4 <= found.side!.interval[1]) side++;
  }
  assert.ok(held / studies / 5 > 0.9 && held / studies / 5 < 0.99, `${held} of ${studies * 5}`);
  assert.ok(side / studies > 0.85, `${side} of ${studies}`);
});

Deno.test("ratings: the bootstrap gives errors close to those by cluster, and the same ones each time", () => {
  const found = rate(DRAWN, { bootstrap: 100 });
  assert.equal(found.model.errors, "bootstrap");
  assert.ok(found.model.samples! > 90);
  assert.deepEqual(rate(DRAWN, { bootstrap: 100 }), found);
  const clustered = rate(DRAWN).side!.standardError;
  assert.ok(Math.abs(found.side!.standardError / clustered - 1) < 0.4);
});

Deno.test("ratings: too few clusters for a bootstrap are reported, and the errors are the fit's", () => {
  const few = simulated({ strengths: { a: 0, b: 0 }, tie: 0.3 }, {
    topics: 2,
    repeats: 4,
    seed: 5,
  });
  const found = rate(few, { bootstrap: 100 });
  assert.equal(found.model.errors, "information");
  assert.match(found.notes.join(" "), /The bootstrap is left out/);
  const oneCluster = simulated({ strengths: { a: 0.4, b: -0.4 }, tie: 0.4 }, {
    topics: 1,
    repeats: 20,
    seed: 1,
  });
  const drawn = rate(oneCluster, { bootstrap: 100 });
  assert.match(drawn.notes.join(" "), /it needs 10 clusters or more, there are 1\./);
  assert.deepEqual(drawn.ratings, rate(oneCluster).ratings);
  const single = rate(DRAWN, { bootstrap: 1 });
  assert.notEqual(single.model.errors, "bootstrap");
  assert.deepEqual(single.ratings, rate(DRAWN).ratings);
  assert.deepEqual(found.side, rate(few).side);
});

Deno.test("ratings: a contestant with many debates in few clusters leaves the errors to the fit", () => {
  const strengths = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`c${at}`, at / 30]));
  const debates = simulated({ strengths, tie: 0.5 }, { topics: 1, repeats: 8, seed: 3 })
    .filter(({ cell: { first, second } }) => [first, second].includes("c15"));
  const found = rate(debates);
  assert.deepEqual([found.model.errors, found.model.clusters], ["information", 30]);
  const held = found.ratings.filter(({ contestant, interval }) => {
    const truth = 1500 + (strengths[contestant]! - 0.5) * 400 / Math.LN10;
    return interval![0] <= truth && truth <= interval![1];
  });
  assert.ok(held.length >= 26, `${held.length} of 31 intervals contain the true value`);
});

Deno.test("ratings: no more clusters than parameters leave the errors to the fit", () => {
  const debates = Array.from({ length: 30 }, (_, at) => {
    const [a, b] = [`c${at}`, `c${(at + 1) % 30}`];
    return [[a, b], [b, a]].map(([first, second]) =>
      ended({ first: first!, second: second!, winner: at % 2 === 0 ? first! : second! })
    );
  }).flat();
  const found = rate(debates, { covariates: [] });
  assertFinite(found);
  assert.deepEqual([found.model.errors, found.model.clusters], ["information", 30]);
});

Deno.test("ratings: seatings that cancel each other in every pair leave the errors to the fit", () => {
  const drawn = simulated({ strengths: { a: 0, b: 0, c: 0 } }, { topics: 12, seed: 8 });
  const debates = drawn.map((debate) => ({ ...debate, winner: debate.cell.first! }));
  const found = rate(debates, { covariates: [], side: false });
  assert.equal(found.model.errors, "information");
  for (const { rating, interval } of found.ratings) {
    assert.ok(interval![0] < rating! - 20 && rating! + 20 < interval![1], String(interval));
  }
});

Deno.test("ratings: ranks are ranges whose width depends on the data", () => {
  const strengths = { best: 3, mid1: 0, mid2: 0, worst: -3 };
  const { ratings } = rate(simulated({ strengths, tie: 0.3 }, { topics: 30, seed: 3 }));
  assert.deepEqual(ratings.map(({ ranks }) => ranks), [[1, 1], [2, 3], [2, 3], [4, 4]]);
});

for (
  const [lengths, words] of [
    ["the first seat alone speaks", (_: string, seat: number) => seat === 0 ? 500 : 0],
    ["each contestant has one length", (id: string) => 400 + 20 * Object.keys(FIVE).indexOf(id)],
  ] as const
) {
  Deno.test(`ratings: if ${lengths}, the effect of length is left out`, () => {
    const debates = DRAWN.map(({ sides, ...each }): StudyDebate => ({
      ...each,
      sides: sides.map((side, at) => ({ ...side, words: words(side.contestant, at) })),
    }));
    const { side, length, ratings, notes } = rate(debates);
    const without = rate(DRAWN, { covariates: [] });
    assert.equal(length, undefined);
    assert.deepEqual(side, without.side);
    assert.deepEqual(ratings, without.ratings);
    assert.match(notes.join(" "), /The data do not determine the effect of length/);
  });
}

Deno.test("ratings: with ties as halves, a tie counts half a win", () => {
  const { model, tie, fit } = rate(DRAWN, { ties: "half" });
  assert.equal(model.ties, "half");
  assert.equal(tie, undefined);
  assert.ok(!fit!.parameters.includes("log tie"));
});

/** Data without sufficient information for ratings, with the expected note. */
const POOR: readonly (readonly [name: string, debates: StudyDebate[], note: RegExp])[] = [
  ["no debates", [], /No debate of two contestants has ended/],
  [
    "one contestant",
    [ended({ first: "a", second: "a", winner: "a" })],
    /No debate of two contestants has ended/,
  ],
  [
    "all ties",
    ["a", "b", "c"].flatMap((first) =>
      ["a", "b", "c"].filter((second) => second !== first)
        .map((second) => ended({ first, second, winner: null }))
    ),
    /All 6 debates are tied/,
  ],
  [
    "a contestant that always wins",
    simulated({ strengths: { a: 40, b: 0, c: 0, d: 0 } }, { topics: 5, seed: 1 }),
    /the groups are b, c, d; a\. .* and only the largest group has ranks\./,
  ],
  [
    "contestants in an order without exception",
    simulated({ strengths: { a: 80, b: 0, c: -80 } }, { topics: 5, seed: 1 }),
    /do not connect all contestants both ways: .* and no contestant has a rank\./,
  ],
  [
    "two studies in one",
    [
      ...simulated({ strengths: { a: 0, b: 0 } }, { topics: 10, seed: 1 }),
      ...simulated({ strengths: { c: 0, d: 0 } }, { topics: 10, seed: 2 }),
    ],
    /the groups are/,
  ],
  [
    "a first seat that always wins",
    simulated({ strengths: { a: 0, b: 0, c: 0 }, side: 80 }, { topics: 5, seed: 1 }),
    /do not determine the advantage of the first seat/,
  ],
  [
    "one seating",
    Array.from(
      { length: 40 },
      (_, at) =>
        ended({ first: "a", second: "b", topic: `t${at}`, winner: at % 3 === 0 ? "a" : "b" }),
    ),
    /No pair was seated both ways/,
  ],
];

for (const [name, debates, note] of POOR) {
  Deno.test(`ratings: ${name} is reported, and no number is missing or infinite`, () => {
    const found: StudyRatings = rate(debates);
    assertFinite(found);
    assert.match(found.notes.join(" "), note);
    for (const { rating, ranks, reason } of found.ratings) {
      assert.ok(rating !== null && ranks !== null || reason !== undefined);
    }
  });
}

Deno.test("ratings: a contestant outside the largest group has no rank, and its gap is uncertain", () => {
  const { ratings, model } = rate(
    simulated({ strengths: { a: 40, b: 0, c: 0, d: 0 } }, { topics: 20, seed: 1 }),
  );
  assert.equal(model.ridge, 0.01);
  const outside = ratings.find(({ contestant }) => contestant === "a")!;
  assert.equal(outside.ranks, null);
  // By cluster the error would be small: results of a contestant that always wins do not vary.
  assert.equal(outside.rating, null);
  assert.match(outside.reason!, /^too uncertain/);
  // The contestant without a rank may be ahead of the others, or behind.
  assert.deepEqual(
    ratings.filter((each) => each !== outside).map(({ ranks }) => ranks),
    [[1, 4], [1, 4], [1, 4]],
  );
});

Deno.test("ratings: beside a contestant that always wins, intervals of the others contain the true values", () => {
  const strengths = { a: 40, b: 0.6, c: 0, d: -0.6 };
  let held = 0;
  const studies = 60;
  for (let seed = 1; seed <= studies; seed++) {
    const found = rate(simulated({ strengths, side: 0.3, tie: 0.3 }, { topics: 8, seed }));
    assert.deepEqual(found.groups, [["b", "c", "d"], ["a"]]);
    for (const { contestant, interval } of found.ratings.filter(({ rating }) => rating !== null)) {
      const truth = 1500 + strengths[contestant as "b"] * 400 / Math.LN10;
      if (interval![0] <= truth && truth <= interval![1]) held++;
    }
  }
  assert.ok(held / studies / 3 > 0.9, `${held} of ${studies * 3}`);
});

Deno.test("ratings: too few debates or opponents give no rating", () => {
  const few = rate(simulated({ strengths: { a: 0, b: 0, c: 0, d: 0 } }, { topics: 1, seed: 5 }));
  for (const { rating, reason } of few.ratings) {
    assert.equal(rating, null);
    assert.match(reason!, /^too few: 6 decided debates of 10/);
  }
  const many = simulated({ strengths: { a: 0, b: 0, c: 0, d: 0 } }, { topics: 20, seed: 5 });
  const isOnlyWithA = ({ cell: { first, second } }: StudyDebate) =>
    [first, second].every((each) => each !== "d") || first === "a" || second === "a";
  const unfinished = many.map((each) => isOnlyWithA(each) ? each : { ...each, winner: undefined! });
  const found = rate(unfinished).ratings.find(({ contestant }) => contestant === "d")!;
  assert.match(found.reason!, /^too few: 1 opponent of 3/);
  const planned = rate(many.filter(isOnlyWithA)).ratings;
  assert.ok(planned.every(({ rating }) => rating !== null), "all opponents of a plan are enough");
});

Deno.test("ratings: a debate counts only after its mirrored debate has ended", () => {
  const { winner: _winner, ...unfinished } = DRAWN[0]!;
  const found = rate([{ ...unfinished, status: "running" }, ...DRAWN.slice(1)]);
  assert.equal(found.unmatched, 1);
  assert.equal(found.comparisons.length, DRAWN.length - 2);
});

/** Returns a debate of the sides a, b and c with these totals. */
function ofThree(
  topic: string,
  totals: Readonly<Record<string, number>>,
  winner: string | null,
): StudyDebate {
  const debate = ended({ topic, first: "a", second: "b", winner });
  const sides = Object.entries(totals).map(([contestant, total]) => ({
    ...debate.sides[0]!,
    contestant,
    total,
  }));
  const { first: _first, second: _second, ...cell } = debate.cell;
  return { ...debate, cell, sides };
}

Deno.test("ratings: with three sides a debate is decided if it has a winner, not if its totals differ", () => {
  const debates = Array.from({ length: 12 }, (_, at) => {
    const [a, b, c] = [[9, 8, 7], [7, 9, 8], [8, 7, 9]][at % 3]!;
    const winner = at < 4 ? ["a", "b", "c"][at % 3]! : null;
    return ofThree(`t${at}`, { a: a!, b: b!, c: c! }, winner);
  });
  for (const { rating, reason } of rate(debates).ratings) {
    assert.equal(rating, null);
    assert.match(reason!, /^too few: 4 decided debates of 10/);
  }
  const tied = ["t1", "t2"].map((topic) => ofThree(topic, { a: 8, b: 8, c: 8 }, null));
  assert.match(rate(tied).notes.join(" "), /All 2 debates are tied/);
});

Deno.test("ratings: with three sides every pair of the ranking counts half, in one cluster", () => {
  const debates = ["t1", "t2"].map((topic) => ofThree(topic, { a: 8, b: 7, c: 6 }, "b"));
  const { comparisons } = rate(debates);
  assert.deepEqual(
    comparisons.slice(0, 3).map(({ first, second, score, weight }) => [
      first,
      second,
      score,
      weight,
    ]),
    [["a", "b", 0, 0.5], ["a", "c", 1, 0.5], ["b", "c", 1, 0.5]],
  );
  assert.equal(new Set(comparisons.map(({ cluster }) => cluster)).size, 2);
});
