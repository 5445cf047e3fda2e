import type { AgentRequest, RequestContext } from "../core/agent.ts";
import { type Clock, isoTime } from "../core/clock.ts";
import type { TurnInfo } from "../core/event.ts";
import { type Failure, LAST_OWN_LOOK_UP, type LookUp } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { WordRange } from "../core/guard.ts";
import type { Turn } from "../core/turn.ts";
import type { Past } from "../core/past.ts";
import { priceOf, type Prices } from "../config/prices.ts";
import type { ToolTrace } from "../core/tool.ts";
import { fillTemplate, type PlaceholderValues } from "../core/prompt.ts";
import type { Answers } from "./answers.ts";
import type { Budget, Estimate } from "./budget.ts";
import type { Call, Called, Caller } from "./caller.ts";
import type { Emitter } from "./emitter.ts";
import type { Floor } from "./floor.ts";
import type { Party } from "./party.ts";
import type { Prompter } from "./prompter.ts";

/** Tokens a reply is expected to have at most where it has no cap. */
const UNCAPPED_TOKENS = 1000;
const NOTHING: Estimate = { tokens: 0, cost: 0 };

/** What the parts of the engine share during one run. */
export interface DeskOptions {
  readonly topic: string;
  /** Enters what agents that are no models write. */
  readonly seed: number;
  readonly parties: ReadonlyMap<string, Party>;
  readonly past: Past;
  readonly prompter: Prompter;
  readonly caller: Caller;
  readonly emitter: Emitter;
  readonly budget: Budget;
  /** What was answered and no fact carries yet. */
  readonly answers: Answers;
  /** Where people are heard. */
  readonly floor: Floor;
  /** Ends with the run. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly prices?: Prices | undefined;
  /** The range of words that turns are held to. */
  readonly words?: WordRange | undefined;
  /** The turns it holds for. @default all */
  readonly wordsApply?: ((turn: Turn) => boolean) | undefined;
  /** The most tokens of the summary of an early end; undefined where a template makes it. */
  readonly summaryTokens?: number | undefined;
}

/** A request's context but for what the desk knows itself. */
type Matter =
  & Omit<
    RequestContext,
    | "topic"
    | "participant"
    | "label"
    | "role"
    | "position"
    | "persona"
    | "opponents"
    | "seed"
    | "about"
  >
  & { readonly about: readonly Message[] };

/** What the parts of the engine share during one run, and how they reach an agent. */
export class Desk {
  readonly topic: string;
  readonly parties: ReadonlyMap<string, Party>;
  readonly past: Past;
  readonly prompter: Prompter;
  readonly emitter: Emitter;
  readonly budget: Budget;
  readonly answers: Answers;
  readonly floor: Floor;
  readonly signal: AbortSignal;
  /** What was left in the inbox for a turn, by the turn's key, until the turn is on record. */
  readonly heard = new Map<string, string>();
  /** What was looked up in turns that are over, by the speaker's id, oldest first. */
  readonly lookedUp: Map<string, readonly ToolTrace[]>;
  /** The turns of this run that failed for good, by key. */
  readonly failures = new Map<string, Failure>();
  readonly #options: DeskOptions;
  readonly #opponents = new Map<Party, RequestContext["opponents"]>();

  /** A desk for one run. */
  constructor(options: DeskOptions) {
    this.#options = options;
    this.topic = options.topic;
    this.parties = options.parties;
    this.past = options.past;
    this.lookedUp = ownLookUps(options.past);
    this.prompter = options.prompter;
    this.emitter = options.emitter;
    this.budget = options.budget;
    this.answers = options.answers;
    this.floor = options.floor;
    this.signal = options.signal;
  }

  /** A person's words, for a turn or for a question of the given key. */
  async hear(
    info: TurnInfo,
    { task, values }: {
      readonly task: string;
      readonly values?: PlaceholderValues | undefined;
    },
  ): Promise<string> {
    const { floor, emitter, prompter, signal } = this;
    const { turn, participant, round, name } = info;
    const asked = fillTemplate(task, {
      ...prompter.values,
      position: this.parties.get(participant)?.position ?? "",
      round: String(round),
      name,
      ...values,
    });
    const { text, id } = await floor.listen({ participant, turn }, {
      signal,
      onWait: () => emitter.emit({ type: "turn-wait", turn: info, task: asked }),
      onAnswer: () => emitter.emit({ type: "turn-answer", turn: info }),
    });
    if (id !== undefined) this.heard.set(turn, id);
    return text;
  }

