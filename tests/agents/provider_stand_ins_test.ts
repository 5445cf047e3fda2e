// Documented behaviour of providers: rejections, places of thought text, meaning of caps.
import assert from "node:assert/strict";
import { z } from "zod";
import { composeConvening, memoryRecord } from "../../mod.ts";
import type { AgentNote, AgentRequest } from "../../src/core/agent.ts";
import { AgentError } from "../../src/core/error.ts";
import { forgetLessons, lessonsKnown } from "../../src/agents/learned.ts";
import { limiterOf } from "../../src/agents/limiter.ts";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import type { OpenAIAgentOptions } from "../../src/agents/openai_client.ts";
import { scoreRequest, turnRequest } from "../contracts/agent_contract.ts";
import { refusal, streamed } from "../support/model_reply.ts";
import { type ChatBody, type ModelReply, startModelServer } from "../support/model_server.ts";
import { drain } from "../support/talkers.ts";
import { lookUp } from "./support/look_up.ts";

type Body = ChatBody & Readonly<Record<string, unknown>>;

/** Sends a request to a local server; returns the reply or error, the received bodies and the notes. */
async function ask(
  respond: (body: Body, index: number) => ModelReply,
  options: Partial<OpenAIAgentOptions> & { readonly model: string },
  request: AgentRequest = turnRequest({ maxTokens: 300 }),
) {
  await using server = await startModelServer({
    respond: ({ body }, index) => respond(body as Body, index),
  });
  const agent = createOpenAIAgent({ baseUrl: server.url, ...options });
  const notes: AgentNote[] = [];
  const deltas: string[] = [];
  const asked = {
    ...request,
    onNote: (note: AgentNote) => void notes.push(note),
    onDelta: (text: string) => void deltas.push(text),
  };
  const [reply, error] = await agent.reply(asked).then(
    (reply) => [reply, undefined] as const,
    (error: unknown) => [undefined, error] as const,
  );
  const bodies = server.requests.map(({ body }) => body as Body);
  return { reply, error, bodies, notes, deltas };
}

const cap = (body: Body) => body.max_completion_tokens ?? body.max_tokens ?? Infinity;

/** Returns a model whose hidden reasoning uses some of the cap before the answer. */
const thinking = (hidden: number) => (body: Body): ModelReply => {
  const isCut = cap(body) <= hidden;
  const usage = {
    ["completion_tokens"]: isCut ? cap(body) : hidden + 5,
    ["completion_tokens_details"]: { reasoning_tokens: Math.min(cap(body), hidden) },
  };
  return isCut
    ? { text: "", finishReason: "length", usage }
    : { text: "Streets are quieter.", usage };
};

Deno.test("the cap has twice the requested length and the effort's reserve, and reasoning tokens are counted", async () => {
  const { reply, bodies } = await ask(thinking(1000), { model: "gpt-5-mini" });
  assert.equal(cap(bodies[0]!), 300 * 2 + 4000);
  assert.equal(bodies[0]!["reasoning_effort"], "low");
  assert.equal(bodies.length, 1);
  assert.equal(reply?.text, "Streets are quieter.");
  assert.equal(reply?.usage.reasoningTokens, 1000);
  assert.deepEqual(reply?.served, { cap: 4600, effort: "low" });
});

Deno.test("a reply that hidden reasoning cut off is requested again with twice the cap, then four times", async () => {
  const { reply, bodies } = await ask(thinking(10_000), { model: "gpt-5-mini" });
  assert.deepEqual(bodies.map(cap), [4600, 9200, 18_400]);
  assert.equal(reply?.text, "Streets are quieter.");
  assert.equal(reply?.usage.outputTokens, 4600 + 9200 + 10_005);
});

Deno.test("an unknown model that reasons gets a reserve from its first cut reply on", async () => {
  forgetLessons();
  const respond = thinking(10_000);
  await using server = await startModelServer({ respond: ({ body }) => respond(body as Body) });
  const agent = createOpenAIAgent({ model: "own", baseUrl: server.url });
  for (const _ of [1, 2]) await agent.reply(turnRequest({ maxTokens: 300 }));
  assert.deepEqual(server.requests.map(({ body }) => cap(body as Body)), [600, 12_600, 12_600]);
  assert.partialDeepStrictEqual(lessonsKnown(), [{ key: "reasoning", to: { kind: "fixed" } }]);
});

