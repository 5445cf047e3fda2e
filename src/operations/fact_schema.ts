// Schemas of facts as JSON, by the table of facts.
import { z } from "zod";
import type { Fact } from "../core/fact.ts";
import { keysOf, rowOf } from "../record/codec.ts";
import { zodOfShape } from "../record/fact_reader.ts";

/** The schema of a fact's JSON: its fields, null where a field of the file is absent, and some more. */
export function factOutput(type: Fact["type"], more: z.ZodRawShape = {}): z.ZodObject {
  const row = rowOf({ type });
  const fields = keysOf(row, 2).flatMap((key) => key.group ?? [key])
    // A computed key follows from other fields.
    .filter(({ computed }) => computed === undefined)
    .map(({ field, shape, isOptional }): [string, z.ZodType] => {
      const schema = zodOfShape(shape, "field");
      const isAlwaysThere = !isOptional || field in (row.defaults ?? {});
      return [field, isAlwaysThere ? schema : schema.nullable()];
    });
  return z.object({
    ...Object.fromEntries(fields),
    ...typeof row.body === "string" ? { [row.body]: z.string() } : {},
    ...more,
  });
}
