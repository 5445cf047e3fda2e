// Validation of configurations, requests and options with zod; problems are phrased in plain words.
import { z } from "zod";
import { ConfigurationError, type FieldProblem, MOST_PROBLEMS } from "./error.ts";
import { isObject, jsonIn, type SchemaIssue } from "./values.ts";
import { counted, didYouMean } from "./text.ts";

/** Names of an input in error messages. */
export interface InputNames {
  /** Name of the whole input, such as `body`. */
  readonly whole: string;
  /** Name of one key, such as `field`. */
  readonly part: string;
  /** Allowed values of the discriminator, if not all of the schema's. @default those of the schema */
  readonly forms?: readonly string[] | undefined;
  /** Names of the schema's keys in hints, by key; undefined for a key that is left out. @default the keys */
  readonly spelled?: ReadonlyMap<string, string | undefined> | undefined;
  /** Returns where a key that a part does not have belongs, as a sentence with a space; empty if nowhere. @default nowhere */
  readonly elsewhere?: (key: string) => string;
}

/** Options of `safeParse`: the message of an issue states the allowed values, unless the schema has its own message. */
export const IN_PLAIN_WORDS: {
  readonly error: z.core.$ZodErrorMap;
  readonly jitless: true;
} = { error: remedyFor, jitless: true };

/** Converts issues found with {@linkcode IN_PLAIN_WORDS} to problems. */
export function problemsOf(
  input: unknown,
  { issues, names }: { readonly issues: readonly z.core.$ZodIssue[]; readonly names: InputNames },
): FieldProblem[] {
  const byPath = Map.groupBy(
    issues.map(mostSpecific),
    ({ path, code }) => code === "unrecognized_keys" ? code + path : `${path}`,
  );
  // The schema package also checks the length of a value of a wrong type. Of two bounds, the last is the schema's own.
  return [...byPath.values()]
    .map((all) => all.find(({ code }) => code === "invalid_type") ?? all.at(-1)!)
    .flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? unknownKeys(input, issue, names)
        : [problemOf(input, issue, names)]
    );
}

/**
 * Joins the remedies of issues found with {@linkcode IN_PLAIN_WORDS}, such as `winner: Allowed: a, b; confidence: Give at most 1`.
 * Suggests no value, since the choice is the model's.
 */
export function remediesOf(issues: readonly SchemaIssue[], whole: string): string {
  const names = { whole, part: "key" };
  return problemsOf(undefined, { issues: issues as readonly z.core.$ZodIssue[], names })
    .map(({ field, hint = "" }) => `${field}: ${hint.replace(/^Did you mean "[^"]*"\? |\.$/g, "")}`)
    .join("; ");
}

/** Replaces an issue of a union by the issue of the alternative whose key is wrong, if there is one. */
function mostSpecific(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const within = issue.errors.map(([first]) => first).find((first) =>
    first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys")
  );
  return within === undefined
    ? issue
    : mostSpecific({ ...within, path: [...issue.path, ...within.path] });
}

/** Schemas of objects with unknown keys, by the list of the keys in the issue. */
const schemas = new WeakMap<readonly string[], unknown>();

function unknownKeys(
  input: unknown,
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  { whole, part, spelled, elsewhere = () => "" }: InputNames,
): FieldProblem[] {
  const schema = schemas.get(keys);
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const known = Object.keys(shape).flatMap((key) =>
    spelled?.has(key) ? spelled.get(key) ?? [] : key
  );
  const parent = path.reduce<unknown>(valueIn, input);
  // An object of any keys, such as a configuration: its keys were given beside it.
  const open = known.find((key) =>
    shape[key] instanceof z.ZodObject && shape[key].def.catchall instanceof z.ZodUnknown
  );
  const placeOf = (key: string) => {
    const part = known.find((name) => !spelled?.has(key) && hasKey(shape[name], key));
    // A single unknown object may be the missing one, by another name.
    const isOpen = open !== undefined &&
      (valueIn(parent, open) !== undefined || keys.length > 1 || !isObject(valueIn(parent, key)));
    return part ?? (isOpen ? open : undefined);
  };
  return keys.slice(0, MOST_PROBLEMS).map((key, index, { length }) => {
    const field = [...path, key].map(String).join(".").slice(0, 100) || whole;
    // The allowed keys are listed once, with the last unknown key.
    const allowedKeys = index === length - 1 && known.length > 0
      ? `Allowed here: ${known.join(", ")}`
      : "";
    const place = placeOf(key);
    const near = (path.length > 0 && elsewhere(key)) || didYouMean(key, known) ||
      (place === undefined ? "" : `Give it in ${place}. `);
    return {
      field,
      message: `Cannot use the ${whole}: unknown ${part} "${field}"`,
      hint: `${near}${allowedKeys}`.trim() || "Leave it out.",
    };
  });
}

