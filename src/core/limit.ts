// Limits of a convening, and the stop of a run that would pass one.

/** Limits of a whole convening; each unset by default (`maxTurns` of a plain dialogue is its planned length, 10). */
export interface Limits {
  /** Turns, over the whole record. */
  readonly maxTurns?: number | undefined;
  /** Milliseconds, of the present run. */
  readonly maxDuration?: number | undefined;
  /** Input and output tokens of every call, over the whole record. */
  readonly maxTokens?: number | undefined;
  /** US dollars, over the whole record. */
  readonly maxCost?: number | undefined;
}

/** The name of a limit. */
export type LimitName = keyof Limits;

/** Amounts of each limit, used or requested. */
export type Amounts = Readonly<Record<LimitName, number>>;

/** Nothing used. */
export const NO_AMOUNTS: Amounts = {
  maxTurns: 0,
  maxDuration: 0,
  maxTokens: 0,
  maxCost: 0,
};

/** The limits in the order they are looked at, each with the reason it ends a run for. */
const LIMIT_REASONS = {
  maxTurns: "max_turns",
  maxDuration: "max_duration",
  maxTokens: "max_tokens",
  maxCost: "max_cost",
} as const satisfies Record<LimitName, string>;

/** The names of all limits. */
export const LIMIT_NAMES = Object.keys(LIMIT_REASONS) as readonly LimitName[];

/** The share of a limit at which a `limit-warning` is given. */
export const WARNING_SHARE = 0.8;

/** The first limit that what was used and what is asked for would pass, if any. */
export function firstPassed(
  limits: Limits,
  used: Amounts,
  asked: Amounts,
): LimitName | undefined {
  return LIMIT_NAMES.find((name) => {
    const max = limits[name];
    if (max === undefined) return false;
    return name === "maxDuration" ? used[name] >= max : used[name] + asked[name] > max;
  });
}

/** Thrown where a call would pass a limit; ends the run as a result, not as a failure. */
export class LimitStop {
  /** A stop for the named limit. */
  constructor(
    readonly limit: LimitName,
    readonly max: number,
    readonly value: number,
    /** The reason as records and results name it. */
    readonly reason: (typeof LIMIT_REASONS)[LimitName] | "study_budget" = LIMIT_REASONS[limit],
  ) {}
}
