// The queue of a study's cells, and the queue of one process.
import { pause } from "../core/clock.ts";
import { allDone } from "../core/files.ts";
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
  spent(): Promise<number>;
}

/** Milliseconds after which a cell whose record another process holds is asked again. */
const LATER = 1000;

/** Cells in memory; as many loops as convenings are held at once. */
export class EmbeddedQueue implements StudyQueue {
  readonly #waiting: Cell[] = [];
  readonly #keys = new Set<string>();
  readonly #later: number;
  #stop = new AbortController();

  /** An empty queue; a cell whose record another process holds is asked again after so many milliseconds. */
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
        // The other loops end at their next message.
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
