// `Engine`: answers a protocol's requests in a live run. Runs turns and questions, calls observers, and waits for work in flight.
import { HUMAN } from "../core/agent.ts";
import { untilAborted } from "../core/clock.ts";
import { CancelledError, ConfigurationError, TurnOrderError } from "../core/error.ts";
import type { Fact, Failure } from "../core/fact.ts";
import { type Message, sha256 } from "../core/message.ts";
import { identityOf, INTERJECTION, type Submission } from "../core/record.ts";
import type { Observer, ObserverTools } from "../core/guard.ts";
import { type Answerer, type NumberedTurn, play, type Played, RESULT_TYPES } from "../core/play.ts";
import type { Protocol, ProtocolRequest } from "../core/protocol.ts";
import type { Question, Turn } from "../core/turn.ts";
import { eventOf } from "../core/event.ts";
import { StagePlan } from "./emitter.ts";
import type { Questions } from "./questions.ts";
import { madeWithoutUsage, type RunContext } from "./asker.ts";
import type { SpokenTurn } from "./guards.ts";
import { partOf } from "./run_stop.ts";

/** Milliseconds in which an observer of a cancelled run may still record what it has done. */
const GRACE = 5_000;

interface Flight {
  readonly key: string;
  readonly done: Promise<Message | Fact>;
  /** True for a turn that later prompts show; false for an aside or a question. */
  readonly shown: boolean;
}

/** Work that runs alongside the protocol because of a message. */
interface Observing {
  /** The observer's name; empty for the work after all observers of the message. */
  readonly observer: string;
  readonly seq: number;
  readonly done: Promise<void>;
}

interface EngineOptions {
  readonly turns: {
    /** Runs one turn and returns its accepted message. Records and throws a final failure. */
    run(spoken: SpokenTurn): Promise<Message>;
    /** Final failures of this run's turns, by turn key. */
    readonly failures: ReadonlyMap<string, Failure>;
  };
  readonly questions: Questions;
  readonly observers: readonly Observer[];
  /** Checked after each message; true ends the run with the status `completed`. */
  readonly exitCondition: (messages: readonly Message[]) => boolean;
  /** Keys of failed turns that the protocol skipped before the run was interrupted. */
  readonly skipped: ReadonlySet<string>;
  /** Called once with each message and answer, from the record or new. */
  readonly onFact: (fact: Fact) => void;
  /** Emits no event for the end of the last phase and round. @default false */
  readonly quiet?: boolean | undefined;
}

/** Answers the requests of a protocol in a live run; the only place that runs turns. */
export class Engine implements Answerer<Flight> {
  readonly #run: RunContext;
  readonly #options: EngineOptions;
  readonly #stages: StagePlan;
  readonly #flights = new Set<Flight>();
  readonly #keys = new Set<string>();
  /** Turns begun aside, such as round summaries, by round. */
  readonly #asides = new Map<number, Promise<Message>>();
  /** Work of observers in flight. */
  readonly #observing = new Set<Observing>();
  /** Facts that observers and questions left, for `results`, by identity. */
  readonly #found = new Map<string, Fact>();
  #observerError: unknown;

  constructor(run: RunContext, options: EngineOptions) {
    this.#run = run;
    this.#options = options;
    this.#stages = new StagePlan(run.emitter);
  }

