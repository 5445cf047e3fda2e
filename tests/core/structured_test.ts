// Parsing of structured replies.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { readStructured } from "../../src/core/schema.ts";

const TYPE = z.object({ reasons: z.string(), n: z.number() });
const VALUE = { reasons: 'Says "{yes}" and ```no```', n: 7 };
const JSON_TEXT = JSON.stringify(VALUE);

const readable: [string, string][] = [
  ["bare JSON", JSON_TEXT],
  ["bare JSON with white space", `\n  ${JSON.stringify(VALUE, null, 2)}\n`],
  ["a fenced block", `Here:\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nDone.`],
  ["a fenced block without a language", `\`\`\`\n${JSON_TEXT}\n\`\`\``],
  ["JSON inside prose", `I think ${JSON_TEXT} is right.`],
  ["JSON after braces that are no JSON", `By {rule} one it is ${JSON_TEXT}.`],
  ["a comma after the last entry", JSON_TEXT.replace(/\}$/, ",\n}")],
  ["the object that fits, of several", `Not {"n": 1} but ${JSON_TEXT}`],
];
for (const [name, text] of readable) {
  Deno.test(`readStructured() reads ${name}`, () => {
    assert.deepEqual(readStructured(text, TYPE), { value: VALUE });
  });
}

Deno.test("readStructured() mends slips of the form: quoted numbers, a number with its maximum, letter case, bold words, a full stop, null, raw line breaks", () => {
  const type = z.object({
    n: z.number().max(1),
    kind: z.enum(["new", "Side 1"]),
    isDone: z.boolean(),
    from: z.array(z.int()),
    note: z.string().default(""),
    speech: z.string(),
  });
  const value = { n: 0.5, kind: "new", isDone: true, from: [1, 2], note: "", speech: "a\n\tb" };
  const sloppy = (kind: string) =>
    `{"n": " 0.5", "kind": "${kind}", "isDone": "True", "from": ["1", 2], "note": null, "speech": "a\n\\tb"}`;
  assert.deepEqual(readStructured(sloppy("New"), type), { value });
  assert.deepEqual(readStructured(sloppy("**side 1**"), type), {
    value: { ...value, kind: "Side 1" },
  });
  assert.deepEqual(readStructured(sloppy("new.").replace(" 0.5", "0.5/1"), type), { value });
  assert.match(readStructured(sloppy("new").replace(" 0.5", "0.5/10"), type).problem!, /^n: /);
  const { problem } = readStructured(sloppy("old").replace(" 0.5", "2"), type);
  assert.match(problem!, /^n: .*; kind: /);
});

Deno.test("readStructured() reads numbers and signs of other scripts", () => {
  const type = z.object({ n: z.number(), side: z.enum(["Side 1", "tie"]) });
  for (const number of ["7,5", "７．５", "٧٫٥", "۷٫۵", "७.५"]) {
    assert.deepEqual(readStructured(`{"n"： "${number}"，"side"："Ｓｉｄｅ　１"}`, type), {
      value: { n: 7.5, side: "Side 1" },
    });
  }
  for (const number of ["7,500", "7,5,1", "30,11", "7-8", "7²", "7\u200c5", "七", "7.5 分"]) {
    const { problem } = readStructured(`{"n": "${number}", "side": "tie"}`, type);
    assert.equal(problem, "n: Give a number");
  }
  const said = z.object({ text: z.string() });
  const value = { text: "他说：好，很好" };
  assert.deepEqual(readStructured(JSON.stringify(value), said), { value });
});

Deno.test("readStructured() mends no value that fits already, and drops no null that may be one or is no known key", () => {
  const type = z.strictObject({
    n: z.number(),
    kind: z.enum(["a", "A"]),
    note: z.string().nullable().default("none"),
  });
  const reply = { n: "1", kind: "A", note: null };
  assert.deepEqual(readStructured(JSON.stringify(reply), type).value, { ...reply, n: 1 });
  assert.match(readStructured(JSON.stringify({ ...reply, more: null }), type).problem!, /more/);
  const scores = z.object({ scores: z.record(z.string(), z.number()) });
  assert.match(readStructured('{"scores": {"logic": null}}', scores).problem!, /logic/);
});

const unreadable: [string, string, RegExp][] = [
  ["an empty reply", "", /no JSON/],
  ["prose", "I give it a seven.", /no JSON/],
  ["half an object", JSON_TEXT.slice(0, -4), /JSON/],
  ["an object cut within a long text", `{"reasons": "${"A cut speech. ".repeat(1000)}`, /JSON/],
  ["an object cut within an escape", '{"reasons": "\\', /JSON/],
  ["a missing key", '{"reasons": "x"}', /n: /],
  ["a wrong type", '{"reasons": "x", "n": "seven"}', /n: /],
  ["a list", "[1, 2]", /the reply: /],
];
for (const [name, text, problem] of unreadable) {
  Deno.test(`readStructured() reports the problem of ${name}`, () => {
    const { value, problem: said } = readStructured(text, TYPE);
    assert.equal(value, undefined);
    assert.match(said!, problem);
  });
}

Deno.test("readStructured() says in plain words what each key should hold, and suggests no choice", () => {
  const type = z.object({
    winner: z.enum(["ada", "ben"]),
    confidence: z.number().max(1),
    reasons: z.string().min(1),
    scores: z.record(z.string(), z.int()),
    items: z.array(z.object({ claim: z.string() })).max(1),
    other: z.union([z.string(), z.null()]),
  });
  const fit = { winner: "ada", confidence: 1, reasons: "x", scores: {}, items: [], other: null };
  const problemOf = (part: object) =>
    readStructured(JSON.stringify({ ...fit, ...part }), type).problem;
  assert.equal(problemOf({ winner: "adam" }), "winner: Allowed: ada, ben");
  assert.equal(problemOf({ confidence: 7 }), "confidence: Give at most 1");
  assert.equal(problemOf({ reasons: "" }), "reasons: Give at least 1 character");
  assert.equal(problemOf({ scores: { logic: 1.5 } }), "scores.logic: Give a whole number");
  assert.equal(problemOf({ items: [{}] }), "items.0.claim: Give a text");
  assert.equal(
    problemOf({ items: {}, other: 3 }),
    "items: Give a list; other: Give a text, or null",
  );
});

Deno.test("readStructured() names the problem of a transform, also among other braces", () => {
  const type = z.object({
    winner: z.string().transform((name, context) => {
      if (name === "nobody") throw new Error("nobody cannot win");
      context.addIssue(`no side is called ${name}`);
      return z.NEVER;
    }),
  });
  const problemOf = (text: string) => readStructured(text, type).problem;
  assert.equal(problemOf('{"winner": "bob"}'), "winner: no side is called bob");
  assert.equal(problemOf('By {rule}: {"winner": "bob"}, {so}.'), "winner: no side is called bob");
  assert.equal(problemOf('{"winner": "nobody"}'), "nobody cannot win");
});

Deno.test("readStructured() parses any value after any prose without braces", () => {
  const prose = fc.string().map((text) => text.replace(/[{}[\]`]/g, ""));
  fc.assert(fc.property(prose, prose, fc.string(), (before, after, reasons) => {
    const value = { reasons, n: 1 };
    assert.deepEqual(readStructured(`${before} ${JSON.stringify(value)} ${after}`, TYPE), {
      value,
    });
  }));
});

Deno.test("readStructured() never throws", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("{", "}", '"', "\\", "`", "\n", "a") }),
      (text) => {
        readStructured(text, TYPE);
      },
    ),
  );
});
