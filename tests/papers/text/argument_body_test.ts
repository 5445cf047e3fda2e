// Arguments of a paper debate as markdown, and back.
import assert from "node:assert/strict";
import fc from "fast-check";
import { PIECES } from "../../record/support/hostile_text.ts";
import markdownIt from "markdown-it";
import { argumentBody, argumentIn, crossBody } from "../../../src/papers/text/argument_body.ts";
import type { TopicArgument } from "../../../src/core/paper.ts";
import { anyCharacter } from "../../support/any_character.ts";

const TOPICS = ["Method", "Evidence & data"];

const ARGUMENT: TopicArgument = {
  topic: "Method",
  claim: "The method holds.",
  reasoning: "Nine trials suffice (p < 0.05).\n\nThey were blind.",
  counterpoints: ["There are few bees.", "They were tame."],
  citations: {
    paper: [
      {
        chunkId: "bees-1",
        text: "Bees can\ncount to four. ".repeat(20),
        score: 0.5,
        paper: "bees",
        page: 2,
        start: 10,
        end: 400,
        status: "verified",
      },
      { chunkId: "bees`9", text: "Made up.", score: 0, status: "not found" },
    ],
    web: [
      { title: "A page", url: "https://example.org/a", snippet: "", status: "verified" },
      { title: "Another", url: "https://x.test/b", snippet: "", status: "not found" },
    ],
  },
};

/** Renders {@linkcode ARGUMENT} with some changes, without quotations. */
function bodyOn(changes: Partial<TopicArgument>, overallPosition = ""): string {
  return argumentBody({ perTopic: [{ ...ARGUMENT, ...changes }], overallPosition, quotations: [] });
}

Deno.test("argumentBody() renders an argument with its marks", () => {
  const quotations = [
    {
      text: "count to four",
      status: "verified",
      from: "paper",
      source: "bees",
      page: 2,
      start: 19,
      end: 32,
      topic: "Method",
    },
    { text: "never said", status: "not found", topic: "Method" },
    { text: "from a page", status: "verified", from: "web", source: "https://example.org/\u202ea" },
    { text: "from a turn", status: "said", from: "message", source: "3" },
    {
      text: "bees can … and so on",
      status: "verified",
      from: "paper",
      source: "bees",
      start: 1,
      end: 30,
      page: 1,
      parts: [{ start: 1, end: 9, page: 1 }, { start: 20, end: 30, page: 2 }],
      namedPage: 7,
    },
  ] as const;
  const body = argumentBody({ perTopic: [ARGUMENT], overallPosition: "It holds.", quotations });
  const shown = `${"Bees can count to four. ".repeat(20).slice(0, 199).trim()}…`;
  assert.equal(
    body,
    [
      "## Method",
      "**Claim.** The method holds.",
      "Nine trials suffice (p < 0.05).",
      "They were blind.",
      "**Counterpoints:**",
      "- There are few bees.\n- They were tame.",
      "**Evidence:**",
      [
        `- Passage \`bees-1\`: “${shown}” — **verified**, paper \`bees\`, page 2, characters 10–400`,
        "- Passage ``bees`9``: “Made up.” — **not found**: no look-up returned it",
        "- Page <https://example.org/a>: A page — **verified**",
        "- Page `https://x.test/b`: Another — **not found**: no search returned it",
      ].join("\n"),
      "**Quotations:**",
      [
        "- “count to four” — **verified**, paper `bees`, page 2, characters 19–32",
        "- “never said” — **not found**",
      ].join("\n"),
      "## Overall position",
      "It holds.",
      "**Quotations:**",
      [
        "- “from a page” — **verified**, page <https://example.org/%E2%80%AEa>",
        "- “from a turn” — **said in message 3**",
        "- “bees can … and so on” — **verified, with omissions**, paper `bees`, page 1, characters 1–9 and page 2, " +
        "characters 20–30, not on page 7 as named",
      ].join("\n"),
    ].join("\n\n"),
  );
});

