// Start, events, stages and result of a convening, and how facts become events and events facts.
import type { Paper, Source } from "./paper.ts";
import type { ParameterDropped, ProfileLearned } from "./agent.ts";
import type { ErrorCode } from "./error.ts";
import type { EndReason, Fact, Status } from "./fact.ts";
import type { LimitName } from "./limit.ts";
import { type Message, NO_USAGE, type Usage } from "./message.ts";
import type { Assessment } from "./outcome.ts";

/** A participant as a record keeps it. */
export interface ParticipantInfo {
  /** Unique in the convening. */
  readonly id: string;
  /** As readers see it. */
  readonly name: string;
  /** snake_case. */
  readonly role: string;
  /** Name in prompts. */
  readonly label: string;
  /** Position of the participant. */
  readonly position?: string;
  /** The model's name. */
  readonly model: string;
}

/** True if a program wrote every text: all participants are offline agents, or templates. */
export function noModelSpoke(participants: readonly Pick<ParticipantInfo, "model">[]): boolean {
  return participants.some(({ model }) => model === "offline") &&
    participants.every(({ model }) => model === "offline" || model === "template");
}

/** Origin of a fork. */
export interface Parent {
  /** The parent directory's name. */
  readonly dir: string;
  /** The last message taken over. */
  readonly seq: number;
}

/** Data of a convening that are known at its start and never change. */
export interface ConveningStart {
  /** `debate`, `dialogue`, or what a workflow names itself. */
  readonly kind: string;
  /** The topic, trimmed. */
  readonly topic: string;
  /** Participants that speak, in order. */
  readonly participants: readonly ParticipantInfo[];
  /** The judges, in order. */
  readonly judges: readonly {
    readonly id: string;
    readonly name: string;
    readonly model: string;
    readonly rubric: string;
    /** True for the judge that is asked only where the panel ties. @default false */
    readonly tiebreak?: boolean;
  }[];
  /** The resolved configuration: plain JSON, the schema's keys, no secrets. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Enters what the offline agent writes and the order of rubrics. */
  readonly seed: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** The background files. */
  readonly sources: readonly Source[];
  /** The papers that are debated; absent where there are none. */
  readonly papers?: readonly Paper[];
  /** The most messages the protocol can need, for the width of file names; absent when unknown. */
  readonly expectedMessages?: number;
  /** Origin of the convening, if it is a fork. */
  readonly parent?: Parent;
}

/** Place of a turn in the convening. */
export type TurnInfo = Pick<
  Message,
  "seq" | "turn" | "participant" | "name" | "phase" | "kind" | "round"
>;

/** A person's turn that is waited for. */
export interface WaitedFor {
  /** The participant's id. */
  readonly participant: string;
  /** The turn's key. */
  readonly turn: string;
}

/** End of a convening, or its state after a failure. */
export interface Ending extends Assessment {
  /** Status of the convening. */
  readonly status: Status;
  /** Reason for the end; absent of a convening that waits or is paused, as it has not ended. */
  readonly endReason?: EndReason;
  /** The turns it waits for, while it waits for people. */
  readonly waitingFor?: readonly WaitedFor[];
  /** The moderator's summary, or the one of an early end; empty where there is none. */
  readonly summary: string;
  /** Value that the protocol returned, as JSON; absent after an early end, and of kinds that keep none. */
  readonly value?: unknown;
  /** Summed over the whole record. */
  readonly usage: Usage;
  /** Milliseconds of the present run. */
  readonly duration: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly endedAt: string;
  /** After a failure: what went wrong. */
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string;
  };
}

/** Event and log line of a type of fact. */
interface EventRow {
  readonly type: string;
  readonly field: string;
  /** True if the event has the usage of the record so far. */
  readonly withUsage: boolean;
}

/** The event of each type of fact. */
export const FACT_EVENTS = {
  message: { type: "message", field: "message", withUsage: true },
  score: { type: "score", field: "score", withUsage: true },
  verdict: { type: "verdict", field: "verdict", withUsage: true },
  rejected: { type: "turn-reject", field: "rejection", withUsage: false },
  failure: { type: "turn-fail", field: "failure", withUsage: false },
  choice: { type: "choice", field: "choice", withUsage: false },
  context: { type: "context", field: "context", withUsage: false },
  lookup: { type: "lookup", field: "lookup", withUsage: false },
  stop: { type: "stop", field: "stop", withUsage: false },
  "fact-check": { type: "fact-check", field: "factCheck", withUsage: true },
  flow: { type: "flow", field: "flow", withUsage: true },
  draft: { type: "draft", field: "draft", withUsage: false },
  thought: { type: "thought", field: "thought", withUsage: false },
  stance: { type: "stance", field: "stance", withUsage: true },
  evidence: { type: "evidence", field: "evidence", withUsage: false },
  brief: { type: "brief", field: "brief", withUsage: true },
  own: { type: "fact", field: "fact", withUsage: false },
} as const satisfies Readonly<Record<Fact["type"], EventRow>>;