Deno.test("a cap that reasoning uses up to the last attempt is an error that states what to change", async () => {
  const { error, bodies } = await ask(thinking(1e6), { model: "gpt-5-mini" });
  assert.equal(bodies.length, 3);
  assert.ok(error instanceof AgentError);
  assert.equal(error.retryable, false);
  assert.match(error.message, /hidden reasoning used the whole cap of 18,400 tokens/);
  assert.match(error.hint!, /Lower reasoningEffort, which is low, or raise maxOutputTokens/);
});

Deno.test("a cap set by the user is not doubled", async () => {
  const { error, bodies } = await ask(
    thinking(1e6),
    { model: "gpt-5-mini" },
    turnRequest({ maxTokens: 300, maxOutputTokens: 1000 }),
  );
  assert.deepEqual(bodies.map(cap), [1000]);
  assert.match((error as AgentError).message, /used the whole cap of 1,000 tokens/);
});

/** Formats of thought text, each with the stream's deltas. */
const THOUGHTS: readonly (readonly [form: string, model: string, deltas: readonly object[]])[] = [
  ["reasoning_content", "deepseek-x", [{ reasoning_content: "I doubt it." }, { content: "Yes." }]],
  ["reasoning", "vllm-model", [{ reasoning: "I doubt it." }, { content: "Yes." }]],
  ["reasoning_details", "routed", [
    { reasoning_details: [{ type: "reasoning.text", text: "I doubt it." }] },
    { content: "Yes." },
  ]],
  ["parts of the content", "magistral-small", [
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "I doubt it." }] }] },
    { content: [{ type: "text", text: "Yes." }] },
  ]],
  ["tags", "any", [{ content: "<thi" }, { content: "nk>I doubt" }, { content: " it.</th" }, {
    content: "ink>\n\n",
  }, { content: "Yes." }]],
  ["a part of type reasoning", "hosted", [
    { content: [{ type: "reasoning", summary: [{ type: "summary_text", text: "I doubt it." }] }] },
    { content: [{ type: "text", text: "Yes." }] },
  ]],
  ...[
    "<thinking>I doubt it.</thinking>",
    "<reasoning>I doubt</reasoning><reasoning> it.</reasoning>",
  ]
    .map((thought) => [thought, "any", [{ content: thought }, { content: "Yes." }]] as const),
  ["[THINK]", "any", [..."[THINK]I doubt it.[/THINK]Yes."].map((content) => ({ content }))],
  [
    "the channels of gpt-oss",
    "any",
    [
      ..."<|channel|>analysis<|message|>I doubt it.<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
    ].map((content) => ({ content })),
  ],
  ["a field and tags", "any", [{ reasoning_content: "I doubt " }, {
    content: "<think>it.</think>Yes.",
  }]],
  ["a closing tag alone", "qwen3:8b", [
    { content: "I doubt it." },
    { content: "</think>" },
    { content: "\nYes." },
  ]],
];

for (const [form, model, deltas] of THOUGHTS) {
  Deno.test(`thought text as ${form} is not part of the answer`, async () => {
    const { reply, deltas: said } = await ask(() => streamed(...deltas), { model });
    assert.deepEqual([reply?.text, said.join("")], ["Yes.", "Yes."]);
    assert.match(reply?.reasoning ?? "", /^I doubt ?it\.$/);
  });
}

