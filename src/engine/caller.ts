// The one place that calls agents: limits before, retries around, usage after.
import pRetry from "p-retry";
import {
  type Agent,
  type AgentReply,
  type AgentRequest,
  HUMAN,
  type RequestContext,
} from "../core/agent.ts";
import { type Clock, isoTime } from "../core/clock.ts";
import { AgentError, CancelledError, ConveningError, type UsedUp } from "../core/error.ts";
import { addUsage, type Made, NO_USAGE, type Usage } from "../core/message.ts";
import type { RetryOptions } from "../config/convening_config.ts";
import { type Prices, pricingOf } from "../config/prices.ts";
import { wellFormed } from "../core/well_formed.ts";
import type { Budget, Estimate } from "./budget.ts";
import type { WorkflowDesign } from "./workflow_options.ts";
import { RunStop } from "./people.ts";

/** Parts of the convening that the caller needs. */
interface CallerOptions {
  readonly budget: Budget;
  readonly clock: Clock;
  readonly retry: RetryOptions;
  readonly prices?: Prices | undefined;
  readonly embedded?: WorkflowDesign["embedded"];
  /** Sent to models where the user gave one. */
  readonly seed?: number | undefined;
  /** The most milliseconds of one attempt at a turn. */
  readonly turnMaxDuration?: number | undefined;
  /** True if the run is ending: failures are not tried again. */
  readonly ending: () => boolean;
  readonly signal: AbortSignal;
}

/** One answer, with what it used. */
export interface Called extends Made {
  readonly reply: AgentReply;
}

/** The provenance of an answer. */
export function madeOf({ model, usage, latencyMs, createdAt }: Made): Made {
  return { model, usage, latencyMs, createdAt };
}

/** Usage of the attempts behind an error. */
export function usageBehind({ usage }: AgentError): Usage {
  return usage === undefined ? NO_USAGE : { ...usage, costUsd: usage.costUsd ?? "unknown" };
}

/** The last of two answers that make one, with what both used. */
export function sumOf(first: Made, last: Called): Called {
  const usage = addUsage(first.usage, last.usage);
  return { ...last, usage, latencyMs: first.latencyMs + last.latencyMs };
}

/** One call and its estimate. */
export interface Call {
  readonly request: Omit<AgentRequest, "signal" | "seed">;
  readonly agent: Agent;
  readonly estimate: Estimate;
  /** Reserve for the summary. */
  readonly reserve: Estimate;
  /** Called when streamed text is void, as the request is sent again. */
  readonly onReset?: ((reason: string) => void) | undefined;
}

/** The one place that asks agents: limits before, retries around, usage after. */
export class Caller {
  readonly #options: CallerOptions;

  /** A caller for one run. */
  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Asks once, and again where that may help; throws a `LimitStop` before asking when a limit would be passed. */
  async call(
    { request, agent, estimate, reserve, onReset }: Call,
  ): Promise<Called> {
    const { budget, signal } = this.#options;
    if (signal.aborted) throw new CancelledError(signal.reason);
    await budget.reserve(estimate, reserve);
    try {
      return await this.#timed(agent, request, onReset);
    } finally {
      budget.release(estimate);
    }
  }

  /** Asks although a limit was hit: for the summary, which the limits kept room for. */
  callAfterStop(
    { request, agent }: Pick<Call, "request" | "agent">,
  ): Promise<Called> {
    return this.#timed(agent, request, undefined);
  }

