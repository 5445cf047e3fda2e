// Embeddings of OpenAI-compatible servers.
import assert from "node:assert/strict";
import { resolveAgent, resolveEmbedder } from "../../src/agents/named_agents.ts";
import { composeConvening } from "../../mod.ts";
import { createOpenAIEmbedder } from "../../src/agents/openai_endpoints.ts";
import { AgentError, CancelledError, ConfigurationError } from "../../src/core/error.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { type EmbeddingsReply, startModelServer } from "../support/model_server.ts";

const lengths = (texts: readonly string[]) => texts.map((text) => [text.length, 1]);

Deno.test("embed() sends texts in batches with model and API key and returns vectors in their order", async () => {
  await using server = await startModelServer({ embed: lengths, key: "sk-test" });
  const embedder = resolveEmbedder(undefined, {
    baseUrl: server.url,
    env: (name) => name === "OPENAI_API_KEY" ? "sk-test" : undefined,
  });
  await embedder.ready?.();
  assert.equal(server.embedded.length, 0);
  const texts = Array.from({ length: 150 }, (_, i) => "x".repeat(i));
  assert.deepEqual(await embedder.embed(texts), lengths(texts));
  assert.deepEqual(server.embedded.map(({ input }) => input.length), [64, 64, 22]);
  assert.ok(server.embedded.every(({ model }) => model === "text-embedding-3-small"));
  // Voyage refuses "encoding_format": "float".
  assert.deepEqual(Object.keys(server.embedded[0]!), ["model", "input"]);
});

/** Data of two vectors, as servers order and number the vectors. */
const ORDERS = [
  [{ index: 1, embedding: [2] }, { index: 0, embedding: [1] }],
  // Google leaves out the index 0.
  [{ embedding: [1] }, { index: 1, embedding: [2] }],
  [{ embedding: [1] }, { index: null, embedding: [2] }],
];
for (const data of ORDERS) {
  Deno.test(`embed() accepts ${JSON.stringify(data)} and a server without an API key`, async () => {
    const body = JSON.stringify({ data, usage: { ["prompt_tokens"]: 7 } });
    await using server = await startModelServer({ embed: () => ({ body }) });
    const providers = { mine: { baseUrl: server.url } };
    const embedder = resolveEmbedder("mine:small", { providers });
    assert.equal(embedder.model, "mine:small");
    const counted: number[] = [];
    const onTokens = (tokens: number) => void counted.push(tokens);
    assert.deepEqual(await embedder.embed(["a", "b"], { onTokens }), [[1], [2]]);
    assert.deepEqual(counted, [7]);
    assert.equal(server.embedded[0]!.model, "small");
  });
}

for (const status of [400, 413, 422]) {
  Deno.test(`embed() sends fewer texts at once to a server that refuses more than ten with ${status}`, async () => {
    const body = '{"error":{"message":"batch size is over 10"}}';
    const embed = (texts: readonly string[]) =>
      texts.length > 10 ? { status, body } : lengths(texts);
    await using server = await startModelServer({ embed });
    const providers = { mine: { baseUrl: server.url } };
    const embedder = resolveEmbedder("mine:small", { providers });
    const texts = Array.from({ length: 20 }, (_, i) => "x".repeat(i + 1));
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(await embedder.embed(texts), lengths(texts));
    }
    assert.deepEqual(server.embedded.map(({ input }) => input.length), [20, 10, 10, 10, 10]);
  });
}

Deno.test("a model that makes no embeddings is refused before the record is made", async () => {
  const body = '{"error":{"message":"no such model"}}';
  const embed = () => ({ status: 404, body });
  await using server = await startModelServer({ models: ["chat"], embed });
  const out: string = await Deno.makeTempDir();
  const workflow = await composeConvening({
    kind: "paper-debate",
    retrieval: "hybrid",
    embeddingModel: "mine:absent",
    model: "mine:chat",
    providers: { mine: { baseUrl: server.url } },
    out,
  }, { papers: [{ id: "p", title: "Trams", text: "Trams carry people." }] });
  await assert.rejects(workflow.run(), /mine:absent .*no such model/);
  assert.deepEqual([server.requests.length, await Array.fromAsync(Deno.readDir(out))], [0, []]);
  await Deno.remove(out);
});

