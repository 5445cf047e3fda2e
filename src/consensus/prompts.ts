/**
 * The texts of a consensus dialogue; each can be replaced under `prompts` in the configuration. `participant` and
 * `moderator` say who is asked; `proposalsText` is said as it stands; the others say what for. A turn's task is `reply`,
 * then `statement`; a person's is `statement` alone, and questions are asked of people in their `InWords` form.
 */
export const CONSENSUS_TEMPLATES = {
  rules:
    "This is a search for consensus. First everybody makes proposals; the moderator puts them before all. Then the " +
    "participants speak in turn, and each states what it holds of every proposal: agree, disagree or abstain. Only what " +
    "is stated so counts, not the tone of a speech. To agree means that one would stand by the proposal as it is " +
    "written; nobody has to give way, and an honest disagreement is a result too.",
  participant:
    "You are {name}, taking part in this search for consensus. Speak for yourself, in the first person, without " +
    "headings and without announcing who you are. Change your mind where the reasons are good, and only then.",
  moderator:
    "You are {name}, the moderator. You are neutral: you put proposals together and sum up, and take no side.",
  propose:
    "Make one or two proposals on the topic that all could agree to: each one a single sentence that says what should " +
    "be done or held, and can be agreed to or not. The others make theirs at the same time. Give your reasons first. " +
    "Answer with one JSON object: reasons, then proposals.",
  proposeInWords:
    "Make one or two proposals on the topic that all could agree to, each a single sentence and on a line of its own, the " +
    "first after the word proposals and a colon. The others make theirs at the same time.",
  merge:
    "Put these proposals together:\n{proposals}\nProposals that come to the same become one; all others stay as they " +
    "are. Lose none, add none, and soften nothing; where there is none, draw up two yourself. Give your reasons first. " +
    "Answer with one JSON object: reasons, then proposals, each with its text, and with the numbers of the proposals " +
    "above that are in it, under from.",
  proposalsText:
    "These are the proposals:\n\n{proposals}\n\nEach of us now speaks in turn, and states whether they agree.",
  reply:
    "Answer with one JSON object. First speech: what you say to the others. Then stances, one for each proposal: on (the " +
    "proposal's id), stance (agree, disagree or abstain), strength (0 to 1: how firmly) and condition (what would have " +
    "to be met; empty where there is none).",
  statement:
    "Round {round}, your speech: which proposals you support and which you do not, and why; take up what was said " +
    "against your view; say what would change your mind. At most {argumentLength} tokens.",
  stance:
    "State what you hold of each proposal now:\n{proposals}\nGive your reasons first, in two sentences. Answer with one " +
    "JSON object: reasons, then stances, one for each proposal: on (its id), stance (agree, disagree or abstain), " +
    "strength (0 to 1: how firmly) and condition (what would have to be met; empty where there is none).",
  stanceInWords:
    "Say what you hold of each proposal, one a line, as p1: agree, p1: disagree 0.8 (how firmly, 0 to 1), p1: abstain, " +
    "or p1: agree if, and your condition:\n{proposals}",
  summary:
    "Sum up: which points are agreed, which are open, who holds what and why, and what could settle the open ones. The " +
    "stances below are counted already: keep to them. Decide nothing. At most 250 words.",
  earlySummary:
    "The search for consensus ends here, before its time. Sum up what was proposed, which points seem agreed, which " +
    "are open, and who holds what. Decide nothing. At most 200 words.",
} satisfies Readonly<Record<string, string>>;

/** The texts of one consensus dialogue. */
export type ConsensusTemplates = Readonly<Record<keyof typeof CONSENSUS_TEMPLATES, string>>;
