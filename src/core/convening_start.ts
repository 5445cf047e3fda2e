// Data of a convening that are known at its start.
import type { Paper } from "./paper.ts";

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

/** A background file given to a convening. */
export interface Source {
  /** A file name without folders. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
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