  /** Takes out of the inbox what was said in a turn that is on record now. */
  async taken(turn: string): Promise<void> {
    const id = this.heard.get(turn);
    if (id === undefined) return;
    this.heard.delete(turn);
    await this.floor.done(id);
  }

  /** The range of words a turn is held to; undefined where it is held to none. */
  wordsFor(turn: Turn): WordRange | undefined {
    const { words, wordsApply = () => true } = this.#options;
    return words !== undefined && wordsApply(turn) ? words : undefined;
  }

  /** What a turn's task says of the words it may have; empty where it is held to none. */
  wordsAsked(turn: Turn): string {
    const words = this.wordsFor(turn);
    return words === undefined ? "" : ` Use ${words.min} to ${words.max} words.`;
  }

  /** The time, as records write it. */
  now(): string {
    return isoTime(this.#options.clock);
  }

  /** The context of a request to a party, which stands for `position` in the turn it is about. */
  context(
    party: Party,
    { about, ...matter }: Matter,
    position: string | undefined = party.position,
  ): RequestContext {
    const { topic, seed } = this.#options;
    return {
      ...matter,
      topic,
      seed,
      participant: party.id,
      label: party.label,
      role: party.role,
      position,
      persona: party.persona,
      opponents: this.#opponentsOf(party),
      about: about.map(({ participant, body, name }) => ({
        participant,
        label: this.parties.get(participant)?.label ?? name,
        body,
      })),
    };
  }

  #opponentsOf(party: Party): RequestContext["opponents"] {
    let opponents = this.#opponents.get(party);
    if (opponents === undefined) {
      opponents = [...this.parties.values()]
        .filter(({ id, role, helper }) =>
          id !== party.id && role !== "moderator" && role !== "judge" && helper !== true
        )
        .map(({ id, label, position }) => ({ id, label, position }));
      this.#opponents.set(party, opponents);
    }
    return opponents;
  }

  /** Asks a party's agent, within the limits; what was answered before a crash is not asked again. */
  async call(
    party: Party,
    request: AgentRequest,
    options: { readonly onReset?: Call["onReset"] } = {},
  ): Promise<Called> {
    const { caller } = this.#options;
    const before = this.answers.recall(request);
    if (before !== undefined) {
      this.budget.spend(before.usage);
      request.onDelta?.(before.reply.text);
      return before;
    }
    const estimate = await this.estimate(party, request);
    const reserve = await this.#summaryReserve(party, request);
    return await caller.call({
      request,
      agent: party.agent,
      estimate,
      reserve,
      onReset: options.onReset,
    });
  }

  /** Asks once more after a limit was hit: the summary, from what was kept for it. */
  callAfterStop(party: Party, request: AgentRequest): Promise<Called> {
    return this.#options.caller.callAfterStop({ request, agent: party.agent });
  }

  /** What a request may use at most; nothing is counted where no limit asks for it. */
  async estimate(
    party: Party,
    { messages, maxTokens = UNCAPPED_TOKENS }: AgentRequest,
  ): Promise<Estimate> {
    if (!this.budget.counts) return NOTHING;
    const input = await this.prompter.tokens(messages);
    return this.#priced(party, input, maxTokens);
  }

  /** The summary of an early end reads about as much as the call before it. */
  async #summaryReserve(
    party: Party,
    { messages }: AgentRequest,
  ): Promise<Estimate> {
    const { summaryTokens } = this.#options;
    if (!this.budget.counts || summaryTokens === undefined) return NOTHING;
    return this.#priced(
      party,
      await this.prompter.tokens(messages) + UNCAPPED_TOKENS,
      summaryTokens,
    );
  }

  #priced(party: Party, input: number, output: number): Estimate {
    const price = priceOf(party.agent.model, this.#options.prices);
    const cost = price === undefined ? 0 : (input * price.input + output * price.output) / 1e6;
    return { tokens: input + output, cost };
  }
}

/** The look-ups of turns, but for those of fact checks, by the speaker's id. */
function ownLookUps({ facts }: Past): Map<string, readonly LookUp[]> {
  const own = facts.filter((fact): fact is LookUp =>
    fact.type === "lookup" && fact.seq > 0 && fact.number <= LAST_OWN_LOOK_UP
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
  return Map.groupBy(own, ({ participant }) => participant);
}