Deno.test("an unknown model's thought text is held back from the first reply with a closing tag alone on", async () => {
  for (const [finishReason, kind] of [["stop", "none"], ["length", "fixed"]] as const) {
    forgetLessons();
    const reply = { text: "I doubt it.</think>Yes.", finishReason };
    await using server = await startModelServer({ respond: () => reply });
    const agent = createOpenAIAgent({ model: "own", baseUrl: server.url });
    const streams: string[] = [];
    for (const i of [0, 1]) {
      streams.push("");
      const onDelta = (text: string) => void (streams[i] += text);
      assert.equal((await agent.reply(turnRequest({ onDelta }))).text, "Yes.");
      const [lesson] = lessonsKnown();
      assert.partialDeepStrictEqual(lesson, { key: "reasoning", to: { kind, text: "think" } });
    }
    assert.deepEqual(streams, ["I doubt it.</think>Yes.", "Yes."]);
  }
});

Deno.test("a text that only begins like the tag is the answer", async () => {
  const text = "<thin ice> is no argument.";
  const { reply, deltas } = await ask(() => ({ text }), { model: "any" });
  assert.deepEqual([reply?.text, deltas.join("")], [text, text]);
});

Deno.test("Ollama's loaded window is learned from a cut, and a prompt that fits but was counted in part does not count as cut", async () => {
  const messages = [{ role: "user" as const, content: "Trams and buses meet here. ".repeat(200) }];
  for (const [window, lessons] of [[1000, [{ key: "window", to: 1000 }]], [4096, []]] as const) {
    forgetLessons();
    await using server = await startModelServer({
      reply: { text: "Yes.", usage: { prompt_tokens: 500 } },
      paths: {
        "/api/version": { version: "0.14.0" },
        "/api/ps": { models: [{ name: "llama3.2:latest", context_length: window }] },
        "/api/tags": { models: [] },
      },
    });
    const agent = createOpenAIAgent({ baseUrl: server.url, model: "llama3.2", prefix: "ollama" });
    const notes: AgentNote[] = [];
    await agent.reply(turnRequest({ messages, onNote: (note) => void notes.push(note) }));
    assert.partialDeepStrictEqual(lessonsKnown(), lessons);
    assert.deepEqual(
      notes.map(({ because }) => because.includes("OLLAMA_CONTEXT_LENGTH")),
      lessons.flatMap(() => [true, true]),
      "the cut and the lesson, or neither",
    );
    assert.equal(await agent.window?.(), lessons[0]?.to);
  }
});

Deno.test("a record names a cut of prompts once", async () => {
  await using server = await startModelServer({
    respond: (_, index) => ({ text: "Yes.", usage: { prompt_tokens: 10 + index } }),
  });
  const workflow = await composeConvening({
    kind: "dialogue",
    topic: "Should cities have trams?",
    maxTurns: 4,
    model: "ollama:llama3.2",
    providers: { ollama: { baseUrl: server.url } },
  }, { record: memoryRecord() });
  const { events } = await drain(workflow);
  assert.equal(events.filter(({ type }) => type === "parameter_dropped").length, 1);
});

for (const misfit of ["Both did well.", '{"reasons":7,"scores":{}}']) {
  Deno.test(`a schema that is ignored twice is learned from ${misfit}: the next request states it in words`, async () => {
    const texts = ["", "", misfit, misfit, "{}"];
    await using server = await startModelServer({
      respond: (_, index) => ({ text: texts[index] ?? "" }),
    });
    const agent = createOpenAIAgent({ model: "claude-on-a-layer", baseUrl: server.url });
    const notes: AgentNote[] = [];
    const onNote = (note: AgentNote) => void notes.push(note);
    for (const _ of texts) await agent.reply(scoreRequest({ onNote }));
    const learned = notes.filter(({ type }) => type === "profile_learned");
    assert.partialDeepStrictEqual(learned[0], { key: "json", to: ["prompt"] });
    const bodies = server.requests.map(({ body }) => body);
    assert.deepEqual(
      bodies.map((body) => body.response_format?.type),
      ["json_schema", "json_schema", "json_schema", "json_schema", undefined],
    );
    assert.match(bodies[4]!.messages.at(-1)!.content!, /JSON Schema/);
  });
}

