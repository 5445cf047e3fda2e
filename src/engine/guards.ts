import { emptyGuard, type Guard } from "../core/guard.ts";
import { guardsFor } from "../checking/guards/guard_settings.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

/** The guards of a run, in the order in which they look. */
export function guardsOf(options: WorkflowOptions): Guard[] {
  const { words, refusedTerms, guards = {}, moreGuards = [], design } = options;
  const { wordsApply } = design ?? {};
  return [
    emptyGuard(),
    ...guardsFor(guards, { words, wordsApply, refusedTerms }),
    ...design?.guards ?? [],
    ...moreGuards,
  ];
}
