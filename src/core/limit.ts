// Limits of a convening, and the exception that stops a run at a limit.

/** Limits of a convening, each unset by default; only a plain dialogue has a `maxTurns`, its planned length of 10. */
export interface Limits {
  /** Maximum number of turns of the whole record. */
  readonly maxTurns?: number | undefined;
  /** Maximum duration of the present run, in milliseconds. */
  readonly maxDuration?: number | undefined;
  /** Maximum sum of input and output tokens of the whole record. */
  readonly maxTokens?: number | undefined;
  /** Maximum cost of the whole record, in US dollars. */
  readonly maxCost?: number | undefined;
}

/** Name of a limit. */
export type LimitName = keyof Limits;

/** Amount by limit, used or requested. */
export type Amounts = Readonly<Record<LimitName, number>>;

/** End reason by limit, in the order of checking. */
const LIMIT_REASONS = {
  maxTurns: "max_turns",
  maxDuration: "max_duration",
  maxTokens: "max_tokens",
  maxCost: "max_cost",
} as const satisfies Record<LimitName, string>;

/** Names of all limits, in the order of checking. */
export const LIMIT_NAMES = Object.keys(LIMIT_REASONS) as readonly LimitName[];

/** Share of a limit at which a `limit-warning` event is sent. */
export const WARNING_SHARE = 0.8;

/** Thrown if a call would exceed a limit; the run then ends with a result, not with a failure. */
export class LimitStop extends Error {
  /** Makes a stop at a limit. */
  constructor(
    readonly limit: LimitName,
    /** Value of the limit. */
    readonly max: number,
    /** Amount that was used, or would have been. */
    readonly value: number,
    /** End reason for records and results. */
    readonly reason: "max_turns" | "max_duration" | "max_tokens" | "max_cost" | "study_budget" =
      LIMIT_REASONS[limit],
  ) {
    super(`the limit ${limit} is reached`);
  }
}