Deno.test("argumentBody() shows a passage's cited words in bold within the surrounding sentences", () => {
  const english = "One. Two. Three a\\*b*. Four is cited, as said. Five. Six. Seven.\n\n## 5. End";
  const shownWith = (words: string, text = english) => {
    const at = 10 + text.indexOf(words);
    const hit = {
      chunkId: "bees-1",
      text,
      score: 1,
      paper: "bees",
      start: 10,
      end: 10 + text.length,
    };
    const cited = { start: at, end: at + words.length };
    const paper = [{ ...hit, cited, status: "verified" as const }];
    const body = bodyOn({ citations: { paper } });
    return /“(.*)” — \*\*verified\*\*/.exec(body)?.[1];
  };
  const three = "Three a\\\\\\*b\\*.";
  assert.equal(
    shownWith("Four is cited"),
    `… Two. ${three} **Four is cited**, as said. Five. Six. …`,
  );
  assert.match(shownWith("Six.")!, /\*\*Six\.\*\* Seven\. …$/);
  assert.equal(shownWith("One."), `**One.** Two. ${three} …`);
  assert.equal(
    shownWith("*b*. Four"),
    "One. Two. Three a\\\\**\\*b\\*. Four** is cited, as said. Five. Six. …",
  );
  assert.equal(
    shownWith("四个字", "第一句。第二句。第三句。这四个字是引用。第五句！第六句？第七句。"),
    "… 第二句。第三句。这**四个字**是引用。第五句！第六句？ …",
  );
});

Deno.test("crossBody() renders the speech, then evidence and quotations", () => {
  const { citations } = ARGUMENT;
  const body = crossBody("You err.\nGravely.", {
    citations: { web: citations.web },
    quotations: [{ text: "never said", status: "not found" }],
  });
  assert.match(
    body,
    /^You err\.\n\nGravely\.\n\n\*\*Evidence:\*\*\n\n- Page .*\n- Page .*\n\n\*\*Quotations:\*\*\n\n- “never said” — \*\*not found\*\*$/,
  );
  assert.equal(crossBody("Plain.", { citations: {}, quotations: [] }), "Plain.");
});

const HOSTILE = [
  ...PIECES.filter((text) => /[A-Za-z]/.test(text)),
  "## Evidence & data",
  "## Overall position",
  "- item — **verified**",
  "[verified]\\(https://evil.test)",
  "**Evidence:**",
  "**Claim.** Another claim.",
  "**Counterpoints:**\n- One.",
  "Counterpoints:\n- One.",
  "https://evil.test and www.evil.test",
  "\u2028# heading",
  "“ — **verified**, paper `bees`",
];

const html = markdownIt({ html: true, linkify: true });

function tagsIn(body: string): string[] {
  return [...html.render(body).matchAll(/<(?!\/)[a-z!][^>]*>/gi)].map(([tag]) => tag)
    .filter((tag) => !["<p>", "<br>", "<code>", "<em>", "<s>"].includes(tag));
}

Deno.test("argumentBody() joins a line that breaks off within a sentence, as in words copied from a paper", () => {
  const body = bodyOn({ reasoning: 'The paper says "all that\nwas seen", and\nmore.\nNext.' });
  assert.match(body, /The paper says "all that was seen", and more\.\n\nNext\./);
});

