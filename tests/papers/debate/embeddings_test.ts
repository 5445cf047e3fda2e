// Paper debates with retrieval by a server's embeddings: cost, limits, failures.
import { join } from "@std/path";
import {
  composeConvening,
  type ConveningResult,
  fork,
  parseConfig,
  resume,
  verify,
} from "../../../mod.ts";
import type { Paper } from "../../../papers.ts";
import type { CallGate } from "../../../src/engine/budget.ts";
import { RunStop } from "../../../src/engine/run_stop.ts";
import { runStudy } from "../../../src/operations/study_run.ts";
import { namesIn, withFolder } from "../../support/cli.ts";
import { vectorOf } from "../support/word_embedder.ts";
import {
  EMBEDDED_TOKENS,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "../../support/model_server.ts";
import { call, type PaperAsk, paperModel } from "../../support/paper_model.ts";
import assert from "node:assert/strict";

const PAPER: Paper = {
  id: "ferry",
  title: "An electric ferry",
  text: [
    "The harbour counts passengers of the electric ferry at both piers.",
    "Repairs of the battery cost 90,000 euros in the third year.",
    "Residents said that the boat is quiet, and that they miss its horn in fog.",
  ].map((each) => each.padEnd(520, " And so on.")).join("\n\n"),
};
const PRICES = { date: "2026-11-01", models: { small: { input: 10, output: 0 } } };
const LOOKED_UP = "What does it cost to mend?";

/** Has each debater look up the same thing and then argue. */
function asks({ kind, results }: PaperAsk) {
  const looksUp = kind === "debater_argument" && results.length === 0;
  return looksUp ? call("lookupPaper", { query: LOOKED_UP }) : undefined;
}

async function held(
  url: string,
  dir: string,
  more: Readonly<Record<string, unknown>> = {},
  gate?: CallGate,
): Promise<ConveningResult> {
  const config = parseConfig({
    kind: "paper-debate",
    papers: ["ferry.md"],
    model: "good",
    baseUrl: url,
    embeddingModel: "small",
    retrieval: "semantic",
    postures: 2,
    out: dir,
    retry: { retries: 1, minWait: 1 },
    ...more,
  });
  const env = () => undefined;
  return await (await composeConvening(config, { papers: [PAPER], env, gate })).run();
}

/** Resumes a debate to its end. */
async function complete(dir: string, { url }: ModelServer): Promise<void> {
  const resumed = await resume(dir, { env: () => undefined, allowBaseUrls: [url] });
  assert.equal((await resumed.run()).status, "completed");
}

async function within(
  options: ModelServerOptions,
  run: (opened: { readonly out: string; readonly server: ModelServer }) => Promise<void>,
): Promise<void> {
  await using server = await startModelServer({ respond: paperModel(asks), ...options });
  await withFolder((out) => run({ out, server }));
}

const embed = (texts: readonly string[]) => texts.map(vectorOf);

Deno.test("A debate finds passages by a server's vectors, stores them, and needs no further call", async () => {
  await within({ embed }, async ({ out, server }) => {
    const { dir, status } = await held(server.url, out);
    assert.equal(status, "completed");
    // One request for the passages, one for the query of both debaters.
    const inputs = server.embedded.map(({ input }) => input.length);
    assert.deepEqual([inputs[0], inputs.length <= 3], [4, true]);
    const files = await namesIn(dir!);
    assert.ok(files.includes("embeddings.jsonl"), files.join());
    const said = await Deno.readTextFile(join(dir!, "metadata.md"));
    assert.match(said, /retrieval: semantic\n\s*embeddingModel: small/);
    const record = await textOf(dir!);
    assert.match(record, /90,000 euros/);
    assert.deepEqual((await verify(dir!)).findings, []);

    const asked = server.embedded.length;
    const replayed = await held(server.url, join(out, "again"), { model: `replay:${dir}` });
    assert.equal(replayed.status, "completed");
    const forked = await fork(dir!, { at: 3 });
    await complete(forked, server);
    assert.equal(server.embedded.length, asked);
  });
});

Deno.test("Tokens of embeddings are in the usage and cost of the answers that needed them", async () => {
  await within({ embed }, async ({ out, server }) => {
    const { dir, usage } = await held(server.url, out, { prices: PRICES });
    const sent = server.embedded.flatMap(({ input }) => input).length;
    assert.equal(usage.embeddingTokens, sent * EMBEDDED_TOKENS);
    assert.equal(usage.costUsd, sent * EMBEDDED_TOKENS * 10 / 1e6);
    assert.match(
      await Deno.readTextFile(join(dir!, "metadata.md")),
      new RegExp(`embedding_tokens: ${usage.embeddingTokens}`),
    );
    const arguments_ = await textOf(dir!);
    const counted = [...arguments_.matchAll(/embedding_tokens: (\d+)/g)].map(([, n]) => Number(n));
    assert.equal(counted.reduce((sum, each) => sum + each, 0), usage.embeddingTokens);
    assert.deepEqual((await verify(dir!)).findings, []);
  });
});

Deno.test("Embeddings beyond the limits are not requested and end the debate as a limit does", async () => {
  await within({ embed }, async ({ out, server }) => {
    const limits = { maxCost: 0.001 };
    const { status, endReason, dir } = await held(server.url, out, { prices: PRICES, limits });
    assert.deepEqual([status, endReason, server.embedded], ["stopped", "max_cost", []]);
    assert.deepEqual((await verify(dir!)).findings, []);
    const unpriced = held(server.url, out, {
      limits: { maxCost: 1 },
      embeddingModel: "far:small",
      providers: { far: { baseUrl: "http://embeddings.example/v1" } },
    });
    await assert.rejects(unpriced, /model "far:small" has no price/);
  });
});

Deno.test("A gate that pauses a request for embeddings pauses the debate, and no look-up fails", async () => {
  await within({ embed }, async ({ out, server }) => {
    const { status, dir } = await held(server.url, out, {}, {
      enter: ({ key }) =>
        key.startsWith("embeddings/")
          ? Promise.reject(new RunStop("paused"))
          : Promise.resolve(() => Promise.resolve()),
    });
    assert.deepEqual([status, server.embedded], ["paused", []]);
    await complete(dir!, server);
    assert.deepEqual((await verify(dir!)).findings, []);
    assert.doesNotMatch(await textOf(dir!), /failed: true/);
  });
});

Deno.test("Embeddings of a study are checked against its budget and rates before the request", async () => {
  await within({ embed }, async ({ out, server }) => {
    const path = join(out, "ferry.md");
    await Deno.writeTextFile(path, `# ${PAPER.title}\n\n${PAPER.text}`);
    const study = (maxCost: number) => ({
      study: "ferry",
      base: {
        kind: "paper-debate",
        model: "good",
        baseUrl: server.url,
        embeddingModel: "small",
        retrieval: "semantic",
        postures: 2,
        out,
        prices: PRICES,
      },
      papers: [path],
      limits: { maxCost },
    });
    const env = () => undefined;
    const refused = await runStudy(study(0.001), { env });
    assert.deepEqual([refused.ended, refused.costUsd, server.embedded.length], ["budget", 0, 0]);
    const { ended, costUsd } = await runStudy(study(0.1), { env });
    assert.equal(ended, "done");
    const sent = server.embedded.flatMap(({ input }) => input).length;
    assert.equal(costUsd, sent * EMBEDDED_TOKENS * 10 / 1e6);
  });
});

async function textOf(dir: string): Promise<string> {
  const folder = join(dir, "messages");
  const names = await namesIn(folder);
  const texts = names.map((name) => Deno.readTextFile(join(folder, name)));
  return (await Promise.all(texts)).join("\n");
}

Deno.test("Embeddings are requested again after a temporary failure", async () => {
  const busy = (texts: readonly string[], index: number) =>
    index === 0 ? { status: 503, body: "busy" } : embed(texts);
  await within({ embed: busy }, async ({ out, server }) => {
    assert.equal((await held(server.url, out)).status, "completed");
    assert.equal(server.embedded[1]!.input.length, server.embedded[0]!.input.length);
  });
});

Deno.test("A debate whose embeddings fail ends with the server's error and is resumed without paying twice", async () => {
  let fails = true;
  const broken = (texts: readonly string[]) =>
    fails ? { status: 404, body: '{"error":{"message":"no model small"}}' } : embed(texts);
  await within({ embed: broken }, async ({ out, server }) => {
    let dir = "";
    await assert.rejects(held(server.url, out), (error: Error & { code: string; dir: string }) => {
      assert.equal(error.code, "agent_bad_reply");
      assert.match(error.message, /small .*status 404, no model small/);
      dir = error.dir;
      return true;
    });
    const asked = server.requests.length;
    fails = false;
    await complete(dir, server);
    // Questions and postures are kept; the debaters' look-ups are not requested again.
    const again = server.requests.slice(asked)
      .map(({ body }) => body.response_format?.json_schema?.name);
    assert.equal(again.includes("paper_questions"), false);
  });
});

Deno.test("An older record without vectors is verified and replayed without a server", async () => {
  await within({ embed }, async ({ out, server }) => {
    const { dir } = await held(server.url, out);
    await Deno.remove(join(dir!, "embeddings.jsonl"));
    const path = join(dir!, "metadata.md");
    const metadata = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, metadata.replace(/\n\s*embeddingModel: small/, ""));
    assert.deepEqual((await verify(dir!)).findings, []);
    const asked = server.embedded.length;
    const replayed = await held("http://127.0.0.1:9/v1", join(out, "again"), {
      model: `replay:${dir}`,
      embeddingModel: undefined,
    });
    assert.equal(replayed.status, "completed");
    assert.equal(server.embedded.length, asked);
  });
});

withFolder.test("A debate with semantic retrieval and without an API key leaves no record", async (out) => {
  const config = { model: "offline", baseUrl: undefined, embeddingModel: undefined };
  await assert.rejects(
    held("", out, config),
    /embedding model "text-embedding-3-small": OPENAI_API_KEY is not set/,
  );
  assert.deepEqual(await namesIn(out), []);
});
