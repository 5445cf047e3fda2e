import type { Figure, Goal, Spread } from "./figure.ts";

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((each) => [
    each.met ? "yes" : "NO",
    each.what,
    goalText(each.goal),
    spreadText(each.value),
    each.ours === undefined ? "" : withUnit(each.ours, each.unit),
    each.bare === undefined ? "" : withUnit(each.bare, each.unit),
    each.others,
  ]);
  const heads = ["met", "figure", "goal", "median (least–most)", "ours", "bare", "others"];
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...rows.map((row) => row[i]!.length))
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => cell.padEnd(widths[i]!)).join("  ").trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  const kinds = figures.flatMap((each) => each.kinds === undefined ? [] : [kindsLine(each)]);
  return [line(heads), rule, ...rows.map(line), ...kinds].join("\n");
}

/** The value of a figure by kind of request. */
function kindsLine({ what, kinds = {} }: Figure): string {
  const each = Object.entries(kinds).map(([kind, value]) => `${kind} ${number(value)}`);
  return `\n${what}, by kind: ${each.join(", ")}`;
}

function goalText(goal: Goal): string {
  return "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
}

function spreadText({ median, min, max }: Spread): string {
  return min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;
}

function withUnit(value: Spread, unit: string | undefined): string {
  return unit === undefined ? number(value.median) : `${number(value.median)} ${unit}`;
}

function number(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 3);
}
