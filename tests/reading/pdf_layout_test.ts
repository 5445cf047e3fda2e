import assert from "node:assert/strict";
import { layOut, type PdfSheet } from "../../src/papers/reading/pdf_layout.ts";
import type { PdfItem, PdfPage } from "../../src/papers/reading/pdf_page.ts";

/** What pages are set in here: letters of 10 points, 5 wide, on lines 12 apart. */
const HEIGHT = 800;

function run(text: string, x: number, y: number, more: Partial<PdfItem> = {}): PdfItem {
  const { size = 10 } = more;
  const width = text.length * size / 2;
  return { text, x, y, width, size, rightToLeft: false, spaceAfter: false, ...more };
}

function page(...items: readonly PdfItem[]): PdfPage {
  return { items, height: HEIGHT };
}

function textOf(...sheets: readonly PdfSheet[]): string {
  return layOut(sheets).text;
}

/** A column of lines that are as wide as it is. */
function column(name: string, x: number, top: number, lines: number): PdfItem[] {
  return Array.from(
    { length: lines },
    (_, at) => run(`${name}${at}`.padEnd(40, name), x, top + 12 * at),
  );
}

Deno.test("layOut() puts a line together from its runs, in whatever order they come", () => {
  const items = [run("sleep", 85, 100), run("Nurses", 50, 100), run("ing", 110, 100.3)];
  assert.equal(textOf([page(...items)]), "Nurses sleeping");
  const spaced = [run("Nurses", 50, 100, { spaceAfter: true }), run("sleep", 80.5, 100)];
  assert.equal(textOf([page(...spaced)]), "Nurses sleep");
});

Deno.test("layOut() leaves notes above a line in it, and reads what is drawn twice once", () => {
  const note = run("12", 85, 96.5, { size: 6 });
  const bold = run("Results.", 94, 100.1);
  const items = [run("Methods", 50, 100), note, bold, { ...bold, x: 94.3 }];
  assert.equal(textOf([page(...items)]), "Methods12 Results.");
});

Deno.test("layOut() reads a line of a right-to-left script from the right", () => {
  const items = ["أول", "ثان", "ثالث"].map((text, at) =>
    run(text, 200 - 40 * at, 100, { rightToLeft: true })
  );
  assert.equal(textOf([page(...items)]), "أول ثان ثالث");
});

Deno.test("layOut() reads two columns between lines that go across both", () => {
  const items = [
    run("A title that goes across both of the columns below it and that is long", 60, 50),
    ...column("a", 50, 80, 5),
    ...column("b", 270, 83, 5),
    run("A figure's words, which go across both of the columns, too, as they are", 60, 170),
    ...column("c", 50, 200, 5),
    ...column("d", 270, 203, 5),
  ];
  const order = textOf([page(...items)]).match(/A (?:title|figure)|[abcd]\d/g);
  const of = (name: string) => Array.from({ length: 5 }, (_, at) => `${name}${at}`);
  assert.deepEqual(order, ["A title", ...of("a"), ...of("b"), "A figure", ...of("c"), ...of("d")]);
});

Deno.test("layOut() reads a table row by row, each on a line of its own", () => {
  const rows = [["Ward", "Errors"], ["North", "12"], ["South", "9"], ["East", "30"], ["West", "4"]];
  const items = rows.flatMap(([name, errors], at) => [
    run(name!, 50, 100 + 12 * at),
    run(errors!, 300, 100 + 12 * at),
  ]);
  assert.equal(textOf([page(...items)]), rows.map((row) => row.join(" ")).join("\n"));
});

Deno.test("layOut() keeps references on lines of their own", () => {
  const numbered = [
    "[1] Smith. A long title that is broken over the",
    "line and ends here, on the second of the lines.",
    "[2] Jones. Another one that fills its line well.",
  ].map((text, at) => run(text, 50, 100 + 12 * at));
  const hanging = [
    run("Smith, A. (1990). A title that is broken over", 50, 300),
    run("more than one line, which stands in a little.", 62, 312),
    run("Tanaka, B. (1991). Another one that is broken", 50, 324),
    run("over more than one line and stands in, like 1.", 62, 336),
    run("Usman, C. (1992). The last of the references.", 50, 348),
  ];
  const [first, second] = textOf([page(...numbered, ...hanging)]).split("\n\n");
  assert.deepEqual(first!.split("\n").map((line) => line.slice(0, 9)), ["[1] Smith", "[2] Jones"]);
  assert.deepEqual(second!.split("\n").map((line) => line.slice(0, 5)), [
    "Smith",
    "Tanak",
    "Usman",
  ]);
});

Deno.test("layOut() joins a word that a column's end divides", () => {
  const left = column("a", 50, 80, 5);
  const items = [
    ...left.with(4, run("and so the left one ends within a transc-", 50, 128)),
    run("ription that goes on in the column beside", 270, 80),
    ...column("b", 270, 92, 4),
  ];
  assert.match(textOf([page(...items)]), /within a transcription that goes on/);
});

Deno.test("layOut() leaves out headers that odd and even pages have, and chapters with page numbers", () => {
  const sheets = Array.from({ length: 9 }, (_, at): PdfSheet => [page(
    run(at % 2 === 0 ? "Sleep and care" : "Smith and Jones", 50, 30),
    run(`Chapter ${at < 4 ? "one" : "two"} ${at + 11}`, 400, 42),
    run(`Of page ${at} this is the text, a sentence.`, 50, 100),
    run("It goes on with a second line, as texts do.", 50, 112),
    run(`- ${at + 11} -`, 250, 780),
  )]);
  const { text, pages } = layOut(sheets);
  assert.doesNotMatch(text, /Sleep|Smith|Chapter|\d\d/);
  assert.equal(text.match(/Of page \d/g)?.length, 9);
  assert.deepEqual(pages.map((start) => text.slice(start, start + 9)), [
    ...Array(9).keys().map((at) => `Of page ${at}`),
  ]);
});

Deno.test("layOut() keeps numbers and lines near an edge that count nothing and are not repeated", () => {
  const sheets = [7, 3, 5].map((number): PdfSheet => [page(
    run(`Table ${number}`, 50, 30),
    run("These are words of the text.", 50, 100),
    run(`${number * 11}`, 50, 780),
  )]);
  assert.deepEqual(textOf(...sheets).match(/Table \d|\d\d/g), [
    "Table 7",
    "77",
    "Table 3",
    "33",
    "Table 5",
    "55",
  ]);
});

Deno.test("layOut() reads what runs in another direction after the rest of its page", () => {
  const sheet: PdfSheet = [
    page(run("The text of the page.", 50, 100)),
    page(run("A stamp at its side.", 20, 10)),
  ];
  assert.equal(
    textOf(sheet, [page(run("Next page.", 50, 100))]),
    [
      "The text of the page.",
      "A stamp at its side.",
      "Next page.",
    ].join("\n\n"),
  );
});

Deno.test("layOut() is empty where nothing is", () => {
  assert.deepEqual(layOut([]), { text: "", pages: [], title: undefined });
  assert.deepEqual(layOut([[page()], [page()]]), { text: "", pages: [0, 0], title: undefined });
});

Deno.test("layOut() reads what stands far outside of a page", () => {
  const items = column("a", 50, 80, 6).map((item, at) => ({ ...item, x: at * 1e9 }));
  assert.equal(textOf([page(...items)]).match(/a\d/g)?.length, 6);
});
