// Replies of model servers: sizes, types, redirects, arbitrary bytes.
// deno-lint-ignore-file camelcase -- the wire format has its own names
import assert from "node:assert/strict";
import fc from "fast-check";
import { adapterAgent } from "../../src/agents/ai_sdk.ts";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import type { OpenAIAgentOptions } from "../../src/agents/openai_client.ts";
import type { Agent } from "../../src/core/agent.ts";
import { AgentError } from "../../src/core/error.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { streamed } from "../support/model_reply.ts";
import { checkFailure, failureWith, NO_HINT, startAgent } from "../support/openai_failure.ts";
import { anyCharacter } from "../support/any_character.ts";
import { serveLocally } from "../support/local_server.ts";

const MAX = 20_000;
const encoder = new TextEncoder();

/** Starts a local server with the same response to every request. */
function serve(answer: (request: Request) => Response) {
  const requests: Request[] = [];
  const server = serveLocally((request) => {
    requests.push(request);
    return answer(request);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Returns an endless body and the number of its bytes that were read. */
function endless(first: string, part: string) {
  const bytes = encoder.encode(part);
  const taken = { bytes: 0 };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(first)),
    pull(controller) {
      taken.bytes += bytes.length;
      controller.enqueue(bytes);
    },
  });
  return { body, taken };
}

/** Returns a small compressed body of half a million characters. */
async function gzipped(first: string, part: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = first + part.repeat(Math.ceil(500_000 / part.length));
  const body = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(body).bytes();
}

const failureAt = async (
  url: string,
  create: (options: OpenAIAgentOptions & { baseUrl: string }) => Agent = createOpenAIAgent,
): Promise<AgentError> => {
  const house = { model: "small", provider: "House", apiKey: "sk-house", idleTimeout: 5000 };
  const agent = create({ ...house, baseUrl: url, maxReplyBytes: MAX });
  const error = await agent.reply(turnRequest()).then(
    ({ text }) => assert.fail(`it answered "${text.slice(0, 100)}"`),
    (error) => error,
  );
  assert.ok(error instanceof AgentError, `${error}`);
  return error;
};

