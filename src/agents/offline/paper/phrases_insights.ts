/** What can be said of a debate's arguments; `{a}` and `{b}` name postures or topics, `{n}` and `{l}` numbers. */
export const INSIGHTS = {
  shared: [
    "the postures “{a}” and “{b}” rest on the same sentence, {q}, and draw different conclusions from it: what [divides|separates] them is its reading and not the record",
    "one sentence serves “{a}” as well as “{b}”, {q}; whoever wants to decide between them has to [ask|find out] what it [permits|allows] and what it leaves open",
    "both “{a}” and “{b}” [quote|cite] {q}, which makes it [common ground|a fixed point] of the debate",
  ],
  sharedByAll: [
    "every posture [comes back|returns] to the sentence {q}; it is the fixed point of the debate, whatever is made of it",
    "all debaters [quote|rely on] the sentence {q}, so the debate turns on what follows from it and not on whether it [stands|holds]",
  ],
  supported: [
    "the debate had most to [go by|work with] on {a}, with citations numbering {n} in all, and least on {b}, with {l}",
    "citations are unevenly [spread|shared out]: {n} on {a}, {l} on {b}; what was said on the latter should be [read|taken] with that in mind",
  ],
  allFound: [
    "the quotations, {n} in all, were [found|located] where they are said to stand, so the sides differ over what the text means and not over what it says",
    "the record itself is not in dispute: of {n} quotations none was [invented|missing from its source]",
  ],
  someMissing: [
    "of {n} quotations {l} could not be found where they are said to stand; what rests on them should be left out of account",
    "not everything that was quoted can be [found|located]: {l} of {n} quotations are missing from their source",
  ],
  conceded: [
    "the posture “{a}” names the point that can be held against it on {topic} in its own words: {said}",
    "on {topic} even “{a}” sees what a rival could [answer|say]: {said}",
  ],
  atLarge: [
    "the postures differ less over what is [written|reported] than over how much certainty should be asked for",
    "the dispute on {topic} shows that the [choice|question] of standard comes before the [choice|question] of answer",
    "each posture is strongest where it says under what conditions it would be given up",
    "the arguments are [easier|simpler] to compare where they keep what was observed apart from what is concluded",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** Where two postures part; `{x}` and `{y}` are claims, sentences of their own. */
export const CONTROVERSIES: readonly string[] = [
  "the sides do not agree on {topic}. “{a}” argues: {x}. “{b}” answers: {y}",
  "what follows on {topic} remains [contested|disputed]. On the one side, “{a}”: {x}. On the other, “{b}”: {y}",
  "there is no common answer on {topic}. For “{a}”: {x}. For “{b}”: {y}",
  "opinions are [farthest|furthest] apart on {topic}. As “{a}” has it: {x}. As “{b}” has it: {y}",
];

/** What stays open in any debate over a paper. */
export const OPEN_AT_LARGE: readonly string[] = [
  "how much certainty should be asked for before the results are [used|relied on] remains open",
  "whether what was observed in the cases studied would be [seen|found] elsewhere remains open",
  "it is not [agreed|settled] who has to bring the next piece of evidence, those who rely on the paper or those who doubt it",
];
