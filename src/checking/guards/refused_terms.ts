// The guard against refused terms.
import type { Guard } from "../../core/guard.ts";
import { refusedIn } from "../../core/topic.ts";
import { type ActiveGuardMode, inMode } from "./guard_mode.ts";

/** Terms that a refused-terms guard looks for. */
export interface RefusedTermsOptions {
  /** Matched as whole words, letter case aside, as in topics. @default the built-in list */
  readonly terms?: readonly string[] | undefined;
  /** Mode: the attempt is rejected, or marked. @default "reject" */
  readonly mode?: ActiveGuardMode | undefined;
}

/** Refuses an attempt that says a refused term, and names it. */
export function refusedTermsGuard(
  { terms, mode = "reject" }: RefusedTermsOptions = {},
): Guard {
  return {
    name: "refused_terms",
    check({ turn, body }) {
      if (turn.text !== undefined) return undefined;
      const term = refusedIn(body, terms);
      if (term === undefined) return undefined;
      return inMode(mode, {
        reason: `The reply says "${term}", which may not be said here. Say it without this term.`,
        mark: "refused_term",
      });
    },
  };
}
