import assert from "node:assert/strict";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import { AgentError, CancelledError, ConfigurationError } from "../../src/core/error.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { type ModelReply, startModelServer } from "../support/model_server.ts";
import { checkFailure, type Expected, failureWith, KEY } from "../support/openai_failure.ts";

const broken: [string, ModelReply, Expected][] = [
  ["a connection cut in the middle", { fault: "cut" }, {
    code: "agent_unreachable",
    retryable: true,
    message: /no connection/,
  }],
  ["a stream that ends before its end", { fault: "unfinished" }, {
    code: "agent_unreachable",
    retryable: true,
    message: /broke off before its end/,
    hint: /^$/,
  }],
  ["a chunk that is no JSON", { fault: "malformed" }, {
    code: "agent_bad_reply",
    retryable: true,
    message: /not valid JSON/,
    hint: /^$/,
  }],
  ["a body that is no JSON", { body: '{"choices":[{"mess' }, {
    code: "agent_bad_reply",
    retryable: true,
    message: /not valid JSON/,
    hint: /^$/,
  }],
  ["a page instead of a reply", {
    body: "<html>Welcome</html>\n",
    headers: { "content-type": "text/html" },
  }, {
    code: "agent_bad_reply",
    retryable: true,
    message: /no event stream/,
    hint: /^$/,
  }],
  ["an error within the stream", { fault: "error-midway" }, {
    code: "agent_unreachable",
    retryable: true,
    status: 502,
    message: /status 502, Overloaded/,
    hint: /^$/,
  }],
  ["a rate limit within status 200", {
    body: '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}',
  }, {
    code: "agent_rate_limited",
    retryable: true,
    status: 429,
    message: /Slow down/,
  }],
  ["a finish reason that says error", { finishReason: "error" }, {
    code: "agent_unreachable",
    retryable: true,
    message: /broke off/,
    hint: /^$/,
  }],
];

for (const [what, reply, expected] of broken) {
  Deno.test(`createOpenAIAgent() calls ${what} ${expected.code}`, async () => {
    const text = "A reply of a few words, to be cut somewhere in its middle.";
    checkFailure(await failureWith({ text, ...reply }), expected);
  });
}

const late: [string, ModelReply, RegExp][] = [
  ["before the headers", { fault: "hang" }, /nothing came for 100 ms/],
  ["in the middle", { fault: "hang-midway" }, /nothing came for 100 ms/],
];

for (const [where, reply, message] of late) {
  Deno.test(`createOpenAIAgent() gives a server that hangs ${where} up after the idle deadline`, async () => {
    checkFailure(await failureWith(reply, { idleTimeout: 100 }), {
      code: "agent_timeout",
      retryable: true,
      message,
      hint: /^$/,
    });
  });
}

Deno.test("createOpenAIAgent() gives a reply that trickles up after the total deadline", async () => {
  const reply = { text: "word ".repeat(3000), chunkDelay: 5 };
  checkFailure(await failureWith(reply, { totalTimeout: 200 }), {
    code: "agent_timeout",
    retryable: true,
    message: /not whole after 200 ms/,
    hint: /^$/,
  });
});

