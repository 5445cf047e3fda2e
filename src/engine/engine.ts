// The live answerer of a protocol: runs turns and questions, has observers look at messages, waits for what is in flight.
import { HUMAN } from "../core/agent.ts";
import { CancelledError, ConveningError, TurnOrderError } from "../core/error.ts";
import type { Fact, Failure } from "../core/fact.ts";
import { type Message, sha256 } from "../core/message.ts";
import { INTERJECTION, type Submission } from "../core/record.ts";
import type { Observer, ObserverTools } from "../core/guard.ts";
import { type Answerer, type Numbered, play } from "../core/play.ts";
import type { Protocol, ProtocolRequest } from "../core/protocol.ts";
import type { Question, Turn } from "../core/turn.ts";
import { eventOf } from "../core/event.ts";
import { StagePlan } from "./emitter.ts";
import type { Questions } from "./questions.ts";
import { madeFree, type RunContext } from "./asker.ts";
import type { SpokenTurn } from "./guards.ts";
import type { Turns } from "./turns.ts";

interface Flight {
  readonly key: string;
  readonly done: Promise<Message | Fact>;
  /** True for a turn that is given to others. */
  readonly shown: boolean;
}

interface Observing {
  readonly observer: string;
  readonly seq: number;
  readonly done: Promise<void>;
}

interface EngineOptions {
  readonly turns: Turns;
  readonly questions: Questions;
  readonly observers: readonly Observer[];
  /** Ends the run after a message, as a result. */
  readonly exitCondition: (messages: readonly Message[]) => boolean;
  /** The keys of failed turns that the protocol had gone on without before. */
  readonly without: ReadonlySet<string>;
  /** Hears of every message and answer, from the record or new, once. */
  readonly onFact: (fact: Fact) => void;
  /** Tells no ends of phases and rounds. @default false */
  readonly quiet?: boolean | undefined;
}

/** The answerer of a live run: the only place that runs turns. */
export class Engine implements Answerer<Flight> {
  readonly #run: RunContext;
  readonly #options: EngineOptions;
  readonly #stages: StagePlan;
  readonly #flights = new Set<Flight>();
  readonly #keys = new Set<string>();
  /** The turns begun aside, by round. */
  readonly #asides = new Map<number, Promise<Message>>();
  /** Work of observers in flight; work that follows has no observer's name. */
  readonly #observing = new Set<Observing>();
  readonly #found: Fact[] = [];
  #observerError: unknown;
  #exited = false;

  constructor(run: RunContext, options: EngineOptions) {
    this.#run = run;
    this.#options = options;
    this.#stages = new StagePlan(run.emitter);
  }

  /** True where the exit condition ended the protocol. */
  get exited(): boolean {
    return this.#exited;
  }

