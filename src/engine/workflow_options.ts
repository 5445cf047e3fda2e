// The options of every workflow and their checks, and the design that a kind adds to them.
import type { CallGate } from "./budget.ts";
import type { Helper } from "../core/participant.ts";
import type { SpeakerSelection } from "../core/protocol.ts";
import type { CommonConfig, DialogueConfig, Rubric } from "../config/convening_config.ts";
import type { Agent } from "../core/agent.ts";
import type { Clock } from "../core/clock.ts";
import type { Embedder, MeteredEmbedder, Searcher } from "../core/search.ts";
import { ConfigurationError } from "../core/error.ts";
import type { EndReason, Fact } from "../core/fact.ts";
import type { KeyRules } from "../core/key_rules.ts";
import type { Message } from "../core/message.ts";
import type { Guard, Observer } from "../core/guard.ts";
import type { Paper, Source } from "../core/paper.ts";
import type { PlaceholderValues } from "../core/prompt.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import type { ConveningStart, StageTeller } from "../core/event.ts";
import { parseConfig } from "../config/config.ts";
import type { Kind } from "../config/setting.ts";

/** Settings that turn names of models into agents. */
export interface AgentSettings extends
  KeyRules,
  Readonly<
    Pick<
      CommonConfig,
      "baseUrl" | "providers" | "retry" | "idleTimeout" | "totalTimeout" | "maxReplyBytes"
    >
  > {
  /** Reads an environment variable. @default the process's, where that is permitted */
  readonly env?: ((name: string) => string | undefined) | undefined;
}

/** Options of every kind of workflow: the keys of every configuration, and instances in the place of names. */
export interface WorkflowOptions extends
  AgentSettings,
  Readonly<
    Omit<CommonConfig, "topic" | "participants" | "personas" | "sources" | keyof AgentSettings>
  > {
  /** The record of the convening. @default a new directory under `out` */
  readonly record?: RecordStore | undefined;
  /** Background files, quoted to all. */
  readonly sources?: readonly Source[] | undefined;
  /** More guards, after the built-in ones. */
  readonly moreGuards?: readonly Guard[] | undefined;
  /** More observers. */
  readonly observers?: readonly Observer[] | undefined;
  /** Finds earlier convenings on a topic; asked once, when a convening starts, and recorded. @default the memory */
  readonly remember?: ((topic: string) => Promise<readonly Remembered[]>) | undefined;
  /** Searchers for claims. @default none */
  readonly searchers?: readonly Searcher[] | undefined;
  /** Clock of the run. @default the machine's */
  readonly clock?: Clock | undefined;
  /** Ends the run early after a message, as a result. */
  readonly exitCondition?: ((messages: readonly Message[]) => boolean) | undefined;
  /** Turns names into instances. @default none: agents and the record are handed in as instances */
  readonly host?: WorkflowHost | undefined;
  /** Design that a subclass adds. */
  readonly design?: WorkflowDesign | undefined;
  /** Gate of every request of an agent, for limits that several convenings share. @default none */
  readonly gate?: CallGate | undefined;
  /** Cancels the run; it can be resumed. */
  readonly signal?: AbortSignal | undefined;
}

/** Memory of an earlier convening. */
export interface Remembered {
  /** Its directory's name. */
  readonly dir: string;
  /** Its topic and summary, as they are quoted. */
  readonly text: string;
}

/** A judge, who does not speak. */
export interface Judge
  extends Pick<Helper, "id" | "name" | "model" | "agent" | "temperature" | "reasoningEffort"> {
  /** The rubric's id. */
  readonly rubric: string;
  /** True for a judge that is asked only where the panel ties; a setting of its own names its model. @default false */
  readonly tiebreak?: boolean | undefined;
  /** The rubric as its configuration holds it, where it has one of its own. @default the convening's */
  readonly ownRubric?: string | Rubric | undefined;
}

