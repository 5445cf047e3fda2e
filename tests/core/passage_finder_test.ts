// Search for quotations in a paper's text.
import assert from "node:assert/strict";
import fc from "fast-check";
import { PassageFinder, passageKey, wordWeight } from "../../src/core/passage_finder.ts";
import { readPaper } from "../../src/inputs/papers.ts";
import { anyCharacter } from "../support/any_character.ts";

const TEXT = [
  "We show that exam-\nples of ﬁnite length — well-known ones — are “good” at   5.5 points,",
  "not 10² or −3. It can’t fail. Über alles cafe\u0301; non-significant effects were seen, pre- and",
  "post-training. Gains rose by 5% from 3–5 points [see x.*(y)]. 这是一个很好的模型。",
].join("\n");

function found(passage: string, text = TEXT): string | undefined {
  const place = new PassageFinder(text).find(passage);
  return place && text.slice(place.start, place.end);
}

const FOUND: readonly (readonly [name: string, passage: string, place: string])[] = [
  ["as it stands", "It can’t fail", "It can’t fail"],
  [
    "a word parted at a line's end, and a ligature",
    "that examples of finite length",
    "that exam-\nples of ﬁnite length",
  ],
  ["a word that is parted in the quotation", "It can’t\nf\u00adail", "It can’t fail"],
  [
    "other dashes, white space and marks",
    'ones - are "good"  at 5.5',
    "ones — are “good” at   5.5",
  ],
  ["a dash without spaces", "well-known ones—are", "well-known ones — are"],
  ["another apostrophe", "It can't fail", "It can’t fail"],
  ["the first letter small", "we show that", "We show that"],
  ["the first letter large", "Non-significant effects", "non-significant effects"],
  ["a full stop at the end", "effects were seen.", "effects were seen"],
  ["marks and emphasis around it", "*“effects were seen,”*", "effects were seen"],
  ["emphasis that the quotation adds", "Gains *rose* by **5%** from", "Gains rose by 5% from"],
  ["a composed letter", "über alles café", "Über alles cafe\u0301"],
  ["a hyphen before a space", "seen, pre- and post-training", "seen, pre- and\npost-training"],
  ["what begins after such a hyphen", "and post-training", "and\npost-training"],
  ["a number with its sign", "not 10² or -3", "not 10² or −3"],
  ["what a pattern could be", "[see x.*(y)]", "[see x.*(y)]"],
  ["a script without spaces, in the middle", "一个很好的", "一个很好的"],
];
for (const [name, passage, place] of FOUND) {
  Deno.test(`find() finds ${name}`, () => assert.equal(found(passage), place));
}

