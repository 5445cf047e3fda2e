/** Distance of two ratings. */
export type AlphaMetric = "nominal" | "ordinal" | "interval" | "ratio";

/** The mean; undefined of nothing. */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard deviation of a sample (n − 1); undefined of fewer than two. */
export function standardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  return Math.sqrt(squaresOf(values) / (values.length - 1));
}

/**
 * The product-moment correlation of two lists of one length, −1 to 1; undefined of fewer than two pairs, or where one of
 * the two never changes.
 */
export function pearson(xs: readonly number[], ys: readonly number[]): number | undefined {
  if (xs.length < 2 || isConstant(xs) || isConstant(ys)) return undefined;
  const [meanX, meanY] = [mean(xs)!, mean(ys)!];
  const product = xs.reduce((sum, x, index) => sum + (x - meanX) * (ys[index]! - meanY), 0);
  const correlation = product / Math.sqrt(squaresOf(xs) * squaresOf(ys));
  return Math.max(-1, Math.min(1, correlation));
}

/** The correlation of ranks, equal values sharing the mean of theirs; undefined as {@linkcode pearson} is. */
export function spearman(xs: readonly number[], ys: readonly number[]): number | undefined {
  return pearson(ranksOf(xs), ranksOf(ys));
}

/**
 * Krippendorff's alpha (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011) of raters × units: 1 is
 * full agreement, 0 what chance would give. Ratings may be missing; units that fewer than two have rated do not count.
 * Undefined, "too few", where no unit has two ratings, and where all ratings are the same: without variation, agreement
 * cannot be told from chance. `ratio` is for ratings of 0 and more.
 */
export function krippendorffAlpha(
  data: readonly (readonly (number | undefined)[])[],
  metric: AlphaMetric = "interval",
): number | undefined {
  const units = pairableUnits(data);
  const all = units.flat().sort((a, b) => a - b);
  if (all.length === 0 || isConstant(all)) return undefined;
  const distance = DISTANCES[metric](all);
  const observed = units.reduce(
    (sum, unit) => sum + distancesWithin(unit, distance) / (unit.length - 1),
    0,
  );
  const expected = metric === "interval"
    ? all.length * squaresOf(all)
    : distancesAmong(countsOf(all), distance);
  return 1 - (all.length - 1) * observed / expected;
}

/** The ratings of each unit that has two or more. */
function pairableUnits(data: readonly (readonly (number | undefined)[])[]): number[][] {
  const length = Math.max(0, ...data.map((ratings) => ratings.length));
  return Array.from({ length }, (_, unit) =>
    data.flatMap((ratings) => {
      const rating = ratings[unit];
      return rating === undefined ? [] : [rating];
    })).filter((unit) => unit.length >= 2);
}

/** The squared distance of two ratings. */
type Distance = (a: number, b: number) => number;

/** A metric's distance, made from all pairable ratings in rising order. */
const DISTANCES: Readonly<Record<AlphaMetric, (sorted: readonly number[]) => Distance>> = {
  nominal: () => (a, b) => a === b ? 0 : 1,
  ordinal: ordinalDistance,
  interval: () => (a, b) => (a - b) ** 2,
  ratio: () => (a, b) => a === b ? 0 : ((a - b) / (a + b)) ** 2,
};

/** Ranks apart: the ratings from one to the other, those of the two themselves counted half. */
function ordinalDistance(sorted: readonly number[]): Distance {
  const middle = new Map<number, number>();
  let before = 0;
  for (const [value, count] of countsOf(sorted)) {
    middle.set(value, before + count / 2);
    before += count;
  }
  return (a, b) => (middle.get(a)! - middle.get(b)!) ** 2;
}

/** The distances of all pairs, each once. */
function distancesWithin(unit: readonly number[], distance: Distance): number {
  let sum = 0;
  for (const [index, a] of unit.entries()) {
    for (let other = 0; other < index; other++) sum += distance(a, unit[other]!);
  }
  return sum;
}

/** The same over all ratings, by value, since values are fewer. */
function distancesAmong(counts: ReadonlyMap<number, number>, distance: Distance): number {
  const entries = [...counts];
  let sum = 0;
  for (const [index, [a, countA]] of entries.entries()) {
    for (let other = 0; other < index; other++) {
      const [b, countB] = entries[other]!;
      sum += countA * countB * distance(a, b);
    }
  }
  return sum;
}

function countsOf(sorted: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The sum of the squared deviations from the mean. */
function squaresOf(values: readonly number[]): number {
  const middle = mean(values) ?? 0;
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

function ranksOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const ranks = new Map<number, number>();
  let before = 0;
  for (const [value, count] of countsOf(sorted)) {
    ranks.set(value, before + (count + 1) / 2);
    before += count;
  }
  return values.map((value) => ranks.get(value)!);
}

/** Four decimals: what files show is what is added up. */
export function round4(value: number): number {
  return Math.round((value + Number.EPSILON) * 1e4) / 1e4;
}
