// Transcripts in every format: contents, escaping, hostile text.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import markdownIt from "markdown-it";
import type { TranscriptFormat } from "../../src/config/convening_config.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { renderTranscript, TRANSCRIPTS } from "../../src/record/transcript.tsx";
import type { ModelContents } from "../../src/record/record_model.ts";
import { factCheckOf, failureOf, stopOf } from "./support/fixtures.ts";
import { hostileText } from "./support/hostile_text.ts";
import { FACTS, MADE, message, RECORD, saying, score, START } from "./support/transcript_record.ts";

const FORMATS = Object.keys(TRANSCRIPTS) as TranscriptFormat[];
const READABLE = FORMATS.filter((format) => format !== "json" && format !== "argdown");

describe("renderTranscript()", () => {
  it("has no outcome as json while a convening waits, whatever its verdicts are so far", async () => {
    const outcomes = [["waiting", undefined], ["stopped", "undecided"]] as const;
    for (const [status, outcome] of outcomes) {
      const text = await renderTranscript("json", { ...RECORD, facts: FACTS, status, outcome });
      assert.equal(JSON.parse(text).outcome, outcome ?? null);
    }
  });

  for (const format of READABLE) {
    it(`states as ${format} that no model spoke`, async () => {
      const text = await renderTranscript(format, {
        ...RECORD,
        facts: ["offline", "template", "human"].map((model, at) => message({ seq: at + 1, model })),
      });
      const flat = text.replace(/\s+/g, " ").replaceAll("\\", "");
      assert.match(flat, /every text is by people or by the offline agent, which is a program/);
    });

    it(`shows an early end and the failure as ${format}`, async () => {
      const text = await renderTranscript(format, {
        start: START,
        status: "stopped",
        endReason: "max_tokens",
        facts: [
          message({ seq: 1 }),
          failureOf({ seq: 2, participant: "ben", message: "Cannot answer: refused" }),
          stopOf({ lastSeq: 1, body: "So far only Ada spoke." }),
        ],
      });
      const flat = text.replace(/\s+/g, " ");
      assert.match(flat, /limit of tokens/);
      assert.match(flat, /So far only Ada spoke/);
      assert.match(flat, /Turn 2 of Ben is missing: Cannot answer: refused/);
    });

    it(`shows a missing score as ${format}`, async () => {
      const [first] = FACTS.filter((fact) => fact.type === "score");
      const { total: _total, ...rest } = first!;
      const text = await renderTranscript(format, {
        ...RECORD,
        facts: [
          message({ seq: 4 }),
          { ...rest, status: "unscored", reason: "no number after clarity", criteria: {} },
        ],
      });
      assert.match(text, /no number after clarity/);
      if (format === "html") assert.match(text, /<summary>Not scored by /);
      assert.match(text, /Ada.*: no turn was scored for every side/);
    });
  }

  it("shows each judge's totals as html without the turns that the judge did not score for every side", async () => {
    const judges = ["judge", "second"].map((id) => ({ ...START.judges[0]!, id, name: id }));
    const given = [score(2, "ada", 8), score(3, "ben", 1.005), score(5, "ben", 10)];
    const facts = [
      ...FACTS.filter(({ type }) => type === "message"),
      ...judges.flatMap(({ id }) => given.map((each) => ({ ...each, judge: id }))),
    ];
    const text = await renderTranscript("html", { ...RECORD, start: { ...START, judges }, facts });
    const [table] = /<table><caption>Judges:[^]*?<\/table>/.exec(text)!;
    const cells = [...table.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell);
    // A half is rounded up, as in the terminal.
    assert.deepEqual(cells, ["8.00", "1.01", "8.00", "1.01"]);
    assert.match(text, /Scores over the rounds as a table/);
    assert.doesNotMatch(text, /\b1\.00\b/);
  });

  it("never throws, whatever the texts and names", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (words) => {
        for (const format of FORMATS) await renderTranscript(format, hostile(words));
      }),
      { numRuns: 60 },
    );
  });

  it("shows a convening without messages", async () => {
    const nothing = { start: START, facts: [], status: "running" } as const;
    for (const format of [...READABLE, "json"] as const) {
      assert.ok((await renderTranscript(format, nothing)).includes("running"), format);
    }
    assert.match(await renderTranscript("argdown", nothing), /^\/\/ Arguments were not noted/m);
    const talk = { ...nothing, start: { ...START, kind: "consensus" } };
    assert.match(
      await renderTranscript("argdown", talk),
      /^\/\/ Points are noted in debates alone/m,
    );
  });
});