/** An event that brings a fact, in the field that {@linkcode FACT_EVENTS} names; some say what the record has used with it. */
export type FactEvent = {
  readonly [T in Fact["type"]]:
    & { readonly type: typeof FACT_EVENTS[T]["type"] }
    & { readonly [F in typeof FACT_EVENTS[T]["field"]]: Extract<Fact, { readonly type: T }> }
    & (typeof FACT_EVENTS[T]["withUsage"] extends true ? { readonly usage: Usage } : unknown);
}[Fact["type"]];

/** Events of a convening, in order. All but `message-delta` are numbered and logged. */
export type EventBody =
  | { readonly type: "convening-start"; readonly start: ConveningStart }
  | {
    readonly type: "convening-resume";
    /** Number of messages that were answered from the record. */
    readonly replayed: number;
    /** The usage already on record. */
    readonly usage: Usage;
  }
  | { readonly type: "convening-end"; readonly ending: Ending }
  | { readonly type: "phase-start" | "phase-end"; readonly phase: string }
  | { readonly type: "round-start" | "round-end"; readonly round: number }
  | { readonly type: "turn-start"; readonly turn: TurnInfo }
  /** A person's turn is waited for; `task` is the text for the person: notes where a model would be given any, then the task. */
  | { readonly type: "turn-wait"; readonly turn: TurnInfo; readonly task: string }
  /** The person that a `turn-wait` event named has spoken; no message need follow, as where a question is picked. */
  | { readonly type: "turn-answer"; readonly turn: TurnInfo }
  | {
    readonly type: "message-delta";
    readonly turn: TurnInfo;
    readonly text: string;
    /**
     * True if `text` is all of the attempt so far and replaces earlier deltas: sent to a client that missed a part.
     * @default false
     */
    readonly whole?: boolean;
  }
  | {
    readonly type: "message-reset";
    readonly turn: TurnInfo;
    readonly reason: string;
  }
  | FactEvent
  /** Somebody who takes no turns was heard: the message before it. */
  | { readonly type: "interjection"; readonly turn: TurnInfo }
  /** The moderator interrupted: the message before it, about the message `about`. */
  | { readonly type: "interruption"; readonly turn: TurnInfo; readonly about: number }
  | {
    readonly type: "limit-warning";
    readonly limit: LimitName;
    readonly value: number;
    readonly max: number;
  }
  /** A parameter was not sent to a model, or changed: once for each model and value. */
  | (ParameterDropped & { readonly model: string })
  /** A server's answer changed the profile of a model. */
  | ProfileLearned
  | { readonly type: "stage"; readonly name: string; readonly data: unknown };

/** An event with its number (deltas: 0) and its time. */
export type ConveningEvent = EventBody & {
  /** From 1, going on after a resume; 0 for a `message-delta`, which is live only. */
  readonly n: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
};

const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.values(FACT_EVENTS).map(({ type, field }) => [type, field]),
);

/** The fact an event carries, which is a truth file of its own. */
export function factOf(event: EventBody): Fact | undefined {
  const field = FIELDS.get(event.type);
  return field === undefined
    ? undefined
    : (event as unknown as Readonly<Record<string, Fact>>)[field];
}

/** A fact as the event that brings it into a record; `usage` is that of the record with it. */
export function eventOf(fact: Fact, usage: Usage = NO_USAGE): EventBody {
  const { type, field, withUsage } = FACT_EVENTS[fact.type];
  const event = { type, [field]: fact, ...(withUsage ? { usage } : {}) };
  return event as unknown as EventBody;
}

/** Result of a convening. */
export interface ConveningResult<T = unknown> extends Ending {
  /** `debate`, `dialogue`, or what a workflow names itself. */
  readonly kind: string;
  /** The topic, trimmed. */
  readonly topic: string;
  /** The absolute path of its directory; undefined for a record that is none. */
  readonly dir?: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** The transcript: what the protocol was given, oldest first. */
  readonly messages: readonly Message[];
  /** Value that the protocol returned; absent after an early end. */
  readonly value?: T;
}

/** Stage of a convening, in words for readers that do not know its turns. */
export interface Stage {
  /** The stage's name, or what is being done. */
  readonly name: string;
  /** Result of the stage; null where the name says all. */
  readonly data: unknown;
}

/** Tells stages from events. */
export interface StageTeller {
  /** The stages that begin or end with an event, in order. */
  after(event: EventBody): readonly Stage[];
  /** Outcome of the convening by its stages, in place of the protocol's value. @default the protocol's value */
  outcome?(returned: unknown): unknown;
}
