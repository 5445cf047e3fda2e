import { ConfigurationError } from "../core/error.ts";
import { PAPER_PICK } from "./flags.ts";
import type { Session } from "./session.ts";

/** Says how to go on where a number was picked that no question has: the questions are on record. */
export function tellHowToPick(error: unknown, session: Session): void {
  const isPick = error instanceof ConfigurationError && error.field === "pick";
  if (!isPick || session.dir === undefined) return;
  session.tell(`To go on: ${session.commandLine("resume", session.dir, PAPER_PICK.name, "N")}`);
}
