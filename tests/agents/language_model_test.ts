// Agents made from AI SDK models that a program passes: what the packages send, report and throw.
import assert from "node:assert/strict";
import { z } from "zod";
import { createAnthropic } from "@ai-sdk/anthropic";
import { languageModel, type LanguageModelOptions } from "../../src/agents/ai_sdk.ts";
import type { LanguageModelLike, StreamPart } from "../../src/agents/ai_sdk_wire.ts";
import type { Agent, AgentRequest } from "../../src/core/agent.ts";
import { AgentError, ConfigurationError } from "../../src/core/error.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { startOwnProtocolServer } from "../support/own_protocol_server.ts";
import { lookUp } from "./support/look_up.ts";

const YES = { text: "Yes." };

/** Returns a prompt as the engine builds it. */
function prompt(more: Partial<AgentRequest> = {}): AgentRequest {
  return turnRequest({
    messages: [
      { role: "system", content: "Topic: Trams?" },
      { role: "user", content: "Now speak." },
    ],
    maxTokens: 300,
    ...more,
  });
}

/** Call options of the specification, as far as the tests read them. */
interface Call {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly responseFormat?: { readonly schema?: object };
  readonly reasoning?: string;
  readonly providerOptions: object;
}

/** Returns a model with a function for its streams: parts, or an error that it throws. */
function modelOf(
  answer: (call: Call) => readonly StreamPart[] | Error,
  { headers = {}, ...model }: Partial<LanguageModelLike> & {
    readonly headers?: Record<string, string>;
  } = {},
): LanguageModelLike {
  return {
    specificationVersion: "v4",
    provider: "somebody.chat",
    modelId: "some",
    ...model,
    doStream: (call: Call) => {
      const answered = answer(call);
      if (answered instanceof Error) return Promise.reject(answered);
      return Promise.resolve({ stream: ReadableStream.from(answered), response: { headers } });
    },
  };
}

const STOP: StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: { inputTokens: { total: 7 }, outputTokens: { total: 2 } },
};

/** Returns the parts of a reply with a text. */
function saying(text: string, finish: StreamPart = STOP): StreamPart[] {
  return [...text.match(/.{1,5}/gs) ?? []]
    .map((delta): StreamPart => ({ type: "text-delta", id: "1", delta })).concat(finish);
}

/** Returns an error of a package's class, which is told by its name. */
function named(name: string, message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), { name, ...fields });
}

Deno.test("languageModel() accepts an instance, whose provider determines profile and price", async () => {
  await using server = await startOwnProtocolServer([YES]);
  const create = createAnthropic({ apiKey: "k", baseURL: `${server.origin}/v1` });
  const agent = languageModel(create("claude-sonnet-4-5"));
  assert.equal(agent.model, "anthropic:claude-sonnet-4-5");
  assert.deepEqual(agent.source, { model: "claude-sonnet-4-5", provider: "anthropic" });
  assert.equal((await agent.reply(prompt())).text, "Yes.");
  assert.equal(server.requests[0]!.body.model, "claude-sonnet-4-5");
});

Deno.test("languageModel() rejects what is no model when it is called", () => {
  for (const given of [null, {}, { specificationVersion: "v4", provider: "a", modelId: "b" }]) {
    assert.throws(() => languageModel(given as unknown as LanguageModelLike), ConfigurationError);
  }
});

Deno.test("languageModel() sends instructions as the profile states and notes fields that it cannot send", async () => {
  await using server = await startOwnProtocolServer([YES]);
  const create = createAnthropic({ apiKey: "k", baseURL: `${server.origin}/v1` });
  const extraBody = { ["top_k"]: 7 };
  const notes: unknown[] = [];
  await languageModel(create("claude-sonnet-4-5"), { profile: { extraBody, system: "first_user" } })
    .reply(prompt({ onNote: (note) => notes.push(note) }));
  assert.equal(server.requests[0]!.body.system, undefined);
  assert.match(JSON.stringify(server.requests[0]!.body.messages), /Topic: Trams/);
  assert.deepEqual(notes, [{
    type: "parameter_dropped",
    parameter: "extraBody",
    asked: extraBody,
    because: "the instance of the model makes the requests itself",
  }]);
});

