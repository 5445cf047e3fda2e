import type { ConveningEvent } from "./event.ts";
import type { Fact, Status } from "./fact.ts";

/** A participant as a record keeps it. */
export interface ParticipantInfo {
  /** Unique in the convening. */
  readonly id: string;
  /** As readers see it. */
  readonly name: string;
  /** snake_case. */
  readonly role: string;
  /** How prompts name it. */
  readonly label: string;
  /** What it stands for. */
  readonly position?: string;
  /** The model's name. */
  readonly model: string;
}

/** A background file given to a convening. */
export interface Source {
  /** A file name without folders. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
}

/** Where a fork comes from. */
export interface Parent {
  /** The parent directory's name. */
  readonly dir: string;
  /** The last message taken over. */
  readonly seq: number;
}

/** What is known when a convening starts, and never changes. */
export interface ConveningStart {
  /** `debate`, `dialogue`, or what a workflow names itself. */
  readonly kind: string;
  /** The topic, trimmed. */
  readonly topic: string;
  /** Those who speak, in order. */
  readonly participants: readonly ParticipantInfo[];
  /** The judges, in order. */
  readonly judges: readonly {
    readonly id: string;
    readonly name: string;
    readonly model: string;
    readonly rubric: string;
  }[];
  /** The resolved configuration: plain JSON, the schema's keys, no secrets. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Enters what the offline agent writes and the order of rubrics. */
  readonly seed: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** The background files. */
  readonly sources: readonly Source[];
  /** The most messages the protocol can need, for the width of file names; absent when unknown. */
  readonly expectedMessages?: number;
  /** What it was forked from. */
  readonly parent?: Parent;
}

/** A record that is open for writing, by one process alone. */
export interface OpenRecord {
  /** The absolute path of the directory; absent for a record that is none. */
  readonly dir?: string;
  /** How the convening started: of a resumed record, as it was then. */
  readonly start: ConveningStart;
  /** Whether it already held a convening when it was opened. */
  readonly resumed: boolean;
  /** Where it stood when it was opened. */
  readonly status: Status;
  /** What it held when it was opened; messages by number, the rest in the order of their files. */
  readonly facts: readonly Fact[];
  /** The number of the last event it held. */
  readonly lastEvent: number;
  /** Applies one numbered event; when this returns, the truth file it stands for is on disk. */
  apply(event: ConveningEvent): Promise<void>;
  /** Brings the derived files up to date and lets go of the record. */
  close(): Promise<void>;
}

/** Where a convening is kept: a new directory in an archive, one to resume, or memory. */
export interface RecordStore {
  /** Claims a new record for `start`, or opens the store's own and ignores `start` but for the check that the kinds agree. */
  open(start: ConveningStart): Promise<OpenRecord>;
}
