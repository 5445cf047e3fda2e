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

Deno.test("A convening's first call cancels what a killed process had reserved for it", async () => {
  const budget = new MemoryBudget(100);
  for (const id of ["cell/opening/a", "other/opening/a"]) await budget.reserve(id, 40);
  const gate = gateOf({}, "cell", { limits: new MemoryLimits(), budget });
  const call = {
    key: "opening/b",
    agent: { model: "mine" },
    estimate: { tokens: 10, cost: 4e-5 },
    requests: 1,
  };
  const { signal } = new AbortController();
  await gate.enter(call, signal);
  // A second call leaves the first one's reservation alone.
  await assert.rejects(gate.enter({ ...call, key: "opening/c" }, signal), { limit: "maxCost" });
});