Deno.test("languageModel() respects its profile's limits, and maxConcurrency overrides them", async () => {
  await using server = await startOwnProtocolServer([YES]);
  const most = async (options: LanguageModelOptions) => {
    let [active, peak] = [0, 0];
    const counting: typeof fetch = async (url, init) => {
      peak = Math.max(peak, ++active);
      const response = await fetch(url, init);
      const ended = new TransformStream({ flush: () => void active-- });
      return new Response(response.body!.pipeThrough(ended), response);
    };
    const baseURL = `${server.origin}/v1`;
    const create = createAnthropic({ apiKey: "k", baseURL, fetch: counting });
    const agent = languageModel(create("claude-sonnet-4-5"), options);
    await Promise.all([1, 2, 3, 4].map(() => agent.reply(prompt())));
    return peak;
  };
  assert.ok(await most({}) > 1);
  const profile = { limits: { start: 1, max: 1 } };
  assert.equal(await most({ profile }), 1);
  assert.equal(await most({ profile: { limits: { start: 3 } }, maxConcurrency: 2 }), 2);
  assert.ok(await most({ provider: "ollama" }) <= 2, "the limits of the provider's row");
});

Deno.test("languageModel() reads the flat usage and plain finish reason of older versions", async () => {
  const older = (version: string): LanguageModelLike => ({
    specificationVersion: version,
    provider: "somebody.chat",
    modelId: "old",
    doStream: (options: { reasoning?: string }) => {
      assert.equal(options.reasoning, undefined);
      return Promise.resolve({
        stream: ReadableStream.from<StreamPart>([
          { type: "stream-start", warnings: [{ type: "unsupported-setting", setting: "seed" }] },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "Yes." },
          { type: "text-end", id: "1" },
          {
            type: "finish",
            finishReason: "length",
            usage: { inputTokens: 7, outputTokens: 2, cachedInputTokens: 3, reasoningTokens: 1 },
          },
        ]),
      });
    },
  });
  for (const version of ["v2", "v3"]) {
    const notes: unknown[] = [];
    const reply = await languageModel(older(version)).reply(
      prompt({ onNote: (note) => notes.push(note) }),
    );
    assert.deepEqual([reply.text, reply.finishReason], ["Yes.", "length"]);
    assert.deepEqual(reply.usage, {
      inputTokens: 7,
      cachedInputTokens: 3,
      outputTokens: 2,
      reasoningTokens: 1,
    });
    assert.equal(notes.length, 1);
  }
});

Deno.test("A reason that a package does not know ends a reply, the reason of a truncated stream does not", async () => {
  const usage = { inputTokens: 7, outputTokens: 2 };
  const providerMetadata = { somebody: {} };
  for (
    const [finish, isWhole] of [
      [{ finishReason: "unknown", usage, providerMetadata }, true],
      // Anthropic and OpenAI report the output tokens at the end, Google the metadata.
      [{ finishReason: "unknown", usage: { inputTokens: 7 }, providerMetadata }, false],
      [{ finishReason: "unknown", usage }, false],
      [{ finishReason: { unified: "other", raw: "eos" }, usage }, true],
      [{ finishReason: { unified: "other", raw: undefined }, usage }, false],
      [{ finishReason: { unified: "interrupted" }, usage }, false],
    ] as const
  ) {
    const parts = [{ type: "text-delta", id: "1", delta: "Yes." }, { type: "finish", ...finish }];
    const agent = languageModel({
      specificationVersion: "v3",
      provider: "somebody.chat",
      modelId: "old",
      doStream: () => Promise.resolve({ stream: ReadableStream.from(parts) }),
    });
    const says = await agent.reply(prompt()).then(({ text }) => text, String);
    assert.match(says, isWhole ? /^Yes\.$/ : /broke off before its end/, JSON.stringify(finish));
  }
});

Deno.test("A stream that breaks off and an error within a stream are retryable failures", async () => {
  const failing = (parts: readonly StreamPart[]): Agent =>
    languageModel({
      specificationVersion: "v4",
      provider: "anthropic.messages",
      modelId: "claude-opus-5-5",
      doStream: () => Promise.resolve({ stream: ReadableStream.from(parts) }),
    });
  const throttled = { type: "throttlingException", statusCode: 429, message: "Too many" };
  const overloaded = { type: "overloaded_error", message: "Overloaded" };
  for (
    const [parts, says] of [
      [[{ type: "error", error: overloaded }], /status 529, Overloaded/],
      [[{ type: "error", error: "upstream is gone" }], /the provider broke off, upstream is gone/],
      [[{ type: "error", error: throttled }], /status 429, Too many/],
      [[{ type: "text-delta", id: "1", delta: "Ye" }], /the reply broke off before its end/],
      [[{ type: "finish", finishReason: "error" }], /the reply broke off before its end/],
      [
        [{ type: "error", error: Object.assign(new Error("{"), { name: "AI_JSONParseError" }) }],
        /the reply is not of the form of the provider's protocol/,
      ],
    ] as const
  ) {
    await assert.rejects(failing(parts).reply(prompt()), (error: unknown) => {
      assert.ok(error instanceof AgentError, String(error));
      assert.match(error.message, says);
      return error.retryable;
    });
  }
  const long = { type: "text-delta", id: "1", delta: "a".repeat(4_000_001) };
  await assert.rejects(
    failing([long]).reply(prompt()),
    (error: unknown) => error instanceof AgentError && !error.retryable,
    "a reply that is too long is no retryable failure",
  );
});

