// Papers: checks, titles, ids, and the part that prompts show.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigurationError, PaperError } from "../../../src/core/error.ts";
import {
  checkPaper,
  checkPapers,
  type PaperDraft,
  paperId,
  shortTitle,
  TITLE_LENGTH,
  titleIn,
} from "../../../src/papers/text/check_paper.ts";
import { excerptsOf } from "../../../src/papers/text/excerpt.ts";
import { anyCharacter } from "../../support/any_character.ts";

const TEXT = "Rest helps. Everyone says so.";

Deno.test("checkPaper() leaves a valid paper unchanged", () => {
  const paper = { id: "paper-123", title: "My Research Paper", text: TEXT, pages: [0, 12] };
  assert.deepEqual(checkPaper(paper), paper);
});

Deno.test("checkPaper() accepts a text without quotable words and rejects an empty one", () => {
  assert.equal(checkPaper({ id: "p", title: "T", text: "..." }).text, "...");
  for (const text of ["", " \n\t ", "\u0000\u0001", "\ufeff"]) {
    assert.throws(
      () => checkPaper({ id: "p", title: "Rest", text }),
      (error: unknown) =>
        error instanceof PaperError && error.code === "paper_unreadable" &&
        /"Rest": its text is empty/.test(error.message),
    );
  }
});

Deno.test("checkPaper() derives a title and an id when they are missing", () => {
  assert.deepEqual(checkPaper({ text: `# Rest & care\n\n${TEXT}` }), {
    id: "Rest-care",
    title: "Rest & care",
    text: `# Rest & care\n\n${TEXT}`,
  });
  const unseen = checkPaper({ text: `# \u200b\n\n${TEXT}` });
  assert.deepEqual([unseen.id, unseen.title], ["paper", "paper"]);
  assert.deepEqual(checkPaper({ title: " ", text: TEXT }), {
    id: "paper",
    title: "paper",
    text: TEXT,
  });
  assert.equal(checkPaper({ title: "A\ntitle\u0007", text: TEXT }).title, "A title");
});

Deno.test("checkPaper() rejects values that are not papers, with a remedy", () => {
  const cases: readonly (readonly [draft: object, says: RegExp])[] = [
    [{ id: "p", title: "T" }, /"T": it has no text/],
    [{ id: 5, title: "T", text: TEXT }, /"T": its id is not a string/],
    [{ id: "p", title: 5, text: TEXT }, /"p": its title is not a string/],
    [{ id: "p", title: "\u200b" }, /"p": it has no text/],
    [{ title: `${"t".repeat(98)}🌳${"t".repeat(9)}` }, /"t{98}🌳…": it has no text/u],
    [{ id: "p", title: "t".repeat(501), text: TEXT }, /its title has 501 characters, at most 500/],
    [{ id: "p", title: "T", text: TEXT, pages: [0, 9, 8] }, /its pages are not increasing offsets/],
    [{ id: "p", title: "T", text: TEXT, pages: [0, 1.5] }, /its pages are not increasing offsets/],
    [{ id: "p", title: "T", text: TEXT, pages: [0, 99] }, /its pages are not increasing offsets/],
    [{ id: "p", title: "T", text: TEXT, pages: "12" }, /its pages are not increasing offsets/],
  ];
  for (const [draft, says] of cases) {
    assert.throws(
      () => checkPaper(draft as PaperDraft),
      (error: unknown) =>
        error instanceof ConfigurationError && says.test(error.message) &&
        error.field === "papers" && error.hint !== undefined,
    );
  }
});

Deno.test("checkPaper() rejects more than five million characters", () => {
  assert.equal(checkPaper({ id: "p", text: "a".repeat(5_000_000) }).text.length, 5_000_000);
  assert.throws(
    () => checkPaper({ id: "p", text: "a".repeat(5_000_001) }),
    /^PaperError: Cannot use paper "p": it has more than 5,000,000 characters$/,
  );
});

