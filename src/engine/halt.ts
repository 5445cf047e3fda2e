/** Thrown where a run rests although nothing is wrong: it can be gone on with. */
export abstract class Halt extends Error {
  /** Where the convening stands then. */
  abstract readonly status: "waiting" | "paused";
}

/** A person was waited for and has not spoken. */
export class WaitHalt extends Halt {
  readonly status = "waiting";
}

/** Somebody asked the run to pause. */
export class PauseHalt extends Halt {
  readonly status = "paused";
}
