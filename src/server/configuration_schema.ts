import { configSchema } from "../config/config.ts";
import type { Schema } from "../core/schema.ts";
import { REFUSED } from "../operations/remote_configuration.ts";

type Json = Readonly<Record<string, unknown>>;

const NAMES = { type: "array", items: { type: "string" }, minItems: 1, maxItems: 20 } as const;
const SOURCES = {
  type: "array",
  maxItems: 20,
  items: {
    type: "object",
    properties: { name: { type: "string" }, text: { type: "string" } },
    required: ["name", "text"],
    additionalProperties: false,
  },
} as const;

/** A configuration as a client sends it: its schema is that of files, without the keys that only the server sets. */
export const sentConfiguration: Schema = {
  safeParse: (value) => configSchema.safeParse(value),
  toJSONSchema: (options) => {
    const { oneOf, anyOf, ...rest } = plain(configSchema.toJSONSchema(options));
    const kinds = [oneOf, anyOf].find(Array.isArray) ?? [];
    return { ...rest, oneOf: kinds.map((kind) => sent(plain(kind))) };
  },
};

/** One kind, as a client sends it. */
function sent(kind: Json): Json {
  const properties = plain(kind["properties"]);
  const required = Array.isArray(kind["required"]) ? kind["required"] : [];
  const kept = Object.entries(properties).filter(([key]) => !Object.hasOwn(REFUSED, key));
  const hasPapers = "papers" in properties;
  return {
    ...kind,
    properties: {
      ...Object.fromEntries(kept),
      sources: SOURCES,
      ...hasPapers ? { paperIds: NAMES } : {},
    },
    required: required.map((key) => key === "papers" ? "paperIds" : key),
  };
}

function plain(value: unknown): Json {
  return value !== null && typeof value === "object"
    ? Object.fromEntries(Object.entries(value))
    : {};
}
