import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { DEBATE_FORMATS } from "../../../src/config/setting_shapes.ts";
import { weightsOf } from "../../../src/judging/scoring.ts";
import {
  debateRubric,
  describeFormat,
  describeRubric,
  FORMATS,
} from "../../../src/debate/formats.ts";

describe("FORMATS", () => {
  it("FORMATS differ in rules, tone, strictness, moderation and rubric", () => {
    for (const key of ["rules", "tone", "strictness", "moderation", "rubric"] as const) {
      assert.equal(new Set(DEBATE_FORMATS.map((format) => FORMATS[format][key])).size, 4, key);
    }
    const weights = DEBATE_FORMATS.map((format) => weightsOf(debateRubric(format)));
    assert.equal(new Set(weights.map((each) => JSON.stringify(each))).size, 4);
    assert.equal(new Set(weights.map((each) => Object.keys(each).join())).size, 1);
  });

  it("FORMATS say what a moderator with powers interrupts for", () => {
    assert.deepEqual(
      Object.fromEntries(DEBATE_FORMATS.map((format) => [format, FORMATS[format].interruptions])),
      { formal: "both", casual: "none", educational: "facts", competitive: "facts" },
    );
  });

  it("describeFormat() tells everything a format says in words", () => {
    for (const format of DEBATE_FORMATS) {
      const { rules, tone, strictness, moderation } = FORMATS[format];
      for (const each of [rules, tone, strictness, moderation]) {
        assert.ok(describeFormat(format).includes(each));
      }
    }
  });
});

describe("describeRubric()", () => {
  it("describeRubric() tells scale, criteria in the given order, and bands", () => {
    const text = describeRubric({
      id: "two",
      scale: [0, 1],
      criteria: [
        { id: "clarity", weight: 0.75, description: "Is it\nclear?" },
        { id: "wit", weight: 0.25, description: "Is it witty?" },
      ],
      anchors: [{ from: 0.5, means: "yes" }, { from: 0, means: "no" }],
    }, ["wit", "clarity"]);
    assert.equal(
      text,
      "Speeches are scored from 0 to 1, in steps of 0.05. Most competent speeches lie between 0.5 and 0.7; the whole " +
        "range is used. The criteria:\n- wit (weight 0.25): Is it witty?\n- clarity (weight 0.75): Is it clear?\nBands: 0.5+ yes; 0+ no.",
    );
  });

  it("describeRubric() leaves out bands where there are none", () => {
    const rubric = { ...debateRubric("formal"), anchors: [] };
    assert.doesNotMatch(describeRubric(rubric, ["persuasiveness"]), /Bands/);
  });
});
