// Schemas of facts as JSON, by the table of facts.
import { z } from "zod";
import type { Fact } from "../core/fact.ts";
import { type FactKey, keysOf } from "../record/codec.ts";
import type { FactRow } from "../record/fact_row.ts";
import { zodOfShape } from "../record/fact_reader.ts";
import { FACTS } from "../record/facts.ts";

/** The schema of a fact's JSON: its fields, null where a field of the file is absent, and some more. */
export function factOutput(type: Fact["type"], more: z.ZodRawShape = {}): z.ZodObject {
  const row = FACTS[type] as unknown as FactRow<Fact>;
  const { body, defaults = {} } = row;
  const keys = keysOf(row, 2).flatMap(withoutGroups);
  // A computed key stands for fields of other names.
  const fields = keys.filter(({ computed }) => computed === undefined).map(
    ({ field, shape, isOptional }) => {
      const schema = zodOfShape(shape, "field");
      return [field, isOptional && !(field in defaults) ? schema.nullable() : schema];
    },
  );
  return z.object({
    ...Object.fromEntries(fields),
    ...typeof body === "string" ? { [body]: z.string() } : {},
    ...more,
  });
}

function withoutGroups(key: FactKey): readonly FactKey[] {
  return key.group === undefined ? [key] : key.group.flatMap(withoutGroups);
}
