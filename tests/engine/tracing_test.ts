// Spans of a debate in a process with tracing: one for each request to an agent, with the request to the server inside.
import assert from "node:assert/strict";
import { runDeno } from "../support/deno_process.ts";
import { serveLocally } from "../support/local_server.ts";
import { startModelServer } from "../support/model_server.ts";

interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

const PROGRAM = `
  import { composeConvening, createAgent, DialogueWorkflow, memoryRecord } from "./mod.ts";
  const debate = await composeConvening({ kind: "debate", topic: "Should cities have trams?", roundCount: 0,
    model: "small", baseUrl: Deno.args[0] }, { record: memoryRecord() });
  await debate.run();
  const faulty = [async () => {}, () => new Promise(() => {})].map((reply) => ({ model: "own", reply }));
  for (const agent of [...faulty, createAgent("human")]) {
    const participants = ["a", "b"].map((id) => ({ id, name: id, role: "participant", agent }));
    await new DialogueWorkflow("Should cities have trams?", participants, { record: memoryRecord(),
      turnMaxDuration: 50, personTimeout: 0, retry: { retries: 0 } }).run().catch(() => {});
  }
`;

Deno.test("with OTEL_DENO=true each request to a model is a span with model, turn, and tokens or problem", async () => {
  await using model = await startModelServer();
  const spans: Span[] = [];
  const collector = serveLocally(async (request) => {
    const { resourceSpans = [] } = await request.json();
    for (const { scopeSpans } of resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    return Response.json({});
  });
  const env = {
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
  };
  const { code: exit, stderr } = await runDeno(["eval", "--ext=ts", PROGRAM, model.url], { env });
  await collector.shutdown();
  assert.equal(exit, 0, stderr);
  const chats = spans.filter(({ name }) => name === "chat small");
  assert.equal(chats.length, model.requests.length);
  const keys = new Map(
    chats[0]!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  assert.equal(keys.get("gen_ai.operation.name"), "chat");
  assert.equal(keys.get("server.address"), "127.0.0.1");
  assert.match(String(keys.get("convenings.turn")), /^opening\//);
  assert.ok(Number(keys.get("gen_ai.usage.output_tokens")) > 0);
  const problems = spans.filter(({ name }) => name === "chat own")
    .map(({ attributes }) => attributes.find(({ key }) => key === "error.type")?.value);
  assert.deepEqual(problems.map((value) => Object.values(value ?? {})[0]), [
    "agent_bad_reply",
    "agent_timeout",
  ]);
  assert.ok(!spans.some(({ name }) => name === "chat human"), "a person is no model");
  const ids = new Set(chats.map(({ spanId }) => spanId));
  const posts = spans.filter(({ name }) => name === "POST");
  assert.ok(posts.length > 0 && posts.every(({ parentSpanId }) => ids.has(parentSpanId)));
});
