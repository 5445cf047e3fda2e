import { shuffled } from "../../../core/random.ts";
import { type Asked, between } from "../phrasing.ts";
import { sentencesOf } from "../quotation.ts";
import { likeness, termsOf } from "../terms.ts";
import { topicPhrase } from "./matter.ts";
import { outsidePhrase } from "./outside_words.ts";
import { type ArguedEvidence, dataOf, InsightsData } from "./paper_data.ts";
import { CONTROVERSIES, INSIGHTS, OPEN_AT_LARGE } from "./phrases_insights.ts";
import { shortPosture } from "./report.ts";

/** The fewest and the most of each. */
const [FEWEST_INSIGHTS, MOST_INSIGHTS] = [3, 5];
const [FEWEST_POINTS, MOST_POINTS] = [2, 4];
/** The longest words of others in an insight, in characters. */
const LONGEST = 260;

type TopicArgued = ArguedEvidence["perTopic"][number];

/** What the arguments have in common and where they part, in numbers and in their own words. */
interface Reading {
  readonly args: readonly ArguedEvidence[];
  readonly topics: readonly string[];
  readonly random: () => number;
}

/**
 * What the arguments brought to light and what they did not agree on, read off their citations and claims. Undefined
 * where the question does not carry the arguments.
 */
export function insightsAnswer({ context, random }: Asked): unknown {
  const data = dataOf(InsightsData, context);
  if (data === undefined) return undefined;
  const args = data.arguments.filter(({ perTopic }) => perTopic.length > 0);
  const own = args.flatMap(({ perTopic }) => perTopic.map(({ topic }) => topic));
  const topics = data.topics.length > 0 ? data.topics : [...new Set(own)];
  const reading: Reading = { args, topics, random };
  const insights = [
    ...sharedPassages(reading),
    ...supported(reading),
    ...marksFound(reading),
    ...concessions(reading),
  ];
  const points = controversies(reading);
  return {
    insights: padded(unique(insights), INSIGHTS.atLarge, { ...reading, least: FEWEST_INSIGHTS })
      .slice(0, MOST_INSIGHTS),
    controversialPoints: padded(unique(points), OPEN_AT_LARGE, { ...reading, least: FEWEST_POINTS })
      .slice(0, MOST_POINTS),
  };
}

