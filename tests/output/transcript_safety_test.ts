import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import markdownIt from "markdown-it";
import { readFrontMatter } from "../../src/record/fact_reader.ts";
import { renderTranscript } from "../../src/record/transcript.ts";
import type { TranscriptRecord } from "../../src/record/transcript_outline.ts";
import { factCheckOf } from "./support/fixtures.ts";
import { RECORD, saying, START } from "./transcript_record.ts";

const PIECES = [
  "# Heading",
  "## Result",
  "---",
  "===",
  "- ",
  "> ",
  "1. ",
  "   ",
  "\t",
  "    ",
  "```",
  "~~~",
  " ```",
  "`",
  "``",
  "<script>",
  "</script>",
  "<!--",
  "-->",
  "<b onclick=x>",
  "<![CDATA[",
  "<?",
  "</blockquote>",
  "[Ada]: http://e.example",
  "[x](javascript:alert)",
  "[x](data:text/html,1)",
  "[x](https://ok.example)",
  "![i](https://e.example/i.png)",
  "[![i](http://e.example)](http://e.example)",
  "<https://auto.example>",
  "&lt;script&gt;",
  "\\",
  "\\<",
  "word",
  "",
];
const body = fc.array(
  fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom("\n", "", " ", "\n\n")),
  { minLength: 1, maxLength: 14 },
).map((parts) => parts.flat().join(""));

/** As a reader would show it that lets HTML through. */
const liberal = markdownIt({ html: true });

describe("renderTranscript() as md", () => {
  it("keeps whatever is said inside its block quote, without headings, HTML or definitions", async () => {
    const plain = structure(await renderTranscript("md", saying("word")));
    await fc.assert(
      fc.asyncProperty(body, async (said) => {
        const text = await renderTranscript("md", saying(said));
        assert.deepEqual(structure(text), plain, JSON.stringify(said));
      }),
      { numRuns: 1500 },
    );
  });

  it("keeps names, positions and topics on their line as plain words", async () => {
    const plain = structure(await renderTranscript("md", naming("word")));
    await fc.assert(
      fc.asyncProperty(body, async (words) => {
        const text = await renderTranscript("md", naming(`w ${words} w`));
        assert.deepEqual(structure(text), plain, JSON.stringify(words));
      }),
      { numRuns: 400 },
    );
  });

  it("keeps claims, their sources and why none were checked on their line as plain words", async () => {
    const plain = structure(await renderTranscript("md", checking("word")));
    await fc.assert(
      fc.asyncProperty(body, async (words) => {
        const text = await renderTranscript("md", checking(`w ${words} w`));
        assert.deepEqual(structure(text), plain, JSON.stringify(words));
      }),
      { numRuns: 300 },
    );
  });

  it("shows code blocks as they are and other HTML as text", async () => {
    const text = await renderTranscript(
      "md",
      saying("Look:\n\n```html\n<b># x</b>\n```\n\n# Title <i>"),
    );
    assert.ok(text.includes("> <b># x</b>"));
    assert.ok(text.includes("> \\# Title &lt;i>"));
  });

  it("holds a message made to outlast the passes, and a definition that escaping makes", async () => {
    const plain = structure(await renderTranscript("md", saying("word")));
    for (
      const said of [
        "a\n" + "===\n".repeat(200) + "<script>",
        "[1]: <https://evil.example><?\n",
      ]
    ) assert.deepEqual(structure(await renderTranscript("md", saying(said))), plain, said);
  });
});