Deno.test("createOpenAIAgent() takes a comment of the server for a sign of life", async () => {
  async function* slow(): AsyncGenerator<string> {
    for (let i = 0; i < 80; i++) {
      yield ": still thinking\n\n";
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    yield 'data: {"choices":[{"delta":{"content":"So."},"finish_reason":"stop"}]}\n\n';
    yield "data: [DONE]\n\n";
  }
  const agent = createOpenAIAgent({
    model: "small",
    idleTimeout: 600,
    fetch: () =>
      Promise.resolve(
        new Response(
          ReadableStream.from(slow()).pipeThrough(new TextEncoderStream()),
        ),
      ),
  });
  assert.equal((await agent.reply(turnRequest())).text, "So.");
});

Deno.test("createOpenAIAgent() says where no server answers", async () => {
  const server = await startModelServer();
  await server.close();
  const agent = createOpenAIAgent({
    model: "small",
    provider: "House",
    baseUrl: server.url,
  });
  const error = await agent.reply(turnRequest()).catch((error) => error);
  checkFailure(error, {
    code: "agent_unreachable",
    retryable: true,
    message: /refused/i,
    hint: /address/,
  });
});

Deno.test("createOpenAIAgent() never shows a key, whatever the server repeats", async () => {
  const secret = "token-in-a-header";
  await using server = await startModelServer({
    respond: ({ headers }) => ({
      status: 401,
      error: {
        message: `Wrong: ${headers["authorization"]} ${headers["x-token"]}`,
      },
    }),
  });
  const agent = createOpenAIAgent({
    model: "small",
    baseUrl: server.url,
    apiKey: KEY,
    headers: { "x-token": secret },
  });
  const error = await agent.reply(turnRequest()).catch((error) => error);
  assert.ok(error instanceof AgentError);
  const shown = Deno.inspect(error, { depth: 9, showHidden: true }) +
    JSON.stringify(error);
  assert.match(shown, /Wrong: Bearer \[key\] \[key\]/);
  assert.ok(!shown.includes(KEY) && !shown.includes(secret), shown);
});

Deno.test("createOpenAIAgent() refuses a key or a header that cannot be sent, without showing it", () => {
  for (
    const options of [{ apiKey: `${KEY}\n2` }, {
      headers: { "x-a": `${KEY}\0` },
    }]
  ) {
    assert.throws(
      () => createOpenAIAgent({ model: "small", ...options }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.ok(!Deno.inspect(error).includes(KEY));
        return true;
      },
    );
  }
});

Deno.test({
  name:
    "createOpenAIAgent() says which permission a refused connection needs, and does not try again",
  permissions: { net: ["127.0.0.1"], read: true },
  fn: async () => {
    const agent = createOpenAIAgent({
      model: "small",
      provider: "House",
      baseUrl: "http://192.0.2.1:8080/v1",
    });
    const error = await agent.reply(turnRequest()).catch((error) => error);
    checkFailure(error, {
      code: "agent_unreachable",
      retryable: false,
      message: /net access to "192\.0\.2\.1:8080"/,
      hint: /--allow-net/,
    });
  },
});

for (const fault of ["hang", "hang-midway"] as const) {
  Deno.test({
    name:
      `createOpenAIAgent() notices an abort while the server has a ${fault}, and leaves nothing behind`,
    sanitizeOps: true,
    sanitizeResources: true,
    fn: async () => {
      const controller = new AbortController();
      // One timer, whatever comes before it ends: another would be left behind by the test itself.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const leaveSoon = (): void => {
        timer ??= setTimeout(() => controller.abort("the user left"), 1);
      };
      await using server = await startModelServer({
        respond: () => {
          if (fault === "hang") leaveSoon();
          return { fault };
        },
      });
      const agent = createOpenAIAgent({ model: "small", baseUrl: server.url });
      const replying = agent.reply(turnRequest({
        signal: controller.signal,
        onDelta: leaveSoon,
      }));
      await assert.rejects(replying, (error: unknown) => {
        assert.ok(error instanceof CancelledError, `${error}`);
        assert.equal(error.cause, "the user left");
        return true;
      });
    },
  });
}

Deno.test({
  name: "createOpenAIAgent() leaves no timer and no open body behind",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: async () => {
    const faults: ModelReply[] = [
      {},
      { fault: "unfinished" },
      { fault: "malformed" },
      { fault: "hang-midway" },
      { status: 500 },
    ];
    await using server = await startModelServer({
      respond: (_, index) => faults[index]!,
    });
    const agent = createOpenAIAgent({
      model: "small",
      baseUrl: server.url,
      idleTimeout: 100,
    });
    for (const _ of faults) {
      await agent.reply(turnRequest()).catch(() => undefined);
    }
    assert.equal(server.requests.length, faults.length);
  },
});
