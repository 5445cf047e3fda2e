// The one place that calls agents: limits before, retries around, usage after; and answers that are kept until a fact carries them.
import pRetry from "p-retry";
import { type Clock, isoTime, pause } from "../core/clock.ts";
import { AgentError, CancelledError, ConveningError, type UsedUp } from "../core/error.ts";
import { addUsage, type Made, NO_USAGE, sha256, type Usage } from "../core/message.ts";
import type { RetryOptions } from "../config/convening_config.ts";
import { pricingOf } from "../config/prices.ts";
import {
  type Agent,
  type AgentReply,
  type AgentRequest,
  isWaitedFor,
  MAX_TOOL_ITERATIONS,
  type ReplyRounds,
  type RequestContext,
} from "../core/agent.ts";
import { wellFormed } from "../core/text.ts";
import type { EmbeddingMeter } from "../core/search.ts";
import { LimitStop } from "../core/limit.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import type { Budget, CallGate, Estimate } from "./budget.ts";
import { RunStop } from "./people.ts";
import { z } from "zod";
import { replyUsage, type Schema, servedReply, toolTrace } from "../core/schema.ts";
import { memo } from "../core/values.ts";
import type { AnswerShelf, KeptAnswer } from "../core/record.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

interface CallerOptions
  extends Pick<WorkflowOptions, "retry" | "prices" | "gate" | "turnMaxDuration"> {
  readonly budget: Budget;
  readonly clock: Clock;
  /** Sent to models where the user gave one. */
  readonly seed?: number | undefined;
  /** True if the run is ending: failures are not tried again. */
  readonly ending: () => boolean;
  readonly signal: AbortSignal;
}

export interface Called extends Made {
  readonly reply: AgentReply;
}

export function madeOf({ model, usage, latencyMs, createdAt }: Made): Made {
  return { model, usage, latencyMs, createdAt };
}

/** Takes the usage of the attempts behind an error: a fold that fails may fail several turns and questions, and counts once. */
export function usageBehind(error: AgentError): Usage {
  const { usage } = error;
  error.usage = undefined;
  return usage === undefined ? NO_USAGE : { ...usage, costUsd: usage.costUsd ?? "unknown" };
}

/** The last of two answers that make one, with what both used. */
export function sumOf(first: Made, last: Called): Called {
  const usage = addUsage(first.usage, last.usage);
  return { ...last, usage, latencyMs: first.latencyMs + last.latencyMs };
}

export interface Call {
  readonly request: Omit<AgentRequest, "signal" | "seed">;
  readonly agent: Agent;
  readonly estimate: Estimate;
  readonly reserve: Estimate;
  /** Called when streamed text is void, as the request is sent again. */
  readonly onReset?: ((reason: string) => void) | undefined;
}

/** The one place that asks agents: limits before, retries around, usage after. */
export class Caller {
  readonly #options: CallerOptions;
  /** Usage of the embeddings that look-ups needed since the last call. */
  #embedded = NO_USAGE;
  #embeddings = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** True if calls need an estimate. */
  get counts(): boolean {
    return this.#options.budget.counts || this.#options.gate !== undefined;
  }

  /** Asks once, and again where that may help; throws a `LimitStop` before asking when a limit would be passed. */
  async call({ request, agent, estimate, reserve, onReset }: Call): Promise<Called> {
    const { budget, signal } = this.#options;
    if (signal.aborted) throw new CancelledError(signal.reason);
    await budget.reserve(estimate, reserve);
    try {
      return await this.callUnlimited({ request, agent, estimate, onReset });
    } finally {
      budget.release(estimate);
    }
  }