describe("renderTranscript() as argdown", () => {
  it("has an argument for each point, with its side, and attacks for answers", async () => {
    const point = { kind: "new", answers: [], text: "Streets fill up", quote: "streets" } as const;
    const answer = { id: "B1", kind: "answers", answers: ["A1"], text: "They [do] not" } as const;
    const noted = { type: "flow", status: "read", ...MADE } as const;
    const text = await renderTranscript("argdown", {
      ...RECORD,
      facts: [
        message({ seq: 1 }),
        message({ seq: 2, participant: "ben", name: "Ben" }),
        { ...noted, message: 1, participant: "ada", points: [{ ...point, id: "A1" }] },
        { ...noted, message: 2, participant: "ben", points: [{ ...point, ...answer }] },
      ],
    });
    assert.match(text, /^<A1>: Streets fill up #\(Ada\)\n {2}- <B1>$/m);
    assert.match(text, /^<B1>: They \\\[do\\\] not #\(Ben\)$/m);
  });
});

describe("renderTranscript() as txt", () => {
  it("stays within 80 columns and indents only messages", async () => {
    const body = `${"long ".repeat(40)}\n\n- item\n${"x".repeat(200)} 漢字`;
    const text = await renderTranscript("txt", saying(body));
    assert.ok(text.split("\n").every((line) => [...line].length <= 80));
    const indented = text.split("\n").filter((line) => line.startsWith("    "));
    assert.equal(indented.join("").replace(/\s+/g, ""), body.replace(/\s+/g, ""));
  });

  it("writes no control characters", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (words) => {
        const text = await renderTranscript("txt", hostile(words));
        // deno-lint-ignore no-control-regex
        assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 60 },
    );
  });
});

/** Markdown renderer that accepts HTML. */
const liberal = markdownIt({ html: true });

describe("renderTranscript() as md", () => {
  const cases = [
    ["whatever is said inside its block quote, without headings, HTML or definitions", saying, 300],
    ["names, positions and topics on their line as plain words", naming, 100],
    ["claims, their sources and why none were checked on their line as plain words", checking, 100],
  ] as const;
  for (const [what, recordOf, numRuns] of cases) {
    it(`keeps ${what}`, async () => {
      const plain = structure(await renderTranscript("md", recordOf("word")));
      await fc.assert(
        fc.asyncProperty(hostileText, async (said) => {
          const words = recordOf === saying ? said : `w ${said} w`;
          const text = await renderTranscript("md", recordOf(words));
          assert.deepEqual(structure(text), plain, JSON.stringify(words));
        }),
        { numRuns },
      );
    });
  }

  it("shows code blocks unchanged and other HTML as text", async () => {
    const text = await renderTranscript(
      "md",
      saying("Look:\n\n```html\n<b># x</b>\n```\n\n# Title <i>"),
    );
    assert.ok(text.includes("> <b># x</b>"));
    assert.ok(text.includes("> \\# Title &lt;i>"));
  });

  it("escapes a message made to survive several passes, and a link definition that escaping would create", async () => {
    const plain = structure(await renderTranscript("md", saying("word")));
    for (
      const said of [
        "a\n" + "===\n".repeat(200) + "<script>",
        "[1]: <https://evil.example><?\n",
        " ```\\| a | b |\n|---|---|\n| # | <i> |\n# Heading\n",
        "- # in a list\n# Heading\n   ```\n<script>alert(2)</script>",
      ]
    ) assert.deepEqual(structure(await renderTranscript("md", saying(said))), plain, said);
  });
});

