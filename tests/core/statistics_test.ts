// Statistics: agreement, correlation, intervals.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bootstrapInterval,
  cohenKappa,
  CONFIDENCE95,
  mean,
  mixSeed,
  pearson,
  quantileOfT,
  round4,
  seededRandom,
  shuffled,
  spearman,
  standardDeviation,
  tailsOf,
  wilsonInterval,
} from "../../src/core/statistics.ts";
import { ConfigurationError } from "../../src/core/error.ts";
import { krippendorffAlpha } from "../../src/core/alpha.ts";

/** Parses rows of ratings; "." is a missing rating. */
function ratings(rows: string): (number | undefined)[][] {
  return rows.trim().split("\n").map((row) =>
    row.trim().split(/\s+/).map((each) => each === "." ? undefined : Number(each))
  );
}

/** K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section D: four observers, twelve units. */
const OBSERVERS = ratings(`
  1 2 3 3 2 1 4 1 2 . . .
  1 2 3 3 2 2 4 1 2 5 . 3
  . 3 3 3 2 3 4 2 2 5 1 .
  1 2 3 3 2 4 4 1 2 5 1 .
`);
/** Wikipedia, "Krippendorff's alpha", the worked example: three coders, fifteen units. */
const CODERS = ratings(`
  . . . . . 3 4 1 2 1 1 3 3 . 3
  1 . 2 1 3 3 4 3 . . . . . . .
  . . 2 1 3 4 4 . 2 1 1 3 3 . 4
`);
/** Krippendorff (2011), section A: two observers, ten units, two values. */
const BINARY = ratings(`
  0 1 0 0 0 0 0 0 1 0
  1 1 1 0 0 1 0 0 0 0
`);

const published = [
  ["nominal", OBSERVERS, 0.743],
  ["ordinal", OBSERVERS, 0.815],
  ["interval", OBSERVERS, 0.849],
  ["ratio", OBSERVERS, 0.797],
  ["nominal", CODERS, 0.691],
  ["interval", CODERS, 0.811],
  ["nominal", BINARY, 0.095],
] as const;
for (const [metric, data, alpha] of published) {
  Deno.test(`krippendorffAlpha() gives the published ${alpha} (${metric}, ${data.length} raters)`, () => {
    assert.equal(krippendorffAlpha(data, metric)!.toFixed(3), alpha.toFixed(3));
  });
}

Deno.test("krippendorffAlpha() is undefined with too few ratings and without variation", () => {
  for (const data of [[], [[]], [[1, 2, 3]], [[1, undefined], [undefined, 2]], [[3, 3], [3, 3]]]) {
    assert.equal(krippendorffAlpha(data), undefined);
    assert.equal(krippendorffAlpha(data, "nominal"), undefined);
  }
});

Deno.test("krippendorffAlpha() of ratios rejects ratings below 0", () => {
  assert.throws(
    () => krippendorffAlpha([[-1, 1, 2], [1, -1, 2]], "ratio"),
    (error) => error instanceof ConfigurationError && error.field === "data",
  );
});

Deno.test("krippendorffAlpha() is 1 for raters who agree and below 0 for two who always disagree", () => {
  for (const metric of ["nominal", "ordinal", "interval", "ratio"] as const) {
    assert.equal(krippendorffAlpha([[1, 2, 5], [1, 2, 5]], metric), 1);
    assert.ok(krippendorffAlpha([[1, 5, 1, 5], [5, 1, 5, 1]], metric)! < 0);
  }
});

Deno.test("krippendorffAlpha() of intervals does not depend on the scale or on the order of raters", () => {
  const row = fc.array(fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }), {
    minLength: 5,
    maxLength: 5,
  });
  fc.assert(fc.property(fc.array(row, { minLength: 2, maxLength: 5 }), (data) => {
    const alpha = krippendorffAlpha(data);
    const scaled = data.map((each) => each.map((x) => x === undefined ? undefined : x * 3 + 7));
    const others = [krippendorffAlpha(scaled), krippendorffAlpha(data.toReversed())];
    for (const other of others) {
      if (alpha === undefined) assert.equal(other, undefined);
      else assert.ok(Math.abs(other! - alpha) < 1e-9 && alpha <= 1);
    }
  }));
});

Deno.test("mean() and standardDeviation() of a sample", () => {
  assert.equal(mean([2, 4, 4, 4, 5, 5, 7, 9]), 5);
  assert.equal(round4(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])!), 2.1381);
  assert.equal(mean([]), undefined);
  assert.equal(standardDeviation([1]), undefined);
});

Deno.test("quantileOfT() gives the published quantiles of Student's distribution", () => {
  const quantiles = [1, 2, 10].map((n) => quantileOfT(CONFIDENCE95, n).toFixed(3));
  assert.deepEqual(quantiles, ["12.706", "4.303", "2.228"]);
});

Deno.test("pearson() of Anscombe's first set is 0.816", () => {
  const xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  assert.equal(pearson(xs, ys)!.toFixed(3), "0.816");
});

