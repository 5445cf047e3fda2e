/** The median of several repetitions, and the least and the most. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One figure of the benchmark, beside its goal. */
export interface Figure {
  /** The row it belongs to. */
  readonly row: string;
  readonly what: string;
  readonly goal: Goal;
  /** What is held against the goal. */
  readonly value: Spread;
  readonly met: boolean;
  /** What it was made from, where that was measured. */
  readonly ours?: Spread;
  readonly bare?: Spread;
  readonly unit?: string;
  /** The value by kind of request, where it was measured. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** What comparable frameworks reach on this work. */
  readonly others: string;
}

/** What a figure must not pass. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** The spread of some values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** A figure, held against its goal. */
export function figure(
  what: string,
  given: Omit<Figure, "what" | "met" | "value"> & { readonly value: readonly number[] },
): Figure {
  const value = spread(given.value);
  const met = "atMost" in given.goal
    ? value.median <= given.goal.atMost
    : value.median >= given.goal.atLeast;
  return { ...given, what, value, met };
}

/** Both candidates in turn, as often as asked, the first of them changing. */
export async function pairs<T>(
  repetitions: number,
  measure: (candidate: "ours" | "bare", repetition: number) => Promise<T>,
): Promise<{ readonly ours: T[]; readonly bare: T[] }> {
  const found: { ours: T[]; bare: T[] } = { ours: [], bare: [] };
  for (let i = 0; i < repetitions; i++) {
    const order = i % 2 === 0 ? ["bare", "ours"] as const : ["ours", "bare"] as const;
    for (const candidate of order) found[candidate].push(await measure(candidate, i));
  }
  return found;
}

/** The ratio within each pair. */
export function ratios(ours: readonly number[], bare: readonly number[]): number[] {
  return ours.map((value, index) => value / bare[index]!);
}

/** The exponent of growth: the slope of the line through the logarithms. */
export function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: (point: readonly [number, number]) => number): number =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
}
