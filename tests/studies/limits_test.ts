// Rates, budget and the gate of a study's calls, in memory and in Redis.
import assert from "node:assert/strict";
import {
  Budget,
  gateOf,
  MemoryValues,
  RateLimits,
  type SharedValues,
} from "../../src/studies/limits.ts";
import { RunStop } from "../../src/engine/run_stop.ts";
import { MemoryQueue } from "../../src/studies/queue.ts";
import { RedisValues } from "../../src/studies/shared_archive.ts";
import type { ProviderRate } from "../../src/studies/study.ts";
import { dialogueOf, drain, Talker } from "../support/talkers.ts";
import { inEachPlace } from "./support/places.ts";
import { redisTest } from "./support/redis_server.ts";

const never = new AbortController().signal;

function rateTest(
  name: string,
  rates: Readonly<Record<string, ProviderRate>>,
  test: (limits: RateLimits) => Promise<void>,
): void {
  inEachPlace(name, async ({ values }) => await test(new RateLimits(await values(), rates)));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function take(limits: RateLimits, times: number, tokens = 1): Promise<void> {
  const all = Array.from({ length: times }, () => limits.take("openai", tokens, never));
  await Promise.all(all);
}

rateTest("a rate allows a burst of a second's worth, then the rate", {
  openai: { requestsPerMinute: 1200 },
}, async (limits) => {
  // Ten more take half a second from the first one, because the level refills meanwhile; timers may be a millisecond early.
  const both = async () => {
    await take(limits, 20);
    await take(limits, 10);
  };
  assert.ok(await timed(both) >= 440);
});

rateTest("tokens count together with requests, and a request over a second's worth leaves a debt", {
  openai: { requestsPerMinute: 60_000, tokensPerMinute: 60_000 },
}, async (limits) => {
  const both = async () => {
    await limits.take("openai", 1300, never);
    await limits.take("openai", 100, never);
  };
  assert.ok(await timed(both) >= 390);
});

rateTest("tokens that were not used are returned, and never more than a second's worth", {
  openai: { tokensPerMinute: 1 },
}, async (limits) => {
  await limits.take("openai", 1, never);
  await limits.giveBack("openai", 1000);
  await limits.take("openai", 1, AbortSignal.timeout(30_000));
  await assert.rejects(limits.take("openai", 1, AbortSignal.timeout(100)));
});

rateTest("a blocked provider waits, with a rate or without, and no other", {
  openai: { requestsPerMinute: 60_000 },
}, async (limits) => {
  for (const provider of ["openai", "anthropic"]) {
    const blocked = async () => {
      await limits.block(provider, 300);
      await limits.take(provider, 1, never);
    };
    assert.ok(await timed(blocked) >= 290, provider);
    await limits.block(provider, 60_000);
    await limits.block(provider, 10);
    await limits.take("ollama", 10, AbortSignal.timeout(30_000));
    await assert.rejects(limits.take(provider, 1, AbortSignal.timeout(100)), provider);
  }
});

rateTest("an aborted wait takes nothing", { openai: { tokensPerMinute: 1 } }, async (limits) => {
  await limits.take("openai", 1, never);
  const reason = new Error("stopped");
  const stop = new AbortController();
  const wait = limits.take("openai", 1, stop.signal);
  stop.abort(reason);
  await assert.rejects(wait, reason);
  await limits.giveBack("openai", 1);
  await limits.take("openai", 1, AbortSignal.timeout(30_000));
});

rateTest("a provider without a rate is not limited", {}, (limits) => take(limits, 200, 100_000));

/** Creates a budget over values; `recorded` is the sum of the records. */
function budgetOf(values: SharedValues, limit?: number, recorded: () => number = () => 0): Budget {
  return new Budget(values, { study: "s", limit, recorded: () => Promise.resolve(recorded()) });
}

inEachPlace("a budget is never exceeded by 20 callers at once, and is used up", async (place) => {
  // Two processes share the values.
  const budgets = [await place.values(), await place.values()]
    .map((values) => budgetOf(values, 1_000_000));
  let calls = 0;
  await Promise.all(Array.from({ length: 20 }, async (_, caller) => {
    const budget = budgets[caller % 2]!;
    for (let call = 0; await budget.reserve(`${caller}/${call}`, 9000); call++) {
      calls++;
      assert.ok(await budget.spent() <= 1_000_000);
      await budget.settle(`${caller}/${call}`, 3000 + (calls * 7919) % 6000);
    }
  }));
  const spent = await budgets[0]!.spent();
  assert.ok(spent <= 1_000_000 && spent >= 970_000, String(spent));
});

inEachPlace("a second reservation of an id replaces the first", async ({ values }) => {
  const budget = budgetOf(await values(), 100);
  assert.ok(await budget.reserve("cell/turn", 60));
  assert.ok(await budget.reserve("cell/turn", 90));
  assert.ok(!await budget.reserve("other", 20));
  await budget.settle("cell/turn", 10);
  assert.ok(await budget.reserve("other", 90));
  assert.equal(await budget.spent(), 10);
});

inEachPlace("the reservations of one cell are cancelled", async ({ values }) => {
  const budget = budgetOf(await values(), 100);
  for (const id of ["cell/a", "cell/b", "cell2/a"]) assert.ok(await budget.reserve(id, 30));
  await budget.cancel("cell");
  assert.ok(await budget.reserve("other/a", 70));
  assert.ok(!await budget.reserve("other/b", 1));
});

inEachPlace(
  "costs in records that were never settled count when reservations are cancelled",
  async (place) => {
    let recorded = 0;
    const budget = budgetOf(await place.values(), 100, () => recorded);
    assert.ok(await budget.reserve("cell/a", 60));
    recorded = 50;
    await budget.cancel("cell");
    assert.equal(await budget.spent(), 50);
    assert.ok(!await budget.reserve("cell/b", 60));
  },
);

inEachPlace("a budget begins with what the records say, and may have no limit", async (place) => {
  const limited = budgetOf(await place.values(), 100, () => 80);
  assert.ok(!await limited.reserve("a", 30));
  assert.ok(await limited.reserve("b", 20));
  assert.equal(await limited.spent(), 80);
  const free = budgetOf(await place.values());
  assert.ok(await free.reserve("a", 1e12));
});

redisTest("A budget whose sum is lost is restored from the records", async (server) => {
  let recorded = 0;
  const budget = budgetOf(new RedisValues(await server.connect()), 100, () => recorded);
  assert.ok(await budget.reserve("a", 60));
  await budget.settle("a", 60);
  recorded = 60;
  await server.restartEmpty();
  assert.equal(await budget.spent(), 60);
  assert.ok(!await budget.reserve("b", 50));
  assert.ok(await budget.reserve("b", 40));
  await budget.settle("b", 40);
  // Attempts of killed workers are not in a record but stay counted.
  await budget.recount();
  assert.equal(await budget.spent(), 100);
});

const CALL = {
  key: "opening/b",
  agent: { model: "mine" },
  estimate: { tokens: 10, cost: 4e-5 },
  requests: 1,
};

Deno.test("A convening's first call cancels what a killed process had reserved for it", async () => {
  const values = new MemoryValues();
  const budget = budgetOf(values, 100);
  for (const id of ["cell/opening/a", "other/opening/a"]) await budget.reserve(id, 40);
  const gate = gateOf({}, "cell", { rates: new RateLimits(values), budget });
  await gate.enter(CALL, never);
  // A second call leaves the first one's reservation alone.
  await gate.enter({ ...CALL, key: "opening/c", estimate: { tokens: 10, cost: 0 } }, never);
  assert.ok(!await budget.reserve("other/opening/b", 20));
});

Deno.test("A call waits for the rest of the budget while other calls may cost less than they reserved", async () => {
  const memory = new MemoryValues();
  const others = budgetOf(memory, 100);
  await others.reserve("other/opening/a", 90);
  const refused = Promise.withResolvers<void>();
  let updates = 0;
  const values: SharedValues = {
    async update(key, first, change) {
      const answer = await memory.update(key, first, change);
      // The first one cancels reservations, the second one reserves.
      if (++updates === 2) refused.resolve();
      return answer;
    },
  };
  const limits = { rates: new RateLimits(memory), budget: budgetOf(values, 100) };
  const entering = gateOf({}, "cell", limits).enter(CALL, never);
  await Promise.race([entering, refused.promise]);
  await others.settle("other/opening/a", 20);
  await entering;
  assert.ok(!await others.reserve("other/opening/b", 40));
});

Deno.test("The end of a process ends the wait for a provider and for the budget, and pauses the convening", async () => {
  const limits = () => {
    const values = new MemoryValues();
    return { rates: new RateLimits(values), budget: budgetOf(values, 100) };
  };
  const isPaused = (error: unknown) => error instanceof RunStop && error.status === "paused";
  const agent = { ...CALL.agent, source: { model: "m", url: "http://model.example/v1" } };
  const blocked = limits();
  await blocked.rates.block("model.example", 3_600_000);
  const used = limits();
  await used.budget.reserve("other/opening/a", 90);
  for (const given of [blocked, used]) {
    const ending = new AbortController();
    const entering = gateOf({}, "cell", { ...given, ending: ending.signal })
      .enter({ ...CALL, agent }, never);
    ending.abort();
    await assert.rejects(entering, isPaused);
  }
});

Deno.test("After a call has waited a minute in vain for the budget, no other call waits", async () => {
  const now = performance.now.bind(performance);
  const memory = new MemoryValues();
  await budgetOf(memory, 100).reserve("killed/opening/a", 90);
  const waiting = new AbortController();
  let refusals = 0;
  const values: SharedValues = {
    async update(key, first, change) {
      const answer = await memory.update(key, first, change);
      // Each gate cancels its own reservations first. The minute passes during the first call; a second wait aborts.
      if (answer === undefined && ++refusals === 2) performance.now = () => now() + 60_000;
      if (refusals === 5) waiting.abort();
      return answer;
    },
  };
  try {
    const limits = { rates: new RateLimits(memory), budget: budgetOf(values, 100) };
    for (const cell of ["a", "b"]) {
      await assert.rejects(gateOf({}, cell, limits).enter(CALL, waiting.signal), {
        limit: "maxCost",
      });
    }
  } finally {
    performance.now = now;
  }
});

Deno.test("In one process, a clock that is set back extends no wait for a provider or a cell", async () => {
  const { now } = Date;
  const queue = new MemoryQueue(1);
  await queue.enqueue(["a"]);
  await queue.take(1);
  await queue.release("a", "later");
  const rates = new RateLimits(new MemoryValues());
  await rates.block("mine", 1);
  Date.now = () => now() - 3_600_000;
  try {
    await rates.take("mine", 1, AbortSignal.timeout(10_000));
    assert.deepEqual(await queue.take(1), ["a"]);
  } finally {
    Date.now = now;
  }
});

Deno.test("A call that the budget refuses returns its tokens", async () => {
  const values = new MemoryValues();
  const rates = new RateLimits(values, { mine: { tokensPerMinute: 600 } });
  const gate = gateOf({ rates: { mine: {} } }, "cell", { rates, budget: budgetOf(values, 1) });
  const agent = { model: "mine:one" };
  await assert.rejects(gate.enter({ ...CALL, agent }, never), { limit: "maxCost" });
  await rates.take("mine", 10, AbortSignal.timeout(500));
});

Deno.test("A convening's limit on time ends its wait for a provider that refused another convening", async () => {
  const rates = new RateLimits(new MemoryValues());
  await rates.block("mine", 60_000);
  const gate = gateOf({ rates: { mine: {} } }, "cell", {
    rates,
    budget: budgetOf(new MemoryValues(), 1),
  });
  const agent = new Talker(undefined, "mine:one");
  const { workflow } = dialogueOf(agent, { maxTurns: 2, limits: { maxDuration: 200 }, gate });
  assert.equal((await drain(workflow)).result?.endReason, "max_duration");
  assert.deepEqual(agent.keys, []);
});

Deno.test("A convening's next call cancels what a killed process had reserved, if the first call could not", async () => {
  const memory = new MemoryValues();
  await budgetOf(memory, 100).reserve("cell/opening/a", 100);
  let lost = 1;
  const values: SharedValues = {
    update: (key, first, change) =>
      lost-- > 0 ? Promise.reject(new Error("connection lost")) : memory.update(key, first, change),
  };
  const budget = budgetOf(values, 100);
  const gate = gateOf({}, "cell", { rates: new RateLimits(values), budget });
  await assert.rejects(gate.enter(CALL, never), { message: "connection lost" });
  await gate.enter(CALL, never);
  assert.ok(!await budget.reserve("other/opening/a", 60));
});
