import type { RequestContext } from "../../../core/agent.ts";
import { mixSeed } from "../../../core/random.ts";
import { type Asked, between, phrase } from "../phrasing.ts";
import { evidenceIn } from "./argued_body.ts";
import { topicPhrase } from "./matter.ts";
import { dataOf, TopicScoresData } from "./paper_data.ts";
import {
  type Feature,
  FEATURES,
  type Marks,
  marksOf,
  shareOf,
  type TopicFeatures,
  topicFeatures,
} from "./topic_features.ts";

/** What an invented quotation takes off every criterion, as a share of the scale. */
const INVENTED = 0.05;
/** How much of the scale a seed decides. */
const DRAWN = 0.02;

/**
 * Numbers for every topic and criterion by what can be counted in the argument and by its marks, with notes that say why.
 * An argument without evidence is read off its message. Undefined where the question carries no rubric.
 */
export function topicScoresAnswer(asked: Asked): unknown {
  const { context, random } = asked;
  const data = dataOf(TopicScoresData, context);
  if (data === undefined) return undefined;
  const { rubric: { scale: [low, high], criteria }, topics } = data;
  const evidence = data.evidence ?? evidenceIn(context.about.at(-1)?.body ?? "", topics);
  return {
    perTopic: topics.map((topic) => {
      const argued = evidence.perTopic.find((each) => each.topic === topic);
      const marks = marksOf(evidence, topic);
      const features = argued && topicFeatures(argued, { evidence, debated: context.topic });
      const scores = criteria.map(({ id, description }) => {
        const share = features === undefined ? 0.05 : shareOf({ id, description }, features) -
          INVENTED * marks.invented + DRAWN * drawnFor(context, topic, id);
        return [id, rounded(low + (high - low) * between(0.02, share, 0.98), high - low)];
      });
      return {
        topic,
        notes: notesOn(topic, { features, marks, random }),
        scores: Object.fromEntries(scores),
      };
    }),
  };
}

/** What an argument usually has of each, so that notes name what stands out. */
const USUAL: Readonly<Record<Feature, number>> = {
  support: 0.78,
  reasoning: 0.66,
  relevance: 0.75,
  engagement: 0.72,
  novelty: 0.82,
  clarity: 0.78,
};

const STRONG: Readonly<Record<Feature, string>> = {
  support: "what is quoted and cited carries it",
  reasoning: "the reasons are joined step by step",
  relevance: "it keeps to the topic and to the question",
  engagement: "it hears what a rival would say and answers",
  novelty: "it says something that the other topics do not",
  clarity: "it is easy to follow",
};
const WEAK: Readonly<Record<Feature, string>> = {
  support: "little in it can be traced to the paper",
  reasoning: "its steps are asserted more than joined",
  relevance: "it says less on the topic itself than it might",
  engagement: "it gives rivals little room",
  novelty: "much of it could stand under the other topics as well",
  clarity: "its sentences are harder to follow than they need be",
};
const NOTES: readonly string[] = [
  "on {topic} {strong}, while {weak}; {marks}",
  "as to {topic}, {strong}, and {weak}; {marks}",
  "what is argued on {topic} is [mostly|largely] [convincing|sound] in that {strong}, less so in that {weak}; {marks}",
  "with {topic} the [gain|strength] is that {strong}, the [loss|weakness] that {weak}; {marks}",
];

function notesOn(
  topic: string,
  { features, marks, random }: {
    readonly features: TopicFeatures | undefined;
    readonly marks: Marks;
    readonly random: () => number;
  },
): string {
  const name = topicPhrase(topic) ?? "this topic";
  if (features === undefined) return `Nothing was argued on ${name}.`;
  const beside = (name: string, value: number) => value - USUAL[featureNamed(name)];
  const sorted = Object.entries(features).map(([name, value]) =>
    [name, beside(name, value)] as const
  )
    .sort((a, b) => b[1] - a[1]);
  const best = featureNamed(sorted[0]![0]);
  const worst = featureNamed(sorted.at(-1)![0]);
  const slots = {
    topic: [name],
    strong: [STRONG[best]],
    weak: [WEAK[worst]],
    marks: [marksSaid(marks)],
  };
  return phrase(NOTES, slots, random);
}

function featureNamed(name: string): Feature {
  return FEATURES.find((each) => each === name) ?? "reasoning";
}

function marksSaid({ verified, invented }: Marks): string {
  const all = verified + invented;
  if (all === 0) return "nothing is quoted or cited";
  if (invented === 0) {
    if (all === 1) return "its one quotation or citation was found where it is said to stand";
    return all === 2
      ? "its quotation and its citation were found where they are said to stand"
      : `all ${all} of its quotations and citations were found where they are said to stand`;
  }
  return `of its ${all} quotations and citations ${invented} could not be found, which costs it points`;
}

function rounded(value: number, range: number): number {
  const unit = range >= 5 ? 10 : 100;
  return Math.round(value * unit) / unit;
}

/** From −1 to 1, drawn from the convening's seed. */
function drawnFor({ seed, participant, key }: RequestContext, ...parts: string[]): number {
  return mixSeed(seed, participant, key, ...parts) / 0x80000000 - 1;
}
