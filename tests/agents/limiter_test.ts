// Rate limiter of a provider: servers with few slots, priorities, shared pauses.
import assert from "node:assert/strict";
import { composeConvening, createOpenAIAgent, memoryRecord } from "../../mod.ts";
import { Limiter } from "../../src/agents/limiter.ts";
import { AgentError } from "../../src/core/error.ts";
import { withRetries } from "../../src/core/retry.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { withFolder } from "../support/cli.ts";
import { type ModelRequest, startModelServer } from "../support/model_server.ts";
import { KEY, startAgent } from "../support/openai_failure.ts";
import { runMain } from "../support/run_main.ts";

Deno.test("400 requests to a server with 4 slots: none fails, and at most 3 in 100 are rejected", async () => {
  await using server = await startAgent({
    latency: 2,
    respond: ({ concurrent }) =>
      concurrent > 4
        ? { status: 429, latency: 0, headers: { "retry-after-ms": "20" } }
        : { text: "Yes." },
  });
  const replies = await Promise.all(
    Array.from({ length: 400 }, () => withRetries(() => server.agent.reply(turnRequest()), {})),
  );
  assert.equal(replies.filter(({ text }) => text === "Yes.").length, 400);
  const refused = server.requests.length - 400;
  assert.ok(refused <= 12, `${refused} were refused`);
});

Deno.test("a provider that stays busy and asks for no wait is called again after minWait", async () => {
  const calls: number[] = [];
  const reply = await withRetries(() => {
    if (calls.push(performance.now()) > 3) return Promise.resolve("Yes.");
    throw new AgentError("agent_rate_limited", "Busy", { retryable: true, retryAfter: 0 });
  }, { retry: { minWait: 60 } });
  const [, second, third, fourth] = calls;
  assert.equal(reply, "Yes.");
  assert.ok(third! - second! >= 55 && fourth! - third! >= 55, `${calls}`);
});

Deno.test("llama.cpp gets as many requests at once as its slots, for which it is asked once", async () => {
  let asked = 0;
  const paths = {
    get "/props"() {
      asked++;
      return { total_slots: 3 };
    },
  };
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const respond = async ({ index, concurrent }: ModelRequest) => {
    if (concurrent === 3) resolve();
    // The first replies raise the limit.
    if (index > 2) await all;
    return {};
  };
  const llama = { prefix: "llamacpp", apiKey: KEY };
  await using server = await startAgent({ latency: 2, key: KEY, paths, respond }, llama);
  await Promise.all(Array.from({ length: 20 }, () => server.agent.reply(turnRequest())));
  assert.deepEqual([server.mostConcurrent, asked], [3, 1]);
});

Deno.test("a later convening with a maxConcurrency of its own keeps to it at a server that is known", async () => {
  let least = 3;
  let reached = Promise.withResolvers<void>();
  const respond = async ({ index, concurrent }: ModelRequest) => {
    if (concurrent >= least) reached.resolve();
    // The first of six replies raises a low limit.
    if (index % 6 > 0) await reached.promise;
    return {};
  };
  await using server = await startModelServer({ latency: 2, respond });
  /** Returns the most of six requests in flight at one time; the replies wait until `least` are. */
  const most = async (expected: number, maxConcurrency?: number) => {
    [least, reached, server.mostConcurrent] = [expected, Promise.withResolvers<void>(), 0];
    const agent = createOpenAIAgent({ model: "small", baseUrl: server.url, maxConcurrency });
    await Promise.all(Array.from({ length: 6 }, () => agent.reply(turnRequest())));
    return server.mostConcurrent;
  };
  assert.ok(await most(3) > 2);
  assert.deepEqual([await most(1, 1), await most(1), await most(2, 2)], [1, 1, 2]);
});

Deno.test("a higher maximum holds at once where only a lower one held the limit, not where the provider did", () => {
  const limits = [[2], [2, 0], [1, 0]].map(([max, pause]) => {
    const limiter = new Limiter({ max });
    if (pause !== undefined) limiter.rateLimited(pause);
    limiter.max = 12;
    return limiter.state.limit;
  });
  assert.deepEqual(limits, [8, 1, 1]);
});

Deno.test("a waiting turn is sent before waiting scores, and an aborted request leaves the queue", async () => {
  const limiter = new Limiter({ start: 1, max: 1 });
  const order: string[] = [];
  const { promise: first, resolve: finish } = Promise.withResolvers<void>();
  const aborting = new AbortController();
  const requests = [
    limiter.run({ priority: 10 }, () => first),
    limiter.run({ priority: 10 }, () => Promise.resolve(order.push("score"))),
    limiter.run({ priority: 10, signal: aborting.signal }, () => Promise.resolve(order.push("no"))),
    limiter.run({ priority: 0 }, () => Promise.resolve(order.push("turn"))),
  ];
  assert.deepEqual(limiter.state, { limit: 1, active: 1, waiting: 3, pausedMs: 0 });
  aborting.abort(new Error("enough"));
  finish();
  const settled = await Promise.allSettled(requests);
  assert.deepEqual(order, ["turn", "score"]);
  assert.equal(settled.filter(({ status }) => status === "rejected").length, 1);
});

