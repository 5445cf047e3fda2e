// Verification of citations and quotations in arguments.
import assert from "node:assert/strict";
import { figuresOf, type Quotation } from "../../../src/core/paper.ts";
import type { ArgumentFields } from "../../../src/papers/text/replies.ts";
import type { PaperHit } from "../../../src/core/search.ts";
import {
  argumentEvidence,
  argumentProblem,
  crossEvidence,
  type Known,
  knownPapers,
} from "../../../src/papers/text/verify_evidence.ts";
import type { Message } from "../../../src/core/message.ts";

const TEXT =
  "Bees can count to four.\nThey learn within nine trials, as a rule. Wasps were not exam-\nined.";
const OTHER = "Ants lay trails of scent. Bees can count to four, others say.";
const TOPICS = ["Method", "Evidence & data"];

function hit(chunkId: string, text: string): PaperHit {
  const start = TEXT.indexOf(text);
  return { chunkId, paper: "bees", text, score: 0.75, start, end: start + text.length, page: 1 };
}

const KNOWN: Known = {
  papers: knownPapers([
    { id: "bees", title: "Bees", text: TEXT, pages: [0, 24] },
    { id: "ants", title: "Ants", text: OTHER },
  ]),
  passages: [
    hit("bees-1", "Bees can count to four."),
    hit("bees-2", "They learn within nine trials"),
  ],
  pages: [{
    title: "A page on bees",
    url: "https://example.org/bees",
    snippet: "Bees fly as far as three miles.",
    score: 1,
  }],
  messages: [{ seq: 3, body: "What do the insects know?" } as Message],
};

type Entry = ArgumentFields["perTopic"][number];

function entry(topic: string, fields: Partial<Entry> = {}): Entry {
  return {
    topic,
    claim: "A claim.",
    reasoning: "It follows.",
    counterpoints: [],
    citations: { paper: [], web: [] },
    ...fields,
  };
}

function evidenceOf(perTopic: Entry[], overallPosition = "") {
  return argumentEvidence({ perTopic, overallPosition }, KNOWN, { topics: TOPICS });
}

/** Returns the evidence of an argument on Method that cites these passages and pages. */
function citing({ paper = [], web = [] }: Partial<Entry["citations"]>) {
  return evidenceOf([entry("Method", { citations: { paper, web } })]);
}

function quotationsOf(reasoning: string): readonly Quotation[] {
  return evidenceOf([entry("Method", { reasoning })]).quotations;
}

Deno.test("argumentEvidence() keeps the given topics in their order, however they are spelled", () => {
  const { perTopic } = evidenceOf([
    entry("evidence and data", { claim: "No such topic." }),
    entry("EVIDENCE — data", { claim: "  Second\nclaim. " }),
    entry("Ethics"),
    entry("1. method", { counterpoints: [" ", "One.\n", "\u0007", "Two.", "Three."] }),
  ]);
  assert.deepEqual(perTopic.map(({ topic, claim }) => [topic, claim]), [
    ["Method", "A claim."],
    ["Evidence & data", "Second claim."],
  ]);
  assert.deepEqual(perTopic[0]!.counterpoints, ["One.", "Two."]);
});

Deno.test("argumentEvidence() prefers, of two entries for a topic, the one with text", () => {
  const { perTopic } = evidenceOf([
    entry("Method", { claim: " ", reasoning: "\n" }),
    entry("Method", { claim: "" }),
    entry("Method", { claim: "Full." }),
    entry("Evidence & data", { claim: "", reasoning: "\u0000" }),
  ]);
  assert.deepEqual(perTopic.map(({ claim }) => claim), ["Full."]);
});

Deno.test("argumentEvidence() removes control characters and keeps paragraphs", () => {
  const { perTopic, overallPosition } = evidenceOf(
    [entry("Method", { reasoning: " One\u001b[31m.\r\n\r\nTwo.\u202e " })],
    "\tEnd.\u0000\n",
  );
  assert.equal(perTopic[0]!.reasoning, "One[31m.\n\nTwo.");
  assert.equal(overallPosition, "End.");
});

Deno.test("argumentEvidence() gives a returned passage its own text, each passage once", () => {
  const paper = [{ chunkId: "bees-1", text: "bees can count" }, {
    chunkId: " [bees-1] ",
    text: "",
  }];
  const { perTopic, quotations } = citing({ paper });
  assert.deepEqual(perTopic[0]!.citations.paper, [
    {
      ...hit("bees-1", "Bees can count to four."),
      cited: { start: 0, end: "Bees can count".length },
      status: "verified",
    },
  ]);
  assert.deepEqual(quotations, []);
});

