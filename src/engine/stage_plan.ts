import type { Turn } from "../core/turn.ts";
import type { Emitter } from "./emitter.ts";

/** Tells where phases and rounds begin and end, from the turns as they are taken. */
export class StagePlan {
  readonly #emitter: Emitter;
  #phase: string | undefined;
  #round = 0;

  /** A plan before its first turn. */
  constructor(emitter: Emitter) {
    this.#emitter = emitter;
  }

  /** Takes in a turn from the record: nothing is told. */
  replay({ phase, round }: Turn): void {
    this.#phase = phase;
    this.#round = round;
  }

  /** Tells the ends and starts that come with a turn. */
  enter({ phase, round }: Turn): void {
    for (const event of this.#move(phase, round)) this.#emitter.tell(event);
  }

  /** Tells the ends that come with the end of the protocol. */
  end(): void {
    for (const event of this.#move(undefined, 0)) this.#emitter.tell(event);
  }

  #move(phase: string | undefined, round: number): StageEvent[] {
    const events: StageEvent[] = [];
    const changed = phase !== this.#phase;
    if (this.#round !== 0 && (changed || round !== this.#round)) {
      events.push({ type: "round-end", round: this.#round });
    }
    if (changed && this.#phase !== undefined) {
      events.push({ type: "phase-end", phase: this.#phase });
    }
    if (changed && phase !== undefined) {
      events.push({ type: "phase-start", phase });
    }
    if (round !== 0 && (changed || round !== this.#round)) {
      events.push({ type: "round-start", round });
    }
    this.#phase = phase;
    this.#round = round;
    return events;
  }
}

type StageEvent =
  | { readonly type: "phase-start" | "phase-end"; readonly phase: string }
  | { readonly type: "round-start" | "round-end"; readonly round: number };
