import assert from "node:assert/strict";
import { FailureLimit } from "../../src/server/access.ts";

Deno.test("a client that failed too often waits until a failure is a minute old; others do not", () => {
  let time = 0;
  const limit = new FailureLimit({ most: 2, within: 1000, clock: { now: () => time } });
  const fail = (client: string, at: number) => {
    time = at;
    limit.add(client);
  };
  fail("a", 0);
  assert.equal(limit.wait("a"), 0);
  fail("a", 400);
  assert.equal(limit.wait("a"), 600);
  assert.equal(limit.wait("b"), 0);
  time = 999;
  assert.equal(limit.wait("a"), 1);
  time = 1000;
  assert.equal(limit.wait("a"), 0);
  fail("a", 1200);
  assert.equal(limit.wait("a"), 200);
  time = 1400;
  assert.equal(limit.wait("a"), 0);
});
