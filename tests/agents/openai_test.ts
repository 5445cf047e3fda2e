// The agent of OpenAI-compatible servers: requests, usage, structured replies, streams.
// deno-lint-ignore-file camelcase -- the wire format has its own names
import assert from "node:assert/strict";
import { z } from "zod";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import { scoreSchema } from "../../src/judging/scoring.ts";
import {
  agentContract,
  contextOf,
  RUBRIC,
  scoreRequest,
  turnRequest,
} from "../contracts/agent_contract.ts";
import type { ModelReply, RefusedPart } from "../support/model_server.ts";
import { startAgent } from "../support/openai_failure.ts";

const SCORES = { reasons: "Sound.", scores: { logical_coherence: 5, evidence_quality: 5 } };

agentContract("createOpenAIAgent()", () => startAgent());

agentContract("createOpenAIAgent() at a server that takes little", () =>
  startAgent({
    rejects: ["json_schema", "json_object", "stream_options", "max_tokens"],
    respond: ({ body }) =>
      body.messages.at(-1)?.content?.includes("JSON Schema")
        ? { text: `Here it is:\n\`\`\`json\n${JSON.stringify(SCORES)}\n\`\`\`` }
        : {},
  }));

Deno.test("createOpenAIAgent() sends the request's fields and nothing of the context", async () => {
  await using server = await startAgent({}, {
    model: "vendor/small",
    name: "house:vendor/small",
    apiKey: "sk-secret",
    headers: { "x-team": "debates" },
  });
  const request = turnRequest({ maxTokens: 250, temperature: 0.7, seed: 3 });
  const reply = await server.agent.reply(request);
  assert.deepEqual([server.agent.model, reply.model], Array(2).fill("house:vendor/small"));
  const [sent] = server.requests;
  assert.deepEqual(sent?.body, {
    model: "vendor/small",
    messages: request.messages,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 500,
    temperature: 0.7,
    seed: 3,
  });
  assert.equal(sent.headers["authorization"], "Bearer sk-secret");
  assert.equal(sent.headers["x-team"], "debates");
});

Deno.test("createOpenAIAgent() omits fields that were not requested", async () => {
  await using server = await startAgent();
  await server.agent.reply({ messages: [], context: contextOf() });
  const [sent] = server.requests;
  assert.deepEqual(Object.keys(sent?.body ?? {}).sort(), [
    "messages",
    "model",
    "stream",
    "stream_options",
  ]);
  assert.equal(sent?.headers["authorization"], undefined);
});

Deno.test("createOpenAIAgent() returns the usage and, if the server states it, the cost", async () => {
  const usage = {
    prompt_tokens: 812,
    completion_tokens: 214,
    prompt_tokens_details: { cached_tokens: 640 },
  };
  const replies: ModelReply[] = [{ usage }, { usage: { ...usage, cost: 0.00025 } }];
  await using server = await startAgent({ respond: (_, index) => replies[index]! });
  const counted = { inputTokens: 812, cachedInputTokens: 640, outputTokens: 214 };
  assert.deepEqual((await server.agent.reply(turnRequest())).usage, counted);
  assert.deepEqual((await server.agent.reply(turnRequest())).usage, {
    ...counted,
    costUsd: 0.00025,
  });
});

Deno.test("createOpenAIAgent() finds the usage of Moonshot in the choice, and of Groq in its own field", async () => {
  const usage = { prompt_tokens: 20, completion_tokens: 3, cached_tokens: 8 };
  const choice = { delta: { content: "Yes." }, finish_reason: "stop" };
  for (
    const chunk of [
      { choices: [{ ...choice, usage }], usage: { prompt_tokens: 0, completion_tokens: 0 } },
      { choices: [choice], x_groq: { usage } },
      { choices: [choice], usage },
    ]
  ) {
    await using server = await startAgent({
      reply: { body: `data: ${JSON.stringify(chunk)}\n\n` },
    });
    const counted = { inputTokens: 20, cachedInputTokens: 8, outputTokens: 3 };
    assert.deepEqual((await server.agent.reply(turnRequest())).usage, counted);
  }
});

