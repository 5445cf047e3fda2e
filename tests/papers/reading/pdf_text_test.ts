// Text of PDF pages from positioned lines.
import assert from "node:assert/strict";
import { pdfTitle } from "../../../src/papers/reading/pdf_reader.ts";
import {
  hyphenAt,
  isDivided,
  type PdfLine,
  type PdfPage,
  textOf,
  vocabularyOf,
} from "../../../src/papers/reading/pdf_text.ts";

/** Layout of pages: letters of 10 points, 5 wide, on lines 12 apart. */
const HEIGHT = 800;

function line(text: string, x: number, y: number, more: Partial<PdfLine> = {}): PdfLine {
  const { size = 10, turn = 0 } = more;
  return {
    text,
    x,
    y,
    end: x + text.length * size / 2,
    size,
    turn,
    fonts: new Set(["body"]),
    ...more,
  };
}

function page(...lines: readonly PdfLine[]): PdfPage {
  return { lines, height: HEIGHT };
}

/** Returns a column of full lines. */
function column(name: string, x: number, top: number, lines: number): PdfLine[] {
  return Array.from(
    { length: lines },
    (_, at) => line(`${name}${at}`.padEnd(40, name), x, top + 12 * at),
  );
}

const read = (...pages: readonly PdfPage[]) => textOf(pages).text;

Deno.test("textOf() keeps the order of the file", () => {
  const columns = [...column("a", 50, 80, 5), ...column("b", 270, 80, 5)];
  const sidebar = [line("Received 12 May", 50, 300), line("A sample was grown here.", 270, 300)];
  const order = read(page(...columns, ...sidebar)).match(/Received|A sample|[ab]\d/g);
  const of = (name: string) => Array.from({ length: 5 }, (_, at) => `${name}${at}`);
  assert.deepEqual(order, [...of("a"), ...of("b"), "Received", "A sample"]);
});

Deno.test("textOf() keeps intended line breaks, as in tables and references", () => {
  const rows = ["Ward Errors", "North 12", "South 9"].map((text, at) =>
    line(text, 50, 60 + 12 * at)
  );
  const numbered = [
    "[1] Smith. A long title that is broken over the",
    "line and ends here, on the second of the lines.",
    "[2] Jones. Another one that fills its line well.",
  ].map((text, at) => line(text, 50, 200 + 12 * at));
  const hanging = [
    line("Smith, A. (1990). A title that is broken over", 50, 300),
    line("more than one line, which stands in a little.", 62, 312),
    line("Tanaka, B. (1991). Another one that is broken", 50, 324),
    line("over more than one line and stands in, like 1.", 62, 336),
  ];
  const [table, first, second] = read(page(...rows, ...numbered, ...hanging)).split("\n\n");
  assert.equal(table, "Ward Errors\nNorth 12\nSouth 9");
  assert.deepEqual(first!.split("\n").map((each) => each.slice(0, 9)), ["[1] Smith", "[2] Jones"]);
  assert.deepEqual(second!.split("\n").map((each) => each.slice(0, 5)), ["Smith", "Tanak"]);
});

Deno.test("textOf() keeps an item of a list together, whose second line is indented, and separates items after an address", () => {
  for (const marks of [["[1]", "[2]"], ["1.", "2."]]) {
    const rows = [
      line(`${marks[0]} Kuhn, D. (1991). The skills of an argument.`, 50, 200),
      line("Cambridge University Press, https://a.example/1", 64, 212),
      line(`${marks[1]} Reason, J. (1990). Human error in general.`, 50, 224),
    ];
    assert.deepEqual(read(page(...rows)).split("\n"), [
      `${rows[0]!.text} ${rows[1]!.text}`,
      rows[2]!.text,
    ]);
  }
});

Deno.test("textOf() keeps the lines of a table of contents", () => {
  const contents = [
    "1 Introduction 3",
    "1.1 The trial . . . . . . . 4",
    "1.2 The firms . . . . . . . 5",
  ];
  const lines = contents.map((text, at) => line(text, 50, 60 + 12 * at, { end: 300 }));
  assert.equal(read(page(...lines)), contents.join("\n"));
});

Deno.test("textOf() joins lines of Chinese and Japanese without a space", () => {
  const joined = (first: string, second: string) =>
    read(page(line(first, 50, 60, { end: 300 }), line(second, 50, 72, { end: 300 })));
  assert.equal(
    joined("结果不能推广到重工", "业。小公司的改善"),
    "结果不能推广到重工业。小公司的改善",
  );
  assert.equal(joined("我们发现收入增长了", "1.4%，而离职率"), "我们发现收入增长了1.4%，而离职率");
  assert.equal(joined("四天工作制参见", "Schor 等人"), "四天工作制参见 Schor 等人");
});

