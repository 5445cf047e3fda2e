// Plans a run without calling agents: plays the protocol with placeholder answers, counts calls, and builds prompts.
import { type Ask, askOf, UNBOUNDED_TOKENS } from "../core/profile.ts";
import type { Fact } from "../core/fact.ts";
import { LimitStop } from "../core/limit.ts";
import { type Made, type Message, NO_USAGE } from "../core/message.ts";
import type { Guard, GuardTools, Observer, ObserverTools } from "../core/guard.ts";
import { pricingOf, rounded } from "../config/prices.ts";
import { FACT_CHECKER } from "../checking/fact_checker.ts";
import type { Protocol } from "../core/protocol.ts";
import type { Consult, Consultation, Question, Turn } from "../core/turn.ts";
import type { ChatMessage } from "../core/agent.ts";
import { type Answerer, checkOrder, type NumberedTurn, playNow } from "../core/play.ts";
import type { RecordedFacts } from "../core/record.ts";
import { type PromptHead, renderHead, Transcript, TURN_TOKENS } from "../core/prompt.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import type { CastMember } from "../core/participant.ts";
import { guardsOf, type SpokenTurn } from "./guards.ts";
import { foldTokensOf, Prompter, TAIL_TOKENS, type TranscriptView } from "./prompter.ts";
import { shapeOf } from "./asker.ts";
import { foldAuthor } from "./summaries.ts";
import { requestOf } from "./turns.ts";
import { promptBounds } from "./start.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

/** Upper bounds for a run, as far as known before the run. */
export interface WorkflowPlan {
  /** Accepted messages, templates included. */
  readonly turns: number;
  /** Requests to agents, without retries and repairs. */
  readonly calls: number;
  /** Length of the longest chain of calls that each wait for the one before. */
  readonly chain: number;
  /** Input and output tokens if every reply uses its full cap, hidden reasoning included. */
  readonly maxTokens: number;
  /** Cost of those tokens in US dollars. */
  readonly maxCost: number | "unknown";
  /** Models without a known price. */
  readonly unpriced: readonly string[];
  /** Source of each model's price, for models that the user gave no price; `estimated` is the price of a related version. */
  readonly pricedBy: Readonly<Record<string, string>>;
  /** Number of calls by model. */
  readonly models: Readonly<Record<string, number>>;
  /** Model that judges claims; undefined without fact checks. */
  readonly factChecker: string | undefined;
}

export interface PlannedRun {
  readonly protocol: () => Protocol<unknown>;
  readonly options: WorkflowOptions;
  readonly cast: ReadonlyMap<string, CastMember>;
  readonly head: PromptHead;
}

/** A planned request: for a turn, or for the answer to a question. */
interface PlannedAsk {
  readonly member: CastMember;
  readonly view: TranscriptView;
  readonly asks: SpokenTurn | Consultation;
}

/** Plays a protocol with placeholder answers, up to the limit on turns. */
export async function playPlan(run: PlannedRun): Promise<Planner> {
  const count = await loadTokenCounter();
  const bounds = await promptBounds(run.cast, run.options);
  const planner = new Planner(run, {
    headTokens: count(renderHead(run.head)),
    foldTokens: foldTokensOf(run.options.design ?? {}, bounds.values()),
    bounds,
  });
  try {
    playNow(run.protocol(), planner);
  } catch (error) {
    if (!(error instanceof LimitStop)) throw error;
    planner.summarise();
  }
  return planner;
}

interface Planned {
  readonly answer: Message | Fact;
  /** Length of the chain of calls that the answer completes. */
  readonly ready: number;
}

/** An answer to an observer's question about a message. */
interface ObservedAnswer {
  readonly observer: string;
  readonly seq: number;
  /** As in {@linkcode Planned}. */
  readonly ready: number;
}

/** A call of an agent, with its estimated prompt and the reply's token cap. */
interface PlannedCall {
  readonly member: CastMember;
  readonly inputTokens: number;
  readonly maxTokens: number;
  readonly ask: Ask;
}

interface PromptSizes {
  /** Tokens of the head of every prompt. */
  readonly headTokens: number;
  /** The most tokens of a fold's text. */
  readonly foldTokens: number;
  /** The most tokens of a member's prompts, by id. */
  readonly bounds: ReadonlyMap<string, number>;
}

