// Rubrics: files and built-in rubrics.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigurationError } from "../../src/core/error.ts";
import { readRubric } from "../../src/inputs/yaml_files.ts";
import { rubricNamed, RUBRICS } from "../../src/judging/rubrics.ts";
import { weightsOf } from "../../src/judging/scoring.ts";

const GOOD = `
id: plain-speech
scale: [0, 5]
criteria:
  - { id: clarity, weight: 0.75, description: Can one follow it? }
  - id: brevity
    weight: 0.25
    description: |
      Is every word needed,
      or nearly?
anchors:
  - { from: 0, means: no }
  - { from: 4, means: yes }
`;

function refusal(text: string): ConfigurationError {
  try {
    readRubric(text, "my/rubric.yaml");
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `It was accepted: ${text}` });
}

Deno.test("readRubric() returns the YAML file's data with anchors in falling order", () => {
  assert.deepEqual(readRubric(GOOD, "r.yaml"), {
    id: "plain-speech",
    scale: [0, 5],
    criteria: [
      { id: "clarity", weight: 0.75, description: "Can one follow it?" },
      { id: "brevity", weight: 0.25, description: "Is every word needed,\nor nearly?" },
    ],
    anchors: [{ from: 4, means: "yes" }, { from: 0, means: "no" }],
  });
  assert.deepEqual(readRubric(GOOD.replace(/anchors:[^]*/, ""), "r.yaml").anchors, []);
  assert.equal(readRubric(`\uFEFF${GOOD}`, "r.yaml").id, "plain-speech");
});

Deno.test("readRubric() reads a built-in rubric's data under another id", () => {
  for (const name of RUBRICS) {
    const rubric = { ...rubricNamed(name), id: "copy" };
    assert.deepEqual(readRubric(JSON.stringify(rubric), "copy.yaml"), rubric);
  }
});

const refused: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ["nothing", "", /not a mapping/],
  ["a list", "- 1", /not a mapping/],
  ["no YAML", "id: [", /not valid YAML: .* at line \d/],
  ["a key twice", `${GOOD}id: b`, /duplicated/],
  [
    "an unknown key",
    `${GOOD}title: x`,
    /unknown key "title"\ntitle: Allowed here: id, scale, criteria, anchors/,
  ],
  [
    "a misspelt key",
    GOOD.replace("weight: 0.25", "wieght: 0.25"),
    /unknown key "criteria\.1\.wieght"[^]*Did you mean "weight"/,
  ],
  ["a missing key", GOOD.replace("scale: [0, 5]", ""), /scale is missing[^]*\[0, 10\]/],
  [
    "a text for a number",
    GOOD.replace("0.25", "much"),
    /criteria\.1\.weight: "much" is not allowed[^]*Give a number/,
  ],
  ["a weight over 1", GOOD.replace("0.25", "1.5"), /criteria\.1\.weight: 1\.5 is[^]*at most 1/],
  ["an endless scale", GOOD.replace("5]", ".inf]"), /scale\.1: Infinity is not/],
  ["an id that is no name", GOOD.replace("plain-speech", "../x"), /id: "\.\.\/x" is not/],
  [
    "no criteria",
    "id: a\nscale: [0, 1]\ncriteria: []",
    /criteria: \[\] is not[^]*at least 1 item/,
  ],
  [
    "a blank description",
    GOOD.replace("Can one follow it?", '" "'),
    /description: " " is not[^]*at least 1 character/,
  ],
  ["control characters", GOOD.replace("Can one follow it?", '"a\\u0007"'), /control characters/],
  ["lists for texts", "id: &a [x, x]\nscale: [0, 1]\ncriteria: [*a, *a]", /id: \["x","x"\] is/],
  ["aliases without end", "id: a\nscale: [0, 1]\ncriteria: &a [*a, *a]", /aliases expand/],
  [
    "several wrong keys at once",
    GOOD.replace("0.75", "2").replace("[0, 5]", "5"),
    /scale: 5 is not allowed; criteria\.0\.weight: 2 is not allowed/,
  ],
  ["too much text", `${GOOD}# ${"x".repeat(100_000)}`, /at most 100000/],
];
for (const [what, text, says] of refused) {
  Deno.test(`readRubric() rejects ${what} and names the file`, () => {
    const { message, hint, field } = refusal(text);
    assert.match(`${message}\n${hint}`, says);
    assert.ok(message.includes('"my/rubric.yaml"') && message.length < 400, message);
    assert.ok(hint !== undefined && field !== undefined);
  });
}

Deno.test("readRubric() returns a rubric or throws a ConfigurationError, whatever the text", () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.string().map((x) => GOOD.replace("clarity", x)),
  );
  fc.assert(fc.property(text, (yaml) => {
    try {
      assert.equal(typeof readRubric(yaml, "r.yaml").id, "string");
    } catch (error) {
      assert.ok(error instanceof ConfigurationError, String(error));
    }
  }));
});

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
  Deno.test(`rubricNamed() weighs ${name} by the rules of scoring`, () => {
    assert.deepEqual(weightsOf(rubricNamed(name)), expected);
  });
}

Deno.test("rubricNamed() returns rubrics with different ids, a scale, and an anchor for every band", () => {
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

Deno.test("rubricNamed() rejects an unknown name and lists the known ones", () => {
  for (const name of ["", "Debate", "constructor", "mine.yaml"]) {
    assert.throws(() => rubricNamed(name), (error: unknown) => {
      assert.ok(error instanceof ConfigurationError);
      assert.ok(error.message.includes(`"${name}"`));
      assert.match(error.hint!, /debate, academic, conceptual, alternating, debate-casual/);
      return true;
    });
  }
});
