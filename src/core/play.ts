// Driver of protocols: runs a protocol live, from a record, or for a plan; checks that the order of a record fits its protocol.
import { FACT_EVENTS } from "./event.ts";
import type { Fact, Failure } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Begun, Protocol, ProtocolRequest } from "./protocol.ts";
import type { Question, Turn } from "./turn.ts";
import { asConveningError, ConfigurationError, ConveningError } from "./error.ts";
import type { RecordedFacts } from "./record.ts";

type Awaitable<T> = T | Promise<T>;

/** Turn with its number and the count of messages that its speaker sees. */
export interface NumberedTurn {
  readonly turn: Turn;
  readonly seq: number;
  readonly count: number;
}

/** Answers the requests of a protocol; `Flight` is the answerer's handle of a turn or question in flight. */
export interface Answerer<Flight> {
  /** Throws if the protocol cannot continue. @default no check */
  check?(request: ProtocolRequest): void;
  /** Returns the interjection with the given number, heard before a turn or at the end; undefined if there is none. */
  heard(seq: number, next?: Turn): Awaitable<Message | undefined>;
  /** Begins a turn. */
  take(numbered: NumberedTurn): Flight;
  /** Begins a question after `count` messages; `seq` is the number of the last one. */
  ask(question: Question, place: { readonly seq: number; readonly count: number }): Flight;
  /** Waits for turns and questions. If `required` is false, a failure may take the place of an answer. */
  settle(
    flights: readonly Flight[],
    required: boolean,
  ): Awaitable<readonly (Message | Fact | Failure)[]>;
  /** Shows a message to all later turns. @default nothing */
  give?(message: Message): Awaitable<void>;
  /** Returns the facts of observers and questions, after the observers have processed the messages up to `through`. */
  results(observer: string | undefined, through: number | undefined): Awaitable<readonly Fact[]>;
}

/** End of a protocol. */
export interface Played<T> {
  /** Return value of the protocol; undefined if the exit condition ended it. */
  readonly value: T | undefined;
  /** True if the exit condition ended the protocol. */
  readonly exited: boolean;
}

/** Play as a generator: yields values to await and is resumed with the results. */
type Steps<T> = Generator<unknown, T, unknown>;

/** Numbers turns, takes in interjections before them, and distributes messages, in the order of one protocol. */
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
      let step = this.#next();
      while (!step.done && !this.#exited) {
        this.#answerer.check?.(step.value);
        const answer = yield* this.#answer(step.value);
        if (!this.#exited) step = this.#next(answer);
      }
      yield* this.#hear();
      return { value: step.done ? step.value : undefined, exited: this.#exited };
    } finally {
      this.#protocol?.return?.(undefined as T);
    }
  }

  /** Resumes the protocol. An error of the protocol's own code names the protocol. */
  #next(answer?: unknown): IteratorResult<ProtocolRequest, T> {
    try {
      return this.#protocol.next(answer);
    } catch (error) {
      throw asConveningError(error, { part: "the protocol" });
    }
  }

  *#answer(request: ProtocolRequest): Steps<unknown> {
    switch (request?.type) {
      case "say":
        return (yield* this.#settle([yield* this.#take(request.turn)], true))[0];
      case "begin":
        return this.#begin(request.turn.key, yield* this.#take(request.turn));
      case "ask":
        return (yield* this.#settle([this.#ask(request.question)], true))[0];
      case "begin-ask":
        return this.#begin(request.question.key, this.#ask(request.question));
      case "settle":
        return yield* this.#settle(request.begun.map((each) => this.#of(each)), request.required);
      case "results":
        return yield this.#answerer.results(request.observer, request.through);
      default:
        throw new ConfigurationError(
          "Cannot continue: the protocol yielded a value that is no request",
          { hint: "Write yield* before say, begin, ask, beginAsk, settle and results." },
        );
    }
  }

  #of({ key }: Begun<unknown>): { readonly flight: Flight; readonly aside: boolean } {
    const begun = this.#begun.get(key);
    if (begun !== undefined) return begun;
    throw new ConfigurationError(`Cannot settle "${key}": it was not begun`, {
      hint: "Give settle and settleWhatCan what begin and beginAsk returned.",
    });
  }

  #begin(key: string, begun: { readonly flight: Flight; readonly aside: boolean }): Begun<unknown> {
    this.#begun.set(key, begun);
    return { key };
  }

  *#take(turn: Turn): Steps<{ flight: Flight; aside: boolean }> {
    yield* this.#hear(turn);
    const numbered = { turn, seq: ++this.#seq, count: this.#given.length };
    return { flight: this.#answerer.take(numbered), aside: turn.aside === true };
  }

  #ask(question: Question): { flight: Flight; aside: boolean } {
    const place = { seq: this.#seq, count: this.#given.length };
    return { flight: this.#answerer.ask(question, place), aside: true };
  }

  /** Waits for all flights, then gives their messages in the order in which the turns were begun. */
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
    try {
      this.#exited ||= this.#ends(this.#given);
    } catch (error) {
      throw asConveningError(error, { part: "exitCondition" });
    }
  }

  /** Takes in pending interjections; they get the numbers before the next turn, or the last numbers if there is none. */
  *#hear(next?: Turn): Steps<void> {
    for (;;) {
      const message = (yield this.#answerer.heard(this.#seq + 1, next)) as Message | undefined;
      if (message === undefined) return;
      this.#seq++;
      yield* this.#give(message);
    }
  }
}

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

