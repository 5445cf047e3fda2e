// The stop of a run for people, and parts of a program, which let stops through and whose other errors name the part.
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
