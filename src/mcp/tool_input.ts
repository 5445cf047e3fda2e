import { z } from "zod";

/** The id of a convening, as `list` gives it. */
export const ID: z.ZodString = z.string().min(1).max(200).describe(
  "The convening's id, as list and run give it.",
);

/** The most tokens of one result. */
export const MAX_TOKENS: z.ZodDefault<z.ZodInt> = z.int().min(200).max(20_000).default(4000)
  .describe(
    "The most tokens in the result (o200k_base), about; a client that shows the result as a field and as text has them twice.",
  );

/** A page's size. */
export function limit(usual: number, most: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual).describe(`The most rows, 1 to ${most}.`);
}

/** From where a long text is read on. */
export const OFFSET: z.ZodDefault<z.ZodInt> = z.int().min(0).default(0).describe(
  "From which character of the text to read on: `next` of the result before.",
);

/** Whether the end of a run is waited for. */
export const WAIT: z.ZodDefault<z.ZodBoolean> = z.boolean().default(false).describe(
  "Whether to wait until it ends, pauses or waits for a person; else the result is its id, at once. If you stop waiting, it continues: the first progress line has its id, stop ends it.",
);