/** Answers a protocol with placeholders and counts the calls. */
class Planner implements Answerer<Planned> {
  readonly asked: PlannedAsk[] = [];
  readonly given: Message[] = [];
  readonly #run: PlannedRun;
  readonly #observers: readonly Observer[];
  /** Guards that ask about every attempt. Claims that a strict fact check finds are counted with its observer. */
  readonly #guards: readonly Guard[];
  readonly #sizes: PromptSizes;
  readonly #calls: PlannedCall[] = [];
  /** Keys of turns with structured replies. */
  readonly #structured = new Set<string>();
  #turns = 0;
  /** Length of the chain of calls that the protocol has waited for. */
  #now = 0;
  readonly #observed: ObservedAnswer[] = [];
  /** Tokens of all turns so far, each at its cap. */
  #transcriptTokens = 0;
  readonly #turnTokens = new Map<number, number>();
  /** Folded transcripts of turns at their caps, by the bound of prompts. */
  readonly #transcripts: ReadonlyMap<number, Transcript>;
  /** Numbers of the messages through which a rolling summary was counted. */
  readonly #summarised = new Set<number>();
  /** The most tokens of a fold's text; the summary of the last folded round stays whole. */
  #mostFolded: number;

  constructor(run: PlannedRun, sizes: PromptSizes) {
    const { design, observers = [] } = run.options;
    this.#run = run;
    this.#observers = [...design?.observers ?? [], ...observers];
    this.#guards = guardsOf(run.options).filter(({ asks }) => asks === true);
    this.#sizes = sizes;
    this.#mostFolded = sizes.foldTokens;
    const folding = { messages: this.given, byRounds: design?.foldByRounds === true };
    this.#transcripts = new Map(
      Array.from(sizes.bounds.values(), (bound) => [bound, new Transcript({ ...folding, bound })]),
    );
  }

  async plan(): Promise<WorkflowPlan> {
    const { cast, options: { prices, maxOutputTokens } } = this.#run;
    const models: Record<string, number> = {};
    const tables: Record<string, string> = {};
    let [tokens, cost] = [0, 0];
    const unpriced = new Set<string>();
    for (const { member, inputTokens, maxTokens, ask } of this.#calls) {
      const { agent, tools, temperature, reasoningEffort } = member;
      const outputTokens = await agent.cap?.({
        messages: [],
        maxTokens,
        maxOutputTokens,
        tools,
        temperature,
        reasoningEffort,
        usualEffort: ask.effort,
        usualTemperature: ask.temperature,
      }) ?? maxTokens;
      models[agent.model] = (models[agent.model] ?? 0) + 1;
      tokens += inputTokens + outputTokens;
      const pricing = await pricingOf(agent, prices);
      const { costUsd, pricedBy } = pricing({ inputTokens, cachedInputTokens: 0, outputTokens });
      if (pricedBy !== undefined) tables[agent.model] = pricedBy;
      if (costUsd === "unknown") unpriced.add(agent.model);
      else cost += costUsd;
    }
    return {
      turns: this.#turns,
      calls: this.#calls.length,
      chain: this.#after(this.#observed),
      maxTokens: tokens,
      maxCost: unpriced.size === 0 ? rounded(cost) : "unknown",
      unpriced: [...unpriced],
      pricedBy: tables,
      models,
      factChecker: cast.values().find(({ role }) => role === FACT_CHECKER)?.agent.model,
    };
  }

  heard(): undefined {}

  give(message: Message): void {
    this.given.push(message);
    const { cast, options } = this.#run;
    const { headTokens, foldTokens } = this.#sizes;
    const reserved = headTokens + TAIL_TOKENS + foldTokens;
    const sizeOf = ({ seq }: Message) => this.#turnTokens.get(seq)!;
    for (const transcript of this.#transcripts.values()) {
      for (const { covers, begun } of transcript.weigh(sizeOf, reserved)) {
        // Round summaries are turns; other folds ask for a rolling summary.
        if (options.design?.foldByRounds === true || this.#summarised.has(covers)) continue;
        this.#summarised.add(covers);
        this.#call(foldAuthor(cast, options), foldTokens, askOf("fold", "fold"), begun);
      }
    }
  }

  take(numbered: NumberedTurn): Planned {
    const { turn, seq, count } = numbered;
    const { maxTurns = Infinity } = this.#run.options.limits ?? {};
    if (this.#turns >= maxTurns) throw new LimitStop("maxTurns", maxTurns, this.#turns);
    this.#turns++;
    const member = this.#run.cast.get(turn.speaker)!;
    const previous = this.given[count - 1]?.seq;
    const answer = {
      ...emptyMessage(turn, member, seq),
      ...previous === undefined ? {} : { previous },
    };
    const tokens = turn.maxTokens ?? UNBOUNDED_TOKENS;
    if (turn.structure !== undefined) this.#structured.add(turn.key);
    if (turn.text === undefined) {
      const cap = tokens + (turn.structure?.tokens ?? 0);
      this.#call(member, cap, askOf(turn.kind, "turn"), count);
      this.asked.push({ member, view: { count }, asks: { turn, member, seq, count } });
    }
    const checks = turn.text === undefined ? 1 + this.#checkAttempt(member, numbered) : 0;
    const ready = this.#now + checks;
    this.#turnTokens.set(seq, tokens);
    this.#mostFolded = Math.max(this.#mostFolded, tokens);
    if (turn.aside !== true) this.#transcriptTokens += tokens;
    for (const observer of this.#observers) {
      this.#observe(observer, answer, { ready, view: { count, then: answer } });
    }
    return { answer, ready };
  }

  /** Counts the guards' questions about an attempt, which are never answered; returns the number of questions. */
  #checkAttempt({ persona, position }: CastMember, { turn, seq, count }: NumberedTurn): number {
    const draft = {
      turn,
      body: `[What is said in turn ${seq}.]`,
      attempt: 1,
      transcript: [],
      topic: this.#run.head.topic,
      position: turn.position ?? position,
      persona,
    };
    let asked = 0;
    const consult = this.#unanswered({ count }, (isAsked) => asked += Number(isAsked));
    const tools = { ...NO_TOOLS, ask: consult as GuardTools["ask"], consult, seq };
    for (const guard of this.#guards) {
      Promise.try(() => guard.check(draft, tools)).catch(() => {});
    }
    return asked;
  }

  /** Counts the call for the summary of a stop at the limit on turns. */
  summarise(): void {
    const { summariser } = this.#run.options.design ?? {};
    const member = summariser && this.#run.cast.get(summariser.id);
    // The template summarises a single message.
    if (member === undefined || this.#turns < 2) return;
    this.#call(member, summariser!.maxTokens, askOf("summary", "turn"), this.given.length);
    this.#now++;
  }

  ask(question: Question, { count }: { readonly count: number }): Planned {
    const { answeredBy } = question;
    // A readable structured reply to the turn already answers the question.
    const answered = answeredBy !== undefined && this.#structured.has(answeredBy);
    const asked = !answered && this.#consult(question, { count });
    return { answer: this.#answer(question), ready: this.#now + (asked ? 1 : 0) };
  }

  settle(flights: readonly Planned[]): readonly (Message | Fact)[] {
    this.#now = Math.max(this.#now, ...flights.map(({ ready }) => ready));
    return flights.map(({ answer }) => answer);
  }

  results(name: string | undefined, through = Infinity): readonly Fact[] {
    // Without `through` the protocol waits for all observers, else only for the named one.
    this.#now = this.#after(
      through === Infinity
        ? this.#observed
        : this.#observed.filter(({ observer, seq }) => observer === name && seq <= through),
    );
    return [];
  }

  /** Returns the length of the longest chain of calls, observers' answers included. */
  #after(observed: readonly ObservedAnswer[]): number {
    return observed.reduce((most, { ready }) => Math.max(most, ready), this.#now);
  }

  /** Runs an observer to count its questions, which are never answered. */
  #observe(
    observer: Observer,
    message: Message,
    { ready, view }: { readonly ready: number; readonly view: TranscriptView },
  ): void {
    const asked = { observer: observer.name, seq: message.seq, ready: ready + 1 };
    const note = () => this.#observed.push(asked);
    const ask = this.#unanswered(view, note) as ObserverTools["ask"];
    const consult = this.#unanswered({ count: view.count }, note);
    // An observer may fail without answers; its questions are counted by then.
    Promise.try(() =>
      observer.observe(message, {
        transcript: this.given,
        ...NO_TOOLS,
        ask,
        consult,
        record: () => Promise.resolve(),
        factCheck: undefined,
        flow: undefined,
        recorded: () => [],
      })
    ).catch(() => {});
  }

  /** Returns a function that counts questions and never answers; `onAsked` learns whether a model is asked. */
  #unanswered(view: TranscriptView, onAsked: (isAsked: boolean) => void): Consult {
    return (question) => {
      onAsked(this.#consult(question, view));
      return new Promise(() => {});
    };
  }

  /** Counts a question; returns false if a program answers the question instead of a model. */
  #consult(question: Consultation, view: TranscriptView): boolean {
    const { asked, kind, compute, maxTokens } = question;
    const member = this.#run.cast.get(asked)!;
    const isComputed = member.agent.scoring === undefined
      ? compute?.(member.agent) !== undefined
      : compute !== undefined;
    if (isComputed) return false;
    const ask = askOf(kind, "question");
    this.#call(member, maxTokens ?? ask.tokens ?? UNBOUNDED_TOKENS, ask, view.count);
    this.asked.push({ member, view, asks: question });
    return true;
  }

  #answer(question: Question): Fact {
    const { agent: { model } } = this.#run.cast.get(question.asked)!;
    return question.toFact({
      problem: "It was only planned.",
      text: "",
      ...emptyProvenance(model),
    }, 1);
  }

  /** Counts a call whose prompt shows the first `count` messages. */
  #call(member: CastMember, maxTokens: number, ask: Ask, count: number): void {
    const { headTokens, bounds } = this.#sizes;
    const bound = bounds.get(member.id) ?? Infinity;
    const whole = headTokens + this.#transcriptTokens + TAIL_TOKENS;
    // Turns that no fold covers yet stay whole, also above the bound.
    const folded = whole + TURN_TOKENS * this.#turnTokens.size + this.#mostFolded -
      (this.#transcripts.get(bound)?.foldedAt(count) ?? 0);
    const inputTokens = Math.min(whole, Math.max(folded, bound + TAIL_TOKENS));
    this.#calls.push({ member, inputTokens, maxTokens, ask });
  }
}

