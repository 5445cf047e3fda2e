// Limits on turns, tokens, cost and time.
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

/** The most that one call may use. */
export interface Estimate {
  readonly tokens: number;
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

  /** A budget of which nothing is used. */
  constructor(
    limits: Limits,
    clock: Clock,
    warn: (event: EventBody) => Promise<void>,
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#started = clock.now();
    this.#warn = warn;
  }

  /** Everything used so far, over the whole record. */
  get usage(): Usage {
    return this.#usage;
  }

  /** The first limit that was hit. */
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

  /** Counts a turn that the record already held. */
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
    this.#inFlight = {
      tokens: this.#inFlight.tokens + call.tokens,
      cost: this.#inFlight.cost + call.cost,
    };
    await this.#warnOnce();
  }

  /** True if a call is within all limits but turns and time. */
  fits(call: Estimate): boolean {
    const asked = { ...NO_AMOUNTS, maxTokens: call.tokens, maxCost: call.cost };
    const { maxTokens, maxCost } = this.#limits;
    return firstPassed({ maxTokens, maxCost }, this.#used(), asked) ===
      undefined;
  }

  /** Gives back what a call had set aside. */
  release(call: Estimate): void {
    this.#inFlight = {
      tokens: this.#inFlight.tokens - call.tokens,
      cost: this.#inFlight.cost - call.cost,
    };
  }

  /** Adds what was used. */
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
      await this.#warn({
        type: "limit-warning",
        limit: name,
        value: used[name],
        max,
      });
    }
  }
}
