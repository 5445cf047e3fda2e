// Limits of tokens, cost, turns and time: stops, resumes and prices.
import assert from "node:assert/strict";
import { ConfigurationError, type Limits } from "../../mod.ts";
import type { AgentRequest, MemoryRecord } from "../../protocol.ts";
import type { CallGate } from "../../src/engine/budget.ts";
import { RunStop } from "../../src/engine/run_stop.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import {
  debateOf,
  dialogueOf,
  drain,
  promptOf,
  type Say,
  Talker,
  truthOf,
  usualText,
} from "../support/talkers.ts";

const PRICES = { date: "2026-11-01", models: { priced: { input: 1, output: 10 } } };

/** Creates an agent that reports the real tokens of its requests and respects its caps. */
async function counting(say: Say = () => undefined): Promise<Talker> {
  const count = await loadTokenCounter();
  return new Talker(async (request) => {
    const own = await say(request);
    const text = own?.text ?? usualText(request);
    const inputTokens = request.messages.reduce((sum, { content }) => sum + count(content) + 4, 0);
    return {
      ...own,
      text,
      usage: { inputTokens, cachedInputTokens: 0, outputTokens: count(text) },
    };
  }, "priced");
}

/** Tokens of a call. */
const COUNTED = { inputTokens: 100, cachedInputTokens: 50, outputTokens: 20 };

async function stopped(limits: Limits, record?: MemoryRecord) {
  const agent = await counting();
  const debate = debateOf(agent, {
    roundCount: 2,
    limits,
    prices: PRICES,
    ...(record && { record }),
  });
  const drained = await drain(debate.workflow);
  assert.ok(drained.result !== undefined, String(drained.error));
  return { agent, record: record ?? debate.record, events: drained.events, result: drained.result };
}

/** Returns the sum of tokens in a record's facts. */
function tokensOf({ files }: MemoryRecord): number {
  let sum = 0;
  for (const text of truthOf(files).values()) {
    for (const [, tokens] of text.matchAll(/(?<!cached_)(?:input|output)_tokens: (\d+)/g)) {
      sum += Number(tokens);
    }
  }
  return sum;
}

let whole: Promise<{ truth: Map<string, string>; tokens: number; cost: number }> | undefined;

/** Runs the debate without a limit. */
function uninterrupted() {
  whole ??= stopped({}).then(({ record, result }) => ({
    truth: truthOf(record.files),
    tokens: result.usage.inputTokens + result.usage.outputTokens,
    cost: Number(result.usage.costUsd),
  }));
  return whole;
}

/** Resumes with a higher limit and returns the files without the stops. */
async function resumed(record: MemoryRecord): Promise<Map<string, string>> {
  const { result } = await stopped({ maxTokens: 10_000_000 }, record);
  assert.equal(result.status, "completed");
  const truth = truthOf(record.files);
  for (const path of truth.keys()) if (path.startsWith("stops/")) truth.delete(path);
  return truth;
}

for (const share of [0.05, 0.5]) {
  Deno.test(`maxTokens at ${share} of the needed tokens stops within the limit with a summary, and a resume continues`, async () => {
    const { truth, tokens } = await uninterrupted();
    const maxTokens = Math.floor(tokens * share);
    const { result, record, events } = await stopped({ maxTokens });
    assert.equal(result.status, "stopped");
    assert.equal(result.endReason, "max_tokens");
    const used = result.usage.inputTokens + result.usage.outputTokens;
    assert.ok(used <= maxTokens, `${used} of ${maxTokens}`);
    assert.equal(tokensOf(record), used, "totals are sums over files");
    assert.notEqual(result.summary, "");
    const stop = record.files.get("stops/1.md")!;
    assert.match(stop, /^reason: max_tokens$/m);
    assert.match(stop, new RegExp(`^limit: ${maxTokens}$`, "m"));
    assert.match(
      stop,
      new RegExp(`^last_seq: ${Math.max(...result.messages.map(({ seq }) => seq))}$`, "m"),
    );
    const end = events.at(-1);
    assert.equal(end?.type === "convening-end" && end.ending.endReason, "max_tokens");
    assert.deepEqual(await resumed(record), truth);
  });
}

Deno.test("A stop's summary is the moderator's if the limit leaves room, else a template's", async () => {
  const { tokens } = await uninterrupted();
  const late = await stopped({ maxTokens: Math.floor(tokens * 0.8) });
  assert.match(late.record.files.get("stops/1.md")!, /^model: priced$/m);
  const summary = late.agent.asked("stop/1");
  assert.match(promptOf(summary), /ends here, before its time/);
  assert.equal(late.result.summary, usualText(summary));
  const early = await stopped({ maxTokens: 100 });
  assert.match(early.record.files.get("stops/1.md")!, /^model: template$/m);
  assert.equal(early.agent.requests.length, 0);
  assert.match(early.result.summary, /ended early \(limit of tokens\) after 1 message/);
});

/** Has the run cancelled, or the provider refuse, when the summary of a stop is asked for; or pauses there. */
const UNSUMMED:
  readonly (readonly [what: string, say: (stop: () => void) => Say, gate?: CallGate])[] = [
    ["is cancelled", (stop) => ({ context }) => {
      if (context.key === "stop/1") stop();
      return undefined;
    }],
    [
      "is refused",
      () => ({ context }) =>
        context.key === "stop/1"
          ? { text: "I cannot help with that.", finishReason: "refused" }
          : {},
    ],
    ["is paused", () => () => undefined, {
      enter: ({ key }) =>
        key === "stop/1" ? Promise.reject(new RunStop("paused")) : Promise.resolve(async () => {}),
    }],
  ];
