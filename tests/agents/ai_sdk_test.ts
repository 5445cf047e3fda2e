// Agents through AI SDK packages, against servers that speak the providers' own protocols.
import assert from "node:assert/strict";
import { z } from "zod";
import { adapterAgent } from "../../src/agents/ai_sdk.ts";
import type { AdapterName } from "../../src/agents/registry.ts";
import type { AgentRequest, ReplyRounds } from "../../src/core/agent.ts";
import { forgetLessons } from "../../src/agents/learned.ts";
import { limiterOf } from "../../src/agents/limiter.ts";
import { AgentError, CancelledError, ConfigurationError } from "../../src/core/error.ts";
import type { ProfileKeys } from "../../src/core/profile.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { type OwnReply, startOwnProtocolServer } from "../support/own_protocol_server.ts";
import { lookUp } from "./support/look_up.ts";

const TRANSCRIPT = '<turn number="1">\nHello.\n</turn>\n\n';

/** Returns a prompt as the engine builds it. */
function prompt(more: Partial<AgentRequest> = {}): AgentRequest {
  return turnRequest({
    messages: [
      { role: "system", content: "Topic: Trams?" },
      { role: "user", content: `${TRANSCRIPT}Now speak.`, shared: TRANSCRIPT.length },
    ],
    maxTokens: 300,
    ...more,
  });
}

/** Each adapter with a model of its provider. */
const CASES = [
  { adapter: "anthropic", model: "claude-opus-5-5", base: "/v1", path: "/v1/messages" },
  {
    adapter: "gemini",
    model: "gemini-2.5-flash",
    base: "/v1beta/openai/",
    path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
  },
  { adapter: "responses", model: "gpt-5-pro", base: "/v1", path: "/v1/responses" },
] as const satisfies readonly {
  adapter: AdapterName;
  model: string;
  base: string;
  path: string;
}[];

type Case = (typeof CASES)[number];

const KEY = "secret-key-0001";
const YES = { text: "Yes." };

/** Sends a request to a server with these replies; returns the reply or the error, and the requests. */
async function asked(
  { adapter, model, base }: Pick<Case, "adapter" | "base"> & { readonly model: string },
  replies: readonly OwnReply[],
  { profile, ...request }: Partial<AgentRequest> & { readonly profile?: ProfileKeys } = {},
) {
  await using server = await startOwnProtocolServer(replies);
  const name = `${adapter}:${model}`;
  const baseUrl = `${server.origin}${base}`;
  const agent = adapterAgent(adapter, {
    model,
    name,
    baseUrl,
    apiKey: KEY,
    idleTimeout: 5000,
    profile,
  });
  const [reply, error] = await agent.reply(prompt(request)).then(
    (reply) => [reply, undefined] as const,
    (error: unknown) => [undefined, error] as const,
  );
  return { reply, error, requests: server.requests };
}

