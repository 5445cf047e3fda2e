// The check of a record's order: the protocol is played from the record alone, as far as the record goes.
import { ConveningError } from "./error.ts";
import type { Fact, Failure } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Past } from "./past.ts";
import { type Answerer, type Numbered, playNow } from "./play.ts";
import type { Protocol } from "./protocol.ts";
import type { Question } from "./turn.ts";

/** A record that its protocol cannot have left behind: what is missing or too much, and how it shows. */
export interface OrderProblem {
  /** The message's number. */
  readonly seq: number;
  /** The key of the turn or question. */
  readonly key: string;
  /** The fault, as the end of a sentence about the message. */
  readonly problem: string;
}

/** The outcome of the check. */
interface OrderCheck {
  readonly problem?: OrderProblem | undefined;
  /** The keys of failed turns that the protocol had gone on without: they are not tried again. */
  readonly without: ReadonlySet<string>;
}

interface OrderListeners {
  /** Called with each turn that is on record, and its message. @default nothing is called */
  readonly onTurn?: (numbered: Numbered, message: Message) => void;
  /** Called with each message that later turns are shown. @default nothing is called */
  readonly onGive?: (message: Message) => void;
}

/**
 * Plays a protocol from a record alone, as far as the record goes. A missing message is work in flight as long as no
 * later turn had waited for it; else it was lost, and this says which.
 */
export function checkOrder(
  protocol: Protocol<unknown>,
  past: Past,
  ends?: (messages: readonly Message[]) => boolean,
  listeners: OrderListeners = {},
): OrderCheck {
  const record = new RecordAnswerer(past, listeners);
  const { without } = record;
  try {
    playNow(protocol, record, ends);
  } catch (error) {
    if (error instanceof Disordered) return { problem: error.problem, without };
    if (error instanceof Missing) return { problem: record.lost(error), without };
    // A protocol that refuses to go on from here has ended.
    if (!(error instanceof ConveningError)) throw error;
  }
  return { problem: record.extra(), without };
}

/** The types of facts that observers and questions leave. */
const FOUND: ReadonlySet<string> = new Set([
  "score",
  "verdict",
  "choice",
  "stance",
  "fact-check",
  "flow",
  "evidence",
]);

/** Thrown where an answer is needed that the record does not hold. */
class Missing extends Error {
  readonly seq: number;
  readonly key: string;

  constructor({ seq, key }: { readonly seq: number; readonly key: string }) {
    super(`${key} is missing`);
    this.seq = seq;
    this.key = key;
  }
}

/** Thrown where the record and the protocol disagree. */
class Disordered extends Error {
  readonly problem: OrderProblem;

  constructor(problem: OrderProblem) {
    super(problem.problem);
    this.problem = problem;
  }
}

/** A turn or question, with its answer where that is on record. */
interface Recalled {
  readonly seq: number;
  readonly key: string;
  readonly answer: Message | Fact | undefined;
}

class RecordAnswerer implements Answerer<Recalled> {
  readonly #past: Past;
  readonly #listeners: OrderListeners;
  readonly #unused: Map<string, Message>;
  readonly #skipped: string[] = [];
  #seq = 0;
  /** The failed turns that a recorded message, or the answer to a question, came after. */
  readonly without = new Set<string>();

  constructor(past: Past, listeners: OrderListeners) {
    this.#past = past;
    this.#listeners = listeners;
    this.#unused = new Map(past.messages);
  }

  /** Interjections are no turns: they were heard before the turn that would have had their number. */
  heard(seq: number): Message | undefined {
    const heard = this.#past.interjection(seq);
    if (heard === undefined) return undefined;
    this.#seq = seq;
    this.#unused.delete(heard.turn);
    return heard;
  }

  give(message: Message): void {
    this.#listeners.onGive?.(message);
  }

  take(numbered: Numbered): Recalled {
    const { turn: { key }, seq } = numbered;
    this.#seq = seq;
    const message = this.#unused.get(key);
    if (message === undefined) return { seq, key, answer: undefined };
    this.#unused.delete(key);
    this.#wentOn();
    if (message.seq === seq) {
      this.#listeners.onTurn?.(numbered, message);
      return { seq, key, answer: message };
    }
    throw new Disordered({ seq: message.seq, key, problem: `should have the number ${seq}` });
  }

  ask(question: Question, { seq }: { readonly seq: number }): Recalled {
    const answer = this.#past.recall(question);
    if (answer !== undefined) this.#wentOn();
    return { seq, key: question.key, answer };
  }

  settle(flights: readonly Recalled[], required: boolean): readonly (Message | Fact | Failure)[] {
    return flights.map(({ seq, key, answer }) => {
      if (answer !== undefined) return answer;
      const failure = required ? undefined : this.#past.failure(key);
      if (failure === undefined) throw new Missing({ seq, key });
      this.#skipped.push(key);
      return failure;
    });
  }

  results(): readonly Fact[] {
    return this.#past.facts.filter(({ type }) => FOUND.has(type));
  }

  /** A message that no turn of the protocol can have left. */
  extra(): OrderProblem | undefined {
    this.#hearRest();
    const [extra] = this.#unused.values();
    return extra && {
      seq: extra.seq,
      key: extra.turn,
      problem: "is none of the turns this convening can have",
    };
  }

  /** Nothing more can be answered: whatever came later had waited for what is missing. */
  lost({ seq, key }: Missing): OrderProblem | undefined {
    this.#hearRest();
    const [later] = [...this.#unused.values()].sort((a, b) => a.seq - b.seq);
    return later &&
      { seq, key, problem: `is missing, although message ${later.seq} came after it` };
  }

  #hearRest(): void {
    while (this.heard(this.#seq + 1) !== undefined);
  }

  /** Notes the skipped turns: a later fact is on record, so the protocol continued without them. */
  #wentOn(): void {
    for (const skipped of this.#skipped.splice(0)) this.without.add(skipped);
  }
}
