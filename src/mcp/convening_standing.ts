import type { Status } from "../core/fact.ts";
import { untilReleased } from "../library/watching.ts";

/** A convening's status; `interrupted` where it says that it runs and no process holds it. */
export async function standingOf(dir: string, status: Status): Promise<Status | "interrupted"> {
  return status === "running" && !await isHeld(dir) ? "interrupted" : status;
}

/** Whether a process runs a convening; reading is permission enough to ask. */
export async function isHeld(dir: string): Promise<boolean> {
  return await untilReleased(dir, { within: 0 });
}
