import assert from "node:assert/strict";
import { hyphenAt, isDivided, vocabularyOf } from "../../src/papers/reading/pdf_text.ts";

const CASES: readonly (readonly [
  what: string,
  line: string,
  next: string,
  text: readonly string[],
  joined: ReturnType<typeof hyphenAt>,
])[] = [
  ["a divided word", "the hyphen-", "ation of words", [], "dropped"],
  [
    "a divided word whose halves are not both words",
    "an inter-",
    "action of",
    ["action now"],
    "dropped",
  ],
  ["a compound that stands elsewhere", "a well-", "known fact", ["it is well-known"], "kept"],
  ["a compound of two words of the text", "a well-", "known fact", ["known well"], "kept"],
  ["a word that stands elsewhere, too", "of under-", "standing it", [
    "standing under",
    "understanding",
  ], "dropped"],
  ["what stands more often as a compound", "a co-", "author", [
    "coauthor",
    "co-author",
    "co-author",
  ], "kept"],
  ["a name", "an Anglo-", "Saxon word", [], "kept"],
  ["a number", "of COVID-", "19 on", [], "kept"],
  ["years", "in 1990-", "2000 and", [], "kept"],
  ["a hyphen that waits for the next word", "short-", "and long-term rest", [], "apart"],
];

for (const [what, line, next, text, joined] of CASES) {
  Deno.test(`hyphenAt() joins ${what}: ${line} ${next}`, () => {
    assert.ok(isDivided(line));
    assert.equal(hyphenAt(line, next, vocabularyOf([...text, line, next])), joined);
  });
}

Deno.test("vocabularyOf() leaves out the words that lines divide", () => {
  const { count } = vocabularyOf(["The well-known rest-", "ing Nurse rests", "and rests."]);
  assert.deepEqual(Object.fromEntries(count), {
    the: 1,
    "well-known": 1,
    nurse: 1,
    rests: 2,
    and: 1,
  });
});

Deno.test("isDivided() tells a hyphen from a dash", () => {
  assert.ok(!isDivided("a dash -"));
  assert.ok(!isDivided("a dash –"));
  assert.ok(!isDivided("no hyphen"));
});
