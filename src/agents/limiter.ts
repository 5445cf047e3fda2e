// Limits of requests: the rate limiter of a provider, one for each origin and key of the process, and deadlines.
import { sha256 } from "../core/message.ts";
import type { ProfileKeys } from "../core/profile.ts";

/** Requests in flight at first, and at most, where nothing is known of the provider. */
const USUAL = { start: 8, max: 32 } as const;
/** Milliseconds of a pause after a refusal that names none. */
const USUAL_PAUSE = 1000;
/** The longest pause in milliseconds; a provider that asks for more ends the run that asked. */
export const LONGEST_PAUSE = 120_000;
/** Milliseconds for which a limit that the provider refused is not tried again. */
const CEILING_LIFE = 60_000;
/** The shortest pause, or lengthening of a pause, in milliseconds that readers hear of. */
const HEARD_PAUSE = 1000;
/** Milliseconds over which waiting requests begin after a pause. */
const SPREAD = 100;

/** The state of a limiter. */
export interface LimiterState {
  /** The server. */
  readonly origin: string;
  /** Requests that may be in flight now. */
  readonly limit: number;
  /** Requests in flight. */
  readonly active: number;
  /** Requests that wait. */
  readonly waiting: number;
  /** Milliseconds until requests are sent again. */
  readonly pausedMs: number;
}

interface Waiting {
  readonly priority: number;
  readonly go: () => void;
}

interface LimiterOptions {
  readonly start?: number | undefined;
  readonly max?: number | undefined;
  /** Called with the end of a pause of a second or more, and with a later end. @default nothing is called */
  readonly onPause?: ((until: number) => void) | undefined;
}

/**
 * Bounds the requests in flight: one more for each limit's worth of successes, half as many after a refusal. A refusal
 * pauses all requests, and its limit is not tried again for a minute.
 */
