import { type Guard, lengthGuard, type WordRange } from "../../core/guard.ts";
import type { Turn } from "../../core/turn.ts";
import { coherenceGuard } from "./coherence.ts";
import { type ActiveGuardMode, type GuardMode, inMode } from "./guard_mode.ts";
import { refusedTermsGuard } from "./refused_terms.ts";
import { repetitionGuard } from "./repetition.ts";

/** What is done about repetition. */
export interface RepetitionSettings {
  /** What is done about it. @default "reject" */
  readonly mode?: GuardMode | undefined;
  /** Similarity from which a turn is a repetition, 0 to 1. @default 0.95 */
  readonly threshold?: number | undefined;
}

/** What is done about turns off the topic. */
export interface CoherenceSettings {
  /** What is done about it. @default "warn" */
  readonly mode?: GuardMode | undefined;
  /** Below it a turn is off topic, 0 to 1; `"strict"` is 0.7. @default 0.15 */
  readonly threshold?: number | "strict" | undefined;
}

/** What is done about terms that may not be said. */
export interface RefusedTermsSettings {
  /** What is done about it. @default "reject" */
  readonly mode?: GuardMode | undefined;
  /** Matched as whole words, letter case aside. @default the terms refused in topics */
  readonly terms?: readonly string[] | undefined;
}

/** What is done about turns that are wrong, by what is wrong with them (context-network/rules/every_convening.md). */
export interface GuardSettings {
  /** Against turns that repeat an earlier one. @default "reject" from a similarity of 0.95 on */
  readonly repetition?: GuardMode | RepetitionSettings | undefined;
  /** Against turns off the topic: below a coherence of 0.15 unless set. @default "off" */
  readonly coherence?: GuardMode | CoherenceSettings | undefined;
  /** Against terms that may not be said. @default "reject" for the terms refused in topics */
  readonly refusedTerms?: GuardMode | RefusedTermsSettings | undefined;
  /** Against turns out of their range of words, where there is one. @default "reject" */
  readonly length?: GuardMode | undefined;
  /** Against turns that do not keep to the speaker's persona; it asks a model. @default "off" */
  readonly persona?: GuardMode | undefined;
}

/** What a convening has that its guards go by. */
export interface GuardContext {
  /** Terms refused in topics. @default the built-in list */
  readonly refusedTerms?: readonly string[] | undefined;
  /** The range of words. @default none, so that no length is asked for */
  readonly words?: WordRange | undefined;
  /** The turns that the range applies to. @default all */
  readonly wordsApply?: ((turn: Turn) => boolean) | undefined;
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
  const { words, wordsApply } = context;
  return [
    ...(length === "off" || words === undefined
      ? []
      : [lengthIn(length, lengthGuard(words, wordsApply))]),
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
