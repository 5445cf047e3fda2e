import english from "./moderation.en.json" with { type: "json" };

/**
 * The texts of a debate; each can be replaced under `prompts` in the configuration. `advocate`, `moderator` and `judge`
 * say who is asked; the others what for. `introductionText` is said as it stands; `introduction` is the task where the
 * moderator is a model.
 */
export const DEBATE_TEMPLATES = {
  advocate: "You are {name}. You stand for this position: {position}\n" +
    "Argue for it with clear reasons and credible evidence, and invent no source. Speak in the first person, without " +
    "a heading and without announcing who you are.",
  moderator:
    "You are {name}, the moderator. You are neutral: you sum up and guide, you do not decide.",
  judge:
    "You are a judge of this debate. You are impartial: what counts is how the case was made, not which side you " +
    "agree with, nor how long a speech is, nor who spoke first.",
  introduction:
    "Introduce the debate: the topic, the sides and what they stand for, and how it will go. " +
    "End with one sentence that gives {nextSpeaker} the floor. At most 150 words.",
  introductionText: english.introduction,
  introductionTextWithoutRounds: english.introductionWithoutRounds,
  opening:
    "Give your opening statement: your position and its strongest reasons. The other side's statement is not " +
    "known to you; answer nothing yet. At most {openingLength} tokens.",
  openingInTurn:
    "Give your opening statement: your position and its strongest reasons. Rebut nothing yet. " +
    "At most {openingLength} tokens.",
  argument:
    "Round {round}: make one new argument for your position that you have not made so far. " +
    "At most {argumentLength} tokens.",
  rebuttal:
    "Round {round}: rebut the argument of {opponent} in turn {answered}. Say which of its claims you answer, " +
    "and why they do not hold. At most {argumentLength} tokens.",
  closing:
    "Give your closing statement: the strongest points of your side, and why they outweigh the other side's. " +
    "Bring nothing new. At most {closingLength} tokens.",
  roundSummary:
    "Sum up round {round} in at most 100 words: what each side argued, and what was answered. Decide nothing.",
  summary:
    "Sum up the whole debate: what each side argued, where they clashed, what was left unanswered. Name the sides; " +
    "do not decide who won. At most 250 words.",
  earlySummary:
    "The debate ends here, before its time. Sum up what each side had argued so far and what is left open. " +
    "Do not decide who won. At most 200 words.",
  score:
    "Score turn {answered}, by {opponent}, alone, by the criteria above. Give your reasons first, then a number from " +
    "the scale for each criterion. Answer with one JSON object: reasons, then scores.",
  verdict:
    "The debate is over. Compare the sides on the whole record:\n{sides}\nWeigh the criteria in this order: " +
    "{nextAction}. Give your reasons first, then the winner: the name of a side, or tie. Answer with one JSON object: " +
    "reasons, then winner.",
} satisfies Readonly<Record<string, string>>;

/** The texts of one debate. */
export type DebateTemplates = Readonly<Record<keyof typeof DEBATE_TEMPLATES, string>>;