Deno.test("checkPapers() separates papers with the same id, ignoring case", () => {
  const papers = ["rest", "Rest", "rest", "rest-2", "x".repeat(64), "x".repeat(64)]
    .map((id) => ({ id, title: "T", text: TEXT }));
  assert.deepEqual(checkPapers(papers).map(({ id }) => id), [
    "rest",
    "Rest-2",
    "rest-3",
    "rest-2-2",
    "x".repeat(64),
    `${"x".repeat(62)}-2`,
  ]);
});

const NAMES: readonly (readonly [name: string, id: string])[] = [
  ["paper-123", "paper-123"],
  ["A.b_c-9", "A.b_c-9"],
  ["../../etc/passwd", "etc-passwd"],
  ["..", "paper"],
  ["", "paper"],
  ["Überstunden & Schlaf (2019)", "Uberstunden-Schlaf-2019"],
  ["論文", "paper"],
  ["a\u0000b\nc\u202ed", "a-b-c-d"],
  ["<script>alert(1)</script>", "script-alert-1-script"],
];

for (const [name, id] of NAMES) {
  Deno.test(`paperId() makes ${JSON.stringify(name)} ${id}`, () => assert.equal(paperId(name), id));
}

Deno.test("paperId() makes a valid id of any name, and the same id of that id", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (name) => {
    const id = paperId(name);
    assert.match(id, /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);
    assert.equal(paperId(id), id);
  }));
});

const TITLED: readonly (readonly [what: string, text: string, title: string | undefined])[] = [
  ["front matter", '---\nauthor: A\ntitle: "Rest: a study"\n---\n# Other', "Rest: a study"],
  ["front matter on several lines", "---\ntitle: >-\n  A long\n  title\n...\n", "A long title"],
  ["a heading after front matter without a title", "---\ndate: 2026\n---\n\n# Rest", "Rest"],
  ["a heading after front matter that is no YAML", "---\n: [\n---\n# Rest", "Rest"],
  ["a heading where the title is no text", "---\ntitle: [a]\n---\n# Rest", "Rest"],
  ["the first heading of the first level", "## Draft\n\nWords.\n\n# Rest #\n\n# More", "Rest"],
  ["the first heading of any level", "Words before.\n\n### Rest\n\n## More", "Rest"],
  [
    "a heading without its marks",
    "# **Rest** in [`care`](http://x.example)<br>H<sub>2</sub>O _now_",
    "Rest in care H2O now",
  ],
  ["a heading that is underlined", "Rest in care\n============\n", "Rest in care"],
  ["a heading outside of code", "```\n# no\n```\n\n~~~\n# no\n```\n~~~\n\n# Rest", "Rest"],
  ["the first line, where there is no heading", "Rest in care\n\nWords.", "Rest in care"],
  ["nothing in an empty heading", "#\n##  \n", undefined],
];

for (const [what, text, title] of TITLED) {
  Deno.test(`titleIn() finds the title in markdown: ${what}`, () =>
    assert.equal(titleIn(text, { markdown: true }), title));
}

const PLAIN: readonly (readonly [what: string, text: string, title: string | undefined])[] = [
  ["its first line", "\n\n  Rest in care  \nAda Author\n", "Rest in care"],
  ["a question", "Does rest help?\n", "Does rest help?"],
  ["words of another script", "休息与护理\n", "休息与护理"],
  ["no sentence", "Nurses who rest make fewer errors.\n\nMore.", undefined],
  ["no line of a paragraph", "Nurses who rest make\nfewer errors than others", undefined],
  ["no line that is too long", `${"word ".repeat(60)}\n`, undefined],
  ["no markup", "\\documentclass{article}\n", undefined],
  [
    "the title of LaTeX, without commands, notes and comments",
    "%\\title{Old}\n\\documentclass{article}\n\\title[Rest]{Rest \\& \\emph{Care}:\\\\ % draft\n  50\\% Fewer~Errors\\thanks{To X.}}\n",
    "Rest & Care: 50% Fewer Errors",
  ],
  ["nothing but dots", "...", undefined],
  ["nothing but numbers", "1234\n", undefined],
];