/** Design of a workflow besides its protocol: given by a subclass to the base class. */
export interface WorkflowDesign {
  /** Names the directory; letters, digits and `-`. @default "dialogue" */
  readonly kind?: string | undefined;
  /** First text of every prompt: kind of the convening and its rules. */
  readonly rules?: string | undefined;
  /** More of what all share in prompts, such as the rubric. */
  readonly notes?: readonly string[] | undefined;
  /** By role: who one is and what for; may hold placeholders. */
  readonly roles?: Readonly<Record<string, string>> | undefined;
  /** The role of who gives the floor and sums up: takes no side, and needs no model of its own. @default "moderator" */
  readonly chair?: string | undefined;
  /**
   * True if something is only added to a record that has ended: no turn is taken, its ending stays. @default false
   */
  readonly adds?: boolean | undefined;
  /** Judges, which do not speak. */
  readonly judges?: readonly Judge[] | undefined;
  /** Helpers, which are asked and neither speak nor judge. */
  readonly helpers?: readonly Helper[] | undefined;
  /** Observers of messages. */
  readonly observers?: readonly Observer[] | undefined;
  /** Guards of its own, after all others. */
  readonly guards?: readonly Guard[] | undefined;
  /** Reason for the end of a protocol that came to its end, from its value. @default "completed" */
  readonly endReason?: ((value: unknown) => EndReason | undefined) | undefined;
  /** Names of participants in prompts, by id. @default their names, or neutral labels where a name shows a model */
  readonly labels?: ReadonlyMap<string, string> | undefined;
  /** Values of placeholders that hold throughout. */
  readonly values?: PlaceholderValues | undefined;
  /** Kinds of messages that prompts do not show, such as a list that a choice was made from. @default none */
  readonly hidden?: readonly string[] | undefined;
  /** True if the moderator's round summaries stand for older turns. @default false */
  readonly foldByRounds?: boolean | undefined;
  /** Author of the summary of an early end. @default a template */
  readonly summariser?: Summariser | undefined;
  /** The most messages the protocol can need. */
  readonly expectedMessages?: number | undefined;
  /** The kinds of turns that a range of words holds for. @default all */
  readonly wordedKinds?: readonly string[] | undefined;
  /** The papers that are debated, kept with the record. @default none */
  readonly papers?: readonly Paper[] | undefined;
  /** Fits what prompts show into the windows of models, by the ids of those who are asked, before anything is recorded. @default nothing is fitted */
  readonly fit?:
    | ((windowOf: (id: string) => Promise<number | undefined>) => Promise<void>)
    | undefined;
  /** Loads what a run takes, before it begins; fails where that is not there. @default nothing is loaded */
  readonly ready?: (() => Promise<void>) | undefined;
  /** Takes what a record keeps for a run besides facts, once it is open. @default nothing is taken */
  readonly opened?: ((record: OpenRecord) => void) | undefined;
  /** Embedder of look-ups, whose tokens the next call of an agent counts. @default nothing is embedded */
  readonly embedder?: MeteredEmbedder | undefined;
  /** Tells stages, from what is on record when the run begins and from what happens then. @default none are told */
  readonly stages?: ((start: ConveningStart, facts: readonly Fact[]) => StageTeller) | undefined;
  /** True if the record keeps the protocol's value, as JSON. @default false */
  readonly keepsValue?: boolean | undefined;
  /** The configuration as it is recorded, but for what every kind has. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** Settings that decide which embedder is used. */
export type EmbedderSettings = AgentSettings & {
  /** The name of the embedding model. @default "text-embedding-3-small" */
  readonly embeddingModel?: string | undefined;
  /** The model of every role that names none. */
  readonly model?: string | undefined;
  /** Participants with their models. */
  readonly participants?: readonly { readonly model?: string | undefined }[] | undefined;
  /** Judges with their models. */
  readonly judges?: readonly { readonly model?: string | undefined }[] | undefined;
};

/** Turns names and settings into instances. */
export interface WorkflowHost {
  /** The agent a model's name stands for. */
  agent(name: string | undefined, settings: AgentSettings): Agent;
  /** Asks the provider of the convening's model about a topic; fails where the topic is abusive. */
  moderate(topic: string, options: WorkflowOptions): Promise<void>;
  /** The embedder an embedding model's name stands for; undefined where every model is a replay, which needs none. */
  embedder(settings: EmbedderSettings): Embedder | undefined;
  /** Searchers for claims where none is handed in. */
  searchers(settings: Pick<WorkflowOptions, "env" | "factCheck" | "sources">): readonly Searcher[];
  /** Earlier convenings of an archive that bear on a topic. */
  remember(archive: string, topic: string): Promise<readonly Remembered[]>;
  /**
   * The biases of a judge's model that a judge check found, a sentence each, from the archive that holds the record in `dir`.
   * @default none are known
   */
  biases?(dir: string, model: string): Promise<readonly string[]>;
  /** The text of the persona an id stands for. */
  persona(id: string): Promise<string>;
  /** A new record under an archive's folder. */
  record(out: string | undefined): RecordStore;
}

/** Inputs that a configuration cannot hold: instances and functions, and the sources as read. */
export interface HandedIn extends
  Pick<
    WorkflowOptions,
    "sources" | Exclude<keyof WorkflowOptions, keyof CommonConfig | "design">
  > {
  /** The papers of a paper debate, as read. */
  readonly papers?: readonly Paper[] | undefined;
  /** The agent handed in for a participant or judge; its model's name is used where there is none. */
  readonly agentOf: (id: string) => Agent | undefined;
}

/** Options of a plain dialogue. */
export interface DialogueOptions
  extends WorkflowOptions, Readonly<Pick<DialogueConfig, "maxTurns" | "maxTokensPerTurn">> {
  /**
   * Next speaker: in turn, named by the moderator, or by the highest bid; or a selection of your own. @default
   * "round-robin"
   */
  readonly select?: Selecting | undefined;
}

/** The host of a workflow; a `ConfigurationError` that says what is missing where none was handed in. */
export function hostOf({ host }: Pick<WorkflowOptions, "host">, missing: string): WorkflowHost {
  if (host !== undefined) return host;
  throw new ConfigurationError(`Cannot hold the convening: no ${missing} was handed in`, {
    hint: `Hand in the ${missing} as an instance, or the option host, such as defaultHost.`,
  });
}

/** The participant that sums up an early end, and the task. */
export interface Summariser {
  /** The participant's id. */
  readonly id: string;
  /** The task. */
  readonly task: string;
  /** The most tokens of the summary. */
  readonly maxTokens: number;
}

/** Searchers for claims: those handed in, else the host's for the settings; without a host none. */
export function searchersFor(options: WorkflowOptions): readonly Searcher[] {
  return options.searchers ?? options.host?.searchers(options) ?? [];
}

/** Selection of the next speaker: by name, or an instance. */
export type Selecting = NonNullable<DialogueConfig["select"]> | SpeakerSelection;

type Instance = (keyof HandedIn & keyof WorkflowOptions) | "design";

/** Options that no configuration has: instances and functions. */
const INSTANCES: Readonly<Record<Instance, true>> = {
  allowBaseUrls: true,
  clock: true,
  design: true,
  env: true,
  exitCondition: true,
  gate: true,
  host: true,
  moreGuards: true,
  observers: true,
  record: true,
  remember: true,
  searchers: true,
  signal: true,
  sources: true,
  untrusted: true,
};

/** By kind: the keys of a configuration that are arguments, or parts of participants, where instances are handed in. */
const ARGUMENTS: Readonly<Record<Kind, readonly string[]>> = {
  dialogue: ["kind", "topic", "participants", "moderatorModel", "personas"],
  debate: ["kind", "topic", "participants", "positions", "moderatorModel", "personas"],
  consensus: ["kind", "topic", "participants", "personas"],
  "paper-debate": ["kind", "papers", "title", "personas"],
};

/** By kind: options that have instances in the place of the values of a configuration. */
const OWN_INSTANCES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  "paper-debate": ["participants", "given"],
};

