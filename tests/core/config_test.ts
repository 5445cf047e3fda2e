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

Deno.test("parseConfig() accepts the architecture's sample configuration", () => {
  const config = {
    ...DEBATE,
    model: "gpt-4o-mini",
    baseUrl: "http://127.0.0.1:8080/v1",
    participants: [
      {
        id: "advocate-a",
        name: "Ada",
        role: "position_advocate",
        position: "Yes",
        systemPrompt: "Be brief.",
      },
      { id: "advocate-b", name: "Ben", position: "No" },
    ],
    judges: [{ model: "gpt-4o", rubric: "debate" }],
    debateFormat: "formal",
    roundCount: 3,
    limits: { maxTokens: 200000, maxCost: 0.5, maxDuration: 600000 },
    seed: 1,
    out: "convenings",
  };
  assert.deepEqual(parseConfig(config), config);
});

const unknown: [string, object, string, RegExp][] = [
  ["at the top", { rounds: 2 }, "rounds", /roundCount/],
  ["in limits", { limits: { maxToken: 1 } }, "limits.maxToken", /maxTokens/],
  [
    "in a participant",
    { participants: [{ name: "A" }, { name: "B", posture: "x" }] },
    "participants.1.posture",
    /position/,
  ],
  [
    "in a price",
    { prices: { date: "2026-11-01", models: { m: { input: 1, output: 1, cached: 1 } } } },
    "prices.models.m.cached",
    /cachedInput/,
  ],
  ["of another kind", { maxTurns: 3 }, "maxTurns", /roundCount/],
];
for (const [where, more, field, hint] of unknown) {
  Deno.test(`parseConfig() rejects an unknown key ${where} with the allowed keys`, () => {
    const error = refusal({ ...DEBATE, ...more });
    assert.equal(error.field, field);
    assert.ok(error.message.includes(`"${field}"`), error.message);
    assert.match(error.hint!, hint);
  });
}

const wrong: [object, string, RegExp, RegExp][] = [
  [{ roundCount: "3" }, "roundCount", /"3"/, /number/],
  [{ roundCount: -1 }, "roundCount", /-1/, /0/],
  [{ roundCount: 1.5 }, "roundCount", /1\.5/, /whole number/],
  [
    { debateFormat: "oxford" },
    "debateFormat",
    /"oxford"/,
    /formal.*casual.*educational.*competitive/,
  ],
  [{ pacing: "fast" }, "pacing", /"fast"/, /sequential.*simultaneous/],
  [{ temperature: 3 }, "temperature", /3/, /2/],
  [{ baseUrl: "ftp://x" }, "baseUrl", /ftp/, /.+/],
  [{ limits: { maxTokens: 0 } }, "limits.maxTokens", /0/, /1/],
  [{ positions: ["one"] }, "positions", /one/, /2/],
  [{ words: { min: 500, max: 400 } }, "words", /500/, /min may not be over max/],
  [{ words: { min: 199, max: 400 } }, "words.min", /199/, /at least 200/],
  [
    { participants: [{ name: "A", id: "../x" }, { name: "B" }] },
    "participants.0.id",
    /\.\.\/x/,
    /letters/,
  ],
  [{ topic: 7 }, "topic", /7/, /a text/],
  [{ seed: -1 }, "seed", /-1/, /0/],
  [{ transcript: ["pdf"] }, "transcript.0", /pdf/, /md.*json.*txt.*html/],
];
for (const [more, field, value, allowed] of wrong) {
  Deno.test(`parseConfig() rejects ${JSON.stringify(more)}: key, value, what is allowed`, () => {
    const error = refusal({ ...DEBATE, ...more });
    assert.equal(error.field, field);
    assert.ok(error.message.includes(field), error.message);
    assert.match(error.message, value);
    assert.match(error.hint!, allowed);
    assert.equal(error.code, "config_invalid");
  });
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

Deno.test("parseConfig() rejects a megabyte in the place of any string", () => {
  const long = "x".repeat(1_000_000);
  const ada = { name: "Ada", position: "Yes." };
  const given: [string, unknown][] = [
    ["topic", { ...DEBATE, topic: long }],
    ["language", { ...DEBATE, language: long }],
    ["model", { ...DEBATE, model: long }],
    ["participants.0.name", { ...DEBATE, participants: [{ name: long }, ada] }],
    ["participants.0.position", { ...DEBATE, participants: [{ ...ada, position: long }, ada] }],
    ["participants.0.persona", { ...DEBATE, participants: [{ ...ada, persona: long }, ada] }],
    ["participants.0.systemPrompt", {
      ...DEBATE,
      participants: [{ ...ada, systemPrompt: long }, ada],
    }],
    ["prompts.opening", { ...DEBATE, prompts: { opening: long } }],
    ["positions", { ...DEBATE, positions: Array(50_000).fill("A position.") }],
    ["refusedTerms.0", { ...DEBATE, refusedTerms: [long] }],
  ];
  for (const [key, config] of given) assert.equal(refusal(config).field, key);
});
