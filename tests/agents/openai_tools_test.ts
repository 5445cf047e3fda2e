// Tool calls through OpenAI-compatible servers.
// deno-lint-ignore-file camelcase -- the wire format has its own names
import assert from "node:assert/strict";
import { LLMock } from "@copilotkit/aimock";
import { z } from "zod";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import { AgentError, CancelledError } from "../../src/core/error.ts";
import type { ReplyRounds, Tool } from "../../src/core/agent.ts";
import { scoreRequest, turnRequest } from "../contracts/agent_contract.ts";
import { type ModelReply, streamed } from "../support/model_reply.ts";
import { startAgent } from "../support/openai_failure.ts";
import { lookUp } from "./support/look_up.ts";

const failing: Tool = {
  ...lookUp,
  name: "failing",
  run: () => Promise.reject(new Error("the index is gone")),
};

function call(name: string, args: unknown): { name: string; arguments: string } {
  return { name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

/** Returns the agent's reply at a server with these replies in turn. */
async function replyTo(
  replies: readonly ModelReply[],
  request = turnRequest({ tools: [lookUp, failing] }),
) {
  await using server = await startAgent({
    respond: (_, index) => replies[Math.min(index, replies.length - 1)]!,
  });
  const reply = await server.agent.reply(request);
  return { reply, requests: [...server.requests] };
}

Deno.test("createOpenAIAgent() calls tools, sends their results to the model, and adds up the usage", async () => {
  const deltas: string[] = [];
  const usage = { prompt_tokens: 100, completion_tokens: 10, cost: 0.25 };
  const { reply, requests } = await replyTo([
    { text: "Let me look.", toolCalls: [call("lookUp", { word: "noise" })], usage },
    { text: "It is quieter.", usage },
  ], turnRequest({ tools: [lookUp], onDelta: (text) => deltas.push(text) }));
  assert.equal(reply.text, "Let me look.\n\nIt is quieter.");
  assert.equal(deltas.join(""), reply.text);
  assert.deepEqual(reply.toolCalls, [{
    tool: "lookUp",
    args: { word: "noise" },
    result: "about noise",
    failed: false,
  }]);
  assert.deepEqual(reply.usage, {
    inputTokens: 200,
    cachedInputTokens: 0,
    outputTokens: 20,
    costUsd: 0.5,
  });
  assert.deepEqual(requests[0]?.body.tools, [{
    type: "function",
    function: {
      name: "lookUp",
      description: "Looks a word up",
      parameters: {
        type: "object",
        properties: { word: { type: "string" } },
        required: ["word"],
        additionalProperties: false,
      },
    },
  }]);
  assert.deepEqual(requests[1]?.body.messages.slice(2), [
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [{ id: "call_1", type: "function", function: call("lookUp", { word: "noise" }) }],
    },
    { role: "tool", tool_call_id: "call_1", content: "about noise" },
  ]);
});

Deno.test("createOpenAIAgent() returns the value alone when a schema and tools were requested", async () => {
  const value = { reasons: "ok", scores: {} };
  const { reply } = await replyTo([
    { text: "First a look.", toolCalls: [call("lookUp", { word: "a" })] },
    { json: value },
  ], scoreRequest({ tools: [lookUp] }));
  assert.deepEqual(JSON.parse(reply.text), value);
});

Deno.test("createOpenAIAgent() makes the calls of a reply concurrently and records them in their order", async () => {
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const slow: Tool = {
    ...lookUp,
    run: async (args) => {
      most = Math.max(most, ++running);
      if (running === 3) gate.resolve();
      await gate.promise;
      return await lookUp.run(args);
    },
  };
  const words = ["one", "two", "three"];
  const { reply } = await replyTo([
    { toolCalls: words.map((word) => call("lookUp", { word })) },
    { text: "Done." },
  ], turnRequest({ tools: [slow] }));
  assert.equal(most, 3);
  assert.deepEqual(
    reply.toolCalls?.map(({ result }) => result),
    ["about one", "about two", "about three"],
  );
});

Deno.test("createOpenAIAgent() tells the model the problem of an invalid call", async () => {
  const { reply, requests } = await replyTo([
    {
      toolCalls: [
        call("lookUp", { word: 7 }),
        call("lookUp", '{"word": "no'),
        call("dig", {}),
        call("failing", { word: "a" }),
      ],
    },
    { text: "I will do without." },
  ]);
  assert.equal(reply.text, "I will do without.");
  assert.ok(reply.toolCalls?.every(({ failed }) => failed));
  const [{ tool_calls: sent }] = requests[1]!.body.messages.slice(2) as unknown as [
    { readonly tool_calls: readonly { readonly function: { readonly arguments: string } }[] },
  ];
  assert.equal(sent[1]?.function.arguments, "{}", "a server would reject the prompt");
  const told = requests[1]?.body.messages.slice(3).map((each) => each.content);
  assert.match(told?.[0] ?? "", /Cannot call lookUp: word: Give a text/);
  assert.match(told?.[1] ?? "", /not valid JSON/);
  assert.match(told?.[2] ?? "", /no such tool, only lookUp, failing/);
  assert.match(told?.[3] ?? "", /Cannot call failing: the index is gone/);
});

Deno.test("createOpenAIAgent() separates calls that have the same index, or none, and repeats their signatures", async () => {
  const extra_content = { google: { thought_signature: "signed" } };
  const fragments = (index: object) => [
    { ...index, id: "a", function: { name: "lookUp", arguments: "" }, extra_content },
    { ...index, function: { arguments: '{"word":' } },
    { ...index, id: "a", function: { name: "lookUp", arguments: '"noise"}' } },
    { ...index, id: "b", function: { name: "lookUp", arguments: '{"word":"trams"}' } },
  ];
  for (const index of [{ index: 0 }, {}]) {
    const deltas = fragments(index).map((each) => ({ tool_calls: [each] }));
    const { reply, requests } = await replyTo([streamed(...deltas), { text: "Yes." }]);
    const results = reply.toolCalls?.map(({ result }) => result);
    assert.deepEqual(results, ["about noise", "about trams"]);
    const [, , { tool_calls: sent }] = requests[1]!.body.messages as [
      object,
      object,
      { readonly tool_calls: unknown },
    ];
    assert.deepEqual(sent, [
      { id: "a", type: "function", function: call("lookUp", { word: "noise" }), extra_content },
      { id: "b", type: "function", function: call("lookUp", { word: "trams" }) },
    ]);
  }
});

Deno.test("createOpenAIAgent() rejects a reply of over 128 tool calls", async () => {
  const deltas = Array.from({ length: 129 }, (_, at) => ({
    tool_calls: [{ id: `c${at}`, function: { name: "lookUp", arguments: "{}" } }],
  }));
  await assert.rejects(replyTo([streamed(...deltas)]), /over 128 tool calls/);
});

Deno.test("createOpenAIAgent() allows no further calls after ten rounds", async () => {
  await using server = await startAgent({
    respond: ({ body }) =>
      body.tool_choice === "none"
        ? { text: "Enough." }
        : { toolCalls: [call("lookUp", { word: "more" })] },
  });
  const reply = await server.agent.reply(turnRequest({ tools: [lookUp] }));
  assert.equal(reply.text, "Enough.");
  assert.equal(reply.toolCalls?.length, 10);
  assert.equal(server.requests.length, 11);
  assert.equal(server.requests.at(-1)?.body.tools?.length, 1);
});

/** Store of rounds as in a run: entries are kept as JSON. */
class Rounds implements ReplyRounds {
  readonly left: string[] = [];
  readonly #found = new Map<number, unknown>();

  constructor(found: readonly unknown[] = []) {
    for (const [number, round] of found.entries()) this.#found.set(number, round);
  }

  before(number: number): unknown {
    return this.#found.get(number);
  }

  keep(number: number, round: unknown): Promise<void> {
    this.left.push(JSON.stringify(round));
    this.#found.set(number, JSON.parse(JSON.stringify(round)));
    return Promise.resolve();
  }

  /** Returns the rounds that a run finds after a crash with `count` stored entries. */
  after(count: number): Rounds {
    const found: unknown[] = [];
    for (const [at, text] of this.left.slice(0, count).entries()) {
      found[Math.floor(at / 2)] = JSON.parse(text);
    }
    return new Rounds(found);
  }
}

Deno.test("createOpenAIAgent() stores each reply with tool calls and their results, and repeats none of them", async () => {
  const replies: ModelReply[] = [
    { text: "A look.", toolCalls: [call("lookUp", { word: "one" }), call("failing", {})] },
    { text: "", toolCalls: [call("lookUp", { word: "two" })] },
    { text: "Done." },
  ];
  const rounds = new Rounds();
  const tools = [lookUp, { ...failing, parameters: z.object({}) }];
  const whole = await replyTo(replies, turnRequest({ tools, rounds }));
  assert.equal(rounds.left.length, 4);
  for (let died = 1; died <= 4; died++) {
    const done = Math.ceil(died / 2);
    const deltas: string[] = [];
    const ran: unknown[] = [];
    const counted = tools.map((tool): Tool => ({
      ...tool,
      run: (args) => {
        ran.push(tool.name);
        return tool.run(args);
      },
    }));
    const { reply, requests } = await replyTo(
      replies.slice(done),
      turnRequest({
        tools: counted,
        rounds: rounds.after(died),
        onDelta: (text) => deltas.push(text),
      }),
    );
    assert.deepEqual(reply, whole.reply, `died after ${died}`);
    assert.equal(deltas.join(""), whole.reply.text);
    assert.deepEqual(
      requests.map(({ body }) => body.messages),
      whole.requests.slice(done).map(({ body }) => body.messages),
    );
    assert.equal(ran.length, [3, 1, 1, 0][died - 1]);
  }
});

Deno.test("createOpenAIAgent() asks again when a stored entry is unreadable", async () => {
  const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
  const toolCalls = [{ id: "1", name: "lookUp", arguments: "{}" }];
  for (
    const damaged of [
      7,
      { text: "A look.", toolCalls: [], usage },
      { text: "A look.", toolCalls, usage: { ...usage, inputTokens: -1 } },
      { text: "A look.", toolCalls, usage, traces: [] },
    ]
  ) {
    const { reply, requests } = await replyTo(
      [{ text: "Done." }],
      turnRequest({ tools: [lookUp], rounds: new Rounds([damaged]) }),
    );
    assert.deepEqual([reply.text, requests.length], ["Done.", 1]);
  }
});

Deno.test("createOpenAIAgent() rejects when a reply cannot be stored while its tools run", async () => {
  const slow: Tool = {
    ...lookUp,
    run: () => new Promise((resolve) => setTimeout(() => resolve("found"), 20)),
  };
  const rounds = { before: () => undefined, keep: () => Promise.reject(new Error("no space")) };
  const replies = [{ text: "", toolCalls: [call("lookUp", { word: "one" })] }];
  await assert.rejects(replyTo(replies, turnRequest({ tools: [slow], rounds })), /no space/);
});

Deno.test("createOpenAIAgent() does not wait for a tool after an abort", async () => {
  const controller = new AbortController();
  const stuck: Tool = {
    ...lookUp,
    run: () => {
      controller.abort();
      return new Promise(() => {});
    },
  };
  await assert.rejects(
    replyTo(
      [{ toolCalls: [call("lookUp", { word: "a" })] }],
      turnRequest({ tools: [stuck], signal: controller.signal }),
    ),
    CancelledError,
  );
});

Deno.test({
  name: "createOpenAIAgent() gets along with a server that is not ours",
  // The other server has a timer of its own.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1" });
    mock.on({ hasToolResult: true }, { content: "It is quieter." });
    mock.onMessage("busy", {
      error: { message: "Slow down", type: "rate_limit_error" },
      status: 429,
      retryAfter: 3,
    });
    mock.onMessage("use a tool", {
      toolCalls: [{ name: "lookUp", arguments: '{"word":"noise"}' }],
    });
    mock.onMessage("hello", { content: "Good evening to you all." });
    await mock.start();
    try {
      const agent = createOpenAIAgent({
        model: "gpt-4o-mini",
        baseUrl: `${mock.url}/v1`,
        apiKey: "sk-mock",
      });
      const ask = (content: string, tools: readonly Tool[] = []) =>
        agent.reply(turnRequest({ messages: [{ role: "user", content }], tools }));
      const hello = await ask("hello");
      assert.equal(hello.text, "Good evening to you all.");
      assert.ok(hello.usage.inputTokens > 0 && hello.usage.outputTokens > 0);
      const looked = await ask("use a tool", [lookUp]);
      assert.equal(looked.text, "It is quieter.");
      assert.equal(looked.toolCalls?.[0]?.result, "about noise");
      await assert.rejects(ask("busy"), (error: unknown) => {
        assert.ok(error instanceof AgentError);
        assert.equal(error.code, "agent_rate_limited");
        assert.equal(error.retryAfter, 3000);
        return true;
      });
    } finally {
      await mock.stop();
    }
  },
});
