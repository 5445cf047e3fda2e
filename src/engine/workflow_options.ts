// The options of every workflow, their checks, and the design that a kind adds.
import { z } from "zod";
import type { Helper } from "../core/participant.ts";
import type { SpeakerSelection } from "../core/protocol.ts";
import type { CommonConfig, DialogueConfig } from "../config/convening_config.ts";
import type { Rubric } from "../core/outcome.ts";
import type { Agent } from "../core/agent.ts";
import { callable, checkFields, having } from "../core/check_fields.ts";
import type { Clock } from "../core/clock.ts";
import type { Embedder, MeteredEmbedder, Searcher } from "../core/search.ts";
import { ConfigurationError } from "../core/error.ts";
import type { EndReason, Fact } from "../core/fact.ts";
import type { AgentSettings } from "../core/key_rules.ts";
import type { Message } from "../core/message.ts";
import type { Guard, Observer } from "../core/guard.ts";
import type { Paper, Source } from "../core/paper.ts";
import type { PlaceholderValues } from "../core/prompt.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import type { ConveningStart, StageTeller } from "../core/event.ts";
import type { CallGate } from "./budget.ts";

/** Options of every kind of workflow: the keys of every configuration, and instances in place of names. */
export interface WorkflowOptions extends
  AgentSettings,
  Readonly<
    Omit<CommonConfig, "topic" | "participants" | "personas" | "sources" | keyof AgentSettings>
  > {
  /** The record of the convening. @default a new directory under `out` */
  readonly record?: RecordStore | undefined;
  /** Background files, quoted in every prompt. */
  readonly sources?: readonly Source[] | undefined;
  /** Additional guards, after the built-in ones. */
  readonly moreGuards?: readonly Guard[] | undefined;
  /** Additional observers. */
  readonly observers?: readonly Observer[] | undefined;
  /** Finds earlier convenings on a topic; called once, when a convening starts, and recorded. @default searches `memory` */
  readonly remember?: ((topic: string) => Promise<readonly Remembered[]>) | undefined;
  /** Searchers for claims. @default none */
  readonly searchers?: readonly Searcher[] | undefined;
  /** Clock of the run. @default the system clock */
  readonly clock?: Clock | undefined;
  /** Checked after each message; true ends the run early with the status `completed`. @default never */
  readonly exitCondition?: ((messages: readonly Message[]) => boolean) | undefined;
  /** Resolves names to instances. @default none: agents and the record must be given as instances */
  readonly host?: WorkflowHost | undefined;
  /** Design that a subclass adds. */
  readonly design?: WorkflowDesign | undefined;
  /** Kind and recorded settings, as `defineKind` makes them; the design cannot change them. @default those of the design */
  readonly ofKind?: Pick<WorkflowDesign, "kind" | "configuration" | "keepsValue"> | undefined;
  /** Gate for requests to agents, for limits that several convenings share. @default none */
  readonly gate?: CallGate | undefined;
  /** Cancels the run; it can be resumed. */
  readonly signal?: AbortSignal | undefined;
}

/** Summary of an earlier convening on the topic. */
export interface Remembered {
  /** Name of the convening's directory. */
  readonly dir: string;
  /** Topic and summary, as prompts quote them. */
  readonly text: string;
}

/** A judge. */
export interface Judge
  extends Pick<Helper, "id" | "name" | "model" | "agent" | "temperature" | "reasoningEffort"> {
  /** Id of the rubric. */
  readonly rubric: string;
  /** True for a judge that is asked only if the panel ties; a separate setting names the judge's model. @default false */
  readonly tiebreak?: boolean | undefined;
  /** The judge's own rubric, as configured. @default the rubric of the convening */
  readonly ownRubric?: string | Rubric | undefined;
}

