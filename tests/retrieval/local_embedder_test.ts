import assert from "node:assert/strict";
import { join } from "@std/path";
import { CancelledError } from "../../src/core/error.ts";
import project from "../../deno.test.json" with { type: "json" };
import {
  EMBEDDING_PACKAGES,
  loadLocalEmbedder,
} from "../../src/papers/retrieval/local_embedder.ts";
import { createRetriever } from "../../src/papers/retrieval/paper_index.ts";
import { retrieverContract } from "../contracts/retriever_contract.ts";
import { ROOT, runDeno } from "../support/deno_process.ts";
import { PARAGRAPHS, SLEEP_PAPER } from "./support/sleep_paper.ts";

const EMBEDDER = await loadLocalEmbedder();

retrieverContract(
  "createRetriever({ mode: semantic })",
  (papers) => createRetriever(papers, { mode: "semantic" }),
);

/** Questions that share no word with the paragraph that answers them. */
const PARAPHRASES: readonly (readonly [string, keyof typeof PARAGRAPHS])[] = [
  ["traffic accidents of young motorists", "crashes"],
  ["depression and mental health", "mood"],
  ["financial expense of transportation", "buses"],
];

Deno.test("createRetriever() finds by meaning what has no word of the query, and by keyword does not", async () => {
  const keyword = createRetriever([SLEEP_PAPER]);
  const semantic = createRetriever([SLEEP_PAPER], { mode: "semantic" });
  const hybrid = createRetriever([SLEEP_PAPER], { mode: "hybrid" });
  for (const [query, subject] of PARAPHRASES) {
    const isIt = ({ text }: { readonly text: string }) =>
      text.includes(PARAGRAPHS[subject].slice(-150));
    assert.ok(!(await keyword.search(query)).some(isIt), query);
    assert.ok(isIt((await semantic.search(query))[0]!), query);
    assert.ok((await hybrid.search(query)).some(isIt), query);
  }
  for (const query of ["coral reef bleaching", "recipe for sourdough bread", "C++", "東京"]) {
    assert.deepEqual(await semantic.search(query), [], query);
  }
});

Deno.test("loadLocalEmbedder() gives one embedder a process, and a vector for any text", async () => {
  assert.equal(await loadLocalEmbedder(), EMBEDDER);
  assert.deepEqual(await EMBEDDER.embed([]), []);
  const texts = ["", " ", "\ud800", "東京都は", "12 + 30", "Zebras run.", "zebra ".repeat(20_000)];
  const vectors = await EMBEDDER.embed(texts);
  const lengths = vectors.map((vector) => Math.round(Math.hypot(...vector) * 1000) / 1000);
  assert.deepEqual(lengths, [0, 0, 0, 0, 0, 1, 1]);
  assert.deepEqual(new Set(vectors.map(({ length }) => length)), new Set([512]));
  assert.deepEqual(await EMBEDDER.embed(["Zebras run."]), [vectors[5]]);
});

Deno.test("loadLocalEmbedder() lets others have their turn between texts, and stops when cancelled", async () => {
  const controller = new AbortController();
  const making = EMBEDDER.embed(Array.from({ length: 1000 }, (_, i) => `Zebra ${i}.`), {
    signal: controller.signal,
  });
  const timer = setTimeout(() => controller.abort(), 1);
  await assert.rejects(making, CancelledError);
  clearTimeout(timer);
  assert.equal((await EMBEDDER.embed(["Zebras run."])).length, 1);
});

const LOAD = join(ROOT, "src/papers/retrieval/local_embedder.ts");
const CONFIG = ["--config", join(ROOT, "deno.test.json")];

Deno.test("the embedder loads the versions that the test lock holds", () => {
  const named: readonly string[] = Object.values(project.imports);
  for (const name of Object.values(EMBEDDING_PACKAGES)) assert.ok(named.includes(name), name);
});

Deno.test("what imports the embedder does not download the model", async () => {
  const end = await runDeno(["info", "--json", join(ROOT, "src/papers/retrieval/paper_index.ts")]);
  assert.equal(end.code, 0, end.stderr);
  const { modules } = JSON.parse(end.stdout);
  const imported = JSON.stringify(modules);
  assert.ok(imported.includes("local_embedder.ts") && imported.includes("npm:/minisearch"));
  assert.ok(!imported.includes("energetic"));
});

Deno.test("loadLocalEmbedder() says what to do where the model is not there and cannot be had", async () => {
  const cache = await Deno.makeTempDir();
  try {
    const script = join(cache, "load.ts");
    await Deno.writeTextFile(
      script,
      `import { loadLocalEmbedder } from ${JSON.stringify(LOAD)};
      for (const _ of [1, 2]) await loadLocalEmbedder().catch((error) => console.log(JSON.stringify(error)));`,
    );
    const flags = ["--no-prompt", "--cached-only", "--ignore-env", "--allow-read"];
    const { code, stdout, stderr } = await runDeno(["run", ...CONFIG, ...flags, script], {
      env: { DENO_DIR: cache },
    });
    assert.equal(code, 0, stderr);
    const errors = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(errors.length, 2);
    for (const error of errors) {
      assert.equal(error.code, "config_invalid");
      assert.equal(error.field, "retrieval");
      assert.match(error.message, /^Cannot load the local embeddings: .*@energetic-ai/);
      assert.match(error.hint, /32 MB.*connection.*keyword/);
    }
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});
