// Usage of attempts without an answer is in errors, facts, totals and budgets.
import assert from "node:assert/strict";
import { AgentError } from "../../src/core/error.ts";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import { join } from "@std/path";
import { composeConvening, memoryRecord, openConvening, resume, verify } from "../../mod.ts";
import type { Score } from "../../src/core/fact.ts";
import { totalUsage } from "../../src/core/message.ts";
import { type ChatBody, type ModelReply, startModelServer } from "../support/model_server.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { withFolder } from "../support/cli.ts";
import { lookUp } from "./support/look_up.ts";

const PRICES = { date: "2026-11-01", models: { ["gpt-5-mini"]: { input: 0, output: 1000 } } };

const DIALOGUE = {
  kind: "dialogue",
  topic: "Should cities ban private cars from their centres?",
  participants: [{ name: "Ada" }, { name: "Ben" }],
  model: "gpt-5-mini",
  maxTurns: 2,
} as const;
const RETRY = { retries: 1, minWait: 0, maxWait: 0 };

/** Uses the whole cap for hidden reasoning. */
function usedUp({ max_tokens: cap = 0 }: ChatBody): ModelReply {
  return { text: "", finishReason: "length", usage: usage(cap) };
}

function usage(written: number) {
  return { prompt_tokens: 10, completion_tokens: written };
}

/** A stream with usage that ends unfinished. */
const BROKEN: ModelReply = {
  body: `data: ${
    JSON.stringify({ choices: [{ delta: { content: "It is" } }], usage: usage(40) })
  }\n\n`,
  headers: { "content-type": "text/event-stream" },
};

/** Runs a dialogue of two turns with the given replies. */
async function dialogueOn(respond: (body: ChatBody, index: number) => ModelReply, limits = {}) {
  await using server = await startModelServer({
    respond: ({ body }, index) => respond(body, index),
  });
  const record = memoryRecord();
  const more = { baseUrl: server.url, retry: RETRY, prices: PRICES, limits };
  const workflow = await composeConvening({ ...DIALOGUE, ...more }, { record });
  return { result: await workflow.run(), record };
}

Deno.test("an error has the usage of every reply that hidden reasoning used up", async () => {
  await using server = await startModelServer({ respond: ({ body }) => usedUp(body) });
  const agent = createOpenAIAgent({ model: "gpt-5-mini", baseUrl: server.url });
  const error = await agent.reply(turnRequest({ maxTokens: 300 })).catch((error) => error);
  assert.ok(error instanceof AgentError);
  assert.equal(error.usage?.outputTokens, 4600 + 9200 + 18_400);
  assert.equal(error.usage?.inputTokens, 30);
});

Deno.test("an error has the usage that a stream had reported before it broke off", async () => {
  await using server = await startModelServer({ respond: () => BROKEN });
  const agent = createOpenAIAgent({ model: "gpt-5-mini", baseUrl: server.url });
  const error = await agent.reply(turnRequest()).catch((error) => error);
  assert.equal(error.code, "agent_unreachable");
  assert.deepEqual(error.usage, { inputTokens: 10, cachedInputTokens: 0, outputTokens: 40 });
});

Deno.test("rounds of tools before a failed attempt are counted once", async () => {
  const calls = { toolCalls: [{ name: "lookUp", arguments: "{}" }], usage: usage(3) };
  const replies: readonly ModelReply[] = [calls, BROKEN, { text: "Yes.", usage: usage(5) }];
  await using server = await startModelServer({ respond: (_, index) => replies[index]! });
  const agent = createOpenAIAgent({ model: "any", baseUrl: server.url });
  const kept = new Map<number, unknown>();
  const request = turnRequest({
    tools: [lookUp],
    rounds: {
      before: (number) => kept.get(number),
      keep: (number, round) => Promise.resolve(void kept.set(number, round)),
    },
  });
  const error = await agent.reply(request).catch((error) => error);
  assert.equal(error.usage.outputTokens, 43);
  const reply = await agent.reply(request);
  assert.equal(reply.usage.outputTokens, 5);
  assert.equal(server.requests.length, 3);
});

Deno.test("a message, the total and the cost include the usage of attempts that broke off", async () => {
  const { result, record } = await dialogueOn((_, index) =>
    index === 0 ? BROKEN : { text: "Streets are for people.", usage: { ...usage(5), cost: 9 } }
  );
  assert.deepEqual(result.messages.map((message) => message.usage.outputTokens), [45, 5]);
  assert.equal(result.usage.outputTokens, 50);
  assert.equal(
    result.usage.costUsd,
    0.05,
    "prices of the configuration come before a reply's cost",
  );
  assert.match(record.files.get("metadata.md")!, /output_tokens: 50/);
});