Deno.test("textOf() joins an address that is divided after a sign, and no sentence to the address before it", () => {
  const cases = [
    ["version 1, URL http://CRAN.", "R-project.org/package=minqa.", ""],
    ["of Statistics, doi:10.1111/j.1468-0084.", "1987.mp49004006.x.", ""],
    ["is in the archive, https:", "//trees.example/ash.", ""],
    ["as in https://trees.example/oak/", "leaves/2.", ""],
    ["is at https://trees.example/oak.", "Others differ.", " "],
    ["is at https://trees.example/oak/", "and elsewhere.", " "],
    ["in the first of the trials.", "R-project.org is older.", " "],
  ];
  for (const [first, second, joint] of cases) {
    const lines = [line(first!, 50, 60, { end: 300 }), line(second!, 50, 72, { end: 300 })];
    assert.equal(read(page(...lines)), `${first}${joint}${second}`);
  }
});

Deno.test("textOf() leaves out what is repeated along the edge of pages, and reads a turned line apart", () => {
  const note = line("Downloaded from a library on 12 May", 50, 312, { turn: 9 });
  const pages = ["first", "second", "third"].map((name) =>
    page(line(`The ${name} text.`, 50, 300), note)
  );
  assert.equal(read(...pages), "The first text.\n\nThe second text.\n\nThe third text.");
  const [first] = pages;
  assert.equal(read(first!), "The first text.\n\nDownloaded from a library on 12 May");
});

Deno.test("textOf() joins a word that is divided at a column's end and keeps a compound's hyphen", () => {
  const divided = [
    line("and so the left one ends within a transc-", 50, 128),
    line("ription that goes on in the column beside mixed-", 270, 80),
    line("mode execution and a well-", 270, 92),
    line("established rule.", 270, 104),
  ];
  assert.match(
    read(page(...column("a", 50, 80, 4), ...divided)),
    /a transcription that goes on in the column beside mixed-mode execution and a well-established/,
  );
});

Deno.test("textOf() moves figures and tables at the top of a column behind the sentence that they divide", () => {
  const left = [...column("a", 50, 80, 4), line("A lab may keep 34.4", 50, 600)];
  const right = (row: string, next = "of its staff, and it will then") => [
    line("Table 2: Errors in all wards.", 280, 80),
    line("Ward Errors", 290, 92),
    line(row, 290, 124),
    line(next, 270, 160),
    line("hire nobody. We saw this twice.", 270, 172),
    ...column("b", 270, 184, 20),
  ];
  const text = read(page(...left, ...right("north wing 12")));
  assert.match(
    text,
    /keep 34\.4 of its staff, and it will then\shire nobody\. We saw this twice\.\n/,
  );
  assert.match(text, /twice\.\n+Table 2: Errors in all wards\.\s+Ward Errors\s+north wing 12\s+b0/);
  const whole = [...column("a", 50, 80, 4), line("A lab may keep it.", 50, 600)];
  assert.match(read(page(...whole, ...right("North 12"))), /keep it\.\n\nTable 2/);
  // The sentence continues with a name; the paragraph after a formula does not continue it.
  const named = right(
    "North 12",
    "Meier and Shah (Table 2, 2002) found that this holds in all wards:",
  );
  const formula = [line("y = ax", 300, 460), line("where a is the number of errors.", 270, 490)];
  assert.match(read(page(...left, ...named, ...formula)), /keep 34\.4\n\nTable 2/);
});

Deno.test("textOf() omits headers, and chapter names with page numbers", () => {
  const pages = Array.from({ length: 9 }, (_, at) =>
    page(
      line(at % 2 === 0 ? "Sleep and care" : "Smith and Jones", 50, 30),
      line(`Chapter ${at < 4 ? "one" : "two"} ${at + 11}`, 400, 42),
      line(`Of page ${at} this is the text, a sentence.`, 50, 100),
      line("It goes on with a second line, as texts do.", 50, 112),
      // As high as in LaTeX's articles on A4.
      line(`- ${at + 11} -`, 250, 668),
    ));
  const { text, pages: starts } = textOf(pages);
  assert.doesNotMatch(text, /Sleep|Smith|Chapter|\d\d/);
  assert.deepEqual(starts.map((start) => text.slice(start, start + 9)), [
    ...Array(9).keys().map((at) => `Of page ${at}`),
  ]);
});

