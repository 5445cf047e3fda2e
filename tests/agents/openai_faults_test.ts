// Failures of model servers: broken replies, statuses, deadlines, secrets, permissions and aborts.
import assert from "node:assert/strict";
import { adapterAgent } from "../../src/agents/ai_sdk.ts";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import type { OpenAIAgentOptions } from "../../src/agents/openai_client.ts";
import type { Agent } from "../../src/core/agent.ts";
import { AgentError, CancelledError, ConfigurationError } from "../../src/core/error.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import type { ModelReply } from "../support/model_server.ts";
import { delaysOf } from "../support/timers.ts";
import { CERT, KEY as TLS_KEY } from "../support/tls.ts";
import {
  checkFailure,
  type Expected,
  failureWith,
  KEY,
  NO_HINT,
  startAgent,
} from "../support/openai_failure.ts";
import { serveLocally } from "../support/local_server.ts";

const UNREACHABLE = "agent_unreachable";
const BAD = "agent_bad_reply";
const LIMITED = "agent_rate_limited";
const LOADING = { status: 503, error: { message: "Loading model" } };

const BROKEN:
  readonly (readonly [what: string, ModelReply, status: number | undefined, ...Expected])[] = [
    [
      "a connection cut in the middle",
      { fault: "cut" },
      undefined,
      UNREACHABLE,
      true,
      /no connection/,
    ],
    [
      "a stream that ends before its end",
      { fault: "unfinished" },
      ...[undefined, UNREACHABLE, true, /broke off before its end/, NO_HINT] as const,
    ],
    [
      "a chunk that is no JSON",
      { fault: "malformed" },
      undefined,
      BAD,
      true,
      /not valid JSON/,
      NO_HINT,
    ],
    [
      "a body that is no JSON",
      { body: '{"choices":[{"mess' },
      ...[undefined, BAD, true, /not valid JSON/, NO_HINT] as const,
    ],
    [
      "a path that LM Studio does not have",
      { body: '{"error":"Unexpected endpoint or method. (POST /chat/completions)"}' },
      ...[404, BAD, false, /Unexpected endpoint/, /base URL, which usually ends in/] as const,
    ],
    [
      "a page instead of a reply",
      { body: "<html>Welcome</html>\n", headers: { "content-type": "text/html" } },
      ...[undefined, BAD, true, /not an event stream/, /base URL, which usually ends in/] as const,
    ],
    [
      "an error within the stream",
      { fault: "error-midway" },
      ...[502, UNREACHABLE, true, /status 502, Overloaded/, NO_HINT] as const,
    ],
    [
      "a rate limit within status 200",
      { body: '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}' },
      ...[429, LIMITED, true, /Slow down/] as const,
    ],
    [
      "an error that is named a stream",
      { body: '{"error":"Out of memory"}', headers: { "content-type": "text/event-stream" } },
      ...[undefined, UNREACHABLE, true, /broke off, Out of memory/, NO_HINT] as const,
    ],
    ...[
      "error",
      "abort",
      "network_error",
      "insufficient_system_resource",
      "function_call_filter: MALFORMED_FUNCTION_CALL",
    ].map((reason) =>
      [
        `the finish reason ${reason}`,
        { finishReason: reason },
        ...[
          undefined,
          UNREACHABLE,
          true,
          new RegExp(`broke off, finish reason ${reason}`),
        ] as const,
        NO_HINT,
      ] as const
    ),
    [
      "an error of the choice",
      {
        body:
          'data: {"choices":[{"delta":{},"finish_reason":"error","error":{"code":502,"message":"Gone"}}]}\n\n',
      },
      ...[502, UNREACHABLE, true, /status 502, Gone/, NO_HINT] as const,
    ],
    [
      "an event that is an error without a frame",
      { body: 'event:error\ndata:{"code":"InvalidParameter","message":"Wrong"}\n\n' },
      ...[undefined, UNREACHABLE, true, /broke off, Wrong/, NO_HINT] as const,
    ],
    [
      "a chunk that is an error, before the end",
      {
        body:
          'data: {"choices":[{"delta":{"content":"Half"}}]}\n\ndata: {"object":"error","message":"Cache is full","code":500}\n\ndata: [DONE]\n\n',
      },
      ...[500, UNREACHABLE, true, /status 500, Cache is full/, NO_HINT] as const,
    ],
  ];