Deno.test("a rate limit of embeddings pauses the chat requests to the same server", async () => {
  const headers = { "retry-after": "30" };
  await using server = await startModelServer({
    embed: () => ({ status: 429, body: "{}", headers }),
  });
  const settings = { providers: { mine: { baseUrl: server.url, maxWait: 40_000 } } };
  await assert.rejects(resolveEmbedder("mine:small", settings).embed(["a"]), AgentError);
  const hasty = { providers: { mine: { baseUrl: server.url, maxWait: 1000 } } };
  await assert.rejects(
    resolveAgent("mine:chat", hasty).reply(turnRequest()),
    /takes no requests for \d+ s/,
  );
  assert.equal(server.requests.length, 0);
});

/** Replies to two texts, with the error's code, pattern and status, and whether it is retryable. */
const FAULTS: readonly [EmbeddingsReply, string, RegExp, boolean][] = [
  [{ status: 401, body: '{"error":{"message":"Bad key"}}' }, "agent_auth", /Bad key/, false],
  [{ status: 400, body: '{"error":"Too long"}' }, "agent_bad_reply", /Too long/, false],
  [{ status: 503, body: "" }, "agent_unreachable", /status 503/, true],
  [
    { status: 307, body: "", headers: { location: "http://127.0.0.1:1/" } },
    "agent_bad_reply",
    /redirects to/,
    false,
  ],
  [{ body: "<html>" }, "agent_bad_reply", /not a list of embeddings/, true],
  [{ body: '{"data":[{"index":0,"embedding":["a"]}]}' }, "agent_bad_reply", /not a list/, true],
  [[[1]], "agent_bad_reply", /1 embeddings for 2 texts/, true],
  [
    { body: '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}' },
    "agent_bad_reply",
    /not one for each/,
    true,
  ],
  [{ body: `"${"x".repeat(16_000_001)}"` }, "agent_bad_reply", /bytes/, true],
];
for (const [reply, code, says, retryable] of FAULTS) {
  Deno.test(`embed() fails with ${code} that names model and provider: ${says.source}`, async () => {
    await using server = await startModelServer({ embed: () => reply });
    const embedder = createOpenAIEmbedder({
      model: "small",
      baseUrl: server.url,
      apiKey: "sk-12345",
    });
    await assert.rejects(embedder.embed(["a", "b"]), (error) => {
      assert.ok(error instanceof AgentError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, says);
      assert.match(error.message, /small \(OpenAI\)/);
      assert.equal(error.retryable, retryable);
      return true;
    });
  });
}

Deno.test("embed() fails when no server answers, after a timeout, and when cancelled", async () => {
  const nobody = createOpenAIEmbedder({ model: "small", baseUrl: "http://127.0.0.1:9/v1" });
  await assert.rejects(nobody.embed(["a"]), { code: "agent_unreachable" });
  const broken = new ReadableStream({ start: (body) => body.error(new TypeError("body broke")) });
  const fetch = () => Promise.resolve(new Response(broken));
  await assert.rejects(createOpenAIEmbedder({ model: "small", fetch }).embed(["a"]), {
    code: "agent_unreachable",
  });
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const baseUrl = `http://127.0.0.1:${listener.addr.port}/v1`;
  const slow = createOpenAIEmbedder({ model: "small", baseUrl, totalTimeout: 50 });
  await assert.rejects(slow.embed(["a"]), { code: "agent_timeout" });
  const stop = new AbortController();
  const patient = createOpenAIEmbedder({ model: "small", baseUrl });
  const cancelled = patient.embed(["a"], { signal: stop.signal });
  stop.abort("enough");
  await assert.rejects(cancelled, CancelledError);
});

Deno.test("resolveEmbedder() rejects, at the first use, a model without embeddings and a missing API key", async () => {
  for (
    const [name, says] of [
      ["offline", /makes no embeddings/],
      ["replay:x", /makes no embeddings/],
      ["google:gemini-embedding-001", /GOOGLE_API_KEY is not set/],
      [undefined, /OPENAI_API_KEY is not set/],
      ["nowhere:small", /no provider "nowhere"/],
    ] as const
  ) {
    const embedder = resolveEmbedder(name, {});
    for (const use of [() => embedder.ready!(), () => embedder.embed(["a"])]) {
      await assert.rejects(use, (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, says);
        assert.match(error.hint ?? "", /keyword|Known are/);
        return true;
      });
    }
  }
});