Deno.test("createOpenAIAgent() counts tokens itself if the server does not", async () => {
  for (const usage of [null, { prompt_tokens: 0, completion_tokens: 0 }]) {
    await using server = await startAgent({ reply: { usage, text: "One two three." } });
    const { usage: counted } = await server.agent.reply(turnRequest());
    assert.equal(counted.outputTokens, 4);
    assert.ok(counted.inputTokens > 10 && counted.inputTokens < 30);
    assert.equal(counted.costUsd, undefined);
    assert.equal(counted.tokensEstimated, true);
  }
});

Deno.test("createOpenAIAgent() counts hidden reasoning that only the total includes", async () => {
  const completion_tokens_details = { reasoning_tokens: 280 };
  const usage = { prompt_tokens: 32, completion_tokens: 9, completion_tokens_details };
  for (const [total, output] of [[321, 289], [41, 9], [undefined, 9]] as const) {
    await using server = await startAgent({ reply: { usage: { ...usage, total_tokens: total } } });
    assert.equal((await server.agent.reply(turnRequest())).usage.outputTokens, output);
  }
});

Deno.test("createOpenAIAgent() requests JSON with a closed schema and ordered properties", async () => {
  await using server = await startAgent();
  const { text } = await server.agent.reply(scoreRequest());
  assert.deepEqual(server.requests[0]?.body.response_format, {
    type: "json_schema",
    json_schema: {
      name: "score",
      strict: true,
      schema: {
        type: "object",
        properties: {
          reasons: { type: "string" },
          scores: {
            type: "object",
            properties: {
              logical_coherence: { type: "number", minimum: 0, maximum: 10 },
              evidence_quality: { type: "number", minimum: 0, maximum: 10 },
            },
            required: ["logical_coherence", "evidence_quality"],
            additionalProperties: false,
          },
        },
        required: ["reasons", "scores"],
        additionalProperties: false,
      },
    },
  });
  const order = Object.keys(
    server.requests[0]?.body.response_format?.json_schema?.schema[
      "properties"
    ] ?? {},
  );
  assert.deepEqual(order, ["reasons", "scores"]);
  const read = scoreSchema(RUBRIC).safeParse(JSON.parse(text));
  assert.deepEqual(read.success && read.data.scores, { logical_coherence: 5, evidence_quality: 5 });
});

Deno.test("createOpenAIAgent() does not request strict mode for a schema that cannot be strict", async () => {
  await using server = await startAgent();
  const shapes: [z.ZodType, boolean][] = [
    [z.object({ a: z.string().optional() }), false],
    [z.object({ a: z.record(z.string(), z.number()) }), false],
    [z.object({ a: z.string().default("x"), b: z.string().nullable() }), true],
    [z.object({ a: z.array(z.object({ b: z.int() })).max(3) }), true],
  ];
  for (const [type, strict] of shapes) {
    await server.agent.reply(turnRequest({ schema: { name: "shape", type } }));
    const sent = server.requests.at(-1)?.body.response_format?.json_schema;
    assert.equal(sent?.strict, strict, JSON.stringify(sent?.schema));
  }
});

const refusable: [RefusedPart, (body: object) => unknown, unknown][] = [
  ["stream_options", (body) => "stream_options" in body, false],
  ["temperature", (body) => "temperature" in body, false],
  ["seed", (body) => "seed" in body, false],
  ["max_tokens", (body) => Reflect.get(body, "max_completion_tokens"), 400],
  ["json_schema", (body) => Reflect.get(body, "response_format"), { type: "json_object" }],
];

for (const [part, look, expected] of refusable) {
  Deno.test(`createOpenAIAgent() omits ${part} at a server that rejects it, and remembers`, async () => {
    await using server = await startAgent({ rejects: [part], reply: { json: SCORES } });
    const request = scoreRequest({ temperature: 0.3, seed: 1 });
    await server.agent.reply(request);
    await server.agent.reply(request);
    assert.equal(server.requests.length, 3);
    for (const { body } of server.requests.slice(1)) {
      assert.deepEqual(look(body), expected);
    }
  });
}

