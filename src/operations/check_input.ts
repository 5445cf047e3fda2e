import type { z } from "zod";
import { ConfigurationError, type FieldProblem } from "../core/error.ts";
import { didYouMean } from "../core/near_word.ts";

/** How an input is called in what is told of it. */
export interface InputNames {
  /** All of it, such as `body`. */
  readonly whole: string;
  /** One key of it, such as `field`. */
  readonly part: string;
}

/** The most problems of one input that are told. */
const MOST_PROBLEMS = 20;

/** An input that fits a schema. Fails with `config_invalid`, naming each field, its value and what is allowed there. */
export function checkInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  names: InputNames,
): z.infer<S> {
  const result = schema.safeParse(input);
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
  const problems = [
    ...issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? unknownKeys(schema, issue, names) : []
    ),
    ...issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? [] : [problemOf(input, issue)]
    ),
  ];
  throw ConfigurationError.of(problems.slice(0, MOST_PROBLEMS), undefined, names.whole);
}

function unknownKeys(
  schema: z.ZodType,
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  { whole, part }: InputNames,
): FieldProblem[] {
  const known = path.length === 0 ? keysOf(schema) : [];
  return keys.map((key) => {
    const field = [...path, key].map(String).join(".").slice(0, 100);
    return {
      field,
      message: `Cannot use the ${whole}: unknown ${part} "${field}"`,
      hint: known.length === 0
        ? "Leave it out."
        : `${didYouMean(key, known)}Allowed: ${known.join(", ")}.`,
    };
  });
}

function keysOf(schema: z.ZodType): readonly string[] {
  return "shape" in schema && typeof schema.shape === "object" && schema.shape !== null
    ? Object.keys(schema.shape)
    : [];
}

function problemOf(input: unknown, { path, message }: z.core.$ZodIssue): FieldProblem {
  const field = path.map(String).join(".");
  const value = path.reduce(
    (at: unknown, key) => at !== null && typeof at === "object" ? Reflect.get(at, key) : undefined,
    input,
  );
  const state = value === undefined ? "it is missing" : `${shown(value)} is not allowed`;
  return { field, message: `Cannot use ${field}: ${state}`, hint: message };
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