const broken = () => {
  throw new Error("The transform is broken.");
};
for (
  const [what, votes] of [
    ["rejects", z.string().transform(Number).pipe(z.number())],
    ["cannot read", z.string().transform(broken)],
  ] as const
) {
  Deno.test(`a reply that only a transform of the schema ${what} is given, and does not teach that schemas are ignored`, async () => {
    await using server = await startModelServer({ respond: () => ({ text: '{"votes":"many"}' }) });
    const agent = createOpenAIAgent({ model: "own", baseUrl: server.url });
    const schema = { name: "votes", type: z.object({ votes }) };
    for (let at = 0; at < 3; at++) {
      assert.equal((await agent.reply(turnRequest({ schema }))).text, '{"votes":"many"}');
    }
    assert.deepEqual(
      server.requests.map(({ body }) => body.response_format?.type),
      ["json_schema", "json_schema", "json_schema"],
    );
  });
}

Deno.test("a value out of range is an error and teaches nothing", async () => {
  for (
    const [message, param] of [
      ["temperature must be between 0 and 1", "temperature"],
      ["max_tokens is too large: 600. This model supports at most 500.", "max_tokens"],
      ["The number of tools exceeds the configured limit of 128 at most.", "tools"],
      ["An image size is 9000 while limit is 8192, the maximum.", "messages"],
      [`max_tokens is taken, but stop is not: ${"a sequence, ".repeat(6)}at most 4 fit.`, "stop"],
    ] as const
  ) {
    const { error, notes } = await ask(
      () => refusal(message, param),
      { model: "own" },
      turnRequest({ temperature: 1.5, ...param === "stop" ? {} : { maxOutputTokens: 600 } }),
    );
    assert.match(String(error), new RegExp(message.slice(0, 20)));
    assert.deepEqual(notes, []);
  }
});

