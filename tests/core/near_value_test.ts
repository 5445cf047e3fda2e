import assert from "node:assert/strict";
import {
  composeConvening,
  ConfigurationError,
  createAgent,
  loadPersona,
  loadRubric,
  parseConfig,
} from "../../mod.ts";

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
  Deno.test(`The error about ${what} that is misspelt says which may be meant`, async () => {
    await assert.rejects(async () => await act(), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.ok(error.hint?.includes(`Did you mean "${meant}"?`), error.hint);
      return true;
    });
  });
}
