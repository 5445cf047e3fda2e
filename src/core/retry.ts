// Retries of requests to models and search servers.
import pRetry from "p-retry";
import { pause } from "./clock.ts";
import { AgentError, SearchError } from "./error.ts";
import type { RetryOptions } from "./key_rules.ts";

/** Total milliseconds of rate limiting after which a call fails. */
const MAX_RATE_LIMITED = 600_000;
/** Milliseconds that each rate-limited attempt counts at least. */
export const MIN_RATE_LIMITED = 1000;

/** Calls `ask` with exponential backoff until it succeeds, fails with an error that is not retryable, or has used its retries. */
export function withRetries<T>(
  ask: () => Promise<T>,
  { retry = {}, signal, ending, onReset, onBusy }: {
    readonly retry?: RetryOptions | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Aborts when the run ends: a call that waits for its retry fails at once, and no retry follows. @default never */
    readonly ending?: AbortSignal | undefined;
    /** Called with the reason before each retry. @default nothing is called */
    readonly onReset?: ((reason: string) => void) | undefined;
    /** Called with the milliseconds of each wait for a busy server; may throw to end the call. @default nothing is called */
    readonly onBusy?: ((wait: number) => void) | undefined;
  },
): Promise<T> {
  const { retries = 4, minWait = 1000, maxWait = 30_000, maxRetryAfter = 120_000 } = retry;
  const isRateLimit = (error: unknown): error is AgentError =>
    error instanceof AgentError && error.code === "agent_rate_limited";
  const mayPass = (error: unknown): error is AgentError | SearchError => {
    if (!(error instanceof AgentError || error instanceof SearchError)) return false;
    const { retryable, retryAfter = 0, maxWait = maxRetryAfter } = error as Partial<AgentError>;
    return ending?.aborted !== true && retryable === true && retryAfter <= maxWait;
  };
  let busy = 0;
  /** True if the last failure used up a retry. */
  let isCounted = true;
  const isLast = (retriesLeft: number) => isCounted && retriesLeft === 1;
  const stopped = AbortSignal.any([signal, ending].filter((each) => each !== undefined));
  return pRetry(ask, {
    // One more, which no failure uses up: without one left, the package retries no rate limit either.
    retries: retries + 1,
    minTimeout: 0,
    signal,
    // Rate limits use up no retries; MAX_RATE_LIMITED bounds them instead.
    shouldConsumeRetry: ({ error }) => {
      if (isRateLimit(error)) busy += Math.max(error.retryAfter ?? minWait, MIN_RATE_LIMITED);
      return isCounted = !isRateLimit(error) || busy > MAX_RATE_LIMITED;
    },
    shouldRetry: ({ error, retriesLeft }) => mayPass(error) && !isLast(retriesLeft),
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft, retriesConsumed }) => {
      if (!mayPass(error) || isLast(retriesLeft)) return;
      const backoff = minWait * 2 ** retriesConsumed * (1 + Math.random());
      const least = isRateLimit(error) ? minWait : 0;
      // A provider that stays busy gets a request per `minWait` even if it asks for no wait.
      const { retryAfter: asked = least } = error;
      const wait = Math.max(
        isCounted ? Math.min(backoff, Math.max(minWait, maxWait)) : 0,
        attemptNumber > 1 ? Math.max(asked, least) : asked,
      );
      if (isRateLimit(error) || error.retryAfter !== undefined) onBusy?.(wait);
      onReset?.(error.message);
      // Once a signal has aborted, no retry follows.
      await pause(wait, stopped).catch(() => {});
    },
  });
}
