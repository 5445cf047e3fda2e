// Contract suite of retrievers: the tests that every retriever must pass.
import assert from "node:assert/strict";
import { CancelledError } from "../../src/core/error.ts";
import { pageAt, type Paper } from "../../src/core/paper.ts";
import { MAX_PASSAGES, type PaperHit, type Retriever } from "../../src/core/search.ts";

const FERRIES = [
  "The harbour counts passengers of the electric ferry at both piers, by hand in summer and with a gate in winter.",
  "Repairs of the ferry's battery cost 90,000 euros in the third year, more than fuel had cost in the five years before.",
  "Residents of the island said that the electric ferry is quiet, and that they miss hearing it come in fog.",
].map((sentence) => sentence.padEnd(520, ` ${sentence}`).slice(0, 520));

const BEES = [
  "Hives on flat roofs gave eleven kilograms of honey a year, half of what hives at the edge of the forest gave.",
  "Wild bees were counted on lime trees nearby, and were fewer where the honey bees of the roofs came to feed.",
].map((sentence) => sentence.padEnd(520, ` ${sentence}`).slice(0, 520));

/** Two papers on different subjects; one paper's id looks like an id of the other paper's chunks. */
const PAPERS: readonly Paper[] = [
  {
    id: "ferry",
    title: "An electric ferry",
    text: FERRIES.join("\n\n"),
    pages: [0, 522, 1044],
  },
  { id: "ferry#1", title: "Bees on roofs", text: BEES.join("\n\n") },
];

const QUESTION = "costs of repairs of the battery";

/** Queries with characters that have a meaning in patterns or markup. */
const ODD_QUERIES: readonly string[] = [
  ...'? ((( [a-z]* \\ a.*b|c C++ " 🐝🐝 \ud800 \udc00 \u0000 \u0007\u001b[31m *'.split(" "),
  "__proto__ constructor hasOwnProperty",
  "Was kostete die Reparatur?",
  "渡船的电池修理费用是多少",
  "كم كلفت العبارة",
  "ferry ".repeat(1_700),
  "x".repeat(10_000),
  "a b\n\n\tc\u2028d",
];

/**
 * Declares the tests that every retriever must pass. `create` receives two papers, one about an electric ferry and one
 * about bees on roofs, or none.
 */
export function retrieverContract(
  name: string,
  create: (papers: readonly Paper[]) => Retriever,
): void {
  const it = (title: string, run: (retriever: Retriever) => Promise<void>) =>
    Deno.test(`${name} ${title}`, () => run(create(PAPERS)));

  it("search() returns the matching passage and its position", async (retriever) => {
    const hits = await retriever.search(QUESTION);
    assert.ok(hits.length > 0 && hits.length <= MAX_PASSAGES);
    assert.ok(hits[0]!.text.includes("90,000 euros"), hits[0]!.text);
    assert.deepEqual([hits[0]!.paper, hits[0]!.page, hits[0]!.score], ["ferry", 2, 1]);
    for (const hit of hits) checkPlace(hit);
    const scores = hits.map(({ score }) => score);
    assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
    assert.ok(scores.every((score) => score > 0 && score <= 1), String(scores));
  });

  it("search() names the paper of each passage and returns no passage twice", async (retriever) => {
    const found = new Map<string, string>();
    for (
      const query of [QUESTION, "electric ferry", "honey bees of the roofs", "hives and honey"]
    ) {
      for (const hit of await retriever.search(query, { limit: 50 })) {
        checkPlace(hit);
        const place = `${hit.paper} ${hit.start}`;
        assert.equal(found.get(hit.chunkId) ?? place, place);
        found.set(hit.chunkId, place);
      }
    }
    assert.equal(new Set(found.values()).size, found.size);
    assert.equal((await retriever.search("How much honey do hives give?"))[0]?.paper, "ferry#1");
  });

  it("search() returns the requested number of passages, the same ones each time", async (retriever) => {
    const [first, ...more] = await retriever.search("the electric ferry");
    assert.ok(more.length > 0);
    assert.deepEqual(await retriever.search("the electric ferry", { limit: 1 }), [first]);
    assert.deepEqual(await retriever.search("the electric ferry", { limit: 0 }), []);
    const both = await Promise.all([
      retriever.search("the electric ferry"),
      retriever.search("the electric ferry"),
    ]);
    assert.deepEqual(both, [[first, ...more], [first, ...more]]);
  });

  it("search() accepts any text as a query", async (retriever) => {
    for (const query of ODD_QUERIES) {
      const hits = await retriever.search(query);
      assert.ok(hits.length <= MAX_PASSAGES, query.slice(0, 40));
      for (const hit of hits) checkPlace(hit);
    }
  });

  it("search() returns nothing when nothing matches", async (retriever) => {
    for (const query of ["", "   ", "\n\t", "zzyzx"]) {
      assert.deepEqual(await retriever.search(query), [], JSON.stringify(query));
    }
    assert.deepEqual(await create([]).search(QUESTION), []);
    const empty = { id: "empty", title: "Empty", text: "" };
    assert.deepEqual(await create([empty]).search(QUESTION), []);
  });

  it("search() rejects when it is cancelled and answers the next query", async (retriever) => {
    const signal = AbortSignal.abort("enough");
    await assert.rejects(retriever.search(QUESTION, { signal }), CancelledError);
    const controller = new AbortController();
    const search = retriever.search(QUESTION, { signal: controller.signal });
    controller.abort();
    await assert.rejects(search, CancelledError);
    assert.ok((await retriever.search(QUESTION)).length > 0);
  });
}

/** Checks that a hit's text is the paper's text at the hit's position. */
function checkPlace({ paper, text, start, end, page, chunkId }: PaperHit): void {
  const source = PAPERS.find(({ id }) => id === paper);
  assert.ok(source !== undefined, `there is no paper "${paper}"`);
  assert.equal(source.text.slice(start, end), text);
  assert.equal(page, pageAt(source, start));
  assert.match(chunkId, /^\S+$/, "an id that a model can copy");
}
