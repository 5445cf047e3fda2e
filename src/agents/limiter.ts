// Limits requests to providers: an adaptive concurrency limiter per origin and key.
import { steadyClock, systemClock, waitIn } from "../core/clock.ts";
import { type AgentError, CancelledError, isLoading } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import type { ProfileKeys } from "../core/profile.ts";

/** Default concurrency: at the start, and at most. */
const DEFAULTS = { start: 8, max: 32 } as const;
/** Milliseconds of a pause after a rate-limit error without `retry-after`. */
const DEFAULT_PAUSE = 1000;
/** The longest pause in milliseconds; if a provider asks for more, the request fails. */
export const LONGEST_PAUSE = 120_000;
/** Milliseconds, from the first rejection, for which the limiter stays below a limit that the provider rejected. */
const CEILING_LIFE = 60_000;
/** The shortest pause, or extension of a pause, in milliseconds that listeners are called for. */
const MIN_REPORTED_PAUSE = 1000;
/** The most milliseconds of random delay after a pause. */
const SPREAD = 100;
/** Reason of a pause for which the provider gave no other. */
const RATE_LIMIT = "rate limit";

/** The state of a limiter. */
export interface LimiterState {
  /** Origin of the server. */
  readonly origin: string;
  /** The most concurrent requests now. */
  readonly limit: number;
  /** Requests in flight. */
  readonly active: number;
  /** Queued requests. */
  readonly waiting: number;
  /** Milliseconds until the pause ends; 0 without a pause. */
  readonly pausedMs: number;
}

/** Signals of a request that may wait. */
interface WaitSignals {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the wait if the limiter is paused. */
  readonly ending?: AbortSignal | undefined;
}

interface Waiting extends Pick<WaitSignals, "ending"> {
  readonly priority: number;
  readonly go: () => void;
  readonly leave: () => void;
}

interface LimiterOptions {
  readonly start?: number | undefined;
  readonly max?: number | undefined;
  /** Called with end and reason of a pause of a second or more, and again if the pause is extended. @default nothing is called */
  readonly onPause?: ((until: number, reason: string) => void) | undefined;
}

/**
 * Limits concurrent requests by additive increase and multiplicative decrease: one more after as many successes as the limit, half
 * as many after a rate-limit error. Such an error also pauses all requests, and caps the limit below the failed one, until a minute
 * after the first cap. A level that succeeded within a minute is never capped, and is reached again by one more after each success.
 */
