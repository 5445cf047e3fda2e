// JSON schemas in the form that providers take.
import { onceEach } from "../core/once_each.ts";
import type { Schema } from "../core/schema.ts";
import { jsonSchemaOf } from "../core/shape_words.ts";

/** A reply's shape as JSON Schema, and whether a provider's strict mode can hold it. */
interface WireSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Every object is closed and every property required. */
  readonly strict: boolean;
}

/** Words of JSON Schema that strict modes refuse; the reply is validated against them all the same. */
const REFUSED = new Set([
  "$schema",
  "default",
  "maxLength",
  "minLength",
  "propertyNames",
  "uniqueItems",
]);

/** The JSON Schema of a type as it goes over the wire: properties in the order they were written. */
export const wireSchema: (type: Schema) => WireSchema = onceEach((type: Schema) => {
  const state = { strict: true };
  const schema = closed(jsonSchemaOf(type), state) as Record<string, unknown>;
  return { schema, strict: state.strict };
});

/** Schema in words, for a provider that takes no schema. */
export function schemaInstruction(type: Schema): string {
  return "Answer with one JSON object and nothing else, no text around it. " +
    "It fits this JSON Schema, with its keys in this order:\n" +
    JSON.stringify(wireSchema(type).schema);
}

/** A copy with objects closed, refused words left out and all that has a default required. */
function closed(node: unknown, state: { strict: boolean }): unknown {
  if (Array.isArray(node)) return node.map((each) => closed(each, state));
  if (typeof node !== "object" || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties" || key === "$defs") {
      copy[key] = closedMap(value, state);
    } else if (key === "oneOf") copy["anyOf"] = closed(value, state);
    else if (["const", "enum", "required"].includes(key)) copy[key] = value;
    else if (!REFUSED.has(key)) copy[key] = closed(value, state);
  }
  if (copy["type"] === "object") close(copy, { node, state });
  return copy;
}

function closedMap(
  properties: unknown,
  state: { strict: boolean },
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, unknown>).map((
      [name, value],
    ) => [name, closed(value, state)]),
  );
}

function close(
  copy: Record<string, unknown>,
  { node, state }: {
    readonly node: object;
    readonly state: { strict: boolean };
  },
): void {
  const source = node as {
    properties?: Record<string, { default?: unknown }>;
    required?: string[];
  };
  if (copy["additionalProperties"] || source.properties === undefined) {
    state.strict = false;
    return;
  }
  const names = Object.keys(source.properties);
  const required = names.filter((name) =>
    source.required?.includes(name) ||
    source.properties?.[name]?.default !== undefined
  );
  copy["required"] = required;
  copy["additionalProperties"] = false;
  if (required.length < names.length) state.strict = false;
}
