// Retrieval from papers: keyword, semantic and hybrid.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigurationError } from "../../src/core/error.ts";
import type { Paper } from "../../src/core/paper.ts";
import type { PaperHit, Retriever } from "../../src/core/search.ts";
import { RETRIEVAL_MODES } from "../../src/config/setting_shapes.ts";
import { createRetriever } from "../../src/papers/retrieval.ts";
import { retrieverContract } from "../contracts/retriever_contract.ts";
import { paragraphRetriever } from "./support/paragraph_retriever.ts";
import { SLEEP_PAPER } from "./support/sleep_paper.ts";
import { WordEmbedder } from "./support/word_embedder.ts";

retrieverContract("a retriever of one's own", paragraphRetriever);
retrieverContract("createRetriever({ mode: keyword })", (papers) => createRetriever(papers));
for (const mode of ["semantic", "hybrid"] as const) {
  retrieverContract(
    `createRetriever({ mode: ${mode}, embed })`,
    (papers) => createRetriever(papers, { mode, embed: new WordEmbedder() }),
  );
}

Deno.test("createRetriever() retrieves by keyword by default and states its mode", () => {
  assert.equal(createRetriever([]).name, "keyword");
  const embed = new WordEmbedder();
  assert.deepEqual(RETRIEVAL_MODES.map((mode) => createRetriever([], { mode, embed }).name), [
    "keyword",
    "semantic",
    "hybrid",
  ]);
});

Deno.test("createRetriever() numbers the chunks of each paper, with pages and offsets", async () => {
  const hits = await createRetriever([SLEEP_PAPER]).search("hired vehicles and drivers", {
    limit: 1,
  });
  const [{ chunkId, page, start, end, text } = {} as PaperHit] = hits;
  assert.match(chunkId, /^later-hours#\d+$/);
  assert.equal(page, 2);
  assert.equal(SLEEP_PAPER.text.slice(start, end), text);
  assert.match(text, /had to hire eleven more vehicles/);
});

Deno.test("createRetriever() rejects two papers with one id", () => {
  const paper = { id: "a", title: "A", text: "Words." };
  assert.throws(() => createRetriever([paper, { ...paper, title: "B" }]), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, /two of them have the id "a"/);
    assert.equal(error.field, "papers");
    return true;
  });
});

Deno.test("createRetriever() rejects semantic search without an embedder", () => {
  assert.throws(() => createRetriever([], { mode: "hybrid" }), /mode hybrid: there is no embedder/);
});

Deno.test("createRetriever() requests vectors only for modes that use them, at the first search", async () => {
  const embed = new WordEmbedder();
  await createRetriever([SLEEP_PAPER], { embed }).search("buses");
  const semantic = createRetriever([SLEEP_PAPER], { mode: "semantic", embed });
  assert.deepEqual(embed.calls, []);
  await semantic.search("costs");
  assert.ok(embed.calls.length > 1);
});

Deno.test("createRetriever({ mode: hybrid }) finds the results of both modes and ranks common ones first", async () => {
  const text = ["The ferry runs.", "A boat leaves at noon.", "The zeppelin leaves."]
    .map((each) => each.padEnd(300, " -")).join("\n\n");
  const papers = [{ id: "a", title: "A", text }];
  const found = async (mode: "keyword" | "semantic" | "hybrid", query: string) =>
    await search(createRetriever(papers, { mode, embed: new WordEmbedder() }), query);
  assert.deepEqual(await found("keyword", "ferry zeppelin"), ["a#1", "a#3"]);
  assert.deepEqual(await found("semantic", "ferry zeppelin"), ["a#1", "a#2"]);
  assert.deepEqual(await found("hybrid", "ferry zeppelin"), ["a#1", "a#2", "a#3"]);
});

Deno.test("createRetriever({ mode: hybrid }) fuses the first 50 results of each mode", async () => {
  const text = Array.from({ length: 90 }, (_, at) => `Boat ${at} left.`.padEnd(300, " -")).join(
    "\n\n",
  );
  const papers = [{ id: "a", title: "A", text }];
  const countOf = async (mode: "keyword" | "hybrid") =>
    (await createRetriever(papers, { mode, embed: new WordEmbedder() }).search("boat", {
      limit: 200,
    }))
      .length;
  assert.ok(await countOf("keyword") >= 90);
  assert.equal(await countOf("hybrid"), 50);
});

async function search(retriever: Retriever, query: string): Promise<string[]> {
  return (await retriever.search(query)).map(({ chunkId }) => chunkId).toSorted();
}

Deno.test("createRetriever() uses at most 10,000 characters of a query", async () => {
  const retriever = createRetriever([SLEEP_PAPER]);
  assert.equal((await retriever.search(`${" ".repeat(9_990)} buses`)).length, 0);
  assert.notEqual((await retriever.search(`${" ".repeat(9_900)} vehicles`)).length, 0);
});

Deno.test("createRetriever() finds every sentence of a long paper at its position", async () => {
  const sentences = Array.from(
    { length: 400 },
    (_, i) =>
      `Sample ${i} was taken at depth ${i * 7} and held grain${i}x of sand, as the table shows.`,
  );
  const text = sentences.join(" ");
  const paper: Paper = { id: "sand", title: "Sand", text, pages: [0, 10_000, 20_000] };
  const retriever = createRetriever([paper]);
  await fc.assert(
    fc.asyncProperty(fc.nat(399), async (i) => {
      const [hit] = await retriever.search(`grain${i}x`, { limit: 1 });
      assert.ok(hit!.text.includes(`grain${i}x of sand`));
      assert.equal(hit!.page, Math.min(Math.floor(hit!.start / 10_000) + 1, 3));
    }),
    { numRuns: 40 },
  );
});