for (const [what, say, gate] of UNSUMMED) {
  Deno.test(`A stop's summary that ${what} leaves the template's, and the run has a result`, async () => {
    const cancel = new AbortController();
    const agent = await counting(say(() => cancel.abort()));
    const options = { limits: { maxTurns: 2 }, prices: PRICES, signal: cancel.signal };
    const { workflow } = debateOf(agent, { ...options, ...gate && { gate } });
    const { result, error } = await drain(workflow);
    assert.equal(result?.endReason, "max_turns", String(error));
    assert.match(result.summary, /ended early \(limit of turns\) after 2 messages/);
  });
}

Deno.test("A stop finishes the turns in flight and includes them in its summary and last number", async () => {
  const { agent, record, result } = await stopped({ maxTurns: 2 });
  assert.deepEqual(result.messages.map(({ turn }) => turn), ["opening/m", "opening/a"]);
  assert.match(promptOf(agent.asked("stop/1")), /Speech for opening\/a/);
  assert.match(record.files.get("stops/1.md")!, /^last_seq: 2$/m);
});

Deno.test("A resume at the same limit repeats the summary of the stop without a request", async () => {
  const { record, result } = await stopped({ maxTurns: 4 });
  const again = await stopped({ maxTurns: 4 }, record);
  assert.deepEqual(again.agent.keys, []);
  assert.deepEqual(
    [again.result.endReason, again.result.summary, again.result.usage],
    ["max_turns", result.summary, result.usage],
  );
});

Deno.test("maxCost stops within the limit and is rejected for a model without a price", async () => {
  const { truth, cost } = await uninterrupted();
  const { result, record, events } = await stopped({ maxCost: cost / 2 });
  assert.equal(result.endReason, "max_cost");
  const { value = 0 } = events.find((each) => each.type === "stop")!.stop;
  assert.equal(value, Number(value.toFixed(10)));
  assert.ok(Number(result.usage.costUsd) <= cost / 2);
  assert.deepEqual(await resumed(record), truth);
  const agent = await counting();
  const { workflow, record: unpriced } = debateOf(agent, { limits: { maxCost: 1 } });
  const isRefused = (error: unknown) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, /model "priced" has no price/);
    assert.match(error.hint!, /prices\.models\."priced": \{ input: …, output: … \}/);
    return true;
  };
  await assert.rejects(workflow.plan(), isRefused);
  await assert.rejects(workflow.run(), isRefused);
  assert.equal(unpriced.files.size, 0);
  assert.equal(agent.requests.length, 0);
  const allowed = debateOf(agent, { limits: { maxCost: 1 }, allowUnknownPrices: true });
  assert.equal((await allowed.workflow.run()).usage.costUsd, "unknown");
});

Deno.test("A message's file names the price table and the tokens written to a cache", async () => {
  const usage = { ...COUNTED, cacheWriteTokens: 20 };
  const agent = {
    model: "anthropic:claude-sonnet-5-5",
    source: { model: "claude-sonnet-5-5", provider: "anthropic" },
    reply: async (request: AgentRequest) => ({ ...await new Talker().reply(request), usage }),
  };
  const { workflow, record } = debateOf(agent);
  const { result } = await drain(workflow);
  const opening = [...record.files].find(([path]) => path.startsWith("messages/002"))![1];
  assert.match(
    opening,
    /cache_write_tokens: 20\n +cost_usd: 0\.\d+\n +priced_by: genai-prices [\d.]+ estimated by claude-sonnet-5\n/,
  );
  const again = await drain(debateOf(agent, { record }).workflow);
  assert.deepEqual(again.result?.usage, result?.usage);
  assert.match(result!.usage.pricedBy!, /estimated/);
});

for (const maxTurns of [1, 5]) {
  Deno.test(`maxTurns ${maxTurns} stops after that many messages, counted over the whole record`, async () => {
    const { truth } = await uninterrupted();
    const { result, record } = await stopped({ maxTurns });
    assert.equal(result.endReason, "max_turns");
    assert.equal(result.messages.length, maxTurns);
    assert.match(record.files.get("stops/1.md")!, /^lim[i]t: \d+$/m);
    const again = await stopped({ maxTurns: maxTurns + 1 }, record);
    assert.equal(again.result.messages.length, maxTurns + 1);
    assert.ok(record.files.has("stops/2.md"));
    assert.deepEqual(await resumed(record), truth);
  });
}

Deno.test("maxDuration applies to the current run: it stops the run, and a resumed run starts anew", async () => {
  let now = Date.parse("2026-11-21T20:00:00.000Z");
  const clock = { now: () => now };
  const agent = new Talker(() => {
    now += 1000;
    return undefined;
  });
  const options = { maxTurns: 8, clock, limits: { maxDuration: 3000 } };
  const first = dialogueOf(agent, options);
  const { result } = await drain(first.workflow);
  assert.equal(result?.endReason, "max_duration");
  assert.equal(result.messages.length, 3);
  const second = await drain(dialogueOf(agent, { ...options, record: first.record }).workflow);
  assert.equal(second.result?.messages.length, 6);
  const third = await drain(dialogueOf(agent, { ...options, record: first.record }).workflow);
  assert.equal(third.result?.status, "completed");
});
