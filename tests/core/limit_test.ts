// Limits, and random numbers from seeds.
import assert from "node:assert/strict";
import fc from "fast-check";
import { firstExceeded, LIMIT_NAMES, NO_AMOUNTS } from "../../src/core/limit.ts";
import { mixSeed, seededRandom, shuffled } from "../../src/core/statistics.ts";

Deno.test("firstExceeded() allows reaching a limit but not passing it; a duration ends when it is reached", () => {
  for (const name of LIMIT_NAMES) {
    const used = { ...NO_AMOUNTS, [name]: 8 };
    const asked = { ...NO_AMOUNTS, [name]: 2 };
    assert.equal(firstExceeded({ [name]: 7 }, used, asked), name);
    assert.equal(firstExceeded({ [name]: 11 }, used, asked), undefined);
    assert.equal(
      firstExceeded({ [name]: name === "maxDuration" ? 8 : 9 }, used, asked),
      name,
    );
  }
  assert.equal(
    firstExceeded({ maxTokens: 10 }, { ...NO_AMOUNTS, maxTokens: 8 }, {
      ...NO_AMOUNTS,
      maxTokens: 2,
    }),
    undefined,
  );
  assert.equal(firstExceeded({}, { ...NO_AMOUNTS, maxTokens: 1e9 }, NO_AMOUNTS), undefined);
});

Deno.test("seededRandom() returns the same stream for the same seed and another for another seed", () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
  assert.notEqual(mixSeed(1, "a", "b"), mixSeed(1, "ab"));
});

Deno.test("shuffled() keeps every item, for any seed", () => {
  fc.assert(fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
    const order = (a: number, b: number) => a - b;
    assert.deepEqual(shuffled(items, seededRandom(seed)).sort(order), items.toSorted(order));
  }));
});