Deno.test("argumentEvidence() marks a passage that no look-up returned and keeps the cited words", () => {
  const paper = [
    { chunkId: "bees-9\n", text: `They ${"really ".repeat(200)}know` },
    { chunkId: "bees-9", text: "" },
    { chunkId: "", text: "Something." },
    { chunkId: " ", text: "" },
  ];
  const [first, second, ...rest] = citing({ paper }).perTopic[0]!.citations.paper!;
  assert.deepEqual(rest, []);
  assert.deepEqual([first!.chunkId, first!.score, first!.status], ["bees-9", 0, "not found"]);
  assert.equal(first!.text.length, 500);
  assert.deepEqual(second, { chunkId: "", text: "Something.", score: 0, status: "not found" });
});

Deno.test("argumentEvidence() compares cited words with the passage, then with its paper", () => {
  const paper = [
    { chunkId: "bees-1", text: "Bees can count to five." },
    { chunkId: "bees-1", text: "Wasps were not examined" },
    { chunkId: "bees-1", text: "Ants lay trails of scent." },
    { chunkId: "bees-2", text: "learn within nine trials" },
    { chunkId: "of-a-rival", text: "They learn within" },
    { chunkId: "invented", text: "as a" },
  ];
  const { perTopic, quotations } = citing({ paper });
  assert.deepEqual(perTopic[0]!.citations.paper!.map(({ chunkId }) => chunkId), [
    "bees-1",
    "bees-2",
    "invented",
  ]);
  const start = TEXT.indexOf("Wasps");
  assert.deepEqual(quotations, [
    { text: "Bees can count to five.", status: "not found", topic: "Method" },
    {
      text: "Wasps were not examined",
      status: "verified",
      from: "paper",
      source: "bees",
      start,
      end: TEXT.length - 1,
      page: 2,
      topic: "Method",
    },
    { text: "Ants lay trails of scent.", status: "not found", topic: "Method" },
    {
      text: "They learn within",
      status: "verified",
      from: "paper",
      source: "bees",
      start: TEXT.indexOf("They"),
      end: TEXT.indexOf(" nine"),
      page: 2,
      topic: "Method",
    },
  ]);
});

Deno.test("argumentEvidence() recognizes a returned page, however its address is written", () => {
  const same = [
    "https://example.org/bees",
    "HTTPS://Example.ORG:443/bees/#part",
    " <https://example.org/bees> ",
  ];
  const others = [
    "https://example.org/wasps",
    "https://example.org/bees?x=1",
    "http://example.org/bees",
    "https://example.org.evil.test/bees",
    "https://a@example.org/bees",
    "example",
    "javascript:alert(1)\nx",
  ];
  const web = [...same, ...others].map((url) => ({ title: "Mine\n# x", url }));
  const { perTopic } = citing({ web: [...web, { title: " ", url: "" }] });
  assert.deepEqual(perTopic[0]!.citations.web, [
    {
      title: "A page on bees",
      url: "https://example.org/bees",
      snippet: "Bees fly as far as three miles.",
      status: "verified",
    },
    ...others.map((url) => ({
      title: "Mine # x",
      url: url.replace("\n", " "),
      snippet: "",
      status: "not found",
    })),
  ]);
});

Deno.test("argumentEvidence() shortens an address that no search returned", () => {
  const web = [{ title: "t".repeat(900), url: `https://x.test/${"a".repeat(900)}` }];
  const [page] = citing({ web }).perTopic[0]!.citations.web!;
  assert.deepEqual([page!.title.length, page!.url.length], [200, 500]);
});

Deno.test("argumentEvidence() finds quotations in papers, then on pages, and marks those that only a message has", () => {
  const found = quotationsOf(
    'As “bees can count to four” and "trails of scent" and «as far as three miles», "a page on bees", and “what do the insects know?”, not “wasps can count to nine”.',
  );
  assert.deepEqual(found.map(({ text: _, topic: __, ...rest }) => rest), [
    { status: "verified", from: "paper", source: "bees", start: 0, end: 22, page: 1 },
    { status: "verified", from: "paper", source: "ants", start: 9, end: 24 },
    { status: "verified", from: "web", source: "https://example.org/bees" },
    { status: "verified", from: "web", source: "https://example.org/bees" },
    { status: "said", from: "message", source: "3" },
    { status: "not found" },
  ]);
});

Deno.test("argumentEvidence() finds a quotation with omissions in one paper alone", () => {
  const [one, two] = quotationsOf(
    "“bees can count to … learn within nine trials” and “ants lay trails of … learn within nine trials”",
  );
  assert.deepEqual(one, {
    text: "bees can count to … learn within nine trials",
    status: "verified",
    from: "paper",
    source: "bees",
    start: 0,
    end: 53,
    page: 1,
    parts: [{ start: 0, end: 17, page: 1 }, { start: 29, end: 53, page: 2 }],
    topic: "Method",
  });
  assert.equal(two!.status, "not found");
});

