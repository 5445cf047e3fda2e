import assert from "node:assert/strict";
import { shortTitle, TITLE_LENGTH, titleIn } from "../../../src/papers/text/check_paper.ts";

const MARKDOWN: readonly (readonly [what: string, text: string, title: string | undefined])[] = [
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

for (const [what, text, title] of MARKDOWN) {
  Deno.test(`titleIn() finds in markdown: ${what}`, () =>
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
  ["nothing but dots", "...", undefined],
  ["nothing but numbers", "1234\n", undefined],
];

for (const [what, text, title] of PLAIN) {
  Deno.test(`titleIn() takes for the title of a plain text: ${what}`, () =>
    assert.equal(titleIn(text, { markdown: false }), title));
}

Deno.test("shortTitle() makes one line of at most 500 code points", () => {
  assert.equal(shortTitle(" A\u0000title\r\n\u2028of  lines\ud800 "), "A title of lines\ufffd");
  const short = shortTitle("😀".repeat(600));
  assert.equal([...short].length, TITLE_LENGTH);
  assert.ok(short.endsWith("😀…"));
});
