import type { Message } from "../core/message.ts";
import type { Fact } from "../core/fact.ts";
import type { Consult, Consultation, Observer } from "../core/observer.ts";
import { costOf, priceOf, type Prices } from "../config/prices.ts";
import type { Protocol, ProtocolRequest } from "../core/protocol.ts";
import type { Question, Turn } from "../core/turn.ts";
import type { Party } from "./party.ts";

/** What a run will do at most, as far as it can be known beforehand. */
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
  readonly parties: ReadonlyMap<string, Party>;
  readonly observers: readonly Observer[];
  /** Tokens of what every prompt begins with. */
  readonly headTokens: number;
  /** The most tokens of a prompt; 0 is unbounded. */
  readonly maxPromptTokens: number;
  /** The convening's limit on turns. @default none */
  readonly maxTurns?: number | undefined;
  readonly prices?: Prices | undefined;
}

/** Tokens of a role and a task, and of a reply without a cap. */
const TAIL_TOKENS = 300;
const UNCAPPED_TOKENS = 1000;
const ANSWER_TOKENS = 800;

/** Plays a protocol without anyone speaking, up to the limit on turns, and counts. */
export function planProtocol(protocol: Protocol<unknown>, options: PlanOptions): WorkflowPlan {
  const { maxTurns = Infinity } = options;
  const planner = new Planner(options);
  let step = protocol.next();
  while (!step.done && !(planner.turns === maxTurns && isTurn(step.value))) {
    step = protocol.next(planner.answer(step.value));
  }
  protocol.return(undefined);
  return planner.plan();
}

function isTurn({ type }: ProtocolRequest): boolean {
  return type === "say" || type === "begin";
}

class Planner {
  readonly #options: PlanOptions;
  readonly #models = new Map<string, number>();
  readonly #begun = new Map<string, { readonly answer: unknown; readonly ready: number }>();
  /** The keys of turns whose replies have fields. */
  readonly #structured = new Set<string>();
  #turns = 0;
  #now = 0;
  #last = 0;
  #transcript = 0;
  #tokens = 0;
  #cost: number | "unknown" = 0;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  /** The turns so far. */
  get turns(): number {
    return this.#turns;
  }

  plan(): WorkflowPlan {
    const models = Object.fromEntries(this.#models);
    return {
      turns: this.#turns,
      calls: [...this.#models.values()].reduce((sum, calls) => sum + calls, 0),
      chain: Math.max(this.#now, this.#last),
      maxTokens: this.#tokens,
      maxCost: this.#cost,
      models,
    };
  }

  answer(request: ProtocolRequest): unknown {
    switch (request.type) {
      case "say": {
        const { answer, ready } = this.#turn(request.turn);
        this.#now = ready;
        return answer;
      }
      case "begin":
        this.#begun.set(request.turn.key, this.#turn(request.turn));
        return { key: request.turn.key };
      case "ask": {
        if (!this.#isAnswered(request.question)) this.#now++;
        return this.#ask(request.question);
      }
      case "begin-ask": {
        const answer = this.#ask(request.question);
        this.#begun.set(request.question.key, { answer, ready: this.#now + 1 });
        return { key: request.question.key };
      }
      case "settle":
        return request.begun.map(({ key }) => {
          const { answer, ready } = this.#begun.get(key)!;
          this.#now = Math.max(this.#now, ready);
          return answer;
        });
      case "results":
        this.#now = Math.max(this.#now, this.#last);
        return [];
    }
  }

  #turn(turn: Turn): { answer: Message; ready: number } {
    const party = this.#options.parties.get(turn.speaker)!;
    const message = emptyMessage(turn, party, ++this.#turns);
    const spoken = turn.maxTokens ?? UNCAPPED_TOKENS;
    if (turn.structure !== undefined) this.#structured.add(turn.key);
    if (turn.text === undefined) this.#call(party, spoken);
    const ready = turn.text === undefined ? this.#now + 1 : this.#now;
    if (turn.aside !== true) this.#transcript += spoken;
    for (const observer of this.#options.observers) {
      this.#observe(observer, message, ready);
    }
    return { answer: message, ready };
  }

  /** What is asked is counted as it is asked; no answer ever comes, and what an observer makes of that is its own. */
  #observe(observer: Observer, message: Message, ready: number): void {
    const ask = <T, F extends Fact>(question: Question<T, F>): Promise<F> => {
      this.#ask(question as unknown as Question);
      this.#last = Math.max(this.#last, ready + 1);
      return new Promise(() => {});
    };
    const consult: Consult = (question) => {
      this.#consult(question);
      this.#last = Math.max(this.#last, ready + 1);
      return new Promise(() => {});
    };
    const record = () => Promise.resolve();
    const { signal } = new AbortController();
    try {
      observer.observe(message, {
        transcript: [],
        ask,
        consult,
        once: () => new Promise(() => {}),
        record,
        factCheck: undefined,
        signal,
      }).catch(() => {});
    } catch {
      // As above.
    }
  }

  #consult({ asked, maxTokens = ANSWER_TOKENS }: Consultation): Party {
    const party = this.#options.parties.get(asked)!;
    this.#call(party, maxTokens);
    return party;
  }

  /** A turn's fields answer the question that is named after it: it is asked only where they could not be read. */
  #isAnswered({ key, kind }: Question): boolean {
    return key.startsWith(`${kind}/`) && this.#structured.has(key.slice(kind.length + 1));
  }

  #ask(question: Question): Fact {
    const party = this.#isAnswered(question)
      ? this.#options.parties.get(question.asked)!
      : this.#consult(question);
    return question.toFact({
      ...question.sample === undefined
        ? { problem: "It was only planned." }
        : { value: question.sample },
      text: "",
      model: party.agent.model,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
      latencyMs: 0,
      createdAt: "",
    }, 1);
  }

  #call({ agent }: Party, outputTokens: number): void {
    const { headTokens, maxPromptTokens, prices } = this.#options;
    this.#models.set(agent.model, (this.#models.get(agent.model) ?? 0) + 1);
    const whole = headTokens + this.#transcript + TAIL_TOKENS;
    const inputTokens = maxPromptTokens === 0
      ? whole
      : Math.min(whole, maxPromptTokens + TAIL_TOKENS);
    this.#tokens += inputTokens + outputTokens;
    const usage = { inputTokens, cachedInputTokens: 0, outputTokens };
    const cost = costOf(usage, priceOf(agent.model, prices));
    this.#cost = cost === "unknown" || this.#cost === "unknown" ? "unknown" : this.#cost + cost;
  }
}

function emptyMessage(turn: Turn, party: Party, seq: number): Message {
  return {
    type: "message",
    seq,
    turn: turn.key,
    participant: party.id,
    name: party.name,
    role: party.role,
    phase: turn.phase,
    kind: turn.kind,
    round: turn.round,
    body: turn.sample ?? "",
    attempts: 1,
    marks: [],
    sha256: "",
    model: party.agent.model,
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
    latencyMs: 0,
    createdAt: "",
  };
}
