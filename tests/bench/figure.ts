// Figures of the benchmark, held against their goals, and their table.

/** The median of several repetitions, the least and the most. */
interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One figure of the benchmark with its goal. */
export interface Figure {
  /** Row of the figure. */
  readonly row: string;
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

/** A bound of a figure. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** Measurements of both candidates, in pairs. */
export interface Pairs<T> {
  readonly ours: readonly T[];
  readonly bare: readonly T[];
}

/** Measurements of a figure. */
interface Measured extends Pick<Figure, "row" | "goal" | "unit" | "kinds"> {
  /** @default ours ÷ bare, pair by pair; without bare, ours */
  readonly value?: readonly number[];
  readonly ours?: readonly number[];
  readonly bare?: readonly number[];
  /** @default "not measured" */
  readonly others?: string;
}

/** A figure, held against its goal. */
export function figure(what: string, { ours, bare, ...given }: Measured): Figure {
  const ratios = ours?.map((each, at) => bare === undefined ? each : each / bare[at]!);
  const value = spread(given.value ?? ratios ?? []);
  const { goal } = given;
  return {
    others: "not measured",
    ...given,
    what,
    value,
    met: "atMost" in goal ? value.median <= goal.atMost : value.median >= goal.atLeast,
    ...ours === undefined ? {} : { ours: spread(ours) },
    ...bare === undefined ? {} : { bare: spread(bare) },
  };
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
  const kinds = figures.flatMap(({ what, kinds }) =>
    kinds === undefined
      ? []
      : [`\n${what}: ${
        Object.entries(kinds).map(([kind, value]) => `${kind} ${number(value)}`).join(", ")
      }`]
  );
  return [
    ...lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd()),
    ...kinds,
  ].join("\n");
}

function number(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 3);
}
