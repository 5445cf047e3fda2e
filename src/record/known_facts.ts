import type { Fact } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { othersInTurn, settledStamp } from "./settled.ts";

interface Known {
  readonly stamp: string;
  readonly fact: Fact;
}

/** The facts of a convening as one reading found them: the next reading opens none of the files that are as they were. */
export class KnownFacts {
  readonly #before: ReadonlyMap<string, Known>;
  readonly #now = new Map<string, Known>();
  #size = 0;
  #looked = 0;

  /** What one reading finds, which knows what the one before it found. */
  constructor(before?: KnownFacts) {
    this.#before = before === undefined ? new Map() : before.#now;
  }

  /** Bytes of the files that were looked at. */
  get size(): number {
    return this.#size;
  }

  /** The fact of a file: as it is known, else as `read` gives it; one with something wrong is not known afterwards. */
  async fact(
    files: FileSystem,
    path: string,
    read: () => Promise<{ readonly fact: Fact; readonly isSound: boolean }>,
  ): Promise<Fact> {
    await othersInTurn(++this.#looked);
    const info = await files.stat(path);
    this.#size += info?.size ?? 0;
    const stamp = settledStamp(info);
    const known = this.#before.get(path);
    if (stamp !== undefined && known?.stamp === stamp) {
      this.#now.set(path, known);
      return known.fact;
    }
    const { fact, isSound } = await read();
    if (stamp !== undefined && isSound) this.#now.set(path, { stamp, fact });
    return fact;
  }
}
