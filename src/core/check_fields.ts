// Checks of what programs hand in, against schemas of zod: the errors name every field that does not fit.
import { z } from "zod";
import { ConfigurationError } from "./error.ts";
import { IN_PLAIN_WORDS, problemsOf } from "./plain_problems.ts";

/** A function, in a schema of options. */
export const callable: z.ZodType = z.custom(
  (value) => typeof value === "function",
  "Give a function.",
);

/** A schema of zod, in a schema of options. */
export const schema: z.ZodType = z.custom(
  (value) => typeof (value as { safeParse?: unknown } | undefined)?.safeParse === "function",
  "Give a schema of zod.",
);

/**
 * Returns the value as given if it fits the schema. Fails with a `ConfigurationError` that names every field that
 * does not.
 */
export function checkFields<T>(given: T, schema: z.ZodObject, whole: string): T {
  const result = schema.safeParse(given === undefined ? {} : given, IN_PLAIN_WORDS);
  if (result.success) return given;
  const { issues } = result.error;
  const problems = problemsOf(schema, given, { issues, names: { whole, part: "key" } });
  throw ConfigurationError.of(problems, undefined, whole);
}
