// Questions to a model outside of a convening's protocol: retries around, usage after, and one repair.
import type { Agent, ChatMessage, ReplySchema } from "../core/agent.ts";
import { type AskKind, askOf } from "../core/asks.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { AgentError } from "../core/error.ts";
import type { Made, Usage } from "../core/message.ts";
import type { CommonConfig } from "../config/convening_config.ts";
import { readReply, repairOf } from "../engine/asker.ts";
import { Budget } from "../engine/budget.ts";
import { type Called, Caller, madeOf, sumOf } from "../engine/caller.ts";
import { drawSeed } from "../engine/start.ts";

interface AskerOptions extends Pick<CommonConfig, "temperature" | "seed" | "retry" | "prices"> {
  readonly topic: string;
  /** The kind of the questions, which says their length. */
  readonly kind: AskKind;
  /** The source of times. @default the machine's */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ModelQuestion<T> {
  readonly messages: readonly ChatMessage[];
  readonly schema: ReplySchema<T>;
  /** The tokens that the answer is asked to have. */
  readonly maxTokens: number;
}

/** A model that is asked questions of one kind. */
export class ModelAsker {
  readonly agent: Agent;
  readonly #budget: Budget;
  readonly #caller: Caller;
  readonly #options: AskerOptions;
  readonly #seed: number;

  /** An asker of an agent. */
  constructor(agent: Agent, options: AskerOptions) {
    const { clock = systemClock, signal, retry = {}, prices, seed } = options;
    this.agent = agent;
    this.#options = options;
    this.#seed = seed ?? drawSeed();
    this.#budget = new Budget({}, clock, () => Promise.resolve());
    this.#caller = new Caller({
      budget: this.#budget,
      clock,
      retry,
      prices,
      seed,
      ending: () => false,
      signal: signal ?? new AbortController().signal,
    });
  }

  /** The usage of all questions. */
  get usage(): Usage {
    return this.#budget.usage;
  }

  /**
   * The value of a reply, and its provenance; a reply that cannot be read is asked for once more. Fails with
   * `agent_bad_reply` where the second cannot be read either, and with the agent's own errors.
   */
  async ask<T>(question: ModelQuestion<T>): Promise<Made & { readonly value: T }> {
    const { messages, schema } = question;
    const first = await this.call(question, 1);
    const read = readReply(first, schema);
    if (read.problem === undefined) return { ...madeOf(first), value: read.value };
    const again = { said: first.reply.text, why: read.problem, unreadable: true };
    const repair = [...messages, ...repairOf(again, schema)];
    const second = await this.call({ ...question, messages: repair }, 2);
    const repaired = readReply(second, schema);
    if (repaired.problem === undefined) {
      return { ...madeOf(sumOf(first, second)), value: repaired.value };
    }
    throw new AgentError(
      "agent_bad_reply",
      `Cannot read what "${this.agent.model}" replied, asked twice: ${repaired.problem}`,
      { hint: "Try another model." },
    );
  }

  /** One reply. */
  async call(
    { messages, schema, maxTokens }: ModelQuestion<unknown>,
    attempt: number,
  ): Promise<Called> {
    const { topic, kind, temperature } = this.#options;
    const { effort } = askOf(kind, "question");
    return await this.#caller.call({
      agent: this.agent,
      estimate: { tokens: 0, cost: 0 },
      reserve: { tokens: 0, cost: 0 },
      request: {
        messages,
        maxTokens,
        usualEffort: effort,
        temperature,
        schema,
        context: {
          key: `${schema.name}/${attempt}`,
          purpose: "question",
          topic,
          participant: kind,
          label: "Reader",
          role: "reader",
          seq: 0,
          phase: kind,
          kind,
          round: 0,
          attempt,
          seed: this.#seed,
        },
      },
    });
  }
}
