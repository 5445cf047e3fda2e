/** Questions by what they ask after; `{t}` and `{u}` name matters of the paper, so that modal verbs alone follow them. */
export const QUESTIONS_BY_TERM: readonly (readonly string[])[] = [
  [
    "Under what conditions [can|could] {t} matter in the way the paper describes?",
    "Under what [conditions|circumstances] would the results on {t} turn out differently?",
  ],
  [
    "To what extent does the evidence on {t} [support|carry] what the paper concludes?",
    "To what extent can the [effects|results] reported for {t} be separated from {u}?",
  ],
  [
    "What mechanisms [could|might] explain the [link|connection] between {t} and {u}?",
    "What [processes|mechanisms] would have to be at work for {t} to bear on {u}?",
  ],
  [
    "How far can what is reported on {t} be carried over to settings that the paper did not study?",
    "How far do the findings on {t} reach beyond the cases that were [examined|looked at]?",
  ],
  [
    "Which alternative explanations [could|might] account for the results on {t}?",
    "Which rival accounts of {t} does the [design|method] of the paper leave standing?",
  ],
  [
    "In what ways does the method [shape|influence] what could be found out about {t}?",
    "What would a [stronger|stricter] test of the claims about {t} have to look like?",
  ],
  [
    "What should [practitioners|those who decide] do about {t} on the strength of this evidence, and what should they leave open?",
    "How should the knowledge gained about {t} be used where {u} cannot be controlled?",
  ],
  [
    "Whose interests are touched by {t}, and how should they be weighed?",
    "Who would gain and who would lose if decisions followed what the paper says about {t}?",
  ],
  [
    "What does the paper take for granted about {t}, and what would follow if that were wrong?",
    "Which assumptions about {t} carry the [argument|case], and how well are they [supported|grounded]?",
  ],
  [
    "How should {t} and {u} be weighed against each other where both cannot be had?",
    "What role [should|could] {t} play beside {u}?",
  ],
  [
    "What further evidence on {t} would change the [overall picture|conclusion] most?",
    "Which open question about {t} should research [take up|turn to] next, and why?",
  ],
  [
    "How much of the debate about {t} depends on the [choice|use] of definitions?",
    "How [stable|robust] can conclusions about {t} be over time?",
  ],
];

/** Questions on what the paper found; `{c}` is a clause of its own. */
export const QUESTIONS_BY_FINDING: readonly string[] = [
  "How far beyond the cases that were studied does it hold that {c}?",
  "Under what conditions would it no longer hold that {c}?",
  "What mechanisms could be behind the observation that {c}?",
  "Which other explanations are there for the observation that {c}?",
  "To what extent does it matter for practice that {c}?",
];

/** Questions on what the paper says it cannot tell; `{c}` is a clause of its own. */
export const QUESTIONS_BY_LIMIT: readonly string[] = [
  "How much weight can the conclusions bear, given that {c}?",
  "To what extent does it weaken the argument that {c}?",
  "Which of the conclusions would survive if one took seriously that {c}?",
];

/** Questions on a paper that offers no terms. */
export const QUESTIONS_AT_LARGE: readonly string[] = [
  "Under what conditions would the central claim of the paper hold?",
  "To what extent does the evidence that the paper offers support its conclusion?",
  "What mechanisms would have to be at work if the paper were right?",
  "How far can the argument of the paper be carried over to other settings?",
  "Which alternative explanations does the paper leave open?",
  "In what ways does the method of the paper limit what it can show?",
  "What would follow for practice if the conclusion of the paper were accepted?",
  "Which assumptions does the argument of the paper rest on?",
  "What evidence would be needed to change one's mind about the paper?",
  "How should those affected by the conclusions of the paper be heard?",
];
