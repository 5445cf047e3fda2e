// The seams of a study's run: the queue of its cells, the rates of providers, and the budget.
import type { Cell } from "./study.ts";

/** End of a cell's work: `done` for good, or `later` where another process holds the record, or the budget ended. */
export type CellEnd = "done" | "later";

/** Holds, or goes on with, the convening of a cell until it ends or the signal aborts. */
export type HoldCell = (cell: Cell, signal: AbortSignal) => Promise<CellEnd>;

/** The queue of a study's cells: in this process, or shared by the workers of many machines. */
export interface StudyQueue {
  /** Adds cells; one that is in the queue already is not added again. */
  enqueue(cells: readonly Cell[]): Promise<void>;
  /** Takes cells, so many at once, until none is left or the signal aborts; an aborted cell goes back. */
  run(
    hold: HoldCell,
    options: { readonly concurrency: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Ends the runs of all workers at their next message. */
  stop(): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/** Requests and tokens a minute of each provider, over all workers. */
export interface StudyLimits {
  /** Waits until a request of so many tokens may be sent, and takes them. */
  take(provider: string, tokens: number, signal: AbortSignal): Promise<void>;
  /** Gives back tokens that a request did not use. */
  giveBack(provider: string, tokens: number): Promise<void>;
  /** Lets nothing be sent to the provider for so many milliseconds. */
  block(provider: string, ms: number): Promise<void>;
}

/** The budget of a study, in millionths of a US dollar. */
export interface StudyBudget {
  /** Reserves the most a call can cost; false where the limit would be passed. The same id again stands for the first. */
  reserve(id: string, micros: number): Promise<boolean>;
  /** Replaces a reservation by the cost. */
  settle(id: string, micros: number): Promise<void>;
  /** Amount spent. */
  spent(): Promise<number>;
}
