// Cleaning and comparison of text.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  durationText,
  percentText,
  plainLine,
  plainText,
  quotedSentence,
  saidLine,
  saidText,
  statusText,
  totalText,
  withoutListMarker,
  withoutUnseen,
} from "../../src/core/text.ts";
import { topicNamed, wordKey } from "../../src/core/words.ts";
import { cleanText } from "../../src/core/paper.ts";

/** ESC, BEL, a C1 control, a direction override, a zero-width space, a byte order mark, a tag character. */
const UNSEEN = ["\x1b", "\x07", "\x9b", "\u202e", "\u200b", "\ufeff", "\u{e0041}", "\x00", "\x7f"];

Deno.test("plainText() replaces each run of invisible characters by one mark", () => {
  assert.equal(
    plainText("\x1b[31mred\x1b[0m \x07\x9b2J\rover\x08\u202eabc\x7f"),
    "�[31mred�[0m �2J\nover�abc�",
  );
  assert.equal(plainText("a\u{e0049}\u{e0047}b\u200bc\u200dd\ufeffé\u200cü"), "a�b�c�d�é�ü");
  assert.equal(plainText("lone \ud800 half, co\u00adop"), "lone � half, coop");
  assert.equal(plainText("\u200fשלום\u200e (a)\u061c"), "שלום (a)");
});

Deno.test("plainText() leaves line breaks, tabs, emoji and other scripts unchanged", () => {
  const text = "a\n\tb 👩‍👩‍👧 👩🏽‍🚀 ❤️ 🏳️‍🌈 1️⃣ שלום می‌خواهم क्‍ष 日本語 “x” — ½";
  assert.equal(plainText(text), text);
  assert.equal(withoutUnseen(text), text);
});

Deno.test("plainText() leaves no invisible character and is idempotent", () => {
  const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...UNSEEN));
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = plainText(pieces.join("x"));
    for (const char of UNSEEN) assert.ok(!text.includes(char));
    assert.equal(plainText(text), text);
  }));
});

Deno.test("plainLine() returns one line, cut with an ellipsis", () => {
  assert.equal(plainLine(" a\r\n b\u2028c "), "a b c");
  assert.equal(plainLine("abcdef", 4), "abc…");
  const cuts = [
    ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 10, "👩‍👩‍👧‍👦…"],
    ["🇩🇪🇫🇷🇯🇵", 4, "🇩🇪…"],
    ["हिन्दी में", 4, "हि…"],
    [`x${"e\u0301".repeat(3)}`, 5, "xe\u0301…"],
  ] as const;
  for (const [text, most, cut] of cuts) assert.equal(plainLine(text, most), cut);
});

Deno.test("withoutUnseen() removes invisible characters without a replacement", () => {
  assert.equal(withoutUnseen("\x1b[31mre\u200bd\r\n"), "[31mred\n");
});

const TOPICS = ["Evidence & methods", "Generalisability", "3D vision", "方法论"];

Deno.test("topicNamed() finds a topic whatever its case, spaces and punctuation", () => {
  for (
    const [name, topic] of [
      ["Evidence & methods", TOPICS[0]],
      ["  evidence - METHODS: ", TOPICS[0]],
      ["2. Generalisability", TOPICS[1]],
      ["- generalisability.", TOPICS[1]],
      ["3D Vision", TOPICS[2]],
      ["方法论", TOPICS[3]],
    ] as const
  ) assert.equal(topicNamed(name, TOPICS), topic);
});

Deno.test("topicNamed() finds nothing for another name or an empty one", () => {
  for (const name of ["Evidence", "methods evidence", "", "—", "Ethics", "D vision"]) {
    assert.equal(topicNamed(name, TOPICS), undefined);
  }
  assert.equal(topicNamed("?", ["!", "?!"]), undefined);
});

Deno.test("topicNamed() prefers an exact match", () => {
  assert.equal(topicNamed("C#", ["C++", "C#"]), "C#");
});

Deno.test("wordKey() is equal for texts with equal words", () => {
  assert.equal(wordKey("Doesn’t it — work?"), wordKey("doesn't it work"));
  assert.notEqual(wordKey("It gained 5.5"), wordKey("It gained 55"));
});

Deno.test("saidText() normalizes line ends and omits nothing visible", () => {
  assert.equal(
    saidText(" a\r\nb\rc\u2028d\u0000\u001b[31m\u202ee\tf\ud800 \n"),
    "a\nb\nc\nd[31me f\ufffd",
  );
  assert.equal(saidLine("a\n b", 10), "a b");
  assert.equal(saidLine("abcdef", 3), "ab…");
});

Deno.test("withoutListMarker() removes an item's marker and no number of the text", () => {
  assert.equal(withoutListMarker("1. - ## a"), "a");
  assert.equal(withoutListMarker("12) a"), "a");
  assert.equal(withoutListMarker("3D vision"), "3D vision");
  assert.equal(withoutListMarker("-5 degrees"), "-5 degrees");
});

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

Deno.test("cleanText() maps each position to the same character", () => {
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

Deno.test("cleanText() keeps page breaks and takes linear time", () => {
  fc.assert(fc.property(PAGES, (pages) => {
    // A page begins with a letter, so that no line break or character is split.
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

Deno.test("quotedSentence() writes one end mark", () => {
  assert.equal(quotedSentence("Buses are slow"), "“Buses are slow”.");
  for (const text of ["Slow.", "Slow?", "Slow!", "Slow…", "遅い。"]) {
    assert.equal(quotedSentence(text), `“${text}”`);
  }
});

Deno.test("statusText() says a status once", () => {
  for (const said of ["", "Status 500", "status code: 500.", "500"]) {
    assert.equal(statusText(500, said), "status 500", said);
  }
  assert.equal(statusText(500, "Status of the model: 500"), "status 500, Status of the model: 500");
});

Deno.test("percentText() is exact, so that a share below a threshold never looks like it", () => {
  assert.deepEqual([0, 0.58, 0.6667, 0.67, 1].map(percentText), [
    "0 %",
    "58 %",
    "66.67 %",
    "67 %",
    "100 %",
  ]);
});

Deno.test("totalText() rounds halves up, also where the binary number is below the half", () => {
  assert.deepEqual([0.575, 4.035, 6.2349, 7].map(totalText), ["0.58", "4.04", "6.23", "7.00"]);
});

Deno.test("durationText() gives minutes, and hours from two hours on", () => {
  assert.deepEqual([1, 119, 150].map(durationText), ["1 minute", "119 minutes", "3 hours"]);
});