Deno.test("spearman() uses ranks alone, and equal values share a rank", () => {
  assert.equal(spearman([1, 2, 3, 4], [1, 10, 100, 1000]), 1);
  assert.equal(spearman([1, 2, 3], [9, 5, 1]), -1);
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
  assert.equal(round4(spearman([1, 2, 2, 3], [1, 2, 3, 4])!), 0.9487);
});

Deno.test("pearson() and spearman() are undefined for one pair and for constant values", () => {
  for (const correlation of [pearson, spearman]) {
    assert.equal(correlation([], []), undefined);
    assert.equal(correlation([1], [2]), undefined);
    assert.equal(correlation([1, 1, 1], [1, 2, 3]), undefined);
    assert.equal(correlation([1, 2, 3], [4, 4, 4]), undefined);
  }
});

Deno.test("wilsonInterval: intervals of shares equal published ones and stay within 0 and 1", () => {
  const rounded = (count: number, all: number) =>
    wilsonInterval(count, all)?.map((end) => round4(end));
  assert.deepEqual(rounded(50, 100), [0.4038, 0.5962]);
  assert.deepEqual(rounded(0, 10), [0, 0.2775]);
  assert.deepEqual(rounded(10, 10), [0.7225, 1]);
  assert.equal(wilsonInterval(0, 0), undefined);
});

Deno.test("cohenKappa: agreement beyond chance, undefined when chance alone explains it", () => {
  // 20 yes–yes, 5 yes–no, 10 no–yes, 15 no–no: 0.7 observed, 0.5 by chance.
  const times = (count: number, a: string, b: string) =>
    Array.from({ length: count }, (): [string, string] => [a, b]);
  const pairs = [
    ...times(20, "yes", "yes"),
    ...times(5, "yes", "no"),
    ...times(10, "no", "yes"),
    ...times(15, "no", "no"),
  ];
  assert.equal(round4(cohenKappa(pairs)!), 0.4);
  assert.equal(cohenKappa([["yes", "yes"]]), undefined);
  assert.equal(cohenKappa([]), undefined);
});

Deno.test("bootstrapInterval: the interval of a mean is near the theoretical one, and a single item has none", () => {
  const items = Array.from({ length: 400 }, (_, at) => at % 2);
  const [low, high] = bootstrapInterval(items, mean, seededRandom(1), [0, 100])!;
  assert.ok(Math.abs(low - 0.451) < 0.01 && Math.abs(high - 0.549) < 0.01, `${low}, ${high}`);
  assert.equal(bootstrapInterval([1], mean, seededRandom(1), [0, 1]), undefined);
  // R 4.2.2, t.test(c(3.1, 4.7, 2.2, 5.9, 4.4, 3.8, 6.1, 2.9, 5, 4.9))$conf.int: 3.3801797 to 5.2198203.
  const ten = [3.1, 4.7, 2.2, 5.9, 4.4, 3.8, 6.1, 2.9, 5, 4.9];
  const halves = Array.from({ length: 40 }, (_, seed) => {
    const [from, to] = bootstrapInterval(ten, mean, seededRandom(seed), [0, 10])!;
    return (to - from) / 2;
  });
  assert.ok(Math.abs(mean(halves)! / 0.9198203 - 1) < 0.02, `${mean(halves)}`);
});

Deno.test("tailsOf() gives the two tails of a standard normal", () => {
  // R 4.2.2, 2 * pnorm(-c(0, 0.5, 1.96, 2.638257, 5)).
  const tails = [1, 0.6170750775, 0.04999579030, 0.008333340, 5.733031e-07];
  for (const [at, z] of [0, 0.5, 1.96, 2.638257, 5].entries()) {
    assert.ok(Math.abs(tailsOf(z) - tails[at]!) < 2e-7, `${z}: ${tailsOf(z)}`);
  }
});

Deno.test("bootstrapInterval: equal items leave room for a share of others, by Wilson's interval of 0 of 30", () => {
  const items = Array.from({ length: 30 }, () => 1);
  const [low, high] = bootstrapInterval(items, mean, seededRandom(1), [-1, 1])!;
  // statsmodels 0.13.5, proportion_confint(0, 30, 0.05, "wilson"): [0, 0.113513].
  assert.ok(Math.abs(low - (1 - 2 * 0.113513)) < 1e-6, `${low}`);
  assert.equal(high, 1);
  assert.equal(bootstrapInterval(items, mean, seededRandom(1), [0, Infinity]), undefined);
});

Deno.test("seededRandom() returns the same stream for the same seed and another for another seed", () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
  assert.notEqual(mixSeed(1, "a", "b"), mixSeed(1, "ab"));
});

Deno.test("shuffled() keeps every item, for any seed", () => {
  fc.assert(fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
    const order = (a: number, b: number) => a - b;
    assert.deepEqual(shuffled(items, seededRandom(seed)).sort(order), items.toSorted(order));
  }));
});