for (const text of HOSTILE) {
  Deno.test(`argumentBody() escapes ${JSON.stringify(text)}`, () => {
    const everywhere: TopicArgument = {
      topic: "Method",
      claim: text,
      reasoning: `Before.\n${text}\n\nAfter.`,
      counterpoints: [text],
      citations: {
        paper: [{ chunkId: text, text, score: 0, status: "not found" }],
        web: [{ title: text, url: text, snippet: "", status: "not found" }],
      },
    };
    const argument = {
      perTopic: [everywhere],
      overallPosition: text,
      quotations: [{ text, status: "not found", topic: "Method" }],
    } as const;
    const body = argumentBody(argument);
    assert.deepEqual(tagsIn(body), [
      ...["<h2>", "<strong>", "<strong>", "<ul>", "<li>"],
      ...["<strong>", "<ul>", "<li>", "<strong>", "<li>", "<strong>"],
      ...["<strong>", "<ul>", "<li>", "<strong>", "<h2>"],
    ]);
    assert.equal(body.match(/^#/gm)!.length, 2);
    assert.doesNotMatch(body, /^(?:---|===|```|~~~|>|<)/m);
    const read = argumentIn(body, TOPICS);
    assert.deepEqual(read.perTopic.map(({ topic }) => topic), ["Method"]);
    assert.equal(read.perTopic[0]!.counterpoints.length, 1);
  });
}

Deno.test("argumentBody() shows an address that is not a web address as code, verified or not", () => {
  for (const url of ["javascript:alert(1)", "https://u:p@a.test/x> <b", "sources/a.md", ""]) {
    const web = [{ title: "T", url, snippet: "", status: "verified" }] as const;
    const body = crossBody("S.", { citations: { web }, quotations: [] });
    assert.doesNotMatch(html.render(body), /<a |<b/);
  }
});

Deno.test("argumentBody() shows a topic that looks like markup as text", () => {
  const topic = "# <b>C #** [x](y)";
  const body = bodyOn({ topic });
  assert.match(html.render(body), /^<h2># &lt;b&gt;C #\*\* \[x\]\(y\)<\/h2>/);
  assert.deepEqual(argumentIn(body, [topic]).perTopic.map((each) => each.topic), [topic]);
});

const WORD = fc.stringMatching(/^[A-Za-zé0-9(<$%&@'’"“”,;:!?*_~`#>+=|{}[\]\\/.-]{1,10}$/);
const SENTENCE = fc.array(WORD, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "))
  .filter((text) => /[A-Za-z]/.test(text));
const PROSE = fc.array(SENTENCE, { minLength: 1, maxLength: 4 }).map((all) => all.join("\n\n"));

Deno.test("argumentIn() parses what argumentBody() rendered, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(SENTENCE, PROSE, fc.array(SENTENCE, { maxLength: 2 })), {
        minLength: 2,
        maxLength: 2,
      }),
      PROSE,
      (said, overallPosition) => {
        const perTopic = said.map(([claim, reasoning, counterpoints], index) => ({
          topic: TOPICS[index]!,
          claim,
          reasoning,
          counterpoints,
          citations: ARGUMENT.citations,
        }));
        const quotations = [{ text: said[0]![0], status: "not found", topic: "Method" }] as const;
        const read = argumentIn(argumentBody({ perTopic, overallPosition, quotations }), TOPICS);
        const expected = perTopic.map((each) => ({ ...each, citations: {} }));
        assert.deepEqual(read, { perTopic: expected, overallPosition });
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("argumentBody() leaves plain prose unchanged", () => {
  const prose = fc.array(
    fc.stringMatching(/^[A-Za-zé0-9('’“"][A-Za-zé0-9,;'’“”"()%$/=-]{0,9}[.!?]?$/),
    { minLength: 2, maxLength: 20 },
  ).map((words) => `So ${words.join(" ")}`).filter((text) => !/https?:\/\/|www\./i.test(text));
  fc.assert(
    fc.property(prose, prose, (claim, reasoning) => {
      assert.equal(
        bodyOn({ claim, reasoning, counterpoints: [], citations: {} }, claim),
        `## Method\n\n**Claim.** ${claim}\n\n${reasoning}\n\n## Overall position\n\n${claim}`,
      );
    }),
  );
});

Deno.test("argumentIn() parses a person's text", () => {
  const body = [
    "I speak for the bees.",
    "### method ##",
    "They count. That was shown in nine",
    "trials, and again.",
    "",
    "- A list of mine",
    "",
    "Counterpoints:",
    "1. They were tame.",
    "2. There were few.",
    "",
    "More reasons.",
    "# Evidence, data",
    "Claim: It is strong",
    "and more",
    "## A heading of mine",
    "Text.",
    "## OVERALL POSITION",
    "All in all.",
  ].join("\r\n");
  assert.deepEqual(argumentIn(body, TOPICS), {
    perTopic: [
      {
        topic: "Method",
        claim: "They count.",
        reasoning:
          "That was shown in nine\ntrials, and again.\n\n- A list of mine\n\nMore reasons.",
        counterpoints: ["They were tame.", "There were few."],
        citations: {},
      },
      {
        topic: "Evidence & data",
        claim: "It is strong",
        reasoning: "and more\n## A heading of mine\nText.",
        counterpoints: [],
        citations: {},
      },
    ],
    overallPosition: "I speak for the bees.\nAll in all.",
  });
});

Deno.test("argumentIn() treats a text without headings as the overall position", () => {
  const body = "Just words. Counterpoints:\n- mine";
  assert.deepEqual(argumentIn(body, TOPICS), { perTopic: [], overallPosition: body });
  assert.deepEqual(argumentIn("", TOPICS), { perTopic: [], overallPosition: "" });
  assert.deepEqual(argumentIn("## Method\n\n", TOPICS).perTopic, []);
});

Deno.test("argumentIn() is fast for any text, long runs of one character included", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (body) => {
    assert.equal(typeof argumentIn(`## Method\n${body}`, TOPICS).overallPosition, "string");
  }));
  for (const unit of [".", " ", "#", "# ", "\n", " \n", "- ", "*", "\\", "“", "…"]) {
    const { perTopic } = argumentIn(`## Method\nA ${unit.repeat(100_000)}x`, TOPICS);
    assert.ok(perTopic.length <= 1);
  }
});
