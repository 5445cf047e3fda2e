// Costs of calls: configured prices, local servers, and the price package.
import assert from "node:assert/strict";
import configuration from "../../deno.json" with { type: "json" };
import { PRICE_TABLE, type Prices, pricingOf } from "../../src/config/prices.ts";
import { addUsage, money, NO_USAGE } from "../../src/core/message.ts";

const TOKENS = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 200_000 };
const OPENAI = "https://api.openai.com/v1";

function own(price: Prices["models"][string]): Prices {
  return { date: "2026-11-01", models: { mine: price } };
}

Deno.test("Configured prices count fresh, cached, cache-written and written tokens", async () => {
  const cost = async (price: Prices["models"][string], more = {}) =>
    (await pricingOf({ model: "mine" }, own(price)))({ ...TOKENS, ...more });
  assert.deepEqual(await cost({ input: 0.15, cachedInput: 0.075, output: 0.6 }), { costUsd: 0.24 });
  assert.deepEqual(await cost({ input: 1, output: 0 }), { costUsd: 1 });
  assert.deepEqual(
    await cost({ input: 1, cachedInput: 0.1, cacheWrite: 2, output: 0 }, {
      cacheWriteTokens: 100_000,
    }),
    { costUsd: 0.5 + 0.04 + 0.2 },
  );
});

Deno.test("Cached tokens that a server leaves out of the input are added, with either kind of price", async () => {
  const apart = { inputTokens: 10, cachedInputTokens: 1000, outputTokens: 0 };
  const whole = { ...apart, inputTokens: 1010 };
  const source = { model: "gpt-4o-mini", url: OPENAI };
  for (const prices of [own({ input: 1, cachedInput: 0.1, output: 2 }), undefined]) {
    const pricing = await pricingOf({ model: "mine", source }, prices);
    assert.deepEqual(pricing(apart), pricing(whole));
    assert.ok(Number(pricing(apart).costUsd) > 0);
  }
});

Deno.test("Configured prices override local servers and the price package", async () => {
  for (const url of ["http://127.0.0.1:8080/v1", OPENAI]) {
    const priced = await pricingOf({ model: "mine", source: { model: "gpt-4o-mini", url } }, {
      ...own({ input: 9, output: 9 }),
    });
    assert.deepEqual(priced({ ...TOKENS, outputTokens: 0 }), { costUsd: 9 });
  }
});

Deno.test("A local server costs nothing, whatever its model's name", async () => {
  for (
    const url of ["http://localhost:1234/v1", "http://127.0.0.1:8080/v1", "http://[::1]:8080/v1"]
  ) {
    const pricing = await pricingOf({ model: "gpt-4o", source: { model: "gpt-4o", url } });
    assert.deepEqual(pricing(TOKENS), { costUsd: 0 });
  }
  for (const model of ["offline", "human", "replay:x"]) {
    assert.deepEqual((await pricingOf({ model }))(TOKENS), { costUsd: 0 });
  }
});

Deno.test("A price from the package names package and version, as in deno.json", async () => {
  const pricing = await pricingOf({
    model: "gpt-4o-mini",
    source: { model: "gpt-4o-mini", url: OPENAI },
  });
  const { costUsd, pricedBy } = pricing(TOKENS);
  assert.equal(pricedBy, PRICE_TABLE);
  assert.equal(
    configuration.imports["@pydantic/genai-prices"],
    `npm:@pydantic/${PRICE_TABLE.replace(" ", "@")}`,
  );
  const uncached = pricing({ ...TOKENS, cachedInputTokens: 0 }).costUsd;
  assert.ok(Number(costUsd) > 0 && Number(costUsd) < Number(uncached));
});

Deno.test("Dates, vendors and spellings in a model's name do not make a price an estimate", async () => {
  for (
    const source of [
      { model: "gpt-5-mini-2025-08-07", url: OPENAI },
      { model: "anthropic/claude-sonnet-4.5", url: "https://openrouter.ai/api/v1" },
      { model: "claude-sonnet-4-5-20250929", url: "https://api.anthropic.com/v1" },
      { model: "grok-4", url: "https://api.x.ai/v1" },
      { model: "grok-4", provider: "xai" },
      {
        model: "gemini-2.5-flash",
        url: "https://generativelanguage.googleapis.com/v1beta/openai/",
      },
    ]
  ) {
    const { costUsd, pricedBy } = (await pricingOf({ model: "shown", source }))(TOKENS);
    assert.equal(pricedBy, PRICE_TABLE, source.model);
    assert.ok(Number(costUsd) > 0, source.model);
  }
});

Deno.test("A related version's price is named and shown as an estimate", async () => {
  const source = { model: "claude-sonnet-5-5", provider: "anthropic" };
  const usage = { ...TOKENS, ...(await pricingOf({ model: "shown", source }))(TOKENS) };
  assert.match(usage.pricedBy!, /^genai-prices \S+ estimated by claude-sonnet-5$/);
  assert.match(money(usage), /^\$\d+\.\d{2} \(estimated\)$/);
  const sum = addUsage(addUsage(NO_USAGE, usage), { ...usage, pricedBy: PRICE_TABLE });
  assert.equal(sum.pricedBy, `${PRICE_TABLE}; ${usage.pricedBy}`);
  assert.equal(addUsage(sum, usage).pricedBy, sum.pricedBy);
});

Deno.test("Without a price the cost is unknown: an unknown model, an unknown server, an agent without a source", async () => {
  for (
    const source of [
      { model: "gpt-99-nothing", url: OPENAI },
      { model: "gpt-4o-mini", url: "https://proxy.test/v1" },
      { model: "gpt-4o-mini", provider: "nobody" },
      { model: "constructor", url: OPENAI },
      undefined,
    ]
  ) {
    const pricing = await pricingOf({ model: "gpt-4o-mini", source });
    assert.deepEqual(pricing(TOKENS), { costUsd: "unknown" });
  }
});

Deno.test("Cache-written tokens cost more than fresh ones if the provider charges more", async () => {
  const pricing = await pricingOf({
    model: "shown",
    source: { model: "claude-sonnet-4-5", provider: "anthropic" },
  });
  const fresh = pricing({ ...TOKENS, cachedInputTokens: 0 }).costUsd;
  const written = pricing({ ...TOKENS, cachedInputTokens: 0, cacheWriteTokens: 500_000 }).costUsd;
  assert.ok(Number(written) > Number(fresh));
});
