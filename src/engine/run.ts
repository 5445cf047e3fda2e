// Runs a workflow over an open record: checks the record, plays the protocol, and returns the result.
import { type Clock, forwardClock, isoTime, untilAborted } from "../core/clock.ts";
import {
  asConveningError,
  CancelledError,
  ConfigurationError,
  type ConveningError,
  RecordError,
} from "../core/error.ts";
import { assess, summaryOf } from "../judging/assessment.ts";
import { END_REASONS, type EndReason, type Fact, type LookUp } from "../core/fact.ts";
import { type Message, totalUsage } from "../core/message.ts";
import { checkOrder } from "../core/play.ts";
import { type OpenRecord, RecordedFacts } from "../core/record.ts";
import type { Protocol } from "../core/protocol.ts";
import type { ConveningResult, Ending } from "../core/event.ts";
import type { Fold } from "../core/prompt.ts";
import { LimitStop } from "../core/limit.ts";
import type { WorkflowOptions } from "./workflow_options.ts";
import { Answers, Caller } from "./caller.ts";
import { Asker, type RunContext } from "./asker.ts";
import { preambleOf } from "./start.ts";
import { Budget } from "./budget.ts";
import { partOf, RunStop } from "./run_stop.ts";
import { foldAuthor, Folds, recordStop } from "./summaries.ts";
import { Emitter, type EventQueue } from "./emitter.ts";
import { Engine } from "./engine.ts";
import { guardsOf } from "./guards.ts";
import type { CastMember } from "../core/participant.ts";
import type { People } from "./people.ts";
import { noJsonBecause } from "../core/values.ts";
import { Prompter } from "./prompter.ts";
import { Questions } from "./questions.ts";
import { Turns } from "./turns.ts";

interface RunOptions {
  readonly cast: ReadonlyMap<string, CastMember>;
  /** The most tokens of a prompt, by member id. */
  readonly bounds: ReadonlyMap<string, number>;
  readonly options: WorkflowOptions;
  readonly people: People;
  readonly clock: Clock;
  /** Aborted when the stream is closed or the record cannot be written. */
  readonly stop: AbortController;
}

/** Status and cause of a run's end, before the result is computed. */
interface End extends Pick<Ending, "status" | "endReason" | "waitingFor"> {
  readonly error?: ConveningError;
}

export class Run<T> {
  readonly #record: OpenRecord;
  readonly #queue: EventQueue;
  readonly #settings: RunOptions;
  readonly #past: RecordedFacts;
  readonly #messages = new Map<number, Message>();
  readonly #facts: Fact[] = [];
  /** Parts of sources that did not fit in prompts. */
  #leftOut: readonly string[] = [];
  readonly #biases = new Map<string, Promise<readonly string[]>>();
  /** Aborts when the caller cancels the run, the stream is closed, or the record cannot be written. */
  readonly #signal: AbortSignal;

  constructor(record: OpenRecord, queue: EventQueue, settings: RunOptions) {
    const { stop, options } = settings;
    const signal = AbortSignal.any([stop.signal, options.signal ?? stop.signal]);
    this.#signal = signal;
    this.#record = record;
    this.#queue = queue;
    const { lastTime = record.start.startedAt } = record;
    const clock = forwardClock(settings.clock, Date.parse(lastTime));
    this.#settings = { ...settings, options: { ...options, signal }, clock };
    this.#past = new RecordedFacts(record.facts);
  }

