// The plan of a run: its protocol played without anyone speaking, its turns and calls counted.
import type { Agent } from "../core/agent.ts";
import { askOf, UNBOUNDED_TOKENS } from "../core/asks.ts";
import type { Fact } from "../core/fact.ts";
import { LimitStop } from "../core/limit.ts";
import { type Made, type Message, NO_USAGE } from "../core/message.ts";
import type { Consult, Consultation, Observer } from "../core/observer.ts";
import { type Prices, type Pricing, pricingOf } from "../config/prices.ts";
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
  /** Input and output tokens, at most, where every turn uses its cap. */
  readonly maxTokens: number;
  /** US dollars for those tokens. */
  readonly maxCost: number | "unknown";
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
  const agents = new Set([...options.cast.values()].map(({ agent }) => agent));
  const pricings = await Promise.all(
    [...agents].map(async (agent) => [agent, await pricingOf(agent, options.prices)] as const),
  );
  const planner = new Planner(options, new Map(pricings));
  try {
    playNow(protocol, planner);
  } catch (error) {
    if (!(error instanceof LimitStop)) throw error;
  }
  return planner.plan();
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

class Planner implements Answerer<Planned> {
  readonly #options: PlanOptions;
  readonly #pricings: ReadonlyMap<Agent, Pricing>;
  readonly #models = new Map<string, number>();
  /** The keys of turns whose replies have fields. */
  readonly #structured = new Set<string>();
  /** The messages given so far. */
  readonly #said: Message[] = [];
  #turns = 0;
  #now = 0;
  readonly #observed: ObservedAnswer[] = [];
  #transcript = 0;
  #tokens = 0;
  #cost: number | "unknown" = 0;

  constructor(options: PlanOptions, pricings: ReadonlyMap<Agent, Pricing>) {
    this.#options = options;
    this.#pricings = pricings;
  }

  plan(): WorkflowPlan {
    const models = Object.fromEntries(this.#models);
    return {
      turns: this.#turns,
      calls: [...this.#models.values()].reduce((sum, calls) => sum + calls, 0),
      chain: this.#after(this.#observed),
      maxTokens: this.#tokens,
      maxCost: this.#cost,
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
      this.#call(member, spoken + (turn.structure?.tokens ?? 0));
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
    this.#call(member, maxTokens ?? askOf(kind, "question").tokens ?? UNBOUNDED_TOKENS);
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

  #call({ id, agent }: CastMember, outputTokens: number): void {
    const { headTokens, bounds } = this.#options;
    this.#models.set(agent.model, (this.#models.get(agent.model) ?? 0) + 1);
    const whole = headTokens + this.#transcript + TAIL_TOKENS;
    const inputTokens = Math.min(whole, (bounds.get(id) ?? Infinity) + TAIL_TOKENS);
    this.#tokens += inputTokens + outputTokens;
    const usage = { inputTokens, cachedInputTokens: 0, outputTokens };
    const { costUsd: cost } = this.#pricings.get(agent)!(usage);
    this.#cost = cost === "unknown" || this.#cost === "unknown" ? "unknown" : this.#cost + cost;
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
