// The queue of a study in one process.
import { pause } from "../core/clock.ts";
import { allDone } from "../core/files.ts";
import type { CellEnd, HoldCell, StudyQueue } from "./queue.ts";
import type { Cell } from "./study.ts";

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