  /** Plays the protocol and returns the result. Throws a failure after it is recorded. */
  async play(protocol: () => Protocol<T>): Promise<ConveningResult<T>> {
    const { options, people, clock, stop } = this.#settings;
    const { problem, skipped } = checkOrder(protocol(), this.#past, options.exitCondition);
    if (problem !== undefined) {
      const message = `Cannot resume ${
        this.#record.dir ?? "the record"
      }: ${problem.subject} ${problem.problem}`;
      const hint = "Put the file back, or fork the convening before the gap.";
      throw new RecordError("record_corrupt", message, { hint });
    }
    await people.open({ inbox: this.#record.inbox, personTimeout: options.personTimeout });
    const onFailure = (error: unknown) => stop.abort(error);
    const emitter = new Emitter(this.#record, this.#queue, { clock, onFailure });
    const begun = this.#begin(emitter);
    // Thrown below, where the record gets an end with the cause.
    await begun.catch(() => {});
    const { run, engine, questions } = await this.#assemble(emitter, skipped);
    let value: T | undefined;
    let end: End;
    try {
      await begun;
      const played = await engine.play(protocol());
      value = this.#checked(played.value);
      await questions.recordUnanswered();
      if (emitter.stagesError !== undefined) throw emitter.stagesError;
      await this.#record.answers?.clear();
      const reasonOf = () => options.design?.endReason?.(value);
      const reason = played.exited
        ? "exit_condition"
        : await partOf("design.endReason", {}, reasonOf);
      end = { status: "completed", endReason: checkedReason(reason ?? "completed") };
    } catch (error) {
      run.caller.end(error);
      await engine.drain();
      end = await this.#earlyEnd(run, engine, error);
    }
    const facts = this.#facts.filter((fact) => !questions.isUnanswered(fact));
    const ending = this.#endingOf(run, end, { facts, value });
    people.end();
    if (emitter.failure === undefined && !this.#adds) {
      await emitter.emit({ type: "convening-end", ending });
    }
    await emitter.flush();
    const { stages, stagesError } = emitter;
    const error = end.error ?? stagesError;
    if (error !== undefined) throw error;
    if (value === undefined || stages?.outcome === undefined) return this.#result(ending, value);
    // The kind's design guarantees that the outcome is a `T`.
    const outcome = () => stages.outcome?.(value);
    return this.#result(ending, await partOf("outcome of design.stages", {}, outcome) as T);
  }

  /** Returns the known biases of a judge's model, memoized by model; empty if they cannot be read. */
  #biasesOf(model: string): Promise<readonly string[]> {
    const { dir } = this.#record;
    const { host } = this.#settings.options;
    return this.#biases.getOrInsertComputed(model, () => {
      const known = dir === undefined ? undefined : host?.biases?.(dir, model);
      return known?.catch(() => []) ?? Promise.resolve([]);
    });
  }

  /** True if the run only adds facts to an ended record, such as new verdicts: status and ending stay unchanged. */
  get #adds(): boolean {
    return this.#settings.options.design?.adds === true;
  }

