// A diagnostic of a study: its shape, its numbers in words, shares with intervals.
import { mixSeed, seededRandom } from "../core/random.ts";
import { resampled, wilson } from "../core/statistics.ts";
import type { Interval, StudyRatings } from "./ratings.ts";
import type { StudyDebate } from "./study_debate.ts";

/** A measure of a study; without `missing`, it has a number of units and a sentence. */
export interface Diagnostic {
  /** Such as `side-advantage`. */
  readonly id: string;
  /** Name of the measure for readers. */
  readonly name: string;
  /** Reason that the data do not allow the measure. */
  readonly missing?: string | undefined;
  /** Number of units. */
  readonly n?: number | undefined;
  /** The units, such as `decided debates`. */
  readonly of?: string | undefined;
  /** Absent where several numbers stand in the table. */
  readonly estimate?: number | undefined;
  /** Absent where there is no single estimate, or too few units for an interval. */
  readonly interval?: Interval | undefined;
  /** The finding in words; ids and topics in it are not escaped. */
  readonly sentence?: string | undefined;
  /** Numbers behind the finding. */
  readonly table?: DiagnosticTable | undefined;
}

/** Finding of a measure; a text is the reason that the data do not allow it. */
export type Finding = string | FoundKeys & Pick<Diagnostic, "estimate" | "interval" | "table">;

type FoundKeys = { readonly [K in "n" | "of" | "sentence"]: NonNullable<Diagnostic[K]> };

/** Numbers under a finding: text, or numbers as they are shown. */
export interface DiagnosticTable {
  /** Names of the columns. */
  readonly head: readonly string[];
  /** The cells of each row. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Debates of a study as diagnostics read them. */
export interface DiagnosticInput {
  /** Every debate of the plan. */
  readonly debates: readonly StudyDebate[];
  /** The debates of two sides with a winner or a tie. */
  readonly ended: readonly StudyDebate[];
  readonly ratings: StudyRatings;
  /** Labels of people. @default none */
  readonly labels?: readonly PeopleLabel[] | undefined;
  /** Biases that judge checks of the archive found, by model. @default none */
  readonly biases?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** The winner of a debate as a person labelled it. */
export interface PeopleLabel {
  /** Key of the debate. */
  readonly debate: string;
  /** The contestant; null for a tie. */
  readonly winner: string | null;
  /** Name of the person; empty where the file names none. */
  readonly rater: string;
}

/** A share of `all` with Wilson's interval. */
export function shareOf<T>(
  all: readonly T[],
  test: (each: T) => boolean,
): { readonly n: number; readonly estimate: number; readonly interval: Interval | undefined } {
  const count = all.filter(test).length;
  return { n: all.length, estimate: count / all.length, interval: wilson(count, all.length) };
}

/** A statistic with the interval that samples of its items give, the same each time. */
export function sampled<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number | undefined,
): { readonly n: number; readonly estimate?: number; readonly interval: Interval | undefined } {
  const estimate = statistic(items);
  return {
    n: items.length,
    ...estimate === undefined ? {} : { estimate },
    interval: resampled(items, statistic, seededRandom(mixSeed(1, items.length))),
  };
}

/** A share and its interval, such as `58 % [56, 60]`. */
export function percent(
  { estimate, interval }: {
    readonly estimate: number;
    readonly interval?: Interval | undefined;
  },
): string {
  const whole = (share: number) => (share * 100).toFixed(0);
  const ends = interval === undefined ? "" : ` [${interval.map(whole).join(", ")}]`;
  return `${whole(estimate)} %${ends}`;
}

/** A number and its interval with two decimals, such as `0.49 [0.41, 0.57]`. */
export function decimal(
  { estimate, interval }: {
    readonly estimate?: number | undefined;
    readonly interval?: Interval | undefined;
  },
): string {
  if (estimate === undefined) return "not known";
  const ends = interval === undefined
    ? ""
    : ` [${interval.map((end) => end.toFixed(2)).join(", ")}]`;
  return `${estimate.toFixed(2)}${ends}`;
}

/** True if an interval leaves a value out. */
export function excludes(interval: Interval | undefined, value: number): boolean {
  return interval !== undefined && (value < interval[0] || value > interval[1]);
}

/** Groups of debates by a text, sorted by the text. */
export function debatesBy<T>(
  items: readonly T[],
  textOf: (item: T) => string,
): [text: string, items: T[]][] {
  return [...Map.groupBy(items, textOf)].sort(([a], [b]) => a < b ? -1 : 1);
}