for (const [what, text, title] of PLAIN) {
  Deno.test(`titleIn() finds the title of plain text: ${what}`, () =>
    assert.equal(titleIn(text, { markdown: false }), title));
}

Deno.test("shortTitle() returns one line of at most 500 code points", () => {
  assert.equal(shortTitle(" A\u0000title\r\n\u2028of  lines\ud800 "), "A title of lines\ufffd");
  const short = shortTitle("😀".repeat(600));
  assert.equal([...short].length, TITLE_LENGTH);
  assert.ok(short.endsWith("😀…"));
});

const BODY = "The count rose in most of the streets that we looked at, and fell in a few of them. ";

/** Returns a paper with sections of 1,680 characters each, as markdown or as the text of a PDF. */
function paperOf(headings: readonly string[]): { text: string } {
  return {
    text: headings.map((heading) => `${heading}\n\n${BODY.repeat(20).trim()}`).join("\n\n"),
  };
}

const MARKDOWN = paperOf([
  "# An evaluation of streets",
  "## Introduction",
  "## Related work",
  "## Evaluation",
  "### Setup of the streets",
  "## Conclusions",
  "## References",
]);
const PDF = paperOf([
  "An evaluation of streets",
  "1 Introduction",
  "2 Related work",
  "5 Evaluation",
  "5.1 Setup of the streets",
  "6. Conclusions",
  "References",
]);

/** Returns the number of sentences under each heading. */
function shownOf(text: string): number[] {
  return text.split(/^(?:#+ |\d[\d.]* )?(?:An|Int|Rel|Eval|Setup|Concl|Ref)\S*.*$/m).slice(1)
    .map((part) => part.split("The count rose").length - 1);
}

for (const [name, paper] of Object.entries({ markdown: MARKDOWN, PDF })) {
  Deno.test(`excerptsOf() keeps headings, and sections on results and conclusions, of ${name}`, () => {
    const [{ text, leftOut } = assert.fail()] = excerptsOf([paper], 9000, "sections");
    const [title, introduction, related, evaluation, setup, conclusions, references] = shownOf(
      text,
    );
    assert.deepEqual([evaluation, setup, conclusions], [20, 20, 20]);
    assert.equal(title, 20);
    assert.equal(introduction, 20);
    assert.ok(related! < 20 && references! < 20, `${related}, ${references}`);
    const marks = [...text.matchAll(/\[(\d+) characters of the paper are left out here\]/g)];
    assert.equal(marks.reduce((sum, [, count]) => sum + Number(count), 0), leftOut);
    assert.ok(paper.text.length - leftOut <= 9000);
  });

  Deno.test(`excerptsOf() keeps only the start if configured, of ${name}`, () => {
    const [{ text, leftOut } = assert.fail()] = excerptsOf([paper], 2000, "start");
    assert.ok(paper.text.startsWith(text));
    assert.equal(text.length + leftOut, paper.text.length);
  });
}

Deno.test("excerptsOf() keeps whole papers and gives the unused share of short ones to the others", () => {
  const short = { text: BODY.trim() };
  const [first, second] = excerptsOf([short, MARKDOWN], 5000, "sections");
  assert.deepEqual(first, { text: short.text, leftOut: 0 });
  assert.ok(MARKDOWN.text.length - second!.leftOut > 4000);
  assert.deepEqual(excerptsOf([MARKDOWN], 20_000, "sections"), [{
    text: MARKDOWN.text,
    leftOut: 0,
  }]);
});

Deno.test("excerptsOf() respects its limit, however many headings a paper has", () => {
  const many = paperOf(Array.from({ length: 300 }, (_, at) => `## Results ${at}`));
  for (const limit of [0, 50, 1000, 30_000]) {
    const [{ leftOut } = assert.fail()] = excerptsOf([many], limit, "sections");
    assert.ok(many.text.length - leftOut <= limit, String(limit));
  }
});
