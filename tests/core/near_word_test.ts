// Misspelt words find the word that they mean.
import assert from "node:assert/strict";
import { nearWord } from "../../src/core/words.ts";
import { parseConfig } from "../../mod.ts";
import { ConfigurationError } from "../../src/core/error.ts";

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

Deno.test("parseConfig() names every key that is wrong, and the keys that may be meant", () => {
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
});