  /** Plays a protocol to its end; throws where it cannot go on. */
  async play<T>(protocol: Protocol<T>): Promise<T | undefined> {
    const { value, exited } = await play(protocol, this, this.#options.exitCondition);
    this.#exited = exited;
    await this.#settleAll();
    if (this.#options.quiet !== true) this.#stages.end();
    return value;
  }

  /** Waits until nothing is in flight any more, whatever came of it. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#flights].map(({ done }) => done));
    await Promise.allSettled([...this.#observing].map(({ done }) => done));
    await this.#run.prompter.settled();
  }

  /** After an early end: gives the messages that were begun and finished, so that what is said about it knows them. */
  async giveFinished(): Promise<void> {
    const { prompter } = this.#run;
    const given = new Set(prompter.messages);
    for (const { done, shown } of this.#flights) {
      const answer = shown ? await done.catch(() => undefined) : undefined;
      if (answer?.type === "message" && !given.has(answer)) await prompter.give(answer);
    }
    await prompter.settled();
  }

  /** A round's summary once it is there; undefined where there is none, or it failed. */
  async roundSummary(round: number): Promise<Message | undefined> {
    const done = this.#asides.get(round);
    const message = await done?.catch(() => undefined);
    return message?.type === "message" ? message : undefined;
  }

  /** An interjection before a turn: from the record, or left since; throws where a pause was asked for. */
  async heard(seq: number, next: Turn): Promise<Message | undefined> {
    const { past } = this.#run;
    const message = past.interjection(seq) ??
      (past.messages.has(next.key) ? undefined : await this.#interjection(seq, next));
    if (message !== undefined) this.#options.onFact(message);
    return message;
  }

  /** Records the next interjection that was left, where its number is not on record. */
  async #interjection(seq: number, next: Turn): Promise<Message | undefined> {
    const { past, people } = this.#run;
    if (seq <= past.lastSeq) return undefined;
    for (const left of await people.heard()) {
      if (left.type !== "interjection") continue;
      const turn = `${INTERJECTION}/${left.id.startsWith("own-") ? seq : left.id}`;
      if (!past.messages.has(turn)) {
        return await recordInterjection(this.#run, left, { seq, turn, next });
      }
      // On record before the run was interrupted.
      await people.done(left.id);
    }
    return undefined;
  }

  take(numbered: Numbered): Flight {
    const { key, round, aside = false } = numbered.turn;
    const done = this.#message(numbered);
    if (aside) this.#asides.set(round, done);
    return this.#begin({ key, done, shown: !aside });
  }

  ask(question: Question, { count }: { readonly count: number }): Flight {
    const done = this.#options.questions.ask(question, { count }).then((fact) => {
      this.#find(fact);
      return fact;
    });
    return this.#begin({ key: question.key, done, shown: false });
  }

  async settle(
    flights: readonly Flight[],
    required: boolean,
  ): Promise<readonly (Message | Fact | Failure)[]> {
    const results = await Promise.allSettled(flights.map(({ done }) => done));
    await this.#options.questions.recordUnanswered(flights.map(({ key }) => key));
    return results.map((result, index) =>
      result.status === "fulfilled"
        ? result.value
        : this.#without(flights[index]!.key, result.reason, required)
    );
  }

  async give(message: Message): Promise<void> {
    await this.#run.prompter.give(message);
  }

  async results(observer?: string, through?: number): Promise<readonly Fact[]> {
    await this.#observed(observer, through);
    this.#options.questions.check();
    return this.#found;
  }

  /** A turn's message: from the record, or spoken now. */
  #message({ turn, seq, count }: Numbered): Promise<Message> {
    const { cast, past, budget, prompter } = this.#run;
    const member = cast.get(turn.speaker);
    if (member === undefined || this.#keys.has(turn.key)) {
      throw new TurnOrderError(
        member === undefined
          ? `Cannot take turn "${turn.key}": "${turn.speaker}" is not a participant`
          : `Cannot take turn "${turn.key}": it was already taken`,
        { hint: `Participants: ${[...cast.keys()].join(", ")}` },
      );
    }
    if (turn.replyTo !== undefined && !prompter.has(turn.replyTo)) {
      throw new TurnOrderError(
        `Cannot take turn "${turn.key}": it answers message ${turn.replyTo}, which its protocol was not given`,
      );
    }
    this.#keys.add(turn.key);
    const before = past.messages.get(turn.key);
    if (before !== undefined) {
      budget.replayTurn();
      this.#stages.replay(turn);
      const left = past.evidence(before.seq);
      if (left !== undefined) this.#find(left);
      this.#observe(before, count);
      return Promise.resolve(before);
    }
    const failure = this.#options.without.has(turn.key) ? past.failure(turn.key) : undefined;
    if (failure !== undefined) return Promise.reject(failure);
    budget.takeTurn();
    return this.#live({ turn, member, seq, count });
  }

