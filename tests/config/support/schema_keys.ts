// Lists the possible keys of a configuration.
import { z } from "zod";
import { configSchema } from "../../../mod.ts";
import type { Kind } from "./holding.ts";

/**
 * Returns every possible key of a kind's configuration as a path, such as `limits/maxTurns`; `#` stands for an index in a
 * list, `*` for a custom name. A list has a key in addition to its items' keys; so has a value that is either a mapping or
 * something else, such as `rubric`.
 */
export function schemaKeys(kind: Kind): readonly string[] {
  return KEYS[kind] ??= [...new Set(keysOf(kind))];
}

const KEYS: Partial<Record<Kind, readonly string[]>> = {};

function keysOf(kind: Kind): string[] {
  const kinds = made(configSchema);
  if (!(kinds instanceof z.ZodDiscriminatedUnion)) throw new Error("It has no kinds");
  const objects = kinds.options.filter((option) => option instanceof z.ZodObject);
  const own = objects.find(({ shape }) => z.safeParse(shape["kind"], kind).success);
  if (own === undefined) throw new Error(`There is no kind "${kind}"`);
  return keysIn(own, "");
}

/** True if a concrete key, such as `judges/0/model`, matches a path. */
export function isKey(path: string, key: string): boolean {
  const parts = key.split("/");
  const pattern = path.split("/");
  return parts.length === pattern.length &&
    pattern.every((part, index) =>
      part === "*" || part === parts[index] || (part === "#" && /^\d+$/.test(parts[index]!))
    );
}

/** Resolves a lazy schema. */
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
  // Such a mapping accepts any JSON value, null included.
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