const SCRIPTS: readonly (readonly [
  name: string,
  text: string,
  passages: readonly string[],
  forged: string,
])[] = [
  [
    "Chinese over the end of a line, with other spaces, commas and digits",
    "研究表明，高峰时段的\n准点率只有 62%，而票价上涨了 30%。",
    ["高峰时段的准点率只有62%", "研究表明, 高峰时段的准点率", "准点率只有６２％，而票价"],
    "高峰时段的准点率只有82%",
  ],
  [
    "Japanese in half-width and decomposed letters",
    "都市の公共交通は、ピーク時の定時運行率が62パーセントにとどまる。",
    ["ﾋﾟｰｸ時の定時運行率が62ﾊﾟｰｾﾝﾄに", "ピーク時の定時運行率".normalize("NFD")],
    "ピーク時の定時運行率が72パーセントにとどまる",
  ],
  [
    "Arabic with and without vowel points and tatweel, and with European digits",
    "أظهرت الدراسة أنَّ النقل العام المجاني يقلّل من السيارات بنسبة ١٥٪ في المدن عام ١٤٤٥ هـ وبعده.",
    [
      "أن النقل العام المجاني يقلل من",
      "النقـــل العام المجانـي",
      "السيارات بنسبة 15% في المدن",
      "عام ١٤٤٥ هـ",
    ],
    "النقل العام المجاني يزيد من السيارات",
  ],
  [
    "Persian with the letters of an Arabic keyboard",
    "حمل و نقل عمومی رایگان می‌تواند استفاده از خودرو را کاهش دهد",
    ["رايگان مي‌تواند استفاده از خودرو را كاهش"],
    "رایگان نمی‌تواند استفاده از خودرو",
  ],
  [
    "Hebrew with vowel points",
    "התחבורה הציבורית מפחיתה את השימוש ברכב",
    ["מַפְחִיתָה אֶת הַשִּׁימוּשׁ"],
    "מגדילה את השימוש ברכב",
  ],
  [
    "Hindi with European digits",
    "मुफ़्त परिवहन से उपयोग १५ प्रतिशत कम हुआ।",
    ["परिवहन से उपयोग 15 प्रतिशत"],
    "परिवहन से उपयोग 16 प्रतिशत",
  ],
  [
    "Russian with and without the dots of ё",
    "Всё ещё остаётся редкостью.",
    ["все еще остается редкостью", "всё ещё остаётся".normalize("NFD")],
    "больше не остаётся редкостью",
  ],
  [
    "Turkish with another case of the first letter",
    "İstanbul ilk şehirdi ve Isparta onu izledi.",
    ["istanbul ilk şehirdi", "ısparta onu izledi"],
    "Istanbul ilk şehirdi",
  ],
  [
    "Thai between other spaces",
    "บริการฟรีช่วยลดการใช้รถยนต์ ในเมืองใหญ่ได้",
    ["ช่วยลดการใช้รถยนต์ในเมืองใหญ่"],
    "ช่วยเพิ่มการใช้รถยนต์ในเมืองใหญ่",
  ],
];
for (const [name, text, passages, forged] of SCRIPTS) {
  Deno.test(`find() finds ${name}, and no forged words`, () => {
    for (const passage of passages) assert.ok(found(passage, text) !== undefined, passage);
    assert.equal(found(forged, text), undefined);
  });
}

Deno.test("find() finds no part of a number, and no joined numbers, in any digits", () => {
  const numbers = [
    ["بنسبة ١٥٫٥ في المدن", "بنسبة 15"],
    ["بلغ ١٬٥٠٠ دولار هنا", "٥٠٠ دولار هنا"],
    ["بنسبة ١٥٪ في المدن", "بنسبة 15"],
    ["准点率为１５．５％。", "准点率为15"],
    ["准点率为６２％。", "准点率为62"],
    ["ร้อยละ ๒๑๕ ของ", "๑๕ ของ"],
    ["ร้อยละ ๑๕ ๒๐ ของ", "ร้อยละ ๑๕๒๐ ของ"],
  ];
  for (const [text, passage] of numbers) assert.equal(found(passage!, text!), undefined, passage);
});

const LOST: readonly (readonly [name: string, passage: string])[] = [
  ["another word", "effects were found"],
  ["a word left out", "It fail"],
  ["a word too many", "effects were never seen"],
  ["words in another order", "were effects seen"],
  ["another number", "at 5.4 points"],
  ["a part of a number", "at 5"],
  ["the end of a number", "5 points"],
  ["a power without its exponent", "not 10"],
  ["a power as a number", "not 102 or"],
  ["a number without its sign", "3. It can’t fail"],
  ["a number without its per cent sign", "Gains rose by 5"],
  ["half of a range", "5 points [see"],
  ["a part of a word", "effects were see"],
  ["a word without its beginning", "significant effects were seen"],
  ["the first half of a parted word", "We show that exam"],
  ["a word without its negation", "It can"],
  ["other letter cases", "we SHOW that"],
  ["a letter without its accent", "alles cafe"],
  ["nothing", ""],
  ["marks alone", "… “—” ..."],
  ["a pattern", "It can.t fail"],
  ["a pattern that matches everything", ".*"],
  ["a pattern that cannot be read", "(((effects were"],
];
const DASHES = "The dose of 3-methyl was 4 mg.";
Deno.test("find() keeps a dash beside a digit and drops a hyphen between letters", () => {
  assert.equal(found("of 3–methyl was", DASHES), "of 3-methyl was");
  assert.equal(found("of 3methyl was", DASHES), undefined);
  assert.equal(found("of type2 cells", "of type-2 cells"), undefined);
  assert.equal(found("a wellknown dose", "a well-known dose"), "a well-known dose");
});