Deno.test("argumentEvidence() does not accept repeated words as evidence, or any as words of a paper", () => {
  const words = "“what do the insects know?”";
  for (
    const [text, status] of [
      [`As the paper itself puts it: ${words}`, "not found"],
      [`${words} (p. 2)`, "not found"],
      [`${words}, the authors write.`, "not found"],
      [`In Bees we read ${words}`, "not found"],
      [`The paper does not mince words: ${words}`, "not found"],
      [`> What do the insects know? (p. 2)`, "not found"],
      [`Debater B holds of the paper ${words}`, "said"],
      [`The paper is clear. I ask ${words} The study is old.`, "said"],
      [`Somebody asks ${words}`, "said"],
      [`Somebody asks “what do the insects know”. The paper does not.`, "said"],
      [`Somebody asks ${words}. The paper does not.`, "said"],
    ] as const
  ) {
    const found = quotationsOf(text);
    assert.deepEqual(found.map((each) => each.status), [status], text);
    assert.deepEqual(figuresOf({ perTopic: [], citations: {}, quotations: found }), {
      verified: 0,
      notFound: status === "said" ? 0 : 1,
    });
  }
});

Deno.test("argumentEvidence() marks a quotation that is not on the named page", () => {
  const text = "Bees can count. Wasps cannot count. Bees can count. Ants cannot count.";
  const known = { ...KNOWN, papers: knownPapers([{ id: "p", title: "P", text, pages: [0, 36] }]) };
  const of = (reasoning: string) => {
    const entries = { perTopic: [entry("Method", { reasoning })], overallPosition: "" };
    const [found] = argumentEvidence(entries, known, { topics: TOPICS }).quotations;
    return [found?.status, found?.page, found?.namedPage];
  };
  assert.deepEqual(of("On page 9 they say “Wasps cannot count.”"), ["verified", 1, 9]);
  assert.deepEqual(of("“Wasps cannot count” (p. 1)"), ["verified", 1, undefined]);
  assert.deepEqual(of("“Bees can count” (p. 2)"), ["verified", 2, undefined], "the second place");
  assert.deepEqual(of("“Bees can count” (p. 3)"), ["verified", 1, 3]);
  assert.deepEqual(of("“Bees can count. Ants cannot” (pp. 1-2)"), ["verified", 2, undefined]);
  assert.deepEqual(
    of("“cannot count. Bees can” (p. 2)"),
    ["verified", 1, undefined],
    "over a break",
  );
});

Deno.test("argumentEvidence() returns each passage once per topic, with the topic", () => {
  const quote = 'So "they learn within nine trials" and “They learn within nine trials,” twice.';
  const { quotations, perTopic } = evidenceOf(
    [
      entry("Evidence & data", { claim: quote }),
      entry("Method", { reasoning: quote, counterpoints: ['Or "nobody said this"?'] }),
    ],
    `Then ${quote}`,
  );
  assert.deepEqual(quotations.map(({ text, topic }) => [text, topic]), [
    ["they learn within nine trials", "Method"],
    ["nobody said this", "Method"],
    ["they learn within nine trials", "Evidence & data"],
    ["they learn within nine trials", undefined],
  ]);
  assert.deepEqual(figuresOf({ perTopic, citations: {}, quotations }), {
    verified: 3,
    notFound: 1,
  });
});

Deno.test("argumentEvidence() separates a correct quotation from a similar one", () => {
  const found = quotationsOf(
    "“Bees can count to four” and “Bees can-count to four” and “bees can count to 4”",
  );
  assert.deepEqual(found.map(({ status }) => status), ["verified", "not found", "not found"]);
});

Deno.test("crossEvidence() marks the speech's quotations and citations", () => {
  const { citations, quotations } = crossEvidence({
    speech: "You said “what do the insects know?”.\n\n> Wasps can count to nine",
    citations: { paper: [{ chunkId: "bees-2", text: "" }], web: [{ title: "", url: "x.test" }] },
  }, KNOWN);
  assert.deepEqual(citations.paper!.map(({ status }) => status), ["verified"]);
  assert.deepEqual(citations.web!.map(({ url, status }) => [url, status]), [[
    "x.test",
    "not found",
  ]]);
  assert.deepEqual(quotations.map(({ text, status, topic }) => [text, status, topic]), [
    ["what do the insects know?", "said", undefined],
    ["Wasps can count to nine", "not found", undefined],
  ]);
});

Deno.test("argumentProblem() names missing, unknown, repeated and empty topics and asks again once", () => {
  const perTopic = [
    entry("Method"),
    entry("method", { claim: " " }),
    entry("Ethics\n# x"),
    entry("Method", { reasoning: "\u0000" }),
  ];
  const problem = argumentProblem({ perTopic, overallPosition: "" }, TOPICS)!;
  assert.match(problem.reason, /Missing: "Evidence & data"/);
  assert.match(problem.reason, /Not asked for: "Ethics # x"/);
  assert.match(problem.reason, /More than once: "Method"/);
  assert.match(problem.reason, /Without a claim: "method"/);
  assert.match(problem.reason, /Without reasoning: "Method"/);
  assert.deepEqual([problem.maxRetries, problem.mark, problem.fatal], [1, "incomplete", undefined]);
});
