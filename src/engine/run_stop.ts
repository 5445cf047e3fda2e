// The stop of a run for people, and parts of a program, which let stops through and whose other errors name the part.
import type { Agent } from "../core/agent.ts";
import { untilAborted } from "../core/clock.ts";
import { asConveningError } from "../core/error.ts";
import { LimitStop } from "../core/limit.ts";

/** Thrown to end a run that is neither complete nor failed, and can be resumed. */
export class RunStop extends Error {
  constructor(
    /** Status of the convening after the run. */
    readonly status: "waiting" | "paused",
  ) {
    super();
  }
}

/** Runs a part of a program, such as a guard; an error of a class that is not the library's names the part. */
export async function partOf<T>(
  part: string,
  { signal }: { readonly signal?: AbortSignal | undefined },
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof LimitStop || error instanceof RunStop) throw error;
    throw asConveningError(error, { signal, part });
  }
}

/** Calls an optional method of an agent until `signal` aborts; an error, or a number below 0, names the agent and the method. */
export function ofAgent<T>(
  { model }: Pick<Agent, "model">,
  method: "cap" | "check" | "load" | "window",
  signal: AbortSignal | undefined,
  call: () => T | Promise<T>,
): Promise<T> {
  return partOf(`${method} of agent "${model}"`, { signal }, async () => {
    const value = await untilAborted(call(), signal);
    if (typeof value !== "number" || value >= 0) return value;
    throw new RangeError(`it returned ${value}`);
  });
}