/** Tools of observers and guards in a plan: nothing is answered. */
const NO_TOOLS = {
  consult: () => new Promise<never>(() => {}),
  once: () => new Promise<never>(() => {}),
  signal: new AbortController().signal,
} as const;

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
    ...emptyProvenance(member.agent.model),
  };
}

function emptyProvenance(model: string): Made {
  return { model, usage: NO_USAGE, latencyMs: 0, createdAt: "" };
}

/** The prompt of a turn or question, as far as it is known before the run. */
export interface PlannedPrompt {
  /** The key of the turn or question. */
  readonly key: string;
  /** Id of the cast member that is asked. */
  readonly participant: string;
  /** Name of the model in records. */
  readonly model: string;
  /** Token cap of the answer; absent for an unbounded answer. */
  readonly maxTokens?: number;
  /** The prompt. */
  readonly messages: readonly ChatMessage[];
}

/** A recorded turn with its first prompt. */
export interface RecordedPrompt extends PlannedPrompt {
  /** The message of the turn. */
  readonly message: Message;
  /** True if the reply was structured; the message holds only its speech. */
  readonly structured: boolean;
  /** Messages in the prompt, oldest first. */
  readonly shown: readonly Message[];
  /** True if the prompt shows sources or memories of earlier convenings. */
  readonly hasSources: boolean;
}