Deno.test({
  name:
    "a request that is aborted during a pause leaves no timer, which would keep the process alive",
  sanitizeOps: true,
  async fn() {
    const limiter = new Limiter();
    limiter.rateLimited(60_000);
    const aborting = new AbortController();
    const waiting = limiter.run({ signal: aborting.signal }, () => Promise.resolve());
    aborting.abort();
    await assert.rejects(waiting, { name: "CancelledError" });
  },
});

Deno.test("a pause of a second or more is reported once, and again when it grows", () => {
  const heard: number[] = [];
  const limiter = new Limiter({ onPause: (until) => heard.push(until) });
  limiter.rateLimited(20);
  assert.equal(heard.length, 0);
  const now = Date.now();
  limiter.rateLimited(30_000);
  limiter.rateLimited(30_000);
  limiter.rateLimited(200_000);
  assert.equal(heard.length, 1);
  assert.ok(heard[0]! >= now + 30_000);
  limiter.rateLimited(60_000);
  assert.equal(heard.length, 2);
});

Deno.test("a clock that is set back does not extend a pause", () => {
  const { now } = Date;
  const limiter = new Limiter();
  limiter.rateLimited(20);
  Date.now = () => now() - 3_600_000;
  try {
    assert.ok(limiter.state.pausedMs <= 20);
  } finally {
    Date.now = now;
  }
});

/** Runs `work` with a steady clock that `wait` moves. */
function withClock(work: (wait: (ms: number) => void) => void): void {
  const { now } = performance;
  // In the arithmetic of floating-point numbers, 1000.1 + 1000 - 1000.1 is less than 1000.
  let at = 1000.1;
  performance.now = () => at;
  try {
    work((ms) => at += ms);
  } finally {
    performance.now = now;
  }
}

Deno.test("a minute after the first rejection the limit rises again, even if others followed", () =>
  withClock((wait) => {
    const limiter = new Limiter();
    const rejectedAfter = (ms: number) => {
      wait(ms);
      limiter.rateLimited(1);
    };
    const limitAfter = (ms: number) => {
      wait(ms);
      for (let i = 0; i < 100; i++) limiter.succeeded();
      return limiter.state.limit;
    };
    rejectedAfter(0);
    rejectedAfter(50_000);
    assert.equal(limitAfter(9000), 3);
    assert.ok(limitAfter(2000) > 8);
  }));

Deno.test("rejections that do not depend on the load do not keep the limit below a level that succeeded", () =>
  withClock((wait) => {
    const limiter = new Limiter({ max: 12 });
    const limitAfter = (successes: number) => {
      for (let i = 0; i < successes; i++) limiter.succeeded();
      return limiter.state.limit;
    };
    assert.equal(limitAfter(100), 12);
    for (let time = 0; time < 3; time++) {
      wait(5000);
      limiter.rateLimited(1);
      assert.equal(limiter.state.limit, 6);
      assert.equal(limitAfter(18), 12);
    }
    // A level that has not succeeded for a minute counts no longer.
    wait(61_000);
    limiter.rateLimited(1);
    wait(10);
    limiter.rateLimited(1);
    assert.equal(limitAfter(100), 5);
  }));

Deno.test("a pause of one second is reported whatever the fraction of the clock's time", () =>
  withClock(() => {
    const heard: number[] = [];
    new Limiter({ onPause: (until) => heard.push(until) }).rateLimited(1000);
    assert.equal(heard.length, 1);
  }));

/** Rejects the first request with a wait in milliseconds. */
const busyFor = (ms: number) => (_: unknown, index: number) =>
  index === 0 ? { status: 429, headers: { "retry-after-ms": `${ms}` } } : {};

Deno.test("the terminal shows which provider a convening waits for, and why", async () => {
  const cases = [
    [{ status: 429 }, "rate limit"],
    [{ status: 503 }, "it is overloaded"],
    [{ status: 503, error: { message: "Loading model" } }, "its model is loading"],
  ] as const;
  const headers = { "retry-after-ms": "1000" };
  for (const [refusal, reason] of cases) {
    const respond = (_: unknown, index: number) => index === 0 ? { ...refusal, headers } : {};
    await using server = await startModelServer({ models: ["small"], respond });
    await withFolder(async (folder) => {
      const { code, stderr } = await runMain(
        ["dialogue", "Should cities have trams?", "--model", "small", "--base-url", server.url],
        { folder },
      );
      assert.equal(code, 0, stderr);
      const { host } = new URL(server.url);
      const line = `^waiting for ${host} until \\d\\d:\\d\\d:\\d\\d UTC: ${reason}$`;
      assert.match(stderr, new RegExp(line, "m"));
    });
  }
});

