// Queue, limits and budget of a single process pass the contracts.
import { EmbeddedQueue } from "../../src/studies/queue.ts";
import { MemoryBudget, MemoryLimits } from "../../src/studies/limits.ts";
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