  /** Asks although a limit may be hit: for the summary, which the limits kept room for. */
  async callUnlimited(call: Omit<Call, "reserve">): Promise<Called> {
    const { budget, clock, prices } = this.#options;
    const { agent, request } = call;
    await agent.load?.({ ...request, seed: this.#seedFor(request) });
    const pricing = await pricingOf(agent, prices);
    let usage = NO_USAGE;
    // Attempts without an answer are paid for too.
    const spend = (used: UsedUp) => {
      const cost = used.costUsd === undefined ? pricing(used) : { costUsd: used.costUsd };
      const priced = addUsage(NO_USAGE, { ...used, ...cost });
      budget.spend(priced);
      usage = addUsage(usage, priced);
      return { priced, all: usage };
    };
    const started = clock.now();
    const { reasoning, ...answer } = wellFormed(await this.#retrying(call, spend));
    const isKept = request.keepReasoning === true && reasoning !== undefined;
    const reply = isKept ? { ...answer, reasoning } : answer;
    const latencyMs = clock.now() - started;
    const embedded = this.#embedded;
    this.#embedded = NO_USAGE;
    return {
      reply,
      model: agent.model,
      usage: addUsage(usage, embedded),
      latencyMs,
      createdAt: isoTime(clock),
    };
  }

  /** Reserves a request of embeddings within the limits; one that does not fit ends the run. */
  readonly meter: EmbeddingMeter = async (embedder, texts) => {
    const { budget, gate, prices, signal } = this.#options;
    const pricing = await pricingOf(embedder, prices);
    const usageOf = (tokens: number): Usage => {
      const read = { inputTokens: tokens, cachedInputTokens: 0, outputTokens: 0 };
      return { ...read, embeddingTokens: tokens, ...pricing(read) };
    };
    const count = this.counts ? await loadTokenCounter() : () => 0;
    const tokens = texts.reduce((sum, text) => sum + count(text), 0);
    const { costUsd } = usageOf(tokens);
    const estimate = { tokens, cost: costUsd === "unknown" ? 0 : costUsd };
    const key = `embeddings/${++this.#embeddings}`;
    const enter = async () => {
      budget.reserveWithin(estimate);
      try {
        return await gate?.enter({ key, agent: embedder, estimate, requests: 1 }, signal);
      } catch (error) {
        budget.release(estimate);
        throw error;
      }
    };
    const leave = await enter().catch((error: unknown) => {
      if (!(error instanceof LimitStop)) throw error;
      budget.end(error);
      throw new CancelledError(error.reason);
    });
    return async (read) => {
      const used = read === 0 ? NO_USAGE : usageOf(read);
      budget.release(estimate);
      budget.spend(used);
      this.#embedded = addUsage(this.#embedded, used);
      await leave?.(used);
    };
  };

  async #retrying(
    { agent, request, estimate, onReset }: Omit<Call, "reserve">,
    spend: (used: UsedUp) => { readonly priced: Usage; readonly all: Usage },
  ): Promise<AgentReply> {
    const { budget, retry, signal, ending, gate } = this.#options;
    const seed = this.#seedFor(request);
    const { key } = request.context;
    const requests = (request.tools ?? []).length === 0 ? 1 : MAX_TOOL_ITERATIONS + 1;
    let lost: Usage | undefined;
    let refused: LimitStop | undefined;
    const attempt = async (leave: Awaited<ReturnType<CallGate["enter"]>> | undefined) => {
      let used = NO_USAGE;
      let refusedMs: number | undefined;
      try {
        const reply = await this.#limited(agent, { ...request, seed });
        used = spend(reply.usage).priced;
        return reply;
      } catch (error) {
        if (!(error instanceof AgentError)) throw error;
        if (error.usage !== undefined) ({ priced: used, all: lost } = spend(error.usage));
        if (error.code === "agent_rate_limited") refusedMs = error.retryAfter ?? SHORTEST_BUSY;
        throw error;
      } finally {
        await leave?.(used, refusedMs);
      }
    };
    const ask = async () => {
      try {
        return await attempt(await gate?.enter({ key, agent, estimate, requests }, signal));
      } catch (error) {
        // A stop is no error, and no retry may follow.
        if (!(error instanceof LimitStop)) throw error;
        refused = error;
        throw new CancelledError(error.reason);
      }
    };
    try {
      return await withRetries(ask, { retry, signal, ending, onReset });
    } catch (error) {
      if (refused !== undefined) budget.end(refused);
      // An embedding that a limit refused cancels the call.
      if (error instanceof CancelledError && !signal.aborted && budget.stop) throw budget.stop;
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
    // The time of a person or client is `personTimeout`.
    const timed = request.context.purpose === "turn" && !isWaitedFor(agent.model);
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
      const usual = error.code === "agent_rate_limited" ? minWait : 0;
      const asked = error.retryAfter ?? usual;
      if (asked > maxRetryAfter || ending()) return;
      onReset?.(error.message);
      await pause(asked - (retryDelay ?? 0), signal);
    },
  });
}

export interface Answered {
  readonly request: AgentRequest;
  readonly called: Called;
}

const usage = memo(() => replyUsage().required({ costUsd: true }));
const answer = memo(() =>
  z.object({
    model: z.string(),
    usage: usage(),
    latencyMs: z.number().min(0),
    createdAt: z.iso.datetime(),
    reply: z.object({
      text: z.string(),
      finishReason: z.enum(["stop", "length", "refused"]),
      model: z.string(),
      usage: replyUsage(),
      toolCalls: z.array(toolTrace()).exactOptional(),
      served: servedReply().exactOptional(),
      reasoning: z.string().exactOptional(),
    }),
  })
);

/**
 * Keeps answers that no fact carries until more is known, such as an attempt that a guard asks about: after a crash the
 * same request is answered with what is kept. What a fact carries at once is never kept, so that most answers cost nothing.
 */
export class Answers {
  readonly #shelf: AnswerShelf | undefined;
  /** Answers found in the record's store and not asked for yet, by id. */
  readonly #before = new Map<string, unknown>();
  /** Results of tool calls in this run, by id. */
  readonly #rounds = new Map<string, unknown>();
  /** The ids that need not be kept again. */
  readonly #held = new Set<string>();
  /** The ids on the shelf by what they are part of. */
  readonly #parts = new Map<string, Set<string>>();