/** Passages that several postures rely on. */
function sharedPassages({ args, random }: Reading): string[] {
  const uses = new Map<string, { readonly text: string; readonly by: Set<string> }>();
  for (const { posture, perTopic } of args) {
    for (const { paper } of perTopic.map(({ citations }) => citations)) {
      for (const { text, status } of paper) {
        const words = text.replace(/\s+/gu, " ").trim();
        if (
          status === "not found" || words.length < 12 || words.length > LONGEST ||
          /["“”]/u.test(words)
        ) continue;
        const use = uses.get(words) ?? { text: words, by: new Set<string>() };
        use.by.add(posture);
        uses.set(words, use);
      }
    }
  }
  const shared = [...uses.values()].filter(({ by }) => by.size > 1)
    .sort((a, b) => b.by.size - a.by.size || (a.text < b.text ? -1 : 1));
  return shared.slice(0, 2).map(({ text, by }, i) => {
    const [a, b] = [...by].map(shortPosture);
    const list = by.size === args.length && args.length > 2
      ? INSIGHTS.sharedByAll
      : INSIGHTS.shared;
    return outsidePhrase([list[(i + Math.floor(random() * list.length)) % list.length]!], {
      a: [a!],
      b: [b!],
      q: [`“${text.replace(/(?<!\.)\.$/u, "")}”`],
    }, random);
  });
}

/** The topics with the most and the fewest passages behind them. */
function supported({ args, topics, random }: Reading): string[] {
  const counted = topics.map((topic) => ({
    topic,
    count: args.flatMap(({ perTopic }) => perTopic.filter((each) => each.topic === topic))
      .flatMap(({ citations }) => citations.paper).filter(({ status }) => status !== "not found")
      .length,
  })).sort((a, b) => b.count - a.count);
  const [most, least] = [counted[0], counted.at(-1)];
  if (most === undefined || least === undefined || most.count <= least.count) return [];
  return [outsidePhrase(INSIGHTS.supported, {
    a: [named(most.topic)],
    b: [named(least.topic)],
    n: [String(most.count)],
    l: [least.count === 0 ? "none" : String(least.count)],
  }, random)];
}

function marksFound({ args, random }: Reading): string[] {
  const all = args.flatMap(({ quotations }) => quotations);
  const missing = all.filter(({ status }) => status === "not found").length;
  if (all.length < 2) return [];
  const list = missing === 0 ? INSIGHTS.allFound : INSIGHTS.someMissing;
  return [outsidePhrase(list, { n: [String(all.length)], l: [String(missing)] }, random)];
}

/** What a side holds against itself, in its own words. */
function concessions({ args, random }: Reading): string[] {
  const all = args.flatMap(({ posture, perTopic }) =>
    perTopic.flatMap(({ topic, counterpoints }) =>
      counterpoints.slice(-1).map((said) => ({ posture, topic, said: firstSentence(said) }))
    )
  ).filter(({ said }) => said !== "");
  return shuffled(all, random).slice(0, 1).map(({ posture, topic, said }) =>
    outsidePhrase(INSIGHTS.conceded, {
      a: [shortPosture(posture)],
      topic: [named(topic)],
      said: [said],
    }, random)
  );
}

/** The topics on which the claims have least in common, with the two that are farthest apart. */
function controversies({ args, topics, random }: Reading): string[] {
  const parted = topics.flatMap((topic) => {
    const claims = args.flatMap(({ posture, perTopic }) =>
      perTopic.filter((each) => each.topic === topic).map((each) => ({ posture, each }))
    );
    const pairs = claims.flatMap((a, i) =>
      claims.slice(i + 1).map((b) => ({ topic, a, b, like: likenessOf(a.each, b.each) }))
    );
    return pairs.sort((a, b) => a.like - b.like).slice(0, 1);
  }).sort((a, b) => a.like - b.like);
  const wanted = between(FEWEST_POINTS, Math.ceil(topics.length / 2), MOST_POINTS);
  const lists = shuffled(CONTROVERSIES, random);
  return parted.slice(0, wanted).map(({ topic, a, b }, i) =>
    outsidePhrase([lists[i % lists.length]!], {
      topic: [named(topic)],
      a: [shortPosture(a.posture)],
      b: [shortPosture(b.posture)],
      x: [firstSentence(a.each.claim)],
      y: [firstSentence(b.each.claim)],
    }, random)
  );
}

function likenessOf(a: TopicArgued, b: TopicArgued): number {
  const ids = (each: TopicArgued) => new Set(each.citations.paper.map(({ chunkId }) => chunkId));
  return likeness(termsOf(`${a.claim} ${a.reasoning}`), termsOf(`${b.claim} ${b.reasoning}`)) -
    0.2 * likeness(ids(a), ids(b));
}

/** The first sentence of others, without its full stop and on one line. */
function firstSentence(text: string): string {
  const [first = ""] = sentencesOf(text.slice(0, 2000));
  const line = first.replace(/\s+/gu, " ").replace(/[.…]+$/u, "").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, line.lastIndexOf(" ", LONGEST - 2))} …`;
}

function named(topic: string): string {
  return topicPhrase(topic) ?? "one of the topics";
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function padded(
  texts: readonly string[],
  more: readonly string[],
  { topics, random, least }: Reading & { readonly least: number },
): string[] {
  const extra = shuffled(more, random).map((each) =>
    outsidePhrase([each], { topic: [named(topics[0] ?? "")] }, random)
  );
  return [...texts, ...extra.slice(0, Math.max(0, least - texts.length))];
}
