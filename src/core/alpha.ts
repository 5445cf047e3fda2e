// Krippendorff's alpha, the agreement of raters.
import { checkArguments } from "./check_fields.ts";
import { ConfigurationError } from "./error.ts";
import { isConstant, rankIn, squaresOf } from "./statistics.ts";
import { tally } from "./values.ts";

/** Distance metric between two ratings. */
export type AlphaMetric = "nominal" | "ordinal" | "interval" | "ratio";

/**
 * Computes Krippendorff's alpha (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011) of raters × units: 1
 * is full agreement, 0 is chance. Ratings may be missing; units with fewer than two ratings are ignored. Undefined if no
 * unit remains, or if all ratings are equal, because agreement then cannot be told from chance. `ratio` needs ratings ≥ 0.
 */
export function krippendorffAlpha(
  data: readonly (readonly (number | undefined)[])[],
  metric: AlphaMetric = "interval",
): number | undefined {
  checkArguments("krippendorffAlpha", { data, metric });
  const units = pairableUnits(data);
  const all = units.flat().sort((a, b) => a - b);
  if (metric === "ratio" && all.some((rating) => rating < 0)) {
    throw new ConfigurationError("Cannot compute alpha: the ratio metric needs ratings ≥ 0", {
      field: "data",
      hint: "Use the interval metric for ratings below 0.",
    });
  }
  if (all.length === 0 || isConstant(all)) return undefined;
  const distance = DISTANCES[metric](all);
  const observed = units.reduce(
    (sum, unit) => sum + distancesAmong(tally(unit), distance) / (unit.length - 1),
    0,
  );
  const expected = metric === "interval"
    ? all.length * squaresOf(all)
    : distancesAmong(tally(all), distance);
  return 1 - (all.length - 1) * observed / expected;
}

/** Returns the ratings of each unit with at least two. */
function pairableUnits(data: readonly (readonly (number | undefined)[])[]): number[][] {
  const length = Math.max(0, ...data.map((ratings) => ratings.length));
  return Array.from({ length }, (_, unit) =>
    data.flatMap((ratings) => {
      const rating = ratings[unit];
      return rating === undefined ? [] : [rating];
    })).filter((unit) => unit.length >= 2);
}

/** Squared distance of two ratings. */
type Distance = (a: number, b: number) => number;

/** Distance function by metric, made from all pairable ratings in ascending order. */
const DISTANCES: Readonly<Record<AlphaMetric, (sorted: readonly number[]) => Distance>> = {
  nominal: () => (a, b) => a === b ? 0 : 1,
  ordinal: ordinalDistance,
  interval: () => (a, b) => (a - b) ** 2,
  ratio: () => (a, b) => a === b ? 0 : ((a - b) / (a + b)) ** 2,
};

/** Makes the ordinal distance: the number of ratings between the two values, counting their own ratings half. */
function ordinalDistance(sorted: readonly number[]): Distance {
  const rank = rankIn(sorted);
  return (a, b) => (rank(a) - rank(b)) ** 2;
}

/** Sums the distances of all pairs of ratings, grouped by value, because there are few different values. */
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
