import assert from "node:assert/strict";
import { excerptsOf } from "../../../src/papers/text/excerpt.ts";

const BODY = "The count rose in most of the streets that we looked at, and fell in a few of them. ";

/** A paper of sections with 1,680 characters each, as markdown or as the text of a PDF. */
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

/** The number of sentences under each heading. */
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

  Deno.test(`excerptsOf() keeps the start alone where that is asked for, of ${name}`, () => {
    const [{ text, leftOut } = assert.fail()] = excerptsOf([paper], 2000, "start");
    assert.ok(paper.text.startsWith(text));
    assert.equal(text.length + leftOut, paper.text.length);
  });
}

Deno.test("excerptsOf() keeps whole papers, and gives the share of short ones to the others", () => {
  const short = { text: BODY.trim() };
  const [first, second] = excerptsOf([short, MARKDOWN], 5000, "sections");
  assert.deepEqual(first, { text: short.text, leftOut: 0 });
  assert.ok(MARKDOWN.text.length - second!.leftOut > 4000);
  assert.deepEqual(excerptsOf([MARKDOWN], 20_000, "sections"), [{
    text: MARKDOWN.text,
    leftOut: 0,
  }]);
});

Deno.test("excerptsOf() never passes its limit, however many headings a paper has", () => {
  const many = paperOf(Array.from({ length: 300 }, (_, at) => `## Results ${at}`));
  for (const limit of [0, 50, 1000, 30_000]) {
    const [{ leftOut } = assert.fail()] = excerptsOf([many], limit, "sections");
    assert.ok(many.text.length - leftOut <= limit, String(limit));
  }
});