for (const [what, reply, status, ...expected] of BROKEN) {
  Deno.test(`createOpenAIAgent() reports ${what} as ${expected[0]}`, async () => {
    const text = "A reply of a few words, to be cut somewhere in its middle.";
    checkFailure(await failureWith({ text, ...reply }), expected, status);
  });
}

Deno.test("createOpenAIAgent() says how to trust a server's own certificate, and does not retry", async () => {
  let requests = 0;
  const handler = () => Response.json(++requests);
  await using server = serveLocally(handler, { cert: CERT, key: TLS_KEY });
  const baseUrl = `https://localhost:${server.addr.port}/v1`;
  const error = await createOpenAIAgent({ model: "small", provider: "House", baseUrl })
    .reply(turnRequest())
    .catch((error) => error);
  checkFailure(error, [UNREACHABLE, false, /no connection, .*certificate/, /DENO_CERT/]);
  assert.equal(requests, 0);
});

const busy = (headers: Readonly<Record<string, string>>) => ({ status: 429, headers });
const html = { "retry-after": "2", "content-type": "text/html" };

const STATUSES: readonly [ModelReply & { readonly status: number }, ...Expected][] = [
  [
    { status: 401, error: { message: "Bad key" } },
    ...["agent_auth", false, /: status 401, Bad key$/, /HOUSE_KEY/] as const,
  ],
  [{ status: 403 }, "agent_auth", false, /status 403/],
  [busy({ "retry-after": "7" }), LIMITED, true, /status 429/, /./, 7000],
  [busy({ "retry-after-ms": "150", "retry-after": "1" }), LIMITED, true, /status 429/, /./, 150],
  [busy({ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }), LIMITED, true, /status 429/, /./, 0],
  [busy({ "retry-after": "9e15" }), LIMITED, true, /429/, /after 21\d\d-.* UTC/, 9e18],
  [busy({ "retry-after": "soon" }), LIMITED, true, /status 429/],
  [
    { status: 429, error: { message: "No more", code: "insufficient_quota" } },
    ...[LIMITED, false, /No more/, /billing/] as const,
  ],
  [
    { status: 429, body: '[{"error":{"message":"Slower","details":[{"retryDelay":"3.5s"}]}}]\n' },
    ...[LIMITED, true, /status 429, Slower$/, /./, 3500] as const,
  ],
  [
    { status: 400, error: { message: "API key not valid. Please pass a valid API key." } },
    ...["agent_auth", false, /not valid/, /HOUSE_KEY/] as const,
  ],
  [
    { status: 429, error: { message: "Enough today", code: "quota_exceeded" } },
    ...[LIMITED, false, /Enough today/, /billing/] as const,
  ],
  [{ status: 402, error: { message: "No credit" } }, BAD, false, /No credit/, /billing/],
  [
    { status: 429, error: { message: "Suspended", type: "exceeded_current_quota_error" } },
    ...[LIMITED, false, /Suspended/, /billing/] as const,
  ],
  [
    { status: 429, error: { message: "Not active", code: "billing_not_active" } },
    ...[LIMITED, false, /Not active/, /billing/] as const,
  ],
  [
    { status: 400, error: { message: "API key expired. Please renew the API key." } },
    ...["agent_auth", false, /expired/, /HOUSE_KEY/] as const,
  ],
  [{ status: 405 }, BAD, false, /status 405/, /base URL/],
  [
    LOADING,
    ...[LIMITED, true, /Loading model$/, /Wait/, 5000] as const,
  ],
  [
    { status: 400, error: { message: "Failed to call a function", code: "tool_use_failed" } },
    ...[BAD, true, /Failed to call/, NO_HINT] as const,
  ],
  [{ status: 500, headers: { "x-should-retry": "false" } }, UNREACHABLE, false, /500/, NO_HINT],
  [{ status: 400, headers: { "x-should-retry": "true" } }, BAD, true, /status 400/, NO_HINT],
  [{ status: 408 }, "agent_timeout", true, /status 408/, NO_HINT],
  [{ status: 409 }, UNREACHABLE, true, /status 409/, NO_HINT],
  [{ status: 500 }, UNREACHABLE, true, /: status 500$/, NO_HINT],
  [{ status: 502, body: "" }, UNREACHABLE, true, /: status 502, no body$/, NO_HINT],
  [
    { status: 503, headers: html, body: "<h1>Busy</h1>" },
    ...[UNREACHABLE, true, /status 503, <h1>Busy/, NO_HINT, 2000] as const,
  ],
  [{ status: 504 }, "agent_timeout", true, /status 504/, NO_HINT],
  [
    { status: 404, error: { message: "No such model" } },
    BAD,
    false,
    /No such model/,
    /model's name/,
  ],
  [{ status: 400, error: { message: "Too long" } }, BAD, false, /Too long/, NO_HINT],
  [
    { status: 400, error: { message: "Provider returned error", metadata: { raw: "No stop" } } },
    ...[BAD, false, /Provider returned error: No stop$/, NO_HINT] as const,
  ],
];

