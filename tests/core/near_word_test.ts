// Suggestions for misspelt words.
import assert from "node:assert/strict";
import { nearWord } from "../../src/core/text.ts";
import {
  composeConvening,
  ConfigurationError,
  createAgent,
  loadPersona,
  loadRubric,
  parseConfig,
} from "../../mod.ts";

for (
  const [word, meant] of [
    ["roundcount", "roundCount"],
    ["roundCuont", "roundCount"],
    ["debate-format", "debateFormat"],
    ["fromal", "formal"],
    ["rounds", "roundCount"],
    ["x", undefined],
    ["temperature", undefined],
  ] as const
) {
  Deno.test(`nearWord() finds ${meant} for ${word}`, () => {
    assert.equal(nearWord(word, ["roundCount", "debateFormat", "formal"]), meant);
  });
}

Deno.test("parseConfig() names every wrong key with the likely keys", () => {
  let error: unknown;
  try {
    parseConfig({ kind: "debate", roundCuont: 3, debateFormat: "fromal", limits: { maxTurn: 1 } });
  } catch (caught) {
    error = caught;
  }
  assert.ok(error instanceof ConfigurationError);
  assert.deepEqual(error.fields?.map(({ field }) => field), [
    "topic",
    "debateFormat",
    "limits.maxTurn",
    "roundCuont",
  ]);
  assert.equal(error.field, "topic");
  assert.match(error.message, /topic is missing; debateFormat: "fromal" is not allowed; /);
  assert.match(error.hint ?? "", /Did you mean "formal"\?/);
  assert.match(error.hint ?? "", /Did you mean "maxTurns"\?/);
  assert.match(error.hint ?? "", /Did you mean "roundCount"\?/);
  assert.deepEqual(error.toJSON().fields, error.fields);
  const short = { kind: "debate", topic: "x", roundCount: "three" };
  assert.throws(
    () => parseConfig(short),
    /; the topic: it has 1 character, 10 to 200 are allowed$/,
  );
});

const TOPIC = "Should cities ban private cars?";
const compose = (settings: object) =>
  composeConvening({ kind: "debate", topic: TOPIC, ...settings });

const MISSPELT: readonly (readonly [what: string, meant: string, act: () => unknown])[] = [
  ["a key", "roundCount", () => parseConfig({ kind: "debate", topic: TOPIC, roundCuont: 1 })],
  [
    "a value",
    "simultaneous",
    () => parseConfig({ kind: "debate", topic: TOPIC, pacing: "simultanous" }),
  ],
  ["a preset", "oxford", () => parseConfig({ kind: "debate", topic: TOPIC, preset: "oxfrod" })],
  ["a kind", "consensus", () => parseConfig({ kind: "concensus", topic: TOPIC })],
  ["a rubric", "academic", () => loadRubric("acadmic")],
  ["a debate's rubric", "academic", () => compose({ model: "offline", rubric: "acadmic" })],
  ["a persona", "economist", () => loadPersona("econmist")],
  ["a participant's persona", "economist", () =>
    compose({
      model: "offline",
      participants: [{ name: "Ada", persona: "econmist" }, { name: "Ben" }],
    })],
  ["a provider", "openrouter", () => createAgent("openruoter:a/b", { env: () => undefined })],
  ["a model", "offline", () => createAgent("ofline", { env: () => undefined })],
  ["a template", "opening", () => compose({ model: "offline", prompts: { openning: "Begin." } })],
];

for (const [what, meant, act] of MISSPELT) {
  Deno.test(`The error about a misspelt ${what} suggests the likely one`, async () => {
    await assert.rejects(async () => await act(), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.ok(error.hint?.includes(`Did you mean "${meant}"?`), error.hint);
      return true;
    });
  });
}
