import { featuresOf } from "../features.ts";
import { between } from "../phrasing.ts";
import { sentencesOf } from "../quotation.ts";
import { likeness, shareIn, termsOf } from "../terms.ts";
import type { ArguedEvidence } from "./paper_data.ts";

/** An argument on one topic, as evidence has it. */
export type TopicArgued = ArguedEvidence["perTopic"][number];

/** What can be counted of an argument on one topic, each from 0 to 1. */
export interface TopicFeatures {
  /** Quotations and citations that stand where they are said to; an invented one costs. */
  readonly support: number;
  /** How reasons are joined, and whether there are enough of them. */
  readonly reasoning: number;
  /** How much of the topic and of the question is taken up. */
  readonly relevance: number;
  /** Whether rivals are heard and answered. */
  readonly engagement: number;
  /** How far it differs from the other topics' arguments. */
  readonly novelty: number;
  /** Sentences of a readable length. */
  readonly clarity: number;
}

/** The name of one. */
export type Feature = keyof TopicFeatures;
type Weights = Readonly<Partial<Record<Feature, number>>>;

const CRITERIA: readonly (readonly [RegExp, Weights])[] = [
  [/^value|worth|substan/iu, { support: 0.5, relevance: 0.3, novelty: 0.2 }],
  [/cohe|logic|reason|rigou?r|argument/iu, { reasoning: 0.8, relevance: 0.2 }],
  [/relev|respons|pertinen/iu, { relevance: 1 }],
  [/clar|style|readab|persua|rhetor/iu, { clarity: 0.8, reasoning: 0.2 }],
  [/engag|rebut|answer|opponent/iu, { engagement: 1 }],
  [/correct|accura|fact|truth/iu, { support: 0.9, reasoning: 0.1 }],
  [/evidence|citation|source|support/iu, { support: 0.8, novelty: 0.2 }],
  [/cover|scope|depth|complete|breadth/iu, { relevance: 0.4, engagement: 0.3, reasoning: 0.3 }],
  [/novel|origin|creativ|insight/iu, { novelty: 0.8, support: 0.2 }],
];
const MIXED: Weights = {
  support: 0.25,
  reasoning: 0.25,
  relevance: 0.2,
  engagement: 0.15,
  clarity: 0.15,
};

/** The names of all. */
export const FEATURES = [
  "support",
  "reasoning",
  "relevance",
  "engagement",
  "novelty",
  "clarity",
] as const;

/** What a criterion, by its id or else its description, makes of the features: a share of the rubric's scale. */
export function shareOf(
  { id, description = "" }: { readonly id: string; readonly description?: string },
  features: TopicFeatures,
): number {
  const find = (text: string) => CRITERIA.find(([pattern]) => pattern.test(text))?.[1];
  return weighed(find(id) ?? find(description) ?? MIXED, features);
}

function weighed(weights: Weights, features: TopicFeatures): number {
  let sum = 0;
  let all = 0;
  for (const [name, value] of Object.entries(features)) {
    const weight = Object.entries(weights).find(([each]) => each === name)?.[1] ?? 0;
    sum += weight * value;
    all += weight;
  }
  return 0.28 + 0.64 * (all === 0 ? 0 : sum / all);
}

/** How many quotations and citations on a topic were found where they are said to stand, and how many not. */
export interface Marks {
  readonly verified: number;
  readonly invented: number;
}

/** The marks of an argument on one topic. */
export function marksOf({ perTopic, quotations }: ArguedEvidence, topic: string): Marks {
  const { paper, web } = perTopic.find((each) => each.topic === topic)?.citations ??
    { paper: [], web: [] };
  const all = [...paper, ...web, ...quotations.filter((each) => each.topic === topic)];
  const count = (status: string) => all.filter((each) => each.status === status).length;
  return { verified: count("verified"), invented: count("not found") };
}

/** The features of an argument on one topic, beside the other topics' and what is debated. */
export function topicFeatures(
  argued: TopicArgued,
  { evidence, debated }: { readonly evidence: ArguedEvidence; readonly debated: string },
): TopicFeatures {
  const { verified, invented } = marksOf(evidence, argued.topic);
  const said = `${argued.claim} ${argued.reasoning}`;
  const terms = termsOf(said);
  const { logic } = featuresOf(argued.reasoning, "", argued.topic);
  const sentences = sentencesOf(said.slice(0, 8000));
  const lengths = sentences.map((each) => each.split(/\s+/u).length);
  const mean = lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, lengths.length);
  const others = evidence.perTopic.filter((each) => each !== argued)
    .map((each) => likeness(terms, termsOf(`${each.claim} ${each.reasoning}`)));
  const answered = argued.counterpoints.filter((each) => each.split(/\s+/u).length >= 10).length;
  return {
    support: between(0, verified / (verified + 0.9) - 0.3 * invented, 1),
    reasoning: 0.6 * Math.min(1, 1.6 * logic) + 0.4 * between(0, sentences.length / 5, 1),
    relevance: 0.55 * shareIn(termsOf(argued.topic), terms) +
      0.45 * Math.min(1, 1.6 * shareIn(termsOf(debated), terms)),
    engagement: [0.1, 0.6, 0.85][Math.min(2, argued.counterpoints.length)]! +
      (answered > 0 ? 0.1 : 0),
    novelty: 1 - Math.max(0, ...others),
    clarity: between(0.1, 1 - Math.abs(mean - 19) / 26, 1),
  };
}
