/** The texts of those who judge a record again. */
export const JUDGING_TEMPLATES = {
  rules:
    "This convening has ended. It is judged once more, from its record: what was said stands below, turn by turn.",
  judge:
    "You are a judge of this convening. You are impartial: what counts is how well each case was made, not whom you " +
    "agree with, nor how long a speech is, nor who spoke first.",
  score:
    "Score turn {answered}, by {opponent}, alone, by the criteria above. Give your reasons first, then a number from " +
    "the scale for each criterion. Answer with one JSON object: reasons, then scores.",
  scoreTopics:
    "Score turn {answered}, by {opponent}, alone, by the criteria above. It argues on several topics: for each of them " +
    "your notes first, one or two sentences, then a number from the scale for each criterion. Add nothing up. The " +
    "topics:\n{topics}\nAnswer with one JSON object: perTopic, each with topic, notes, scores.",
  verdict:
    "Compare those who took part on the whole record:\n{sides}\nWeigh the criteria in this order: {nextAction}. Give " +
    "your reasons first, then the winner: the name of one of them, or tie. Answer with one JSON object: reasons, then " +
    "winner.",
} satisfies Readonly<Record<string, string>>;
