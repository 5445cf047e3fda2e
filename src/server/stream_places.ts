import { ConveningError } from "../core/error.ts";

/** How many streams are open at once, whoever reads them; one more is refused. */
export class StreamPlaces {
  readonly #most: number;
  #taken = 0;

  /** All of them free; `most` is 1000 unless told. */
  constructor(most = 1000) {
    this.#most = most;
  }

  /** Takes a place and gives what leaves it, safe to call twice. Fails with `busy`. */
  take(): () => void {
    if (this.#taken >= this.#most) {
      throw new ConveningError("busy", `Cannot send events: ${this.#most} streams are open`, {
        hint: "Close one, or read the messages as they are: GET /api/convenings/ID/messages.",
      });
    }
    this.#taken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.#taken--;
      isTaken = false;
    };
  }
}
