// Quoted passages in prose.
import assert from "node:assert/strict";
import fc from "fast-check";
import { namedPages, quotedPassages as passagesIn } from "../../src/core/quotations.ts";

function quotedPassages(text: string): string[] {
  return passagesIn(text).map((each) => each.text);
}

const CASES: readonly (readonly [name: string, text: string, passages: readonly string[]])[] = [
  [
    "marks of all kinds",
    'A “of three words” and "of straight words" and «de trois mots» and « avec des espaces ».',
    ["of three words", "of straight words", "de trois mots", "avec des espaces"],
  ],
  [
    "German, Danish and Swedish marks",
    "„Das ist einer“ und »das auch einer« und ‚das auch noch‘ och ”det här också” ok",
    ["Das ist einer", "das auch einer", "das auch noch", "det här också"],
  ],
  [
    "marks of scripts without spaces",
    '他说“这是一个很好的模型”，「とても良いモデルです」。他说"这是一个很好的模型"吗',
    ["这是一个很好的模型", "とても良いモデルです", "这是一个很好的模型"],
  ],
  [
    "Korean marks before a particle",
    "연구는 \"무료 대중교통은 자가용을 줄인다\"고 하고 '무료 대중교통은 좋다'라고 한다.",
    ["무료 대중교통은 자가용을 줄인다", "무료 대중교통은 좋다"],
  ],
  ["single marks of Chinese", "他说‘这是一个很好的模型’吗", ["这是一个很好的模型"]],
  [
    "Hebrew and Arabic marks, and no Hebrew abbreviation",
    "הדו״ח אומר ״זה דגם טוב מאוד״ וצה״ל. يقول ”هذا نموذج جيد جدا“ هنا",
    ["זה דגם טוב מאוד", "هذا نموذج جيد جدا"],
  ],
  [
    "no term and no irony",
    'The “best” and "so called" and 「モデル」 and 「コーヒー」 and “a b”.',
    [],
  ],
  [
    "single marks, and no apostrophes",
    "It's the authors' claim that 'we win all games', isn't it? The students' work and the dogs' bowl.",
    ["we win all games"],
  ],
  ["single marks around a genitive", "So ‘the students’ results are good’ here.", [
    "the students’ results are good",
  ]],
  ["single marks after an s", "So 'it beats all baselines' is said.", ["it beats all baselines"]],
  ["no elision", "'Tis the season of the '90s when rock 'n' roll ruled the kids' rooms", []],
  [
    "the outermost of nested marks",
    "“outer words ‘inner words here’ outer words” and 'outer \"inner words here\" outer'",
    ["outer words ‘inner words here’ outer words", "inner words here"],
  ],
  ["nested marks of one kind", "“outer words “inner words here” outer words” so", [
    "outer words “inner words here” outer words",
  ]],
  ["a pair after a mark that is never closed", 'an "open one and "three real words" here', [
    "three real words",
  ]],
  ["a pair after an inch", 'A 5" disc and "three real words" here', ["three real words"]],
  ["nothing after a mark that stands apart", "a “ before these words” here", []],
  ["nothing over the end of a paragraph", "an “open one\n\nand three words” here", []],
  ["a pair over the end of a line", "a “pair of\nmany words” here", ["pair of\nmany words"]],
  [
    "a quotation of several paragraphs",
    "“first of the paragraphs\n\n“second of the paragraphs” here",
    ["first of the paragraphs", "second of the paragraphs"],
  ],
  [
    "quoted lines",
    "So:\n> We propose a model\n> of great value.\n> — Someone, p. 3\n\nthen\n\n> Two words\n>\n> “Marked words are theirs” (p. 4)",
    ["We propose a model\nof great value.", "Marked words are theirs"],
  ],
  ["quoted lines with a page after them", "> We propose a model (p. 3)", ["We propose a model"]],
  ["emphasis around marks", '**"three real words"** and ("three more words")', [
    "three real words",
    "three more words",
  ]],
  ["every passage as often as it stands", '"three real words" "three real words"', [
    "three real words",
    "three real words",
  ]],
  ["an empty text", "", []],
];
for (const [name, text, passages] of CASES) {
  Deno.test(`quotedPassages() finds ${name}`, () => {
    assert.deepEqual(quotedPassages(text), passages);
  });
}

Deno.test("quotedPassages() splits a long quotation into pieces of at most 1,500 characters", () => {
  const long = "word ".repeat(700).trim();
  const passages = quotedPassages(`He said “${long}” so.`);
  assert.equal(passages.length, 3);
  assert.ok(passages.every((each) => each.length <= 1500 && !/^\s|\s$/.test(each)));
  assert.equal(passages.join(" "), long);
});

Deno.test("quotedPassages() finds inner pairs between two marks that are too far apart", () => {
  const text = `an “open one ${"word ".repeat(400)}“three real words” and stray” end`;
  assert.deepEqual(quotedPassages(text), ["three real words"]);
});

Deno.test("quotedPassages() finds marked quotations within any prose", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}(?:'t)?$/);
  const words = fc.array(word, { minLength: 3, maxLength: 12 }).map((all) => all.join(" "));
  const marks = fc.constantFrom(["“", "”"], ['"', '"'], ["«", "»"], ["„", "“"], ["「", "」"]);
  fc.assert(
    fc.property(words, fc.array(fc.tuple(words, marks, words)), (first, rest) => {
      const text = rest.map(([quoted, [open, close], prose]) =>
        ` ${open}${quoted}${close} ${prose}`
      );
      const expected = rest.map(([quoted]) => quoted);
      assert.deepEqual(quotedPassages(first + text.join("")), expected);
    }),
  );
});

Deno.test("quotedPassages() accepts any text and returns only parts of it", () => {
  const unit = fc.constantFrom(
    ..."“”„«»‹›‘’'\"「」『』＂‚‟> \n\n—(abc字",
    "word ",
    "s' ",
    "\ud83d",
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 200 }), (units) => {
      const text = units.join("");
      for (const passage of quotedPassages(text)) {
        assert.ok(passage.length <= 1500);
        const line = (each: string) => each.replace(/[\s>]+/gu, "");
        assert.ok(line(text).includes(line(passage)));
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("quotedPassages() stays fast with thousands of marks", () => {
  for (const mark of ["“", '"', "'", "‘a ", "„", "«", "» ", "> ", " ", '" ', " '", "s' "]) {
    assert.ok(quotedPassages(`${mark.repeat(50_000)} end`).length < 50_000);
    assert.ok(quotedPassages(`> a ${mark.repeat(50_000)} end`).length < 50_000);
  }
});

const PAGES: readonly (readonly [text: string, pages: readonly (number | undefined)[]])[] = [
  ["On page 9 the paper says “one two three”.", [9]],
  ["“One two three” (p. 3) and “four five six” (Smith 2010, pp. 4–5).", [3, 4]],
  ["On page 3 “one two three”, and on page 4 “four five six”.", [3, 4]],
  ["“One two three”, p. 12.", [12]],
  ["Page 2 is clear. They say “one two three.” On page 7 they do not.", [undefined]],
  ["With p.05 and p < .05 they say “one two three” in a homepage 3.", [undefined]],
  ["As page 6 has it:\n\n> One two three\n\nand\n\n> Four five six (p. 8)", [6, 8]],
  ["Auf Seite 5 steht „eins zwei drei“.", [5]],
];
Deno.test("namedPages() returns the page that a speaker names for each quotation, and no other number", () => {
  for (const [text, pages] of PAGES) {
    assert.deepEqual(passagesIn(text).map((each) => namedPages(each)?.from), pages, text);
  }
});
