// Rates and budget over all convenings of a study, and the gate that its calls to models pass.
import { PROVIDERS } from "../agents/registry.ts";
import type { Agent } from "../core/agent.ts";
import { minuteText, pause, steadyClock, systemClock } from "../core/clock.ts";
import { LimitStop } from "../core/limit.ts";
import { loadedOnce } from "../core/values.ts";
import type { CallGate } from "../engine/budget.ts";
import { RunStop } from "../engine/run_stop.ts";
import type { ProviderRate, StudyConfig } from "./study.ts";

/** Values by key, in memory or shared by workers on several machines. */
export interface SharedValues {
  /**
   * Replaces a value in one step: `change` gets the value and the clock in milliseconds, and returns the new value, or the
   * same one, and an answer. `first` gives a missing value.
   */
  update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A>;
}

export type Change<V, A> = (value: V, now: number) => readonly [value: V, answer: A];

/** Values of a study that runs in one process. */
export class MemoryValues implements SharedValues {
  readonly #values = new Map<string, unknown>();

  async update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    const made = this.#values.has(key) ? undefined : await first();
    // Another call may have made the value meanwhile.
    const before = this.#values.has(key) ? this.#values.get(key) as V : made!;
    const [value, answer] = change(before, steadyClock.now());
    this.#values.set(key, value);
    return answer;
  }
}

/** State of a provider; times in milliseconds. */
interface Provider {
  /** Levels of the token buckets of requests and of tokens; negative after a request above the capacity. */
  readonly levels: readonly number[];
  /** Time of the levels. */
  readonly at: number;
  readonly blockedUntil: number;
}

/** Rate per minute of an unlimited provider. */
const UNLIMITED = 1e15;
/** Maximum wait in milliseconds before the levels are read again. */
const MOST_WAIT = 5000;
/** Demanded wait in milliseconds from which a run says that its calls wait. */
const LONG_WAIT = 60_000;

/** Rate limiter for requests and tokens per minute of each provider. */
export class RateLimits {
  readonly #values: SharedValues;
  readonly #rates: Readonly<Record<string, ProviderRate>>;
  readonly #onWait: ((message: string) => void) | undefined;
  /** End of the last long wait that was reported, by provider. */
  readonly #reported = new Map<string, number>();

  /** Creates a limiter; providers without rates wait only while blocked. `onWait` gets a sentence on each long wait. */
  constructor(
    values: SharedValues,
    rates: Readonly<Record<string, ProviderRate>> = {},
    onWait?: (message: string) => void,
  ) {
    this.#values = values;
    this.#rates = rates;
    this.#onWait = onWait;
  }

  /**
   * Waits until one request and `tokens` are available, and takes them. A request above the capacity, which is the amount of
   * one second, waits for full buckets and leaves a debt, so that the average rate holds. A request that would wait beyond the
   * `deadline` is rejected.
   */
  async take(
    provider: string,
    tokens: number,
    signal: AbortSignal,
    deadline = signal,
  ): Promise<void> {
    const wanted = [1, tokens];
    for (;;) {
      signal.throwIfAborted();
      const { wait, state } = await this.#update(provider, (state, buckets) => {
        const { levels, at, blockedUntil } = state;
        const waits = buckets.map(({ perMs, capacity }, index) =>
          Math.ceil((Math.min(wanted[index]!, capacity) - levels[index]!) / perMs)
        );
        const wait = Math.max(0, blockedUntil - at, ...waits);
        const taken = () => levels.map((level, index) => level - wanted[index]!);
        return [wait === 0 ? { ...state, levels: taken() } : undefined, { wait, state }];
      });
      if (wait === 0) return;
      this.#report(provider, state);
      await pause(Math.min(wait, MOST_WAIT), AbortSignal.any([signal, deadline]));
    }
  }

  /** Reports a long wait that a provider demands, once. */
  #report(provider: string, { at, blockedUntil }: Provider): void {
    const latest = Math.max(at, this.#reported.get(provider) ?? at);
    if (blockedUntil - latest < LONG_WAIT) return;
    this.#reported.set(provider, blockedUntil);
    const until = minuteText(new Date(systemClock.now() + blockedUntil - at).toISOString());
    this.#onWait?.(`Calls to ${provider} wait until ${until}, as its server demands`);
  }

  async giveBack(provider: string, unused: number): Promise<void> {
    await this.#update(provider, (state) => {
      const [requests = 0, tokens = 0] = state.levels;
      return [{ ...state, levels: [requests, tokens + unused] }, undefined];
    });
  }

  async block(provider: string, ms: number): Promise<void> {
    await this.#update(provider, (state) => {
      return [{ ...state, blockedUntil: Math.max(state.blockedUntil, state.at + ms) }, undefined];
    });
  }

  /** Changes the state of a provider, whose buckets are refilled up to now; undefined leaves the state as it was. */
  #update<A>(
    provider: string,
    change: (
      state: Provider,
      buckets: readonly [requests: Bucket, tokens: Bucket],
    ) => readonly [Provider | undefined, A],
  ): Promise<A> {
    const { requestsPerMinute, tokensPerMinute } = this.#rates[provider] ?? {};
    const buckets = [bucketOf(requestsPerMinute), bucketOf(tokensPerMinute)] as const;
    const first = { levels: buckets.map(({ capacity }) => capacity), at: 0, blockedUntil: 0 };
    return this.#values.update<Provider, A>(
      `rates:{${provider}}`,
      () => Promise.resolve(first),
      (state, now) => {
        const passed = Math.max(0, now - state.at);
        const levels = buckets.map(({ perMs, capacity }, index) =>
          Math.min(capacity, state.levels[index]! + passed * perMs)
        );
        const [changed = state, answer] = change({ ...state, levels, at: now }, buckets);
        return [changed, answer];
      },
    );
  }
}

