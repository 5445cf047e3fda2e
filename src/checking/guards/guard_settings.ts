// Guards made from settings.
import type {
  CoherenceSettings,
  GuardSettings,
  RefusedTermsSettings,
  RepetitionSettings,
} from "../../config/convening_config.ts";
import { type Guard, lengthGuard } from "../../core/guard.ts";
import type { WordRange } from "../../core/words.ts";
import { coherenceGuard } from "./coherence.ts";
import { type ActiveGuardMode, type GuardMode, inMode } from "./guard_mode.ts";
import { refusedTermsGuard } from "./refused_terms.ts";
import { repetitionGuard } from "./repetition.ts";

/** Parts of a convening that its guards use. */
interface GuardContext {
  /** Terms refused in topics. @default the built-in list */
  readonly refusedTerms?: readonly string[] | undefined;
  /** The range of words. @default none, so that no length is asked for */
  readonly words?: WordRange | undefined;
  /** The kinds of turns that the range applies to. @default all */
  readonly wordedKinds?: readonly string[] | undefined;
}

/** The guards of some settings that need no model, in the order they are asked: length, repetition, coherence, refused terms. */
export function guardsFor(settings: GuardSettings = {}, context: GuardContext = {}): Guard[] {
  const repetition: RepetitionSettings = detailed(settings.repetition);
  const coherence: CoherenceSettings = detailed(settings.coherence);
  const refused: RefusedTermsSettings = detailed(settings.refusedTerms);
  const { length = "reject" } = settings;
  const { mode: repetitionMode = "reject" } = repetition;
  const { mode: coherenceMode = settings.coherence === undefined ? "off" : "warn" } = coherence;
  const { mode: refusedMode = "reject", terms = context.refusedTerms } = refused;
  const { words, wordedKinds } = context;
  return [
    ...(length === "off" || words === undefined
      ? []
      : [lengthIn(length, lengthGuard(words, wordedKinds))]),
    ...(repetitionMode === "off" ? [] : [repetitionGuard({ ...repetition, mode: repetitionMode })]),
    ...(coherenceMode === "off" ? [] : [coherenceGuard({ ...coherence, mode: coherenceMode })]),
    ...(refusedMode === "off" ? [] : [refusedTermsGuard({ terms, mode: refusedMode })]),
  ];
}

function detailed<T>(setting: GuardMode | T | undefined): T | { readonly mode?: GuardMode } {
  if (setting === undefined) return {};
  return isMode(setting) ? { mode: setting } : setting;
}

function isMode(setting: unknown): setting is GuardMode {
  return typeof setting === "string";
}

/** Under `warn` nothing is cut, so a long turn is marked as what it is. */
function lengthIn(mode: ActiveGuardMode, guard: Guard): Guard {
  if (mode === "reject") return guard;
  return {
    name: guard.name,
    async check(draft, tools) {
      const objection = await guard.check(draft, tools);
      if (objection === undefined) return undefined;
      const mark = objection.mark === "truncated" ? "too_long" : objection.mark;
      return inMode(mode, { ...objection, ...(mark === undefined ? {} : { mark }) });
    },
  };
}
