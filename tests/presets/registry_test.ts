// Built-in presets.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseConfig } from "../../src/config/config.ts";
import { PRESET_NAMES } from "../../src/config/setting_shapes.ts";
import { PERSONAS } from "../../src/inputs/yaml_files.ts";
import { presetNamed } from "../../src/debate/preset.ts";
import { RUBRICS } from "../../src/judging/rubrics.ts";

const TOPIC = "Should cities ban private cars from their centres?";

describe("presetNamed()", () => {
  it("presetNamed() returns valid configuration for every preset", () => {
    for (const name of PRESET_NAMES) {
      const { settings, audience } = presetNamed(name);
      const config = { kind: "debate", topic: TOPIC, preset: name, ...settings, audience };
      assert.equal(parseConfig(JSON.parse(JSON.stringify(config))).kind, "debate");
    }
  });

  it("presetNamed() protects only keys that it sets, and names existing personas and rubrics", () => {
    for (const name of PRESET_NAMES) {
      const { settings, fixed, sides = [] } = presetNamed(name);
      for (const key of fixed) assert.ok(settings[key] !== undefined, `${name}: ${key}`);
      for (const { persona } of sides) {
        assert.ok(persona === undefined || PERSONAS.includes(persona), persona);
      }
      if (typeof settings.rubric === "string") assert.ok(RUBRICS.includes(settings.rubric));
    }
  });

  it("presetNamed() alternating has the rules of its seed: 8 rounds, 200 tokens, a scientist and a philosopher", () => {
    const { settings, sides } = presetNamed("alternating");
    assert.equal(settings.roundCount, 8);
    assert.equal(settings.argumentMaxTokens, 200);
    assert.deepEqual(sides, [{ persona: "scientist" }, { persona: "philosopher" }]);
    assert.deepEqual(
      [settings.moderation, settings.openings, settings.closings, settings.summaryBy],
      ["none", false, false, "judge"],
    );
    assert.equal(settings.rubric, "alternating");
  });

  it("presetNamed() pro-con has the rules of its seed: 3 rounds, 200 to 500 words, claims checked and marked", () => {
    const { settings, sides } = presetNamed("pro-con");
    assert.equal(settings.roundCount, 3);
    assert.deepEqual(settings.words, { min: 200, max: 500 });
    assert.deepEqual(settings.factCheck, { mode: "standard" });
    assert.equal(settings.turnForm, "rcr");
    assert.deepEqual(sides, [{ id: "pro", name: "Pro" }, { id: "con", name: "Con" }]);
  });

  it("presetNamed() oxford is decided by five listeners with different personas", () => {
    const { settings, audience = [] } = presetNamed("oxford");
    assert.equal(settings.decision, "audience");
    assert.equal(new Set(audience.map(({ persona }) => persona)).size, 5);
  });

  it("presetNamed() self-play has one model", () => {
    assert.equal(presetNamed("self-play").oneModel, true);
    assert.equal(presetNamed("alternating").oneModel, undefined);
  });
});
