// Figures of the benchmark, held against their goals, and their table.

/** The median of several repetitions, the least and the most. */
type Spread = Readonly<Record<"median" | "min" | "max", number>>;

/** A bound of a figure. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One figure of the benchmark with its goal. */
export interface Figure {
  readonly what: string;
  readonly goal: Goal;
  readonly value: Spread;
  readonly met: boolean;
  /** Measurements that the value was made from. */
  readonly ours?: Spread;
  readonly bare?: Spread;
  readonly unit?: string;
  /** The value by kind of request, or shares of its time. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Values of comparable frameworks on this work. */
  readonly others: string;
}

/** Measurements of both candidates, in pairs. */
export interface Pairs<T> {
  readonly ours: readonly T[];
  readonly bare: readonly T[];
}

/** Parts of a figure besides its value. */
type Shown = Partial<Pairs<number>> & Partial<Pick<Figure, "unit" | "kinds" | "others">>;

/** A figure, held against its goal. */
export function figure(
  what: string,
  goal: Goal,
  value: number | readonly number[],
  { ours, bare, others = "not measured", ...more }: Shown = {},
): Figure {
  const found = spread([value].flat());
  const { median } = found;
  return {
    what,
    goal,
    value: found,
    met: "atMost" in goal ? median <= goal.atMost : median >= goal.atLeast,
    ...ours && { ours: spread(ours) },
    ...bare && { bare: spread(bare) },
    ...more,
    others,
  };
}

/** The figure of ours ÷ bare, pair by pair. */
export function ratio(what: string, goal: Goal, shown: Pairs<number> & Shown): Figure {
  return figure(what, goal, shown.ours.map((each, at) => each / shown.bare[at]!), shown);
}

/** The median, the least and the most of some values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)]!;
  return { median: (at(0.5) + upper) / 2, min: at(0), max: at(1) };
}

/** Measures both candidates in turn, as often as asked, the first of them changing. */
export async function pairs<T>(
  repetitions: number,
  measure: (candidate: "ours" | "bare", repetition: number) => Promise<T>,
): Promise<Pairs<T>> {
  const found: { ours: T[]; bare: T[] } = { ours: [], bare: [] };
  for (let i = 0; i < repetitions; i++) {
    const order = i % 2 === 0 ? ["bare", "ours"] as const : ["ours", "bare"] as const;
    for (const candidate of order) found[candidate].push(await measure(candidate, i));
  }
  return found;
}

/** One number of each measurement. */
export function each<T>({ ours, bare }: Pairs<T>, of: (cost: T) => number): Pairs<number> {
  return { ours: ours.map(of), bare: bare.map(of) };
}

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ met, what, goal, value, ours, bare, unit = "", others }) => [
    met ? "yes" : "NO",
    what,
    "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
    `${number(value.median)} (${number(value.min)}–${number(value.max)})`,
    ...[ours, bare].map((each) => each === undefined ? "" : `${number(each.median)} ${unit}`),
    others,
  ]);
  const lines = [
    ["met", "figure", "goal", "median (least–most)", "ours", "bare", "others"],
    ...rows,
  ];
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  const kinds = figures.filter((each) => each.kinds !== undefined).map(({ what, kinds = {} }) => {
    const values = Object.entries(kinds).map(([kind, value]) => `${kind} ${number(value)}`);
    return `\n${what}: ${values.join(", ")}`;
  });
  return [
    ...lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd()),
    ...kinds,
  ].join("\n");
}

function number(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 3);
}
