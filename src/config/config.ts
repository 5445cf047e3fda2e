// Checking of configurations: schemas of the kinds, folded from the table of settings, and errors in plain words.
import { z } from "zod";
import type { ConveningConfig } from "./convening_config.ts";
import { ConfigurationError, type FieldProblem } from "../core/error.ts";
import { didYouMean } from "../core/near_word.ts";
import type { Schema, SchemaShape } from "../core/schema.ts";
import { type Kind, KINDS, schemaOf } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

const SCHEMAS: Readonly<Record<Kind, z.ZodObject>> = {
  dialogue: schemaOf(SETTINGS, "dialogue"),
  debate: schemaOf(SETTINGS, "debate"),
  consensus: schemaOf(SETTINGS, "consensus"),
  "paper-debate": schemaOf(SETTINGS, "paper-debate"),
};

const [dialogue, debate, consensus, paper] = KINDS.map((kind) => SCHEMAS[kind]);
const union = z.discriminatedUnion("kind", [dialogue!, debate!, consensus!, paper!]);

/** Every kind's configuration, told apart by `kind`: keys, types and ranges. */
// The table was compared with the interfaces when it was compiled.
export const configSchema: Schema<ConveningConfig> = union as unknown as Schema<ConveningConfig>;

/** Configuration keys of kinds that are not built in, by the kind's name. */
export type OwnKinds = ReadonlyMap<string, SchemaShape>;

/** A configuration that was checked; the key is in the type alone. */
export type Checked<C> = C & { readonly "~checked": true };

/** Configurations that were checked, with the schemas of the own kind; none of them can be changed any more. */
const checkedBefore = new WeakMap<object, SchemaShape | undefined>();

/**
 * The configuration, checked; a checked configuration is given back as it is. The error names every key that is wrong, its
 * value, and what is allowed. Keys of a kind of `own` stand over those that every kind has.
 */
export function parseConfig(input: unknown, own: OwnKinds = new Map()): Checked<ConveningConfig> {
  const kind = String((input as { kind?: unknown } | undefined)?.kind);
  const shape = own.get(kind);
  if (isChecked(input, shape)) return input;
  const schema = shape && ownSchema(kind, shape);
  const result = (schema ?? union).safeParse(input);
  if (result.success) {
    checkedBefore.set(result.data, shape);
    // The schema of the kind is what the configuration's type says.
    return Object.freeze(result.data) as unknown as Checked<ConveningConfig>;
  }
  const issues = result.error.issues as readonly z.core.$ZodIssue[];
  const kinds = { schema, names: [...KINDS, ...own.keys()] };
  throw ConfigurationError.of(
    issues.map(meant).flatMap((issue) => problemsOf(input, issue, kinds)),
  );
}

/** The schema of configurations of a kind that is not built in. */
export function ownSchema(kind: string, shape: SchemaShape): z.ZodObject {
  // Every schema of a kind is one of zod.
  return schemaOf(SETTINGS, kind).extend(shape as unknown as z.ZodRawShape);
}

function isChecked(
  input: unknown,
  shape: SchemaShape | undefined,
): input is Checked<ConveningConfig> {
  if (typeof input !== "object" || input === null || !checkedBefore.has(input)) return false;
  return checkedBefore.get(input) === shape;
}

/** Of a value that can have several forms, the issue of the form that was meant: of a part, not of the whole. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const within = issue.errors.map(([first]) => first).find((first) =>
    first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys")
  );
  return within === undefined ? issue : meant({ ...within, path: [...issue.path, ...within.path] });
}

/** The schema of an own kind, and the names of all kinds. */
interface Known {
  readonly schema: z.ZodObject | undefined;
  readonly names: readonly string[];
}

function problemsOf(input: unknown, issue: z.core.$ZodIssue, known: Known): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const allowed = allowedKeys(input, path, known);
    return issue.keys.map((unknown) => {
      const field = [...path, unknown].join(".") || "configuration";
      return {
        field,
        message: `Cannot use the configuration: unknown key "${field}"`,
        hint: `${didYouMean(unknown, allowed)}Allowed here: ${allowed.join(", ")}`,
      };
    });
  }
  const field = path.join(".") || "configuration";
  const value = valueAt(input, path);
  const hint = allowed(issue, value, known);
  return value === undefined && path.length > 0
    ? [{ field, message: `Cannot use the configuration: ${field} is missing`, hint }]
    : [{ field, message: `Cannot use ${field}: ${shown(value)} is not allowed`, hint }];
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | undefined)?.[part],
    input,
  );
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : String(JSON.stringify(value)?.slice(0, 80));
}

/** The values that are allowed in the place of a value, as a hint. */
function allowed(issue: z.core.$ZodIssue, value: unknown, known: Known): string {
  switch (issue.code) {
    case "invalid_value":
      return `${suggestion(value, issue.values)}Allowed: ${issue.values.join(", ")}`;
    case "invalid_union":
      return issue.path[0] === "kind"
        ? `${suggestion(value, known.names)}Allowed kinds: ${known.names.join(", ")}`
        : issue.errors.map(([first]) => first === undefined ? "" : allowed(first, value, known))
          .join("; or ");
    case "invalid_key":
      return issue.issues[0]?.message ?? issue.message;
    case "invalid_type":
      return `Give ${TYPES[issue.expected] ?? issue.expected}.`;
    case "too_small":
      return `Give ${
        bound(issue.origin, issue.minimum, issue.inclusive === false ? "more than" : "at least")
      }.`;
    case "too_big":
      return `Give ${
        bound(issue.origin, issue.maximum, issue.inclusive === false ? "less than" : "at most")
      }.`;
    case "invalid_format":
      return FORMATS[issue.format] ?? issue.message;
    default:
      return issue.message;
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

function bound(origin: string, limit: number | bigint, words: string): string {
  if (origin === "string") {
    return limit === 1 && words === "at least"
      ? "a text that is not empty"
      : `${words} ${limit} characters`;
  }
  return origin === "array" || origin === "set" || origin === "map"
    ? `${words} ${limit} ${Number(limit) === 1 ? "entry" : "entries"}`
    : `${words} ${limit}`;
}

/** The keys allowed at a path of the input's schema. */
function allowedKeys(input: unknown, path: readonly string[], { schema }: Known): string[] {
  const kind = (input as { kind?: unknown } | undefined)?.kind;
  let at: unknown = schema ?? SCHEMAS[kind as Kind] ?? SCHEMAS.debate;
  for (const part of path) at = step(at, part);
  const inner = unwrap(at);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function step(schema: unknown, part: string): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return inner.shape[part];
  if (inner instanceof z.ZodArray) return inner.element;
  if (inner instanceof z.ZodRecord) return inner.valueType;
  return undefined;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  // Of several forms, the mapping: no other has keys.
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option) => option instanceof z.ZodObject) ?? schema;
}