function hasKey(schema: unknown, key: string): boolean {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return bare instanceof z.ZodObject && Object.hasOwn(bare.shape, key);
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
  const isLength = Array.isArray(value) && value.length > 0 &&
    (issue.code === "too_small" || issue.code === "too_big");
  const shown = isLength ? `a list of ${counted(value.length, "item")}` : valueText(value);
  return value === undefined && issue.path.length > 0
    ? { field, message: `Cannot use the ${whole}: ${field} is missing`, hint }
    : { field, message: `Cannot use ${field}: ${shown} is not allowed`, hint };
}

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

/** Formats a value in at most 80 characters. */
export function valueText(value: unknown): string {
  if (typeof value === "function") return "a function";
  // In JSON an infinite number is null.
  if (typeof value === "number") return String(value);
  try {
    const text = JSON.stringify(value) ?? "nothing";
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  } catch {
    // An object with a reference to itself.
    return "an object";
  }
}

/** Returns the message of an issue: the allowed values or a remedy; undefined to use the schema's message. */
function remedyFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_value":
      return `${suggestion(issue.input, issue.values)}Allowed: ${issue.values.join(", ")}`;
    case "invalid_union":
      return eitherOf(issue.errors.map(([first]) => first?.message ?? ""));
    case "invalid_key":
      return issue.issues[0]?.message;
    case "invalid_type":
      // The schema package accepts no infinite number.
      return issue.expected === "number" && typeof issue.input === "number"
        ? "Give a finite number."
        : `Give ${TYPES[issue.expected] ?? issue.expected}${keysIn(issue.inst)}.`;
    case "too_small":
      return `Give ${
        bound(issue, issue.minimum, issue.inclusive === false ? "more than" : "at least")
      }.`;
    case "too_big":
      return `Give ${
        bound(issue, issue.maximum, issue.inclusive === false ? "less than" : "at most")
      }.`;
    case "invalid_format":
      return FORMATS[issue.format];
    case "unrecognized_keys":
      schemas.set(issue.keys, issue.inst);
      return undefined;
    default:
      return undefined;
  }
}

/** Joins the messages of the alternatives of a union, such as `Give a number.` and `Allowed: ask`, to one sentence. */
function eitherOf(messages: readonly string[]): string {
  const parts = messages.map((each) =>
    /^(Did you mean "[^"]*"\? )?(?:Give |Allowed: )?(.*?)\.?$/s.exec(each) ?? []
  );
  const meant = parts.map(([, near = ""]) => near).join("");
  return `${meant}Give ${parts.map(([, , wanted = ""]) => wanted).join(", or ")}.`;
}

/** Lists the keys of a schema of an object, such as `: mode, maxClaims`; empty for another schema. */
function keysIn(schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return known.length === 0 ? "" : `: ${known.join(", ")}`;
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
function bound({ origin }: { readonly origin: string }, limit: number | bigint, words: string) {
  const unit = origin === "string" ? "character" : /array|set|map/.test(origin) ? "item" : "";
  return `${words} ${unit === "" ? limit : counted(Number(limit), unit)}`;
}

export const callable: z.ZodType = z.custom(
  (value) => typeof value === "function",
  "Give a function.",
);

/** Returns the schema of an object with a function of a name, for options. */
export function having(method: string, text?: string): z.ZodType {
  return z.custom(
    (value) =>
      typeof Object(value)[method] === "function" &&
      (text === undefined || typeof Object(value)[text] === "string"),
    `Give an object with a function ${method}${text === undefined ? "" : ` and a text ${text}`}.`,
  );
}

export const agentShape: z.ZodType = having("reply", "model");

/** Throws a `ConfigurationError` for an agent of a wrong form; `whole` names the arguments with the agent. */
export function checkAgent(agent: unknown, whole: string): void {
  checkFields({ agent }, z.object({ agent: agentShape }), whole);
}

/** Pattern of an id that names a file: of a participant, a judge or a paper. */
export const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Schema of the id of a participant or judge. */
export const idShape: z.ZodString = z.string().regex(
  ID,
  "an id has letters, digits, '_', '.' and '-', at most 64",
);

export const roleShape: z.ZodString = z.string().regex(
  /^[a-z][a-z0-9_]{0,31}$/,
  "a role is in snake_case, such as position_advocate",
);

export const schema: z.ZodType = z.custom(
  (value) => typeof (value as { safeParse?: unknown } | undefined)?.safeParse === "function",
  "Give a schema of zod.",
);

/** Checks an input by a schema. Throws `config_invalid` with each wrong field, its value and the allowed values. */
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
      `Cannot use the ${names.whole}: ${valueText(input)} is not an object of ${names.part}s`,
      { field: names.whole, hint: "Send an object of JSON." },
    );
  }
  // A misspelt key causes two issues, an unknown key and a missing key: the unknown key is listed first.
  const [unknown = [], others = []] = [true, false].map((isUnknown) =>
    issues.filter(({ code }) => (code === "unrecognized_keys") === isUnknown)
  );
  const problems = problemsOf(input, { issues: [...unknown, ...others], names });
  throw ConfigurationError.of(problems.slice(0, MOST_PROBLEMS), undefined, names.whole);
}

