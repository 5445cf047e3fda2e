// The only place that calls agents: checks limits, retries, and counts usage. Also stores answers until a fact holds them.
import { z } from "zod";
import { type Clock, isoTime, untilAborted } from "../core/clock.ts";
import { MIN_RATE_LIMITED, withRetries } from "../core/retry.ts";
import {
  AgentError,
  CancelledError,
  ConveningError,
  errorMessage,
  type UsedUp,
} from "../core/error.ts";
import { addUsage, type Made, NO_USAGE, sha256, type Usage } from "../core/message.ts";
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
import { replyUsage, servedReply, toolTrace } from "../core/schema.ts";
import { memo, noJsonBecause, type Schema } from "../core/values.ts";
import type { AnswerShelf, KeptAnswer } from "../core/record.ts";
import type { Budget, Estimate } from "./budget.ts";
import { ofAgent, RunStop } from "./run_stop.ts";
import { inSpan } from "./tracing.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

interface CallerOptions
  extends Pick<WorkflowOptions, "retry" | "prices" | "gate" | "turnMaxDuration"> {
  readonly budget: Budget;
  readonly clock: Clock;
  /** The user's seed, sent to models. @default none is sent */
  readonly seed?: number | undefined;
  readonly signal: AbortSignal;
}

export interface Called extends Made {
  readonly reply: AgentReply;
}

export function madeOf({ model, usage, latencyMs, createdAt }: Made): Made {
  return { model, usage, latencyMs, createdAt };
}

/**
 * Moves the usage of failed attempts out of an error. One failed fold may fail several turns and questions with the same error;
 * only the first call gets the usage.
 */
export function takeUsage(error: AgentError): Usage {
  const { usage } = error;
  error.usage = undefined;
  return usage === undefined ? NO_USAGE : { ...usage, costUsd: usage.costUsd ?? "unknown" };
}

/** Returns the second of two answers to one question, with the usage and latency of both. */
export function withUsageOfBoth(first: Pick<Made, "usage" | "latencyMs">, last: Called): Called {
  const usage = addUsage(first.usage, last.usage);
  return { ...last, usage, latencyMs: first.latencyMs + last.latencyMs };
}

export interface Call {
  readonly request: Omit<AgentRequest, "signal" | "seed">;
  readonly agent: Agent;
  readonly estimate: Estimate;
  readonly reserve: Estimate;
  /** Called with the reason when streamed text becomes invalid because the request is retried. */
  readonly onReset?: ((reason: string) => void) | undefined;
}

