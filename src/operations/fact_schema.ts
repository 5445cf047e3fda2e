// Schemas of facts as JSON, by the table of facts.
import { z } from "zod";
import type { Fact } from "../core/fact.ts";
import { type FactKey, keysOf } from "../record/codec.ts";
import type { FactRow } from "../record/fact_row.ts";
import { zodOfShape } from "../record/fact_reader.ts";
import { FACTS } from "../record/facts.ts";

/** The JSON of a fact of a type: its fields, null where a field of the file is absent, and some more. */
export function factOutput(type: Fact["type"], more: z.ZodRawShape = {}): z.ZodObject {
  const row = FACTS[type] as unknown as FactRow<Fact>;
  const fields = keysOf(row, 2).flatMap(withoutGroups).flatMap(fieldOf);
  return z.object({
    ...Object.fromEntries(fields),
    ...typeof row.body === "string" ? { [row.body]: z.string() } : {},
    ...more,
  });
}

function withoutGroups(key: FactKey): readonly FactKey[] {
  return key.group === undefined ? [key] : key.group.flatMap(withoutGroups);
}

function fieldOf({ field, shape, isOptional, computed }: FactKey): readonly [string, z.ZodType][] {
  // A computed key stands for the field of its own name, or for none.
  if (computed !== undefined && field !== "marks") return [];
  const schema = zodOfShape(shape, "field");
  return [[field, isOptional && computed === undefined ? schema.nullable() : schema]];
}
