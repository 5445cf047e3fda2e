import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { firstPassed, LIMIT_NAMES, NO_AMOUNTS } from "../../src/core/limit.ts";
import { BUILT_IN_PRICES, costOf, priceOf } from "../../src/config/prices.ts";
import { mixSeed, seededRandom, shuffled } from "../../src/core/random.ts";

describe("firstPassed()", () => {
  it("firstPassed() lets a limit be reached, not passed; a duration is over when it is reached", () => {
    for (const name of LIMIT_NAMES) {
      const used = { ...NO_AMOUNTS, [name]: 8 };
      const asked = { ...NO_AMOUNTS, [name]: 2 };
      assert.equal(firstPassed({ [name]: 7 }, used, asked), name);
      assert.equal(firstPassed({ [name]: 11 }, used, asked), undefined);
      assert.equal(
        firstPassed({ [name]: name === "maxDuration" ? 8 : 9 }, used, asked),
        name,
      );
    }
    assert.equal(
      firstPassed({ maxTokens: 10 }, { ...NO_AMOUNTS, maxTokens: 8 }, {
        ...NO_AMOUNTS,
        maxTokens: 2,
      }),
      undefined,
    );
    assert.equal(firstPassed({}, { ...NO_AMOUNTS, maxTokens: 1e9 }, NO_AMOUNTS), undefined);
  });
});

describe("costOf()", () => {
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 200_000 };

  it("costOf() prices fresh, cached and written tokens", () => {
    assert.equal(costOf(usage, { input: 0.15, cachedInput: 0.075, output: 0.6 }), 0.24);
    assert.equal(costOf(usage, { input: 1, output: 0 }), 1);
  });

  it("costOf() of a model without a price is unknown, not 0", () => {
    assert.equal(costOf(usage, priceOf("some-model")), "unknown");
    assert.equal(costOf(usage, priceOf("constructor")), "unknown");
    assert.equal(costOf(usage, priceOf("offline")), 0);
    assert.equal(costOf(usage, priceOf("ollama:llama3.2")), 0);
  });

  it("priceOf() puts the configuration's table over the built-in one", () => {
    const mine = { date: "2026-11-01", models: { "gpt-4o-mini": { input: 9, output: 9 } } };
    assert.equal(priceOf("gpt-4o-mini", mine)?.input, 9);
    assert.equal(priceOf("gpt-4o", mine), BUILT_IN_PRICES.models["gpt-4o"]);
    assert.match(BUILT_IN_PRICES.date, /^\d{4}-\d\d-\d\d$/);
  });
});

describe("seededRandom()", () => {
  it("seededRandom() gives the same stream for a seed, another for another", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    assert.deepEqual(draw(1), draw(1));
    assert.notDeepEqual(draw(1), draw(2));
    assert.notEqual(mixSeed(1, "a", "b"), mixSeed(1, "ab"));
  });

  it("shuffled() keeps every item, for any seed", () => {
    fc.assert(fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
      const order = (a: number, b: number) => a - b;
      assert.deepEqual(shuffled(items, seededRandom(seed)).sort(order), items.toSorted(order));
    }));
  });
});
