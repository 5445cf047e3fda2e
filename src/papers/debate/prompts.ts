// The templates of a paper debate.
/**
 * The texts of a paper debate; each can be replaced under `prompts` in the configuration. `questioner`, `debater`,
 * `judge`, `reporter` and `reader` say who is asked; the others say what for.
 */
export const PAPER_TEMPLATES = {
  rules:
    "This is a debate over research papers. A question is put to them; each debater takes one posture on it and argues " +
    "on every topic, apart from the others. What a debater says of the papers has to stand in them: its quotations and " +
    "citations are looked up by a program, and marked verified or not found; words that only an earlier message has are " +
    "marked as said there, which proves nothing. Judges go by the argument and by these marks.",
  questioner:
    "You are the questioner of this debate. You know how to read research: what was found, by what means, and how far " +
    "it carries. You take no side.",
  debater:
    "You are {name}, a debater. Your posture: {position}\nArgue for it as well as the papers allow, honestly: invent no " +
    "finding, no number, no source and no quotation.",
  judge:
    "You are a judge of this debate. You are impartial: what counts is how well each posture was argued, not whether you " +
    "share it, nor how long an argument is, nor which came first. Quotations and citations marked not found count " +
    "against whoever gave them.",
  reporter:
    "You are the reporter of this debate. You report what was argued and judged, and add nothing of your own.",
  reader: "You are {name}, who chose the papers and decides what is debated.",
  questions:
    "Put 8 to 12 questions to the papers above that are worth a debate: questions that readers of the papers could well " +
    "answer differently, that the papers bear on and do not settle. Ask openly: under what conditions, to what extent, " +
    "by what mechanism; none that is answered by yes or no. One sentence each. Answer with one JSON object: questions.",
  pick: "Which question is debated? Give its number, or write a question of your own.\n{questions}",
  postures:
    "The question is: {question}\nTake {count} postures on it that span what can be held, from one end to the other, not " +
    "only for and against; each one a phrase of at most 25 words that says what is held. Then name 3 to 8 topics that " +
    "every debater has to argue on, so that together they cover the question: methodology, evidence, generalisability, " +
    "theory, practice, alternatives, and ethics where it applies; a few words each. Answer with one JSON object: " +
    "postures, then topics.",
  argument:
    "Argue for your posture on the question: {question}\nThe topics, in this order:\n{topics}\nOn each: claim, one or two " +
    "sentences; reasoning, why it follows, with its conditions and what it implies; counterpoints, one or two things a " +
    "rival would say; citations, the passages and pages it rests on. Look passages up with lookupPaper before you rely " +
    "on them, several times, and search the web where that helps. Cite only what a look-up returned: the chunkId, with " +
    "the words of it you rely on as text; a page of the web by its title and url. Quote word for word, in quotation " +
    "marks. All topics fit together under the one posture; overallPosition says what they come to. Answer with one JSON " +
    "object: perTopic, with exactly these topics, then overallPosition.",
  crossExamination:
    "The arguments of all debaters stand above. Answer the others: name each, take up the strongest point it makes " +
    "against your posture and its weakest one, and say what follows for the question: {question}\nGive way where you " +
    "must. Look up what you need; cite and quote as before. At most {argumentLength} tokens. Answer with one JSON " +
    "object: speech, then citations.",
  score:
    "Score argument {answered}, by {opponent}, alone, by the criteria above; take into account what was answered to it " +
    "and by it. For each topic your notes first, one or two sentences, then a number from the scale for each criterion. " +
    "Add nothing up. The topics: {topics}\nAnswer with one JSON object: perTopic, each with topic, notes, scores.",
  verdict:
    "Compare the debaters on the whole debate:\n{sides}\nWeigh the criteria in this order: {nextAction}. Give your reasons " +
    "first, then the winner: the name of one of them, or tie. Answer with one JSON object: reasons, then winner.",
  insights:
    "What did this debate bring to light? Name 3 to 6 insights that the arguments bear out, each in one sentence, and 2 " +
    "to 5 points on which the debaters did not agree and why. Rely on nothing that is marked not found. Answer with one " +
    "JSON object: insights, then controversialPoints.",
  report:
    "Report this debate to somebody who was not there, in two or three paragraphs: what was asked and of which papers, " +
    "how the postures were argued, how they were judged, what remains open. The ranking above is computed: keep to it. " +
    "No headings, no lists.",
  earlySummary:
    "The debate ends here, before its time. Sum up what was asked, which postures were taken, what was argued so far, " +
    "and what is missing. Decide nothing. At most 200 words.",
} satisfies Readonly<Record<string, string>>;

/** The texts of one paper debate. */
export type PaperTemplates = Readonly<Record<keyof typeof PAPER_TEMPLATES, string>>;
