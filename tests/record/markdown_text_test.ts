// Escaping of untrusted text for a line of markdown.
import assert from "node:assert/strict";
import fc from "fast-check";
import markdownIt from "markdown-it";
import { plainLine } from "../../src/core/text.ts";
import { hasAllEscapes, markdownText } from "../../src/record/frontmatter.ts";
import { hostileText } from "./support/hostile_text.ts";

/** Markdown renderer with all extensions: HTML, tables, bare links, struck words. */
const READER = markdownIt({ html: true, linkify: true }).enable(["table", "strikethrough"]);

/** Places of a text in the pages of a record. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  heading: (text) => `# ${text}\n\n## Scores: ${text}\n`,
  item: (text) => `- ${text}\n- **${text}** (${text}): “${text}”; ${text}; *${text}*.\n`,
  paragraph: (text) => `${text}\n\nA line.\n${text}\n`,
  label: (text) => `[${text}](messages/001.md) ${text} [2](messages/002.md) (${text})\n`,
  cell: (text) => `| a | b |\n| --- | --- |\n| ${text} | ${text} |\n| ${text} | [1](x.md) |\n`,
  quotation: (text) => `> ${text}\n`,
};

/** Renders a page as its tags, and its text with single spaces. */
function rendered(markdown: string): { tags: string[]; text: string } {
  const html = READER.render(markdown);
  const text = html.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return { tags: html.match(/<[^>]*>/g) ?? [], text: text.replace(/\s+/g, " ") };
}

function checkPlaces(text: string): void {
  const line = plainLine(text);
  if (line === "") return;
  for (const [name, place] of Object.entries(PLACES)) {
    const { tags, text: words } = rendered(place(markdownText(text, Infinity)));
    const plain = rendered(place("WORD"));
    assert.deepEqual(tags, plain.tags, `${name}: ${JSON.stringify(text)}`);
    assert.equal(words, plain.text.replaceAll("WORD", () => line), name);
  }
}

Deno.test("markdownText() is read as the same words in every place, whatever the text", () => {
  fc.assert(fc.property(hostileText, checkPlaces), { numRuns: 500 });
  const signs = fc.array(
    fc.oneof(
      fc.constantFrom(..."[]()*_~`<>#&;$|!+-=:.1a \\"),
      fc.constantFrom("www.", "https://", "&amp", "](", "1. ", "<b", "a@b.co", ":-", "# "),
    ),
    { maxLength: 9 },
  ).map((each) => each.join(""));
  fc.assert(fc.property(signs, checkPlaces), { numRuns: 2000 });
});

Deno.test("markdownText() escapes only what has a meaning at its place", () => {
  const plain = [
    "Ban them (from the centre), C# and F#: 50 > 30 + 1!",
    "four_day_week#21, R&D, 10^6 = a, $5 to $10, a < b",
    "-5 degrees",
    "3.5 million",
  ];
  for (const text of plain) assert.equal(markdownText(text, Infinity), text);
  const escaped = [
    ["# A", "\\# A"],
    ["A #", "A \\#"],
    ["- a", "\\- a"],
    ["---", "\\---"],
    ["12) a", "12\\) a"],
    ["> a", "\\> a"],
    ["a _b_ *c*", "a \\_b\\_ \\*c\\*"],
    ["[a](b)", "\\[a\\]\\(b)"],
    ["<b> &lt; &amp", "&lt;b> \\&lt; \\&amp"],
    [
      "https://a.example www.b.example c@d.example",
      "https\\://a.example www\\.b.example c\\@d.example",
    ],
    ["$a$", "\\$a\\$"],
    ["a | b", "a \\| b"],
  ] as const;
  for (const [text, expected] of escaped) assert.equal(markdownText(text, Infinity), expected);
});

Deno.test("hasAllEscapes() accepts further escapes, no missing one, and no other words", () => {
  const now = "four_day (a < b) \\[x\\]\\(y) &lt;b>";
  const earlier = "four\\_day \\(a &lt; b\\) \\[x\\]\\(y\\) &lt;b\\>";
  for (const text of [now, earlier]) assert.ok(hasAllEscapes(text, now), text);
  const forged = [
    now.replace("\\[", "["),
    now.replace("\\[", "[").replace("four_day", "four\\_day"),
    now.replace("&lt;b>", "<b\\>").replace("(a <", "\\(a \\<"),
    now.replace("\\(", "("),
    now.replace("\\[", "\\\\["),
    now.replace("&lt;b", "<b"),
    now.replace("day", "way"),
    `${now} more`,
    now.slice(0, -1),
  ];
  for (const text of forged) assert.ok(!hasAllEscapes(text, now), text);
});