for (const [name, passage] of LOST) {
  Deno.test(`find() does not find ${name}`, () => assert.equal(found(passage), undefined));
}

Deno.test("find() finds a passage with omissions part by part, in order, with each position", () => {
  const text = "We met. We propose a model. It is simple. The model wins every game. It is simple.";
  for (const dots of ["…", "...", " … ", "[...]", " (…) ", ". . .", "[ … ]", "……"]) {
    const passage = `We propose a model${dots}the model wins every game`;
    assert.deepEqual(new PassageFinder(text).find(passage), {
      start: 8,
      end: 67,
      parts: [{ start: 8, end: 26 }, { start: 42, end: 67 }],
    }, dots);
  }
  assert.equal(found("The model wins every … We propose a model", text), undefined, "order");
  assert.equal(
    found("We propose a model … the model loses every game", text),
    undefined,
    "one part",
  );
  assert.equal(found("We propose a model … every game", text), undefined, "a part of two words");
  assert.equal(
    found("We propose a … never … wins every game", text),
    undefined,
    "one word between",
  );
  assert.equal(found("… wins every game …", text), "wins every game");
  assert.equal(new PassageFinder(text).find("… wins every game …")?.parts, undefined);
  assert.equal(found("met … simple", text), undefined, "single words alone");
});

Deno.test("find() joins parts at most 300 characters apart, and at most 400 within a paragraph", () => {
  const parts = ["the first part of it", "the second part of it"];
  const apart = (length: number, end: string) =>
    parts.join(`${" x".repeat(Math.ceil(length / 2)).slice(0, length - end.length - 1)} ${end}`);
  for (
    const [length, end, isFound] of [
      [300, "\n\n", true],
      [302, "\n\n", false],
      [302, "\n", true],
      [400, " ", true],
      [402, " ", false],
    ] as const
  ) {
    const text = apart(length, end);
    assert.equal(text.indexOf(parts[1]!) - parts[0]!.length, length);
    assert.equal(found(parts.join(" … "), text) !== undefined, isFound, `${length} ${end}`);
  }
  for (const [length, isFound] of [[500, true], [502, false]] as const) {
    const place = new PassageFinder(apart(length, " ")).find(parts.join(" … "), { lenient: true });
    assert.equal(place !== undefined, isFound, `a record of before, ${length}`);
  }
});

Deno.test("find() does not join parts of sentences with another sentence between", () => {
  const text = "We met Dr. Lee, who made the model in a day. Then it ran all night. " +
    "(It won every game it played.) At last we wrote all of this down for you.";
  for (
    const [passage, isFound] of [
      ["who made the model … it ran all night", true],
      ["who made the model … won every game it played", false],
      ["who made the model … It won every game it played", true],
      ["who made the model in a day. … every game it played", true],
      ["the model in a day … every game it played", true],
      ["who made the model … wrote all of this down", false],
      ["who made the model … ran all night … won every game it", false],
      ["who made the model … then it ran all … won every game it", true],
    ] as const
  ) assert.equal(found(passage, text) !== undefined, isFound, passage);
  const place = new PassageFinder(text)
    .find("who made the model … won every game it played", { lenient: true });
  assert.ok(place !== undefined, "a record of before");
  assert.equal(
    found("模型赢了每场 … 整夜运行的机器", "模型赢了每场比赛。然后我们见面。它是整夜运行的机器。"),
    undefined,
  );
});

Deno.test("find() prefers the parts nearest to each other", () => {
  const [a, b, far] = ["some words stand here", "other words stand there", " x".repeat(300)];
  assert.equal(found(`${a} … ${b}`, `${b} ${a}${far} ${a} and ${b}`), `${a} and ${b}`);
  assert.equal(found(`${a} … ${b} … ${a}`, `${a} ${b} ${b}${far} ${a}`), undefined);
});

