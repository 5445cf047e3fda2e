import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/core/error.ts";
import { weightedTotal, weightsOf } from "../../src/judging/scoring.ts";
import { rubricNamed, RUBRICS } from "../../src/judging/rubrics.ts";

describe("rubricNamed()", () => {
  const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    debate: {
      logical_coherence: 0.25,
      evidence_quality: 0.25,
      responsiveness: 0.2,
      persuasiveness: 0.15,
      rule_adherence: 0.15,
    },
    academic: { correctness: 0.35, evidence: 0.25, coverage: 0.15, clarity: 0.15, novelty: 0.1 },
    conceptual: {
      value: 0.3,
      cohesiveness: 0.25,
      relevance: 0.2,
      clarity: 0.15,
      engagement: 0.1,
    },
    alternating: { argument_quality: 0.4, coherence: 0.3, relevance: 0.3 },
  };
  for (const [name, expected] of Object.entries(weights)) {
    it(`rubricNamed() weighs ${name} as the rules of scoring say`, () => {
      assert.deepEqual(weightsOf(rubricNamed(name)), expected);
    });
  }

  it("rubricNamed() gives each its own id, a scale, and an anchor for every band down to the least", () => {
    for (const name of RUBRICS) {
      const { id, scale, criteria, anchors } = rubricNamed(name);
      assert.equal(id, name);
      assert.deepEqual(scale, /^(?:academic|conceptual)$/.test(name) ? [0, 1] : [0, 10]);
      assert.ok(criteria.every(({ description }) => description.length > 20));
      assert.deepEqual(
        anchors.map(({ from }) => from * 10 / scale[1]),
        [9, 7, 5, 3, 0],
      );
    }
  });

  it("rubricNamed() conceptual: .9 .85 .95 .88 .80 come to 0.8845", () => {
    const { criteria } = rubricNamed("conceptual");
    const numbers = [0.9, 0.85, 0.95, 0.88, 0.8];
    const scores = Object.fromEntries(criteria.map(({ id }, index) => [id, numbers[index]!]));
    assert.equal(weightedTotal(scores, weightsOf(rubricNamed("conceptual"))), 0.8845);
  });

  it("rubricNamed() refuses any other name, and lists its own", () => {
    for (const name of ["", "Debate", "constructor", "mine.yaml"]) {
      assert.throws(() => rubricNamed(name), (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.ok(error.message.includes(`"${name}"`));
        assert.match(error.hint!, /debate, academic, conceptual, alternating, debate-casual/);
        return true;
      });
    }
  });
});
