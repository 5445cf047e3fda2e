// The base workflow of every kind, and plain dialogues.
import { preambleOf, startOf } from "./start.ts";
import {
  checkedOptions,
  checkOptions,
  type DialogueOptions,
  type HandedIn,
  hostOf,
  searchersFor,
  type WorkflowDesign,
} from "./workflow_options.ts";
import { systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import { capFor } from "../core/guard.ts";
import { checkOrder, type OrderProblem } from "../core/play.ts";
import { Past } from "../core/record.ts";
import { type Protocol, say, type Speaker } from "../core/protocol.ts";
import type { Fact, LookUp } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { ConveningEvent, ConveningResult, WaitedFor } from "../core/event.ts";
import { checkSpeech, checkTopic } from "../core/topic.ts";
import {
  MODERATOR,
  type Participant,
  participantsFrom,
  withModerator,
} from "../core/participant.ts";
import {
  type CastMember,
  castMembers,
  checkParticipants,
  checkPrices,
  checkRetry,
  DIALOGUE_TEMPLATES,
  inPerson,
} from "./casting.ts";
import { withPersonaGuard } from "../checking/guards.ts";
import type { PlannedPrompt, PlannedRun, RecordedPrompt, WorkflowPlan } from "./plan.ts";
import { EventQueue } from "./emitter.ts";
import { type ClientRequest, People } from "./people.ts";
import {
  type Checked,
  checkerFrom,
  FACT_CHECKER,
  factCheckDesign,
} from "../checking/fact_checker.ts";
import { Run } from "./run.ts";
import { type Selected, selectionOf } from "./selection.ts";
import { kindTemplates } from "../checking/questions.ts";
import type { DialogueConfig } from "../config/convening_config.ts";
import { refuseContradictions } from "../config/config.ts";

/**
 * A structured conversation, and the base of every other kind: in its own protocol one participant after the other speaks,
 * round-robin or as `select` has it.
 * A subclass overrides `protocol()` and nothing else.
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

  /** A workflow that has not started; throws a `TopicError` or `ConfigurationError` where it could not run. */
  constructor(topic: string, participants: readonly Participant[], options: DialogueOptions = {}) {
    if (options.design === undefined) checkOptions("dialogue", options);
    this.topic = checkTopic(topic, options);
    const { speakers, checker } = checkerFrom(participants);
    this.participants = checkParticipants(speakers);
    this.#templates = options.design === undefined
      ? kindTemplates(DIALOGUE_TEMPLATES, options.prompts)
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
    this.#options = { ...options, design };
    const { select = "round-robin" } = options;
    this.#selected = selectionOf(select, this.participants, this.#templates);
    this.#cast = castMembers(this.participants, this.#options);
    checkRetry(options);
  }

  /**
   * Protocol of the convening. The base class's has `maxTurns` turns, each by the speaker that the selection names.
   * It must be a pure function of its inputs: after an interruption it is played again from the record.
   */
  protected *protocol(): Protocol<T> {
    const { maxTurns = 10, maxTokensPerTurn = 250, words } = this.#options;
    const { selection } = this.#selected;
    const participants = this.#speakers();
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

  #speakers(): readonly Speaker[] {
    return this.#selected.speakers.map(({ id, name }) => ({
      id,
      name,
      label: this.#cast.get(id)!.label,
    }));
  }

  /** Runs the convening, or goes on with a record that holds one; events come as they happen, the result last. */
  async *stream(): AsyncGenerator<ConveningEvent, ConveningResult<T>> {
    if (this.#started) {
      throw new ConfigurationError("Cannot run a workflow twice", {
        hint: "Create another workflow, or resume its directory.",
      });
    }
    this.#started = true;
    const queue = new EventQueue();
    const stop = new AbortController();
    const run = this.#run(queue, stop).finally(() => queue.close());
    // Its failure is thrown below, after the events before it.
    run.catch(() => {});
    try {
      yield* queue;
      return await run;
    } finally {
      stop.abort("the stream was left");
      await run.catch(() => {});
    }
  }

  /** Runs the convening to its end; the same as `stream()`, drained. */
  async run(): Promise<ConveningResult<T>> {
    const events = this.stream();
    let step = await events.next();
    while (!step.done) step = await events.next();
    return step.value;
  }

  /**
   * Says a person's turn, once a `turn-wait` event has told that it is waited for; with the id of one of
   * {@linkcode requests}, answers that. Throws a `TurnOrderError` that names whose turn it is where it is not this
   * participant's.
   */
  say(participant: string, text: string, request?: string): void {
    this.#people.say(participant, checkSpeech(text), request);
  }

  /** The prompts that a client is to answer now, several of which may be asked at once; `say` takes their ids. */
  get requests(): readonly ClientRequest[] {
    return this.#people.requests;
  }

  /** The turns of people that a run waits for now. */
  get waitingFor(): readonly WaitedFor[] {
    return this.#people.waitingFor;
  }

  /** Has a person's words ready for when its turn comes, before the run starts. */
  prepare(participant: string, text: string): void {
    this.#people.prepare(participant, checkSpeech(text));
  }

  /** Interjects: heard before the next turn, quoted in later prompts; no turn, and no order is disturbed. */
  interject(text: string): void {
    this.#people.leave({ type: "interjection", text: checkSpeech(text) });
  }

  /** Pauses: turns in flight are finished, then the run ends with the status `paused`; `resume` goes on. */
  pause(): void {
    this.#people.leave({ type: "pause" });
  }

  /** Problem of order: facts of a record that this workflow's protocol cannot have made. */
  checkRecord(facts: readonly Fact[]): OrderProblem | undefined {
    return checkOrder(this.protocol(), new Past(facts), this.#options.exitCondition).problem;
  }

  /** Plan of a run: the most turns, calls, tokens and cost. Calls nothing. */
  async plan(): Promise<WorkflowPlan> {
    const { planOf } = await import("./plan.ts");
    return await planOf(await this.#planned());
  }

  /**
   * Every prompt of a run, as far as it is known before anyone has spoken: those of fact checks need the words of turns, and
   * what others say stands in brackets. Calls nothing.
   */
  async prompts(): Promise<readonly PlannedPrompt[]> {
    const { promptsOf } = await import("./plan.ts");
    return await promptsOf(await this.#planned());
  }

  /**
   * The first prompts of the turns in a record that models spoke, built again from its facts; a turn is left out whose
   * prompt had a summary in the place of older turns. Calls nothing.
   */
  async recordedPrompts(facts: readonly Fact[]): Promise<readonly RecordedPrompt[]> {
    const past = new Past(facts);
    const { recordedPromptsOf } = await import("./plan.ts");
    return await recordedPromptsOf(await this.#planned(past.remembered), past);
  }

  async #planned(remembered: readonly LookUp[] = []): Promise<PlannedRun> {
    const options = this.#options;
    const cast = await this.#played();
    await checkPrices(cast, options);
    const start = { ...startOf(this.topic, cast, options), remembered };
    const head = await preambleOf(start, cast, options);
    return { protocol: () => this.protocol(), options, cast, head };
  }

  /** Everyone, with the persona's text where one was named by its id; prompts are fitted into their models' windows. */
  async #played(): Promise<ReadonlyMap<string, CastMember>> {
    const textOf = (id: string) => hostOf(this.#options, "text of a persona").persona(id);
    const cast = await inPerson(this.#cast, textOf);
    await this.#options.design?.fit?.(async (id) => await cast.get(id)?.agent.window?.());
    return cast;
  }

  async #run(queue: EventQueue, stop: AbortController): Promise<ConveningResult<T>> {
    const options = this.#options;
    await options.design?.ready?.();
    const cast = await this.#played();
    await checkPrices(cast, options, options.design?.embedder);
    const start = startOf(this.topic, cast, options);
    if (options.topicCheck === "provider") {
      await hostOf(options, "check of topics").moderate(this.topic, options);
    }
    // A bad address, key or model leaves no record.
    const agents = new Set([...cast.values()].map(({ agent }) => agent));
    await Promise.all([...agents].map((agent) => agent.check?.(options.signal)));
    const store = options.record ?? hostOf(options, "record").record(options.out);
    const record = await store.open(start);
    options.design?.opened?.(record);
    try {
      const run = new Run<T>(record, queue, {
        cast,
        options: { ...options, remember: rememberOf(options) },
        people: this.#people,
        clock: options.clock ?? systemClock,
        stop,
      });
      return await run.play(() => this.protocol());
    } finally {
      await record.close();
    }
  }
}

/** Memories of earlier convenings: those handed in, else an archive's. */
function rememberOf({ remember, memory, host }: DialogueOptions): DialogueOptions["remember"] {
  if (remember !== undefined || memory === undefined) return remember;
  return (topic) => hostOf({ host }, "memory").remember(memory, topic);
}

/** A design with fact checks, where they are asked for and the design brings none; the strict guard stands last: it costs most. */
function withFactCheck(
  design: WorkflowDesign,
  { options, ...cast }: Checked & { readonly options: DialogueOptions },
): WorkflowDesign {
  const { helpers = [], observers = [], guards = [], chair } = design;
  if (helpers.some(({ role }) => role === FACT_CHECKER)) return design;
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

/** The dialogue a configuration describes; of two where it names none, with a moderator where one selects. */
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
  return new DialogueWorkflow(topic, participants, checkedOptions({ ...settings, ...options }));
}
