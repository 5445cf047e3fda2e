// Makes a value that fits a JSON Schema, for structured replies of model servers.

/** Returns the value at a path of a schema (`scores.clarity`), or undefined for the usual value. */
export type SampleValue = (path: string, schema: Readonly<Record<string, unknown>>) => unknown;

type Schema = Readonly<Record<string, unknown>>;

/** Returns a value that fits a JSON Schema: the first of an enum, the middle of a range, lists of minimal length. */
export function sampleJson(schema: Schema, value: SampleValue = () => undefined): unknown {
  return sampled(schema, "", { value, root: schema });
}

interface Walk {
  readonly value: SampleValue;
  readonly root: Schema;
}

function sampled(schema: Schema, path: string, walk: Walk): unknown {
  const own = walk.value(path, schema);
  if (own !== undefined) return own;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const choice = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  if (choice !== undefined) return sampled(choice[0], path, walk);
  if (typeof schema["$ref"] === "string") {
    return sampled(resolved(schema["$ref"], walk.root), path, walk);
  }
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "object":
      return sampledObject(schema, path, walk);
    case "array":
      return Array.from(
        { length: Number(schema["minItems"] ?? 1) },
        (_, i) => sampled(schema["items"] as Schema ?? {}, `${path}.${i}`, walk),
      );
    case "number":
    case "integer":
      return middle(schema, type);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return `Text for ${path || "this"}.`;
  }
}

function sampledObject(schema: Schema, path: string, walk: Walk): unknown {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  return Object.fromEntries(
    Object.entries(properties).map((
      [name, each],
    ) => [name, sampled(each, path === "" ? name : `${path}.${name}`, walk)]),
  );
}

function middle(schema: Schema, type: "number" | "integer"): number {
  const low = Math.max(Number(schema["minimum"] ?? 0), -1000);
  const high = Math.min(Number(schema["maximum"] ?? low + 10), low + 1000);
  const value = (low + high) / 2;
  return type === "integer" ? Math.round(value) : value;
}

function resolved(ref: string, root: Schema): Schema {
  let node: unknown = root;
  for (const part of ref.replace(/^#\/?/, "").split("/")) {
    if (part !== "") node = (node as Record<string, unknown>)[part];
  }
  return node as Schema;
}
