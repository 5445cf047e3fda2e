import { z } from "zod";
import type { RequestContext } from "../../../core/agent.ts";
import { mixSeed } from "../../../core/random.ts";
import { evidenceIn, topicsIn } from "./argued_body.ts";
import { dataOf } from "./paper_data.ts";
import { type Feature, FEATURES, shareOf, topicFeatures } from "./topic_features.ts";

const VerdictData = z.object({
  order: z.array(z.string()).min(2),
  labels: z.record(z.string(), z.string()),
});

/** Two debaters are as good as equal within this share of the whole. */
const CLOSE = 0.002;
/** What a debate over papers is judged by where nothing else is said. */
const CRITERIA = ["value", "cohesiveness", "relevance", "clarity", "engagement"] as const;

const ASPECTS: Readonly<Record<Feature, string>> = {
  support: "what it quotes and cites",
  reasoning: "the way its reasons are joined",
  relevance: "keeping to the topics and the question",
  engagement: "hearing rivals and answering them",
  novelty: "having something of its own to say on every topic",
  clarity: "sentences that are easy to follow",
};

interface Side {
  readonly id: string;
  readonly label: string;
  readonly mean: number;
  readonly features: Readonly<Record<Feature, number>>;
}

/**
 * Which debater argued best, whatever the order shown, by the features that the numbers are made of; undefined where the
 * question is not about arguments over papers.
 */
export function paperVerdict(context: RequestContext): unknown {
  const data = dataOf(VerdictData, context);
  if (data === undefined) return undefined;
  const sides = data.order.map((id) => sideOf(context, id, data.labels[id] ?? id));
  const known = sides.filter((side) => side !== undefined);
  if (known.length < sides.length) return undefined;
  const [first, second] = known.sort((a, b) => b.mean - a.mean || (a.id < b.id ? -1 : 1));
  const own = aspect(first!, second!);
  const theirs = aspect(second!, first!);
  if (first!.mean - second!.mean < CLOSE) {
    return {
      reasons: `${first!.label} and ${second!.label} are as good as equal: ${
        first!.label
      } is ahead in ${own}, ${
        second!.label
      } in ${theirs}, and neither lead is clear over all topics.`,
      winner: "tie",
    };
  }
  return {
    reasons: `Over all topics ${first!.label} argues best, ahead of ${
      second!.label
    } most of all in ${own}; ${
      second!.label
    } comes nearest in ${theirs}, which does not make up for it.`,
    winner: first!.label,
  };
}

function sideOf(context: RequestContext, id: string, label: string): Side | undefined {
  const said = context.about.filter(({ participant }) => participant === id);
  const body = said.find((each) => topicsIn(each.body).length > 0)?.body;
  if (body === undefined) return undefined;
  const evidence = evidenceIn(body, topicsIn(body));
  const all = evidence.perTopic.map((argued) =>
    topicFeatures(argued, { evidence, debated: context.topic })
  );
  const shares = all.flatMap((features) =>
    CRITERIA.map((criterion) => shareOf({ id: criterion }, features))
  );
  const drawn = mixSeed(context.seed, context.participant, id) / 0x100000000;
  return {
    ...{ id, label },
    mean: mean(shares) + 0.002 * drawn,
    features: {
      support: mean(all.map(({ support }) => support)),
      reasoning: mean(all.map(({ reasoning }) => reasoning)),
      relevance: mean(all.map(({ relevance }) => relevance)),
      engagement: mean(all.map(({ engagement }) => engagement)),
      novelty: mean(all.map(({ novelty }) => novelty)),
      clarity: mean(all.map(({ clarity }) => clarity)),
    },
  };
}

/** Where one side does best beside the other. */
function aspect(one: Side, other: Side): string {
  const ahead = (name: Feature) => one.features[name] - other.features[name];
  return ASPECTS[FEATURES.reduce((a, b) => ahead(b) > ahead(a) ? b : a)];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}
