import type { WaitedFor } from "../core/event.ts";
import type { EndReason, Status } from "../core/fact.ts";
import type { Usage } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import type { Convening } from "../operations/convening.ts";
import type { SpokenTurn } from "../operations/live_feed.ts";
import type { ShownStatus } from "../operations/standing_json.ts";

/** Where a convening stands, as a reader is told. */
export type Standing = ShownStatus;

/** Where a convening stands and how far it has come: what is kept up to date while it is followed. */
export interface StandingSight {
  /** The name of its directory. */
  readonly id: string;
  readonly start: ConveningStart;
  readonly standing: Standing;
  /** Why it ended; absent while it goes on. */
  readonly endReason?: EndReason | undefined;
  /** The turns it waits for, while it waits for people. */
  readonly waitingFor: readonly WaitedFor[];
  /** Its place in the line, from 1, while it is queued. */
  readonly position?: number | undefined;
  /** What ended its run in this process, where it failed. */
  readonly failure?: { readonly message: string; readonly hint?: string | undefined } | undefined;
  /** What a waiting person was asked, by the turn's key, where that is known. */
  readonly tasks: ReadonlyMap<string, string>;
  /** The messages there are, by number, and whose they are. */
  readonly said: readonly { readonly seq: number; readonly participant: string }[];
  /** The turns that are being spoken, where this process runs it. */
  readonly spoken: readonly SpokenTurn[];
  /** The phase and the round it is in; absent before the first message. */
  readonly place?: { readonly phase: string; readonly round: number } | undefined;
  readonly usage: Usage;
}

/** What a page of one convening is made of. */
export interface ConveningSight extends StandingSight {
  /** As its directory has it. */
  readonly convening: Convening;
  /** The number of an event before which the page shows all. */
  readonly after: number;
}

const WORDS: Readonly<Record<Standing, string>> = {
  queued: "In the queue",
  running: "Live",
  waiting: "Waiting for a person",
  paused: "Paused",
  completed: "Completed",
  stopped: "Stopped early",
  failed: "Failed",
  interrupted: "Interrupted",
  unreadable: "Unreadable",
};

/** A standing in words. */
export function standingWords(standing: Standing): string {
  return WORDS[standing];
}

/** Whether nothing more comes of itself. */
export function isOver(standing: Standing): boolean {
  return OVER.has(standing);
}

/** Whether somebody may make it go on. */
export function canResume(standing: Standing): boolean {
  return RESUMABLE.has(standing);
}

const OVER: ReadonlySet<Standing> = new Set<Status | Standing>([
  "completed",
  "stopped",
  "failed",
  "interrupted",
  "unreadable",
]);
const RESUMABLE: ReadonlySet<Standing> = new Set<Standing>([
  "paused",
  "stopped",
  "failed",
  "interrupted",
]);

/** How many rounds of argument were agreed on; 0 where that is not known. */
export function roundsOf({ configuration }: ConveningStart): number {
  const { roundCount } = configuration;
  return typeof roundCount === "number" ? roundCount : 0;
}
