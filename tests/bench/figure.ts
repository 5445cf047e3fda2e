// Figures of the benchmark with their goals, and their table.

/** Median, minimum and maximum of repetitions. */
type Spread = Readonly<Record<"median" | "min" | "max", number>>;

/** Upper or lower bound of a figure. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** A figure with its goal. */
export interface Figure {
  readonly what: string;
  readonly goal: Goal;
  readonly value: Spread;
  readonly met: boolean;
  /** Measurements from which the value was computed. */
  readonly ours?: Spread;
  readonly bare?: Spread;
  readonly unit?: string;
  /** Value by kind of request. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Values of comparable frameworks on this work. */
  readonly others: string;
}

/** Measurements of both candidates by repetition. */
export interface Pairs<T> {
  readonly ours: readonly T[];
  readonly bare: readonly T[];
}

/** Fields of a figure besides its value and goal. */
type Shown = Partial<Pairs<number>> & Partial<Pick<Figure, "unit" | "kinds" | "others">>;

/** Returns a figure and whether its median meets the goal. */
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

/** Returns the figure of the library ÷ the baseline, repetition by repetition. */
export function ratio(what: string, goal: Goal, shown: Pairs<number> & Shown): Figure {
  return figure(what, goal, shown.ours.map((each, at) => each / shown.bare[at]!), shown);
}

/** Returns median, minimum and maximum. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)]!;
  return { median: (at(0.5) + upper) / 2, min: at(0), max: at(1) };
}

/** Measures both candidates alternately and changes the first one at each repetition. */
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

/** Maps the measurements of both candidates. */
export function each<T>({ ours, bare }: Pairs<T>, of: (cost: T) => number): Pairs<number> {
  return { ours: ours.map(of), bare: bare.map(of) };
}

/** Formats figures as a table. */
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
