// Texts of the prompts of a debate.
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
    "Introduce the debate: the topic, the sides and what they stand for, and how it will go. {nextAction} " +
    "End with one sentence that gives {nextSpeaker} the floor. At most 150 words.",
  introductionText: english.introduction.formal,
  introductionTextWithoutRounds: english.introductionWithoutRounds.formal,
  roundIntroduction:
    "Introduce round {round} in one or two sentences, without summing up what was said. End with one sentence that gives " +
    "{nextSpeaker} the floor.",
  roundIntroductionText: english.roundIntroduction,
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
  rebuttalInClash:
    "Round {round}: rebut the argument of {opponent} in turn {answered}. Meet its strongest point: quote the words you " +
    "answer, say why they do not hold, and what would follow if they did. Grant what is right. At most {argumentLength} " +
    "tokens.",
  replyInClash:
    "Round {round}: reply to the rebuttal of your argument by {opponent} in turn {answered}. Defend the point that it " +
    "attacks, or concede the point and say what still stands without it. Make no new argument. At most {argumentLength} " +
    "tokens.",
  reply:
    "Round {round}: answer what {opponent} said in turn {answered}. Take up its strongest point, say how far you grant it " +
    "and why not further, and carry your own case one step on. At most {argumentLength} tokens.",
  statementInAnswer:
    "Round {round}: answer what {opponent} said in turn {answered} at its strongest, then make one new argument for your " +
    "position that you have not made so far. At most {argumentLength} tokens.",
  rcr:
    "Work in three phases. Reflection: where the debate stands, and what the other side's latest speech really claims. " +
    "Critique: its weaknesses, gaps and fallacies, and what can be said against your own case. Speech: what you say, made " +
    "of what the first two brought. Answer with one JSON object: reflection, critique, speech. The speech alone is said " +
    "and shown to others; lengths hold for it alone.",
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
  ruling:
    "Look at turn {answered}, by {opponent}: does it break one of the debate's rules? Weak reasoning breaks none, nor does " +
    "a claim you do not share. Answer with one JSON object: the reason, whether there is a breach, and the rule that is " +
    "broken in one short sentence (empty where none is).",
  interruptionText: english.interruption.fact,
  interruptionTextForRule: english.interruption.rule,
  interruptionTextForBoth: english.interruption.both,
  interruptionAnswer:
    "The moderator interrupted you in turn {answered}. Answer in two or three sentences: correct yourself, or say what you " +
    "rest on. Bring no new argument.",
  roundReview:
    "Round {round} is over. Was anything new said in it: an argument, an example or an objection that had not been made " +
    "before? Answer with one JSON object: the reason, then anything_new.",
  listener:
    "You are {name}, one of the audience of this debate. You speak for no side and judge no one's skill: you say what you " +
    "hold yourself.",
  stanceBefore:
    "Nothing has been said yet. Say what you hold of each side's position now:\n{sides}\nAnswer with one JSON object: your " +
    "reasons, then for each side whether you agree, disagree or abstain, how firmly from 0 to 1, and the condition you " +
    "would make (empty where none).",
  stanceAfter:
    "The debate is over. Say what you hold of each side's position now, having heard it; change your mind only where you " +
    "were given a reason:\n{sides}\nAnswer with one JSON object: your reasons, then for each side whether you agree, " +
    "disagree or abstain, how firmly from 0 to 1, and the condition you would make (empty where none).",
  baseline:
    "Nothing has been said, and you hear no one. Answer the topic yourself: weigh what can be said for each position as " +
    "well as you can, and come to a conclusion.\n{sides}\nAnswer with one JSON object: the answer, then the winner: the " +
    "name of the side whose position your answer comes to, or tie.",
  judgeSummary:
    "The debate is over. Sum it up: what each side argued, where they clashed, what was left unanswered. Name the sides; " +
    "do not say who won. At most 200 words. Answer with one JSON object: summary.",
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
