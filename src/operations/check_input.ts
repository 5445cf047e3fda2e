// Inputs of requests, messages and flags, checked.
import type { z } from "zod";
import { ConfigurationError } from "../core/error.ts";
import { IN_PLAIN_WORDS, type InputNames, problemsOf, shown } from "../core/plain_problems.ts";

/** The most problems of one input that are told. */
const MOST_PROBLEMS = 20;

/** An input that fits a schema. Fails with `config_invalid`, naming each field, its value and what is allowed there. */
export function checkInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  names: InputNames,
): z.infer<S> {
  const result = schema.safeParse(input, IN_PLAIN_WORDS);
  if (result.success) return result.data;
  const { issues } = result.error;
  const whole = issues.find(({ path, code }) => path.length === 0 && code !== "unrecognized_keys");
  if (whole !== undefined) {
    throw new ConfigurationError(
      `Cannot use the ${names.whole}: ${shown(input)} is no object of ${names.part}s`,
      { hint: "Send an object of JSON." },
    );
  }
  // A misspelt key is there twice: unknown, and missing under its right name.
  const [unknown = [], others = []] = [true, false].map((isUnknown) =>
    issues.filter(({ code }) => (code === "unrecognized_keys") === isUnknown)
  );
  const problems = problemsOf(schema, input, { issues: [...unknown, ...others], names });
  throw ConfigurationError.of(problems.slice(0, MOST_PROBLEMS), undefined, names.whole);
}