describe("renderTranscript() as html", () => {
  it("holds nothing live, whatever is said", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (said) => {
        assertInert(await renderTranscript("html", saying(said)));
        assertInert(await renderTranscript("html", naming(said)));
        assertInert(await renderTranscript("html", checking(said)));
      }),
      { numRuns: 500 },
    );
  });

  it("lets nothing be loaded but its own style", async () => {
    const page = await renderTranscript("html", RECORD);
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
    assert.ok(page.includes(policy.replaceAll("'", "&#39;")));
    assert.ok(page.includes('name="viewport"'));
    assert.ok(page.includes("prefers-color-scheme: dark"));
  });

  it("names an image instead of loading it and marks links", async () => {
    const page = await renderTranscript(
      "html",
      saying("![a cat](https://e.example/c.png) [site](https://e.example)"),
    );
    assert.ok(page.includes("[image: a cat https://e.example/c.png]"));
    assert.ok(
      page.includes(
        '<a href="https://e.example" rel="noopener nofollow" referrerpolicy="no-referrer">site</a>',
      ),
    );
  });

  it("links an answer to what it answers", async () => {
    const page = await renderTranscript("html", RECORD);
    assert.ok(page.includes('<a href="#message-4">4, <bdi>Ada</bdi></a>'));
    assert.ok(page.includes('<article id="message-4"'));
  });
});

const TAGS = new Set(
  ("html head meta title style body header nav main section article h1 h2 h3 h4 p ul ol li strong em s bdi blockquote a span " +
    "div time table thead tbody tr th td code pre br hr details summary dl dt dd meter q figure figcaption svg rect line path text g circle caption")
    .split(" "),
);
const ATTRIBUTES = new Set(
  ("lang charset http-equiv content name dir id class aria-labelledby aria-label aria-hidden role tabindex scope href rel " +
    "referrerpolicy title start style data-seq data-side data-left data-verdict min max value width height rx x1 x2 y1 y2 d x y r cx cy datetime viewBox text-anchor open")
    .split(
      " ",
    ),
);

/** Every tag and attribute is one of ours; every link leads where links may. */
function assertInert(page: string): void {
  const text = page.replace(/<style>[\s\S]*?<\/style>/, "");
  for (
    const [, name = "", rest = ""] of text.matchAll(
      /<\/?([a-z0-9!-]*)([^>]*)>/gi,
    )
  ) {
    if (name === "!DOCTYPE") continue;
    assert.ok(TAGS.has(name), `a tag <${name}>`);
    for (
      const [, key = "", value = ""] of rest.matchAll(/([^\s=]+)="([^"]*)"/g)
    ) {
      assert.ok(ATTRIBUTES.has(key), `an attribute ${key}`);
      if (key === "href") {
        assert.match(
          value,
          /^(https?:\/\/|mailto:|#(?:message|part)-\d+$|#(?:result|participants|exchange)$)/i,
        );
      }
      if (key === "style") {
        assert.match(value, /^text-align:(left|right|center)$/);
      }
    }
    assert.match(rest.replace(/[^\s=]+="[^"]*"/g, ""), /^[\s/]*$/);
  }
  assert.doesNotMatch(text.replace(/<[^>]*>/g, ""), /</);
}

/** The blocks at the page's own level, what HTML and headings there are anywhere, and the link definitions. */
function structure(text: string): unknown {
  const env: NonNullable<Parameters<typeof liberal.parse>[1]> = {};
  const tokens = liberal.parse(readFrontMatter(text, "").body, env);
  return {
    top: tokens.filter(({ level, nesting }) => level === 0 && nesting >= 0)
      .map(({ type, tag }) => `${type} ${tag}`),
    headings: tokens.filter(({ type }) => type === "heading_open").length,
    html: tokens.flatMap((token) => [token, ...token.children ?? []])
      .filter(({ type }) => type.startsWith("html_")).length,
    references: Object.keys(env.references ?? {}),
  };
}

function checking(words: string): TranscriptRecord {
  const claim = {
    text: words,
    verdict: "false",
    confidence: 1,
    sources: [{ title: words, url: words, snippet: words }],
  } as const;
  const check = factCheckOf(4, { reason: words, claims: [claim, claim], participant: "ada" });
  return { ...RECORD, facts: [...RECORD.facts, check] };
}

function naming(words: string) {
  return {
    ...RECORD,
    start: {
      ...START,
      topic: words,
      participants: START.participants.map((each) => ({
        ...each,
        name: words,
        position: words,
      })),
    },
  };
}
