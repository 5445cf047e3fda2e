// Statistics: seeded random numbers, correlation, kappa, intervals.
import { tally } from "./values.ts";

/** Makes a seeded generator of numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Hashes a seed and texts to 32 bits (FNV-1a), so that each purpose gets its own random sequence. */
export function mixSeed(
  seed: number,
  ...parts: readonly (string | number)[]
): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const char of parts.join("\u0000")) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash;
}

/** Returns a shuffled copy (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

/** Returns the mean; undefined for an empty list. */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the standard deviation of a sample (n − 1); undefined for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  return Math.sqrt(squaresOf(values) / (values.length - 1));
}

/** Returns the half-width of the 95 % interval of a mean by Student's t; undefined for fewer than two values. */
export function marginOfError(values: readonly number[]): number | undefined {
  const deviation = standardDeviation(values);
  return deviation === undefined
    ? undefined
    : quantileOfT(CONFIDENCE95, values.length - 1) * deviation / Math.sqrt(values.length);
}

/** Confidence of an interval: the share of values within it, and the normal quantile of its upper end. */
export interface Confidence {
  readonly share: number;
  readonly z: number;
}

/** Returns the upper quantile of Student's t with `n` degrees of freedom: exact for 1 and 2, else by Hill's expansion, error at most 1 %. */
export function quantileOfT({ share, z }: Confidence, n: number): number {
  if (n === 1) return Math.tan(share * Math.PI / 2);
  if (n === 2) return share * Math.sqrt(2 / (1 - share ** 2));
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, power) => sum + term / n ** power, 0);
}

/** Returns Pearson's correlation of two lists of equal length; undefined for fewer than two pairs or a constant list. */
export function pearson(xs: readonly number[], ys: readonly number[]): number | undefined {
  if (xs.length < 2 || isConstant(xs) || isConstant(ys)) return undefined;
  const [meanX, meanY] = [mean(xs)!, mean(ys)!];
  const product = xs.reduce((sum, x, index) => sum + (x - meanX) * (ys[index]! - meanY), 0);
  const correlation = product / Math.sqrt(squaresOf(xs) * squaresOf(ys));
  return Math.max(-1, Math.min(1, correlation));
}

/** Returns Spearman's rank correlation, with mean ranks for ties; undefined as for {@linkcode pearson}. */
export function spearman(xs: readonly number[], ys: readonly number[]): number | undefined {
  return pearson(ranksOf(xs), ranksOf(ys));
}

/** Returns the sum of squared deviations from the mean. */
export function squaresOf(values: readonly number[]): number {
  const middle = mean(values) ?? 0;
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}

export function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

function ranksOf(values: readonly number[]): number[] {
  return values.map(rankIn([...values].sort((a, b) => a - b)));
}

/** Returns the function from a value of an ascending list to its rank, from 1; equal values have their mean rank. */
export function rankIn(sorted: readonly number[]): (value: number) => number {
  const ranks = new Map<number, number>();
  let before = 0;
  for (const [value, count] of tally(sorted)) {
    ranks.set(value, before + (count + 1) / 2);
    before += count;
  }
  return (value) => ranks.get(value)!;
}

/** Returns Wilson's interval of the share `count` / `all` of independent trials; undefined for no trial. */
export function wilsonInterval(
  count: number,
  all: number,
  z: number = Z95,
): readonly [low: number, high: number] | undefined {
  if (all === 0) return undefined;
  const [share, spread] = [count / all, z ** 2 / all];
  const middle = (share + spread / 2) / (1 + spread);
  const half = z * Math.sqrt((share * (1 - share) + spread / 4) / all) / (1 + spread);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Returns the two-sided tail probability of a standard normal, by formula 7.1.26 of Abramowitz and Stegun, error at most 2e-7. */
export function tailsOf(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
    .reduce((total, factor) => total * t + factor, 0);
  return sum * t * Math.exp(-(x ** 2));
}

/** Normal quantile for 95 % intervals. */
export const Z95 = 1.959964;
export const CONFIDENCE95: Confidence = { share: 0.95, z: Z95 };

/** Returns Cohen's kappa of two raters over the units that both rated; undefined without units, or if chance agreement is 1. */
export function cohenKappa<T>(pairs: readonly (readonly [T, T])[]): number | undefined {
  const shareOf = (test: (pair: readonly [T, T]) => boolean) =>
    pairs.filter(test).length / pairs.length;
  const values = new Set(pairs.flat());
  const chance = [...values].reduce(
    (sum, value) => sum + shareOf(([a]) => a === value) * shareOf(([, b]) => b === value),
    0,
  );
  return pairs.length === 0 || chance === 1
    ? undefined
    : (shareOf(([a, b]) => a === b) - chance) / (1 - chance);
}

const SAMPLES = 200;

/** Minimum items of a bootstrap: with fewer, its intervals are too narrow. */
export const LEAST_DRAWN = 10;

/**
 * Returns the bootstrap 95 % interval of a statistic of independent items, within the statistic's `range`; undefined for fewer than
 * {@linkcode LEAST_DRAWN} items, or if too few samples define it. If all samples are equal, the interval reaches as far as a share of
 * other items, which Wilson's interval allows, may move a mean; undefined if the range has no end.
 */
export function bootstrapInterval<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number | undefined,
  random: () => number,
  [least, most]: readonly [number, number],
): readonly [low: number, high: number] | undefined {
  const estimate = statistic(items);
  const drawn = Array.from(
    { length: items.length < LEAST_DRAWN ? 0 : SAMPLES },
    () => statistic(items.map(() => items[Math.floor(random() * items.length)]!)),
  ).filter((each) => each !== undefined);
  if (estimate === undefined || drawn.length < SAMPLES / 2) return undefined;
  if (isConstant(drawn)) {
    const ends = intervalOfEqual(estimate, items.length, [least, most]);
    return ends.every(Number.isFinite) ? ends : undefined;
  }
  // Samples of few items deviate too little, and Student's t allows for an uncertain deviation.
  const last = items.length - 1;
  const half = quantileOfT(CONFIDENCE95, last) * standardDeviation(drawn)! *
    Math.sqrt(items.length / last);
  return [Math.max(least, estimate - half), Math.min(most, estimate + half)];
}

/** Returns the interval of the mean of `n` equal values: as far as other values may move the mean, whose share Wilson's interval allows. */
export function intervalOfEqual(
  value: number,
  n: number,
  [least, most]: readonly [number, number],
  z: number = Z95,
): readonly [low: number, high: number] {
  const [, others] = wilsonInterval(0, n, z)!;
  return [value + others * (least - value), value + others * (most - value)];
}

/** Rounds to four decimals, as files show numbers, so that sums in files add up. */
export function round4(value: number): number {
  return Math.round((value + Number.EPSILON) * 1e4) / 1e4;
}