Deno.test("createOpenAIAgent() sends a queued request as it was planned, whatever other requests learned", async () => {
  await using server = await startAgent({
    rejects: ["json_schema", "max_tokens"],
    reply: { json: SCORES },
  }, { maxConcurrency: 1 });
  // The last request waits in the queue while the others learn first the form, then the cap's name.
  await Promise.all([0, 0, 10].map((priority) => server.agent.reply(scoreRequest({ priority }))));
  const sent = server.requests.map(({ body }) =>
    [
      body.response_format?.type,
      "max_tokens" in body ? "max_tokens" : "max_completion_tokens",
    ].join(" ")
  );
  const both = "json_object max_completion_tokens";
  assert.ok(sent.lastIndexOf("json_schema max_tokens") > sent.indexOf(both), sent.join("\n"));
  assert.ok(!sent.includes("json_schema max_completion_tokens"), sent.join("\n"));
});

Deno.test("createOpenAIAgent() requests JSON in words when the server has no mode for it", async () => {
  await using server = await startAgent({ rejects: ["json_schema", "json_object"] });
  await server.agent.reply(scoreRequest());
  await server.agent.reply(scoreRequest());
  assert.equal(server.requests.length, 4);
  const { body } = server.requests.at(-1)!;
  assert.equal(body.response_format, undefined);
  assert.equal(body.messages.length, 2);
  const asked = body.messages.at(-1)?.content ?? "";
  assert.ok(asked.startsWith("Advocate B, rebut Advocate A."));
  assert.match(asked, /JSON Schema.*"reasons".*"logical_coherence"/s);
  assert.doesNotMatch(asked, /Answer with one/, "the task of a prompt says this already");
});

const LONG = "Zwölf Boxkämpfer 🥊 jagen Viktor. ".repeat(20);

/** Replies with their text and finish reason. */
const ENDINGS:
  readonly (readonly [what: string, ModelReply, text: string, finishReason: string])[] = [
    [
      "a reply cut at the token limit",
      { text: "Half of", finishReason: "length" },
      ...["Half of", "length"] as const,
    ],
    ["a refusal", { refusal: "I cannot." }, "I cannot.", "refused"],
    ["a content filter", { text: "Well", finishReason: "content_filter" }, "Well", "refused"],
    ...["SAFETY", "content_filter: PROHIBITED_CONTENT", "RECITATION", "sensitive"].map((reason) =>
      [`the filter ${reason}`, { text: "W", finishReason: reason }, "W", "refused"] as const
    ),
    ...[
      { code: "invalid_prompt", message: "Invalid prompt: your prompt was flagged" },
      { type: "content_filter", message: "The request was rejected" },
      { code: "data_inspection_failed", message: "Input data may contain inappropriate content." },
      { code: "invalid_request_error", message: "Content Exists Risk" },
      { code: "400", message: "litellm.ContentPolicyViolationError: The response was filtered" },
    ].map((error) =>
      [`a filter's ${error.message}`, { status: 400, error }, error.message, "refused"] as const
    ),
    [
      "a filter that rejects the prompt",
      { status: 400, error: { message: "Filtered", param: "prompt", code: "content_filter" } },
      ...["Filtered", "refused"] as const,
    ],
    [
      "OpenRouter's moderation of the prompt",
      {
        status: 403,
        error: { message: "Flagged", code: 403, metadata: { reasons: ["violence"] } },
      },
      ...["Flagged", "refused"] as const,
    ],
    [
      "a filter that rejects the reply within the stream",
      {
        body:
          'data: {"choices":[{"delta":{"content":"Well"}}]}\n\ndata: {"error":{"message":"Filtered","code":"content_filter","status":400}}\n\n',
        headers: { "content-type": "text/event-stream" },
      },
      ...["Filtered", "refused"] as const,
    ],
    ["a limit in Mistral's words", { text: "W", finishReason: "model_length" }, "W", "length"],
    ["an empty reply", { text: "" }, "", "stop"],
    ["text in many writes, wherever they are cut", { text: LONG, chunkDelay: 1 }, LONG, "stop"],
    [
      "a reply that says its end and keeps the connection",
      { text: "Done.", fault: "never-closed" },
      ...["Done.", "stop"] as const,
    ],
  ];

for (const [what, sent, text, finishReason] of ENDINGS) {
  Deno.test(`createOpenAIAgent() reads ${what}`, async () => {
    await using server = await startAgent({ reply: sent });
    const reply = await server.agent.reply(turnRequest());
    assert.deepEqual([reply.text, reply.finishReason], [text, finishReason]);
  });
}

