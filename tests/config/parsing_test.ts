// Parsing of configurations.
import assert from "node:assert/strict";
import { z } from "zod";
import { configSchema, ConfigurationError, parseConfig } from "../../mod.ts";

const DEBATE = { kind: "debate", topic: "Should cities ban private cars?" } as const;

function refusal(config: unknown): ConfigurationError {
  try {
    parseConfig(config);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "It was accepted" });
}

Deno.test("parseConfig() rejects an unknown kind and a missing configuration", () => {
  assert.match(refusal({ ...DEBATE, kind: "duel" }).hint!, /dialogue, debate/);
  assert.equal(refusal({ ...DEBATE, kind: "duel" }).field, "kind");
  for (const none of [undefined, null, "debate", [], {}]) refusal(none);
});

Deno.test("parseConfig() shortens long values in errors", () => {
  assert.ok(refusal({ ...DEBATE, roundCount: "x".repeat(10_000) }).message.length < 300);
});

/** Fields of a JSON schema that are read here. */
interface Part {
  readonly type?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly [key: string]: unknown;
}

/** Returns the paths of strings and arrays without a maximal length. */
function endless(part: Part, path: string): string[] {
  const { type, maxLength, maxItems, pattern, format } = part;
  const isEndless = type === "string"
    ? maxLength === undefined && format !== "date" && !("enum" in part || "const" in part) &&
      !/^\^[^*+]*\{0,\d+\}\$$/.test(pattern ?? "*")
    : type === "array" && maxItems === undefined && !("prefixItems" in part);
  const inner = Object.entries(part).flatMap(([key, each]) =>
    typeof each === "object" && each !== null && key !== "propertyNames"
      ? endless(each as Part, `${path}/${key}`)
      : []
  );
  return isEndless ? [path, ...inner] : inner;
}

Deno.test("configSchema has a maximal length for every string and array", () => {
  const schema = z.toJSONSchema(configSchema as z.ZodType, { io: "input", unrepresentable: "any" });
  assert.deepEqual(endless(schema as Part, ""), []);
});
