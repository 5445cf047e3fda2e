// Checks of values against schemas of zod, with problems in plain words: of configurations, requests and options of programs.
import { z } from "zod";
import { ConfigurationError, type FieldProblem } from "./error.ts";
import { didYouMean } from "./words.ts";

/** Names of an input in error messages. */
export interface InputNames {
  /** All of it, such as `body`. */
  readonly whole: string;
  /** One key of it, such as `field`. */
  readonly part: string;
  /** Values of the key that tells the forms of the input apart. @default those of the schema */
  readonly forms?: readonly string[] | undefined;
}

/** Option of `safeParse`: each issue's message is what is allowed, unless the schema has a message of its own. */
export const IN_PLAIN_WORDS: {
  readonly error: z.core.$ZodErrorMap;
  readonly jitless: true;
} = { error: allowed, jitless: true };

/** The problems of an input for issues that were found with {@linkcode IN_PLAIN_WORDS}. */
export function problemsOf(
  schema: z.ZodType,
  input: unknown,
  { issues, names }: { readonly issues: readonly z.core.$ZodIssue[]; readonly names: InputNames },
): FieldProblem[] {
  return issues.map(meant).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? unknownKeys(schema, input, { issue, names })
      : [problemOf(input, issue, names)]
  );
}

/** Of a value that can have several forms, the issue of the form that was meant: of a part, not of the whole. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const within = issue.errors.map(([first]) => first).find((first) =>
    first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys")
  );
  return within === undefined ? issue : meant({ ...within, path: [...issue.path, ...within.path] });
}

function unknownKeys(
  schema: z.ZodType,
  input: unknown,
  { issue: { path, keys }, names: { whole, part } }: {
    readonly issue: z.core.$ZodIssueUnrecognizedKeys;
    readonly names: InputNames;
  },
): FieldProblem[] {
  const known = keysAt(schema, input, path);
  return keys.map((key, index) => {
    const field = [...path, key].map(String).join(".").slice(0, 100) || whole;
    // All keys that are allowed stand once, with the last unknown key.
    const allowedKeys = index === keys.length - 1 && known.length > 0
      ? `Allowed here: ${known.join(", ")}`
      : "";
    return {
      field,
      message: `Cannot use the ${whole}: unknown ${part} "${field}"`,
      hint: `${didYouMean(key, known)}${allowedKeys}`.trim() || "Leave it out.",
    };
  });
}

function problemOf(
  input: unknown,
  issue: z.core.$ZodIssue,
  { whole, forms }: InputNames,
): FieldProblem {
  const field = issue.path.map(String).join(".") || whole;
  const value = issue.path.reduce<unknown>(valueIn, input);
  const hint = issue.code === "invalid_union" && "discriminator" in issue
    ? formsHint(issue, value, forms)
    : issue.message;
  return value === undefined && issue.path.length > 0
    ? { field, message: `Cannot use the ${whole}: ${field} is missing`, hint }
    : { field, message: `Cannot use ${field}: ${shown(value)} is not allowed`, hint };
}

/** The forms there are of an input, by the key that tells them apart. */
function formsHint(
  { discriminator, options = [] }: { discriminator?: unknown; options?: unknown },
  value: unknown,
  forms: readonly string[] = Array.isArray(options) ? options : [],
): string {
  return `${suggestion(value, forms)}Allowed ${discriminator}s: ${forms.join(", ")}`;
}

function valueIn(value: unknown, key: PropertyKey): unknown {
  return value !== null && typeof value === "object" ? Reflect.get(value, key) : undefined;
}

/** A value in a few words. */
export function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  try {
    return (JSON.stringify(value) ?? "nothing").slice(0, 80);
  } catch {
    // An instance that holds itself.
    return "an object";
  }
}

/** The values that are allowed in the place of a value; undefined where the schema alone knows. */
function allowed(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_value":
      return `${suggestion(issue.input, issue.values)}Allowed: ${issue.values.join(", ")}`;
    case "invalid_union":
      return issue.errors.map(([first]) => first?.message ?? "").join("; or ");
    case "invalid_key":
      return issue.issues[0]?.message;
    case "invalid_type":
      return `Give ${TYPES[issue.expected] ?? issue.expected}.`;
    case "too_small":
      return `Give ${bound(issue, issue.minimum, issue.inclusive === false ? OVER : "at least")}.`;
    case "too_big":
      return `Give ${bound(issue, issue.maximum, issue.inclusive === false ? UNDER : "at most")}.`;
    case "invalid_format":
      return FORMATS[issue.format];
    default:
      return undefined;
  }
}

function suggestion(value: unknown, values: readonly unknown[]): string {
  return typeof value === "string" ? didYouMean(value, values.map(String)) : "";
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "keys and values",
  record: "keys and values",
  string: "a text",
  tuple: "a list",
};
const FORMATS: Readonly<Record<string, string>> = {
  url: "Give a URL that begins with http:// or https://.",
  date: "Give a day such as 2026-11-01.",
};
const OVER = "more than";
const UNDER = "less than";

function bound(
  { origin }: { readonly origin: string },
  limit: number | bigint,
  words: string,
): string {
  if (origin === "string") {
    return limit === 1 && words === "at least"
      ? "a text that is not empty"
      : `${words} ${limit} characters`;
  }
  return origin === "array" || origin === "set" || origin === "map"
    ? `${words} ${limit} ${Number(limit) === 1 ? "entry" : "entries"}`
    : `${words} ${limit}`;
}

/** The keys allowed at a path of an input. */
function keysAt(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): string[] {
  let [at, value]: [unknown, unknown] = [schema, input];
  for (const key of path) {
    at = schemaIn(formOf(at, value), key);
    value = valueIn(value, key);
  }
  const form = formOf(at, value);
  return form instanceof z.ZodObject ? Object.keys(form.shape) : [];
}

function schemaIn(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return undefined;
}

/** Schemas around the schema of a value. */
const WRAPPERS = [z.ZodOptional, z.ZodDefault, z.ZodLazy] as const;

/** The schema of a value's form: of several forms that which the value names, else the mapping, since no other has keys. */
function formOf(schema: unknown, value: unknown): unknown {
  if (WRAPPERS.some((wrapper) => schema instanceof wrapper)) {
    return formOf((schema as z.ZodLazy).unwrap(), value);
  }
  if (!(schema instanceof z.ZodUnion)) return schema;
  const forms = schema.options.filter((form) => form instanceof z.ZodObject);
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return forms[0] ?? schema;
  const { discriminator } = schema.def;
  const named = valueIn(value, discriminator);
  return forms.find((form) => z.safeParse(form.shape[discriminator]!, named).success) ?? schema;
}

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
