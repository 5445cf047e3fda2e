import { z } from "zod";
import { configSchema } from "../../../mod.ts";
import type { Kind } from "./holding.ts";

/**
 * Every key that a kind's configuration can have, as a path: `limits/maxTurns`; `#` stands for the number of a list's
 * item, `*` for a name of one's own. A list has a key of its own, beside those of its items; so has what can be given in
 * another form than that of a mapping, such as `rubric`.
 */
export function schemaKeys(kind: Kind): string[] {
  const kinds = made(configSchema);
  if (!(kinds instanceof z.ZodDiscriminatedUnion)) throw new Error("It has no kinds");
  const objects = kinds.options.filter((option) => option instanceof z.ZodObject);
  const own = objects.find(({ shape }) => z.safeParse(shape["kind"], kind).success);
  if (own === undefined) throw new Error(`There is no kind "${kind}"`);
  return [...new Set(keysIn(own, ""))];
}

/** Whether a key in numbers and names, such as `judges/0/model`, is the one of a path. */
export function isKey(path: string, key: string): boolean {
  const parts = key.split("/");
  const pattern = path.split("/");
  return parts.length === pattern.length &&
    pattern.every((part, index) =>
      part === "*" || part === parts[index] || (part === "#" && /^\d+$/.test(parts[index]!))
    );
}

/** The schema that a lazy schema stands for. */
function made(schema: unknown): unknown {
  return schema instanceof z.ZodLazy ? made(schema.unwrap()) : schema;
}

function keysIn(given: unknown, path: string): string[] {
  const schema = made(given);
  const within = (inner: unknown, name: string) =>
    keysIn(inner, path === "" ? name : `${path}/${name}`);
  if (schema instanceof z.ZodOptional) return keysIn(schema.unwrap(), path);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, inner]) => within(inner, name));
  }
  if (schema instanceof z.ZodArray) {
    return made(schema.element) instanceof z.ZodObject
      ? [path, ...within(schema.element, "#")]
      : [path];
  }
  // Any JSON is a value of such a mapping, null too.
  if (schema instanceof z.ZodRecord && takesNull(schema.valueType)) return [path];
  if (schema instanceof z.ZodRecord) return within(schema.valueType, "*");
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => keysIn(option, path));
  }
  return [path];
}

function takesNull(type: unknown): boolean {
  return z.safeParse(type as z.ZodType, null).success;
}
