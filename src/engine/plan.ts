// The plan of a run: its protocol played without anyone speaking, its turns and calls counted.
import { type Ask, askOf, UNBOUNDED_TOKENS } from "../core/asks.ts";
import type { Fact } from "../core/fact.ts";
import { LimitStop } from "../core/limit.ts";
import { type Made, type Message, NO_USAGE } from "../core/message.ts";
import type { Consult, Consultation, Observer } from "../core/guard.ts";
import { type Prices, pricingOf } from "../config/prices.ts";
import { type Answerer, type Numbered, playNow } from "../core/play.ts";
import type { Protocol } from "../core/protocol.ts";
import type { Question, Turn } from "../core/turn.ts";
import type { CastMember } from "./casting.ts";
import type { SpokenTurn } from "./guards.ts";
import type { TranscriptView } from "./prompter.ts";

/** Plan of a run: the most turns, calls, tokens and cost, as far as known before. */
export interface WorkflowPlan {
  /** Accepted messages, templates included. */
  readonly turns: number;
  /** Requests to agents, without retries, repairs and rolling summaries. */
  readonly calls: number;
  /** The longest chain of calls that wait for one another. */
  readonly chain: number;
  /** Input and output tokens, at most, where every reply uses its cap, hidden reasoning included. */
  readonly maxTokens: number;
  /** US dollars for those tokens. */
  readonly maxCost: number | "unknown";
  /** The models without a known price. */
  readonly unpriced: readonly string[];
  /** From a model to the price table that has its price, where the user gives none; `estimated`: of a related version. */
  readonly pricedBy: Readonly<Record<string, string>>;
  /** From model to the number of its calls. */
  readonly models: Readonly<Record<string, number>>;
}

/** Options of {@linkcode planProtocol}. */
export interface PlanOptions {
  readonly cast: ReadonlyMap<string, CastMember>;
  readonly observers: readonly Observer[];
  /** Tokens of what every prompt begins with. */
  readonly headTokens: number;
  /** The most tokens of a member's prompts, by id. */
  readonly bounds: ReadonlyMap<string, number>;
  /** The convening's limit on turns. @default none */
  readonly maxTurns?: number | undefined;
  readonly prices?: Prices | undefined;
  /** The most tokens of every reply, hidden reasoning included. */
  readonly maxOutputTokens?: number | undefined;
  /** Called with each request to an agent. */
  readonly onAsk?: ((asked: PlannedAsk) => void) | undefined;
  /** Called with each message that all later requests show. */
  readonly onGive?: ((message: Message) => void) | undefined;
}

/** A request of a plan: for a turn, or for the answer to a question. */
export interface PlannedAsk {
  readonly member: CastMember;
  readonly sight: TranscriptView;
  readonly asks: SpokenTurn | Consultation;
}

/** Tokens of a role and a task. */
const TAIL_TOKENS = 300;

/** Plays a protocol without anyone speaking, up to the limit on turns, and counts. */
export async function planProtocol(
  protocol: Protocol<unknown>,
  options: PlanOptions,
): Promise<WorkflowPlan> {
  const planner = new Planner(options);
  try {
    playNow(protocol, planner);
  } catch (error) {
    if (!(error instanceof LimitStop)) throw error;
  }
  return await planner.plan();
}

/** An answer that a plan takes for granted, and the number of calls after which it is there. */
interface Planned {
  readonly answer: Message | Fact;
  readonly ready: number;
}

/** An answer to an observer of a message, and the number of calls after which it is there. */
interface ObservedAnswer {
  readonly observer: string;
  readonly seq: number;
  readonly ready: number;
}

/** A request to an agent, and the tokens that its answer is asked to have. */
interface PlannedCall {
  readonly member: CastMember;
  readonly inputTokens: number;
  readonly maxTokens: number;
  readonly ask: Ask;
}