for (const each of CASES) {
  const { adapter, model, path } = each;

  Deno.test(`${adapter}: text, thoughts, usage and the served model are read from the stream`, async () => {
    const deltas: string[] = [];
    const text = "Trams are quiet and cheap to run.";
    const onDelta = (text: string) => void deltas.push(text);
    const { reply, requests } = await asked(each, [{ thought: "Hm.", text }], { onDelta });
    assert.deepEqual([reply?.text, deltas.join("")], [text, text]);
    assert.equal(reply?.finishReason, "stop");
    assert.equal(reply.model, `${adapter}:${model}`);
    assert.deepEqual(reply.usage, {
      inputTokens: 115,
      cachedInputTokens: 100,
      outputTokens: 30,
      reasoningTokens: 18,
      ...(adapter === "anthropic" ? { cacheWriteTokens: 5 } : {}),
    });
    if (adapter !== "responses") assert.equal(reply.reasoning, "Hm.");
    // The package for Gemini does not return the served model.
    if (adapter !== "gemini") assert.equal(reply.served?.model, `${model}-served`);
    assert.equal(requests[0]!.path, path);
  });

  Deno.test(`${adapter}: tools are called, and signatures of thoughts are sent back with the results`, async () => {
    const kept: unknown[] = [];
    const rounds: ReplyRounds = {
      before: () => undefined,
      keep: (number, round) => {
        kept[number] = JSON.parse(JSON.stringify(round));
        return Promise.resolve();
      },
    };
    const calls = { thought: "Hm.", toolCalls: [{ name: "lookUp", args: { word: "noise" } }] };
    const answer = { text: "It is quieter." };
    const { reply, requests } = await asked(each, [calls, answer], { tools: [lookUp], rounds });
    assert.equal(reply?.text, "It is quieter.");
    assert.equal(reply.usage.inputTokens, 230);
    assert.deepEqual(reply.toolCalls, [{
      tool: "lookUp",
      args: { word: "noise" },
      result: "about noise",
      failed: false,
    }]);
    assert.match(JSON.stringify(requests[0]!.body), /"lookUp"/);
    assert.match(JSON.stringify(requests[1]!.body), /about noise/);
    assert.match(JSON.stringify(requests[1]!.body), /signed Hm\./);
    // After a crash the stored round replaces its request.
    const again = await asked(each, [answer], {
      tools: [lookUp],
      rounds: { ...rounds, before: (number) => kept[number] },
    });
    assert.equal(again.requests.length, 1);
    assert.deepEqual(again.requests[0]!.body, requests[1]!.body);
    // A round of another kind of agent has no signed parts to repeat.
    const { parts: _parts, ...bare } = Object(kept[0]);
    const swapped = await asked(each, [calls, answer], {
      tools: [lookUp],
      rounds: { ...rounds, before: (number) => number === 0 ? bare : undefined },
    });
    assert.deepEqual(swapped.requests[0]!.body, requests[0]!.body);
  });

  Deno.test(`${adapter}: JSON with a schema is requested in the provider's own format`, async () => {
    const schema = { name: "answer", type: z.object({ winner: z.string() }) };
    const { reply, requests } = await asked(each, [{ text: '{"winner":"Ada"}' }], { schema });
    assert.deepEqual(JSON.parse(reply!.text), { winner: "Ada" });
    assert.match(JSON.stringify(requests[0]!.body), /"winner"/);
  });

  Deno.test(`${adapter}: an abort during the stream is a cancellation`, async () => {
    const stop = new AbortController();
    const { error } = await asked(each, [{ text: "Trams are quiet.", hangs: true }], {
      signal: stop.signal,
      onDelta: () => stop.abort(new Error("enough")),
    });
    assert.ok(error instanceof CancelledError);
  });

  Deno.test(`${adapter}: rejections are agent errors with status and wait, without the API key`, async () => {
    for (
      const [status, code, retryable] of [
        [401, "agent_auth", false],
        [429, "agent_rate_limited", true],
        [529, "agent_unreachable", true],
        [400, "agent_bad_reply", false],
      ] as const
    ) {
      const { error } = await asked(each, [{
        status,
        headers: { "retry-after": "7" },
        error: { type: "some_error", message: `no, ${KEY}` },
      }]);
      assert.ok(error instanceof AgentError, String(error));
      assert.deepEqual([error.code, error.status, error.retryable], [code, status, retryable]);
      if (status === 429) assert.equal(error.retryAfter, 7000);
      assert.doesNotMatch(`${error.message}${error.cause}`, /secret-key/);
    }
  });

  Deno.test(`${adapter}: a request whose cap hidden reasoning uses up is repeated with twice the cap, and the last error states the cause`, async () => {
    const empty = { thought: "Hm.", text: "", finish: "length" } as const;
    const caps = (bodies: readonly { body: unknown }[]) =>
      bodies.map(({ body }) =>
        Number(
          /"(?:max_tokens|maxOutputTokens|max_output_tokens)":(\d+)/.exec(JSON.stringify(body))![1],
        )
      );
    const { reply, requests } = await asked(each, [empty, { text: "Now." }]);
    assert.deepEqual([reply?.text, reply?.usage.outputTokens], ["Now.", 60]);
    const [first, second] = caps(requests);
    assert.ok(first! >= 600 + 4000);
    assert.equal(second, 2 * first!);
    const { error } = await asked(each, [empty]);
    assert.match(String(error), /hidden reasoning used the whole cap of [\d,]+ tokens/);
  });

  Deno.test(`${adapter}: extra fields of the profile are sent in addition to the package's own`, async () => {
    const extraBody = {
      metadata: { ["user_id"]: "u1" },
      generationConfig: { topK: 7, maxOutputTokens: 1 },
      model: "other",
    };
    const sent = async (profile: ProfileKeys) =>
      (await asked(each, [YES], { profile })).requests[0]!.body;
    const [plain, more] = [await sent({}), await sent({ extraBody })];
    assert.deepEqual(more, {
      ...extraBody,
      ...plain,
      generationConfig: { ...extraBody.generationConfig, ...plain.generationConfig },
    });
  });

  Deno.test(`${adapter}: first_user puts the instructions before the user's first message`, async () => {
    const profile = { system: "first_user" } as const;
    const { requests: [request] } = await asked(each, [YES], { profile });
    const { system, systemInstruction, messages, contents, input } = request!.body;
    assert.deepEqual([system, systemInstruction], [undefined, undefined]);
    const all = messages ?? contents ?? input;
    assert.deepEqual([all.length, all[0].role], [1, "user"]);
    const texts = (all[0].content ?? all[0].parts).map(({ text }: { text: string }) => text);
    assert.deepEqual(texts, [`Topic: Trams?\n\n${TRANSCRIPT}`, "Now speak."]);
  });

  Deno.test(`${adapter}: headers without remaining requests pause the server's limiter, and name the request`, async () => {
    const family = adapter === "anthropic" ? ["requests-remaining", "requests-reset"] : [
      "remaining-requests",
      "reset-requests",
    ];
    const prefix = adapter === "anthropic" ? "anthropic-ratelimit" : "x-ratelimit";
    const idHeader = adapter === "anthropic" ? "request-id" : "x-request-id";
    const headers = {
      [`${prefix}-${family[0]}`]: "0",
      [`${prefix}-${family[1]}`]: "90",
      [idHeader]: "req_7",
    };
    await using server = await startOwnProtocolServer([{ text: "Yes.", headers }]);
    const apiKey = "secret-key-0002";
    const baseUrl = `${server.origin}${each.base}`;
    const { served } = await adapterAgent(adapter, { model, baseUrl, apiKey }).reply(prompt());
    assert.equal(served?.requestId, "req_7");
    assert.ok((await limiterOf(baseUrl, { provider: "", apiKey })).state.pausedMs > 60_000);
  });

  Deno.test(`${adapter}: labels of the served model are of one line and limited`, async () => {
    const { reply } = await asked({ ...each, model: "m".repeat(500) }, [YES]);
    for (const label of Object.values(reply!.served!)) assert.ok(`${label}`.length <= 200);
  });

  Deno.test(`${adapter}: a reply that breaks off is no reply`, async () => {
    const { error } = await asked(each, [{ text: "Half of a sente", breaksOff: true }]);
    assert.ok(error instanceof AgentError, String(error));
    assert.match(error.message, /the reply broke off before its end/);
    assert.deepEqual([error.code, error.retryable, error.hint], [
      "agent_unreachable",
      true,
      undefined,
    ]);
  });

  Deno.test(`${adapter}: a broken connection is reported as such`, async () => {
    const agent = adapterAgent(adapter, { model, baseUrl: "http://127.0.0.1:1/v1" });
    await assert.rejects(
      agent.reply(prompt()),
      (error: unknown) =>
        error instanceof AgentError && error.code === "agent_unreachable" && error.retryable,
    );
  });
}

