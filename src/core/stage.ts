import type { EventBody } from "./event.ts";

/** What a convening came to, in words for those who follow it without knowing its turns. */
export interface Stage {
  /** The stage's name, or what is being done. */
  readonly name: string;
  /** What it brought; null where the name says all. */
  readonly data: unknown;
}

/** Tells stages from events. */
export interface StageTeller {
  /** The stages that begin or end with an event, in order. */
  after(event: EventBody): readonly Stage[];
  /** What the convening comes to, by all that was told, in the place of what its protocol returned. @default that */
  outcome?(returned: unknown): unknown;
}
