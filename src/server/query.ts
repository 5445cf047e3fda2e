import { ConfigurationError } from "../core/error.ts";

/** What a whole number in a query may be. */
export interface WholeRange {
  readonly least: number;
  readonly most: number;
  /** What it is where it is not given. */
  readonly usual: number;
}

/** A whole number of a query. Fails with `config_invalid`, naming it. */
export function wholeOf(
  value: string | undefined,
  field: string,
  { least, most, usual }: WholeRange,
): number {
  if (value === undefined || value === "") return usual;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
  if (number >= least && number <= most) return number;
  throw new ConfigurationError(
    `Cannot use ${field}: ${JSON.stringify(value.slice(0, 80))} is not allowed`,
    { field, hint: `Give a whole number from ${least} to ${most}.` },
  );
}

/** One of several words of a query; undefined where it is not given. Fails with `config_invalid`, naming it. */
export function wordOf<T extends string>(
  value: string | undefined,
  field: string,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined || value === "") return undefined;
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `Cannot use ${field}: ${JSON.stringify(value.slice(0, 80))} is not allowed`,
    { field, hint: `Allowed: ${allowed.join(", ")}.` },
  );
}
