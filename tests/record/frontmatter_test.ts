// Front matter: YAML that every reader parses alike.
import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { type FrontMatter, writeFrontMatter } from "../../src/record/frontmatter.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { anyCharacter } from "../support/any_character.ts";

/** Texts that YAML readers may parse as another type or as syntax. */
const TRICKY = [
  ["No", "yes", "on", "y", "~", "null", "NULL", "true", "1:30", "0x1f", "0o17", "0b1", "1_000"],
  ["1e5", "12e03", ".5", ".inf", "-.inf", ".nan", "2026-11-21", "2026-11-21T20:33:12.114Z"],
  ["=", "<<", "", " ", " a", "a ", "a: b", "a:", "a #b", "#", "- a", "-", "?", "? a", "! a"],
  ["&a", "*a", "%a", "@a", "`a`", "'a'", '"a"', "[a]", "{a}", "a, b", "a\nb", "a\r\nb", "\t"],
  ["\u0000", "\u007f", "\u0085", "\u2028", "\u2029", "\ufeff", "\ud800", "👩‍👩‍👧", "שלום"],
  ["---", "...", "--- a", "001_moderator_1f0c9a3e.md", "../index.md", "a\\b", "it's", "017"],
  ["+1", "-1", "1.", "1.5.2", "é", "\u0301a"],
].flat();

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: anyCharacter }),
  fc.string(),
  fc.constantFrom(...TRICKY),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0 || 0),
  fc.boolean(),
  fc.constant(null),
  fc.array(text),
  fc.dictionary(text, fc.oneof(text, fc.integer()), { noNullPrototype: true }),
  fc.jsonValue({ stringUnit: anyCharacter }).map((each) => JSON.parse(JSON.stringify(each))),
);
const key = fc.oneof(text, fc.constantFrom("topic", "created_at", "x".repeat(2000)));
const map = fc.dictionary(key, value, { noNullPrototype: true }).map((each) => {
  const { ["__proto__"]: _, ...rest } = each;
  return rest as FrontMatter;
});

Deno.test("readFrontMatter() returns the data that writeFrontMatter() wrote", () => {
  fc.assert(
    fc.property(map, text, (data, body) => {
      const page = readFrontMatter(writeFrontMatter(data, body), "a.md");
      assert.deepEqual(page.data, plain(data));
      assert.equal(page.body, body);
    }),
    { numRuns: 400 },
  );
});

Deno.test("writeFrontMatter() writes YAML with the same meaning in YAML 1.1 and 1.2", () => {
  fc.assert(
    fc.property(map, (data) => {
      const page = writeFrontMatter(data);
      const yaml = page.slice(4, page.lastIndexOf("---\n"));
      for (const schema of ["core", "yaml-1.1"]) {
        const options = { schema, logLevel: "error" } as Record<string, unknown>;
        assert.deepEqual(asStrings(parse(yaml, options) ?? {}), plain(data), schema);
      }
    }),
    { numRuns: 400 },
  );
});

/** Returns data without the values that JSON omits. */
function plain(data: FrontMatter): unknown {
  return JSON.parse(JSON.stringify(data));
}

/** Converts times under `…_at`, which a YAML 1.1 reader parses as dates, back to text. */
function asStrings(data: unknown): unknown {
  return data === null ? {} : JSON.parse(JSON.stringify(data));
}

Deno.test("writeFrontMatter() leaves plain words unquoted and quotes words with a meaning in YAML 1.1", () => {
  const text = writeFrontMatter({
    topic: "Should cities ban private cars?",
    position: "No",
    at: "1:30",
    created_at: "2026-11-21T20:33:12.114Z",
    marks: [],
    previous: "001_moderator_1f0c9a3e.md",
    usage: { input_tokens: 812, cost_usd: "unknown" },
    // PyYAML ends a plain text within braces or brackets at a question mark.
    args: { topic: "Why?" },
  }, "Body");
  assert.equal(
    text,
    `---
topic: Should cities ban private cars?
position: "No"
at: "1:30"
created_at: 2026-11-21T20:33:12.114Z
marks: []
previous: 001_moderator_1f0c9a3e.md
usage: { input_tokens: 812, cost_usd: unknown }
args: { topic: "Why?" }
---
Body`,
  );
});

Deno.test("readFrontMatter() keeps bodies byte for byte", () => {
  for (const body of ["", "\n", "---\na: b\n---\n", "a\r\nb\r\n", "a", "a\n", "\n\n  a"]) {
    assert.equal(readFrontMatter(writeFrontMatter({ a: 1 }, body), "x").body, body);
  }
});

Deno.test("readFrontMatter() names the file and line of a syntax error", () => {
  const cases: [string, RegExp][] = [
    ["no front matter", /messages\/1\.md, line 1: it does not begin/],
    ["---\na: 1\n", /messages\/1\.md, line 1: .*no closing line/],
    ['---\na: 1\nb: "x\n---\n', /messages\/1\.md, line [34]: /],
    ["---\na: 1\na: 2\n---\n", /messages\/1\.md, line 3: it is not valid YAML: /],
    ["---\n- a\n---\n", /messages\/1\.md, line 2: .*not a map/],
  ];
  for (const [page, message] of cases) {
    assert.throws(
      () => readFrontMatter(page, "messages/1.md"),
      { code: "record_corrupt", message },
    );
  }
});

Deno.test("readFrontMatter() accepts files saved by an editor on Windows", () => {
  for (const mark of ["", "\ufeff"]) {
    const page = readFrontMatter(`${mark}---\r\na: b\r\n---\r\nBody`, "x");
    assert.deepEqual(page, { data: { a: "b" }, body: "Body" });
  }
});