const event = (delta: unknown, finish: unknown = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const SSE = { "content-type": "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };

/** Replies over the limit: endless, or compressed to a few kilobytes. */
const endlessReplies: [string, Record<string, string>, string, string][] = [
  ["a stream", SSE, "", event({ content: "blah ".repeat(200) })],
  ["a stream of tool calls", SSE, "", event({ tool_calls: [{ function: { arguments: "{{{" } }] })],
  ["a stream of names", SSE, "", event({ tool_calls: [{ index: 1, id: "a".repeat(999) }] })],
  ["a line", SSE, "data: ", "a".repeat(10_000)],
  ["an event of many lines", SSE, "", `data: ${"a".repeat(100)}\n`],
  ["a stream of comments", SSE, "", ": ping\n\n".repeat(500)],
  ["a whole reply", JSON_TYPE, '{"choices":[{"message":{"content":"', "a".repeat(10_000)],
];

for (const [what, headers, first, part] of endlessReplies) {
  for (const encoding of ["plain", "gzip"]) {
    Deno.test(`createOpenAIAgent() ends endless ${what}, ${encoding}, as agent_bad_reply`, async () => {
      const { body, taken } = endless(first, part);
      const packed = encoding === "plain" ? undefined : await gzipped(first, part);
      await using server = serve(() =>
        packed === undefined
          ? new Response(body, { headers })
          : new Response(packed, { headers: { ...headers, "content-encoding": "gzip" } })
      );
      const message = /the reply is over 20,000 bytes/;
      const error = await failureAt(server.url);
      checkFailure(error, ["agent_bad_reply", false, message, /maxReplyBytes/]);
      if (encoding === "plain") assert.ok(taken.bytes < 20_000_000, `${taken.bytes} were taken`);
    });
  }
}

const ofMessages = (type: string, more: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, index: 0, ...more })}\n\n`;

const BEGUN = ofMessages("message_start", {
  message: { id: "m", model: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
});
const OF_ADAPTERS = [
  ...(["anthropic", "gemini", "responses"] as const)
    .map((adapter) => [adapter, "line", "data: ", "a".repeat(10_000)] as const),
  ["gemini", "stream of comments", "", ": ping\n\n".repeat(500)],
  [
    "anthropic",
    "stream",
    BEGUN + ofMessages("content_block_start", { content_block: { type: "text", text: "" } }),
    ofMessages("content_block_delta", { delta: { type: "text_delta", text: "blah ".repeat(200) } }),
  ],
  [
    "anthropic",
    "list of tool calls",
    BEGUN,
    ofMessages("content_block_start", {
      content_block: { type: "tool_use", id: "t", name: "t", input: {} },
    }) +
    ofMessages("content_block_delta", {
      delta: { type: "input_json_delta", partial_json: JSON.stringify("a".repeat(5000)) },
    }) + ofMessages("content_block_stop", {}),
  ],
] as const;

for (const [adapter, what, first, part] of OF_ADAPTERS) {
  Deno.test(`${adapter}: an endless ${what} ends as agent_bad_reply`, async () => {
    const { body, taken } = endless(first, part);
    await using server = serve(() => new Response(body, { headers: SSE }));
    const error = await failureAt(server.url, (options) => adapterAgent(adapter, options));
    const message = /\(House\): the reply is over 20,000 bytes/;
    checkFailure(error, ["agent_bad_reply", false, message, /maxReplyBytes/]);
    assert.ok(taken.bytes < 20_000_000, `${taken.bytes} were taken`);
  });
}

Deno.test("createOpenAIAgent() reads a limited part of an endless error", async () => {
  const { body } = endless("", "Out of order. ".repeat(100));
  await using server = serve(() => new Response(body, { status: 500 }));
  const { status, retryable } = await failureAt(server.url);
  assert.deepEqual([status, retryable], [500, true]);
});

Deno.test("createOpenAIAgent() accepts a stream whose events are much larger than its text", async () => {
  const reply = streamed(...Array(1000).fill({ content: "word " }));
  await using server = await startAgent({ reply }, { maxReplyBytes: MAX });
  assert.equal((await server.agent.reply(turnRequest())).text, "word ".repeat(1000));
});

Deno.test("createOpenAIAgent() reads an event of very many lines in linear time", async () => {
  await using server = serve(() => new Response("data: a\n".repeat(100_000), { headers: SSE }));
  const agent = createOpenAIAgent({ model: "small", baseUrl: server.url });
  const before = performance.now();
  await assert.rejects(agent.reply(turnRequest()), /the reply is not valid JSON/);
  assert.ok(performance.now() - before < 10_000);
});

const wrong: [string, unknown, RegExp][] = [
  ["a number", { content: 12345 }, /content cannot be read/],
  ["an object", { content: { a: 1 } }, /content cannot be read/],
  ["parts of a picture", { content: [{ type: "image_url" }] }, /content cannot be read/],
  ["a list of texts", { content: ["text"] }, /content cannot be read/],
  ["a refusal that is a number", { refusal: 5 }, /refusal cannot be read/],
  ["a tool call far away", { tool_calls: [{ index: 4294967294 }] }, /index cannot be read/],
  ["a tool call before the first", { tool_calls: [{ index: -1 }] }, /index cannot be read/],
  ["a tool call between two", { tool_calls: [{ index: 0.5 }] }, /index cannot be read/],
  ["tool calls that are no list", { tool_calls: { length: 1e9 } }, /tool_calls cannot be read/],
  ["a thousand tool calls", { tool_calls: Array(1000).fill({}) }, /tool_calls cannot be read/],
  ["a tool's name that is a number", { tool_calls: [{ function: { name: 1 } }] }, /name cannot/],
  ["arguments that are an object", { tool_calls: [{ function: { arguments: {} } }] }, /arguments/],
];

for (const [what, said, message] of wrong) {
  for (
    const [form, body, headers] of [
      ["streamed", `${event(said, "stop")}data: [DONE]\n\n`, SSE],
      ["streamed amid text", `${event({ content: "a" })}${event(said)}${event({}, "stop")}`, SSE],
      ["whole", JSON.stringify({ choices: [{ message: said, finish_reason: "stop" }] }), JSON_TYPE],
    ] as const
  ) {
    Deno.test(`createOpenAIAgent() rejects ${what}, ${form}`, async () => {
      const error = await failureWith({ body, headers });
      checkFailure(error, ["agent_bad_reply", true, message, NO_HINT]);
    });
  }
}

Deno.test("createOpenAIAgent() joins the parts of a text", async () => {
  const content = [{ type: "text", text: "One " }, { type: "text", text: "text." }];
  const whole = JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] });
  for (const reply of [{ body: whole, headers: JSON_TYPE }, streamed({ content })]) {
    await using server = await startAgent({ reply });
    assert.equal((await server.agent.reply(turnRequest())).text, "One text.");
  }
});

Deno.test("createOpenAIAgent() ignores usage that is out of range", async () => {
  const tokens = { prompt_tokens: -5, completion_tokens: 7, prompt_tokens_details: [] };
  const usage = { ...tokens, cost: -1 };
  await using server = await startAgent({ reply: { text: "Words.", usage } });
  assert.deepEqual((await server.agent.reply(turnRequest())).usage, {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 7,
  });
});

for (const status of [302, 307]) {
  Deno.test(`createOpenAIAgent() follows no redirect of status ${status}`, async () => {
    await using elsewhere = serve(() => new Response());
    const location = `${elsewhere.url}/chat/completions`;
    await using server = serve(() => new Response(null, { status, headers: { location } }));
    const message = new RegExp(`it redirects to ${location} \\(status ${status}\\)`);
    const error = await failureAt(server.url);
    checkFailure(error, ["agent_bad_reply", false, message, /base URL/], status);
    assert.deepEqual([server.requests.length, elsewhere.requests.length], [1, 0]);
  });
}

/** JSON with some fields of a reply. */
const jsonWithFields = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...["choices", "delta", "message", "content", "refusal", "tool_calls", "index", "id"],
        ...["type", "text", "function", "name", "arguments", "finish_reason", "usage", "error"],
        ...["prompt_tokens", "completion_tokens", "cost", "code", "param", "toString"],
      ),
      tie("value"),
      { maxKeys: 5 },
    ),
    fc.constantFrom("text", "stop", "function", "error", 4294967294, 1e308, null, "\ud800"),
  ),
})).value;

/** JSON in the form of a reply, with any value in any field. */
const nearReply = fc.oneof(
  jsonWithFields,
  fc.record({ message: jsonWithFields, delta: jsonWithFields, finish_reason: jsonWithFields }, {
    requiredKeys: [],
  }).map((choice) => ({ choices: [choice] })),
  fc.record({
    content: jsonWithFields,
    refusal: jsonWithFields,
    tool_calls: fc.array(jsonWithFields),
  }, { requiredKeys: [] }).map((said) => ({ choices: [{ delta: said, message: said }] })),
).map((value) => JSON.stringify(value));

const replyBody = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  nearReply.map((json) => encoder.encode(json)),
  fc.array(
    fc.oneof(
      nearReply.map((json) => `data: ${json}\n\n`),
      fc.constantFrom("data: [DONE]\n\n", "\r\n", "data:", ": ping\n", "\n", "\n\n"),
      fc.string({ unit: anyCharacter }),
    ),
    { maxLength: 8 },
  ).map((events) => encoder.encode(events.join(""))),
);

Deno.test("createOpenAIAgent() returns a text or a named error for any bytes, and waits for no more", async () => {
  let answer = (): Response => new Response();
  await using server = serve(() => answer());
  const agent = createOpenAIAgent({ model: "small", baseUrl: server.url });
  await fc.assert(
    fc.asyncProperty(
      replyBody,
      fc.constantFrom("text/event-stream", "application/json", "text/html"),
      fc.constantFrom(200, 200, 200, 400, 422, 429, 500, 302),
      async (body, type, status) => {
        answer = () =>
          new Response(body as Uint8Array<ArrayBuffer>, {
            status,
            headers: { "content-type": type, "retry-after": "0" },
          });
        const reply = await agent.reply(turnRequest()).catch((error) => error);
        if (reply instanceof AgentError) assert.notEqual(reply.code, "agent_timeout");
        else assert.equal(typeof reply.text, "string", `${reply.stack}`);
      },
    ),
    {
      numRuns: 200,
      examples: [[new TextEncoder().encode('{"code":{"toString":{}}}'), "text/html", 400]],
    },
  );
});
