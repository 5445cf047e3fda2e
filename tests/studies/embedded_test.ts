// Queue, limits and budget of a single process pass the contracts.
import assert from "node:assert/strict";
import { EmbeddedQueue, gateOf, MemoryBudget, MemoryLimits } from "../../src/studies/queue.ts";
import {
  studyBudgetContract,
  studyLimitsContract,
  studyQueueContract,
} from "./support/queue_contract.ts";

const disposed = { [Symbol.asyncDispose]: () => Promise.resolve() };

studyQueueContract(
  "EmbeddedQueue",
  () => Promise.resolve({ open: () => Promise.resolve(new EmbeddedQueue(10)), ...disposed }),
);

studyLimitsContract(
  "MemoryLimits",
  (rates) => Promise.resolve({ limits: new MemoryLimits(rates), ...disposed }),
);

studyBudgetContract(
  "MemoryBudget",
  (limit, recorded) => Promise.resolve({ budget: new MemoryBudget(limit, recorded), ...disposed }),
);

const CALL = {
  key: "opening/b",
  agent: { model: "mine" },
  estimate: { tokens: 10, cost: 4e-5 },
  requests: 1,
};

Deno.test("A convening's first call cancels what a killed process had reserved for it", async () => {
  const budget = new MemoryBudget(100);
  for (const id of ["cell/opening/a", "other/opening/a"]) await budget.reserve(id, 40);
  const gate = gateOf({}, "cell", { limits: new MemoryLimits(), budget });
  const { signal } = new AbortController();
  await gate.enter(CALL, signal);
  // A second call leaves the first one's reservation alone.
  await assert.rejects(gate.enter({ ...CALL, key: "opening/c" }, signal), { limit: "maxCost" });
});

Deno.test("A convening's next call cancels what a killed process had reserved, if the first call could not", async () => {
  const budget = new MemoryBudget(100);
  await budget.reserve("cell/opening/a", 100);
  let lost = 1;
  const failing = Object.assign(Object.create(budget), {
    cancel: (cell: string) =>
      lost-- > 0 ? Promise.reject(new Error("connection lost")) : budget.cancel(cell),
    reserve: budget.reserve.bind(budget),
    spent: budget.spent.bind(budget),
  });
  const gate = gateOf({}, "cell", { limits: new MemoryLimits(), budget: failing });
  const { signal } = new AbortController();
  await assert.rejects(gate.enter(CALL, signal), { message: "connection lost" });
  await gate.enter(CALL, signal);
  assert.equal(await budget.reserve("other/opening/a", 60), false);
});