for (const [reply, ...expected] of STATUSES) {
  const { status, headers = {}, error } = reply;
  const said = [...Object.values(headers), error?.["message"] ?? "nothing"];
  Deno.test(`createOpenAIAgent() reports status ${status} with ${said.join(", ")} as ${expected[0]}`, async () => {
    checkFailure(await failureWith(reply), expected, status);
  });
}

Deno.test("createOpenAIAgent() names the provider of a model that another server does not have, and how to give a key", async () => {
  const { hint } = await failureWith({ status: 404 }, { model: "claude-opus-5-5" });
  assert.match(hint!, /^Did you mean "anthropic:claude-opus-5-5"\? Check the model's name/);
  const keyless = await failureWith({ status: 401 }, { apiKey: undefined, apiKeyEnv: undefined });
  assert.match(keyless.hint!, /OPENAI_API_KEY with --base-url, or apiKeyEnv/);
});

Deno.test("createOpenAIAgent() waits for a server that loads its model no longer than maxWait", async () => {
  const error = await failureWith(LOADING, { maxWait: 1000 });
  checkFailure(error, [LIMITED, true, /Loading model$/, /Wait/, 1000], 503);
});

Deno.test("createOpenAIAgent() waits until the time that a server names in a header or in the error", async () => {
  const at = Date.now() + 3_600_000;
  const metadata = { headers: { "X-RateLimit-Reset": `${at}` } };
  const busy = [{ headers: { "retry-after": new Date(at).toUTCString() } }, {
    error: { metadata },
  }];
  for (const reply of busy) {
    const { retryAfter: wait = 0 } = await failureWith({ status: 429, ...reply });
    assert.ok(wait > 3_000_000 && wait <= 3_600_000, `${wait}`);
  }
  const end = Date.now() + 172_800_000;
  const { hint = "" } = await failureWith({ status: 429, headers: { "retry-after": "172800" } });
  const [, day, minute] = /^Resume after (\S+) (\S+) UTC/.exec(hint) ?? [];
  assert.ok(Date.parse(`${day}T${minute}Z`) >= end, hint);
});

for (const fault of ["hang", "hang-midway"] as const) {
  Deno.test(`createOpenAIAgent() ends a request to a server with a ${fault} at the idle deadline`, async () => {
    const error = await failureWith({ fault }, { idleTimeout: 100 });
    checkFailure(error, ["agent_timeout", true, /nothing came for 100 ms/, /Raise idleTimeout/]);
  });
}

Deno.test("createOpenAIAgent() ends a slowly arriving reply at the total deadline", async () => {
  const reply = { text: "word ".repeat(3000), chunkDelay: 5 };
  const error = await failureWith(reply, { totalTimeout: 200 });
  checkFailure(error, ["agent_timeout", true, /not whole after 200 ms/, /Raise totalTimeout/]);
});

Deno.test("createOpenAIAgent() reads the reply that came while the process stood still, as after Ctrl-Z", async () => {
  const { now } = performance;
  const respond = (): ModelReply => {
    performance.now = () => now.call(performance) + 3_600_000;
    return { text: "So.", latency: 250 };
  };
  try {
    await using server = await startAgent({ respond }, { idleTimeout: 200, totalTimeout: 200 });
    assert.equal((await server.agent.reply(turnRequest())).text, "So.");
  } finally {
    performance.now = now;
  }
});

const FINISHED = 'data: {"choices":[{"delta":{"content":"So."},"finish_reason":"stop"}]}\n\n';

const events = (...all: object[]) =>
  all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const PINGS: readonly [
  what: string,
  create: (options: OpenAIAgentOptions) => Agent,
  start: string,
  ping: string,
  end: string,
][] = [
  [
    "createOpenAIAgent() counts a server's comment",
    createOpenAIAgent,
    "",
    ": still thinking\n\n",
    `${FINISHED}data: [DONE]\n\n`,
  ],
  [
    "anthropic: a server's ping counts",
    (options) => adapterAgent("anthropic", { ...options, baseUrl: "http://127.0.0.1/v1" }),
    events({
      type: "message_start",
      message: { id: "m", model: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    }),
    events({ type: "ping" }),
    events(
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "So." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ),
  ],
];

for (const [what, create, start, ping, end] of PINGS) {
  Deno.test(`${what} as activity`, async () => {
    async function* slow(): AsyncGenerator<string> {
      yield start;
      for (let i = 0; i < 30; i++) {
        yield ping;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      yield end;
    }
    const agent = create({
      model: "small",
      idleTimeout: 1000,
      fetch: () =>
        Promise.resolve(
          new Response(ReadableStream.from(slow()).pipeThrough(new TextEncoderStream())),
        ),
    });
    assert.equal((await agent.reply(turnRequest())).text, "So.");
  });
}

for (
  const [what, next] of [
    ["leaves the connection open", () => new Promise<string>(() => {})],
    // Each ping is read before the next: without a bound the reply would never end.
    ["only pings after it", () => new Promise<string>((ping) => setTimeout(ping, 1, ": ping\n\n"))],
    [
      "only sends empty data after it",
      () => new Promise<string>((ping) => setTimeout(ping, 1, 'data: {"type":"ping"}\n\n')),
    ],
  ] as const
) {
  Deno.test(`createOpenAIAgent() takes a finished reply of a server that ${what}`, async () => {
    let isClosed = false;
    const body = new ReadableStream<string>({
      start: (stream) => stream.enqueue(FINISHED),
      pull: async (stream) => stream.enqueue(await next()),
      cancel: () => void (isClosed = true),
    });
    const agent = createOpenAIAgent({
      model: "small",
      fetch: () => Promise.resolve(new Response(body.pipeThrough(new TextEncoderStream()))),
    });
    const delays = await delaysOf(async () => {
      const { text, finishReason } = await agent.reply(turnRequest());
      assert.deepEqual([text, finishReason, isClosed], ["So.", "stop", true]);
    }, (delay) => delay === 3000);
    assert.equal(delays.filter((each) => each === 3000).length, 1);
  });
}

Deno.test("createOpenAIAgent() gives a server of local models, and a model that reasons, the whole time for the first words", async () => {
  const hosted = "https://models.example/v1";
  const cases = [
    ["small", "http://127.0.0.1:11434/v1", false],
    ["small", "http://localhost:8081/v1", true],
    ["small", hosted, true],
    ["gpt-5", hosted, false],
    ["grok-4.20-reasoning", hosted, false],
    ["gpt-5.1", hosted, false],
    ["gpt-5.1", hosted, true, { reasoningEffort: "off" }],
  ] as const;
  for (const [model, baseUrl, isShort, asked] of cases) {
    const agent = createOpenAIAgent({
      model,
      baseUrl,
      fetch: () => Promise.resolve(new Response(FINISHED)),
    });
    const delays = await delaysOf(async () => void await agent.reply(turnRequest(asked)));
    assert.equal(delays.includes(60_000), isShort, model);
  }
});

Deno.test("createOpenAIAgent() states where no server answers", async () => {
  const server = await startAgent({}, { provider: "House" });
  await server.close();
  const error = await server.agent.reply(turnRequest()).catch((error) => error);
  checkFailure(error, [UNREACHABLE, true, /refused/i, /address/]);
});

Deno.test("createOpenAIAgent() never shows an API key, whatever the server repeats", async () => {
  const secret = "token-in-a-header";
  await using server = await startAgent({
    respond: ({ headers }) => ({
      status: 401,
      error: { message: `Wrong: ${headers["authorization"]} ${headers["x-token"]}` },
    }),
  }, { apiKey: KEY, headers: { "x-token": secret } });
  const error = await server.agent.reply(turnRequest()).catch((error) => error);
  assert.ok(error instanceof AgentError);
  const shown = Deno.inspect(error, { depth: 9, showHidden: true }) +
    JSON.stringify(error);
  assert.match(shown, /Wrong: Bearer \[key\] \[key\]/);
  assert.ok(!shown.includes(KEY) && !shown.includes(secret), shown);
});

Deno.test("createOpenAIAgent() shows no part of a key, where a long text is cut and in labels", async () => {
  const apiKey = "0123456789abcdefghijklmnopqrstuv";
  for (const at of [260, 275, 290]) {
    const said = `${"x".repeat(at)}${apiKey}`;
    for (
      const reply of [
        { status: 400, error: { message: said } },
        { status: 307, headers: { location: said } },
        { body: JSON.stringify({ error: said }) },
      ]
    ) {
      const { message } = await failureWith(reply, { apiKey });
      assert.doesNotMatch(message, /01234/, `${at}`);
    }
  }
  const chunk = { model: `m-${apiKey}`, ["system_fingerprint"]: apiKey, choices: [] };
  const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  const headers = { "content-type": "text/event-stream", "x-request-id": apiKey };
  await using server = await startAgent({ reply: { body, headers } }, { apiKey });
  const { served } = await server.agent.reply(turnRequest());
  const labels = { model: "m-[key]", fingerprint: "[key]", requestId: "[key]" };
  assert.deepEqual(served, { ...labels, cap: 400 });
});

Deno.test("createOpenAIAgent() rejects options that cannot be used when it is called, each by name", () => {
  for (
    const [options, message] of [
      [{ baseUrl: "nowhere" }, /base URL "nowhere": it is not an http/],
      [{ baseUrl: "http://me:secret@127.0.0.1:1/v1" }, /"http:\/\/…@127\.0\.0\.1:1\/v1": it holds/],
      [{ headers: { "two words": "x" } }, /header "two words"/],
      [{ headers: { "x-a": 5 } }, /header "x-a"/],
      [{ headers: { "x-a": `${KEY}\0` } }, /header "x-a"/],
      [{ apiKey: 5 }, /the API key/],
      [{ apiKey: `${KEY}\n2` }, /the API key/],
      [{ idleTimeout: 0 }, /idleTimeout: 0/],
      [{ totalTimeout: -1 }, /totalTimeout: -1/],
      [{ maxReplyBytes: 0 }, /maxReplyBytes: 0/],
    ] as const
  ) {
    const given = { model: "small", ...options } as unknown as OpenAIAgentOptions;
    assert.throws(() => createOpenAIAgent(given), (error: unknown) => {
      assert.ok(error instanceof ConfigurationError, String(error));
      assert.match(error.message, message);
      assert.ok(!Deno.inspect(error).includes(KEY));
      return true;
    });
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
    const message = /net access to "192\.0\.2\.1:8080"/;
    checkFailure(error, [UNREACHABLE, false, message, /--allow-net/]);
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
      // A single timer for all cases: a second one would count as left behind by the test itself.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const leaveSoon = (): void => {
        timer ??= setTimeout(() => controller.abort("the user left"), 1);
      };
      await using server = await startAgent({
        respond: () => {
          if (fault === "hang") leaveSoon();
          return { fault };
        },
      });
      const { signal } = controller;
      const replying = server.agent.reply(turnRequest({ signal, onDelta: leaveSoon }));
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
      { status: 500 },
    ];
    const respond = (_: unknown, index: number) => faults[index] ?? { fault: "hang-midway" };
    await using server = await startAgent({ respond });
    for (const _ of faults) await server.agent.reply(turnRequest()).catch(() => undefined);
    assert.equal(server.requests.length, faults.length);
    const hasty = createOpenAIAgent({ model: "small", baseUrl: server.url, idleTimeout: 100 });
    await assert.rejects(hasty.reply(turnRequest()), { code: "agent_timeout" });
  },
});