/** Errors of servers about a prompt that is too long, each with the window. */
const TOO_LONG: readonly [error: Readonly<Record<string, unknown>>, window: number][] = [
  [{ message: "maximum context length is 131,072 tokens. You sent 140,000 tokens." }, 131_072],
  [{ message: "maximum prompt length is 131072 but the request has 170000 tokens" }, 131_072],
  [{ message: "greater than the context length (n_keep: 5000>= n_ctx: 4096)" }, 4096],
  [{ message: "request (5000 tokens) exceeds the available context size (4096 tokens)" }, 4096],
  [{ message: "the request exceeds the available context size", n_ctx: 4096 }, 4096],
  [{ message: "Prompt contains 40000 tokens, for 32768 maximum context length" }, 32_768],
  [{ message: "prompt is too long: 210000 tokens > 200000 maximum" }, 200_000],
  [{ message: "The decoder prompt is longer than the maximum model length of 4096." }, 4096],
  [{ message: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)" }, 7424],
  [{ message: "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs`" }, 4096],
  [{ message: "Input tokens exceed the configured limit of 272000 tokens." }, 272_000],
  [{ message: "Current length is 9000 while limit is 8192" }, 8192],
  [{ message: "Your request exceeded model token limit: 8192" }, 8192],
  [{ message: "InvalidParameter: Range of input length should be [1, 30720]" }, 30_720],
];

Deno.test("the window is learned from each server's error about a prompt that is too long", async () => {
  for (const [error, window] of TOO_LONG) {
    forgetLessons();
    const { reply } = await ask(
      (_, index) => index === 0 ? { status: 400, error } : { text: "Yes." },
      { model: "own" },
    );
    assert.equal(reply?.text, "Yes.", `${error["message"]}`);
    assert.partialDeepStrictEqual(lessonsKnown(), [{ key: "window", to: window }]);
  }
});

Deno.test("a cap above the model's maximum is lowered, unless it is the user's", async () => {
  for (
    const message of [
      "`max_tokens` must be less than or equal to `500`, the maximum value for this model",
      "max_tokens is too large: 600. This model supports at most 500 completion tokens.",
      "Invalid max_tokens value, the valid range of max_tokens is [1, 500]",
      "max_tokens: 600 > 500, which is the maximum allowed number of output tokens",
      "max_tokens (600) exceeds model's maximum output tokens (500)",
    ]
  ) {
    forgetLessons();
    const refuse = (body: Body) => cap(body) > 500 ? refusal(message) : { text: "Yes." };
    const { bodies } = await ask(refuse, { model: "own" });
    assert.deepEqual(bodies.map(cap), [600, 500], message);
    assert.partialDeepStrictEqual(lessonsKnown(), [{ key: "output", to: 500 }]);
  }
});

Deno.test("a server that names another limit each time is asked a limited number of times", async () => {
  forgetLessons();
  const { error, bodies } = await ask(
    (_, index) => refusal(`This model's maximum context length is ${90_000 - index} tokens.`),
    { model: "own" },
  );
  assert.match(String(error), /maximum context length is/);
  assert.ok(bodies.length < 30, `${bodies.length} requests`);
});

Deno.test("a request above a limit per minute gets a cap that fits, or is an error that no wait mends", async () => {
  for (const [status, limit] of [[413, 400], [429, 400], [429, 20]] as const) {
    forgetLessons();
    const { reply, error, bodies } = await ask((body) => {
      const asked = cap(body) + 30;
      const message = `Request too large (TPM): Limit ${limit}, Requested ${asked}`;
      return asked > limit ? { status, error: { message } } : { text: "Yes." };
    }, { model: "own" });
    if (limit === 400) assert.deepEqual([reply?.text, bodies.length], ["Yes.", 2]);
    else assert.equal((error as AgentError).retryable, false);
  }
});

Deno.test("a schema that a server cannot compile is left out", async () => {
  for (
    const message of [
      "Invalid schema for response_format: schema has 5200 properties, at most 5000 are allowed",
      "A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth.",
      "The specified schema produces a constraint that has too many states for serving.",
      "The provided JSON schema contains features not supported by xgrammar.",
      "Failed to initialize samplers: std::exception",
      "Failed to generate JSON. Please adjust your prompt.",
      "Request contains an invalid argument.",
    ]
  ) {
    forgetLessons();
    const refuse = ({ response_format: format }: Body) =>
      format?.type === "json_schema" ? refusal(message) : { json: { score: 1 } };
    const { reply, bodies } = await ask(refuse, { model: "own" }, scoreRequest());
    assert.deepEqual([reply?.text, bodies.length], ['{"score":1}', 2], message);
  }
});

Deno.test("a call that a server does not let demand is left to the model", async () => {
  const call = { toolCalls: [{ name: "lookUp", arguments: "{}" }] };
  const { reply, bodies } = await ask(
    ({ tool_choice: choice }) =>
      typeof choice === "object"
        ? refusal("Unsupported tool_choice: type='function'. Expected 'auto' or 'none'.")
        : choice === "auto"
        ? { toolCalls: [{ name: "answer", arguments: '{"score":1}' }] }
        : call,
    { model: "own", profile: { jsonWithTools: false } },
    scoreRequest({ tools: [lookUp] }),
  );
  assert.equal(reply?.text, '{"score":1}');
  assert.equal(bodies.at(-1)?.tool_choice, "auto");
  assert.partialDeepStrictEqual(lessonsKnown(), [{ key: "forcedTool", to: false }]);
});

/** LM Studio's rejection of a prompt that is too long: a stream with an error, which may not state the window. */
const LM_STUDIO: ModelReply = {
  body: `event: error\ndata: ${
    JSON.stringify({ error: { message: "The prompt is greater than the context length." } })
  }\n\n`,
};

Deno.test("LM Studio is asked for the loaded window that its error does not state", async () => {
  forgetLessons();
  const loaded = { id: "own", state: "loaded", ["loaded_context_length"]: 4096 };
  await using server = await startModelServer({
    respond: (_, index) => index === 0 ? LM_STUDIO : { text: "Yes." },
    paths: { "/api/v0/models": { data: [loaded] } },
  });
  const options = { model: "own", baseUrl: server.url, prefix: "lmstudio" };
  const { text } = await createOpenAIAgent(options).reply(turnRequest({ maxTokens: 300 }));
  assert.equal(text, "Yes.");
  assert.partialDeepStrictEqual(lessonsKnown(), [{ key: "window", to: 4096 }]);
});

Deno.test("parameters that no provider on OpenRouter takes are left out one after another", async () => {
  forgetLessons();
  const { reply, bodies, notes } = await ask(
    ({ response_format: format, temperature, seed, reasoning }) =>
      format === undefined && [temperature, seed, reasoning].every((each) => each === undefined)
        ? { json: { score: 1 } }
        : { status: 404, error: { message: "No endpoints can handle the requested parameters." } },
    { model: "anthropic/claude-haiku-4-5", prefix: "openrouter" },
    scoreRequest({ temperature: 0, seed: 1, reasoningEffort: "low", maxTokens: 300 }),
  );
  assert.equal(reply?.text, '{"score":1}');
  assert.ok(bodies.every((body) => body.max_tokens !== undefined && body.stream_options));
  const keys = notes.flatMap((note) => note.type === "profile_learned" ? note.key : []);
  assert.deepEqual(keys, ["json", "json", "seed", "reasoningSend"]);
});

Deno.test("a refusal without a name leaves out further parameters if a demanded call was not the cause", async () => {
  const { reply, notes } = await ask(
    ({ tool_choice: choice, temperature }) =>
      choice === undefined
        ? { toolCalls: [{ name: "lookUp", arguments: "{}" }] }
        : temperature === undefined
        ? { text: "Yes." }
        : { status: 404, error: { message: "No endpoints can handle the requested parameters." } },
    { model: "own" },
    turnRequest({ tools: [lookUp], temperature: 0.5 }),
  );
  assert.equal(reply?.text, "Yes.");
  const keys = notes.flatMap((note) => note.type === "profile_learned" ? note.key : []);
  assert.deepEqual([...new Set(keys)], ["forcedTool", "temperature"]);
});

Deno.test("a server that counts more tokens than the agent gets half the cap, and half of that", async () => {
  for (
    const [room, caps, text] of [[160, [600, 300, 150], "Yes."], [
      100,
      [600, 300, 150],
      undefined,
    ]] as const
  ) {
    forgetLessons();
    const { reply, bodies, error } = await ask(
      (body) =>
        cap(body) <= room
          ? { text: "Yes." }
          : refusal("maximum context length is 4096 tokens and your request has 3990 input tokens"),
      { model: "own", profile: { window: 4096 } },
    );
    assert.deepEqual([bodies.map(cap), reply?.text], [caps, text]);
    if (text === undefined) assert.match(String(error), /maximum context length is 4096/);
  }
});

Deno.test("a model that calls no tools answers without them", async () => {
  for (
    const [status, message] of [
      [400, "gemma3:4b does not support tools"],
      [404, "No endpoints found that support tool use."],
      [400, '"auto" tool choice requires --enable-auto-tool-choice to be set'],
      [500, "tools param requires --jinja flag"],
      [400, "Function calling is not enabled for models/gemma-3-27b-it"],
    ] as const
  ) {
    const { reply, bodies, notes } = await ask(
      ({ tools }) => tools === undefined ? { text: "Yes." } : { status, error: { message } },
      { model: "own" },
      turnRequest({ tools: [lookUp] }),
    );
    assert.deepEqual([reply?.text, bodies.length], ["Yes.", 2], message);
    assert.partialDeepStrictEqual(notes, [{ parameter: "tools", asked: ["lookUp"] }]);
  }
  const { error, bodies } = await ask(
    () => ({ status: 403, error: { message: "Your use of this tool requires a paid plan" } }),
    { model: "own" },
    turnRequest({ tools: [lookUp] }),
  );
  assert.match(String(error), /requires a paid plan/);
  assert.equal(bodies.length, 1);
});

Deno.test("an effort that a server rejects in its own words is left out", async () => {
  for (
    const message of [
      '"small" does not support thinking',
      "Model small does not support parameter reasoningEffort.",
    ]
  ) {
    forgetLessons();
    const { reply, bodies } = await ask(
      (body) => "reasoning_effort" in body ? refusal(message) : { text: "Yes." },
      { model: "gpt-oss" },
    );
    assert.deepEqual([reply?.text, bodies.length], ["Yes.", 2], message);
  }
});

Deno.test("a template without a role for instructions gets them in the first message", async () => {
  for (
    const message of [
      "System role not supported",
      "Conversation roles must alternate user/assistant/user/assistant/...",
      "Only user and assistant roles are supported!",
    ]
  ) {
    forgetLessons();
    const { reply, bodies } = await ask(
      ({ messages }) => messages[0]?.role === "system" ? refusal(message) : { text: "Yes." },
      { model: "own" },
    );
    assert.equal(reply?.text, "Yes.", message);
    assert.deepEqual(bodies[1]?.messages.map(({ role }) => role), ["user"]);
  }
});

Deno.test("a rejection without a wait pauses until the reset in its headers", async () => {
  const headers = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20s" };
  await using server = await startModelServer({ reply: { status: 429, headers } });
  const agent = createOpenAIAgent({ baseUrl: server.url, model: "own" });
  await assert.rejects(agent.reply(turnRequest()), AgentError);
  const { pausedMs } = (await limiterOf(server.url, { provider: "" })).state;
  assert.ok(pausedMs > 15_000, `${pausedMs}`);
});

Deno.test("a server that repeats the API key teaches a lesson without the key", async () => {
  const apiKey = "sk-very-secret-key";
  const { notes } = await ask(
    (body) =>
      body.temperature === undefined
        ? { text: "Yes." }
        : refusal(`temperature is not supported (key ${apiKey}, team blue-secret)`, "temperature"),
    { model: "own", apiKey, headers: { "X-Team": "blue-secret" } },
    turnRequest({ temperature: 0.5 }),
  );
  assert.equal(notes[0]?.type, "profile_learned");
  assert.doesNotMatch(JSON.stringify(notes), /very-secret|blue-secret/);
});

Deno.test("a key in a server's text, also one that is not the run's own, is masked in the error", async () => {
  const refusals = [
    ["Incorrect API key provided: sk-abc123", "Incorrect API key provided: [key]"],
    ["Incorrect API key provided: sk-proj-****wxyz.", "Incorrect API key provided: [key]."],
    [`${"Sorry. ".repeat(40)}The key is sk-proj-${"a1".repeat(80)}`, "The key is [key]"],
    ["invalid key 9f8e7d6c5b4a3f2e1d", "invalid key [key]"],
    ["The token 'eyJhbGciOi1.abc' is over", "The token '[key]' is over"],
    ["no key for claude-sonnet-4 in sk", "no key for claude-sonnet-4 in sk"],
    ["key authentication_required of task-1234", "key authentication_required of task-1234"],
  ] as const;
  for (const [text, shown] of refusals) {
    const { error } = await ask(
      () => ({ status: 401, error: { message: text } }),
      { model: "own", apiKey: "mine-0123456789" },
    );
    assert.ok(error instanceof AgentError, text);
    assert.ok(error.message.includes(shown), error.message);
    assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /sk-[ap]|9f8e|eyJ|a1a1/);
  }
});

Deno.test("a user's setting that the server rejects is an error and is not learned", async () => {
  const { error, notes } = await ask(
    () => refusal("temperature is not supported", "temperature"),
    { model: "own", profile: { temperature: true } },
    turnRequest({ temperature: 0.5 }),
  );
  assert.ok(error instanceof AgentError);
  assert.match(error.message, /temperature is not supported/);
  assert.deepEqual(notes, []);
});

Deno.test("a server that takes neither name of the cap is asked with each once, not for ever", async () => {
  const { error, bodies } = await ask((body, index) => {
    const name = body.max_tokens === undefined ? "max_completion_tokens" : "max_tokens";
    return index > 8 ? { text: "Yes." } : refusal(`${name} is not supported`, name);
  }, { model: "own" });
  assert.ok(error instanceof AgentError);
  assert.ok(bodies.length <= 3, `${bodies.length}`);
});
