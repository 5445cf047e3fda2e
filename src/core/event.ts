// Events of a convening, its start and its result; conversion between facts and the events that record them.
import type { Paper, Source } from "./paper.ts";
import type { ParameterDropped, ProfileLearned } from "./agent.ts";
import { ConfigurationError, type ErrorCode } from "./error.ts";
import type { EndReason, Fact, Status } from "./fact.ts";
import type { LimitName, Limits } from "./limit.ts";
import { type Message, NO_USAGE, type Usage } from "./message.ts";
import type { Assessment, Outcome, StrengthLevel } from "./outcome.ts";
import { plainName } from "./prompt.ts";
import { listed, oneLine } from "./text.ts";
import { noJsonBecause } from "./values.ts";

/** Participant, as stored in a record. */
export interface ParticipantInfo {
  /** Id, unique in the convening. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Role in snake_case. */
  readonly role: string;
  /** Name of the participant in prompts. */
  readonly label: string;
  /** Position that the participant argues for. */
  readonly position?: string;
  /** Name of the model. */
  readonly model: string;
}

/** Matches names of agents without a model: programs, people and replays. */
export const NO_MODEL = /^(?:offline|template|human|replay:.*)$/s;

/** Returns the names of the models that made facts, with those of {@linkcode NO_MODEL}. */
export function writersOf(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.flatMap((fact) => "model" in fact && fact.model ? [fact.model] : []));
}

export function modelSpoke(writers: ReadonlySet<string>): boolean {
  return [...writers].some((model) => !NO_MODEL.test(model));
}

/** Returns a sentence that names the writers if none is a model; undefined also if only templates wrote. */
export function noModelSentence(writers: ReadonlySet<string>): string | undefined {
  const isOffline = writers.has("offline");
  if (!isOffline && !writers.has("human") || modelSpoke(writers)) return undefined;
  const names = [
    ...writers.has("human") ? ["people"] : [],
    ...isOffline ? ["the offline agent, which is a program"] : [],
    ...writers.has("template") && !isOffline ? ["templates"] : [],
  ];
  return `No model spoke: every text is by ${names.join(" or by ")}.`;
}

/** Maximum characters of a list of labels. */
const LABELS = 160;

/** Returns a sentence with the labels that prompts, and so models, use in place of names; undefined if they use the names. */
function labelSentence({ participants }: Pick<ConveningStart, "participants">): string | undefined {
  const renamed = participants.filter(({ name, label }) => label !== plainName(name));
  if (renamed.length === 0) return undefined;
  const list = listed(renamed.map(({ name, label }) => `“${label}” is ${oneLine(name)}`));
  return `In prompts, and so in the words of models, ${
    list.length > LABELS ? "names are replaced by the labels in metadata.md" : list
  }.`;
}

/** Returns sentences, not escaped, that a reader of a convening needs first: on writers if none is a model, and on labels. */
export function noticesOf(
  start: Pick<ConveningStart, "participants">,
  facts: readonly Fact[],
): string[] {
  return [noModelSentence(writersOf(facts)), labelSentence(start)].flatMap((each) => each ?? []);
}

/** Record that a fork was made from. */
export interface Parent {
  /** Directory name of the parent record. */
  readonly dir: string;
  /** Number of the last message copied from the parent. */
  readonly seq: number;
}

/** Data of a convening that are fixed at its start. */
export interface ConveningStart {
  /** Kind of convening: `debate`, `dialogue`, or the name that a workflow gives itself. */
  readonly kind: string;
  /** Topic, trimmed. */
  readonly topic: string;
  /** Speaking participants, in order. */
  readonly participants: readonly ParticipantInfo[];
  /** Judges, in order. */
  readonly judges: readonly {
    readonly id: string;
    readonly name: string;
    readonly model: string;
    readonly rubric: string;
    /** True for a judge that is asked only if the panel ties. @default false */
    readonly tiebreak?: boolean;
  }[];
  /** Resolved configuration: plain JSON with the keys of the schema, without secrets. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Seed of the offline agent's texts and of drawn orders: of speakers, of the sides in verdicts, of a rubric's criteria. */
  readonly seed: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** Background files. */
  readonly sources: readonly Source[];
  /** Debated papers; absent if there are none. */
  readonly papers?: readonly Paper[];
  /** Upper bound of the number of messages, for the width of numbers in file names; absent if unknown. */
  readonly expectedMessages?: number;
  /** Parent record, if the convening is a fork. */
  readonly parent?: Parent;
}

/** Returns the most messages besides interjections, as planned and within the limit on turns; undefined if unknown. */
export function mostMessages(
  { kind, expectedMessages, configuration }: Pick<
    ConveningStart,
    "kind" | "expectedMessages" | "configuration"
  >,
): number | undefined {
  const { maxTurns } = (configuration["limits"] ?? {}) as Limits;
  // A resume may lengthen these two.
  const length = kind === "consensus"
    ? maxTurns
    : kind === "dialogue"
    ? configuration["maxTurns"]
    : undefined;
  return expectedMessages && Math.min(Number(length ?? expectedMessages), maxTurns ?? Infinity);
}