  /** The answers of one run, with those that one before it kept. */
  constructor(shelf: AnswerShelf | undefined, before: readonly KeptAnswer[]) {
    this.#shelf = shelf;
    for (const { of, id, value } of before) {
      this.#before.set(id, value);
      this.#note(of, id);
    }
  }

  /** Answer to the same request from before the run was interrupted; given once. */
  recall(request: AgentRequest): Called | undefined {
    if (this.#before.size === 0) return undefined;
    const id = idOf(request);
    const { data } = answer().safeParse(this.#before.get(id));
    if (data === undefined) return undefined;
    this.#before.delete(id);
    this.#held.add(id);
    return data;
  }

  /** Keeps an answer that is part of a turn or question, until {@linkcode drop}. */
  async keep(of: string, { request, called }: Answered): Promise<void> {
    const id = idOf(request);
    // Words that were waited for stay where they were left until the turn is on record.
    if (this.#shelf === undefined || isWaitedFor(called.model) || this.#held.has(id)) return;
    this.#held.add(id);
    await this.#keep(of, id, called);
  }

  /** Result from before the run was interrupted; else the result of `make`, which is kept. */
  async once<T>(
    of: string,
    id: string,
    { schema, make }: { readonly schema: Schema<T>; readonly make: () => Promise<T> },
  ): Promise<T> {
    const before = this.#before.has(id) ? schema.safeParse(this.#before.get(id)) : undefined;
    this.#before.delete(id);
    if (before?.success === true) return before.data;
    const made = await make();
    if (this.#shelf !== undefined) await this.#keep(of, id, made);
    return made;
  }

  /** Store for the results of an agent's tool calls. */
  rounds(of: string, request: Pick<AgentRequest, "context" | "messages">): ReplyRounds | undefined {
    if (this.#shelf === undefined) return undefined;
    const id = idOf(request);
    const idFor = (number: number) => `${id}/${number}`;
    return {
      before: (number) => this.#rounds.get(idFor(number)) ?? this.#before.get(idFor(number)),
      keep: async (number, round) => {
        this.#rounds.set(idFor(number), round);
        await this.#keep(of, idFor(number), round);
      },
    };
  }

  async #keep(of: string, id: string, value: unknown): Promise<void> {
    this.#note(of, id);
    await this.#shelf?.keep({ of, id, value });
  }

  /** Removes the answers of a turn or question that is on record. */
  async drop(of: string): Promise<void> {
    const ids = this.#parts.get(of);
    if (ids === undefined) return;
    this.#parts.delete(of);
    for (const id of ids) {
      this.#before.delete(id);
      this.#rounds.delete(id);
      this.#held.delete(id);
    }
    await this.#shelf?.drop(of);
  }

  /** Keeps the usage of attempts at a question that has no answer yet, in the place of what was kept before. */
  async owe(of: string, usage: Usage): Promise<void> {
    if (usage.inputTokens + usage.outputTokens > 0) await this.#keep(of, owedId(of), usage);
  }

  /** Usage of attempts at a question in an interrupted run. */
  owed(of: string): Usage | undefined {
    return usage().safeParse(this.#before.get(owedId(of))).data;
  }

  /** Everything is on record. */
  async clear(): Promise<void> {
    await this.#shelf?.clear();
  }

  #note(of: string, id: string): void {
    const ids = this.#parts.get(of);
    if (ids === undefined) this.#parts.set(of, new Set([id]));
    else ids.add(id);
  }
}

function owedId(of: string): string {
  return `${of} owed`;
}

/** The same for the same question at the same attempt alone: a prompt never depends on when it is built. */
function idOf(
  { context: { key, attempt }, messages }: Pick<AgentRequest, "context" | "messages">,
): string {
  return `${key} ${attempt} ${sha256(JSON.stringify(messages)).slice(0, 32)}`;
}