interface Bucket {
  /** Amount added per millisecond. */
  readonly perMs: number;
  /** Amount of one second, at least 1. */
  readonly capacity: number;
}

function bucketOf(perMinute: number = UNLIMITED): Bucket {
  return { perMs: perMinute / 60_000, capacity: Math.max(1, perMinute / 60) };
}

/** Millionths in a US dollar. */
export const MICROS = 1e6;

/** Amounts in millionths of a US dollar. */
interface Spending {
  readonly spent: number;
  /** Maximum costs of calls in flight, by id; changed in place, since there may be many. */
  readonly reserved: Record<string, number>;
  /** Sum of the reservations. */
  readonly held: number;
}

/** Budget of a study, in millionths of a US dollar. */
export class Budget {
  readonly #values: SharedValues;
  readonly #key: string;
  readonly #limit: number;
  readonly #recorded: () => Promise<number>;
  /** True after a call has waited in vain for the reservations of others: later calls do not wait. */
  isBlocked = false;

  /** Creates a budget; `recorded` returns the cost of all records of the study. */
  constructor(
    values: SharedValues,
    { study, limit = Infinity, recorded }: {
      readonly study: string;
      /** @default no limit */
      readonly limit?: number | undefined;
      readonly recorded: () => Promise<number>;
    },
  ) {
    this.#values = values;
    this.#key = `{${study}}:budget`;
    this.#limit = limit;
    this.#recorded = recorded;
  }

  /**
   * Reserves the maximum cost of a call; the same id replaces its reservation. False if the limit would be exceeded; undefined
   * if the limit would be exceeded only with the reservations of other calls.
   */
  async reserve(id: string, micros: number): Promise<boolean | undefined> {
    return await this.#update((before) => {
      const { spent, held, reserved } = before;
      const others = held - (reserved[id] ?? 0);
      if (spent + micros > this.#limit) return [before, false];
      if (spent + others + micros > this.#limit) return [before, undefined];
      reserved[id] = micros;
      return [{ spent, reserved, held: others + micros }, true];
    });
  }

  /** Replaces a reservation by the actual cost. */
  async settle(id: string, micros: number): Promise<void> {
    await this.#update(({ spent, reserved, held }) => {
      const { [id]: freed = 0 } = reserved;
      delete reserved[id];
      return [{ spent: spent + micros, reserved, held: held - freed }, undefined];
    });
  }

  /**
   * Cancels the reservations of a cell's calls, which the process that made them cannot settle: it was killed, or Redis did not
   * answer while it ended. Records may then have costs that were not settled.
   */
  async cancel(cell: string): Promise<void> {
    const reserved = await this.#update((before) => [before, Object.keys(before.reserved)]);
    const ids = reserved.filter((id) => id.startsWith(`${cell}/`));
    if (ids.length > 0) await this.recount();
    await Promise.all(ids.map((id) => this.settle(id, 0)));
  }

  /** Returns the sum of settled costs. */
  async spent(): Promise<number> {
    return await this.#update((before) => [before, before.spent]);
  }

  /** Raises the amount spent to the sum of the records. It may be more: attempts of killed workers are in no record. */
  async recount(): Promise<void> {
    const recorded = await this.#recorded();
    await this.#update((before) => {
      return [{ ...before, spent: Math.max(before.spent, recorded) }, undefined];
    });
  }

  #update<A>(change: Change<Spending, A>): Promise<A> {
    const first = async () => ({ spent: await this.#recorded(), reserved: {}, held: 0 });
    return this.#values.update(this.#key, first, change);
  }
}