  async #timed(
    agent: Agent,
    request: Call["request"],
    onReset: Call["onReset"],
  ): Promise<Called> {
    const { budget, clock, prices } = this.#options;
    await agent.load?.({ ...request, seed: this.#seedFor(request) });
    const pricing = await pricingOf(agent, prices);
    let usage = NO_USAGE;
    // Attempts without an answer are paid for too.
    const spend = (used: UsedUp) => {
      const cost = used.costUsd === undefined ? pricing(used) : { costUsd: used.costUsd };
      const priced = addUsage(NO_USAGE, { ...used, ...cost });
      budget.spend(priced);
      return usage = addUsage(usage, priced);
    };
    const started = clock.now();
    const { reasoning, ...answer } = wellFormed(
      await this.#retrying(agent, request, { onReset, spend }),
    );
    const isKept = request.keepReasoning === true && reasoning !== undefined;
    const reply = isKept ? { ...answer, reasoning } : answer;
    const latencyMs = clock.now() - started;
    return {
      reply,
      model: agent.model,
      usage: addUsage(usage, await this.#embedded()),
      latencyMs,
      createdAt: isoTime(clock),
    };
  }

  /** Usage of the embeddings that look-ups needed since the last call. */
  async #embedded(): Promise<Usage> {
    const { budget, prices, embedded } = this.#options;
    const made = embedded?.();
    if (made === undefined) return NO_USAGE;
    const { tokens } = made;
    const read = { inputTokens: tokens, cachedInputTokens: 0, outputTokens: 0 };
    const { costUsd, ...priced } = (await pricingOf(made, prices))(read);
    const usage: Usage = { ...read, embeddingTokens: tokens, costUsd, ...priced };
    budget.spend(usage);
    return usage;
  }

  async #retrying(
    agent: Agent,
    request: Call["request"],
    { onReset, spend }: Pick<Call, "onReset"> & { readonly spend: (used: UsedUp) => Usage },
  ): Promise<AgentReply> {
    const { retry, signal, ending } = this.#options;
    const seed = this.#seedFor(request);
    let lost: Usage | undefined;
    const ask = () =>
      this.#limited(agent, { ...request, seed }).catch((error: unknown) => {
        if (error instanceof AgentError && error.usage !== undefined) lost = spend(error.usage);
        throw error;
      });
    try {
      const reply = await withRetries(ask, { retry, signal, ending, onReset });
      spend(reply.usage);
      return reply;
    } catch (error) {
      throw this.#named(error, agent, request.context, lost);
    }
  }

  /** The user's seed, another for each asking of the same question, so that a fixed seed does not repeat the answer. */
  #seedFor({ asking = 0 }: Call["request"]): number | undefined {
    const { seed } = this.#options;
    return seed === undefined ? undefined : seed + asking;
  }

  async #limited(agent: Agent, request: AgentRequest): Promise<AgentReply> {
    const { signal, turnMaxDuration } = this.#options;
    // A person's time is `personTimeout`.
    const timed = request.context.purpose === "turn" && agent.model !== HUMAN;
    if (turnMaxDuration === undefined || !timed) {
      return await agent.reply({ ...request, signal });
    }
    const deadline = AbortSignal.timeout(turnMaxDuration);
    try {
      return await agent.reply({
        ...request,
        signal: AbortSignal.any([signal, deadline]),
      });
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      throw new AgentError(
        "agent_timeout",
        `Cannot wait longer for model "${agent.model}": the turn took over ${turnMaxDuration} ms`,
        { retryable: true, hint: "Raise turnMaxDuration.", cause: error },
      );
    }
  }

  /** The error, with the turn and the speaker in its message and the usage of all attempts. */
  #named(error: unknown, agent: Agent, context: RequestContext, usage?: Usage): unknown {
    if (this.#options.signal.aborted) {
      return new CancelledError(this.#options.signal.reason);
    }
    const where = `turn "${context.key}" of ${context.label}`;
    if (error instanceof AgentError) {
      return new AgentError(error.code, `${error.message} (${where})`, {
        retryable: error.retryable,
        retryAfter: error.retryAfter,
        status: error.status,
        hint: error.hint,
        field: error.field,
        usage,
        cause: error,
      });
    }
    if (error instanceof ConveningError || error instanceof RunStop) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new AgentError(
      "agent_bad_reply",
      `Cannot get an answer from "${agent.model}": ${reason} (${where})`,
      {
        cause: error,
      },
    );
  }
}

/** Milliseconds for which a provider may have too many requests; and those that each refusal counts at least. */
const LONGEST_BUSY = 600_000;
const SHORTEST_BUSY = 1000;

/** Asks until an answer comes, an error says that asking again is no use, or the retries are used up. */
export function withRetries<T>(
  ask: () => Promise<T>,
  { retry = {}, signal, ending = () => false, onReset }: {
    readonly retry?: RetryOptions | undefined;
    readonly signal?: AbortSignal | undefined;
    /** True if the run is ending: failures are not tried again. @default never */
    readonly ending?: (() => boolean) | undefined;
    /** Called with the reason before each retry. @default nothing is called */
    readonly onReset?: ((reason: string) => void) | undefined;
  },
): Promise<T> {
  const { retries = 4, minWait = 1000, maxWait = 30_000, maxRetryAfter = 120_000 } = retry;
  let busy = 0;
  return pRetry(ask, {
    retries,
    minTimeout: minWait,
    maxTimeout: Math.max(minWait, maxWait),
    randomize: true,
    ...(signal === undefined ? {} : { signal }),
    // A provider with too many requests is no fault of this one: it waits, for a time of its own.
    shouldConsumeRetry: ({ error }) => {
      if (!(error instanceof AgentError) || error.code !== "agent_rate_limited") return true;
      busy += Math.max(error.retryAfter ?? minWait, SHORTEST_BUSY);
      return busy > LONGEST_BUSY;
    },
    shouldRetry: ({ error }) =>
      !ending() && error instanceof AgentError && error.retryable &&
      (error.retryAfter ?? 0) <= maxRetryAfter,
    onFailedAttempt: async ({ error, retriesLeft, retryDelay }) => {
      if (!(error instanceof AgentError) || !error.retryable || retriesLeft === 0) return;
      onReset?.(error.message);
      const usual = error.code === "agent_rate_limited" ? minWait : 0;
      const asked = error.retryAfter ?? usual;
      if (asked > maxRetryAfter || ending()) return;
      await wait(asked - (retryDelay ?? 0), signal);
    },
  });
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
