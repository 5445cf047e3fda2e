import type { Fact } from "../core/fact.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/message.ts";

/** The usage summed over facts. */
export function totalUsage(facts: Iterable<Fact>): Usage {
  let sum = NO_USAGE;
  for (const fact of facts) {
    if ("usage" in fact && fact.usage !== undefined) sum = addUsage(sum, fact.usage);
  }
  return sum;
}