/** Calls agents within the limits, with retries, and counts usage. */
export class Caller {
  readonly #options: CallerOptions;
  /** Usage of embeddings since the last call of an agent; added to that of the next call. */
  #embedded = NO_USAGE;
  #embeddings = 0;
  /** Pause that rejected a request for embeddings. */
  #paused: RunStop | undefined;
  /** Aborts when the run ends: no call is retried. */
  readonly #ending = new AbortController();
  /** Aborts when the run or its time ends: no call waits longer for a busy server. */
  readonly #over: AbortSignal;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#over = AbortSignal.any([this.#ending.signal, options.budget.deadline]);
  }

  /** Ends the retries after the run's failure or cancellation; after a limit or a pause, calls in flight may still retry. */
  end(error: unknown): void {
    if (!(error instanceof LimitStop || error instanceof RunStop)) this.#ending.abort();
  }

  /** True if calls need an estimate. */
  get counts(): boolean {
    return this.#options.budget.counts || this.#options.gate !== undefined;
  }

  /** Calls an agent, with retries. Throws a `LimitStop` before the call if the call could exceed a limit. */
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

  /** Calls an agent without checking limits: for the summary of an early end, for which the limits reserved room. */
  async callUnlimited(call: Omit<Call, "reserve">): Promise<Called> {
    const { budget, clock, prices, signal } = this.#options;
    const { agent, request } = call;
    const seed = this.#seedFor(request);
    await ofAgent(agent, "load", signal, () => agent.load?.({ ...request, seed }));
    const pricing = await pricingOf(agent, prices);
    const isOwn = Object.hasOwn(prices?.models ?? {}, agent.model);
    let usage = NO_USAGE;
    // Failed attempts cost too.
    const spend = ({ costUsd, ...used }: UsedUp) => {
      const cost = costUsd === undefined || isOwn ? pricing(used) : { costUsd };
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

  /** Reserves a request for embeddings within the limits. Ends the run if the request does not fit. */
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
      if (error instanceof LimitStop) budget.end(error);
      else if (error instanceof RunStop) this.#paused = error;
      else throw error;
      throw new CancelledError(error);
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
    const { budget, retry, signal, gate } = this.#options;
    const { signal: ending } = this.#ending;
    const asked = { ...request, seed: this.#seedFor(request), ending: this.#over };
    const { key } = request.context;
    const requests = (request.tools ?? []).length === 0 ? 1 : MAX_TOOL_ITERATIONS + 1;
    const call = { key, agent, estimate, requests, deadline: budget.deadline };
    let lost: Usage | undefined;
    const inTime = async () => checkedReply(await this.#replyInTime(agent, asked), agent.model);
    const ask = async () => {
      const leave = await gate?.enter(call, signal);
      let used = NO_USAGE;
      let refusedMs: number | undefined;
      try {
        const reply = await inSpan(agent, request.context, inTime);
        used = spend(reply.usage).priced;
        return reply;
      } catch (error) {
        if (!(error instanceof AgentError)) throw error;
        if (error.usage !== undefined) ({ priced: used, all: lost } = spend(error.usage));
        if (error.code === "agent_rate_limited") refusedMs = error.retryAfter ?? MIN_RATE_LIMITED;
        throw error;
      } finally {
        await leave?.(used, refusedMs);
      }
    };
    try {
      const onBusy = (wait: number) => budget.checkWait(wait);
      return await withRetries(ask, { retry, signal, ending, onReset, onBusy });
    } catch (error) {
      if (error instanceof LimitStop) budget.end(error);
      if (error === budget.deadline.reason) budget.checkWait(Infinity);
      // A limit or pause that rejected an embedding has cancelled the call.
      const isStopped = error instanceof LimitStop || error instanceof CancelledError;
      const stop = budget.stop ?? this.#paused;
      if (isStopped && !signal.aborted && stop !== undefined) throw stop;
      throw this.#withPlace(error, agent, request.context, lost);
    }
  }

  /** Returns the user's seed plus the number of earlier askings, so that asking the same question again can give another answer. */
  #seedFor({ asking = 0 }: Call["request"]): number | undefined {
    const { seed } = this.#options;
    return seed === undefined ? undefined : seed + asking;
  }

  async #replyInTime(agent: Agent, request: AgentRequest): Promise<AgentReply> {
    const { signal, turnMaxDuration } = this.#options;
    // `personTimeout` limits people and clients instead.
    const timed = request.context.purpose === "turn" && !isWaitedFor(agent.model);
    if (turnMaxDuration === undefined || !timed) return await replyUntil(signal, agent, request);
    const deadline = AbortSignal.timeout(turnMaxDuration);
    try {
      return await replyUntil(AbortSignal.any([signal, deadline]), agent, request);
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      throw new AgentError(
        "agent_timeout",
        `Cannot wait longer for model "${agent.model}": the turn took over ${turnMaxDuration} ms`,
        { retryable: true, hint: "Raise turnMaxDuration.", cause: error },
      );
    }
  }

  /** Returns the error with turn and speaker added to its message, and with the usage of all attempts. */
  #withPlace(error: unknown, agent: Agent, context: RequestContext, usage?: Usage): unknown {
    if (this.#options.signal.aborted) {
      return new CancelledError(this.#options.signal.reason);
    }
    const where = `turn "${context.key}" of ${context.label}`;
    if (error instanceof AgentError) {
      const { code, message, retryable, retryAfter, status, hint, field } = error;
      const detail = { retryable, retryAfter, status, hint, field, usage, cause: error };
      return new AgentError(code, `${message} (${where})`, detail);
    }
    if (error instanceof ConveningError || error instanceof RunStop) return error;
    return new AgentError(
      "agent_bad_reply",
      `Cannot get an answer from "${agent.model}": ${errorMessage(error)} (${where})`,
      { cause: error },
    );
  }
}

/** Asks an agent. Once `signal` aborts, an agent that does not heed the signal is no longer waited for or heard. */
function replyUntil(
  signal: AbortSignal,
  agent: Agent,
  { onDelta, ...request }: AgentRequest,
): Promise<AgentReply> {
  const heard = onDelta && ((text: string) => signal.aborted || onDelta(text));
  return untilAborted(agent.reply({ ...request, onDelta: heard, signal }), signal);
}

/** Schema of the parts of a reply that are recorded. */
const reply = memo(() =>
  z.object({
    text: z.string(),
    usage: replyUsage().partial({ costUsd: true }),
    toolCalls: z.array(
      toolTrace().extend({
        args: z.unknown().refine((args = null) => noJsonBecause(args) === undefined),
      }),
    ).optional(),
    served: servedReply().partial().optional(),
    reasoning: z.string().optional(),
    recorded: z.array(z.looseObject({ type: z.string() })).optional(),
  })
);

/**
 * Returns a reply with the parts that are recorded. Throws `agent_bad_reply` for a reply that cannot be recorded, such as a
 * program's own agent may return.
 */
