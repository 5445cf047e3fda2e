// Limits on turns, tokens, cost and time, and the seam of limits that several convenings share.
import type { Clock } from "../core/clock.ts";
import type { EventBody } from "../core/event.ts";
import {
  type Amounts,
  firstPassed,
  LIMIT_NAMES,
  type LimitName,
  type Limits,
  LimitStop,
  NO_AMOUNTS,
  WARNING_SHARE,
} from "../core/limit.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/message.ts";
import type { Agent } from "../core/agent.ts";

/** The most that one call may use. */
export interface Estimate {
  /** Tokens of the prompt and of the reply. */
  readonly tokens: number;
  /** US dollars; 0 where the price is unknown. */
  readonly cost: number;
}

/** A convening's limits, and what it has used. */
export class Budget {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #started: number;
  readonly #warned = new Set<LimitName>();
  readonly #warn: (event: EventBody) => Promise<void>;
  #turns = 0;
  #usage: Usage = NO_USAGE;
  /** US dollars, without calls of unknown cost. */
  #cost = 0;
  #inFlight: Estimate = { tokens: 0, cost: 0 };
  #stop: LimitStop | undefined;

  constructor(limits: Limits, clock: Clock, warn: (event: EventBody) => Promise<void>) {
    this.#limits = limits;
    this.#clock = clock;
    this.#started = clock.now();
    this.#warn = warn;
  }

  /** Everything used so far, over the whole record. */
  get usage(): Usage {
    return this.#usage;
  }

  get stop(): LimitStop | undefined {
    return this.#stop;
  }

  /** True if a limit needs estimates of tokens or cost. */
  get counts(): boolean {
    return this.#limits.maxTokens !== undefined ||
      this.#limits.maxCost !== undefined;
  }

  /** Milliseconds of the present run. */
  get duration(): number {
    return this.#clock.now() - this.#started;
  }

  /** Counts one more turn; throws a {@linkcode LimitStop} when that is one too many. */
  takeTurn(): void {
    this.#check({ ...NO_AMOUNTS, maxTurns: 1 });
    this.#turns++;
  }

  /** Ends the run for a limit of others. */
  end(stop: LimitStop): void {
    this.#stop ??= stop;
  }

  replayTurn(): void {
    this.#turns++;
  }

  /** Sets a call's most aside, with the summary's reserve left over; throws a {@linkcode LimitStop} when it does not fit. */
  async reserve(call: Estimate, reserve: Estimate): Promise<void> {
    this.#check({
      ...NO_AMOUNTS,
      maxTokens: call.tokens + reserve.tokens,
      maxCost: call.cost + reserve.cost,
    });
    this.#setAside(call);
    await this.#warnOnce();
  }

  /** True if a call is within all limits but turns and time. */
  fits(call: Estimate): boolean {
    return this.#passedBy(call) === undefined;
  }

  /**
   * Sets the most of a request aside that a call in flight needs; throws a {@linkcode LimitStop} when it does not fit. A
   * call that has begun is finished after a limit on turns or time.
   */
  reserveWithin(request: Estimate): void {
    const passed = this.#passedBy(request);
    if (passed !== undefined) {
      throw new LimitStop(passed, this.#limits[passed]!, this.#used()[passed]);
    }
    this.#setAside(request);
  }

  #passedBy(call: Estimate): LimitName | undefined {
    const asked = { ...NO_AMOUNTS, maxTokens: call.tokens, maxCost: call.cost };
    const { maxTokens, maxCost } = this.#limits;
    return firstPassed({ maxTokens, maxCost }, this.#used(), asked);
  }

  #setAside({ tokens, cost }: Estimate): void {
    this.#inFlight = { tokens: this.#inFlight.tokens + tokens, cost: this.#inFlight.cost + cost };
  }

  /** Gives back what a call had set aside. */
  release({ tokens, cost }: Estimate): void {
    this.#setAside({ tokens: -tokens, cost: -cost });
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
      maxCost: this.#cost + this.#inFlight.cost,
    };
  }

  #check(asked: Amounts): void {
    // A turn that was taken within maxTurns is finished: its calls go on.
    const finishing = this.#stop?.limit === "maxTurns" && asked.maxTurns === 0;
    if (this.#stop !== undefined && !finishing) throw this.#stop;
    const used = this.#used();
    const passed = firstPassed(this.#limits, used, asked);
    if (passed === undefined) return;
    const stop = new LimitStop(passed, this.#limits[passed]!, used[passed]);
    this.#stop ??= stop;
    throw stop;
  }

  async #warnOnce(): Promise<void> {
    const used = this.#used();
    for (const name of LIMIT_NAMES) {
      const max = this.#limits[name];
      if (
        max === undefined || this.#warned.has(name) ||
        used[name] < WARNING_SHARE * max
      ) continue;
      this.#warned.add(name);
      await this.#warn({ type: "limit-warning", limit: name, value: used[name], max });
    }
  }
}

/** A call that a gate is asked for. */
export interface GatedCall {
  /** The key of the turn or question. */
  readonly key: string;
  /** The agent or embedder that is asked. */
  readonly agent: Pick<Agent, "model" | "source">;
  /** The most that a request may use. */
  readonly estimate: Estimate;
  /** The most requests of the call: several, where the agent may call tools before the answer. */
  readonly requests: number;
}

/** Gate of several convenings together, which every request of an agent or embedder passes. */
export interface CallGate {
  /**
   * Waits until the request may be sent, and reserves its cost; gives the function that takes what was used, and for how
   * many milliseconds the provider wants no request. Fails with a `LimitStop` where the cost does not fit.
   */
  enter(
    call: GatedCall,
    signal: AbortSignal,
  ): Promise<(used: Usage, refusedMs?: number) => Promise<void>>;
}