/** Returns the value unchanged if it fits the schema; otherwise throws a `ConfigurationError` that lists every invalid field. */
export function checkFields<T>(given: T, schema: z.ZodObject, whole: string): T {
  const result = schema.safeParse(given === undefined ? {} : given, IN_PLAIN_WORDS);
  if (result.success) return given;
  const { issues } = result.error;
  const problems = problemsOf(given, { issues, names: { whole, part: "key" } });
  throw ConfigurationError.of(problems, undefined, whole);
}

/** Throws a `ConfigurationError` for an option whose key is not in `known`, which has every option of the type. */
export function refuseUnknownOptions<T extends object>(
  name: string,
  options: T,
  known: { readonly [K in keyof T]-?: boolean },
): void {
  const keys = Object.keys(known).map((key) => [key, z.unknown()]);
  checkFields(options, z.strictObject(Object.fromEntries(keys)).partial(), `options of ${name}`);
}

const text = z.string();
const list = z.array(z.unknown());
const keys = z.looseObject({});
/** Schemas of the arguments that published functions share, by name. */
const ARGUMENTS = {
  dir: text,
  out: text,
  source: text,
  path: text,
  idOrPath: text,
  topic: text,
  question: text,
  text,
  paths: z.array(text),
  lines: list,
  papers: list,
  data: z.array(z.array(z.number().optional())),
  metric: z.enum(["nominal", "ordinal", "interval", "ratio"]),
  criteria: keys,
  weights: keys,
  config: keys,
  options: keys,
  seq: z.int(),
  within: z.number(),
  at: z.number(),
  participants: z.array(z.looseObject({ id: text, name: text, role: text })),
} as const;

/** Throws a `ConfigurationError` for arguments that an untyped call of a published function left out or gave in a wrong form. */
export function checkArguments(
  name: string,
  given: Readonly<Partial<Record<keyof typeof ARGUMENTS, unknown>>>,
): void {
  const known = Object.entries(ARGUMENTS).filter(([key]) => Object.hasOwn(given, key));
  checkFields(given, z.object(Object.fromEntries(known)), `arguments of ${name}`);
}

/**
 * Parses texts of JSON where the schema wants another type: the parameters of a URL are texts, and some models send numbers
 * and objects as text. A number with an exponent stays a text. Removes keys whose value may not be null: some clients of MCP
 * send null for what they leave out.
 */
export function withValues(schema: z.ZodType, given: unknown): unknown {
  const { error } = schema.safeParse(given);
  if (error === undefined) return given;
  const values = structuredClone(given);
  for (const { code, path } of error.issues) {
    const [key, ...above] = path.toReversed();
    if (key === undefined) continue;
    const parent = above.reduceRight<unknown>((at, step) => Object(at)[step], values);
    const value = Object(parent)[key];
    if (value === null && isObject(parent)) Reflect.deleteProperty(parent, key);
    if (code !== "invalid_type" || typeof value !== "string" || /^-?[\d.]+e/i.test(value)) continue;
    Object(parent)[key] = jsonIn(value.replace(/^0+(?=\d)/, "")) ?? value;
  }
  return values;
}