  async #live(spoken: SpokenTurn): Promise<Message> {
    this.#stages.enter(spoken.turn);
    const message = await this.#options.turns.run(spoken);
    this.#observe(message, spoken.count);
    return message;
  }

  #begin(flight: Flight): Flight {
    // Waited for in `settle` or `drain`; a failure before that is not unhandled.
    flight.done.catch(() => {});
    this.#flights.add(flight);
    return flight;
  }

  /** Takes in what a turn left beside its message; a stance is found when it is asked for. */
  left(fact: Fact): void {
    if (fact.type === "evidence") this.#find(fact);
  }

  #find(fact: Fact): void {
    this.#found.push(fact);
    this.#options.onFact(fact);
  }

  /** The failure that stands in for a turn which can be done without; else its error ends the run. */
  #without(key: string, error: unknown, required: boolean): Failure {
    const failure = this.#options.turns.failures.get(key) ??
      this.#run.past.failure(key);
    if (required || failure === undefined) throw error;
    return failure;
  }

  #observe(message: Message, count: number): void {
    this.#options.onFact(message);
    const { turn, seq } = message;
    const { past } = this.#run;
    for (const before of [past.flow(seq), past.factCheck(seq)]) {
      if (before !== undefined) this.#find(before);
    }
    const looking = this.#options.observers.map((observer) =>
      this.#alongside(
        { observer: observer.name, seq },
        observer.observe(message, this.#toolsFor(message, count)),
      )
    );
    this.#alongside({ observer: "", seq }, this.#finishTurn(turn, looking));
  }

  /** Once nobody looks at a turn's message any more, nothing that was answered for it is missing on record. */
  async #finishTurn(turn: string, looking: readonly Promise<void>[]): Promise<void> {
    await Promise.all(looking);
    if (this.#observerError === undefined) await this.#run.answers.drop(turn);
  }

  /** Keeps what runs alongside until it is done; a failure is heard by what comes next. */
  #alongside(of: Omit<Observing, "done">, work: Promise<void>): Promise<void> {
    const done: Promise<void> = work.catch((error: unknown) => {
      this.#observerError ??= error;
    }).finally(() => this.#observing.delete(observing));
    const observing = { ...of, done };
    this.#observing.add(observing);
    return done;
  }

  #toolsFor(message: Message, count: number): ObserverTools {
    const { questions } = this.#options;
    const { emitter, budget, prompter, past, answers, signal } = this.#run;
    const sight = { count, then: message };
    return {
      transcript: prompter.messages,
      factCheck: past.factCheck(message.seq),
      flow: past.flow(message.seq),
      recorded: () => past.recorded,
      signal,
      ask: async (question) => {
        const fact = await questions.ask(question, sight);
        past.note(fact);
        this.#find(fact);
        return fact;
      },
      consult: (question) => questions.consult(question, { count }, message.turn),
      once: (key, options) => answers.once(message.turn, key, options),
      record: async (fact) => {
        if (!past.has(fact)) {
          past.note(fact);
          await emitter.emit(eventOf(fact, budget.usage));
        }
        this.#find(fact);
      },
    };
  }

  /** Waits for the observers, or the observer of the name, of every message so far, or up to `through`. */
  async #observed(name?: string, through = Infinity): Promise<void> {
    const tasks = () =>
      [...this.#observing].filter(({ observer, seq }) =>
        (name === undefined || observer === name) && seq <= through
      ).map(({ done }) => done);
    for (let waited = tasks(); waited.length > 0; waited = tasks()) await Promise.all(waited);
    this.check();
  }

  /** Waits for everything in flight; what the protocol never settled, it can do without. */
  async #settleAll(): Promise<void> {
    await Promise.allSettled([...this.#flights].map(({ done }) => done));
    await this.#run.prompter.settled();
    await this.#observed();
  }

  /** Throws where the record failed, the run was cancelled, a limit was hit, or an observer failed. */
  check(request?: ProtocolRequest): void {
    const { emitter, budget, signal } = this.#run;
    if (emitter.failure !== undefined) throw emitter.failure;
    // A stop that comes before all that is on record was played again knows what was said.
    if (signal.aborted && !this.#isOnRecord(request)) throw new CancelledError(signal.reason);
    if (budget.stop !== undefined) throw budget.stop;
    if (this.#observerError !== undefined) throw this.#observerError;
  }

  #isOnRecord(request: ProtocolRequest | undefined): boolean {
    const { past } = this.#run;
    switch (request?.type) {
      case "say":
      case "begin":
        return past.messages.has(request.turn.key);
      case "ask":
      case "begin-ask":
        return past.recall(request.question) !== undefined;
      case "settle":
        return request.begun.every(({ key }) => past.messages.has(key));
      default:
        return false;
    }
  }
}

/** The error as callers see it: what is no `ConveningError` is a fault in code that was handed in. */
export function asConveningError(error: unknown): ConveningError {
  if (error instanceof ConveningError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ConveningError("unexpected", `Cannot go on: ${message}`, { cause: error });
}

/** The participant that interjections come from; no turn is ever its. */
const AUDIENCE = { participant: "audience", name: "Audience", role: "audience" } as const;

/** Records words of somebody who takes no turns: they have a number, and are quoted to all. */
async function recordInterjection(
  run: RunContext,
  { id, text }: Extract<Submission, { readonly type: "interjection" }>,
  { seq, turn, next }: { readonly seq: number; readonly turn: string; readonly next: Turn },
): Promise<Message> {
  const { prompter, emitter, budget, people } = run;
  const previous = prompter.messages.at(-1)?.seq;
  const message: Message = {
    type: "message",
    ...AUDIENCE,
    seq,
    turn,
    phase: next.phase,
    kind: INTERJECTION,
    round: next.round,
    ...(previous === undefined ? {} : { previous }),
    body: text,
    attempts: 1,
    marks: [],
    sha256: sha256(text),
    ...madeFree(run, HUMAN),
  };
  await emitter.emit({ type: "message", message, usage: budget.usage });
  const { participant, name, phase, kind, round } = message;
  const info = { seq, turn, participant, name, phase, kind, round };
  await emitter.emit({ type: "interjection", turn: info });
  await people.done(id);
  return message;
}
