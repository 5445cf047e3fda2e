// Semantic search: ranking, vectors that are kept, cancellation.
import assert from "node:assert/strict";
import { CancelledError, SearchError } from "../../src/core/error.ts";
import type { Embedder } from "../../src/core/search.ts";
import { createRetriever, KeptEmbedder } from "../../src/papers/retrieval.ts";
import { WordEmbedder } from "./support/word_embedder.ts";

const TEXTS = ["A ferry is a boat.", "Bees make honey.", "The boat is quiet.", "Nothing of it."];
/** More texts than a batch of the embedder. */
const MANY = Array.from({ length: 200 }, (_, i) => i === 40 ? "Bees." : `Boat ${i}.`);

/** Returns a function that searches texts, each the paper of its number, for the numbers and scores of those found. */
function searchIn(texts: readonly string[], embed: Embedder) {
  const papers = texts.map((text, number) => ({ id: `text-${number}`, title: "Text", text }));
  const retriever = createRetriever(papers, { mode: "semantic", embed });
  return async (query: string, signal?: AbortSignal) => {
    const hits = await retriever.search(query, { limit: Infinity, signal });
    return hits.map(({ paper, score }) => [Number(paper.slice("text-".length)), score] as const);
  };
}

Deno.test("Semantic search ranks by cosine and omits unrelated texts", async () => {
  const search = searchIn(TEXTS, new WordEmbedder());
  const [first, second, ...more] = await search("ferries");
  assert.deepEqual([first, second?.[0], more], [[0, 1], 2, []]);
  assert.ok(Math.abs(second![1] - Math.SQRT1_2) < 1e-6);
  assert.deepEqual(await search("zeppelins"), []);
});

Deno.test("Semantic search embeds each text once, for all concurrent searches", async () => {
  const embedder = new WordEmbedder();
  const search = searchIn(MANY, embedder);
  const [boats, bees] = await Promise.all([search("boats"), search("bees")]);
  assert.equal(boats.length, 199);
  assert.deepEqual(bees, [[40, 1]]);
  await search("honey");
  const made = embedder.calls.flat();
  assert.deepEqual(made.slice(0, 200), MANY);
  assert.deepEqual(made.slice(200), ["boats", "bees", "honey"]);
});

Deno.test("Semantic search makes no call for a blank query or without texts", async () => {
  const embedder = new WordEmbedder();
  assert.deepEqual(await searchIn(TEXTS, embedder)(" \n"), []);
  assert.deepEqual(await searchIn([], embedder)("boats"), []);
  assert.deepEqual(embedder.calls, []);
});

Deno.test("Semantic search never splits a character for its embedder", async () => {
  const embedder = new WordEmbedder();
  await searchIn(["boat \ud83d"], embedder)("boat \udc1d");
  assert.deepEqual(embedder.calls, [["boat \ufffd"]]);
});

Deno.test("A cancelled search stops at once, and other searches continue", async () => {
  const embedder = new WordEmbedder();
  const search = searchIn(MANY, embedder);
  const controller = new AbortController();
  let other: ReturnType<typeof search> | undefined;
  embedder.before = ({ signal }) => {
    if (embedder.calls.length !== 2) return Promise.resolve();
    other = search("bees");
    // The first search is cancelled during the second call, which never ends by itself.
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      controller.abort("enough");
    });
  };
  await assert.rejects(search("boats", controller.signal), CancelledError);
  assert.deepEqual(await other, [[40, 1]]);
  const [first, lost, again] = embedder.calls;
  assert.deepEqual([first, again], [MANY.slice(0, 64), lost]);
  assert.equal(embedder.calls.flat().length, 200 + 64 + 1);
});

Deno.test("A search fails with its embedder's error, and the next one asks again", async () => {
  const embedder = new WordEmbedder();
  const search = searchIn(MANY, embedder);
  embedder.before = () => Promise.reject(new Error("no power"));
  for (const failing of [search("boats"), search("bees")]) {
    await assert.rejects(failing, /no power/);
  }
  embedder.before = () => Promise.resolve();
  assert.equal((await search("bees")).length, 1);
});

Deno.test("Semantic search rejects vectors that cannot be compared", async () => {
  const wrong: readonly (readonly [(texts: readonly string[]) => number[][], RegExp])[] = [
    [() => [], /0 vectors came for 4 texts/],
    [(texts) => texts.map(() => [1, NaN]), /not a number/],
    [(texts) => texts.map((_, i) => i === 0 ? [1] : [1, 2]), /2 and 1 numbers|1 and 2 numbers/],
  ];
  for (const [vectors, says] of wrong) {
    const embed = {
      model: "wrong",
      embed: (texts: readonly string[]) => Promise.resolve(vectors(texts)),
    };
    await assert.rejects(searchIn(TEXTS, embed)("boats"), (error) => {
      assert.ok(error instanceof SearchError);
      assert.match(error.message, says);
      assert.match(error.hint ?? "", /embedder/);
      return true;
    });
  }
});

Deno.test("KeptEmbedder embeds a text once for concurrent calls, and again after a failure", async () => {
  const embedder = new WordEmbedder();
  const kept = new KeptEmbedder(embedder);
  embedder.before = () =>
    embedder.calls.length === 1 ? Promise.reject(new Error("no power")) : Promise.resolve();
  const failing = kept.embed(["boats"]);
  const next = kept.embed(["boats", "bees"]);
  const last = kept.embed(["bees"]);
  await assert.rejects(failing, /no power/);
  const [, bees] = await next;
  assert.deepEqual(await last, [bees]);
  assert.deepEqual(embedder.calls.flat().sort(), ["bees", "boats", "boats"]);
});

Deno.test("KeptEmbedder answers a text that waits while its vector is written to disk", async () => {
  const embedder = new WordEmbedder();
  const kept = new KeptEmbedder(embedder);
  const written = Promise.withResolvers<void>();
  const shelf = { read: async function* () {}, add: () => written.promise };
  kept.shelf = shelf;
  const calls = [kept.embed(["boats"]), kept.embed(["boats"])];
  // A message is a task, as the end of a write is: no call may keep tasks from their turn.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => written.resolve();
  port2.postMessage(null);
  const [first, second] = await Promise.all(calls);
  port1.close();
  assert.deepEqual(first, second);
  assert.equal(embedder.calls.length, 1);
});
