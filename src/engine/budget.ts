// Limits of a convening on turns, tokens, cost and time, and the interface of limits that several convenings share.
import type { Clock } from "../core/clock.ts";
import type { EventBody } from "../core/event.ts";
import {
  type Amounts,
  LIMIT_NAMES,
  type LimitName,
  type Limits,
  LimitStop,
  WARNING_SHARE,
} from "../core/limit.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/message.ts";
import type { Agent } from "../core/agent.ts";

/** Upper bounds for one call. */
export interface Estimate {
  /** Tokens of prompt and reply. */
  readonly tokens: number;
  /** US dollars; 0 for an unknown price. */
  readonly cost: number;
}

/** Limits that requests of a call in flight also count against. */
const SPENT = ["maxTokens", "maxCost"] as const;

const amountsOf = ({ tokens, cost }: Estimate) => ({ maxTokens: tokens, maxCost: cost });

/** Counts a convening's usage against its limits. */
export class Budget {
  /** Aborts at the limit on time; never without one. */
  readonly deadline: AbortSignal;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #started: number;
  readonly #warned = new Set<LimitName>();
  readonly #warn: (event: EventBody) => Promise<void>;
  #turns = 0;
  #usage: Usage = NO_USAGE;
  /** US dollars, without calls of unknown cost. */
  #cost = 0;
  /** Reservations of calls in flight. */
  #inFlight: Estimate = { tokens: 0, cost: 0 };
  #stop: LimitStop | undefined;

  constructor(limits: Limits, clock: Clock, warn: (event: EventBody) => Promise<void>) {
    this.#limits = limits;
    this.#clock = clock;
    this.#started = clock.now();
    this.#warn = warn;
    const { maxDuration: most = Infinity } = limits;
    // A longer timer would end at once.
    this.deadline = AbortSignal.any(most < 2 ** 31 ? [AbortSignal.timeout(most)] : []);
  }

  /** Usage of the whole record, earlier runs included. */
  get usage(): Usage {
    return this.#usage;
  }

  /** The limit that ended the run, if any. */
  get stop(): LimitStop | undefined {
    return this.#stop;
  }

  /** True if a limit needs estimates of tokens or cost. */
  get counts(): boolean {
    return SPENT.some((name) => this.#limits[name] !== undefined);
  }

  /** Milliseconds since this run began. */
  get duration(): number {
    return this.#clock.now() - this.#started;
  }

  /** Counts a new turn. Throws a {@linkcode LimitStop} if the turn would exceed a limit. */
  takeTurn(): void {
    this.#check({ maxTurns: 1 });
    this.#turns++;
  }

  /** Ends the run because of a limit that another part found, such as a shared gate. */
  end(stop: LimitStop): void {
    this.#stop ??= stop;
  }

  /** Counts a turn from the record. */
  replayTurn(): void {
    this.#turns++;
  }

  /** Reserves a call's estimate. Throws a {@linkcode LimitStop} if the call and the summary's `reserve` do not fit. */
  async reserve(call: Estimate, reserve: Estimate): Promise<void> {
    const tokens = call.tokens + reserve.tokens;
    this.#check(amountsOf({ tokens, cost: call.cost + reserve.cost }));
    this.#addInFlight(call);
    await this.#warnOnce();
  }

  /** True if a call fits the limits on tokens and cost. */
  fits(call: Estimate): boolean {
    return this.#stopFor(amountsOf(call), SPENT) === undefined;
  }

  /**
   * Reserves an additional request of a call in flight. Throws a {@linkcode LimitStop} if the request does not fit the limits on
   * tokens and cost. Limits on turns and time do not apply: a call in flight finishes.
   */
  reserveWithin(request: Estimate): void {
    const stop = this.#stopFor(amountsOf(request), SPENT);
    if (stop !== undefined) throw stop;
    this.#addInFlight(request);
  }

  #addInFlight({ tokens, cost }: Estimate): void {
    this.#inFlight = { tokens: this.#inFlight.tokens + tokens, cost: this.#inFlight.cost + cost };
  }

  /** Throws a {@linkcode LimitStop} if a refused request may be sent again only after the limit on time. */
  checkWait(wait: number): void {
    const stop = this.#stopFor({ maxDuration: wait }, ["maxDuration"]);
    if (stop !== undefined) throw stop;
  }

  /** Releases a reservation. */
  release({ tokens, cost }: Estimate): void {
    this.#addInFlight({ tokens: -tokens, cost: -cost });
  }

  spend(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage);
    if (usage.costUsd !== "unknown") this.#cost += usage.costUsd;
  }

  #used(): Amounts {
    const { inputTokens, outputTokens } = this.#usage;
    return {
      maxTurns: this.#turns,
      maxDuration: this.duration,
      maxTokens: inputTokens + outputTokens + this.#inFlight.tokens,
      // Without the noise of sums of binary fractions.
      maxCost: Math.round((this.#cost + this.#inFlight.cost) * 1e10) / 1e10,
    };
  }

  #check(asked: Partial<Amounts>): void {
    // The calls of a turn that was within maxTurns continue.
    const finishing = this.#stop?.limit === "maxTurns" && asked.maxTurns === undefined;
    if (this.#stop !== undefined && !finishing) throw this.#stop;
    const stop = this.#stopFor(asked);
    if (stop === undefined) return;
    this.#stop ??= stop;
    throw stop;
  }

  /** Returns the stop at the first of the limits that the used amounts plus the requested amounts exceed, or that the time reaches. */
  #stopFor(asked: Partial<Amounts>, limits = LIMIT_NAMES): LimitStop | undefined {
    const used = this.#used();
    const exceeded = limits.find((name) => {
      const { [name]: max = Infinity } = this.#limits;
      const amount = used[name] + (asked[name] ?? 0);
      return name === "maxDuration" ? amount >= max : amount > max;
    });
    return exceeded && new LimitStop(exceeded, this.#limits[exceeded]!, used[exceeded]);
  }

  async #warnOnce(): Promise<void> {
    const used = this.#used();
    for (const name of LIMIT_NAMES) {
      const max = this.#limits[name];
      if (max === undefined || this.#warned.has(name) || used[name] < WARNING_SHARE * max) continue;
      this.#warned.add(name);
      await this.#warn({ type: "limit-warning", limit: name, value: used[name], max });
    }
  }
}

/** A call that asks a gate for admission. */
export interface GatedCall {
  /** The key of the turn or question. */
  readonly key: string;
  /** The agent or embedder to call. */
  readonly agent: Pick<Agent, "model" | "source">;
  /** Upper bounds for one request. */
  readonly estimate: Estimate;
  /** The most requests of the call: several if the agent may call tools before the answer. */
  readonly requests: number;
  /** Aborts at the run's limit on time: a request that still waits for a provider then rejects with its reason. @default never */
  readonly deadline?: AbortSignal | undefined;
}

/** Shared limits of several convenings: every request to an agent or embedder passes the gate. */
export interface CallGate {
  /**
   * Waits until the request may be sent and reserves its cost. Returns a function to call afterwards with the usage, and with the
   * milliseconds for which the provider asked for no requests. Rejects with a `LimitStop`, such as
   * `new LimitStop("maxCost", 5, 5.1)`, if the cost does not fit: the convening then ends with the status `stopped`. Rejects once
   * `signal` aborts, and keeps no reservation: the run waits for the gate.
   */
  enter(
    call: GatedCall,
    signal: AbortSignal,
  ): Promise<(used: Usage, refusedMs?: number) => Promise<void>>;
}
