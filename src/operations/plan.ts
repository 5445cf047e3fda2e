// Describes the plan of a convening before its start, for the command line and for pages.
import type { ConveningConfig } from "../config/convening_config.ts";
import { atMost } from "../core/message.ts";
import { counted, thousands } from "../core/text.ts";
import type { WorkflowPlan } from "../engine/plan.ts";

export type PlanRow = readonly [name: string, words: string];

/** Returns the rows of a plan: models, turns, calls, tokens, cost, estimated prices, and costs that are not counted. */
export function planRows(config: ConveningConfig, plan: WorkflowPlan): readonly PlanRow[] {
  const { turns, calls, chain, maxTokens, models, factChecker, pricedBy } = plan;
  return [
    ...modelRows(models),
    ...factChecker === undefined ? [] : [["Fact checks", `by ${factChecker}`] as const],
    ["Turns", thousands(turns)],
    ["Calls", thousands(calls) + orderWords(calls, chain)],
    ["Tokens", `at most ${thousands(maxTokens)}`],
    ["Cost", costWords(plan)],
    ...Object.entries(pricedBy).filter(([, table]) => table.includes("estimated"))
      .map(([model, table]): PlanRow => ["Price", `${model} by ${table}`]),
    ...uncountedRows(config),
  ];
}

/** Describes the number of consecutive calls; empty if all calls can run concurrently. */
function orderWords(calls: number, chain: number): string {
  if (chain <= 1) return "";
  return `, ${chain === calls ? "" : `${thousands(chain)} of them `}one after another`;
}

export function modelRows(models: Readonly<Record<string, number>>): readonly PlanRow[] {
  return Object.entries(models).map(([model, count]) => [
    "Model",
    `${model}, ${counted(count, "call")}`,
  ]);
}

function costWords({ maxCost, unpriced }: WorkflowPlan): string {
  return maxCost === "unknown"
    ? `unknown: no price of ${unpriced.join(", ")} is known`
    : atMost(maxCost);
}

/** Returns a row with the extra calls that cannot be known in advance; empty if there are none. */
function uncountedRows(config: ConveningConfig): PlanRow[] {
  const name = "Not counted";
  if (config.kind === "paper-debate") {
    return [[name, "what debaters look up, and the calls that answer them with it"]];
  }
  if (config.kind !== "debate") return [];
  const { interruptions = "none", adaptive = false } = config;
  const extra = [
    ...interruptions === "none" ? [] : ["interruptions and their answers"],
    ...adaptive ? ["a round that is added"] : [],
  ];
  return extra.length === 0 ? [] : [[name, extra.join(", ")]];
}