export class Limiter {
  #max: number;
  readonly #start: number;
  readonly #onPause: LimiterOptions["onPause"];
  #limit: number;
  #active = 0;
  #successes = 0;
  #pausedUntil = 0;
  /** Temporary maximum of the limit, and the end of its validity. */
  #ceiling = Infinity;
  #ceilingUntil = 0;
  /** Highest limit at which as many requests succeeded, and the end of its validity: rare errors do not depend on the load. */
  #proven = 0;
  #provenUntil = 0;
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ max = DEFAULTS.max, start = DEFAULTS.start, onPause }: LimiterOptions = {}) {
    this.#max = max;
    this.#start = start;
    this.#onPause = onPause;
    this.#limit = Math.min(start, max);
  }

  /** Current state, for progress displays and health checks. */
  get state(): Omit<LimiterState, "origin"> {
    return {
      limit: Math.floor(this.#limit),
      active: this.#active,
      waiting: this.#waiting.length,
      pausedMs: Math.max(0, Math.ceil(this.#pausedUntil - steadyClock.now())),
    };
  }

  /** Runs a request as soon as the limit allows; lower priority numbers go first, equal ones in FIFO order. */
  async run<T>(
    { priority = 0, ...signals }: WaitSignals & { readonly priority?: number | undefined },
    request: () => Promise<T>,
  ): Promise<T> {
    await this.#enter(priority, signals);
    try {
      return await request();
    } finally {
      this.#active--;
      this.#pump();
    }
  }

  /**
   * Replaces the most concurrent requests; running requests are not interrupted. A limit that only a lower maximum held, and no
   * rejection within the minute of the cap, starts anew.
   */
  set max(max: number) {
    const isHeld = this.#limit === this.#max && steadyClock.now() > this.#ceilingUntil;
    this.#max = max;
    this.#limit = Math.min(isHeld ? Math.max(this.#limit, this.#start) : this.#limit, max);
    this.#pump();
  }

  /** Counts a successful request, which may raise the limit. */
  succeeded(): void {
    const now = steadyClock.now();
    if (now > this.#ceilingUntil) this.#ceiling = Infinity;
    const isProven = this.#limit < this.#proven;
    if (++this.#successes < this.#limit && !isProven) return;
    if (!isProven) {
      this.#proven = this.#limit;
      this.#provenUntil = now + CEILING_LIFE;
    }
    if (this.#limit >= Math.min(this.#max, this.#ceiling)) return;
    this.#limit++;
    this.#successes = 0;
    this.#pump();
  }

  /** Handles a rate-limit error: halves the limit and pauses for `retryAfter` milliseconds. */
  rateLimited(retryAfter = DEFAULT_PAUSE, maxWait = LONGEST_PAUSE, reason = RATE_LIMIT): void {
    const now = steadyClock.now();
    // An error during a pause belongs to the burst that caused the pause.
    if (now >= this.#pausedUntil) {
      if (now > this.#provenUntil) this.#proven = 0;
      this.#ceiling = Math.max(1, this.#limit - 1, this.#proven);
      // Later errors do not extend the minute, or the limit would stay at 1.
      if (now > this.#ceilingUntil) this.#ceilingUntil = now + CEILING_LIFE;
      this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    }
    this.#successes = 0;
    // Do not pause beyond the maximum: the provider then rejects each request, which ends the run.
    this.#pause(retryAfter > maxWait ? 0 : retryAfter, reason);
  }

  /** Handles a failed request: a rate-limit or overload error that may be retried limits the requests. */
  failed(error: AgentError, headers?: Headers): void {
    const { status, retryable, retryAfter, maxWait } = error;
    const isBusy = status === 429 || status === 529 || status === 503 && retryAfter !== undefined;
    if (!retryable || !isBusy) return;
    const reason = isLoading(error) ? "its model is loading" : "it is overloaded";
    this.rateLimited(retryAfter, maxWait, status === 429 ? RATE_LIMIT : reason);
    if (headers !== undefined && retryAfter === undefined) this.readHeaders(headers);
  }

  /** Reads the rate-limit headers of a response; pauses until the reset if no quota is left. */
  readHeaders(headers: Headers): void {
    for (const [remaining, reset] of HEADERS) {
      const left = headers.get(remaining);
      const isUsedUp = left !== null && Number(left) <= 0;
      const wait = isUsedUp ? resetIn(headers.get(reset)) : undefined;
      if (wait !== undefined) this.#pause(Math.min(wait, LONGEST_PAUSE), RATE_LIMIT);
    }
  }

  #pause(wait: number, reason: string): void {
    const now = steadyClock.now();
    const until = now + wait;
    const longer = Math.round(until - Math.max(this.#pausedUntil, now));
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    if (longer >= MIN_REPORTED_PAUSE) this.#onPause?.(systemClock.now() + wait, reason);
  }

  #enter(priority: number, { signal, ending }: WaitSignals): Promise<void> {
    if (signal?.aborted) throw new CancelledError(signal.reason);
    return new Promise((resolve, reject) => {
      const pump = () => this.#pump();
      const stop = () => {
        this.#waiting = this.#waiting.filter((each) => each !== entry);
        entry.leave();
        this.#pump();
      };
      const settle = () => {
        signal?.removeEventListener("abort", stop);
        ending?.removeEventListener("abort", pump);
      };
      const entry: Waiting = {
        priority,
        ending,
        go: () => {
          settle();
          this.#active++;
          resolve();
        },
        leave: () => {
          settle();
          reject(new CancelledError((signal?.aborted ? signal : ending)?.reason));
        },
      };
      signal?.addEventListener("abort", stop);
      ending?.addEventListener("abort", pump);
      const at = this.#waiting.findIndex((each) => each.priority > priority);
      this.#waiting.splice(at === -1 ? this.#waiting.length : at, 0, entry);
      this.#pump();
    });
  }

  #pump(): void {
    const wait = this.#pausedUntil - steadyClock.now();
    if (wait > 0) {
      const ended = this.#waiting.filter(({ ending }) => ending?.aborted);
      this.#waiting = this.#waiting.filter(({ ending }) => ending?.aborted !== true);
      for (const each of ended) each.leave();
    }
    if (this.#waiting.length === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    if (wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#pump();
      }, wait + Math.random() * SPREAD);
      return;
    }
    while (this.#active < Math.floor(this.#limit) && this.#waiting.length > 0) {
      this.#waiting.shift()!.go();
    }
  }
}

/** Names of rate-limit headers. */
const HEADERS = ["requests", "tokens"].flatMap((what) => [
  [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`] as const,
  [`anthropic-ratelimit-${what}-remaining`, `anthropic-ratelimit-${what}-reset`] as const,
]);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a reset header, such as `6m0s`, a number of seconds, or a date; returns the milliseconds until then. */
function resetIn(text: string | null): number | undefined {
  const parts = [...(text ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return waitIn(text);
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit!]!, 0);
}

/** Limiters of the process by origin and hashed key. */
const limiters = new Map<string, { readonly origin: string; readonly limiter: Limiter }>();

/** A pause that a provider asked for. */
export interface ProviderPause {
  /** Host of the server, or name of the provider. */
  readonly provider: string;
  /** End of the pause in milliseconds since the epoch. */
  readonly until: number;
  /** Reason for which the server takes no requests, such as `rate limit`. */
  readonly reason: string;
}

const listeners = new Set<(pause: ProviderPause) => void>();

/** Adds a listener for pauses of providers; returns a function that removes the listener. */
export function onProviderPause(listener: (pause: ProviderPause) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Returns the limiter that agents and embedders of a server and key share; the bounds of the first call hold, but a later
 * `maxConcurrency` replaces the earlier one. An SDK instance without a URL has its own.
 */
export async function limiterOf(
  url: string | undefined,
  { provider, apiKey = "", limits, maxConcurrency }: Pick<ProfileKeys, "limits"> & {
    /** Name in pauses, if there is no URL. */
    readonly provider: string;
    readonly apiKey?: string | undefined;
    /** The user's maximum, before that of the profile's `limits`. */
    readonly maxConcurrency?: number | undefined;
  },
): Promise<Limiter> {
  const { origin = "", host = provider } = url === undefined ? {} : new URL(url);
  const most = limits?.max === "total_slots" ? undefined : limits?.max;
  const key = `${origin} ${sha256(apiKey)}`;
  const isAsked = url !== undefined && limits?.max !== most && maxConcurrency === undefined &&
    !limiters.has(key);
  const max = isAsked
    ? await (await import("./local_servers.ts")).totalSlots(origin, apiKey)
    : maxConcurrency ?? most;
  const known = url === undefined ? undefined : limiters.get(key);
  if (known !== undefined) {
    if (maxConcurrency !== undefined) known.limiter.max = maxConcurrency;
    return known.limiter;
  }
  const onPause = (until: number, reason: string) => {
    for (const listener of listeners) listener({ provider: host, until, reason });
  };
  const limiter = new Limiter({ start: limits?.start, max, onPause });
  if (url !== undefined) limiters.set(key, { origin, limiter });
  return limiter;
}

export function limiterStates(): LimiterState[] {
  return [...limiters.values()].map(({ origin, limiter }) => ({ origin, ...limiter.state }));
}
