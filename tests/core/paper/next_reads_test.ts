import assert from "node:assert/strict";
import type { Fact } from "../../../src/core/fact.ts";
import { nextReads } from "../../../src/papers/text/references.ts";
import {
  argumentOf,
  openingOf,
  PAPER,
  paperStart,
  searchOf,
  topicOf,
} from "./support/paper_record.ts";

const CITED = { title: "Cited", url: "https://cited.example/a", snippet: "It is cited." };
const FOUND = { title: "Found", url: "https://found.example/b", snippet: "It was found." };
const NO_REFERENCES = paperStart({ papers: [{ ...PAPER, text: "Nothing is listed." }] });

function citing(
  ...web: readonly { title: string; url: string; status: "verified" | "not found" }[]
): Fact[] {
  const pages = web.map((page) => ({ ...page, snippet: "" }));
  return argumentOf(0, { perTopic: [topicOf("Evidence", { citations: { web: pages } })] });
}

Deno.test("nextReads() has what was cited first, then what was found, then the papers' references by the question", () => {
  const facts = [
    ...openingOf(),
    ...citing({ title: CITED.title, url: CITED.url, status: "verified" }),
    searchOf(1, [FOUND, CITED]),
  ];
  const { reads, why } = nextReads(paperStart(), facts);
  assert.deepEqual(reads.map(({ title, url, status }) => [title, url, status]), [
    ["Cited", CITED.url, "verified"],
    ["Found", FOUND.url, "verified"],
    [
      'H. Roediger and J. Karpicke, "Test-enhanced learning: taking memory tests improves long-term retention," ' +
      "Psychological Science, vol. 17, 2006. doi:10.1111/j.1467-9280.2006.01693.x",
      "https://doi.org/10.1111/j.1467-9280.2006.01693.x",
      undefined,
    ],
    ['A. Adams, "On gardens," Garden Letters, 1999.', "", undefined],
  ]);
  assert.equal(why, undefined);
  const gardens = openingOf({ question: "How much do gardens matter?" });
  assert.match(nextReads(paperStart(), gardens).reads[0]!.title, /On gardens/);
});

Deno.test("nextReads() never has what no search returned and no paper names", () => {
  const facts = [
    ...openingOf(),
    ...citing(
      { title: "Made up", url: "https://made-up.example/", status: "not found" },
      { title: "Cited", url: CITED.url, status: "verified" },
    ),
  ];
  const { reads } = nextReads(NO_REFERENCES, facts);
  assert.deepEqual(reads.map(({ url }) => url), [CITED.url]);
});

Deno.test("nextReads() has each page once, at most seven, and no address that is none of the web's", () => {
  const many = Array.from({ length: 9 }, (_, index) => ({
    title: `Page ${index}`,
    url: `https://pages.example/${index}`,
    snippet: "",
  }));
  const hostile = [
    { title: "Script", url: "javascript:alert(1)", snippet: "x" },
    { title: "As another", url: "https://cited.example@evil.example/", snippet: "x" },
    { ...CITED, url: "https://www.cited.example/a#part" },
    { ...CITED, title: "Cited by another title" },
    { title: "", url: "", snippet: "nothing" },
  ];
  const { reads } = nextReads(NO_REFERENCES, [...openingOf(), searchOf(1, hostile)]);
  assert.deepEqual(reads.map(({ title, url }) => [title, url]), [
    ["Script", ""],
    ["As another", ""],
    ["Cited", "https://www.cited.example/a#part"],
  ]);
  assert.equal(nextReads(NO_REFERENCES, [...openingOf(), searchOf(1, many)]).reads.length, 7);
});

Deno.test("nextReads() says why there are none", async () => {
  const said = async (facts: readonly Fact[]) =>
    (await Promise.resolve(nextReads(NO_REFERENCES, [...openingOf(), ...facts]))).why;
  assert.match((await said([]))!, /no web search was made, and the papers list no references/);
  assert.match((await said([searchOf(1, [])]))!, /web searches returned nothing/);
  assert.match(
    (await said([searchOf(1, "Cannot search: timed out.")]))!,
    /failed: Cannot search: timed out,/,
  );
  // As the tool of earlier versions said it.
  const noKey = JSON.stringify({ note: "TAVILY_API_KEY is not set", results: [] });
  assert.match((await said([{ ...searchOf(1, []), result: noKey }]))!, /no search key was set/);
});
