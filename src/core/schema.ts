// The seam to schemas of values, and their shapes in words and as JSON Schema.
import { onceEach } from "./values.ts";

/** Schema of a value: checks the value and describes its shape; every schema of zod 4 is one. */
export interface Schema<T = unknown> {
  /** Checks a value and gives it as parsed; with `jitless`, no code is made for the checks of few values. */
  safeParse(value: unknown, options?: { readonly jitless: true }): Parsed<T>;
  /** The shape as JSON Schema; what that cannot say is left open. */
  toJSONSchema(options: { readonly io: "input"; readonly unrepresentable: "any" }): object;
}

/** Result of checking a value. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

/** One thing that does not fit. */
export interface SchemaIssue {
  /** The keys that lead to it. */
  readonly path: readonly PropertyKey[];
  /** Problem of the value. */
  readonly message: string;
}

/** Schemas by key; a schema that takes undefined is of a key that may be absent. */
export type SchemaShape = Readonly<Record<string, Schema>>;

/** The values that fit a {@linkcode SchemaShape}, by key. */
export type ValuesOf<S extends SchemaShape> = {
  readonly [K in keyof S]: S[K] extends Schema<infer T> ? T : never;
};

/** The parts of a JSON schema that words are made of. */
interface Node {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The keys of an object with their types, a line for each key, in the order of the schema. */
export const shapeInWords: (type: Schema) => string = onceEach((type: Schema) => {
  const { properties = {} } = jsonSchemaOf(type) as Node;
  return Object.entries(properties).map(([key, node]) => `- ${key}: ${typeInWords(node)}`)
    .join("\n");
});

/** The JSON schema of a type, for replies. */
export const jsonSchemaOf: (type: Schema) => object = onceEach((type: Schema) =>
  type.toJSONSchema({ io: "input", unrepresentable: "any" })
);

function typeInWords(node: Node): string {
  const { anyOf, oneOf = anyOf } = node;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) {
    return `one of ${node.enum.map((each) => JSON.stringify(each)).join(", ")}`;
  }
  if (oneOf !== undefined) return oneOf.map(typeInWords).join(" or ");
  switch (node.type) {
    case "string":
      return "text";
    case "boolean":
      return "true or false";
    case "number":
    case "integer":
      return (node.type === "integer" ? "whole number" : "number") +
        rangeInWords(node.minimum, node.maximum);
    case "array":
      return `list${rangeInWords(node.minItems, node.maxItems, " of")}, each ${
        typeInWords(node.items ?? {})
      }`;
    case "object":
      return objectInWords(node.properties ?? {});
    default:
      return "any value";
  }
}

/** Keys of one type are named together. */
function objectInWords(properties: Readonly<Record<string, Node>>): string {
  const keys = Object.entries(properties).map(([key, node]) => [key, typeInWords(node)] as const);
  const types = new Set(keys.map(([, type]) => type));
  if (keys.length > 1 && types.size === 1) {
    return `object with a ${[...types][0]} for each of ${keys.map(([key]) => key).join(", ")}`;
  }
  return `object with ${keys.map(([key, type]) => `${key} (${type})`).join(", ")}`;
}

function rangeInWords(least?: number, most?: number, before = ""): string {
  const [from, to] = [
    least === undefined || least < -1e9 ? undefined : least,
    most === undefined || most > 1e9 ? undefined : most,
  ];
  if (from !== undefined && to !== undefined) {
    return from === to ? `${before} ${from}` : `${before} ${from} to ${to}`;
  }
  if (to !== undefined) return `${before} at most ${to}`;
  return from === undefined || from === 0 ? "" : `${before} at least ${from}`;
}
