import assert from "node:assert/strict";
import { TryLimit } from "../../src/server/try_limit.ts";

Deno.test("take() lets so many tries through in a time, and says when the next one is", () => {
  let time = 1_000_000;
  const limit = new TryLimit({ tries: 2, within: 1000, clock: { now: () => time } });
  assert.equal(limit.take(), 0);
  time += 400;
  assert.equal(limit.take(), 0);
  assert.equal(limit.take(), 600);
  time += 599;
  assert.equal(limit.take(), 1);
  time += 1;
  assert.equal(limit.take(), 0);
  assert.equal(limit.take(), 400);
});

Deno.test("clear() forgets what was tried", () => {
  const limit = new TryLimit({ tries: 1, clock: { now: () => 5 } });
  assert.equal(limit.take(), 0);
  assert.equal(limit.take(), 60_000);
  limit.clear();
  assert.equal(limit.take(), 0);
});