Deno.test("languageModel() rejects a model of AI SDK 4, whose streams have another form", () => {
  assert.throws(
    () => languageModel(modelOf(() => [], { specificationVersion: "v1" })),
    (error: unknown) =>
      error instanceof ConfigurationError && /AI SDK 5 or newer/.test(error.hint!),
  );
});

Deno.test("Thought text between tags is never part of an instance's reply", async () => {
  for (
    const text of [
      "<think>secret</think>\n\nTrams are quiet.",
      "secret\n</think>\n\nTrams are quiet.",
    ]
  ) {
    const deltas: string[] = [];
    const agent = languageModel(modelOf(() => saying(text)));
    const onDelta = (delta: string) => void deltas.push(delta);
    const reply = await agent.reply(prompt({ onDelta }));
    assert.deepEqual([reply.text, reply.reasoning], ["Trams are quiet.", "secret"]);
    // Only the opening tag says at once that a text is none.
    if (text.startsWith("<")) assert.equal(deltas.join(""), "Trams are quiet.");
  }
});

Deno.test("A speech about the tags of thoughts is kept whole", async () => {
  const speeches = [
    ["anthropic.messages", "<think> opens a thought, and\n</think>\ncloses the thought."],
    ["somebody.chat", "A thought ends with `</think>`, as in `<think>x</think>`."],
  ] as const;
  for (const [provider, text] of speeches) {
    const agent = languageModel(modelOf(() => saying(text), { provider }));
    assert.equal((await agent.reply(prompt())).text, text);
  }
});

Deno.test("A refusal that a package leaves out is the reply", async () => {
  for (
    const rawValue of [
      { type: "response.refusal.delta", delta: "I cannot." },
      { choices: [{ delta: { refusal: "I cannot." } }] },
    ]
  ) {
    const agent = languageModel(modelOf(() => [{ type: "raw", rawValue }, STOP]));
    const { text, finishReason } = await agent.reply(prompt());
    assert.deepEqual([text, finishReason], ["I cannot.", "refused"]);
  }
});

Deno.test("The server's own reason ends a reply where the package knows none", async () => {
  for (
    const [raw, says] of [
      ["error", /broke off before its end/],
      ["network_error", /broke off before its end/],
      ["content_filter", /^refused$/],
      ["ERROR_TOXIC", /^refused$/],
      ["model_length", /^length$/],
      ["eos", /^stop$/],
    ] as const
  ) {
    const finish = { ...STOP, finishReason: { unified: "other", raw } };
    const agent = languageModel(modelOf(() => saying("Half of it", finish)));
    const end = await agent.reply(prompt()).then(({ finishReason }) => finishReason, String);
    assert.match(end, says, raw);
  }
});

Deno.test("Arguments that are no JSON are told to the model, and the next prompt has an object in their place", async () => {
  const prompts: Call["prompt"][] = [];
  const agent = languageModel(modelOf(({ prompt }) => {
    prompts.push(prompt);
    return prompts.length > 1 ? saying("Yes.") : [
      // A provider runs its own tools itself.
      { type: "tool-call", toolCallId: "0", toolName: "web", input: "{}", providerExecuted: true },
      { type: "tool-call", toolCallId: "1", toolName: "lookUp", input: '{"word": "noi' },
      STOP,
    ];
  }));
  const { text, toolCalls } = await agent.reply(prompt({ tools: [lookUp] }));
  assert.equal(text, "Yes.");
  assert.deepEqual(toolCalls!.map(({ tool }) => tool), ["lookUp"]);
  assert.match(toolCalls![0]!.result, /its arguments are not valid JSON/);
  const [called] = prompts[1]!.find(({ role }) => role === "assistant")!.content as StreamPart[];
  assert.deepEqual([called!.toolName, called!.input], ["lookUp", {}]);
});