/** Contradiction between a record and its protocol: a missing or surplus message, or a missing answer to a question. */
export interface OrderProblem {
  /** Number of the message, or of the message that the question is about. */
  readonly seq: number;
  /** Key of the turn or question. */
  readonly key: string;
  /** The message or answer, as the subject of a sentence. */
  readonly subject: string;
  /** Problem, as the end of that sentence. */
  readonly problem: string;
}

/** Result of {@linkcode checkOrder}. */
interface OrderCheck {
  readonly problem?: OrderProblem | undefined;
  /** Keys of failed turns that the protocol skipped; they are not retried. */
  readonly skipped: ReadonlySet<string>;
}

interface OrderListeners {
  /** Called with each recorded turn and its message. */
  readonly onTurn?: (numbered: NumberedTurn, message: Message) => void;
  /** Called with each message that is shown to later turns. */
  readonly onGive?: (message: Message) => void;
}

/**
 * Plays a protocol from a record alone, as far as the record goes. A missing message is work in flight if no recorded
 * message came after it; otherwise it was lost, which is reported as the problem.
 */
export function checkOrder(
  protocol: Protocol<unknown>,
  past: RecordedFacts,
  ends?: (messages: readonly Message[]) => boolean,
  listeners: OrderListeners = {},
): OrderCheck {
  const record = new RecordAnswerer(past, listeners);
  const { skipped } = record;
  try {
    playNow(protocol, record, ends);
  } catch (error) {
    if (error instanceof OrderStop) {
      const { at, problem } = error;
      return { problem: problem === undefined ? record.lost(at) : { ...at, problem }, skipped };
    }
    // The protocol itself refused to continue, or failed: the record ends here.
    if (!(error instanceof ConveningError)) throw error;
  }
  return { problem: record.extra(), skipped };
}

/** Types of the facts that observers and questions leave. */
export const RESULT_TYPES: ReadonlySet<string> = new Set(
  Object.entries(FACT_EVENTS).flatMap(([type, row]) => "isResult" in row ? [type] : []),
);

/** Thrown where the record lacks a required answer, or, with a problem, contradicts the protocol. */
class OrderStop extends Error {
  constructor(readonly at: Omit<OrderProblem, "problem">, readonly problem?: string) {
    super(problem ?? "the answer is missing");
  }
}