/** Identification of a turn in events. */
export type TurnInfo = Pick<
  Message,
  "seq" | "turn" | "participant" | "name" | "phase" | "kind" | "round"
>;

/** Turn that waits for a person's answer. */
export interface WaitedFor {
  /** Id of the participant. */
  readonly participant: string;
  /** Key of the turn. */
  readonly turn: string;
}

/** Final state of a convening, or its state when it waits, is paused or has failed. */
export interface Ending extends Assessment {
  /** Status of the convening. */
  readonly status: Status;
  /** Reason for the end; absent if the convening waits or is paused. */
  readonly endReason?: EndReason;
  /** Turns that wait for people, while `status` is `waiting`. */
  readonly waitingFor?: readonly WaitedFor[];
  /** Summary by the moderator, or of an early end; empty if there is none. */
  readonly summary: string;
  /** Return value of the protocol, as JSON; absent after an early end, and for kinds that keep none. */
  readonly value?: unknown;
  /** Usage of the whole record. */
  readonly usage: Usage;
  /** Duration of the present run, in milliseconds. */
  readonly duration: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly endedAt: string;
  /** Error, after a failure. */
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string;
  };
}

/** A row of the list: a convening of an archive. */
export interface ConveningRow {
  /** Path of the convening's directory. */
  readonly dir: string;
  /** Recorded status; `interrupted`: recorded as `running`, but no process holds the lock; `unreadable`: see `problem`. */
  readonly status: Status | "interrupted" | "unreadable";
  /** ISO 8601, UTC; for an unreadable convening, the time in the directory's name. */
  readonly startedAt: string;
  /** Number of message files. */
  readonly messages: number;
  /** Absent if `metadata.md` cannot be read. */
  readonly kind?: string;
  /** Absent if `metadata.md` cannot be read. */
  readonly topic?: string;
  /** Question of a debate over papers, once it is known. */
  readonly question?: string;
  /** Absent until there is an outcome. */
  readonly outcome?: Outcome;
  /** Id of the winner; null without a winner. */
  readonly winner: string | null;
  /** Name of the winner. */
  readonly winnerName?: string;
  /** Level of the outcome's strength; absent if neither judges nor audience decide, and in old records that state none. */
  readonly strengthLevel?: StrengthLevel;
  /** Distinct models of participants and judges. Absent if `metadata.md` cannot be read. */
  readonly models?: readonly string[];
  /** Cost so far in US dollars. Absent if `metadata.md` cannot be read. */
  readonly costUsd?: Usage["costUsd"];
  /** Convening and message that the convening was forked from; absent if it is not a fork. */
  readonly parent?: ConveningStart["parent"];
  /** True for a fork that was never resumed. @default false */
  readonly isNewFork?: boolean;
  /** Reason that the convening cannot be read. */
  readonly problem?: string;
}

/**
 * Event of each type of fact, and the field that holds the fact. `withUsage`: the event also carries the usage of the record so
 * far; `isResult`: observers and questions leave the fact.
 */
export const FACT_EVENTS = {
  message: { type: "message", field: "message", withUsage: true },
  score: { type: "score", field: "score", withUsage: true, isResult: true },
  verdict: { type: "verdict", field: "verdict", withUsage: true, isResult: true },
  rejected: { type: "turn-reject", field: "rejection", withUsage: false },
  failure: { type: "turn-fail", field: "failure", withUsage: false },
  choice: { type: "choice", field: "choice", withUsage: false, isResult: true },
  context: { type: "context", field: "context", withUsage: false },
  lookup: { type: "lookup", field: "lookup", withUsage: false },
  stop: { type: "stop", field: "stop", withUsage: false },
  "fact-check": { type: "fact-check", field: "factCheck", withUsage: true, isResult: true },
  flow: { type: "flow", field: "flow", withUsage: true, isResult: true },
  draft: { type: "draft", field: "draft", withUsage: false },
  thought: { type: "thought", field: "thought", withUsage: false },
  stance: { type: "stance", field: "stance", withUsage: true, isResult: true },
  evidence: { type: "evidence", field: "evidence", withUsage: false, isResult: true },
  brief: { type: "brief", field: "brief", withUsage: true },
  own: { type: "fact", field: "fact", withUsage: false, isResult: true },
} as const satisfies Readonly<
  Record<Fact["type"], { type: string; field: string; withUsage: boolean; isResult?: true }>
>;

