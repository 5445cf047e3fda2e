import assert from "node:assert/strict";
import { sampleJson } from "./sample_json.ts";
import { startModelServer } from "./model_server.ts";

async function ask(url: string): Promise<string> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "small",
      messages: [{ role: "user", content: "Hello" }],
    }),
  });
  return (await response.json()).choices[0].message.content;
}

Deno.test("startModelServer() keeps a journal and counts what is in flight at one time", async () => {
  const all = Promise.withResolvers<void>();
  await using server = await startModelServer({
    respond: async (_, index) => {
      if (index === 2) all.resolve();
      await all.promise;
      return { text: `Reply ${index}` };
    },
  });
  const said = await Promise.all([0, 1, 2].map(() => ask(server.url)));
  assert.deepEqual(said.sort(), ["Reply 0", "Reply 1", "Reply 2"]);
  assert.equal(server.mostConcurrent, 3);
  assert.deepEqual(server.requests.map(({ index }) => index), [0, 1, 2]);
  const journal = new URL("/journal", server.url);
  const seen = await (await fetch(journal, { method: "DELETE" })).json();
  assert.equal(seen.count, 3);
  assert.equal(seen.requests[0].body.messages[0].content, "Hello");
  assert.equal(server.requests.length, 0);
});

Deno.test("startModelServer() runs in a process of its own and says its address in one line", async () => {
  const config = new URL("../../deno.test.json", import.meta.url).pathname;
  const main = new URL("./model_server.ts", import.meta.url).pathname;
  const options = {
    reply: { text: "From afar." },
    latency: { median: 1, sigma: 0.5 },
    journal: false,
  };
  const child = new Deno.Command("deno", {
    args: [
      "run",
      "--no-prompt",
      `--config=${config}`,
      "--allow-net=127.0.0.1",
      main,
      JSON.stringify(options),
    ],
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const { value = "" } = await lines.read();
    assert.match(value, /^\{"url":"http:\/\/127\.0\.0\.1:\d+\/v1"\}\n$/);
    assert.equal(await ask(JSON.parse(value).url), "From afar.");
  } finally {
    child.kill();
    await child.status;
    await lines.cancel();
  }
});

Deno.test("sampleJson() gives a value that fits: the middle of a range, the first of an enum", () => {
  const schema = {
    type: "object",
    properties: {
      reasons: { type: "string" },
      score: { type: "number", minimum: 0, maximum: 10 },
      side: { enum: ["A", "B"] },
      maybe: { anyOf: [{ type: "null" }, { type: "string" }] },
      list: { type: "array", minItems: 2, items: { $ref: "#/$defs/count" } },
    },
    $defs: { count: { type: "integer", minimum: 1 } },
  };
  assert.deepEqual(
    sampleJson(schema, (path) => path === "reasons" ? "Because." : undefined),
    { reasons: "Because.", score: 5, side: "A", maybe: null, list: [6, 6] },
  );
});
