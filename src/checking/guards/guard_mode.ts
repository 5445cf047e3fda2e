import type { GuardMode } from "../../config/convening_config.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { Objection } from "../../core/guard.ts";
import type { Turn } from "../../core/turn.ts";

export type { GuardMode } from "../../config/convening_config.ts";

/** The modes of a guard that is on. */
export type ActiveGuardMode = Exclude<GuardMode, "off">;

/** What templates and the chair say: it sums up or hands over, and may well repeat. */
export const CHAIR_KINDS: ReadonlySet<string> = new Set([
  "introduction",
  "round_summary",
  "summary",
  "interruption",
]);

/** Whether a turn argues: no template's text, nothing aside, and none of the moderator's own kinds. */
export function isContribution({ text, aside, kind }: Turn): boolean {
  return text === undefined && aside !== true && !CHAIR_KINDS.has(kind);
}

/** An objection as a mode has it: under `warn` the attempt stands as it is and is only marked. */
export function inMode(mode: ActiveGuardMode, objection: Objection): Objection {
  if (mode === "reject") return objection;
  const { reason, mark, usage } = objection;
  return {
    reason,
    maxRetries: 0,
    warn: true,
    ...(mark === undefined ? {} : { mark }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A threshold from 0 to 1, as it was given; anything else is a configuration error that names the guard. */
export function checkThreshold(threshold: number, guard: string): number {
  if (threshold >= 0 && threshold <= 1) return threshold;
  const field = `guards.${guard}.threshold`;
  throw new ConfigurationError(`Cannot use ${field} ${threshold}: it is not between 0 and 1`, {
    field,
    hint: "Give a number from 0 to 1.",
  });
}
