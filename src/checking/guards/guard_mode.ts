// Modes of guards, and the turns that guards look at.
import { z } from "zod";
import type { GuardMode } from "../../config/convening_config.ts";
import type { Objection } from "../../core/guard.ts";
import type { Turn } from "../../core/turn.ts";

export type { GuardMode } from "../../config/convening_config.ts";

/** Schemas of what every guard is set by. */
export const threshold: z.ZodNumber = z.number().min(0).max(1);
export const activeMode: z.ZodType = z.enum(["warn", "reject"]).optional();

/** The modes of a guard that is on. */
export type ActiveGuardMode = Exclude<GuardMode, "off">;

/** Kinds of turns by templates and the chair: summaries and introductions may repeat. */
export const CHAIR_KINDS: ReadonlySet<string> = new Set([
  "introduction",
  "round_summary",
  "summary",
  "interruption",
]);

/** True if a turn argues: no template's text, no summary alongside, none of the moderator's own kinds. */
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