/** Turn or question, with its answer if that is recorded. */
interface Recalled extends Omit<OrderProblem, "problem"> {
  readonly answer?: Message | Fact | undefined;
}

/** Returns the place of a message in an {@linkcode OrderProblem}. */
function messageAt(seq: number, key: string): Recalled {
  return { seq, key, subject: `message ${seq} (turn "${key}")` };
}

class RecordAnswerer implements Answerer<Recalled> {
  readonly #past: RecordedFacts;
  readonly #listeners: OrderListeners;
  readonly #unused: Map<string, Message>;
  /** Keys of failed turns without a recorded message or answer after them. */
  readonly #failed: string[] = [];
  #seq = 0;
  /** Keys of failed turns that were followed by a recorded message or answer. */
  readonly skipped = new Set<string>();

  constructor(past: RecordedFacts, listeners: OrderListeners) {
    this.#past = past;
    this.#listeners = listeners;
    this.#unused = new Map(past.messages);
  }

  /** Interjections are not turns: each has the number before the turn that follows. */
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

  take(numbered: NumberedTurn): Recalled {
    const { turn: { key }, seq } = numbered;
    this.#seq = seq;
    const message = this.#unused.get(key);
    const at = messageAt(message?.seq ?? seq, key);
    if (message === undefined) return at;
    this.#unused.delete(key);
    this.#noteSkipped();
    if (message.seq !== seq) throw new OrderStop(at, `should have the number ${seq}`);
    const { speaker: participant, phase, kind, round, replyTo } = numbered.turn;
    for (const [field, should] of Object.entries({ participant, phase, kind, round })) {
      if (message[field as keyof Message] === should) continue;
      throw new OrderStop(at, `should have the ${field} ${should}`);
    }
    if (message.replyTo !== replyTo) {
      throw new OrderStop(at, `should answer ${replyTo ?? "no message"}`);
    }
    this.#listeners.onTurn?.(numbered, message);
    return { ...at, answer: message };
  }

  ask(question: Question, { seq }: { readonly seq: number }): Recalled {
    const answer = this.#past.recall(question);
    if (answer !== undefined) this.#noteSkipped();
    const { key } = question;
    return { seq, key, subject: `the answer to question "${key}"`, answer };
  }

  settle(flights: readonly Recalled[], required: boolean): readonly (Message | Fact | Failure)[] {
    return flights.map(({ answer, ...at }) => {
      if (answer !== undefined) return answer;
      const failure = required ? undefined : this.#past.find("failure", at.key);
      if (failure === undefined) throw new OrderStop(at);
      this.#failed.push(at.key);
      return failure;
    });
  }

  results(): readonly Fact[] {
    return this.#past.facts.filter(({ type }) => RESULT_TYPES.has(type));
  }

  /** Returns a recorded message that no turn of the protocol accounts for. */
  extra(): OrderProblem | undefined {
    this.#hearRest();
    const [extra] = this.#unused.values();
    const problem = "is not a turn that this convening can have";
    return extra && { ...messageAt(extra.seq, extra.turn), problem };
  }

  /** Returns the problem of a missing answer, if a later message is recorded; without one, the turn was in flight. */
  lost(at: Omit<OrderProblem, "problem">): OrderProblem | undefined {
    this.#hearRest();
    const [later] = [...this.#unused.values()].sort((a, b) => a.seq - b.seq);
    const why = later?.seq === at.seq
      ? `: turn "${later.turn}" has its number`
      : `, although message ${later?.seq} came after it`;
    return later && { ...at, problem: `is missing${why}` };
  }

  #hearRest(): void {
    while (this.heard(this.#seq + 1) !== undefined);
  }

  /** Marks the failed turns as skipped: a later fact is recorded, so the protocol continued without them. */
  #noteSkipped(): void {
    for (const key of this.#failed.splice(0)) this.skipped.add(key);
  }
}
