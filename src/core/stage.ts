// Stages of a convening, in words for readers that do not know its turns.
import type { EventBody } from "./event.ts";

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
