// Interfaces of a study's queue, rate limiter and budget; the queue in memory.
import { pause } from "../core/clock.ts";
import { allDone } from "../core/files.ts";
import type { Cell } from "./study.ts";

/** Result of running a cell: `done`, or `later` if another process holds the record or the budget is exhausted. */
export type CellEnd = "done" | "later";

/** Runs or resumes the convening of a cell until the convening ends or the signal aborts. */
export type HoldCell = (cell: Cell, signal: AbortSignal) => Promise<CellEnd>;

/** Queue of a study's cells, in memory or shared by workers on several machines. */
export interface StudyQueue {
  /** Adds cells that are not in the queue. */
  enqueue(cells: readonly Cell[]): Promise<void>;
  /** Runs up to `concurrency` cells at once until the queue is empty or the signal aborts; aborted cells are requeued. */
  run(
    hold: HoldCell,
    options: { readonly concurrency: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Stops the runs of all workers after their current message. */
  stop(): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

/** Rate limiter for requests and tokens per minute of each provider, over all workers. */
export interface StudyLimits {
  /** Waits until one request and `tokens` are available, and takes them. */
  take(provider: string, tokens: number, signal: AbortSignal): Promise<void>;
  /** Returns unused tokens of a request. */
  giveBack(provider: string, tokens: number): Promise<void>;
  /** Blocks requests to the provider for `ms` milliseconds. */
  block(provider: string, ms: number): Promise<void>;
}

/** Budget of a study, in millionths of a US dollar. */
export interface StudyBudget {
  /** Reserves the maximum cost of a call; false if the limit would be exceeded. The same id replaces its reservation. */
  reserve(id: string, micros: number): Promise<boolean>;
  /** Replaces a reservation by the actual cost. */
  settle(id: string, micros: number): Promise<void>;
  /** Cancels the reservations of a cell's calls, which the killed process that made them cannot settle. */
  cancel(cell: string): Promise<void>;
  /** Returns the sum of settled costs. */
  spent(): Promise<number>;
}

/** Milliseconds before a cell that ended with `later` is retried. */
const LATER = 1000;

/** Queue in memory; runs one loop per concurrent convening. */
export class EmbeddedQueue implements StudyQueue {
  readonly #waiting: Cell[] = [];
  readonly #keys = new Set<string>();
  readonly #later: number;
  #stop = new AbortController();

  /** Creates an empty queue; `later` is the delay in milliseconds before a retry. */
  constructor(later: number = LATER) {
    this.#later = later;
  }

  enqueue(cells: readonly Cell[]): Promise<void> {
    for (const cell of cells) {
      if (this.#keys.has(cell.key)) continue;
      this.#keys.add(cell.key);
      this.#waiting.push(cell);
    }
    return Promise.resolve();
  }

  async run(
    hold: HoldCell,
    { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  ): Promise<void> {
    this.#stop = new AbortController();
    const ended = AbortSignal.any([signal, this.#stop.signal]);
    const loop = () =>
      this.#loop(hold, ended).catch((error: unknown) => {
        // The other loops stop after their current message.
        this.#stop.abort(error);
        throw error;
      });
    await allDone(Array.from({ length: concurrency }, loop));
  }

  async #loop(hold: HoldCell, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const cell = this.#waiting.shift();
      if (cell === undefined) return;
      let end: CellEnd = "later";
      try {
        end = await hold(cell, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (end === "later") this.#waiting.push(cell);
        else this.#keys.delete(cell.key);
      }
      if (end === "later") await pause(this.#later, signal).catch(() => {});
    }
  }

  stop(): Promise<void> {
    this.#stop.abort("stopped");
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