/** Properties of a workflow besides its protocol, passed by a subclass to the base class. */
export interface WorkflowDesign {
  /** The kind, also part of the directory's name; letters, digits and `-`. @default "dialogue" */
  readonly kind?: string | undefined;
  /** First text of every prompt: the kind of convening and its rules. */
  readonly rules?: string | undefined;
  /** Further texts of every prompt, such as the rubric. */
  readonly notes?: readonly string[] | undefined;
  /** Prompt text of each role; may have placeholders. */
  readonly roles?: Readonly<Record<string, string>> | undefined;
  /** Role that introduces and sums up: takes no side, and needs no model of its own. @default "moderator" */
  readonly chair?: string | undefined;
  /** True if the run only adds facts to an ended record: it takes no turns, and the ending stays. @default false */
  readonly adds?: boolean | undefined;
  /** Judges. */
  readonly judges?: readonly Judge[] | undefined;
  /** Helpers: models that are asked but neither speak nor judge. */
  readonly helpers?: readonly Helper[] | undefined;
  /** Observers of messages. */
  readonly observers?: readonly Observer[] | undefined;
  /** Guards of the kind, after the built-in ones. */
  readonly guards?: readonly Guard[] | undefined;
  /** Returns the end reason of a completed protocol from its value. @default "completed" */
  readonly endReason?: ((value: unknown) => EndReason | undefined) | undefined;
  /** Names of participants in prompts, by id. @default their names, or neutral labels if a name reveals a model */
  readonly labels?: ReadonlyMap<string, string> | undefined;
  /** Values of placeholders in every prompt. */
  readonly values?: PlaceholderValues | undefined;
  /** Kinds of messages that prompts omit, such as a list that a choice was made from. @default none */
  readonly hidden?: readonly string[] | undefined;
  /** True if the moderator's round summaries replace older turns in prompts. @default false */
  readonly foldByRounds?: boolean | undefined;
  /** Author of the summary of an early end. @default a template makes the summary */
  readonly summariser?: Summariser | undefined;
  /** The most messages that the protocol can have. */
  readonly expectedMessages?: number | undefined;
  /** Kinds of turns that must keep to the range of words. @default all */
  readonly wordedKinds?: readonly string[] | undefined;
  /** Papers under debate, kept with the record. @default none */
  readonly papers?: readonly Paper[] | undefined;
  /**
   * Fits prompt texts into the models' context windows before the record is opened, and again when a smaller window is learned;
   * `windowOf` takes a member's id.
   * @default nothing is fitted
   */
  readonly fit?:
    | ((windowOf: (id: string) => Promise<number | undefined>) => Promise<void>)
    | undefined;
  /** Loads the resources of a run before a plan or a run begins; rejects if one is missing. @default nothing is loaded */
  readonly ready?: (() => Promise<void>) | undefined;
  /** Called with the open record, for data that it keeps besides facts, such as vectors. @default nothing is called */
  readonly opened?: ((record: OpenRecord) => void) | undefined;
  /** Embedder of look-ups; the next call of an agent counts the tokens. @default nothing is embedded */
  readonly embedder?: MeteredEmbedder | undefined;
  /** Creates the source of `stage` events from the recorded facts. @default no `stage` events */
  readonly stages?: ((start: ConveningStart, facts: readonly Fact[]) => StageTeller) | undefined;
  /** True if the record keeps the protocol's value as JSON. @default false */
  readonly keepsValue?: boolean | undefined;
  /** The kind's own part of the recorded configuration. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** Settings that select the embedder. */
export type EmbedderSettings = AgentSettings & {
  /** Name of the embedding model. @default "text-embedding-3-small" */
  readonly embeddingModel?: string | undefined;
  /** Default model of every role. */
  readonly model?: string | undefined;
  readonly participants?: readonly { readonly model?: string | undefined }[] | undefined;
  readonly judges?: readonly { readonly model?: string | undefined }[] | undefined;
};

/** Resolves names and settings to instances. */
export interface WorkflowHost {
  /** Returns the agent for a model's name. */
  agent(name: string | undefined, settings: AgentSettings): Agent;
  /** Returns the name by which a program's own provider created an agent. @default undefined, for other agents */
  nameOf?(agent: Agent): string | undefined;
  /** Asks the provider of the convening's model to moderate a topic; rejects if the topic is abusive. */
  moderate(topic: string, options: WorkflowOptions): Promise<void>;
  /** Returns the embedder of the settings; undefined if every model is a replay, which needs none. */
  embedder(settings: EmbedderSettings): Embedder | undefined;
  /** Returns the searchers for claims if the options give none. */
  searchers(settings: Pick<WorkflowOptions, "env" | "factCheck" | "sources">): readonly Searcher[];
  /** Finds earlier convenings in an archive that are related to a topic. */
  remember(archive: string, topic: string): Promise<readonly Remembered[]>;
  /**
   * Returns the biases that judge checks found in a judge's model, a sentence each, from the archive of the record in `dir`.
   * @default none are known
   */
  biases?(dir: string, model: string): Promise<readonly string[]>;
  /** Reads the text of a persona by its id. */
  persona(id: string): Promise<string>;
  /** Returns the store of a new record in the archive `out`. */
  record(out: string | undefined): RecordStore;
}

/** Inputs that a configuration cannot hold: instances, functions, and the texts of sources and papers. */
export interface HandedIn extends
  Pick<
    WorkflowOptions,
    "sources" | Exclude<keyof WorkflowOptions, keyof CommonConfig | "design">
  > {
  /** Papers of a paper debate. */
  readonly papers?: readonly Paper[] | undefined;
  /** Returns the agent passed for a participant or judge; undefined to create the agent from the model's name. */
  readonly agentOf: (id: string) => Agent | undefined;
}

/** Options of a plain dialogue. */
export interface DialogueOptions
  extends WorkflowOptions, Readonly<Pick<DialogueConfig, "maxTurns" | "maxTokensPerTurn">> {
  /**
   * Selection of the next speaker: round-robin, by the moderator, by the highest bid, or a program's own.
   * @default "round-robin"
   */
  readonly select?: Selecting | undefined;
}

/** Returns the host of a workflow. Throws a `ConfigurationError` that names the missing instance if there is none. */
export function hostOf({ host }: Pick<WorkflowOptions, "host">, missing: string): WorkflowHost {
  if (host !== undefined) return host;
  throw new ConfigurationError(`Cannot hold the convening: no ${missing} was given`, {
    hint: `Give the ${missing} as an instance, or set the option host, such as defaultHost.`,
  });
}

/** Participant and task for the summary of an early end. */
export interface Summariser {
  /** Id of the participant. */
  readonly id: string;
  /** Task of the prompt. */
  readonly task: string;
  /** The most tokens of the summary. */
  readonly maxTokens: number;
}

/** Returns the searchers for claims: those of the options, else those of the host, else none. */
export function searchersFor(options: WorkflowOptions): readonly Searcher[] {
  return options.searchers ?? options.host?.searchers(options) ?? [];
}

/** Selection of the next speaker: a name or an instance. */
export type Selecting = NonNullable<DialogueConfig["select"]> | SpeakerSelection;

type Instance = (keyof HandedIn & keyof WorkflowOptions) | "design" | "ofKind";

/** Schemas of the options that are not configuration keys: instances and functions. */
export const INSTANCES: Readonly<Record<Instance, z.ZodType>> = {
  allowBaseUrls: z.unknown(),
  clock: having("now"),
  design: z.unknown(),
  env: callable,
  exitCondition: callable,
  gate: having("enter"),
  host: z.looseObject({}, "Give a host, such as defaultHost."),
  moreGuards: z.array(having("check", "name")),
  observers: z.array(having("observe", "name")),
  ofKind: z.unknown(),
  record: having("open"),
  remember: callable,
  searchers: z.array(having("search", "name")),
  signal: z.instanceof(AbortSignal, { error: "Give an AbortSignal." }),
  sources: z.array(
    z.looseObject({ name: z.string(), text: z.string() }, "Give a name and a text."),
  ),
  untrusted: z.unknown(),
};
const instances = z.looseObject(INSTANCES).partial();

/** Throws a `ConfigurationError` for an option that is not of the instance's type. */
export function checkInstances(options: object): void {
  checkFields(options, instances, "options");
}