describe("renderTranscript() as html", () => {
  it("has no active content, whatever the messages", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (said) => {
        assertInert(await renderTranscript("html", saying(said)));
        assertInert(await renderTranscript("html", naming(said)));
        assertInert(await renderTranscript("html", checking(said)));
      }),
      { numRuns: 100 },
    );
  });

  it("loads nothing but its own style", async () => {
    const page = await renderTranscript("html", RECORD);
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
    assert.ok(page.includes(policy.replaceAll("'", "&#39;")));
    assert.ok(page.includes('name="viewport"'));
    assert.ok(page.includes('<link rel="icon" href="data:,"') && page.includes("img-src data:"));
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
});

Deno.test("the colour of each side stands out from the page in light and in dark", async () => {
  const style = await Deno.readTextFile("src/record/html/style.css");
  const pairs = (
    name: string,
  ) => [...style.matchAll(new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`, "g"))];
  const [paper] = pairs("paper");
  const sides = pairs("side");
  assert.equal(sides.length, 6);
  for (const side of sides) {
    for (const theme of [1, 2]) {
      const [dark = 0, light = 0] = [side, paper].map((each) => luminance(each![theme]!)).sort();
      // WCAG 1.4.11: marks that carry a meaning.
      assert.ok((light + 0.05) / (dark + 0.05) >= 3, side[0]);
    }
  }
});

/** Returns the relative luminance of a colour by WCAG. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const TAGS = new Set(
  ("html head meta title style body header nav main section article h1 h2 h3 h4 p ul ol li strong em s bdi blockquote a span " +
    "div time table thead tbody tr th td code pre br hr details summary dl dt dd meter q figure figcaption svg rect line path text g circle caption")
    .split(" "),
);
const ATTRIBUTES = new Set(
  ("lang charset http-equiv content name dir id class aria-labelledby aria-label aria-hidden role tabindex scope href rel " +
    "referrerpolicy title start data-seq data-side data-left data-verdict min max value width height rx x1 x2 y1 y2 d x y r cx cy datetime viewBox text-anchor open")
    .split(" "),
);

/** Checks that tags and attributes are the renderer's own and that links have allowed targets. */
function assertInert(page: string): void {
  const text = page.replace(/<style>[\s\S]*?<\/style>/, "")
    .replace('<link rel="icon" href="data:,"/>', "");
  for (const [, name = "", rest = ""] of text.matchAll(/<\/?([a-z0-9!-]*)([^>]*)>/gi)) {
    if (name === "!DOCTYPE") continue;
    assert.ok(TAGS.has(name), `a tag <${name}>`);
    for (const [, key = "", value = ""] of rest.matchAll(/([^\s=]+)="([^"]*)"/g)) {
      assert.ok(ATTRIBUTES.has(key), `an attribute ${key}`);
      if (key === "href") {
        assert.match(
          value,
          /^(https?:\/\/|mailto:|#(?:message|part)-\d+$|#(?:result|participants|exchange)$)/i,
        );
      }
    }
    assert.match(rest.replace(/[^\s=]+="[^"]*"/g, ""), /^[\s/]*$/);
  }
  assert.doesNotMatch(text.replace(/<[^>]*>/g, ""), /</);
}

/** Returns the top-level blocks, all HTML and headings, and the link definitions. */
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

function checking(words: string): ModelContents {
  const claim = {
    text: words,
    verdict: "false",
    confidence: 1,
    sources: [{ title: words, url: words, snippet: words }],
  } as const;
  const check = factCheckOf(4, { reason: words, claims: [claim, claim], participant: "ada" });
  return { ...RECORD, facts: [...RECORD.facts, check] };
}

function naming(words: string): ModelContents {
  const participants = START.participants.map((each) => ({
    ...each,
    name: words,
    position: words,
  }));
  return { ...RECORD, start: { ...START, topic: words, participants } };
}

/** Returns the record with a text as every name, position and message. */
function hostile(words: string): ModelContents {
  const facts = FACTS.map((fact) =>
    fact.type === "message" ? { ...fact, body: words, name: words } : fact
  );
  return { ...naming(words), facts };
}
