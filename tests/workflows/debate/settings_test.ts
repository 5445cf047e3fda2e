// Settings of a debate and their defaults.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { DebateWorkflowConfig } from "../../../mod.ts";
import { withPresetSettings } from "../../../src/debate/preset.ts";
import { interruptionsOf, settingsOf as over } from "../../../src/debate/settings.ts";
import { DEBATE_FORMATS } from "../../../src/config/setting_shapes.ts";
import { FORMATS } from "../../../src/debate/formats.ts";

const MODERATED = { hasModerator: true, checksFacts: true };
const UNMODERATED = { hasModerator: false, checksFacts: true };

function settingsOf(config: DebateWorkflowConfig, present: typeof MODERATED) {
  return over(withPresetSettings(config), present);
}

describe("settingsOf()", () => {
  it("settingsOf() applies, in rising priority, the debate's defaults, the format's, the preset's and given settings", () => {
    assert.equal(settingsOf({ debateFormat: "formal" }, MODERATED).roundSummaries, true);
    assert.equal(settingsOf({ debateFormat: "casual" }, MODERATED).roundSummaries, false);
    assert.equal(settingsOf({ debateFormat: "competitive" }, MODERATED).closingOrder, "reversed");
    const asked = { debateFormat: "casual", roundSummaries: true } as const;
    assert.equal(settingsOf(asked, MODERATED).roundSummaries, true);
    assert.equal(settingsOf({ preset: "alternating" }, UNMODERATED).roundCount, 8);
    assert.equal(settingsOf({ preset: "alternating", roundCount: 2 }, UNMODERATED).roundCount, 2);
  });

  it("settingsOf() has the moderator sum up if there is one, and no one else by default", () => {
    assert.equal(settingsOf({}, MODERATED).summaryBy, "moderator");
    assert.equal(settingsOf({}, UNMODERATED).summaryBy, "none");
    assert.equal(settingsOf({ preset: "pro-con" }, MODERATED).summaryBy, "judge");
  });

  it("settingsOf() has no round summaries between single turns or before introductions by default", () => {
    assert.equal(settingsOf({ exchange: "alternating" }, MODERATED).roundSummaries, false);
    assert.equal(settingsOf({ exchange: "statements" }, MODERATED).roundSummaries, false);
    const asked = { exchange: "statements", roundSummaries: true } as const;
    assert.equal(settingsOf(asked, MODERATED).roundSummaries, true);
  });

  it("settingsOf() accepts recorded settings of the same debate", () => {
    const configs: DebateWorkflowConfig[] = [
      { preset: "pro-con" },
      { preset: "oxford", roundCount: 1 },
      { debateFormat: "competitive", words: { min: 200, max: 300 } },
    ];
    for (const config of configs) {
      const settings = settingsOf(config, MODERATED);
      assert.deepEqual(settingsOf(settings, MODERATED), settings);
    }
  });
});

describe("interruptionsOf()", () => {
  it("interruptionsOf() follows the format when asked to, as far as claims are checked", () => {
    const of = (debateFormat: "formal" | "casual" | "educational", checksFacts: boolean) =>
      interruptionsOf({ interruptions: "format", debateFormat }, { checksFacts });
    assert.deepEqual([of("formal", true), of("formal", false)], ["both", "rules"]);
    assert.deepEqual([of("educational", true), of("educational", false)], ["facts", "none"]);
    assert.equal(of("casual", true), "none");
    const told = { interruptions: "rules", debateFormat: "casual" } as const;
    assert.equal(interruptionsOf(told, { checksFacts: true }), "rules");
  });
});

describe("FORMATS", () => {
  it("FORMATS state what an active moderator interrupts for", () => {
    assert.deepEqual(
      Object.fromEntries(DEBATE_FORMATS.map((format) => [format, FORMATS[format].interruptions])),
      { formal: "both", casual: "none", educational: "facts", competitive: "facts" },
    );
  });
});