Deno.test("createOpenAIAgent() keeps a reply whose connection breaks after the finish reason", async () => {
  const finished = `data: {"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\n`;
  for (const rest of ["", 'data: {"choices":[],"usage":{"prompt_tok']) {
    const parts = [finished, rest].map((part) => new TextEncoder().encode(part));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.error(new TypeError("connection reset"));
        else controller.enqueue(part);
      },
    }, { highWaterMark: 0 });
    const fetch = () => Promise.resolve(new Response(body));
    const reply = await createOpenAIAgent({ model: "small", fetch }).reply(turnRequest());
    assert.deepEqual([reply.text, reply.finishReason], ["Done.", "stop"]);
  }
});

const message = { role: "assistant", content: "All at once." };
const ALL_AT_ONCE = {
  choices: [{ message, delta: message, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 4 },
};

/** Complete replies, with the content type that servers and proxies send. */
const WHOLE: readonly [form: string, body: string, type: string][] = [
  ["JSON", JSON.stringify(ALL_AT_ONCE), "application/json"],
  [
    "JSON on several lines, after blank ones",
    `\n\n${JSON.stringify(ALL_AT_ONCE, null, 2)}`,
    "text/plain",
  ],
  ["JSON that is named a stream", JSON.stringify(ALL_AT_ONCE), "text/event-stream"],
  ["a stream that is named JSON", `data: ${JSON.stringify(ALL_AT_ONCE)}\n\n`, "application/json"],
  [
    "events without a blank line between them",
    [{ choices: [{ delta: null }] }, ALL_AT_ONCE].map((each) => `data: ${JSON.stringify(each)}\n`)
      .join("") + "data: [DONE]\n",
    "text/event-stream",
  ],
  [
    "events with one line end between them and none after the last",
    [{ choices: [{ delta: null }] }, ALL_AT_ONCE].map((each) => `data: ${JSON.stringify(each)}`)
      .join("\n"),
    "text/event-stream",
  ],
  [
    "chunks with a code of success",
    [{ ...ALL_AT_ONCE, code: 0 }, { choices: [], code: 200, message: "Success" }]
      .map((each) => `data: ${JSON.stringify(each)}\n\n`).join(""),
    "text/event-stream",
  ],
  [
    "a stream whose end has a space",
    `data: ${JSON.stringify(ALL_AT_ONCE)}\n\ndata: [DONE] \n\n`,
    "text/plain",
  ],
];

for (const [form, body, type] of WHOLE) {
  Deno.test(`createOpenAIAgent() reads ${form}, as ${type}`, async () => {
    await using server = await startAgent({ reply: { body, headers: { "content-type": type } } });
    const deltas: string[] = [];
    const onDelta = (text: string) => void deltas.push(text);
    const reply = await server.agent.reply(turnRequest({ onDelta }));
    assert.deepEqual([reply.text, deltas], ["All at once.", ["All at once."]]);
    assert.equal(reply.usage.outputTokens, 4);
  });
}

Deno.test("createOpenAIAgent() rethrows an error of onDelta unchanged", async () => {
  await using server = await startAgent();
  const mine = new RangeError("the caller's own");
  const onDelta = (): never => {
    throw mine;
  };
  await assert.rejects(server.agent.reply(turnRequest({ onDelta })), mine);
});

Deno.test("createOpenAIAgent() reads chunks wherever the bytes are cut", async () => {
  const events = [
    ': a comment\r\n\r\nevent: ping\r\ndata: \r\n\r\ndata: {"choices":[{"delta":{"content":"Größe"}}]}\r\n\r\n',
    'data:{"choices":[{"delta":{"content":" 🥊"},"finish_reason":"stop"}]}\n\n',
    'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
  ].join("");
  const bytes = new TextEncoder().encode(events);
  const agent = createOpenAIAgent({
    model: "small",
    fetch: () => {
      const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
      return Promise.resolve(new Response(body));
    },
  });
  const reply = await agent.reply(turnRequest());
  assert.equal(reply.text, "Größe 🥊");
  assert.equal(reply.usage.outputTokens, 2);
});
