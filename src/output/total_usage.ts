import type { Fact } from "../core/fact.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/message.ts";

/** The usage summed over facts; costs without the noise of adding in another order. */
export function totalUsage(facts: Iterable<Fact>): Usage {
  let sum = NO_USAGE;
  for (const fact of facts) {
    if ("usage" in fact && fact.usage !== undefined) sum = addUsage(sum, fact.usage);
  }
  const { costUsd } = sum;
  return costUsd === "unknown" ? sum : { ...sum, costUsd: Math.round(costUsd * 1e10) / 1e10 };
}