const [anthropic, gemini, responses] = CASES;

Deno.test("anthropic: cache breakpoints end the common beginning and the transcript", async () => {
  const { requests: [request] } = await asked(anthropic, [YES]);
  const ephemeral = { type: "ephemeral" };
  assert.deepEqual(request!.body.system, [
    { type: "text", text: "Topic: Trams?", cache_control: ephemeral },
  ]);
  assert.deepEqual(request!.body.messages, [{
    role: "user",
    content: [
      { type: "text", text: TRANSCRIPT, cache_control: ephemeral },
      { type: "text", text: "Now speak." },
    ],
  }]);
  assert.equal(request!.headers.get("x-api-key"), KEY);
});

Deno.test("Efforts and reserves are sent in each provider's own format, within the cap", async () => {
  const sent = async (each: Parameters<typeof asked>[0], reasoningEffort: "off" | "low" | "high") =>
    (await asked(each, [YES], { reasoningEffort })).requests[0]!.body;
  const opus = await sent(anthropic, "high");
  const { max_tokens: cap, thinking, output_config: { effort } } = opus;
  assert.deepEqual([cap, thinking.type, effort], [24_600, "adaptive", "high"]);
  const sonnet = await sent({ ...anthropic, model: "claude-sonnet-4-5" }, "low");
  const budget = { type: "enabled", ["budget_tokens"]: 4000 };
  assert.deepEqual([sonnet.max_tokens, sonnet.thinking], [4600, budget]);
  const flash = (await sent(gemini, "low")).generationConfig;
  assert.deepEqual([flash.maxOutputTokens, flash.thinkingConfig], [4600, { thinkingBudget: 4000 }]);
  const off = (await sent(gemini, "off")).generationConfig;
  assert.deepEqual([off.maxOutputTokens, off.thinkingConfig], [600, { thinkingBudget: 0 }]);
  const level = (await sent({ ...gemini, model: "gemini-3.8-flash" }, "low")).generationConfig;
  assert.deepEqual([level.maxOutputTokens, level.thinkingConfig], [4600, { thinkingLevel: "low" }]);
  const pro = await sent(responses, "high");
  const written = [pro.max_output_tokens, pro.reasoning.effort, pro.store];
  assert.deepEqual(written, [24_600, "high", false]);
});

