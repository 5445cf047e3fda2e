import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanText } from "../../../src/core/paper.ts";

const CASES: readonly (readonly [what: string, raw: string, clean: string])[] = [
  ["makes line breaks one", "a\r\nb\rc\nd\ve\ff\u0085g\u2028h\u2029i", "a\nb\nc\nd\ne\nf\ng\nh\ni"],
  ["leaves out a byte order mark", "\ufeffa", "a"],
  ["turns control characters into spaces", "a\u0000b\u001b[31mc\u009fd", "a b [31mc d"],
  ["keeps tabs within a line", "a\tb", "a\tb"],
  ["leaves out white space at the end of a line", "a \t\u00a0\u0007\r\n b \n\n", "a\n b\n\n"],
  ["makes halves of characters well formed", "a\ud800b😀\udc00", "a\ufffdb😀\ufffd"],
  ["leaves a text as it is", "Für Élise:\n\n  ½ α – 漢字 🎹", "Für Élise:\n\n  ½ α – 漢字 🎹"],
  ["leaves nothing empty", "", ""],
];

for (const [what, raw, clean] of CASES) {
  Deno.test(`cleanText() ${what}`, () => assert.equal(cleanText(raw).text, clean));
}

Deno.test("cleanText() moves each place with the character it stands before", () => {
  const raw = "\ufeffOne \r\nTwo\u0000\u0000\r\n\r\nThree";
  const { text, places } = cleanText(raw, [
    0,
    raw.indexOf("Two"),
    raw.indexOf("Three"),
    raw.length,
  ]);
  assert.equal(text, "One\nTwo\n\nThree");
  assert.deepEqual(places, [0, text.indexOf("Two"), text.indexOf("Three"), text.length]);
});

const PIECE = fc.constantFrom(
  "a",
  "Ω",
  "😀",
  " ",
  "\t",
  "\r",
  "\n",
  "\r\n",
  "\u0000",
  "\ud800",
  "\u2028",
);
const PAGES = fc.array(fc.array(PIECE, { maxLength: 12 }), { minLength: 1, maxLength: 6 });

Deno.test("cleanText() parts pages where they were parted, and is done at once", () => {
  fc.assert(fc.property(PAGES, (pages) => {
    // A page begins with a letter, so that no line break or character is parted.
    const texts = pages.map((page) => `P${page.join("")}`);
    const starts = texts.map((_, at) => texts.slice(0, at).join("").length);
    const { text, places } = cleanText(texts.join(""), starts);
    assert.equal(places.length, texts.length);
    for (const [at, place] of places.entries()) {
      assert.equal(text[place], "P");
      const page = text.slice(place, places[at + 1]);
      assert.equal(page.match(/P/g)?.length, 1);
      assert.equal(page.replace(/\s/g, ""), cleanText(texts[at]!).text.replace(/\s/g, ""));
    }
    assert.deepEqual(cleanText(text, places), { text, places });
    assert.doesNotMatch(text, /(?![\t\n])\p{Cc}|\p{Cs}|[ \t]$/mu);
  }));
});
