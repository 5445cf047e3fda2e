import type { TopicArea } from "./matter.ts";

/** What a question asks for: how much, when, why, or anything else. */
export type QuestionForm = "extent" | "conditions" | "mechanism" | "choice";

/** The places of an answer space, in the order in which postures are taken from it. */
export const STANDS = [
  "support",
  "doubt",
  "conditional",
  "alternative",
  "cautious",
  "practical",
  "method",
  "reframing",
] as const;

/** One place of an answer space. */
export type Stand = typeof STANDS[number];

/** Postures on a matter `{m}`, by what the question asks for; where a form has none of its own, `any` has. */
export const POSTURES: Readonly<
  Record<Stand, Readonly<Partial<Record<QuestionForm | "any", readonly string[]>>>>
> = {
  support: {
    extent: [
      "Strong support: to a large extent, since what the paper shows about {m} is sound and carries well beyond its own cases",
      "Strong support: to a great extent, because the case made for {m} rests on evidence that holds together",
    ],
    conditions: [
      "Strong support: under most conditions, since what the paper shows about {m} does not hang on special circumstances",
      "Strong support: nearly everywhere, because the findings on {m} are clear enough to be expected elsewhere too",
    ],
    mechanism: [
      "Strong support: the explanation that the paper offers for what it reports on {m} is the right one and sufficient",
      "Strong support: one clear mechanism, the paper’s own, accounts for what is reported on {m}",
    ],
    any: [
      "Strong support: what the paper says about {m} is sound and should be built on",
      "Strong support: the paper’s own answer on {m} is the best one available",
    ],
  },
  doubt: {
    extent: [
      "Scepticism: to a small extent only, since what is reported on {m} rests on too little to be relied on",
      "Scepticism: hardly at all, because the case made for {m} claims more than its evidence can bear",
    ],
    conditions: [
      "Scepticism: under narrow conditions at best, since the findings on {m} may be the product of the cases that were chosen",
      "Scepticism: perhaps nowhere else, because nothing shows that the findings on {m} outlast their own setting",
    ],
    mechanism: [
      "Scepticism: no mechanism behind the results on {m} has been shown, only things that occur together",
      "Scepticism: the explanation offered for the results on {m} is a conjecture and should be treated as one",
    ],
    any: [
      "Scepticism: what the paper says about {m} is overstated and not yet fit to be relied on",
      "Scepticism: the evidence on {m} is too weak to decide the question",
    ],
  },
  conditional: {
    extent: [
      "Conditional acceptance: as far as circumstances resemble those that were studied, and where they do not, the findings on {m} are open",
    ],
    conditions: [
      "Conditional acceptance: only where the circumstances of {m} are known and can be kept as they were in the paper",
    ],
    mechanism: [
      "Conditional acceptance: several mechanisms work together in what is reported on {m}, and which one prevails depends on the setting",
    ],
    any: [
      "Conditional acceptance: the findings on {m} hold, but only where conditions match those that were studied",
      "Conditional acceptance: the answer on {m} depends on the setting, and no single answer fits all",
    ],
  },
  alternative: {
    any: [
      "Alternative explanation: something other than {m} may account for what was observed",
      "Alternative explanation: the results can be read in another way, with less weight on {m}",
    ],
  },
  cautious: {
    any: [
      "Cautious agreement: the direction of what is said about {m} is right, while size and reach remain to be settled",
      "Cautious agreement: the paper has a point about {m}, which should be used with care",
    ],
  },
  practical: {
    any: [
      "Practice first: whatever is still open about {m}, enough is known to make a start on a small scale and to learn from the outcome",
    ],
  },
  method: {
    any: [
      "Better measurement first: until there is a stronger test of the claims about {m}, the question cannot be decided",
    ],
  },
  reframing: {
    any: [
      "A different question: the debate should turn on who is affected by {m} and how rather than on averages",
    ],
  },
};

/** Names of topics by area; `{t}` names a matter of the paper. */
export const TOPIC_NAMES: Readonly<Record<Exclude<TopicArea, "general">, readonly string[]>> = {
  methodology: [
    "The method used to study {t}",
    "The design of the study and what it can show about {t}",
  ],
  evidence: ["The strength of the evidence on {t}", "The evidence on {t} and what it supports"],
  generalisability: [
    "The reach of the findings on {t} beyond the cases studied",
    "Generalisability of what was found on {t}",
  ],
  theory: ["The mechanism behind {t}", "The theory that links {t} and {u}"],
  practice: [
    "Consequences for practice in dealing with {t}",
    "The practical use of what is known about {t}",
  ],
  alternatives: ["Alternative explanations for the results on {t}", "Rival accounts of {t}"],
  ethics: ["Ethics and fairness in dealing with {t}", "Harms, benefits and fairness around {t}"],
};

/** Names of topics where a paper offers no terms. */
export const PLAIN_TOPIC_NAMES: Readonly<Record<Exclude<TopicArea, "general">, string>> = {
  methodology: "The method of the paper",
  evidence: "The strength of the evidence",
  generalisability: "Generalisability beyond the cases studied",
  theory: "The mechanism that is assumed",
  practice: "Consequences for practice",
  alternatives: "Alternative explanations",
  ethics: "Ethics and fairness",
};

/** Words that show that a paper has something to say in an area. */
export const AREA_WORDS: Readonly<Record<Exclude<TopicArea, "general">, RegExp>> = {
  methodology:
    /\b(?:measur\w*|method\w*|sampl\w*|survey\w*|participants?|experiment\w*|interview\w*|random\w*|recorded|collected|compar\w*)\b/giu,
  evidence:
    /\b(?:evidence|data|results?|findings?|found|show\w*|percent|significan\w*|effects?)\b/giu,
  generalisability:
    /\b(?:generali[sz]\w*|elsewhere|other (?:settings|contexts|regions|countries|groups)|only (?:one|two|a)|sample|population|region|country|countries|conditions?)\b/giu,
  theory:
    /\b(?:theor\w*|mechanism\w*|hypothes\w*|concept\w*|because|explain\w*|framework|caus\w*)\b/giu,
  practice:
    /\b(?:practi\w*|polic(?:y|ies)|should|cost\w*|implement\w*|recommend\w*|decision\w*|plan\w*|use[rs]?)\b/giu,
  alternatives:
    /\b(?:alternativ\w*|instead|rather than|may reflect|confound\w*|bias\w*|whether|other explanations?|could also)\b/giu,
  ethics:
    /\b(?:ethic\w*|fair\w*|consent|privacy|harm\w*|vulnerable|patients?|children|equit\w*|justice|discriminat\w*|risks?|poor\w*)\b/giu,
};
