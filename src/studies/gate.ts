// The gate of a study's calls: rates of providers and the budget, by cell.
import { PROVIDERS } from "../agents/registry.ts";
import type { Agent } from "../core/agent.ts";
import { LimitStop } from "../core/limit.ts";
import type { CallGate } from "../engine/gate.ts";
import type { StudyBudget, StudyLimits } from "./queue.ts";
import type { ProviderRate, StudyConfig } from "./study.ts";

/** Millionths in a US dollar. */
export const MICROS = 1e6;
/** Share of an estimate that is reserved: tokenizers differ, and tokens written to a cache cost more. */
const MARGIN = 1.25;

/** Limits that the calls of a study share. */
export interface SharedLimits {
  /** Rates of providers. */
  readonly limits: StudyLimits;
  /** The budget of the study. */
  readonly budget: StudyBudget;
}

/** The gate of the calls of one convening of a study. */
export function gateOf(
  { limits: { maxCost = Infinity } = {}, rates = {} }: Pick<StudyConfig, "limits" | "rates">,
  cell: string,
  { limits, budget }: SharedLimits,
): CallGate {
  return {
    async enter({ key, agent, estimate, requests }, signal) {
      const provider = providerOf(agent, rates);
      const id = `${cell}/${key}`;
      if (provider !== undefined) await limits.take(provider, estimate.tokens, signal);
      if (!await budget.reserve(id, estimate.cost * requests * MARGIN * MICROS)) {
        if (provider !== undefined) await limits.giveBack(provider, estimate.tokens);
        const spent = await budget.spent() / MICROS;
        throw new LimitStop("maxCost", maxCost, spent, "study_budget");
      }
      return async (used, refusedMs) => {
        await budget.settle(id, used.costUsd === "unknown" ? 0 : used.costUsd * MICROS);
        if (provider === undefined) return;
        if (refusedMs !== undefined) await limits.block(provider, refusedMs);
        const tokens = used.inputTokens + used.outputTokens;
        await limits.giveBack(provider, Math.max(0, estimate.tokens - tokens));
      };
    },
  };
}

/**
 * Provider of an agent, as rates name it: by host, by the name of a known provider, or by the prefix of the model. Undefined
 * for an agent that no server answers.
 */
function providerOf(
  { model, source }: Pick<Agent, "model" | "source">,
  rates: Readonly<Record<string, ProviderRate>>,
): string | undefined {
  const url = source?.url === undefined ? undefined : URL.parse(source.url);
  const known = Object.entries(PROVIDERS).find(([, { baseUrl }]) =>
    URL.parse(baseUrl)?.origin === url?.origin
  );
  const prefix = model.includes(":") ? model.slice(0, model.indexOf(":")) : undefined;
  const names = [url?.host, url?.hostname, known?.[0], source?.provider, prefix]
    .filter((name) => name !== undefined);
  return names.find((name) => Object.hasOwn(rates, name)) ?? (source && names[0]);
}