  /** Plays a protocol to its end and waits for all work in flight. Throws if the protocol cannot continue. */
  async play<T>(protocol: Protocol<T>): Promise<Played<T>> {
    const played = await play(protocol, this, this.#options.exitCondition);
    if (this.#options.quiet !== true) this.#stages.end();
    return played;
  }

  /** Waits until no work is in flight; ignores failures. */
  async drain(): Promise<void> {
    // An observer fails with its first question; its others are still in flight.
    for (const work of [this.#flights, this.#observing, this.#flights]) {
      await Promise.allSettled([...work].map(({ done }) => done));
    }
    await this.#run.prompter.settled();
  }

  /** Shows the messages that were still in flight at an early end, so that the closing summary knows them. */
  async giveInFlight(): Promise<void> {
    const { prompter } = this.#run;
    const given = new Set(prompter.messages);
    for (const { done, shown } of this.#flights) {
      const answer = shown ? await done.catch(() => undefined) : undefined;
      if (answer?.type === "message" && !given.has(answer)) await prompter.give(answer);
    }
    await prompter.settled();
  }

  /** Waits for a round's summary; undefined if the round has none or the summary failed. */
  async roundSummary(round: number): Promise<Message | undefined> {
    return await this.#asides.get(round)?.catch(() => undefined);
  }

  /**
   * Returns the interjection with the number `seq`, from the record or newly submitted. Throws if a pause was requested. At the
   * end, without a next turn, waits for all work in flight before.
   */
  async heard(seq: number, next?: Turn): Promise<Message | undefined> {
    const { past } = this.#run;
    if (next === undefined) await this.#settleAll();
    const isPast = next !== undefined && past.messages.has(next.key);
    const message = past.interjection(seq) ??
      (isPast ? undefined : await this.#interjection(seq, next));
    if (message !== undefined) this.#options.onFact(message);
    return message;
  }

  /** Records the next submitted interjection, unless the record already continues past the number `seq`. */
  async #interjection(seq: number, next?: Turn): Promise<Message | undefined> {
    const { past, people, prompter } = this.#run;
    if (seq <= past.lastSeq || this.#options.quiet === true) return undefined;
    const [submission] = await people.interjections(next === undefined);
    if (submission === undefined) return undefined;
    const { id } = submission;
    const turn = `${INTERJECTION}/${id.startsWith("own-") ? seq : id}`;
    if (!past.messages.has(turn)) {
      const { phase = "", round = 0 } = next ?? prompter.messages.at(-1) ?? {};
      return await recordInterjection(this.#run, submission, { seq, turn, phase, round });
    }
    // Recorded before the run was interrupted.
    await people.done(id);
    return await this.#interjection(seq, next);
  }

  take(numbered: NumberedTurn): Flight {
    const { key, round, aside = false } = numbered.turn;
    const done = this.#message(numbered);
    if (aside) this.#asides.set(round, done);
    return this.#begin({ key, done, shown: !aside });
  }

  ask(question: Question, { count }: { readonly count: number }): Flight {
    const { key } = question;
    const work = () => this.#options.questions.ask(question, { count });
    const done = partOf(`question "${key}"`, this.#run, work).then((fact) => {
      this.#addFact(fact);
      return fact;
    });
    return this.#begin({ key, done, shown: false });
  }

  async settle(
    flights: readonly Flight[],
    required: boolean,
  ): Promise<readonly (Message | Fact | Failure)[]> {
    const { caller } = this.#run;
    // The failure of a required turn ends the run: the others wait for no provider.
    if (required) { for (const { done } of flights) done.catch((error) => caller.end(error)); }
    const results = await Promise.allSettled(flights.map(({ done }) => done));
    await this.#options.questions.recordUnanswered(flights.map(({ key }) => key));
    // An error that may pass was given up because of another.
    const final = results.find((each) =>
      each.status === "rejected" && each.reason?.retryable !== true
    );
    if (required && final?.status === "rejected") throw final.reason;
    return results.map((result, index) =>
      result.status === "fulfilled"
        ? result.value
        : this.#failureOf(flights[index]!.key, result.reason, required)
    );
  }

  async give(message: Message): Promise<void> {
    await this.#run.prompter.give(message);
  }

  async results(observer?: string, through?: number): Promise<readonly Fact[]> {
    await this.#waitForObservers(observer, through);
    this.#options.questions.check();
    return [...this.#found.values()];
  }

  /** Returns a turn's message, from the record or from a new run of the turn. */
  #message({ turn, seq, count }: NumberedTurn): Promise<Message> {
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
    const { replyTo } = turn;
    if (replyTo !== undefined && !prompter.messages.findLast(({ seq }) => seq === replyTo)) {
      throw new TurnOrderError(
        `Cannot take turn "${turn.key}": it answers message ${replyTo}, which its protocol was not given`,
      );
    }
    this.#keys.add(turn.key);
    const before = past.messages.get(turn.key);
    if (before !== undefined) {
      budget.replayTurn();
      this.#stages.replay(turn);
      const evidence = past.find("evidence", before.seq);
      for (const fact of [evidence, ...past.own.get(seq) ?? []]) fact && this.#addFact(fact);
      this.#observe(before, count);
      return Promise.resolve(before);
    }
    const failure = this.#options.skipped.has(turn.key)
      ? past.find("failure", turn.key)
      : undefined;
    if (failure !== undefined) return Promise.reject(failure);
    budget.takeTurn();
    return this.#live({ turn, member, seq, count });
  }

  async #live(spoken: SpokenTurn): Promise<Message> {
    this.#stages.enter(spoken.turn);
    const work = () => this.#options.turns.run(spoken);
    const message = await partOf(`turn "${spoken.turn.key}"`, this.#run, work);
    this.#observe(message, spoken.count);
    return message;
  }

  #begin(flight: Flight): Flight {
    // `settle` or `drain` awaits the promise; until then a rejection must not count as unhandled.
    flight.done.catch(() => {});
    this.#flights.add(flight);
    return flight;
  }

  /** Adds evidence or an own fact from a structured reply to the results; a stance is added when its question is asked. */
  addTurnFact(fact: Fact): void {
    if (fact.type === "evidence" || fact.type === "own") this.#addFact(fact);
  }

  #addFact(fact: Fact): void {
    const identity = identityOf(fact);
    if (this.#found.has(identity)) return;
    this.#found.set(identity, fact);
    this.#options.onFact(fact);
  }

  /** Returns the failure that replaces an optional turn's message. Throws the error of a required turn, or of one without a failure. */
  #failureOf(key: string, error: unknown, required: boolean): Failure {
    const failure = this.#options.turns.failures.get(key) ??
      this.#run.past.find("failure", key);
    if (required || failure === undefined) throw error;
    return failure;
  }

  #observe(message: Message, count: number): void {
    this.#options.onFact(message);
    const { turn, seq } = message;
    const { past } = this.#run;
    for (const before of [past.find("flow", seq), past.find("fact-check", seq)]) {
      if (before !== undefined) this.#addFact(before);
    }
    const observing = this.#options.observers.map((observer) => {
      const tools = this.#toolsFor(message, count);
      const work = () => untilAborted(observer.observe(message, tools), tools.signal, GRACE);
      const part = `observer "${observer.name}"`;
      return this.#track({ observer: observer.name, seq }, partOf(part, this.#run, work));
    });
    this.#track({ observer: "", seq }, this.#finishTurn(turn, observing));
  }

  /** Removes a turn's kept answers after all observers of its message finish: their facts are recorded by then. */
  async #finishTurn(turn: string, observing: readonly Promise<void>[]): Promise<void> {
    await Promise.all(observing);
    if (this.#observerError === undefined) await this.#run.answers.drop(turn);
  }

  /** Tracks work until it settles. Keeps the first failure for `check` to throw. */
  #track(of: Omit<Observing, "done">, work: Promise<void>): Promise<void> {
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
    const view = { count, then: message };
    return {
      // One object for all turns: the scorer of rounds is keyed by it.
      transcript: prompter.messages,
      factCheck: past.find("fact-check", message.seq),
      flow: past.find("flow", message.seq),
      recorded: () => past.recorded,
      signal,
      ask: (question) => {
        const done = questions.ask(question, view).then((fact) => {
          past.note(fact);
          this.#addFact(fact);
          return fact;
        });
        this.#begin({ key: question.key, done, shown: false });
        return done;
      },
      consult: (question) => questions.consult(question, { count }, message.turn),
      once: (key, options) => answers.once(message.turn, key, options),
      record: async (fact) => {
        if (!RESULT_TYPES.has(fact.type) && fact.type !== "lookup") {
          throw new ConfigurationError(
            `Cannot record a fact of type "${fact.type}": no observer leaves such a fact`,
            { hint: "Make facts of your own with defineFact." },
          );
        }
        if (!past.has(fact)) {
          past.note(fact);
          await emitter.emit(eventOf(fact, budget.usage));
        }
        this.#addFact(fact);
      },
    };
  }

  /** Waits until the observers, or the observer with the given name, have finished with each message up to `through`. */
  async #waitForObservers(name?: string, through = Infinity): Promise<void> {
    const tasks = () =>
      [...this.#observing].filter(({ observer, seq }) =>
        (name === undefined || observer === name) && seq <= through
      ).map(({ done }) => done);
    for (let waited = tasks(); waited.length > 0; waited = tasks()) await Promise.all(waited);
    this.check();
  }

  /** Waits for all work in flight. Failures of turns that the protocol never settled are ignored. */
  async #settleAll(): Promise<void> {
    await Promise.allSettled([...this.#flights].map(({ done }) => done));
    await this.#run.prompter.settled();
    await this.#waitForObservers();
  }

  /** Throws if the record failed, the run was cancelled, a limit was hit, or an observer failed. */
  check(request?: ProtocolRequest): void {
    const { emitter, budget, signal } = this.#run;
    if (emitter.failure !== undefined) throw emitter.failure;
    // A cancelled run still replays what is on record, so that the closing summary knows all messages.
    if (signal.aborted && !this.#isOnRecord(request)) throw new CancelledError(signal.reason);
    if (budget.stop !== undefined) throw budget.stop;
    if (this.#observerError !== undefined) throw this.#observerError;
  }

  #isOnRecord(request: ProtocolRequest | undefined): boolean {
    const { past } = this.#run;
    if (request === undefined) return false;
    if ("turn" in request) return past.messages.has(request.turn.key);
    if ("question" in request) return past.recall(request.question) !== undefined;
    return request.type === "settle" && request.begun.every(({ key }) => past.messages.has(key));
  }
}

/** Author of interjections; takes no turns. */
const AUDIENCE = { participant: "audience", name: "Audience", role: "audience" } as const;

/** Records an interjection as a message, numbered like a turn's and quoted in later prompts. */
async function recordInterjection(
  run: RunContext,
  { id, text }: Extract<Submission, { readonly type: "interjection" }>,
  { seq, turn, phase, round }: Pick<Message, "seq" | "turn" | "phase" | "round">,
): Promise<Message> {
  const { prompter, emitter, budget, people } = run;
  const previous = prompter.messages.at(-1)?.seq;
  const { role, ...author } = AUDIENCE;
  const info = { seq, turn, ...author, phase, kind: INTERJECTION, round };
  const message: Message = {
    type: "message",
    ...info,
    role,
    ...(previous === undefined ? {} : { previous }),
    body: text,
    attempts: 1,
    marks: [],
    sha256: sha256(text),
    ...madeWithoutUsage(run, HUMAN),
  };
  await emitter.emit({ type: "message", message, usage: budget.usage });
  await emitter.emit({ type: "interjection", turn: info });
  await people.done(id);
  return message;
}
