// Facts as JSON at every door, and their schemas: the fields of the fact, by the table of facts.
import { z } from "zod";
import type { Fact } from "../core/fact.ts";
import { type FactKey, keysOf, rowOf } from "../record/codec.ts";
import { zodOfShape } from "../record/fact_reader.ts";
import type { MessageBeside } from "./showing.ts";

type Json = Readonly<Record<string, unknown>>;

/** A fact's fields as events have them, and the figures of its file; null where a field of the file is absent. */
export function factJson(fact: Fact): Json {
  const { type: _type, ...fields } = fact;
  const keys = fieldKeys(keysOf(rowOf(fact), 2));
  const absent = keys.filter(({ isOptional, computed }) => isOptional && computed === undefined);
  const figures = keys.flatMap(({ field, computed }) =>
    computed === undefined || computed.to !== undefined || computed.shape === "message name"
      ? []
      : [[field, computed.of(fact, NAMING)]]
  );
  return {
    ...Object.fromEntries(absent.map(({ field }) => [field, null])),
    ...fields,
    ...Object.fromEntries(figures),
  };
}

/** The attachments of a message, by the parts of which MCP gives one each. */
interface BesideJson {
  readonly private: { readonly private: Readonly<Record<string, string>> | null };
  readonly rejected: { readonly rejected: readonly Json[] };
  readonly facts: {
    readonly factCheck: Json | null;
    readonly evidence: Json | null;
    readonly own: readonly Json[];
  };
}

/** The attachments of a message as JSON. */
export function besideJson(
  { draft, rejected, factCheck, evidence, own }: MessageBeside,
): BesideJson {
  return {
    ["private"]: { private: draft?.fields ?? null },
    rejected: { rejected: rejected.map(factJson) },
    facts: {
      factCheck: factCheck === undefined ? null : factJson(factCheck),
      evidence: evidence === undefined ? null : factJson(evidence),
      own: own.map(factJson),
    },
  };
}

const NAMING = { width: 0, layout: 2, messageName: () => undefined } as const;

function fieldKeys(keys: readonly FactKey[]): readonly FactKey[] {
  return keys.flatMap((key) => key.group === undefined ? [key] : fieldKeys(key.group));
}

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