Deno.test("An effort or a schema that a provider rejects in its own words is learned", async () => {
  const shape = { name: "shape", type: z.strictObject({ score: z.number() }) };
  for (
    const [adapter, model, message, key, request] of [
      ["anthropic", "claude-opus-4-6", "thinking: adaptive is not supported", "reasoningSend", {}],
      ["gemini", "gemini-3-flash", 'Unknown name "thinkingLevel"', "reasoningSend", {}],
      ["gemini", "gemini-3-flash", "Unknown name at 'response_schema'", "json", { schema: shape }],
      ["anthropic", "claude-opus-4-6", "output_config.format: unknown", "json", { schema: shape }],
    ] as const
  ) {
    forgetLessons();
    const error = { type: "invalid_request_error", message, code: 400, status: "INVALID_ARGUMENT" };
    const base = CASES.find((each) => each.adapter === adapter)!;
    const notes: unknown[] = [];
    const onNote = (note: unknown) => void notes.push(note);
    const { reply, requests } = await asked(
      { ...base, model },
      [{ status: 400, error }, { text: '{"score":1}' }],
      { ...request, onNote },
    );
    assert.equal(reply?.text, '{"score":1}', message);
    assert.partialDeepStrictEqual(notes[0], { type: "profile_learned", key }, message);
    assert.equal(requests.length, 2);
  }
});

Deno.test("Parameters that a model does not accept are reported with the reason", async () => {
  const notes: unknown[] = [];
  await asked(anthropic, [YES], { temperature: 0, seed: 7, onNote: (note) => notes.push(note) });
  const names = notes.map((note) => (note as { parameter: string }).parameter);
  assert.deepEqual(names, ["temperature", "seed"]);
});

Deno.test("A package that cannot be loaded is named before any request", async () => {
  const agent = adapterAgent("anthropic", {
    model: "claude-opus-5-5",
    baseUrl: "http://127.0.0.1:1/v1",
    importPackage: () => Promise.reject(new TypeError("The lockfile is out of date\nmore")),
  });
  await assert.rejects(agent.check!(), (error: unknown) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(
      error.message,
      /npm:@ai-sdk\/anthropic@4 could not be loaded, The lockfile is out/,
    );
    assert.match(error.hint!, /--frozen/);
    return true;
  });
});
