// The one driver of protocols, which plays a protocol live, from a record or for a plan; and the check of the order of a record by it.
import type { Fact, Failure } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Begun, Protocol, ProtocolRequest } from "./protocol.ts";
import type { Question, Turn } from "./turn.ts";
import { ConveningError } from "./error.ts";
import type { Past } from "./record.ts";

/** A value, now or later. */
type Awaitable<T> = T | Promise<T>;

/** A turn with its number, and how many messages its speaker has been given. */
export interface Numbered {
  readonly turn: Turn;
  readonly seq: number;
  readonly count: number;
}

/** Answers the requests of a protocol; `Begun` is what the answerer knows of a turn or question in flight. */
export interface Answerer<Flight> {
  /** Throws where the protocol cannot be played further. @default nothing is checked */
  check?(request: ProtocolRequest): void;
  /** The interjection of the given number, which is heard before a turn; undefined where there is none. */
  heard(seq: number, next?: Turn): Awaitable<Message | undefined>;
  /** Begins a turn. */
  take(numbered: Numbered): Flight;
  /** Begins a question, asked after `count` messages, of which the last has the number `seq`. */
  ask(question: Question, place: { readonly seq: number; readonly count: number }): Flight;
  /** Waits for turns and questions; where they are not required, a failure stands in for an answer. */
  settle(
    flights: readonly Flight[],
    required: boolean,
  ): Awaitable<readonly (Message | Fact | Failure)[]>;
  /** Shows a message to all later turns. @default nothing is shown */
  give?(message: Message): Awaitable<void>;
  /** The facts that observers and questions left; observers are waited for, as far as messages up to `through`. */
  results(
    observer: string | undefined,
    through: number | undefined,
  ): Awaitable<readonly Fact[]>;
}

/** The end of a play. */
interface Played<T> {
  /** The value that the protocol returned; undefined where the exit condition ended it. */
  readonly value: T | undefined;
  /** True where the exit condition ended the protocol. */
  readonly exited: boolean;
}

/** A play in steps: yields what has to be waited for, and is resumed with its value. */
type Steps<T> = Generator<unknown, T, unknown>;

/** Numbers turns, hears interjections before them, and gives messages, in the order of one protocol. */
class Play<T, Flight> {
  readonly #protocol: Protocol<T>;
  readonly #answerer: Answerer<Flight>;
  readonly #ends: (messages: readonly Message[]) => boolean;
  readonly #begun = new Map<string, { readonly flight: Flight; readonly aside: boolean }>();
  readonly #given: Message[] = [];
  #seq = 0;
  #exited = false;

  constructor(
    protocol: Protocol<T>,
    answerer: Answerer<Flight>,
    ends: (messages: readonly Message[]) => boolean,
  ) {
    this.#protocol = protocol;
    this.#answerer = answerer;
    this.#ends = ends;
  }

  *steps(): Steps<Played<T>> {
    try {
      let step = this.#protocol.next();
      while (!step.done && !this.#exited) {
        this.#answerer.check?.(step.value);
        const answer = yield* this.#answer(step.value);
        if (!this.#exited) step = this.#protocol.next(answer);
      }
      return { value: step.done ? step.value : undefined, exited: this.#exited };
    } finally {
      this.#protocol.return(undefined as T);
    }
  }

  *#answer(request: ProtocolRequest): Steps<unknown> {
    switch (request.type) {
      case "say":
        return (yield* this.#settle([yield* this.#take(request.turn)], true))[0];
      case "begin":
        return this.#begin(request.turn.key, yield* this.#take(request.turn));
      case "ask":
        return (yield* this.#settle([this.#ask(request.question)], true))[0];
      case "begin-ask":
        return this.#begin(request.question.key, this.#ask(request.question));
      case "settle": {
        const begun = request.begun.map(({ key }) => this.#begun.get(key)!);
        return yield* this.#settle(begun, request.required);
      }
      case "results":
        return yield this.#answerer.results(request.observer, request.through);
    }
  }

  #begin(key: string, begun: { readonly flight: Flight; readonly aside: boolean }): Begun<unknown> {
    this.#begun.set(key, begun);
    return { key };
  }

  *#take(turn: Turn): Steps<{ flight: Flight; aside: boolean }> {
    yield* this.hear(turn);
    const numbered = { turn, seq: ++this.#seq, count: this.#given.length };
    return { flight: this.#answerer.take(numbered), aside: turn.aside === true };
  }

  #ask(question: Question): { flight: Flight; aside: boolean } {
    const place = { seq: this.#seq, count: this.#given.length };
    return { flight: this.#answerer.ask(question, place), aside: true };
  }

  /** Answers in the order of what was begun; messages are given in that order, all after the last of them is there. */
  *#settle(
    begun: readonly { readonly flight: Flight; readonly aside: boolean }[],
    required: boolean,
  ): Steps<readonly (Message | Fact | Failure)[]> {
    const flights = begun.map(({ flight }) => flight);
    const answers = (yield this.#answerer.settle(flights, required)) as (Message | Failure)[];
    for (const [index, answer] of answers.entries()) {
      if (answer.type === "message" && !begun[index]!.aside) yield* this.#give(answer);
    }
    return answers;
  }

  *#give(message: Message): Steps<void> {
    this.#given.push(message);
    yield this.#answerer.give?.(message);
    this.#exited ||= this.#ends(this.#given);
  }

  /** Hears interjections: they take the numbers before the turn that comes next. */
  *hear(next?: Turn): Steps<void> {
    for (;;) {
      const message = (yield this.#answerer.heard(this.#seq + 1, next)) as Message | undefined;
      if (message === undefined) return;
      this.#seq++;
      yield* this.#give(message);
    }
  }
}

/** Plays a protocol with an answerer that answers at once. */
export function playNow<T, Flight>(
  protocol: Protocol<T>,
  answerer: Answerer<Flight>,
  ends: (messages: readonly Message[]) => boolean = () => false,
): Played<T> {
  const steps = new Play(protocol, answerer, ends).steps();
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

/** Plays a protocol with an answerer that takes its time. */
export async function play<T, Flight>(
  protocol: Protocol<T>,
  answerer: Answerer<Flight>,
  ends: (messages: readonly Message[]) => boolean,
): Promise<Played<T>> {
  const steps = new Play(protocol, answerer, ends).steps();
  let step = steps.next();
  while (!step.done) {
    try {
      step = steps.next(await step.value);
    } catch (error) {
      step = steps.throw(error);
    }
  }
  return step.value;
}

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
