// `DialogueWorkflow`: the base class of every kind of convening, and the workflow of plain dialogues.
import { checkArguments } from "../core/check_fields.ts";
import { systemClock } from "../core/clock.ts";
import { asConveningError, ConfigurationError } from "../core/error.ts";
import { capFor } from "../core/guard.ts";
import { checkOrder, type OrderProblem } from "../core/play.ts";
import { RecordedFacts } from "../core/record.ts";
import { type Protocol, say } from "../core/protocol.ts";
import type { Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { ConveningEvent, ConveningResult, ConveningStart, WaitedFor } from "../core/event.ts";
import { checkSpeech, checkTopic } from "../core/topic.ts";
import {
  type CastMember,
  MODERATOR,
  type Participant,
  participantsFrom,
  withModerator,
} from "../core/participant.ts";
import { withPersonaGuard } from "../checking/guards.ts";
import {
  checkerFrom,
  FACT_CHECKER,
  factCheckDesign,
  type SplitCast,
} from "../checking/fact_checker.ts";
import { templatesWith } from "../checking/questions.ts";
import type { DialogueConfig } from "../config/convening_config.ts";
import { refuseContradictions } from "../config/config.ts";
import { fitDesign, preambleOf, promptBounds, sourceTokensFor, startOf } from "./start.ts";
import {
  checkInstances,
  type DialogueOptions,
  type HandedIn,
  hostOf,
  searchersFor,
  type WorkflowDesign,
} from "./workflow_options.ts";
import {
  castMembers,
  checkOptions,
  checkParticipants,
  checkPrices,
  checkRetry,
  DIALOGUE_TEMPLATES,
  markChecked,
  withPersonaTexts,
} from "./casting.ts";
import type { PlannedPrompt, PlannedRun, RecordedPrompt, WorkflowPlan } from "./plan.ts";
import { EventQueue } from "./emitter.ts";
import { type ClientRequest, People } from "./people.ts";
import { ofAgent, partOf } from "./run_stop.ts";
import { Run } from "./run.ts";
import { type Selected, selectionOf } from "./selection.ts";

/**
 * A structured conversation, and the base class of every other kind. Its own protocol gives participants turns round-robin, or as
 * `select` says. A subclass overrides `protocol()` and nothing else.
 */
export class DialogueWorkflow<T = void> {
  /** The topic, trimmed. */
  readonly topic: string;
  /** Participants, in order. */
  readonly participants: readonly Participant[];
  readonly #options: DialogueOptions;
  readonly #cast: ReadonlyMap<string, CastMember>;
  readonly #templates: Readonly<Record<keyof typeof DIALOGUE_TEMPLATES, string>>;
  readonly #selected: Selected;
  readonly #people = new People();
  #started = false;
  #result: ConveningResult<T> | undefined;

  /** Creates a workflow without starting it. Throws a `TopicError` or a `ConfigurationError` for invalid arguments. */
  constructor(topic: string, participants: readonly Participant[], options: DialogueOptions = {}) {
    checkArguments(new.target.name, { topic, participants });
    if (options.design === undefined) checkOptions("dialogue", options, topic);
    checkInstances(options);
    this.topic = checkTopic(topic, options);
    const { speakers, checker } = checkerFrom(participants);
    this.participants = checkParticipants(speakers);
    this.#templates = options.design === undefined
      ? templatesWith(DIALOGUE_TEMPLATES, options.prompts)
      : DIALOGUE_TEMPLATES;
    const { rules, participant, moderator } = this.#templates;
    const roles = { participant, moderator };
    const checked = withFactCheck({ rules, roles, chair: MODERATOR, ...options.design }, {
      speakers,
      checker,
      options,
    });
    const design = withPersonaGuard(checked, {
      mode: options.guards?.persona,
      participants: speakers,
      prompts: options.prompts,
    });
    this.#options = { ...options, design: { ...design, ...options.ofKind } };
    const { select = "round-robin" } = options;
    this.#selected = selectionOf(select, this.participants, this.#templates);
    this.#cast = castMembers(this.participants, this.#options);
    checkRetry(options);
  }

  /**
   * Returns the protocol of the convening. The base class takes `maxTurns` turns, each by the speaker that `select` chooses.
   * The protocol must be a pure function of its inputs: after an interruption it is replayed from the record.
   */
  protected *protocol(): Protocol<T> {
    const { maxTurns = 10, maxTokensPerTurn = 250, words } = this.#options;
    const { selection, speakers } = this.#selected;
    const participants = speakers.map(({ id, name }) => {
      return { id, name, label: this.#cast.get(id)!.label };
    });
    const said: Message[] = [];
    for (let turn = 1; turn <= maxTurns; turn++) {
      const speaker = yield* selection.next({ participants, said, turn });
      said.push(
        yield* say({
          key: `turn-${turn}/${speaker}`,
          speaker,
          phase: "dialogue",
          kind: "statement",
          round: Math.ceil(turn / participants.length),
          replyTo: said.at(-1)?.seq,
          maxTokens: capFor(words, maxTokensPerTurn),
          task: turn === 1 ? this.#templates.opening : this.#templates.statement,
        }),
      );
    }
    return undefined as T;
  }

  /**
   * Runs the convening, or resumes the one in the record. Yields events as they happen; returns the result, also of a run that
   * a limit, a pause or the signal ended. Throws the `ConveningError` of a failure, with its directory, after the last event.
   */
  async *stream(): AsyncGenerator<ConveningEvent, ConveningResult<T>> {
    if (this.#started) {
      throw new ConfigurationError("Cannot run a workflow twice", {
        hint: "Create another workflow, or resume its directory.",
      });
    }
    this.#started = true;
    const queue = new EventQueue();
    const stop = new AbortController();
    const run = this.#run(queue, stop)
      .catch((error) => Promise.reject(asConveningError(error, this.#options)))
      .finally(() => {
        this.#people.end();
        queue.close();
      });
    // `await run` below throws the failure, after the events that precede it.
    run.catch(() => {});
    try {
      yield* queue;
      return this.#result = await run;
    } finally {
      stop.abort("the stream was left");
      await run.catch(() => {});
    }
  }

  /** Drains `stream()` and returns its result, or throws its failure; returns the result of a stream that was drained. */
  async run(): Promise<ConveningResult<T>> {
    if (this.#result !== undefined) return this.#result;
    const events = this.stream();
    let step = await events.next();
    while (!step.done) step = await events.next();
    return step.value;
  }

  /**
   * Submits a person's words for the turn that a `turn-wait` event announced; `participant` is the id in the event. `request`
   * chooses among several turns: the id of one of {@linkcode requests}, or the key of one of {@linkcode waitingFor}. Throws a
   * `TurnOrderError` if the run does not wait for this participant; the error names whose turn it is.
   */
  say(participant: string, text: string, request?: string): void {
    this.#people.say(participant, checkSpeech(text), request);
  }

  /**
   * Reads the inbox of the record at once instead of at the next poll: words in it are said in the turns that wait. Returns
   * false if the wait for the turn with the key `turn` has timed out: the run ends, and the words are said after a resume.
   */
  async hear(turn?: string): Promise<boolean> {
    return await this.#people.hear(turn);
  }

  /** Prompts that wait for a client's answer now, possibly several; `say` takes their ids. */
  get requests(): readonly ClientRequest[] {
    return this.#people.requests;
  }

  /** Turns that wait for a person or client now. */
  get waitingFor(): readonly WaitedFor[] {
    return this.#people.waitingFor;
  }

  /**
   * Queues a person's words for the turn with the key `turn`, or for the person's next turn, before the run starts. Throws a
   * `ConfigurationError` after the run.
   */
  prepare(participant: string, text: string, turn?: string): void {
    this.#people.submit({ type: "say", participant, text: checkSpeech(text), turn });
  }

  /**
   * Interjects: the text is recorded before the run's next turn, or after the last, and quoted in later prompts. The order of
   * turns does not change. Throws a `ConfigurationError` after the run, and for a text without words.
   */
  interject(text: string): void {
    this.#people.submit({ type: "interjection", text: checkSpeech(text) });
  }

  /** Pauses: turns in flight finish, then the run ends as `paused` and can be resumed. Does nothing after the run. */
  pause(): void {
    this.#people.submit({ type: "pause" });
  }

  /** Throws a `ConfigurationError` for other judges or rubrics than a record's, whose scores the record would not count. */
  checkJudges(recorded: ConveningStart["judges"]): void {
    const namesOf = (judges: readonly { readonly id: string; readonly rubric: string }[]) =>
      judges.map(({ id, rubric }) => `${id} (${rubric})`).join(", ") || "none";
    const names = namesOf(this.#options.design?.judges ?? []);
    if (names === namesOf(recorded)) return;
    throw new ConfigurationError(
      `Cannot resume with the judges ${names}: the record has ${namesOf(recorded)}`,
      { field: "judges", hint: "Name a model for each judge; others can judge it after its end." },
    );
  }

  /** Returns the first problem of order: a recorded message that the protocol cannot have produced, or a missing message. */
  checkRecord(facts: readonly Fact[]): OrderProblem | undefined {
    return checkOrder(this.protocol(), new RecordedFacts(facts), this.#options.exitCondition)
      .problem;
  }

  /** Returns upper bounds for a run: turns, calls, tokens and cost. Calls no agent. */
  async plan(): Promise<WorkflowPlan> {
    await this.#ready();
    const { playPlan } = await import("./plan.ts");
    return await (await playPlan(await this.#planned())).plan();
  }

  /**
   * Returns every prompt that is known before the run starts, with placeholders in brackets for the messages of turns. Prompts of
   * fact checks are missing, because they need the words of turns. Calls no agent.
   */
  async prompts(): Promise<readonly PlannedPrompt[]> {
    const { promptsOf } = await import("./plan.ts");
    return await promptsOf(await this.#planned());
  }

  /**
   * Rebuilds from a record's facts the first prompt of each turn that a model spoke. Omits turns whose prompts summarized older
   * turns. Calls no agent.
   */
  async recordedPrompts(facts: readonly Fact[]): Promise<readonly RecordedPrompt[]> {
    const past = new RecordedFacts(facts);
    const { recordedPromptsOf } = await import("./plan.ts");
    return await recordedPromptsOf(await this.#planned(past), past);
  }

  /** Returns what a plan needs; the sources are cut as in the record with the facts `past`, if any. */
  async #planned(past?: RecordedFacts): Promise<PlannedRun> {
    const options = this.#options;
    const cast = await this.#resolvedCast();
    await checkPrices(cast, options);
    const start = { ...startOf(this.topic, cast, options), remembered: past?.remembered ?? [] };
    const sourceTokens = past === undefined
      ? sourceTokensFor(await promptBounds(cast, options), options)
      : options.sourceTokens;
    const head = await preambleOf(start, cast, { ...options, sourceTokens });
    return { protocol: () => this.protocol(), options, cast, head };
  }

  /** Returns the cast with persona ids replaced by their texts, after the design has fitted prompts to the models' windows. */
  async #resolvedCast(): Promise<ReadonlyMap<string, CastMember>> {
    const textOf = (id: string) => hostOf(this.#options, "text of a persona").persona(id);
    const cast = await withPersonaTexts(this.#cast, textOf);
    await fitDesign(cast, this.#options);
    return cast;
  }

  async #ready(): Promise<void> {
    const { design, signal } = this.#options;
    await partOf("design.ready", { signal }, () => design?.ready?.());
  }

  async #run(queue: EventQueue, stop: AbortController): Promise<ConveningResult<T>> {
    const options = this.#options;
    await this.#ready();
    const cast = await this.#resolvedCast();
    await checkPrices(cast, options, options.design?.embedder);
    if (options.topicCheck === "provider") {
      await hostOf(options, "check of topics").moderate(this.topic, options);
    }
    // Check agents before the record is opened: a bad URL, key or model leaves no record.
    const agents = new Set([...cast.values()].map(({ agent }) => agent));
    const checked = [...agents, options.design?.embedder];
    const { signal } = options;
    await Promise.all(
      checked.map((each) => each && ofAgent(each, "check", signal, () => each.check?.(signal))),
    );
    const store = options.record ?? hostOf(options, "record").record(options.out);
    const bounds = await promptBounds(cast, options);
    const sourceTokens = sourceTokensFor(bounds, options);
    const start = startOf(this.topic, cast, { ...options, sourceTokens });
    // A protocol that throws at once leaves no record.
    await partOf("the protocol", options, () => this.protocol());
    const record = await partOf("the record", options, () => store.open(start));
    // A resumed run cuts the sources as the record's first run did; a run that adds to a record has other models.
    const { configuration } = options.design?.adds === true ? start : record.start;
    const run = new Run<T>(record, queue, {
      cast,
      bounds,
      options: {
        ...options,
        remember: rememberOf(options),
        sourceTokens: configuration["sourceTokens"] as number | undefined,
      },
      people: this.#people,
      clock: options.clock ?? systemClock,
      stop,
    });
    const play = async () => {
      await partOf("design.opened", options, () => options.design?.opened?.(record));
      return await run.play(() => this.protocol());
    };
    // An error of the run comes first: a record that cannot be closed may follow from it.
    const [played] = await Promise.allSettled([play()]);
    const [closed] = await Promise.allSettled([record.close()]);
    const failed = [played, closed].find((each) => each.status === "rejected");
    if (played.status === "fulfilled" && failed === undefined) return played.value;
    const error = asConveningError(failed?.reason, options);
    if (record.dir !== undefined) error.dir = record.dir;
    throw error;
  }
}

/** Returns the source of memories: the option `remember`, else the archive in `memory`, else none. */
function rememberOf({ remember, memory, host }: DialogueOptions): DialogueOptions["remember"] {
  if (remember !== undefined || memory === undefined) return remember;
  return (topic) => hostOf({ host }, "memory").remember(memory, topic);
}

/** Adds fact checks to a design, if configured and the design has none. The strict guard comes last, because it is the most expensive. */
function withFactCheck(
  design: WorkflowDesign,
  { options, ...cast }: SplitCast & { readonly options: DialogueOptions },
): WorkflowDesign {
  const { helpers = [], observers = [], guards = [], chair, papers, adds } = design;
  // A debate over papers designs its own checks; its debaters may use the search server without any. A run that adds to an
  // ended record checks no claim, though the record names a fact checker.
  if (adds === true || papers !== undefined || helpers.some(({ role }) => role === FACT_CHECKER)) {
    return design;
  }
  const { factCheck, prompts } = options;
  const searchers = () => searchersFor(options);
  const checking = factCheckDesign(factCheck, { ...cast, chair, prompts, searchers });
  if (checking === undefined) return design;
  return {
    ...design,
    helpers: [...helpers, ...checking.helpers],
    observers: [...observers, ...checking.observers],
    guards: [...guards, ...checking.guards],
    roles: { ...design.roles, ...checking.roles },
  };
}

/** Creates a dialogue from a configuration. Defaults to two participants, and adds a moderator if the moderator selects speakers. */
export function dialogueFrom(config: DialogueConfig, handed: HandedIn): DialogueWorkflow<unknown> {
  const { topic, participants: given, moderatorModel, sources: _files, ...settings } = config;
  const { agentOf, ...options } = handed;
  refuseContradictions({ ...config });
  const speakers = participantsFrom(given ?? [{ name: "Ada" }, { name: "Ben" }], {
    moderatorModel,
  });
  const cast = config.select === "moderator"
    ? withModerator(speakers, { model: moderatorModel })
    : speakers;
  const participants = cast.map((each) => ({ ...each, agent: agentOf(each.id) }));
  return new DialogueWorkflow(topic, participants, markChecked({ ...settings, ...options }));
}