Deno.test("textOf() keeps numbers and lines near an edge that neither count pages nor repeat", () => {
  const pages = [7, 3, 5].map((number) =>
    page(
      line(`Table ${number}`, 50, 30),
      line("These are words of the text.", 50, 100),
      line(`${number * 11}`, 50, 780),
    )
  );
  assert.equal(read(...pages).match(/Table \d|\d\d/g)?.length, 6);
  // An index, in which the numbers of a few pages count by chance.
  const index = Array.from({ length: 80 }, (_, at) => {
    const number = at % 30 === 7 ? at + 5 : at * 3 + 200;
    return page(line("These are words of the text.", 50, 100), line(`memory, ${number}`, 50, 780));
  });
  assert.equal(read(...index).match(/memory, \d/g)?.length, 80);
});

Deno.test("textOf() takes a word such as Introduction into a title, unless a gap makes it a heading", () => {
  const titleOf = (first: string, second: string, y: number) =>
    textOf([
      page(
        line(first, 50, 60, { size: 20 }),
        line(second, 50, y, { size: 20 }),
        ...column("a", 50, 150, 9),
      ),
    ]).title;
  assert.equal(titleOf("A Gentle", "Introduction", 85), "A Gentle Introduction");
  assert.equal(titleOf("Abstract", "Interpretation", 85), "Abstract Interpretation");
  assert.equal(titleOf("On Sleep", "Introduction", 100), "On Sleep");
});

Deno.test("textOf() omits labels in figures: runs of short lines in a font that no text has", () => {
  const plot = { fonts: new Set(["plot"]), size: 8 };
  const labels = ["0.0", "0.5", "1.0", "Years post diagnosis", "Survival"]
    .map((text, at) => line(text, 60, 200 + 12 * at, plot));
  const before = line("The curves differ between the women and men of", 50, 100);
  const after = line("this study, and other words follow after the plot.", 50, 300);
  assert.doesNotMatch(read(page(before, ...labels, after)), /Years|Survival|0\.5/);
  // A map with 40,000 labels would take minutes if each label looked through all.
  const map = Array.from({ length: 8000 }, () => labels).flat();
  assert.doesNotMatch(read(page(before, ...map, after)), /Years|Survival|0\.5/);
  // Three short lines may be a heading, a formula and its number.
  assert.match(read(page(before, ...labels.slice(0, 3), after)), /0\.5/);
  const code = labels.map((each) => ({ ...each, fonts: new Set(["body"]) }));
  assert.match(read(page(before, ...code, after)), /Years post diagnosis/);
});

Deno.test("textOf() is empty for an empty page", () => {
  assert.deepEqual(textOf([]), { text: "", pages: [], title: undefined });
  assert.deepEqual(textOf([page(), page()]), { text: "", pages: [0, 0], title: undefined });
});

Deno.test("pdfTitle() accepts a plausible title, on one line", () => {
  for (
    const title of [
      "Sleep and care",
      "Templates in typesetting",
      "Document retrieval",
      "Sleep",
      "睡眠",
      "A study of .pdf files",
    ]
  ) assert.equal(pdfTitle(title), title);
  assert.equal(pdfTitle(" Sleep\r\n and\u0000care "), "Sleep and care");
  assert.equal(pdfTitle('Diners: <Emphasis Type="Italic">Who paid</Emphasis>'), "Diners: Who paid");
  assert.equal(pdfTitle("Proofs for List<T>"), "Proofs for List<T>");
});

Deno.test("pdfTitle() rejects titles that programs write", () => {
  for (
    const title of [
      "",
      " \u0000",
      "untitled",
      "Untitled document 3",
      "Microsoft Word - draft 3 final.doc",
      "draft final.docx",
      "main.tex",
      "C:\\papers\\my paper",
      "/home/papers/rest",
      "paper_v2_final",
      "PII: 0009-2614(90)80012-3",
      "Title",
      "12 345",
      "t".repeat(600),
    ]
  ) assert.equal(pdfTitle(title), undefined, title);
});

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

Deno.test("vocabularyOf() omits words that are divided at line ends", () => {
  const count = vocabularyOf(["The well-known rest-", "ing Nurse rests", "and rests."]);
  assert.deepEqual(Object.fromEntries(count), {
    the: 1,
    "well-known": 1,
    nurse: 1,
    rests: 2,
    and: 1,
  });
});

Deno.test("isDivided() distinguishes a hyphen from a dash", () => {
  assert.ok(!isDivided("a dash -"));
  assert.ok(!isDivided("a dash –"));
  assert.ok(!isDivided("no hyphen"));
});