class Planner implements Answerer<Planned> {
  readonly #options: PlanOptions;
  readonly #calls: PlannedCall[] = [];
  /** The keys of turns whose replies have fields. */
  readonly #structured = new Set<string>();
  /** The messages given so far. */
  readonly #said: Message[] = [];
  #turns = 0;
  #now = 0;
  readonly #observed: ObservedAnswer[] = [];
  #transcript = 0;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  async plan(): Promise<WorkflowPlan> {
    const { prices, maxOutputTokens } = this.#options;
    const models: Record<string, number> = {};
    const tables: Record<string, string> = {};
    let tokens = 0;
    let cost = 0;
    const unpriced = new Set<string>();
    for (const { member, inputTokens, maxTokens, ask } of this.#calls) {
      const { agent, tools, temperature, reasoningEffort } = member;
      const { effort, temperature: usualTemperature } = ask;
      const usual = { usualEffort: effort, usualTemperature };
      const own = { tools, temperature, reasoningEffort, maxOutputTokens };
      const cap = await agent.cap?.({ messages: [], maxTokens, ...own, ...usual });
      const outputTokens = cap ?? maxTokens;
      models[agent.model] = (models[agent.model] ?? 0) + 1;
      tokens += inputTokens + outputTokens;
      const pricing = await pricingOf(agent, prices);
      const used = { inputTokens, cachedInputTokens: 0, outputTokens };
      const { costUsd, pricedBy } = pricing(used);
      if (pricedBy !== undefined) tables[agent.model] = pricedBy;
      if (costUsd === "unknown") unpriced.add(agent.model);
      else cost += costUsd;
    }
    return {
      turns: this.#turns,
      calls: this.#calls.length,
      chain: this.#after(this.#observed),
      maxTokens: tokens,
      maxCost: unpriced.size === 0 ? cost : "unknown",
      unpriced: [...unpriced],
      pricedBy: tables,
      models,
    };
  }

  heard(): undefined {}

  give(message: Message): void {
    this.#said.push(message);
    this.#options.onGive?.(message);
  }

  take({ turn, seq, count }: Numbered): Planned {
    const { maxTurns = Infinity, cast, observers } = this.#options;
    if (this.#turns >= maxTurns) throw new LimitStop("maxTurns", maxTurns, this.#turns);
    this.#turns++;
    const member = cast.get(turn.speaker)!;
    const previous = this.#said[count - 1]?.seq;
    const answer = {
      ...emptyMessage(turn, member, seq),
      ...previous === undefined ? {} : { previous },
    };
    const spoken = turn.maxTokens ?? UNBOUNDED_TOKENS;
    if (turn.structure !== undefined) this.#structured.add(turn.key);
    if (turn.text === undefined) {
      this.#call(member, spoken + (turn.structure?.tokens ?? 0), askOf(turn.kind, "turn"));
      this.#options.onAsk?.({ member, sight: { count }, asks: { turn, member, seq, count } });
    }
    const ready = turn.text === undefined ? this.#now + 1 : this.#now;
    if (turn.aside !== true) this.#transcript += spoken;
    for (const observer of observers) {
      this.#observe(observer, answer, { ready, sight: { count, then: answer } });
    }
    return { answer, ready };
  }

  ask(question: Question, { count }: { readonly count: number }): Planned {
    const { answeredBy } = question;
    // A turn's fields answer its question: it is asked only where they could not be read.
    const answered = answeredBy !== undefined && this.#structured.has(answeredBy);
    const asked = !answered && this.#consult(question, { count });
    return { answer: this.#answer(question), ready: this.#now + (asked ? 1 : 0) };
  }

  settle(flights: readonly Planned[]): readonly (Message | Fact)[] {
    this.#now = Math.max(this.#now, ...flights.map(({ ready }) => ready));
    return flights.map(({ answer }) => answer);
  }

  results(name: string | undefined, through = Infinity): readonly Fact[] {
    // Observers wait for each other, but for a result of some messages alone.
    this.#now = this.#after(
      through === Infinity
        ? this.#observed
        : this.#observed.filter(({ observer, seq }) => observer === name && seq <= through),
    );
    return [];
  }

  /** The number of calls after which all answers to observers are there. */
  #after(observed: readonly ObservedAnswer[]): number {
    return observed.reduce((most, { ready }) => Math.max(most, ready), this.#now);
  }

  /** Counts the questions of an observer; no answer ever comes. */
  #observe(
    observer: Observer,
    message: Message,
    { ready, sight }: { readonly ready: number; readonly sight: TranscriptView },
  ): void {
    const asked = { observer: observer.name, seq: message.seq, ready: ready + 1 };
    const ask = <T, F extends Fact>(question: Question<T, F>): Promise<F> => {
      this.#consult(question, sight);
      this.#observed.push(asked);
      return new Promise(() => {});
    };
    const consult: Consult = (question) => {
      this.#consult(question, { count: sight.count });
      this.#observed.push(asked);
      return new Promise(() => {});
    };
    const record = () => Promise.resolve();
    const { signal } = new AbortController();
    try {
      observer.observe(message, {
        transcript: this.#said,
        ask,
        consult,
        once: () => new Promise(() => {}),
        record,
        factCheck: undefined,
        flow: undefined,
        recorded: () => [],
        signal,
      }).catch(() => {});
    } catch {
      // As above.
    }
  }

  /** Counts a question; false for a question that no model answers. */
  #consult(question: Consultation, sight: TranscriptView): boolean {
    const { asked, kind, compute, maxTokens } = question;
    const member = this.#options.cast.get(asked)!;
    const isComputed = member.agent.scoring === undefined
      ? compute?.(member.agent) !== undefined
      : compute !== undefined;
    if (isComputed) return false;
    const ask = askOf(kind, "question");
    this.#call(member, maxTokens ?? ask.tokens ?? UNBOUNDED_TOKENS, ask);
    this.#options.onAsk?.({ member, sight, asks: question });
    return true;
  }

  #answer(question: Question): Fact {
    const { agent: { model } } = this.#options.cast.get(question.asked)!;
    return question.toFact({
      problem: "It was only planned.",
      text: "",
      ...unmade(model),
    }, 1);
  }

  #call(member: CastMember, maxTokens: number, ask: Ask): void {
    const { headTokens, bounds } = this.#options;
    const whole = headTokens + this.#transcript + TAIL_TOKENS;
    const inputTokens = Math.min(whole, (bounds.get(member.id) ?? Infinity) + TAIL_TOKENS);
    this.#calls.push({ member, inputTokens, maxTokens, ask });
  }
}

function emptyMessage(turn: Turn, member: CastMember, seq: number): Message {
  return {
    type: "message",
    seq,
    turn: turn.key,
    participant: member.id,
    name: member.name,
    role: member.role,
    phase: turn.phase,
    kind: turn.kind,
    round: turn.round,
    ...turn.replyTo === undefined ? {} : { replyTo: turn.replyTo },
    body: "",
    attempts: 1,
    marks: [],
    sha256: "",
    ...unmade(member.agent.model),
  };
}

function unmade(model: string): Made {
  return { model, usage: NO_USAGE, latencyMs: 0, createdAt: "" };
}
