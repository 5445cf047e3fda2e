import type { Usage } from "../core/message.ts";

const GROUPED = new Intl.NumberFormat("en-US");

/** A whole number with its thousands set off. */
export function number(value: number): string {
  return GROUPED.format(value);
}

/** An amount of US dollars, as precise as it is small. */
export function money(cost: Usage["costUsd"]): string {
  if (cost === "unknown") return "unknown cost";
  if (cost === 0) return "$0";
  return `$${cost.toFixed(cost >= 1 ? 2 : cost >= 0.0001 ? 4 : 8)}`;
}
