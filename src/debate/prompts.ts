// Texts of the prompts of a debate.
import { textsOf } from "../core/prompt.ts";
import texts from "../data/prompts/debate.json" with { type: "json" };
import english from "./moderation.en.json" with { type: "json" };

/** The texts of one debate. */
export type DebateTemplates = Readonly<
  Record<
    | keyof typeof texts
    | "introductionText"
    | "introductionTextWithoutRounds"
    | "roundIntroductionText"
    | "interruptionText"
    | "interruptionTextForRule"
    | "interruptionTextForBoth",
    string
  >
>;

/**
 * The texts of a debate; each can be replaced under `prompts` in the configuration. `advocate`, `moderator`, `judge` and
 * `listener` introduce the member that is asked; those named `…Text` are said as they stand; the others are tasks.
 */
export const DEBATE_TEMPLATES: DebateTemplates = {
  ...textsOf(texts),
  introductionText: english.introduction.formal,
  introductionTextWithoutRounds: english.introductionWithoutRounds.formal,
  roundIntroductionText: english.roundIntroduction,
  interruptionText: english.interruption.fact,
  interruptionTextForRule: english.interruption.rule,
  interruptionTextForBoth: english.interruption.both,
};
