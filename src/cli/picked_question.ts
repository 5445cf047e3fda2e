import type { Convening, ResumeOptions } from "../library/convening.ts";
import type { ConveningConfig } from "../core/config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Invocation } from "./command.ts";
import { PAPER_PICK, QUESTION } from "./paper_flags.ts";
import { checkPick, questionsToPick } from "./pick_prompt.ts";
import type { Session } from "./session.ts";

/**
 * With what a convening is resumed. A question of the user's own, where questions were put to the papers before, is picked
 * in the place of one of them.
 */
export function withPicked(
  config: ConveningConfig,
  { messages, start }: Convening,
  { values }: Invocation,
): Pick<ResumeOptions, "config" | "say"> {
  const question = values.get(QUESTION);
  const isAsked = question !== undefined && questionsToPick(messages).length > 0;
  if (config.kind !== "paper-debate" || !isAsked) return { config };
  checkPick(question, { said: messages, field: QUESTION.name });
  const ids = new Set([...start.participants, ...start.judges].map(({ id }) => id));
  return {
    config: { ...config, question: undefined, pick: "ask" },
    say: { participant: ids.has("reader") ? "the-reader" : "reader", text: question },
  };
}

/** Says how to go on where a number was picked that no question has: the questions are on record. */
export function tellHowToPick(error: unknown, session: Session): void {
  const isPick = error instanceof ConfigurationError && error.field === "pick";
  if (!isPick || session.dir === undefined) return;
  session.tell(`To go on: ${session.commandLine("resume", session.dir, PAPER_PICK.name, "N")}`);
}