Deno.test("--max-duration ends a convening whose server would keep it waiting beyond the limit", async () => {
  const refusals = [
    { status: 503, error: { message: "Loading model" } },
    ...[429, 503, 529].map((status) => ({ status, headers: { "retry-after": "60" } })),
  ];
  for (const refusal of refusals) {
    await using server = await startModelServer({ models: ["small"], respond: () => refusal });
    await withFolder(async (folder) => {
      const { code, stdout } = await runMain(
        [
          ...["dialogue", "Should cities have trams?", "--model", "small", "--json"],
          ...["--base-url", server.url, "--max-duration", "4s"],
        ],
        { folder },
      );
      assert.equal(code, 3);
      assert.equal(JSON.parse(stdout).endReason, "max_duration");
      assert.equal(server.requests.length, 1);
    });
  }
});

Deno.test("a provider may have a longer wait than retry.maxRetryAfter, and a shorter one", async () => {
  const ends = async (maxWait: number, maxRetryAfter: number) => {
    await using server = await startModelServer({ respond: busyFor(50) });
    const workflow = await composeConvening({
      kind: "dialogue",
      topic: "Should cities have trams?",
      model: "local:small",
      providers: { local: { baseUrl: server.url, maxWait } },
      retry: { minWait: 0, maxWait: 0, maxRetryAfter },
    }, { record: memoryRecord() });
    return await workflow.run().then(
      ({ status }) => status,
      ({ code, hint }) => `${code}: ${hint}`,
    );
  };
  assert.equal(await ends(1000, 0), "completed");
  assert.match(await ends(10, 1000), /^agent_rate_limited: Resume after \d\d:\d\d UTC\.$/);
});

Deno.test("a rate limit uses up no retry, also where none is left", async () => {
  const busy = { status: 429, headers: { "retry-after-ms": "1" } };
  const cases = [
    [[busy, busy], 0, "completed"],
    [[{ status: 500 }, busy], 1, "completed"],
    [[busy, { status: 500 }], 0, "agent_unreachable"],
    [[{ status: 500 }, busy, { status: 500 }], 1, "agent_unreachable"],
  ] as const;
  for (const [failures, retries, expected] of cases) {
    await using server = await startModelServer({
      respond: (_, index) => failures[index] ?? { text: `Words number ${index} on trams.` },
    });
    const workflow = await composeConvening({
      kind: "dialogue",
      topic: "Should cities have trams?",
      model: "local:small",
      maxTurns: 1,
      providers: { local: { baseUrl: server.url } },
      retry: { retries, minWait: 0, maxWait: 0 },
    }, { record: memoryRecord() });
    const end = await workflow.run().then(({ status }) => status, ({ code }) => code);
    assert.deepEqual([failures, end], [failures, expected]);
  }
});

Deno.test("a request that waits behind a provider's pause is not sent after the run has failed", async () => {
  const { promise: isPaused, resolve: pause } = Promise.withResolvers<void>();
  await using busy = await startModelServer({
    respond: () => {
      pause();
      return { status: 429, headers: { "retry-after-ms": "60000" } };
    },
  });
  await using closed = await startModelServer({
    respond: () => isPaused.then(() => ({ status: 403 })),
  });
  const workflow = await composeConvening({
    kind: "debate",
    topic: "Should cities have trams?",
    model: "offline",
    participants: ["busy:one", "busy:two", "closed:three"].map((model) => (
      { id: model.slice(-3), name: model, position: model, model }
    )),
    providers: { busy: { baseUrl: busy.url, maxConcurrency: 1 }, closed: { baseUrl: closed.url } },
  }, { record: memoryRecord() });
  await assert.rejects(workflow.run(), { code: "agent_auth" });
  assert.equal(busy.requests.length, 1);
});

Deno.test("a request that waits behind a provider's pause is not sent after the run's limit on time", async () => {
  const headers = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "60s" };
  await using server = await startModelServer({ respond: () => ({ headers }) });
  const workflow = await composeConvening({
    kind: "dialogue",
    topic: "Should cities have trams?",
    model: "local:small",
    limits: { maxDuration: 500 },
    providers: { local: { baseUrl: server.url } },
  }, { record: memoryRecord() });
  const { status, endReason } = await workflow.run();
  assert.deepEqual([status, endReason], ["stopped", "max_duration"]);
  assert.ok(server.requests.length < 2);
});

Deno.test("headers without remaining requests pause before any rejection", () => {
  for (
    const [headers, least] of [
      [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30s" }, 80_000],
      [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "5" }, 4000],
      [{ "x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "9s" }, 0],
      [{ "x-ratelimit-remaining-requests": "0" }, 0],
      [{
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": new Date(Date.now() + 3_600_000).toISOString(),
      }, 60_000],
      [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon" }, 0],
      [{ "x-ratelimit-remaining-tokens": "n/a", "x-ratelimit-reset-tokens": "60s" }, 0],
    ] as const
  ) {
    const limiter = new Limiter();
    limiter.readHeaders(new Headers(headers));
    const { pausedMs } = limiter.state;
    assert.ok(least === 0 ? pausedMs === 0 : pausedMs >= least, `${pausedMs} of ${least}`);
  }
});