Deno.test("the usage of a stream that broke off without a report is counted", async () => {
  for (const fault of ["cut", "unfinished", "error-midway"] as const) {
    const text = "Streets are for people, and squares are for trees.";
    const { result } = await dialogueOn((_, index) => index === 0 ? { text, fault } : { text });
    const [first, second] = result.messages.map(({ usage }) => usage);
    assert.ok(first!.outputTokens > second!.outputTokens, fault);
    assert.ok(first!.inputTokens > second!.inputTokens, fault);
  }
});

Deno.test("an attempt that broke off counts towards the limit of tokens", async () => {
  const large = {
    ...BROKEN,
    body: BROKEN.body!.replace('"completion_tokens":40', '"completion_tokens":90000'),
  };
  const { result } = await dialogueOn(
    (_, index) => index === 0 ? large : { text: "Streets are for people.", usage: usage(5) },
    { maxTokens: 80_000 },
  );
  assert.deepEqual([result.status, result.endReason], ["stopped", "max_tokens"]);
  assert.equal(result.messages.length, 1);
});

withFolder.test("a failed turn records the usage of its attempts, and another failure adds to it", async (out) => {
  let isDown = true;
  await using server = await startModelServer({
    respond: ({ body }) => isDown ? usedUp(body) : { text: "Streets matter.", usage: usage(5) },
  });
  const workflow = await composeConvening({ ...DIALOGUE, baseUrl: server.url, out });
  const { dir, code } = await workflow.run().catch((error) => error);
  assert.equal(code, "agent_bad_reply");
  const failed = async () => {
    const text = await Deno.readTextFile(join(dir, "failures", "001.md"));
    return Number(/output_tokens: (\d+)/.exec(text)?.[1]);
  };
  const once = await failed();
  assert.ok(once > 10_000);
  const again = { allowBaseUrls: [new URL(server.url).host] };
  await assert.rejects(resume(dir, again).then((resumed) => resumed.run()));
  assert.equal(await failed(), 2 * once);

  isDown = false;
  const result = await (await resume(dir, again)).run();
  assert.equal(result.usage.outputTokens, 2 * once + 10);
  assert.deepEqual((await verify(dir)).findings, []);
});

withFolder.test("a judge's attempts without an answer are in the score, also in that of a resume", async (out) => {
  let state: "busy" | "down" | "well" = "busy";
  const judged = ({ messages, ...body }: ChatBody): ModelReply => {
    if (!/Score turn 2/.test(messages.at(-1)!.content!)) return { usage: usage(7) };
    if (state === "well") return { usage: usage(7) };
    return state === "busy" ? BROKEN : usedUp({ messages, ...body });
  };
  await using server = await startModelServer({
    respond: ({ body }) =>
      body.model === "judge" ? judged(body) : { text: "Streets matter.", usage: usage(5) },
  });
  const hold = () =>
    composeConvening({
      kind: "debate",
      topic: DIALOGUE.topic,
      participants: [{ id: "ada", name: "Ada" }, { id: "ben", name: "Ben" }],
      roundCount: 0,
      judges: [{ name: "Jo", model: "judge" }],
      model: "gpt-5-mini",
      baseUrl: server.url,
      retry: RETRY,
      guards: { repetition: "off" },
      out,
    });
  const { dir, code } = await (await hold()).run().catch((error) => error);
  assert.equal(code, "agent_unreachable");
  const scoreOf = async (of: string) => {
    const { facts } = await openConvening(of);
    return facts.find((fact): fact is Score => fact.type === "score" && fact.message === 2);
  };
  assert.equal(await scoreOf(dir), undefined);
  state = "well";
  const again = { allowBaseUrls: [new URL(server.url).host] };
  const result = await (await resume(dir, again)).run();
  assert.equal((await scoreOf(dir))?.usage?.outputTokens, 40 + 40 + 7);
  assert.deepEqual((await verify(dir)).findings, []);
  const { facts } = await openConvening(dir);
  assert.equal(result.usage.outputTokens, totalUsage(facts).outputTokens);

  state = "down";
  const used = await (await hold()).run();
  const score = await scoreOf(used.dir!);
  assert.equal(score?.status, "unscored");
  assert.ok(score.usage.outputTokens > 10_000, "each of the doubled caps");
});
