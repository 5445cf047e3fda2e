// Vector index: ranking, caching, cancellation.
import assert from "node:assert/strict";
import { CancelledError, SearchError } from "../../src/core/error.ts";
import { KeptEmbedder, VectorIndex } from "../../src/papers/retrieval.ts";
import { WordEmbedder } from "./support/word_embedder.ts";

const TEXTS = ["A ferry is a boat.", "Bees make honey.", "The boat is quiet.", "Nothing of it."];
/** More texts than a batch of the embedder. */
const MANY = Array.from({ length: 200 }, (_, i) => i === 40 ? "Bees." : `Boat ${i}.`);

Deno.test("VectorIndex ranks by cosine and omits unrelated texts", async () => {
  const hits = await new VectorIndex(TEXTS, new WordEmbedder()).search("ferries");
  assert.deepEqual(hits.map(({ number }) => number), [0, 2]);
  assert.equal(hits[0]!.score, 1);
  assert.ok(Math.abs(hits[1]!.score - Math.SQRT1_2) < 1e-6);
  assert.deepEqual(await new VectorIndex(TEXTS, new WordEmbedder()).search("zeppelins"), []);
});

Deno.test("VectorIndex embeds each text once, for all concurrent searches", async () => {
  const embedder = new WordEmbedder();
  const index = new VectorIndex(MANY, embedder);
  const [boats, bees] = await Promise.all([index.search("boats"), index.search("bees")]);
  assert.equal(boats.length, 199);
  assert.deepEqual(bees.map(({ number }) => number), [40]);
  await index.search("honey");
  const made = embedder.calls.flat();
  assert.deepEqual(made.slice(0, 200), MANY);
  assert.deepEqual(made.slice(200), ["boats", "bees", "honey"]);
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

Deno.test("VectorIndex makes no call for a blank query or without texts", async () => {
  const embedder = new WordEmbedder();
  assert.deepEqual(await new VectorIndex(TEXTS, embedder).search(" \n"), []);
  assert.deepEqual(await new VectorIndex([], embedder).search("boats"), []);
  assert.deepEqual(embedder.calls, []);
});

Deno.test("VectorIndex never splits a character for its embedder", async () => {
  const embedder = new WordEmbedder();
  await new VectorIndex(["boat \ud83d"], embedder).search("boat \udc1d");
  assert.deepEqual(embedder.calls, [["boat \ufffd"], ["boat \ufffd"]]);
});

Deno.test("VectorIndex continues for other searches when one is cancelled", async () => {
  const embedder = new WordEmbedder();
  const index = new VectorIndex(MANY, embedder);
  const controller = new AbortController();
  embedder.before = () => {
    controller.abort("enough");
    return Promise.resolve();
  };
  const cancelled = index.search("boats", { signal: controller.signal });
  const other = index.search("bees");
  await assert.rejects(cancelled, CancelledError);
  assert.deepEqual((await other).map(({ number }) => number), [40]);
  const [lost, ...made] = embedder.calls;
  assert.deepEqual([lost, made.flat().slice(0, 200)], [MANY.slice(0, 64), MANY]);
});

Deno.test("VectorIndex stops when all searches are cancelled, and continues from there later", async () => {
  const embedder = new WordEmbedder();
  const index = new VectorIndex(MANY, embedder);
  const controller = new AbortController();
  const told = Promise.withResolvers<void>();
  embedder.before = ({ signal }) => {
    if (embedder.calls.length < 2) return Promise.resolve();
    // The only search is cancelled during the second call: the embedder's signal aborts.
    signal?.addEventListener("abort", () => told.resolve(), { once: true });
    controller.abort();
    return told.promise;
  };
  await assert.rejects(index.search("boats", { signal: controller.signal }), CancelledError);
  await told.promise;
  embedder.before = () => Promise.resolve();
  assert.equal((await index.search("boats")).length, 199);
  const [first, lost, again] = embedder.calls;
  assert.deepEqual(first, MANY.slice(0, 64));
  assert.deepEqual(again, lost);
  assert.deepEqual(embedder.calls.flat().length, 200 + 64 + 1);
});

Deno.test("VectorIndex fails with its embedder's error and retries at the next search", async () => {
  const embedder = new WordEmbedder();
  const index = new VectorIndex(MANY, embedder);
  embedder.before = () => Promise.reject(new Error("no power"));
  const failing = [index.search("boats"), index.search("bees")];
  for (const search of failing) await assert.rejects(search, /no power/);
  embedder.before = () => Promise.resolve();
  assert.equal((await index.search("bees")).length, 1);
});

Deno.test("VectorIndex rejects vectors that cannot be compared", async () => {
  const wrong: readonly (readonly [(texts: readonly string[]) => number[][], RegExp])[] = [
    [() => [], /0 vectors came for 4 texts/],
    [(texts) => texts.map(() => [1, NaN]), /not a number/],
    [(texts) => texts.map((_, i) => i === 0 ? [1] : [1, 2]), /2 and 1 numbers|1 and 2 numbers/],
  ];
  for (const [vectors, says] of wrong) {
    const embedder = {
      model: "wrong",
      embed: (texts: readonly string[]) => Promise.resolve(vectors(texts)),
    };
    await assert.rejects(new VectorIndex(TEXTS, embedder).search("boats"), (error) => {
      assert.ok(error instanceof SearchError);
      assert.match(error.message, says);
      assert.match(error.hint ?? "", /embedder/);
      return true;
    });
  }
});
