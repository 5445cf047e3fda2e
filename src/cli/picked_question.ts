import { ConfigurationError } from "../core/error.ts";
import type { ConveningConfig } from "../core/config.ts";
import type { Convening, ResumeOptions } from "../library/convening.ts";
import { pickedQuestion } from "../library/picking.ts";
import type { Invocation } from "./command.ts";
import { PAPER_PICK, QUESTION } from "./paper_flags.ts";
import type { Session } from "./session.ts";

/** With what a convening is resumed: its configuration, and a question of the user's own where one is given. */
export function withPicked(
  config: ConveningConfig,
  convening: Convening,
  { values }: Invocation,
): Pick<ResumeOptions, "config" | "say"> {
  const question = values.get(QUESTION);
  if (question === undefined || config.kind !== "paper-debate") return { config };
  const picked = pickedQuestion(question, convening, { field: QUESTION.name });
  return picked === undefined
    ? { config }
    : { config: { ...config, ...picked.config }, say: picked.say };
}

/** Says how to go on where a number was picked that no question has: the questions are on record. */
export function tellHowToPick(error: unknown, session: Session): void {
  const isPick = error instanceof ConfigurationError && error.field === "pick";
  if (!isPick || session.dir === undefined) return;
  session.tell(`To go on: ${session.commandLine("resume", session.dir, PAPER_PICK.name, "N")}`);
}