Deno.test("find() accepts a bracketed first letter in either case and ignores the quoter's remarks", () => {
  const text = "We saw the bees. They count to four. A bee can teh count, as x[i] says.";
  assert.equal(found("[t]hey count to four", text), "They count to four");
  assert.equal(found("[T]he bees", text), "the bees");
  assert.equal(found("saw the bees. [t]hey count", text), "saw the bees. They count");
  assert.equal(found("[a] bee can", text), "A bee can");
  assert.equal(found("bee can teh [sic] count [emphasis added]", text), "bee can teh count");
  assert.equal(found("as x[i] says", text), "as x[i] says");
  assert.equal(found("[w]hey count to", text), undefined);
  assert.equal(found("bee can [not] teh count", text), undefined);
});

Deno.test("find() finds real sentences of a paper, and no halves of two distant sentences", async () => {
  const paper = await readPaper("examples/papers/four_day_week.pdf");
  const sentences = paper.text.replace(/\s+/gu, " ").match(
    /[A-Z][^.!?]{40,300}[a-z]\.(?= [A-Z])/g,
  )!;
  const finder = new PassageFinder(paper.text);
  const index = fc.nat(sentences.length - 1);
  fc.assert(
    fc.property(index, index, (first, second) => {
      const [a, b] = [sentences[first]!, sentences[second]!];
      const [place, other] = [finder.find(a), finder.find(b)];
      assert.ok(place !== undefined && other !== undefined);
      assert.ok(finder.find(`[${a[0]!.toLowerCase()}]${a.slice(1)}`) !== undefined);
      if (Math.abs(place.start - other.start) < 1500) return;
      const half = (text: string, from: number, to: number) => {
        const words = text.split(" ");
        return words.slice(words.length * from, words.length * to).join(" ");
      };
      for (const dots of [" … ", " [...] "]) {
        assert.equal(finder.find(half(a, 0, 0.5) + dots + half(b, 0.5, 1)), undefined);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("find() treats dots as text when the paper has them", () => {
  assert.equal(found("one two... three four", "so one two… three four so"), "one two… three four");
});

Deno.test("find() finds a passage without the emphasis that the text has, but keeps the signs of formulas and names", () => {
  const text = "It was **not** a _good_ model, says *Nature* (*2003*).";
  assert.equal(
    found("not a good model, says Nature (2003)", text),
    "not** a _good_ model, says *Nature* (*2003*)",
  );
  const plain = (marked: string) => marked.replace(/[*_]/g, "");
  for (
    const each of [
      "the *p*-value of **R**etrieval-**A**ugmented models",
      "又是**很好**的模型",
      "**단어**는 좋은 말",
      "first **bold\nthen** end of *et al.*[12] here",
    ]
  ) assert.ok(found(plain(each), each) !== undefined, each);
  for (const sign of ["2*3", "2**3", "5*-3", "2*.5", "1_000", "x_2", "a*b", "learning_rate"]) {
    const each = `It is ${sign} in all`;
    assert.equal(found(each, each), each);
    assert.equal(found(plain(each), each), undefined, each);
  }
  const numbers = [["at **5**% here", "at 5"], ["at -*5* points", "5 points"]];
  for (const [each, passage] of numbers) assert.equal(found(passage!, each!), undefined, each);
});

Deno.test("find() ignores soft hyphens", () => {
  const text = "We exam\u00adined them\u00ad all, and exam\u00ad\nples too.";
  assert.equal(found("we examined them all", text), "We exam\u00adined them\u00ad all");
  assert.equal(found("and examples too", text), "and exam\u00ad\nples too");
});

Deno.test("find() returns the first position and skips matches within a word", () => {
  const finder = new PassageFinder("the concat sat. The cat sat, the cat sat.");
  assert.deepEqual(finder.find("cat sat"), { start: 20, end: 27 });
});

const WORD = fc.stringMatching(/^[a-zéß]{1,8}$/);
const WORDS = fc.array(WORD, { minLength: 6, maxLength: 40 });
const GAP = fc.constantFrom(" ", "\n", "  ", " \n ", "\u00a0", "\t", " \u200b");

Deno.test("find() finds every run of words at its position, whatever the layout", () => {
  fc.assert(
    fc.property(WORDS, fc.nat(), fc.nat(), fc.infiniteStream(GAP), fc.infiniteStream(fc.nat(9)), (
      words,
      from,
      count,
      gaps,
      breaks,
    ) => {
      const laidOut = words.map((word) => {
        const at = breaks.next().value;
        return at > 0 && at < word.length ? `${word.slice(0, at)}-\n${word.slice(at)}` : word;
      });
      const text = laidOut.map((word) => word + gaps.next().value).join("");
      const first = from % (words.length - 3);
      const run = words.slice(first, first + 3 + count % (words.length - first - 2));
      const place = new PassageFinder(text).find(run.join(" "));
      assert.ok(place !== undefined);
      const there = text.slice(place.start, place.end);
      assert.equal(
        there.replace(/-\n/g, "").split(/[\s\u200b]+/u).join(" ").toLowerCase(),
        run.join(" ").toLowerCase(),
      );
      const lone = new Set(words).size === words.length;
      if (lone) assert.equal(place.start, laidOutStart(text, laidOut, first));
      const quoted = run.map((word) => word + gaps.next().value).join("");
      assert.deepEqual(new PassageFinder(text).find(quoted), place);
    }),
  );
});

function laidOutStart(text: string, words: readonly string[], index: number): number {
  let at = 0;
  for (const word of words.slice(0, index)) at = text.indexOf(word, at) + word.length;
  return text.indexOf(words[index]!, at);
}

Deno.test("find() finds no run with a replaced word", () => {
  fc.assert(
    fc.property(WORDS, fc.nat(), (words, at) => {
      const finder = new PassageFinder(words.join(" "));
      const changed = words.with(at % words.length, "zzzzzzzzz");
      assert.equal(finder.find(changed.join(" ")), undefined);
    }),
  );
});

Deno.test("find() accepts any text and passage, and its results are in the text", () => {
  const anyText = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(anyText, anyText, (text, passage) => {
      const place = new PassageFinder(text).find(passage);
      if (place === undefined) return;
      assert.ok(0 <= place.start && place.start < place.end && place.end <= text.length);
      const there = passageKey(text.slice(place.start, place.end));
      assert.equal(there.toLowerCase(), passageKey(passage).toLowerCase());
    }),
    { numRuns: 500 },
  );
});

Deno.test("find() reads a paper of millions of characters once for hundreds of passages", () => {
  const unit = "A line of words with num-\nbers like 2,017 and “marks” in it, ﬁnally. ";
  const text = `${unit.repeat(30_000)}Only here is this said. ${unit.repeat(30_000)}`;
  const finder = new PassageFinder(text);
  const start = text.indexOf("Only");
  for (let count = 0; count < 200; count++) {
    assert.deepEqual(finder.find("only here is this said"), { start, end: start + 22 });
    assert.equal(finder.find(`only here is that said ${count}`), undefined);
  }
});

Deno.test("find() reads long runs of one character once", () => {
  for (
    const unit of ["\u00ad", " ", "-", "\u200b", "\u0301", "“", "ﬁ", " \u00ad", "a-\n", "\n- "]
  ) {
    const text = `some words${unit.repeat(100_000)} and more words`;
    const start = text.lastIndexOf("more");
    assert.equal(new PassageFinder(text).find("more words")?.start, start);
  }
});

Deno.test("wordWeight() counts words by white space, and two characters of other scripts as one word", () => {
  assert.equal(wordWeight("state-of-the-art models — win"), 3);
  assert.equal(wordWeight("这是一个很好"), 3);
  assert.equal(wordWeight("… — ()"), 0);
});
