import type { ChatMessage } from "../core/agent.ts";
import { AgentError, TurnOrderError } from "../core/error.ts";
import { eventOf } from "../core/event_fact.ts";
import type { Fact } from "../core/fact.ts";
import { addUsage, type Made, type Message, NO_USAGE, type Usage } from "../core/message.ts";
import type { Consultation } from "../core/observer.ts";
import { readStructured } from "../core/structured.ts";
import type { Answer, Question } from "../core/turn.ts";
import type { Answered } from "./answers.ts";
import type { Called } from "./caller.ts";
import type { Desk } from "./desk.ts";
import type { Party } from "./party.ts";
import type { Sight } from "./prompter.ts";

/** The most tokens of a structured reply that names no cap. */
const ANSWER_TOKENS = 800;

/** Asks structured questions: reads the reply, has it repaired once, records what it leaves. */
export class Asker {
  readonly #desk: Desk;
  /** What agents failed to answer, by the question's key. */
  readonly #unanswered = new Map<string, Fact>();
  /** How many choices were asked before each message. */
  readonly #numbers = new Map<number, number>();
  /** The first replies that could not be read, by question: what they used is on record whatever comes of the repair. */
  readonly #unread = new Map<string, Called>();

  /** An asker for one run. */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * The fact a question leaves, from the record where it was asked before. An agent that fails leaves a fact without a
   * value, recorded only when the protocol, or the run, gets by without it: see {@linkcode recordUnanswered}.
   */
  async ask<T, F extends Fact>(
    question: Question<T, F>,
    sight: Sight,
  ): Promise<F> {
    const number = this.#numberFor(question);
    const before = this.#desk.past.recall(question);
    if (before !== undefined) {
      await this.#desk.answers.drop(question.key);
      return before;
    }
    const party = this.#partyOf(question);
    try {
      const fact = question.toFact(await this.#answer(question, party, sight), number);
      await this.#record(question.key, fact);
      await this.#desk.taken(question.key);
      return fact;
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      const fact = question.toFact(this.#unanswerable(question, party, error), number);
      this.#unanswered.set(question.key, fact);
      return fact;
    }
  }

  /**
   * The answer to a question that leaves no fact of its own, kept until the turn `of` it is about is over; an agent that
   * fails gives its problem.
   */
  async consult<T>(question: Consultation<T>, sight: Sight, of: string): Promise<Answer<T>> {
    const party = this.#partyOf(question);
    try {
      return await this.#answer(question, party, sight, of);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return this.#unanswerable(question, party, error);
    }
  }

  #partyOf({ key, asked }: Consultation): Party {
    const party = this.#desk.parties.get(asked);
    if (party !== undefined) return party;
    throw new TurnOrderError(
      `Cannot ask "${key}": "${asked}" is neither a participant nor a judge`,
      { hint: `Known: ${[...this.#desk.parties.keys()].join(", ")}` },
    );
  }

  #unanswerable({ key }: Consultation, party: Party, error: AgentError): Answer<never> {
    const unread = this.#unread.get(key);
    return {
      problem: error.message,
      text: unread?.reply.text ?? "",
      model: party.agent.model,
      usage: unread?.usage ?? NO_USAGE,
      latencyMs: unread?.latencyMs ?? 0,
      createdAt: this.#desk.now(),
    };
  }

