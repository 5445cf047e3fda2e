// Rates of providers and the budget of a study: the gate of its calls, and both in memory.
import { PROVIDERS } from "../agents/registry.ts";
import type { Agent } from "../core/agent.ts";
import { type Clock, pause, systemClock } from "../core/clock.ts";
import { LimitStop } from "../core/limit.ts";
import type { CallGate } from "../engine/budget.ts";
import type { StudyBudget, StudyLimits } from "./queue.ts";
import type { ProviderRate, StudyConfig } from "./study.ts";

/** Millionths in a US dollar. */
export const MICROS = 1e6;
/** Share of an estimate that is reserved: tokenizers differ, and tokens written to a cache cost more. */
const MARGIN = 1.25;

export interface SharedLimits {
  /** Rates of providers. */
  readonly limits: StudyLimits;
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

/** Requests or tokens of a provider that may be sent now. */
interface Level {
  /** Number that comes back in a millisecond. */
  readonly perMs: number;
  /** A second's worth. A larger request waits for all of it, and leaves a debt. */
  readonly most: number;
  left: number;
}

/** A full level; undefined where there is no limit. */
function levelOf(perMinute: number | undefined): Level | undefined {
  if (perMinute === undefined) return undefined;
  const most = Math.max(1, perMinute / 60);
  return { perMs: perMinute / 60_000, most, left: most };
}

interface Provider {
  readonly levels: readonly (Level | undefined)[];
  at: number;
  blockedUntil: number;
}

export class MemoryLimits implements StudyLimits {
  readonly #rates: Readonly<Record<string, ProviderRate>>;
  readonly #clock: Clock;
  readonly #providers = new Map<string, Provider>();

  /** Full levels for providers with rates. */
  constructor(rates: Readonly<Record<string, ProviderRate>> = {}, clock: Clock = systemClock) {
    this.#rates = rates;
    this.#clock = clock;
  }

  async take(provider: string, tokens: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const wait = this.#take(this.#filled(provider), [1, tokens]);
      if (wait === 0) return;
      await pause(wait, signal);
    }
  }

  giveBack(provider: string, tokens: number): Promise<void> {
    const level = this.#filled(provider).levels[1];
    if (level !== undefined) level.left = Math.min(level.most, level.left + tokens);
    return Promise.resolve();
  }

  block(provider: string, ms: number): Promise<void> {
    const found = this.#filled(provider);
    found.blockedUntil = Math.max(found.blockedUntil, this.#clock.now() + ms);
    return Promise.resolve();
  }

  /** The provider's levels as they are now. */
  #filled(name: string): Provider {
    const now = this.#clock.now();
    let found = this.#providers.get(name);
    if (found === undefined) {
      const { requestsPerMinute, tokensPerMinute } = this.#rates[name] ?? {};
      const levels = [levelOf(requestsPerMinute), levelOf(tokensPerMinute)];
      this.#providers.set(name, found = { levels, at: now, blockedUntil: 0 });
    }
    for (const level of found.levels.filter((each) => each !== undefined)) {
      level.left = Math.min(level.most, level.left + (now - found.at) * level.perMs);
    }
    found.at = now;
    return found;
  }

  /** Takes from both levels or from neither; gives the milliseconds until both have enough. */
  #take({ levels, blockedUntil }: Provider, wanted: readonly number[]): number {
    const waits = levels.map((level, index) => {
      if (level === undefined) return 0;
      const lacks = Math.min(wanted[index]!, level.most) - level.left;
      return lacks <= 1e-9 ? 0 : Math.ceil(lacks / level.perMs);
    });
    const wait = Math.max(0, blockedUntil - this.#clock.now(), ...waits);
    if (wait > 0) return wait;
    for (const [index, level] of levels.entries()) if (level) level.left -= wanted[index]!;
    return 0;
  }
}

export class MemoryBudget implements StudyBudget {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #spent: number;
  #heldSum = 0;

  /** A budget of so many millionths of a US dollar, of which some are spent. */
  constructor(most = Infinity, spent = 0) {
    this.#most = most;
    this.#spent = spent;
  }

  reserve(id: string, micros: number): Promise<boolean> {
    const held = this.#heldSum - (this.#held.get(id) ?? 0);
    const fits = this.#spent + held + micros <= this.#most;
    if (fits) this.#hold(id, micros);
    return Promise.resolve(fits);
  }

  settle(id: string, micros: number): Promise<void> {
    this.#hold(id, 0);
    this.#held.delete(id);
    this.#spent += micros;
    return Promise.resolve();
  }

  #hold(id: string, micros: number): void {
    this.#heldSum += micros - (this.#held.get(id) ?? 0);
    this.#held.set(id, micros);
  }

  spent(): Promise<number> {
    return Promise.resolve(this.#spent);
  }
}