  async #assemble(
    emitter: Emitter,
    skipped: ReadonlySet<string>,
  ): Promise<{ run: RunContext; engine: Engine; questions: Questions }> {
    const { options, clock, cast, people } = this.#settings;
    const { start, resumed, answers } = this.#record;
    const signal = this.#signal;
    const budget = new Budget(options.limits ?? {}, clock, (event) => emitter.emit(event));
    for (const fact of this.#past.facts) budget.spend(totalUsage([fact]));
    const prompter = await this.#prompterFor((fold) =>
      options.design?.foldByRounds === true ? folds.byRounds(fold) : folds.rolling(fold)
    );
    if (!resumed && this.#leftOut.length > 0) {
      const data = { leftOut: this.#leftOut };
      await emitter.emit({ type: "stage", name: "sources_cut", data });
    }
    const run: RunContext = {
      topic: start.topic,
      options,
      seed: start.seed,
      cast,
      past: this.#past,
      prompter,
      biasesOf: (model) => this.#biasesOf(model),
      caller: this.#callerFor(budget, signal),
      emitter,
      budget,
      // On a resume, start with the answers that the interrupted run stored.
      answers: new Answers(answers, resumed ? await answers?.read() ?? [] : []),
      people,
      signal,
      now: () => isoTime(clock),
      get asker(): Asker {
        return asker;
      },
    };
    const asker = new Asker(run);
    const questions = new Questions(run);
    const guards = guardsOf(options);
    const engine: Engine = new Engine(run, {
      questions,
      skipped,
      quiet: this.#adds,
      turns: new Turns(run, { questions, guards, onFact: (fact) => engine.addTurnFact(fact) }),
      observers: [...options.design?.observers ?? [], ...options.observers ?? []],
      exitCondition: options.exitCondition ?? (() => false),
      onFact: (fact) => {
        if (fact.type === "message") this.#messages.set(fact.seq, fact);
        this.#facts.push(fact);
      },
    });
    const folds: Folds = new Folds(
      run,
      foldAuthor(cast, options),
      (round) => engine.roundSummary(round),
    );
    return { run, engine, questions };
  }

  #callerFor(budget: Budget, signal: AbortSignal): Caller {
    const { options, clock } = this.#settings;
    const { start } = this.#record;
    const seed = start.configuration.seedGiven === true ? start.seed : undefined;
    const caller = new Caller({ ...options, budget, clock, seed, signal });
    const { embedder } = options.design ?? {};
    if (embedder !== undefined) embedder.meter = caller.meter;
    return caller;
  }

  async #prompterFor(foldText: (fold: Fold) => Promise<string>): Promise<Prompter> {
    const { options, cast, bounds } = this.#settings;
    const { leftOut, ...head } = await preambleOf(
      { ...this.#record.start, remembered: this.#past.remembered },
      cast,
      options,
    );
    this.#leftOut = leftOut;
    return new Prompter({ head, cast, design: options.design, bounds, foldText });
  }

  async #begin(emitter: Emitter): Promise<void> {
    const signal = this.#signal;
    const { design } = this.#settings.options;
    const tell = () => design?.stages?.(this.#record.start, this.#past.facts);
    const [stages] = await Promise.allSettled([partOf("design.stages", { signal }, tell)]);
    if (stages.status === "fulfilled") emitter.stages = stages.value;
    if (!this.#adds) await this.#start(emitter);
    if (stages.status === "rejected") throw stages.reason;
  }

  async #start(emitter: Emitter): Promise<void> {
    const signal = this.#signal;
    if (this.#record.resumed) {
      return await emitter.emit({
        type: "convening-resume",
        replayed: this.#past.messages.size,
        usage: totalUsage(this.#past.facts),
      });
    }
    await emitter.emit({ type: "convening-start", start: this.#record.start });
    const { topic } = this.#record.start;
    const { remember = () => Promise.resolve([]) } = this.#settings.options;
    const work = () => untilAborted(remember(topic), signal);
    for (const [index, each] of (await partOf("remember", { signal }, work) ?? []).entries()) {
      const lookup: LookUp = {
        type: "lookup",
        seq: 0,
        number: index + 1,
        turn: "memory",
        participant: "audience",
        tool: "memory",
        args: { topic, dir: each.dir },
        failed: false,
        result: each.text,
        createdAt: isoTime(this.#settings.clock),
      };
      await emitter.emit({ type: "lookup", lookup });
      this.#past.add(lookup);
    }
  }

  /** Converts an error to the run's end. A pause, a wait, a limit and a cancellation are results; other errors are failures. */
  async #earlyEnd(run: RunContext, engine: Engine, failure: unknown): Promise<End> {
    const thrown = run.emitter.failure ?? run.emitter.stagesError ?? failure;
    if (thrown instanceof RunStop) {
      return thrown.status === "waiting"
        ? { status: "waiting", waitingFor: this.#settings.people.timedOut }
        : { status: "paused" };
    }
    const error = thrown instanceof LimitStop ? thrown : asConveningError(thrown, run);
    if (!(error instanceof LimitStop || error instanceof CancelledError)) {
      return { status: "failed", endReason: "failed", error };
    }
    await engine.giveInFlight();
    // A stop would replace the reason and the summary of the record's own end.
    if (this.#adds) {
      return { status: "stopped", endReason: "reason" in error ? error.reason : "cancelled" };
    }
    const stop = await recordStop(run, error, Math.max(0, ...this.#messages.keys()));
    this.#facts.push(...new Set([...this.#past.stops, stop]));
    return { status: "stopped", endReason: stop.reason };
  }

  /** Returns the protocol's value. Throws if the record is to keep the value and cannot. */
  #checked(value: T | undefined): T | undefined {
    if (value === undefined || this.#settings.options.design?.keepsValue !== true) return value;
    const problem = noJsonBecause(value);
    if (problem === undefined) return value;
    throw new ConfigurationError(`Cannot keep what the protocol returned: ${problem}`, {
      hint: "Return JSON from the protocol.",
    });
  }

  #endingOf(
    run: RunContext,
    { error, ...end }: End,
    { facts, value }: { readonly facts: readonly Fact[]; readonly value: T | undefined },
  ): Ending {
    const keeps = this.#settings.options.design?.keepsValue === true && value !== undefined;
    return {
      ...end,
      ...assess(this.#record.start, facts),
      summary: summaryOf(facts, end.status),
      ...(keeps ? { value: JSON.parse(JSON.stringify(value)) } : {}),
      usage: run.budget.usage,
      duration: run.budget.duration,
      endedAt: run.now(),
      ...(error === undefined ? {} : { error: error.toJSON() }),
    };
  }

  #result({ value: _kept, ...ending }: Ending, value: T | undefined): ConveningResult<T> {
    const { start, dir } = this.#record;
    return {
      ...ending,
      kind: start.kind,
      topic: start.topic,
      ...(dir === undefined ? {} : { dir }),
      startedAt: start.startedAt,
      messages: [...this.#messages.values()].sort((a, b) => a.seq - b.seq),
      ...(value === undefined ? {} : { value }),
    };
  }
}

/** Returns an end reason. Throws a `ConfigurationError` for one that no record can hold. */
function checkedReason(reason: EndReason): EndReason {
  if (END_REASONS.includes(reason)) return reason;
  throw new ConfigurationError(`Cannot end with the reason ${JSON.stringify(reason)}`, {
    field: "design.endReason",
    hint: `Allowed here: ${END_REASONS.join(", ")}.`,
  });
}