export interface StudyLimits {
  readonly rates: RateLimits;
  readonly budget: Budget;
}

/** Factor on the estimated cost for reservations: tokenizers differ, and tokens written to a cache cost more. */
const MARGIN = 1.25;
/**
 * A call waits while other calls reserve the rest of the budget, because most calls cost less than their reservation: milliseconds
 * between looks, and at most. Reservations of a killed worker can last longer.
 */
const PATIENCE = { look: 200, most: 60_000 } as const;

/** Returns the gate for the calls of one cell: takes from the rates, reserves and settles the cost. */
export function gateOf(
  { limits: { maxCost = Infinity } = {}, rates: perMinute = {} }: Pick<
    StudyConfig,
    "limits" | "rates"
  >,
  cell: string,
  { rates, budget, ending }: StudyLimits & {
    /** Ends waits: the convening is paused. @default no end */
    readonly ending?: AbortSignal | undefined;
  },
): CallGate {
  // A call passes the gate only while this process holds the record: earlier reservations are those of a killed process.
  const cancelEarlier = loadedOnce(() => budget.cancel(cell));
  return {
    async enter({ key, agent, estimate: { tokens, cost }, requests, deadline }, signal) {
      await cancelEarlier();
      const provider = providerOf(agent, perMinute);
      const id = `${cell}/${key}`;
      const over = ending === undefined ? signal : AbortSignal.any([signal, ending]);
      const waited = (wait: Promise<void>) =>
        wait.catch((error: unknown) => {
          throw ending?.aborted ? new RunStop("paused") : error;
        });
      if (provider !== undefined) await waited(rates.take(provider, tokens, over, deadline));
      const until = steadyClock.now() + PATIENCE.most;
      for (;;) {
        const isReserved = await budget.reserve(id, cost * requests * MARGIN * MICROS);
        if (isReserved) break;
        if (isReserved === undefined && !(budget.isBlocked ||= steadyClock.now() >= until)) {
          await waited(pause(PATIENCE.look, over));
          continue;
        }
        if (provider !== undefined) await rates.giveBack(provider, tokens);
        const spent = await budget.spent() / MICROS;
        throw new LimitStop("maxCost", maxCost, spent, "study_budget");
      }
      return async (used, refusedMs) => {
        try {
          await budget.settle(id, used.costUsd === "unknown" ? 0 : used.costUsd * MICROS);
          if (provider === undefined) return;
          if (refusedMs !== undefined) await rates.block(provider, refusedMs);
          const unused = tokens - used.inputTokens - used.outputTokens;
          await rates.giveBack(provider, Math.max(0, unused));
        } catch (error) {
          // The reply that was paid is recorded; the next holder of the record counts its cost.
          if (!(error instanceof RunStop)) throw error;
        }
      };
    },
  };
}

/**
 * Returns an agent's key in `rates`: its host, the name of a known provider, or the prefix of the model. Without such a key,
 * returns the host; undefined for an agent without a server.
 */
function providerOf(
  agent: Pick<Agent, "model" | "source">,
  rates: Readonly<Record<string, ProviderRate>>,
): string | undefined {
  const names = rateNames(agent);
  return names.find((name) => Object.hasOwn(rates, name)) ?? (agent.source && names[0]);
}

/** Returns the keys in `rates` that apply to an agent, the most specific first. */
export function rateNames({ model, source }: Pick<Agent, "model" | "source">): string[] {
  const url = source?.url === undefined ? undefined : URL.parse(source.url);
  const known = Object.entries(PROVIDERS).find(([, { baseUrl }]) =>
    URL.parse(baseUrl)?.origin === url?.origin
  );
  const prefix = model.includes(":") ? model.slice(0, model.indexOf(":")) : undefined;
  return [url?.host, url?.hostname, known?.[0], source?.provider, prefix]
    .filter((name) => name !== undefined);
}