/** Returns the prompts of a run before it starts, with placeholders in brackets for the messages of turns. */
export async function promptsOf(run: PlannedRun): Promise<readonly PlannedPrompt[]> {
  const { asked, given } = await playPlan(run);
  return await buildPrompts(run, asked, given, (message) => ({
    ...message,
    body: `[What ${message.name} says in turn ${message.seq}.]`,
  }));
}

/** Rebuilds the first prompt of each recorded turn that a model spoke, without turns whose prompts were folded. */
export async function recordedPromptsOf(
  run: PlannedRun,
  past: RecordedFacts,
): Promise<readonly RecordedPrompt[]> {
  const turns: { readonly asks: SpokenTurn; readonly message: Message }[] = [];
  const given: Message[] = [];
  checkOrder(run.protocol(), past, run.options.exitCondition, {
    onTurn: (numbered, message) => {
      const member = run.cast.get(numbered.turn.speaker)!;
      const isSent = numbered.turn.text === undefined && message.folded === undefined;
      if (isSent) turns.push({ asks: { ...numbered, member }, message });
    },
    onGive: (message) => given.push(message),
  });
  const asked = turns.map(({ asks }) => ({
    member: asks.member,
    view: { count: asks.count },
    asks,
  }));
  const prompts = await buildPrompts(run, asked, given, (message) => message);
  return prompts.map((prompt, index) => {
    const { asks, message } = turns[index]!;
    return {
      ...prompt,
      message,
      model: message.model,
      structured: asks.turn.structure !== undefined,
      shown: given.slice(0, asks.count),
      hasSources: run.head.sources.length > 0,
    };
  });
}

/** Builds the prompts of requests, in order; `show` maps each given message to the one in the prompts. */
async function buildPrompts(
  { head, cast, options }: PlannedRun,
  asked: readonly PlannedAsk[],
  given: readonly Message[],
  show: (message: Message) => Message,
): Promise<PlannedPrompt[]> {
  const prompter = new Prompter({ head, cast, design: options.design });
  const shown = new Map(given.map((message) => [message, show(message)]));
  for (const message of shown.values()) await prompter.give(message);
  return await Promise.all(asked.map(async ({ member, view: { count, then }, asks }) => {
    const view = { count, then: then && (shown.get(then) ?? show(then)) };
    const isTurn = "turn" in asks;
    const { key, phase, round, kind } = isTurn ? asks.turn : asks;
    const request = isTurn ? requestOf(asks, prompter.messages, options) : asks;
    const { maxTokens = askOf(kind, isTurn ? "turn" : "question").tokens, schema } = request;
    const shape = shapeOf({ schema, member });
    const tail = { ...request, member, phase, round, shape };
    return {
      key,
      participant: member.id,
      model: member.agent.model,
      ...maxTokens === undefined ? {} : { maxTokens },
      messages: await prompter.build(view, tail),
    };
  }));
}
