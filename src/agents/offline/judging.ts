import { z } from "zod";
import type { RequestContext } from "../../core/agent.ts";
import { mixSeed } from "../../core/random.ts";
import { type Features, featuresOf } from "./features.ts";

const RubricData = z.object({
  rubric: z.object({
    scale: z.tuple([z.number(), z.number()]),
    criteria: z.array(z.object({ id: z.string(), description: z.string().default("") })).min(1),
  }),
  message: z.number().optional(),
});

const VerdictData = z.object({
  order: z.array(z.string()).min(2),
  labels: z.record(z.string(), z.string()),
  texts: z.record(z.string(), z.string()).optional(),
});

const KINDS: readonly (readonly [RegExp, keyof Features, string])[] = [
  [/respons|relevan|engag|answer/iu, "response", "how far it takes up what it answers"],
  [
    /evidence|correct|support|citation|fact/iu,
    "evidence",
    "the examples and observations it offers",
  ],
  [/logic|coheren|cohesi|argument|reason|rigou?r/iu, "logic", "how its reasons are joined"],
  [/rule|adheren|format|length|brev/iu, "length", "how it keeps to the form and length of a turn"],
  [/cover|topic|scope/iu, "topic", "how closely it keeps to the topic"],
  [/persua|clar|style|value|novel|rhetor/iu, "style", "the clarity and variety of its language"],
];

/** Scores by what can be counted in the turn; undefined when the question does not carry a rubric. */
export function scoreAnswer(context: RequestContext): unknown {
  const data = RubricData.safeParse(context.data);
  const turn = context.about.at(-1);
  if (!data.success || turn === undefined) return undefined;
  const { scale: [low, high], criteria } = data.data.rubric;
  const answered = context.about.length > 1 ? context.about[0]!.body : "";
  const features = featuresOf(turn.body, answered, context.topic);
  const key = `${data.data.message ?? context.key}`;
  const rows = criteria.map(({ id, description }) => {
    const [, feature, words] = kindOf(id) ?? kindOf(description) ?? KINDS[2]!;
    const share = 0.38 + 0.5 * features[feature] + jitter(context, key, id) * 0.03;
    return {
      id,
      words,
      share,
      score: rounded(low + (high - low) * Math.max(0, Math.min(1, share)), high - low),
    };
  });
  return {
    reasons: scoreReasons(turn.label, rows),
    scores: Object.fromEntries(rows.map(({ id, score }) => [id, score])),
  };
}

function kindOf(text: string): (typeof KINDS)[number] | undefined {
  return KINDS.find(([pattern]) => pattern.test(text));
}

interface Row {
  readonly id: string;
  readonly words: string;
  readonly share: number;
  readonly score: number;
}

function scoreReasons(label: string, rows: readonly Row[]): string {
  const sorted = [...rows].sort((a, b) => b.score - a.score);
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const each = rows.map(({ id, score, share }) => `${named(id)} is ${grade(share)} (${score})`)
    .join(", ");
  if (best === worst) {
    return `Judged by ${best.words}, the turn of ${label} is ${grade(best.share)} (${best.score}).`;
  }
  return `The turn of ${label} is strongest in ${
    named(best.id)
  }, judged by ${best.words}, and weakest in ${
    named(worst.id)
  }, judged by ${worst.words}. In detail: ${each}.`;
}

function named(id: string): string {
  return id.replaceAll("_", " ");
}

function grade(share: number): string {
  if (share >= 0.8) return "very good";
  if (share >= 0.68) return "good";
  if (share >= 0.56) return "fair";
  return share >= 0.45 ? "uneven" : "weak";
}

function rounded(value: number, range: number): number {
  const unit = range >= 5 ? 10 : 100;
  return Math.round(value * unit) / unit;
}

/** From −1 to 1, drawn from the convening's seed. */
function jitter({ seed, participant }: RequestContext, ...parts: string[]): number {
  return mixSeed(seed, participant, ...parts) / 0x80000000 - 1;
}

/** Two sides are as good as equal within this. */
const CLOSE = 0.004;

/** Who argued best over all turns, whatever the order shown; undefined when the question does not carry the sides. */
export function verdictAnswer(context: RequestContext): unknown {
  const data = VerdictData.safeParse(context.data);
  if (!data.success) return undefined;
  const { order, labels, texts } = data.data;
  const sides = order.map((id) => {
    const bodies = context.about.filter((each) => each.participant === id).map((each) => each.body);
    if (bodies.length === 0 && texts?.[id] !== undefined) bodies.push(texts[id]);
    return { id, label: labels[id] ?? id, ...meanOf(bodies, context, id) };
  }).sort((a, b) => b.mean - a.mean || (a.id < b.id ? -1 : 1));
  const [first, second] = [sides[0]!, sides[1]!];
  if (first.mean - second.mean < CLOSE) {
    return {
      reasons:
        `${first.label} and ${second.label} are as good as equal: ${first.label} does best in ${first.best}, ${second.label} in ${second.best}, and neither lead is clear over the whole record.`,
      winner: "tie",
    };
  }
  return {
    reasons:
      `Over all turns ${first.label} argues better than ${second.label}, most of all in ${first.best}; ${second.label} does best in ${second.best}, which does not make up for it.`,
    winner: first.label,
  };
}

const ASPECTS: readonly (readonly [keyof Features, string])[] = [
  ["logic", "the way reasons are joined"],
  ["evidence", "examples and observations"],
  ["response", "taking up what was said"],
  ["style", "clear and varied language"],
];

function meanOf(
  bodies: readonly string[],
  context: RequestContext,
  id: string,
): { mean: number; best: string } {
  const all = bodies.map((body) => featuresOf(body, "", context.topic));
  const means = ASPECTS.map(([feature, words]) => ({
    words,
    mean: all.reduce((sum, each) => sum + each[feature], 0) / Math.max(1, all.length),
    noise: jitter(context, id, feature) * 0.02,
  }));
  const best = means.reduce((a, b) => b.mean + b.noise * 8 > a.mean + a.noise * 8 ? b : a);
  return {
    mean: means.reduce((sum, each) => sum + each.mean + each.noise, 0) / means.length,
    best: best.words,
  };
}