function checkedReply(given: AgentReply, model: string): AgentReply {
  const { data, error } = reply().safeParse(given, { jitless: true });
  if (data !== undefined) return { ...given, ...data } as AgentReply;
  const keys = error.issues.map(({ path }) => path.join(".")).filter((key) => key !== "");
  throw new AgentError(
    "agent_bad_reply",
    `Cannot use the reply of model "${model}": ${
      keys.length === 0 ? "it is not an object" : `${keys.join(", ")} is missing or not allowed`
    }`,
    {
      hint:
        "Return an AgentReply: text, usage with inputTokens, cachedInputTokens and outputTokens as whole numbers, and arguments of toolCalls as JSON.",
    },
  );
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
    reply: reply().extend({
      finishReason: z.enum(["stop", "length", "refused"]),
      model: z.string(),
      usage: replyUsage(),
    }),
  })
);

/** A stored value, under the key `of` of its turn or question. */
interface Kept extends Pick<KeptAnswer, "of" | "value"> {
  /** True if an interrupted run stored the value and this run has not taken it. */
  readonly isLeft: boolean;
}

/**
 * Cache of answers that are not in a fact yet, such as an attempt that a guard is checking. After a crash the same request is
 * answered from the cache. Answers that are recorded at once are never cached, so most answers need no extra write.
 */
export class Answers {
  readonly #shelf: AnswerShelf | undefined;
  /** Values that this run or an interrupted one stored, by id. */
  readonly #kept = new Map<string, Kept>();

  /** Creates the cache of one run; `before` holds the answers that an interrupted run stored. */
  constructor(shelf: AnswerShelf | undefined, before: readonly KeptAnswer[]) {
    this.#shelf = shelf;
    for (const { of, id, value } of before) this.#kept.set(id, { of, value, isLeft: true });
  }

  /** Returns the answer that an interrupted run stored for the same request, once. */
  recall(request: AgentRequest): Called | undefined {
    return this.#kept.size === 0 ? undefined : this.#take(idOf(request), answer());
  }

  /** Returns a value that an interrupted run stored, once; an invalid value counts as absent. */
  #take<T>(id: string, schema: Schema<T>): T | undefined {
    const kept = this.#kept.get(id);
    if (kept?.isLeft !== true) return undefined;
    const read = schema.safeParse(kept.value);
    if (!read.success) return undefined;
    this.#kept.set(id, { ...kept, isLeft: false });
    return read.data;
  }

  /** Stores an answer under the key `of` of its turn or question, until {@linkcode drop}. */
  async keep(of: string, { request, called }: Answered): Promise<void> {
    // Words of people and clients for a turn stay in the inbox until the turn is recorded.
    if (isWaitedFor(called.model) && request.context.purpose === "turn") return;
    const id = idOf(request);
    if (this.#kept.get(id)?.isLeft !== false) await this.#keep(of, id, called);
  }

  /** Returns the result that an interrupted run stored, else calls `make` and stores its result. */
  async once<T>(
    of: string,
    id: string,
    { schema, make }: { readonly schema: Schema<T>; readonly make: () => Promise<T> },
  ): Promise<T> {
    const before = this.#take(id, schema);
    if (before !== undefined) return before;
    const made = await make();
    await this.#keep(of, id, made);
    return made;
  }

  /** Returns the store for the rounds of tool calls of a request; undefined without a store. */
  rounds(of: string, request: Pick<AgentRequest, "context" | "messages">): ReplyRounds | undefined {
    if (this.#shelf === undefined) return undefined;
    const id = idOf(request);
    return {
      before: (number) => this.#kept.get(`${id}/${number}`)?.value,
      keep: (number, round) => this.#keep(of, `${id}/${number}`, round),
    };
  }

  async #keep(of: string, id: string, value: unknown): Promise<void> {
    if (this.#shelf === undefined) return;
    this.#kept.set(id, { of, value, isLeft: false });
    await this.#shelf.keep({ of, id, value });
  }

  /** Removes the stored answers of a turn or question after it is recorded. */
  async drop(of: string): Promise<void> {
    const size = this.#kept.size;
    for (const [id, kept] of this.#kept) if (kept.of === of) this.#kept.delete(id);
    if (this.#kept.size < size) await this.#shelf?.drop(of);
  }

  /** Stores the usage of a question's failed attempts, which no fact holds yet, in place of an earlier value. */
  async keepUsage(of: string, usage: Usage): Promise<void> {
    if (usage.inputTokens + usage.outputTokens > 0) await this.#keep(of, usageId(of), usage);
  }

  /** Returns the usage of a question's failed attempts in an interrupted run. */
  keptUsage(of: string): Usage | undefined {
    return this.#take(usageId(of), usage());
  }
}

function usageId(of: string): string {
  return `${of} owed`;
}

/** Identifies a request by key, attempt and prompt. Prompts do not depend on time, so a resume computes the same id. */
function idOf(
  { context: { key, attempt }, messages }: Pick<AgentRequest, "context" | "messages">,
): string {
  return `${key} ${attempt} ${sha256(JSON.stringify(messages)).slice(0, 32)}`;
}
