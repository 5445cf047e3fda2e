// Splitting texts into words and search terms.
import assert from "node:assert/strict";
import fc from "fast-check";
import { keyWords, terms, words } from "../../src/core/keyword_index.ts";
import { anyCharacter } from "../support/any_character.ts";

Deno.test("terms() ignores case, accents, width, possessives and endings", () => {
  const same: readonly (readonly [string, string])[] = [
    ["Café", "cafe"],
    ["STRASSE", "Straße"],
    ["ﬁne", "fine"],
    ["ＡＩ", "ai"],
    ["cities", "City"],
    ["lanes", "lane"],
    ["regulated", "regulation"],
    ["city’s", "city"],
    ["Йод", "йод"],
    ["ΆΝΘΡΩΠΟΣ", "άνθρωπος"],
    ["l’école", "École"],
    ["dell'acqua", "acqua"],
    ["ISPARTA", "ısparta"],
    ["Đường", "duong"],
    ["Łódź", "lodz"],
    ["أنَّ", "ان"],
    ["المدرســة", "المدرسه"],
    ["رايگان", "رایگان"],
    ["می‌تواند", "میتواند"],
    ["الحافلات والظل للكتاب اليوم", "حافلات ظل كتاب يوم"],
    ["الالتزام والألعاب", "التزام ألعاب"],
    ["버스는 학교에서도 어린이들을", "버스 학교 어린이"],
    ["עִבְרִית", "עברית"],
    ["١٥", "15"],
    ["१५", "15"],
  ];
  for (const [a, b] of same) assert.deepEqual(terms(a), terms(b), `${a}, ${b}`);
  assert.notDeepEqual(terms("tram"), terms("train"));
  assert.notDeepEqual(terms("الله"), terms("له"));
  assert.deepEqual(terms("we’ll don't"), ["we'll", "don't"]);
});

Deno.test("terms() splits every script and keeps vowel signs", () => {
  assert.deepEqual(terms("東京都は大きい"), ["東京", "都", "は", "大きい"]);
  assert.deepEqual(terms("สวัสดีครับ"), ["สวัสดี", "ครับ"]);
  assert.notDeepEqual(terms("कि"), terms("का"));
  assert.deepEqual(terms("C++ or C#, 3.5 %!"), ["c", "c+", "c++", "or", "c", "c#", "3.5"]);
  // A longer row of signs is no name, and would give a term for each sign.
  for (const sign of ["+++++", "#".repeat(10_000)]) {
    const all = [0, 1, 2].map((length) => `x${sign.slice(0, length)}`);
    assert.deepEqual([terms(`x${sign}`), terms(`é x${sign}`)], [all, ["e", ...all]]);
  }
});

Deno.test("words() returns the position of each word, in order, for any text", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
    let last = 0;
    for (const { term, start, end } of words(text)) {
      assert.ok(term.length > 0 && last <= start && start < end && end <= text.length);
      last = start;
    }
  }));
});

Deno.test("words() splits a word the same way alone and between others", () => {
  // Alphabets only: in scripts without spaces neighbours determine a word's end.
  const word = fc.stringMatching(/^[a-zéßøдиеλσ]{1,12}$/u);
  const gap = fc.constantFrom(" ", ", ", "\n", " – ", "; ", " (");
  fc.assert(fc.property(fc.array(fc.tuple(word, gap), { maxLength: 12 }), (pairs) => {
    const text = pairs.flat().join("");
    const found = Array.from(words(text), ({ start, end }) => text.slice(start, end));
    assert.deepEqual(found, pairs.map(([each]) => each));
    assert.deepEqual(terms(text), pairs.flatMap(([each]) => terms(each)));
  }));
});

Deno.test("keyWords() omits function words of the text's language", async () => {
  const key = await keyWords();
  const same: readonly (readonly [string, string])[] = [
    [
      "Should cities ban private cars from their centres, or isn't that it?",
      "city ban private car centre",
    ],
    [
      "Sollten Städte private Autos aus ihren Zentren verbannen?",
      "Städte private Autos Zentren verbannen",
    ],
    ["In 2026 C++ is not what a C was, 3.5 % of it", "2026 C++ 3.5"],
  ];
  for (const [text, words] of same) {
    assert.deepEqual([...key(text)], terms(words).filter((each) => each !== "c"), text);
  }
  assert.deepEqual([...key("Should we or shouldn’t we?")], []);
  assert.deepEqual([...key("")], []);
});