/** Options made of a checked configuration. */
const CHECKED = new WeakSet<object>();

/** Options made of a checked configuration: no constructor checks them again. */
export function checkedOptions<T extends object>(options: T): T {
  CHECKED.add(options);
  return options;
}

/** True if options were made of a checked configuration. */
export function isChecked(options: object): boolean {
  return CHECKED.has(options);
}

/**
 * The options, after a check: no option that a workflow of the kind would ignore, no value that a configuration may not
 * have. Throws a `ConfigurationError`.
 */
export function checkOptions<T extends object>(kind: Kind, options: T): T {
  if (isChecked(options)) return options;
  const ignored = ARGUMENTS[kind].find((key) => Object.hasOwn(options, key));
  if (ignored !== undefined) {
    throw new ConfigurationError(`Cannot use the options of a ${kind}: unknown key "${ignored}"`, {
      field: ignored,
      hint: "Give the topic and the participants before the options; positions are participants'.",
    });
  }
  const own = OWN_INSTANCES[kind] ?? [];
  const given = Object.entries(options).flatMap(([key, value]) =>
    Object.hasOwn(INSTANCES, key) || own.includes(key) || value === undefined
      ? []
      : [[key, withoutInstances(value)] as const]
  );
  const needed = kind === "paper-debate" ? { papers: ["-"] } : { topic: "" };
  parseConfig({ kind, ...needed, ...Object.fromEntries(given) });
  return options;
}

/** A value without the instances in it: agents of judges and listeners, a selection or a retriever of a program's own. */
function withoutInstances(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAgent);
  return isInstance(value) ? undefined : value;
}

function withoutAgent(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("agent" in value)) return value;
  const { agent: _agent, ...settings } = value;
  return settings;
}

/** True if an object has functions, which no configuration has. */
function isInstance(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype !== Object.prototype && prototype !== null) ||
    Object.values(value).some((each) => typeof each === "function");
}
