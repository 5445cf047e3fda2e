import type { z } from "zod";
import { ConfigurationError } from "../core/error.ts";

/** How an input is called in what is told of it. */
export interface InputNames {
  /** All of it, such as `body`. */
  readonly whole: string;
  /** One key of it, such as `field`. */
  readonly part: string;
}

/** An input that fits a schema. Fails with `config_invalid`, naming the field, its value and what is allowed there. */
export function checkInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  names: InputNames,
): z.infer<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  // A misspelt key is there twice: unknown, and missing under its right name.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]!;
  if (issue.code !== "unrecognized_keys") throw refusal(input, issue, names);
  const field = [...issue.path, issue.keys[0]!].map(String).join(".").slice(0, 100);
  const known = issue.path.length === 0 ? keysOf(schema) : [];
  throw new ConfigurationError(
    `Cannot use the ${names.whole}: unknown ${names.part} "${field}"`,
    { field, hint: known.length === 0 ? "Leave it out." : `Allowed: ${known.join(", ")}.` },
  );
}

function keysOf(schema: z.ZodType): readonly string[] {
  return "shape" in schema && typeof schema.shape === "object" && schema.shape !== null
    ? Object.keys(schema.shape)
    : [];
}

function refusal(
  input: unknown,
  { path, message }: z.core.$ZodIssue,
  { whole, part }: InputNames,
): ConfigurationError {
  const field = path.map(String).join(".");
  if (field === "") {
    return new ConfigurationError(
      `Cannot use the ${whole}: ${shown(input)} is no object of ${part}s`,
      { hint: "Send an object of JSON." },
    );
  }
  const value = path.reduce(
    (at: unknown, key) => at !== null && typeof at === "object" ? Reflect.get(at, key) : undefined,
    input,
  );
  const state = value === undefined ? "it is missing" : `${shown(value)} is not allowed`;
  return new ConfigurationError(`Cannot use ${field}: ${state}`, { field, hint: message });
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}