export class Limiter {
  readonly #max: number;
  readonly #onPause: LimiterOptions["onPause"];
  #limit: number;
  #active = 0;
  #successes = 0;
  #pausedUntil = 0;
  #ceiling = Infinity;
  #ceilingUntil = 0;
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ max = USUAL.max, start = USUAL.start, onPause }: LimiterOptions = {}) {
    this.#max = max;
    this.#onPause = onPause;
    this.#limit = Math.min(start, max);
  }

  /** The state, for progress and health. */
  get state(): Omit<LimiterState, "origin"> {
    return {
      limit: Math.floor(this.#limit),
      active: this.#active,
      waiting: this.#waiting.length,
      pausedMs: Math.max(0, this.#pausedUntil - Date.now()),
    };
  }

  /** Makes a request when there is room; a lower priority number goes first, equal ones in order. */
  async run<T>(
    { priority = 0, signal }: {
      readonly priority?: number | undefined;
      readonly signal?: AbortSignal | undefined;
    },
    request: () => Promise<T>,
  ): Promise<T> {
    await this.#enter(priority, signal);
    try {
      return await request();
    } finally {
      this.#active--;
      this.#pump();
    }
  }

  succeeded(): void {
    if (Date.now() > this.#ceilingUntil) this.#ceiling = Infinity;
    const most = Math.min(this.#max, this.#ceiling);
    if (++this.#successes < this.#limit || this.#limit >= most) return;
    this.#limit++;
    this.#successes = 0;
    this.#pump();
  }

  /** The provider refused a request because there were too many; nothing is sent for a while. */
  refused(retryAfter: number | undefined): void {
    const now = Date.now();
    // A longer wait than the longest pause ends a run: each request hears of it from the provider itself.
    const asked = retryAfter ?? USUAL_PAUSE;
    const pause = asked > LONGEST_PAUSE ? 0 : asked;
    // A refusal during a pause belongs to the burst that caused the pause.
    if (now >= this.#pausedUntil) {
      this.#ceiling = Math.max(1, this.#limit - 1);
      this.#ceilingUntil = now + CEILING_LIFE;
      this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    }
    this.#successes = 0;
    this.#pause(pause);
  }

  /** Takes what a reply's headers say is left of the limit: with nothing left, nothing is sent until the reset. */
  heed(headers: Headers): void {
    for (const { remaining, reset } of HEADERS) {
      const left = headers.get(remaining);
      const wait = left === null || Number(left) > 0 ? undefined : resetIn(headers.get(reset));
      if (wait === undefined) continue;
      this.#pause(Math.min(wait, LONGEST_PAUSE));
    }
  }

  #pause(wait: number): void {
    const now = Date.now();
    const until = now + wait;
    const longer = until - Math.max(this.#pausedUntil, now);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    if (longer >= HEARD_PAUSE) this.#onPause?.(until);
  }

  #enter(priority: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting = this.#waiting.filter((each) => each !== own);
        this.#pump();
        reject(signal!.reason);
      };
      const own: Waiting = {
        priority,
        go: () => {
          signal?.removeEventListener("abort", stop);
          this.#active++;
          resolve();
        },
      };
      signal?.addEventListener("abort", stop, { once: true });
      const at = this.#waiting.findIndex((each) => each.priority > priority);
      this.#waiting.splice(at === -1 ? this.#waiting.length : at, 0, own);
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#waiting.length === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    const wait = this.#pausedUntil - Date.now();
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

/** The headers that say how many requests are left and when there are more. */
const HEADERS = ["requests", "tokens"].flatMap((what) => [
  { remaining: `x-ratelimit-remaining-${what}`, reset: `x-ratelimit-reset-${what}` },
  {
    remaining: `anthropic-ratelimit-${what}-remaining`,
    reset: `anthropic-ratelimit-${what}-reset`,
  },
]);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds until a reset that is written as `6m0s`, in seconds, or as a date. */
function resetIn(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === text) {
    return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit!]!, 0);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const limiters = new Map<string, { readonly origin: string; readonly limiter: Limiter }>();

/** The limits of a profile, and over them the number of requests in flight that the user set. */
interface Bounds extends Pick<ProfileKeys, "limits"> {
  readonly maxConcurrency?: number | undefined;
}

/** A pause of a provider that asked for it. */
export interface ProviderPause {
  /** Host of the server, or name of the provider. */
  readonly provider: string;
  /** The end of the pause, in milliseconds since 1970. */
  readonly until: number;
}

const listeners = new Set<(pause: ProviderPause) => void>();

/** Has a listener hear of each pause of a provider; gives the function that ends that. */
export function onProviderPause(listener: (pause: ProviderPause) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A limiter of a provider within these bounds that no other agent shares. */
export function limiterWithin(provider: string, { limits, maxConcurrency }: Bounds): Limiter {
  const max = maxConcurrency ?? (limits?.max === "total_slots" ? undefined : limits?.max);
  const onPause = (until: number) => {
    for (const listener of listeners) listener({ provider, until });
  };
  return new Limiter({ start: limits?.start, max, onPause });
}

/** The limiter of a server and key; its limits are those of the first request. */
export function limiterOf(
  { baseUrl, apiKey = "" }: { readonly baseUrl: string; readonly apiKey?: string | undefined },
  bounds: Bounds = {},
): Limiter {
  const { origin, host } = new URL(baseUrl);
  const key = `${origin} ${sha256(apiKey)}`;
  let found = limiters.get(key);
  if (found === undefined) {
    found = { origin, limiter: limiterWithin(host, bounds) };
    limiters.set(key, found);
  }
  return found.limiter;
}

/** The state of each provider that requests were sent to. */
export function limiterStates(): LimiterState[] {
  return [...limiters.values()].map(({ origin, limiter }) => ({ origin, ...limiter.state }));
}

type Expiry = "cancelled" | "idle" | "total";

interface DeadlineOptions {
  /** Milliseconds without a sign of life, and altogether. */
  readonly idle: number;
  readonly total: number;
  /** Ends the request early, as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An idle and a total deadline over one request, and the caller's own signal, as one `signal`.
 *
 * One timer serves both: a sign of life only notes the time, and the timer, when it fires early, is set again.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #options: DeadlineOptions;
  readonly #start = performance.now();
  #last = this.#start;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expiry: Expiry | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted) this.#expire("cancelled");
    else {
      signal?.addEventListener("abort", this.#onAbort, { once: true });
      this.#arm(this.#start);
    }
  }

  /** Aborts when a deadline is reached or the caller's signal is. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get expiry(): Expiry | undefined {
    return this.#expiry;
  }

  /** A sign of life: the idle clock starts anew. */
  touch(): void {
    this.#last = performance.now();
  }

  /** Lets go of the timer and of the caller's signal. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => this.#expire("cancelled");

  readonly #check = (): void => {
    const now = performance.now();
    if (now - this.#start >= this.#options.total) this.#expire("total");
    else if (now - this.#last >= this.#options.idle) this.#expire("idle");
    else this.#arm(now);
  };

  #arm(now: number): void {
    const { idle, total } = this.#options;
    const left = Math.min(idle - (now - this.#last), total - (now - this.#start));
    // A timer may fire a little early; the largest delay it takes is 2^31 - 1.
    const delay = Math.min(Math.max(Math.ceil(left), 1), 2 ** 31 - 1);
    this.#timer = setTimeout(this.#check, delay);
  }

  #expire(expiry: Expiry): void {
    this.#expiry ??= expiry;
    this[Symbol.dispose]();
    this.#controller.abort();
  }
}
