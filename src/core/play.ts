// The one driver of protocols: plays a protocol with an answerer that is live, reads a record, or makes a plan.
import type { Fact, Failure } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Begun, Protocol, ProtocolRequest } from "./protocol.ts";
import type { Question, Turn } from "./turn.ts";

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
