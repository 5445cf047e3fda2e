// The queue of a study's cells, in memory or shared by workers, and the loop that runs its cells.
import { pause, steadyClock, untilAborted } from "../core/clock.ts";
import { RecordError } from "../core/error.ts";
import type { Cell, StudyConfig } from "./study.ts";

/** Result of running a cell: `done`, or `later` if another process holds the record or the budget is exhausted. */
export type CellEnd = "done" | "later";

/** Runs or resumes the convening of a cell until the convening ends or the signal aborts. */
export type HoldCell = (cell: Cell, signal: AbortSignal) => Promise<CellEnd>;

/** Reasons of a stop, after which cells are taken only once cells have been queued again. */
export const STOP_REASONS = ["stopped", "budget", "failures"] as const;

export type StopReason = typeof STOP_REASONS[number];

/** Keys of a study's cells, each with the time from which it is free; in memory or shared by workers on several machines. */
export interface StudyQueue {
  /** Interval of looks for free cells, in milliseconds. */
  readonly look: number;
  /** Ends a stop, and replaces the cells in the queue, except those that are taken. */
  enqueue(keys: readonly string[]): Promise<void>;
  /** Takes up to `most` free cells; undefined if the queue is empty or the study stopped. */
  take(most: number): Promise<readonly string[] | undefined>;
  /** Removes a cell that is `done`; frees any other: `later` after a delay, an interrupted one at once. */
  release(key: string, end: CellEnd | undefined): Promise<void>;
  /** Stops the runs of all workers after their current message. */
  stop(why: StopReason): Promise<void>;
  /** Returns the reason of a stop; undefined if the study is not stopped. */
  stoppedFor(): Promise<StopReason | undefined>;
}

/**
 * Runs cells of a queue, up to `concurrency` at once, until the queue is empty, the study is stopped or the signal aborts;
 * with `concurrency` 0, waits for other workers. If `hold` fails, frees the other cells and rejects with that error.
 */
export async function runQueue(
  queue: StudyQueue,
  { study: { study }, cells }: { readonly study: StudyConfig; readonly cells: readonly Cell[] },
  hold: HoldCell,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
): Promise<void> {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, stopping.signal]);
  let idle = new AbortController();
  ending.addEventListener("abort", () => idle.abort());
  let failure: { readonly error: unknown } | undefined;
  const active = new Set<Promise<void>>();
  const run = async (key: string) => {
    let end: CellEnd | undefined;
    try {
      const cell = byKey.get(key);
      if (cell === undefined) throw unknownCell(key, study);
      end = await hold(cell, ending);
    } catch (error) {
      if (!ending.aborted) failure = { error };
      stopping.abort(error);
    }
    await queue.release(key, end === "later" && ending.aborted ? undefined : end);
  };
  try {
    while (!ending.aborted) {
      idle = new AbortController();
      const taken = await orAborted(queue.take(concurrency - active.size), ending);
      if (taken === undefined) break;
      for (const key of taken) {
        const work = run(key).finally(() => {
          active.delete(work);
          idle.abort();
        });
        active.add(work);
      }
      await pause(queue.look, idle.signal).catch(() => {});
    }
  } finally {
    stopping.abort();
    await Promise.all(active);
  }
  if (failure !== undefined) throw failure.error;
}

function unknownCell(key: string, study: string): RecordError {
  const message = `Cannot run cell ${key}: the plan of the study ${study} does not contain it`;
  return new RecordError("not_found", message, {
    field: "plan.jsonl",
    hint: "Check that every worker has the same archive, then run the study again.",
  });
}

/** Returns the result of `work`; undefined as soon as the signal aborts. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return untilAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}

/** Queue of a study that runs in one process. */
export class MemoryQueue implements StudyQueue {
  readonly look: number;
  /** Times in milliseconds from which cells are free, by key; infinite for a taken cell. */
  readonly #freeFrom = new Map<string, number>();
  #stopped: StopReason | undefined;

  /** Creates an empty queue; `later` is the delay in milliseconds before a retry. */
  constructor(later: number = 1000) {
    this.look = later;
  }

  enqueue(keys: readonly string[]): Promise<void> {
    this.#stopped = undefined;
    for (const [key, from] of this.#freeFrom) if (from < Infinity) this.#freeFrom.delete(key);
    for (const key of keys) if (!this.#freeFrom.has(key)) this.#freeFrom.set(key, 0);
    return Promise.resolve();
  }

  take(most: number): Promise<readonly string[] | undefined> {
    if (this.#freeFrom.size === 0 || this.#stopped !== undefined) return Promise.resolve(undefined);
    const now = steadyClock.now();
    const free = this.#freeFrom.entries().filter(([, from]) => from <= now).take(most).toArray();
    for (const [key] of free) this.#freeFrom.set(key, Infinity);
    return Promise.resolve(free.map(([key]) => key));
  }

  release(key: string, end: CellEnd | undefined): Promise<void> {
    if (end === "done") this.#freeFrom.delete(key);
    else this.#freeFrom.set(key, end === "later" ? steadyClock.now() + this.look : 0);
    return Promise.resolve();
  }

  stop(why: StopReason): Promise<void> {
    this.#stopped = why;
    return Promise.resolve();
  }

  stoppedFor(): Promise<StopReason | undefined> {
    return Promise.resolve(this.#stopped);
  }
}