Deno.test("A schema that a package does not send is written into the prompt, from the first reply on", async () => {
  const calls: Call[] = [];
  const agent = languageModel(modelOf((call) => {
    calls.push(call);
    if (call.responseFormat?.schema === undefined) return saying('{"winner":"Ada"}');
    const warning = { type: "unsupported", feature: "responseFormat", details: "no schemas here" };
    return [{ type: "stream-start", warnings: [warning] }, ...saying('{"answer":1}')];
  }));
  const schema = { name: "answer", type: z.strictObject({ winner: z.string() }) };
  const notes: unknown[] = [];
  const deltas: string[] = [];
  const asked = () =>
    agent.reply(prompt({
      schema,
      onNote: (note) => notes.push(note),
      onDelta: (text) => void deltas.push(text),
    }));
  const replies = [await asked(), await asked()];
  assert.deepEqual(replies.map(({ text }) => text), Array(2).fill('{"winner":"Ada"}'));
  assert.equal(deltas.join(""), '{"winner":"Ada"}'.repeat(2));
  assert.deepEqual(calls.map(({ responseFormat }) => responseFormat!.schema !== undefined), [
    true,
    false,
    false,
  ]);
  assert.match(JSON.stringify(calls[2]!.prompt), /"winner/);
  assert.deepEqual(notes, [{
    type: "parameter_dropped",
    parameter: "responseFormat",
    asked: "schema",
    because: "no schemas here",
  }]);
});

Deno.test("A request whose schema was sent is not repeated because another's was not", async () => {
  const other = Promise.withResolvers<void>();
  const warnings = [{ type: "unsupported", feature: "responseFormat" }];
  const calls: string[] = [];
  const model = modelOf(() => []);
  const agent = languageModel({
    ...model,
    doStream: ({ responseFormat }: Call) => {
      calls.push(responseFormat!.schema === undefined ? "object" : "schema");
      const [at, answer] = [calls.length, saying('{"winner":"Ada"}')];
      async function* parts() {
        if (at === 1) await other.promise;
        if (at === 2) yield { type: "stream-start", warnings };
        yield* answer;
      }
      return Promise.resolve({ stream: ReadableStream.from(parts()) });
    },
  });
  const schema = { name: "answer", type: z.strictObject({ winner: z.string() }) };
  const first = agent.reply(prompt({ schema }));
  await agent.reply(prompt({ schema }));
  other.resolve();
  await first;
  assert.deepEqual(calls, ["schema", "schema", "object"]);
});

Deno.test("An effort is an option of the call, or the provider's own option before v4", async () => {
  for (
    const [model, reasoning, providerOptions] of [
      [{ provider: "openai.chat", modelId: "gpt-5" }, "low", {}],
      [
        { provider: "openai.chat", modelId: "gpt-5", specificationVersion: "v3" },
        undefined,
        { openai: { reasoningEffort: "low" } },
      ],
      [
        { provider: "azure.chat", modelId: "gpt-5", specificationVersion: "v2" },
        undefined,
        { openai: { reasoningEffort: "low" } },
      ],
      [
        { provider: "google.vertex.chat", modelId: "gemini-3-flash", specificationVersion: "v2" },
        undefined,
        { google: { thinkingConfig: { thinkingLevel: "low" } } },
      ],
      [
        { provider: "amazon-bedrock", modelId: "us.anthropic.claude-opus-5-5-v1:0" },
        "low",
        {},
      ],
    ] as const
  ) {
    const calls: Call[] = [];
    const agent = languageModel(modelOf((call) => {
      calls.push(call);
      return saying("Yes.");
    }, model));
    await agent.reply(prompt({ reasoningEffort: "low" }));
    const sent = [calls[0]!.reasoning, calls[0]!.providerOptions];
    assert.deepEqual(sent, [reasoning, providerOptions], model.modelId);
  }
});

Deno.test("The cost that a reply reports is the reply's", async () => {
  for (
    const [more, costUsd] of [
      [{ usage: { ...STOP.usage, raw: { cost: 0.25 } } }, 0.25],
      [{ providerMetadata: { gateway: { cost: "0.5" } } }, 0.5],
      [{ providerMetadata: { gateway: { cost: "" } } }, undefined],
      [{ usage: { ...STOP.usage, raw: { cost: { total: 1 } } } }, undefined],
    ] as const
  ) {
    const agent = languageModel(modelOf(() => saying("Yes.", { ...STOP, ...more })));
    assert.equal((await agent.reply(prompt())).usage.costUsd, costUsd);
  }
});

Deno.test("Counts that are none are counted anew, and reasoning that v2 leaves out is added", async () => {
  const usageOf = async (usage: StreamPart["usage"]) => {
    const finish = { type: "finish", finishReason: "stop", usage };
    const agent = languageModel(modelOf(() => saying("Yes.", finish as StreamPart)));
    return (await agent.reply(prompt())).usage;
  };
  for (const none of [{ inputTokens: NaN, outputTokens: 2 }, { inputTokens: 0, outputTokens: 0 }]) {
    assert.equal((await usageOf(none)).tokensEstimated, true);
  }
  const priced = { inputTokens: 0, outputTokens: 0, raw: { cost: 0.01 } };
  assert.equal((await usageOf(priced)).costUsd, 0.01);
  const gemini = { inputTokens: 115, outputTokens: 12, reasoningTokens: 18, totalTokens: 145 };
  assert.equal((await usageOf(gemini)).outputTokens, 30);
});

Deno.test("Errors of packages say what failed, what to do, and whether to try again", async () => {
  const body = '{"error":{"details":[{"retryDelay":"36s"}]}}';
  const limited = { statusCode: 429, responseHeaders: {}, responseBody: body };
  const busy = named("AI_APICallError", "busy", { responseHeaders: { "retry-after": "5" } });
  const missing = named("ResponseError", "model not found", { ["status_code"]: 404 });
  for (
    const [error, expected, says] of [
      [
        named("AI_LoadAPIKeyError", "The key is missing. Set SOME_KEY."),
        { code: "agent_auth", retryable: false },
        /: The key is missing\. Set SOME_KEY\.$/,
      ],
      [
        new Error("AWS SigV4 authentication requires AWS credentials."),
        { code: "agent_auth", retryable: false },
        /requires AWS credentials/,
      ],
      [
        new Error("AWS credential provider failed: ECONNRESET. Return valid AWS credentials."),
        { code: "agent_auth", retryable: true },
        /ECONNRESET/,
      ],
      [
        named("AI_UnsupportedFunctionalityError", "'files' not supported"),
        { code: "agent_bad_reply", retryable: false },
        /: 'files' not supported/,
      ],
      [
        named("AI_InvalidResponseDataError", "no finish reason"),
        { code: "agent_bad_reply", retryable: true },
        /: no finish reason/,
      ],
      [
        named("AI_APICallError", "Invalid JSON", { statusCode: 200, cause: new SyntaxError("<") }),
        { code: "agent_bad_reply", retryable: true },
        /not of the form of the provider's protocol/,
      ],
      [
        // llama.cpp's events of the Responses API have no `output_index`.
        named("AI_TypeValidationError", "output_index: expected number, received undefined"),
        {
          retryable: true,
          hint: "If the server also takes chat completions, use these, as with the adapter chat.",
        },
        /not of the form of the provider's protocol/,
      ],
      [
        named("AI_APICallError", "quota", limited),
        { code: "agent_rate_limited", retryAfter: 36_000 },
        /status 429, quota/,
      ],
      [
        named("GatewayRateLimitError", "busy", { statusCode: 429, cause: busy }),
        { code: "agent_rate_limited", retryAfter: 5000 },
        /status 429, busy/,
      ],
      [
        named("OllamaError", "model not found", { cause: missing }),
        { code: "agent_bad_reply", status: 404, retryable: false },
        /status 404, model not found/,
      ],
      [
        new Deno.errors.NotCapable('Requires env access to "SOME_KEY", run again'),
        { retryable: false, hint: "Allow the access with --allow-env=SOME_KEY." },
        /Requires env access/,
      ],
      [
        named("AI_APICallError", "x-amz-security-token:IQoJ3abc/SECRET+xyz==", { statusCode: 403 }),
        { code: "agent_auth" },
        /^(?!.*SECRET)/,
      ],
      [
        named("AI_APICallError", '"access_token":"ya29.SECRET7" X-Token=IQo3%2FSECRET', {
          statusCode: 403,
        }),
        { code: "agent_auth" },
        /^(?!.*SECRET)/,
      ],
    ] as const
  ) {
    await assert.rejects(languageModel(modelOf(() => error)).reply(prompt()), (failed: unknown) => {
      assert.ok(failed instanceof AgentError, String(failed));
      assert.partialDeepStrictEqual({ ...failed }, expected, failed.message);
      assert.match(failed.message, says);
      return true;
    });
  }
});

Deno.test("A page in place of a reply is told by its type", async () => {
  const headers = { "content-type": "text/html; charset=utf-8" };
  const finish = { ...STOP, finishReason: { unified: "other", raw: undefined } };
  const error = named("AI_InvalidResponseDataError", "no finish reason");
  for (const part of [finish, { type: "error", error }]) {
    await assert.rejects(
      languageModel(modelOf(() => [part], { headers })).reply(prompt()),
      (error: unknown) =>
        error instanceof AgentError && /not an event stream/.test(error.message) &&
        /base URL/.test(error.hint!),
    );
  }
});
