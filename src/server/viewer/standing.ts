import type { Status } from "../../core/fact.ts";
import type { Convening } from "../../library/convening.ts";
import type { ConveningRow } from "../../output/list.ts";

/** Where a convening stands, as a reader is told. */
export type Standing = ConveningRow["status"] | "queued";

/** What a page of one convening is made of. */
export interface ConveningSight {
  /** The name of its directory. */
  readonly id: string;
  /** As its directory has it. */
  readonly convening: Convening;
  /** Where it stands. */
  readonly standing: Standing;
  /** Its place in the line, from 1, while it is queued. */
  readonly position?: number | undefined;
  /** What ended its run in this process, where it failed. */
  readonly failure?: { readonly message: string; readonly hint?: string | undefined } | undefined;
  /** The number of an event before which the page shows all. */
  readonly after: number;
  /** What a waiting person was asked, by participant, where this process knows. */
  readonly tasks: ReadonlyMap<string, string>;
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

/** Every standing a list can be narrowed to. */
export const STANDINGS: readonly Standing[] = [
  "running",
  "waiting",
  "paused",
  "completed",
  "stopped",
  "failed",
  "interrupted",
];

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
