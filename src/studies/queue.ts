// Queue, rate limiter and budget of a study: their interfaces, those in memory, and the gate of calls to models.
import { PROVIDERS } from "../agents/registry.ts";
import type { Agent } from "../core/agent.ts";
import { type Clock, pause, systemClock } from "../core/clock.ts";
import { allDone } from "../core/files.ts";
import { LimitStop } from "../core/limit.ts";
import { loadedOnce } from "../core/values.ts";
import type { CallGate } from "../engine/budget.ts";
import type { Cell, ProviderRate, StudyConfig } from "./study.ts";

/** Result of running a cell: `done`, or `later` if another process holds the record or the budget is exhausted. */
export type CellEnd = "done" | "later";

/** Runs or resumes the convening of a cell until the convening ends or the signal aborts. */
export type HoldCell = (cell: Cell, signal: AbortSignal) => Promise<CellEnd>;

/** Queue of a study's cells, in memory or shared by workers on several machines. */
export interface StudyQueue {
  /** Adds cells that are not in the queue. */
  enqueue(cells: readonly Cell[]): Promise<void>;
  /** Runs up to `concurrency` cells at once until the queue is empty or the signal aborts; aborted cells are requeued. */
  run(
    hold: HoldCell,
    options: { readonly concurrency: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Stops the runs of all workers after their current message. */
  stop(): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

/** Rate limiter for requests and tokens per minute of each provider, over all workers. */
export interface StudyLimits {
  /** Waits until one request and `tokens` are available, and takes them. */
  take(provider: string, tokens: number, signal: AbortSignal): Promise<void>;
  /** Returns unused tokens of a request. */
  giveBack(provider: string, tokens: number): Promise<void>;
  /** Blocks requests to the provider for `ms` milliseconds. */
  block(provider: string, ms: number): Promise<void>;
}

/** Budget of a study, in millionths of a US dollar. */
export interface StudyBudget {
  /** Reserves the maximum cost of a call; false if the limit would be exceeded. The same id replaces its reservation. */
  reserve(id: string, micros: number): Promise<boolean>;
  /** Replaces a reservation by the actual cost. */
  settle(id: string, micros: number): Promise<void>;
  /** Cancels the reservations of a cell's calls, which the killed process that made them cannot settle. */
  cancel(cell: string): Promise<void>;
  /** Returns the sum of settled costs. */
  spent(): Promise<number>;
}

/** Milliseconds before a cell that ended with `later` is retried. */
const LATER = 1000;

/** Queue in memory; runs one loop per concurrent convening. */
export class EmbeddedQueue implements StudyQueue {
  readonly #waiting: Cell[] = [];
  readonly #keys = new Set<string>();
  readonly #later: number;
  #stop = new AbortController();

  /** Creates an empty queue; `later` is the delay in milliseconds before a retry. */
  constructor(later: number = LATER) {
    this.#later = later;
  }

  enqueue(cells: readonly Cell[]): Promise<void> {
    for (const cell of cells) {
      if (this.#keys.has(cell.key)) continue;
      this.#keys.add(cell.key);
      this.#waiting.push(cell);
    }
    return Promise.resolve();
  }

  async run(
    hold: HoldCell,
    { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  ): Promise<void> {
    this.#stop = new AbortController();
    const ended = AbortSignal.any([signal, this.#stop.signal]);
    const loop = () =>
      this.#loop(hold, ended).catch((error: unknown) => {
        // The other loops stop after their current message.
        this.#stop.abort(error);
        throw error;
      });
    await allDone(Array.from({ length: concurrency }, loop));
  }

  async #loop(hold: HoldCell, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const cell = this.#waiting.shift();
      if (cell === undefined) return;
      let end: CellEnd = "later";
      try {
        end = await hold(cell, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (end === "later") this.#waiting.push(cell);
        else this.#keys.delete(cell.key);
      }
      if (end === "later") await pause(this.#later, signal).catch(() => {});
    }
  }

  stop(): Promise<void> {
    this.#stop.abort("stopped");
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Millionths in a US dollar. */
export const MICROS = 1e6;
/** Factor on the estimated cost for reservations: tokenizers differ, and tokens written to a cache cost more. */
const MARGIN = 1.25;

/** Rate limiter and budget over all convenings of a study. */
export interface SharedLimits {
  readonly limits: StudyLimits;
  readonly budget: StudyBudget;
}

/** Returns the gate for the calls of one cell: takes from the rates, reserves and settles the cost. */
export function gateOf(
  { limits: { maxCost = Infinity } = {}, rates = {} }: Pick<StudyConfig, "limits" | "rates">,
  cell: string,
  { limits, budget }: SharedLimits,
): CallGate {
  // A call passes the gate only while this process holds the record: earlier reservations are those of a killed process.
  const cancelEarlier = loadedOnce(() => budget.cancel(cell));
  return {
    async enter({ key, agent, estimate, requests }, signal) {
      await cancelEarlier();
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
 * Returns an agent's key in `rates`: its host, the name of a known provider, or the prefix of the model. Without such a key,
 * returns the host; undefined for an agent without a server.
 */
function providerOf(
  { model, source }: Pick<Agent, "model" | "source">,
  rates: Readonly<Record<string, ProviderRate>>,
): string | undefined {
  const names = rateNames({ model, source });
  return names.find((name) => Object.hasOwn(rates, name)) ?? (source && names[0]);
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

/** Token bucket for the requests or the tokens of a provider. */
interface Bucket {
  /** Amount added per millisecond. */
  readonly perMs: number;
  /** Amount of one second, at least 1. A larger request waits for a full bucket and makes `available` negative. */
  readonly capacity: number;
  available: number;
}

/** Returns a full bucket; undefined without a limit. */
function bucketOf(perMinute: number | undefined): Bucket | undefined {
  if (perMinute === undefined) return undefined;
  const capacity = Math.max(1, perMinute / 60);
  return { perMs: perMinute / 60_000, capacity, available: capacity };
}

interface Provider {
  /** Buckets of requests and of tokens. */
  readonly buckets: readonly (Bucket | undefined)[];
  /** Time of the last refill, in milliseconds. */
  refilledAt: number;
  /** Time in milliseconds. */
  blockedUntil: number;
}

/** Rate limiter in memory, with token buckets. */
export class MemoryLimits implements StudyLimits {
  readonly #rates: Readonly<Record<string, ProviderRate>>;
  readonly #clock: Clock;
  readonly #providers = new Map<string, Provider>();

  /** Creates a limiter; providers without rates are unlimited. */
  constructor(rates: Readonly<Record<string, ProviderRate>> = {}, clock: Clock = systemClock) {
    this.#rates = rates;
    this.#clock = clock;
  }

  async take(provider: string, tokens: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const wait = this.#take(this.#refilled(provider), [1, tokens]);
      if (wait === 0) return;
      await pause(wait, signal);
    }
  }

  giveBack(provider: string, tokens: number): Promise<void> {
    const bucket = this.#refilled(provider).buckets[1];
    if (bucket !== undefined) {
      bucket.available = Math.min(bucket.capacity, bucket.available + tokens);
    }
    return Promise.resolve();
  }

  block(provider: string, ms: number): Promise<void> {
    const state = this.#refilled(provider);
    state.blockedUntil = Math.max(state.blockedUntil, this.#clock.now() + ms);
    return Promise.resolve();
  }

  /** Returns the provider with its buckets refilled up to now. */
  #refilled(name: string): Provider {
    const now = this.#clock.now();
    let state = this.#providers.get(name);
    if (state === undefined) {
      const { requestsPerMinute, tokensPerMinute } = this.#rates[name] ?? {};
      const buckets = [bucketOf(requestsPerMinute), bucketOf(tokensPerMinute)];
      this.#providers.set(name, state = { buckets, refilledAt: now, blockedUntil: 0 });
    }
    for (const bucket of state.buckets.filter((each) => each !== undefined)) {
      const refilled = bucket.available + (now - state.refilledAt) * bucket.perMs;
      bucket.available = Math.min(bucket.capacity, refilled);
    }
    state.refilledAt = now;
    return state;
  }

  /** Takes from both buckets and returns 0, or takes nothing and returns the milliseconds to wait. */
  #take({ buckets, blockedUntil }: Provider, wanted: readonly number[]): number {
    const waits = buckets.map((bucket, index) => {
      if (bucket === undefined) return 0;
      const missing = Math.min(wanted[index]!, bucket.capacity) - bucket.available;
      return missing <= 1e-9 ? 0 : Math.ceil(missing / bucket.perMs);
    });
    const wait = Math.max(0, blockedUntil - this.#clock.now(), ...waits);
    if (wait > 0) return wait;
    for (const [index, bucket] of buckets.entries()) {
      if (bucket) bucket.available -= wanted[index]!;
    }
    return 0;
  }
}

export class MemoryBudget implements StudyBudget {
  readonly #limit: number;
  /** Reservations by id. */
  readonly #reserved = new Map<string, number>();
  #spent: number;
  #reservedSum = 0;

  /** Creates a budget; limit and amount spent are in millionths of a US dollar. */
  constructor(limit = Infinity, spent = 0) {
    this.#limit = limit;
    this.#spent = spent;
  }

  reserve(id: string, micros: number): Promise<boolean> {
    const others = this.#reservedSum - (this.#reserved.get(id) ?? 0);
    const fits = this.#spent + others + micros <= this.#limit;
    if (fits) this.#setReserved(id, micros);
    return Promise.resolve(fits);
  }

  settle(id: string, micros: number): Promise<void> {
    this.#setReserved(id, 0);
    this.#reserved.delete(id);
    this.#spent += micros;
    return Promise.resolve();
  }

  cancel(cell: string): Promise<void> {
    for (const id of this.#reserved.keys()) {
      if (!id.startsWith(`${cell}/`)) continue;
      this.#setReserved(id, 0);
      this.#reserved.delete(id);
    }
    return Promise.resolve();
  }

  #setReserved(id: string, micros: number): void {
    this.#reservedSum += micros - (this.#reserved.get(id) ?? 0);
    this.#reserved.set(id, micros);
  }

  spent(): Promise<number> {
    return Promise.resolve(this.#spent);
  }
}
