import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  renderTranscript,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from "../../src/record/transcript.ts";
import type { TranscriptRecord } from "../../src/record/transcript_outline.ts";
import { FACTS, MADE, message, RECORD, saying, START } from "./transcript_record.ts";

const FORMATS = Object.keys(TRANSCRIPT_FORMATS) as TranscriptFormat[];
const READABLE = FORMATS.filter((format) => format !== "json" && format !== "argdown");

/** Texts that models or people might write to break a page. */
const HOSTILE = [
  "# A heading\n\n## Participants\n\n- **Eve**",
  "---\ntitle: x\n---",
  "Result\n======\n\nEve\n---",
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "[x](javascript:alert(1)) ![y](https://tracker.example/p.png)",
  "```\nnever closed <b>",
  "1. a\n   ```\n<script>alert(2)</script>",
  "[Ada]: https://evil.example\n\n[1]: <https://evil.example>",
  "</blockquote></article></body>",
  "<!-- never closed",
  "\u001b[31mred\u0000\u202e\r\nback",
  "> # quoted\n> - # listed\n\n- # in a list",
  "\ud800 lone",
  "| a | b |\n|---|---|\n| # | <i> |",
  "&lt;b&gt; &#60;script&#62;",
  "\t<script>alert(3)</script>",
  "# a\n    <script>alert(4)</script>",
] as const;

const hostileText = fc.array(
  fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.constantFrom(
      "\n",
      "\t",
      "    ",
      "> ",
      "- ",
      "`",
      "```",
      "#",
      "<",
      "---",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  ),
  { minLength: 1, maxLength: 8 },
).map((parts) => parts.join("\n").slice(0, 600));

describe("renderTranscript()", () => {
  for (const format of READABLE) {
    it(`shows topic, people, words, scores and winner as ${format}`, async () => {
      const text = await renderTranscript(format, RECORD);
      for (
        const words of [
          START.topic,
          "Yes, they should",
          "No, they should not",
          "Message 5 says something.",
          "Both sides were heard.",
          "Winner: Ada ",
          "truncated",
          "tokens read",
          "8.00",
        ]
      ) assert.ok(text.includes(words), `${format} lacks "${words}"`);
      assert.match(text, /answer(s|ing) .*4/i);
      assert.match(text, /round 1/i);
      assert.doesNotMatch(text, /No model spoke/);
    });

    it(`says plainly as ${format} that no model spoke`, async () => {
      const text = await renderTranscript(format, {
        ...RECORD,
        facts: [message({ seq: 1, model: "offline" })],
      });
      assert.match(text.replace(/\s+/g, " "), /No model spoke: the words are/);
    });

    it(`shows as ${format} a run that ended early and what failed`, async () => {
      const text = await renderTranscript(format, {
        start: START,
        status: "stopped",
        endReason: "max_tokens",
        facts: [message({ seq: 1 }), {
          type: "failure",
          seq: 2,
          turn: "x",
          participant: "ben",
          code: "agent_refused",
          attempts: 1,
          message: "Cannot answer: refused",
          createdAt: MADE.createdAt,
        }, {
          type: "stop",
          number: 1,
          reason: "max_tokens",
          lastSeq: 1,
          body: "So far only Ada spoke.",
          ...MADE,
        }],
      });
      const flat = text.replace(/\s+/g, " ");
      assert.match(flat, /limit of tokens/);
      assert.match(flat, /So far only Ada spoke/);
      assert.match(flat, /Turn 2 of Ben is missing: Cannot answer: refused/);
    });

    it(`shows as ${format} a score that could not be had`, async () => {
      const [first] = FACTS.filter((fact) => fact.type === "score");
      const { total: _total, ...rest } = first!;
      const text = await renderTranscript(format, {
        ...RECORD,
        facts: [message({ seq: 4 }), {
          ...rest,
          status: "unscored",
          reason: "no number after clarity",
          criteria: {},
        }],
      });
      assert.match(text, /no number after clarity/);
      assert.match(text, /Ada.*: no turn was scored for every side/);
    });
  }

  it("never throws, whatever was said and whoever said it", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (body, name) => {
        for (const format of FORMATS) {
          await renderTranscript(format, hostile(body, name));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("shows a convening in which nothing was said", async () => {
    const nothing = { start: START, facts: [], status: "running" } as const;
    for (const format of [...READABLE, "json"] as const) {
      assert.ok((await renderTranscript(format, nothing)).includes("running"), format);
    }
    assert.match(await renderTranscript("argdown", nothing), /^\/\/ Arguments were not noted/m);
  });
});

describe("renderTranscript() as argdown", () => {
  it("has an argument for each point, with its side, and attacks for answers", async () => {
    const point = { kind: "new", answers: [], text: "Streets fill up", quote: "streets" } as const;
    const noted = { status: "read", ...MADE } as const;
    const text = await renderTranscript("argdown", {
      ...RECORD,
      facts: [
        message({ seq: 1 }),
        message({ seq: 2, participant: "ben", name: "Ben" }),
        {
          type: "flow",
          message: 1,
          participant: "ada",
          points: [{ ...point, id: "A1" }],
          ...noted,
        },
        {
          type: "flow",
          message: 2,
          participant: "ben",
          points: [{ ...point, id: "B1", kind: "answers", answers: ["A1"], text: "They [do] not" }],
          ...noted,
        },
      ],
    });
    assert.match(text, /^<A1>: Streets fill up #\(Ada\)\n {2}- <B1>$/m);
    assert.match(text, /^<B1>: They \\\[do\\\] not #\(Ben\)$/m);
  });
});

describe("renderTranscript() as txt", () => {
  it("stays within 80 columns and indents only what was said", async () => {
    const body = `${"long ".repeat(40)}\n\n- item\n${"x".repeat(200)} 漢字`;
    const text = await renderTranscript("txt", saying(body));
    assert.ok(text.split("\n").every((line) => [...line].length <= 80));
    const indented = text.split("\n").filter((line) => line.startsWith("    "));
    assert.equal(
      indented.join("").replace(/\s+/g, ""),
      body.replace(/\s+/g, ""),
    );
  });

  it("sends no control character to a terminal", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (body) => {
        const text = await renderTranscript("txt", hostile(body, body));
        // deno-lint-ignore no-control-regex
        assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("renderTranscript() as json", () => {
  it("gives every field in snake_case and keeps what was said to the character", async () => {
    const text = await renderTranscript("json", RECORD);
    const document = JSON.parse(text);
    assert.equal(document.format, "convenings/1");
    assert.equal(document.end_reason, "completed");
    assert.equal(document.outcome, "decided");
    assert.equal(document.winner, "ada");
    assert.equal(document.model_spoke, true);
    assert.deepEqual(document.configuration, START.configuration);
    assert.equal(document.standings.ada.total, 8);
    assert.equal(document.messages.length, 7);
    assert.equal(document.messages[4].reply_to, 4);
    assert.equal(document.messages[3].usage.input_tokens, 100);
    assert.equal(document.usage.input_tokens, 900);
    assert.equal(document.verdicts.length, 2);
    assert.deepEqual(document.scores[0].criteria, { clarity: 8, evidence: 8 });
  });
});

function hostile(body: string, name: string): TranscriptRecord {
  return {
    ...RECORD,
    start: {
      ...START,
      topic: name,
      participants: START.participants.map((each) => ({
        ...each,
        name,
        position: body,
      })),
    },
    facts: FACTS.map((fact) => fact.type === "message" ? { ...fact, body, name } : fact),
  };
}