/** Event that carries a fact, in the field named by {@linkcode FACT_EVENTS}; some also carry the record's usage so far. */
export type FactEvent = {
  readonly [T in Fact["type"]]:
    & { readonly type: typeof FACT_EVENTS[T]["type"] }
    & { readonly [F in typeof FACT_EVENTS[T]["field"]]: Extract<Fact, { readonly type: T }> }
    & (typeof FACT_EVENTS[T]["withUsage"] extends true ? { readonly usage: Usage } : unknown);
}[Fact["type"]];

/** Events of a convening, in order. All except `message-delta` are numbered and logged. */
export type EventBody =
  | { readonly type: "convening-start"; readonly start: ConveningStart }
  | {
    readonly type: "convening-resume";
    /** Number of messages that were read from the record. */
    readonly replayed: number;
    /** Usage recorded by earlier runs. */
    readonly usage: Usage;
  }
  | { readonly type: "convening-end"; readonly ending: Ending }
  | { readonly type: "phase-start" | "phase-end"; readonly phase: string }
  | { readonly type: "round-start" | "round-end"; readonly round: number }
  | { readonly type: "turn-start"; readonly turn: TurnInfo }
  /** A turn waits for a person. `task` is the text shown to the person: the notes for a model, if any, then the task. */
  | { readonly type: "turn-wait"; readonly turn: TurnInfo; readonly task: string }
  /** The person of a `turn-wait` event has answered. A message need not follow, for example if the answer picks a question. */
  | { readonly type: "turn-answer"; readonly turn: TurnInfo }
  | {
    readonly type: "message-delta";
    readonly turn: TurnInfo;
    readonly text: string;
    /** True if `text` is the whole attempt so far and replaces earlier deltas, for a client that missed some. @default false */
    readonly whole?: boolean;
  }
  | {
    readonly type: "message-reset";
    readonly turn: TurnInfo;
    readonly reason: string;
  }
  | FactEvent
  /** The message before this event came from the audience, outside any turn. */
  | { readonly type: "interjection"; readonly turn: TurnInfo }
  /** The moderator interrupted with the message before this event; `about` is the number of the message concerned. */
  | { readonly type: "interruption"; readonly turn: TurnInfo; readonly about: number }
  | {
    readonly type: "limit-warning";
    readonly limit: LimitName;
    readonly value: number;
    readonly max: number;
  }
  /** A parameter was changed or not sent to a model; reported once per model and value. */
  | (ParameterDropped & { readonly model: string })
  /** A server's response changed the profile of a model. */
  | ProfileLearned
  | { readonly type: "stage"; readonly name: string; readonly data: unknown };

/** Numbered and timed event. */
export type ConveningEvent = EventBody & {
  /** Number from 1, continued after a resume; 0 for `message-delta`, which is not logged. */
  readonly n: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
};

const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.values(FACT_EVENTS).map(({ type, field }) => [type, field]),
);

/** Returns the fact that an event carries, such as a message or a score; undefined for an event without a fact. */
export function factOf(event: EventBody): Fact | undefined {
  const field = FIELDS.get(event.type);
  return field === undefined
    ? undefined
    : (event as unknown as Readonly<Record<string, Fact>>)[field];
}

/** Wraps a fact in its event; `usage` is the usage of the record including the fact. Throws for an unknown type of fact. */
export function eventOf(fact: Fact, usage: Usage = NO_USAGE): EventBody {
  if (!Object.hasOwn(FACT_EVENTS, fact.type)) {
    throw new ConfigurationError(`Cannot record a fact of type ${JSON.stringify(fact.type)}`, {
      hint: "Make facts of your own with defineFact.",
    });
  }
  const { type, field, withUsage } = FACT_EVENTS[fact.type];
  const problem = noJsonBecause(fact);
  if (problem !== undefined) {
    throw new ConfigurationError(`Cannot record a fact of type "${fact.type}": ${problem}`, {
      hint: "Its value must be JSON.",
    });
  }
  const event = { type, [field]: fact, ...(withUsage ? { usage } : {}) };
  return event as unknown as EventBody;
}

/** Result of a convening. */
export interface ConveningResult<T = unknown>
  extends Ending, Pick<ConveningStart, "kind" | "topic" | "startedAt"> {
  /** Absolute path of the record's directory; absent for a record in memory. */
  readonly dir?: string;
  /** All accepted messages, by number. */
  readonly messages: readonly Message[];
  /** Return value of the protocol; absent after an early end. */
  readonly value?: T;
}

/** Progress step of a convening, for readers that do not know its turns. */
export interface Stage {
  /** Name of the stage. */
  readonly name: string;
  /** Result of the stage; null if the name says all. */
  readonly data: unknown;
}

/** Derives stages from events. */
export interface StageTeller {
  /** Returns the stages that begin or end with an event, in order. */
  after(event: EventBody): readonly Stage[];
  /** Computes the outcome from the stages and the protocol's value. @default the protocol's value */
  outcome?(returned: unknown): unknown;
}