  /** The place among the choices before one message, in the order in which they are asked. */
  #numberFor({ key, seq }: Pick<Question, "key" | "seq">): number {
    if (seq === undefined) return 1;
    let number = (this.#numbers.get(seq) ?? 0) + 1;
    while (this.#desk.past.isTaken(seq, number, key)) number++;
    this.#numbers.set(seq, number);
    return number;
  }

  /** Records that a question has no answer, before a protocol goes on without one: it must find it so again. */
  async recordUnanswered(keys: Iterable<string> = [...this.#unanswered.keys()]): Promise<void> {
    for (const key of keys) {
      const fact = this.#unanswered.get(key);
      if (fact === undefined) continue;
      this.#unanswered.delete(key);
      await this.#record(key, fact);
    }
  }

  async #record(key: string, fact: Fact): Promise<void> {
    await this.#desk.emitter.emit(eventOf(fact, this.#desk.budget.usage));
    await this.#desk.answers.drop(key);
  }

  /** `of` is what the answer is part of, where no fact carries it at once. */
  async #answer<T>(
    question: Consultation<T>,
    party: Party,
    sight: Sight,
    of?: string,
  ): Promise<Answer<T>> {
    const { answers } = this.#desk;
    const { phase, round, task, values, notes } = question;
    const prompt = await this.#desk.prompter.build(sight, {
      party,
      phase,
      round,
      task,
      values,
      notes,
    });
    const asked = await this.#call(question, party, sight, prompt, 1);
    const { called: first } = asked;
    const reading = read(first, question);
    if (of !== undefined || reading.problem !== undefined) {
      await answers.keep(of ?? question.key, asked);
    }
    if (reading.problem === undefined) {
      return { ...made(first), text: first.reply.text, value: reading.value };
    }
    this.#unread.set(question.key, first);
    const again = await this.#call(question, party, sight, [
      ...prompt,
      { role: "assistant", content: first.reply.text || "(nothing)" },
      {
        role: "user",
        content:
          `That could not be read. ${reading.problem}\nAnswer again, with one JSON object of the shape asked for and nothing else.`,
      },
    ], 2);
    if (of !== undefined) await answers.keep(of, again);
    const { called: second } = again;
    const repaired = read(second, question);
    const both = {
      ...made(second, first.usage),
      latencyMs: first.latencyMs + second.latencyMs,
      text: second.reply.text,
    };
    return repaired.problem === undefined
      ? { ...both, value: repaired.value }
      : { ...both, problem: repaired.problem };
  }

  /** The messages of the given numbers among the first `count`, oldest first: mostly late ones. */
  #about(seqs: readonly number[], count: number): Message[] {
    const given = this.#desk.prompter.messages;
    const wanted = new Set(seqs);
    const about: Message[] = [];
    for (let i = count - 1; i >= 0 && wanted.size > 0; i--) {
      if (wanted.delete(given[i]!.seq)) about.push(given[i]!);
    }
    return about.reverse();
  }

  async #call(
    question: Consultation,
    party: Party,
    { count, then }: Sight,
    messages: readonly ChatMessage[],
    attempt: number,
  ): Promise<Answered> {
    const { key, phase, kind, round, maxTokens = ANSWER_TOKENS, schema, data, task, values } =
      question;
    const about = this.#about(question.about ?? [], count);
    if (then !== undefined) about.push(then);
    const context = this.#desk.context(party, {
      key,
      purpose: "question",
      seq: 0,
      phase,
      kind,
      round,
      attempt,
      data,
      about,
    });
    const request = {
      messages,
      context,
      maxTokens,
      temperature: party.temperature,
      schema,
      hear: () => {
        const { id, name } = party;
        const place = { seq: 0, turn: key, participant: id, name, phase, kind, round };
        return this.#desk.hear(place, { task, values });
      },
    };
    return { request, called: await this.#desk.call(party, request) };
  }
}

function made(
  { model, usage, latencyMs, createdAt }: Called,
  before: Usage = NO_USAGE,
): Made {
  return { model, usage: addUsage(before, usage), latencyMs, createdAt };
}

function read<T>(
  { reply }: Called,
  { schema }: Pick<Question<T>, "schema">,
): ReturnType<typeof readStructured<T>> {
  if (reply.finishReason === "refused") {
    return { problem: "The provider refused to answer." };
  }
  const reading = readStructured(reply.text, schema.type);
  if (reading.problem === undefined || reply.finishReason !== "length") {
    return reading;
  }
  return {
    problem: `The reply was cut off at its token limit. ${reading.problem}`,
  };
}
