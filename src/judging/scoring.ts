// Rubrics, the built-in ones among them, and the arithmetic of scores: weights, totals and standings.
import { z } from "zod";
import { checkArguments } from "../core/check_fields.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Score } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { Rubric, Standing } from "../core/outcome.ts";
import { mean, round4 } from "../core/statistics.ts";
import { didYouMean } from "../core/text.ts";
import { isObject, memoByText } from "../core/values.ts";
import rubrics from "../data/rubrics.json" with { type: "json" };

/** The place of a message, by which turns of different sides are matched. */
export type ScoredTurn = Pick<Message, "seq" | "phase" | "round" | "kind">;

/** States the number of scores that are not in a total, such as `1 not scored, 2 left out`; empty if there are none. */
export function lackingWords(
  { missing, unmatched = 0 }: Pick<Standing, "missing" | "unmatched">,
): string {
  return [
    ...(missing === 0 ? [] : [`${missing} not scored`]),
    ...(unmatched === 0 ? [] : [`${unmatched} left out`]),
  ].join(", ");
}

/**
 * Checks a rubric and returns the rubric: weights within [0, 1] that sum to 1, unique ids in snake_case, a rising scale, distinct
 * anchors within the scale. Throws a `ConfigurationError` that calls the rubric `name`.
 */
export function checkRubric(rubric: Rubric, name: string = rubric.id): Rubric {
  const problem = rubricProblem(rubric);
  const misplaced = problem ?? anchorProblem(rubric) ??
    rubric.criteria.map(({ anchors = [] }) => anchorProblem({ ...rubric, anchors }))
      .find((each) => each !== undefined);
  if (misplaced === undefined) return rubric;
  throw new ConfigurationError(`Cannot use rubric "${name}": ${misplaced}`, {
    field: "rubric",
    hint: problem === undefined
      ? "Give a list of anchors, each with a number of its own within the scale; an empty list will do."
      : "A rubric has one or more criteria with ids of their own, whose weights sum to 1.",
  });
}

// Callers without type checks may omit keys.
function anchorProblem({ anchors, scale: [least, most] }: Rubric): string | undefined {
  if (!Array.isArray(anchors)) return "it has no anchors";
  const numbers = anchors.map(({ from }) => from);
  const outside = numbers.find((from) => !(from >= least && from <= most));
  if (outside !== undefined) {
    return `an anchor is from ${outside}, which is outside the scale of ${least} to ${most}`;
  }
  const twice = numbers.find((from, index) => numbers.indexOf(from) !== index);
  return twice === undefined ? undefined : `an anchor is from ${twice}, which is in anchors twice`;
}

function rubricProblem({ criteria, scale }: Rubric): string | undefined {
  if (!Array.isArray(criteria) || criteria.length === 0) return "it has no criteria";
  if (!Array.isArray(scale)) return "it has no scale";
  if (!(scale[0] < scale[1])) {
    return `its scale ${scale[0]} to ${scale[1]} does not rise`;
  }
  const ids = new Set(criteria.map((each) => each.id));
  if (ids.size !== criteria.length) {
    return "two of its criteria have the same id";
  }
  const odd = criteria.find(({ id }) => !/^[a-z][a-z0-9_]*$/.test(id));
  if (odd !== undefined) return `criterion id "${odd.id}" is not in snake_case`;
  const sum = criteria.reduce((total, each) => total + each.weight, 0);
  if (criteria.some((each) => !(each.weight >= 0)) || Math.abs(sum - 1) > 1e-9) {
    return `its weights sum to ${Number(sum.toFixed(9))}, not to 1`;
  }
  return undefined;
}

/**
 * Returns the rubric for a turn. If no other side had spoken before, omits the criteria for answers (`notApplicable` has their ids)
 * and distributes their weights over the rest.
 */
export function rubricFor(
  rubric: Rubric,
  isAnswer: boolean,
): { readonly applied: Rubric; readonly notApplicable: readonly string[] } {
  const kept = rubric.criteria.filter(({ answers }) => isAnswer || answers !== true);
  const isEmpty = kept.every(({ weight }) => weight === 0);
  if (isEmpty || kept.length === rubric.criteria.length) {
    return { applied: rubric, notApplicable: [] };
  }
  const weights = spreadOver(kept.map(({ id }) => id), weightsOf(rubric));
  const criteria = kept.map((each) => ({ ...each, weight: weights[each.id]! }));
  const notApplicable = rubric.criteria.filter((each) => !kept.includes(each)).map(({ id }) => id);
  return { applied: { ...rubric, criteria }, notApplicable };
}

/** Returns the weights of the `kept` criteria, with the weights of the others distributed over them. */
function spreadOver(
  kept: readonly string[],
  weights: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum = kept.reduce((total, id) => total + weights[id]!, 0);
  if (sum === 0 || kept.length === Object.keys(weights).length) return weights;
  return Object.fromEntries(kept.map((id) => [id, Number((weights[id]! / sum).toFixed(12))]));
}

/** Returns the weights of a rubric by criterion id. */
export function weightsOf(rubric: Rubric): Record<string, number> {
  return Object.fromEntries(rubric.criteria.map(({ id, weight }) => [id, weight]));
}

/** Returns the sum of the weighted scores as printed: each product and the sum are rounded to four decimals. */
export function weightedTotal(
  criteria: Readonly<Record<string, number>>,
  weights: Readonly<Record<string, number>>,
): number {
  // A record has thousands of totals: only a wrong call pays for the check.
  if (!isObject(criteria) || !isObject(weights)) {
    checkArguments("weightedTotal", { criteria, weights });
  }
  let total = 0;
  for (const [id, weight] of Object.entries(weights)) {
    total += round4((criteria[id] ?? 0) * weight);
  }
  return round4(total);
}

/** Returns a score with the judge's own numbers, as they were before refuted claims capped those for evidence. */
export function asJudged(score: Score): Score {
  if (score.judged === undefined) return score;
  const criteria = { ...score.criteria, ...score.judged };
  return { ...score, criteria, total: weightedTotal(criteria, score.weights) };
}

/** A judge's reply: reasons, then a score per criterion. */
export interface ScoreReply {
  readonly reasons: string;
  readonly scores: Readonly<Record<string, number>>;
}

/** Returns the schema of a score reply for a rubric; `order` is the order of the criteria in the question. */
export function scoreSchema(
  rubric: Rubric,
  order: readonly string[] = rubric.criteria.map((each) => each.id),
): z.ZodType<ScoreReply> {
  const asked = order.filter((each) => rubric.criteria.some(({ id }) => id === each));
  return replySchema(JSON.stringify({ scale: rubric.scale, asked }));
}

/** Returns one schema for the same scale and criteria, given as JSON: zod and the agents cache what they derive from a schema. */
const replySchema = memoByText(100, (json): z.ZodType<ScoreReply> => {
  const { scale: [least, most], asked }: Pick<Rubric, "scale"> & { asked: string[] } = JSON.parse(
    json,
  );
  const number = z.number().min(least).max(most);
  return z.object({
    reasons: z.string().min(1),
    scores: z.object(Object.fromEntries(asked.map((id) => [id, number]))),
  });
});

export interface RubricStandings {
  readonly rubric: string;
  /** Weights by criterion id; empty if nothing was scored. */
  readonly weights: Readonly<Record<string, number>>;
  /** Standings by participant id. */
  readonly scores: Record<string, Standing>;
  /** Ids of participants without a total: none of their scores could be read, or no judge scored a turn for every side. */
  readonly unscored: string[];
  /** Scores in the totals: of one judge and one place of the order each, with at least one score of every side. */
  readonly matched: readonly (readonly Score[])[];
}

/**
 * Returns the standings by each rubric of a panel; rubrics are ordered by their first score by message and judge. Without `messages`
 * the sides' turns are matched by their order.
 */
export function standingsByRubric(
  scores: readonly Score[],
  names: ReadonlyMap<string, string>,
  messages: readonly ScoredTurn[] = [],
): RubricStandings[] {
  // Sort by message and judge, so that the result does not depend on the order of answers.
  const sorted = scores.toSorted((a, b) =>
    a.message - b.message || Number(a.judge > b.judge) - Number(a.judge < b.judge)
  );
  const rubrics = Map.groupBy(sorted, ({ rubric }) => rubric);
  const places = new Map(
    messages.map(({ seq, phase, round, kind }) => [seq, `${phase}/${round}/${kind}`]),
  );
  return [...rubrics].map(([rubric, all]) => ({ rubric, ...standingsOf(all, names, places) }));
}

/**
 * Returns the standings: each participant's mean per criterion and weighted total. Means are taken per judge over the turns that the
 * judge scored for every side, then over the judges, so that an unreadable score favours no side. If judges have several rubrics,
 * returns those by the first judge's rubric: scores of different rubrics are never averaged.
 */
export function standings(
  scores: readonly Score[],
  names: ReadonlyMap<string, string>,
  messages: readonly ScoredTurn[] = [],
): { scores: Record<string, Standing>; unscored: string[] } {
  const [first] = standingsByRubric(scores, names, messages);
  return { scores: first?.scores ?? {}, unscored: first?.unscored ?? [] };
}

function standingsOf(
  scores: readonly Score[],
  names: ReadonlyMap<string, string>,
  places: ReadonlyMap<number, string>,
): Omit<RubricStandings, "rubric"> {
  const all = scores.filter(({ participant }) => names.has(participant));
  const by = Map.groupBy(all, ({ participant }) => participant);
  const asked = [...names.keys()].filter((id) => by.has(id));
  const readable = asked.filter((id) => by.get(id)!.some(({ status }) => status === "scored"));
  // Ignore a side without any readable score, so that it does not affect the others.
  const sides = readable.length > 1 ? readable : asked;
  const matched = [...Map.groupBy(all, ({ judge }) => judge).values()]
    .flatMap((own) => matchedOf(own, sides, places));
  if (matched.length === 0) return { weights: {}, scores: {}, unscored: asked, matched };
  const judges = [...Map.groupBy(matched.flat(), ({ judge }) => judge).values()];
  // Use the weights with the most criteria: a score on fewer criteria has redistributed weights.
  const widest = judges.flat().map((score) => score.weights)
    .reduce((a, b) => Object.keys(b).length > Object.keys(a).length ? b : a, {});
  const means = meansOf(judges, sides, Object.keys(widest));
  const weights = spreadOver([...means.keys()], widest);
  const found = sides.map((id, at) => {
    const own = judges.map((each) => each.filter(({ participant }) => participant === id));
    const breakdown = Object.fromEntries(
      [...means].map(([criterion, bySide]) => [criterion, round4(bySide[at]!)]),
    );
    const missing = by.get(id)!.filter(({ status }) => status !== "scored").length;
    const scored = own.flat().length;
    const unmatched = by.get(id)!.length - missing - scored;
    const total = weightedTotal(breakdown, weights);
    return [id, {
      name: names.get(id)!,
      total,
      breakdown,
      scored,
      missing,
      ...unmatched === 0 ? {} : { unmatched },
    }] as const;
  });
  const unscored = asked.filter((id) => !sides.includes(id));
  return { weights, scores: Object.fromEntries(found), unscored, matched };
}

/**
 * Returns by how much one side leads another at each place of the order, the mean over judges. Turns on several topics are compared
 * topic by topic.
 */
export function leadsOf(
  { matched }: Pick<RubricStandings, "matched">,
  side: string,
  other: string,
): number[] {
  const leads = matched.flatMap((scores) => {
    const place = scores.map(({ message }) => message).join();
    const parts = scores.flatMap(
      (score) => {
        const { participant, weights, total = 0, topics } = score;
        // A refuted claim caps the score of a turn, not of a topic.
        const cut = total - (asJudged(score).total ?? 0);
        return topics?.map(({ topic, criteria }) => ({
          participant,
          topic,
          total: weightedTotal(criteria, weights) + cut,
        })) ?? [{ participant, topic: "", total }];
      },
    );
    return [...Map.groupBy(parts, ({ topic }) => topic)].flatMap(([topic, all]) => {
      const [own, others] = [side, other].map((id) =>
        mean(all.filter(({ participant }) => participant === id).map(({ total }) => total))
      );
      if (own === undefined || others === undefined) return [];
      return [{ place: `${place}/${topic}`, lead: own - others }];
    });
  });
  return [...Map.groupBy(leads, ({ place }) => place).values()]
    .map((list) => mean(list.map(({ lead }) => lead))!);
}

/**
 * Returns by criterion each side's mean: the mean over the judges that scored the criterion for every side of each judge's mean.
 * Omits a criterion that no judge scored for every side, so that the criterion counts for no side.
 */
function meansOf(
  judges: readonly (readonly Score[])[],
  sides: readonly string[],
  criteria: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const bySide = judges.map((own) => Map.groupBy(own, ({ participant }) => participant));
  return new Map(criteria.flatMap((criterion) => {
    const whole = bySide.map((own) =>
      sides.flatMap((side) =>
        mean((own.get(side) ?? []).flatMap((score) => score.criteria[criterion] ?? [])) ?? []
      )
    ).filter((own) => own.length === sides.length);
    if (whole.length === 0) return [];
    return [[criterion, sides.map((_, at) => mean(whole.map((own) => own[at]!))!)] as const];
  }));
}

/**
 * Returns one judge's scores of turns that the judge scored for every side, by place. Turns are matched by phase, round and kind; turns without a
 * counterpart of every side, as in alternating rounds, are matched by their order: the first, second, … of each side.
 */
function matchedOf(
  scores: readonly Score[],
  sides: readonly string[],
  places: ReadonlyMap<number, string>,
): Score[][] {
  const isWhole = (list: readonly Score[]) =>
    sides.every((side) => list.some(({ participant }) => participant === side));
  const groups = [...Map.groupBy(scores, ({ message }) => places.get(message)).entries()]
    .filter(([place, list]) => place !== undefined && isWhole(list)).map(([, list]) => list);
  const grouped = new Set(groups.flat());
  const turns = new Map<string, number>();
  const others = Map.groupBy(scores.filter((score) => !grouped.has(score)), ({ participant }) => {
    turns.set(participant, (turns.get(participant) ?? 0) + 1);
    return turns.get(participant);
  });
  return [...groups, ...others.values()]
    .map((list) => list.filter(({ participant }) => sides.includes(participant)))
    .filter((list) => isWhole(list) && list.every(({ status }) => status === "scored"));
}

/** A built-in rubric, stored as JSON because every debate loads one at its start and YAML is slower to parse. */
interface RubricData {
  readonly scale: readonly number[];
  readonly weights: readonly number[];
  /** Ids of the criteria that refuted claims cap. */
  readonly evidence?: readonly string[];
  /** Ids of the criteria for answers to other sides. */
  readonly answers?: readonly string[];
  /** By criterion id: the description, then the texts of the anchors. */
  readonly criteria: Readonly<Record<string, readonly string[]>>;
  /** Texts of the rubric's own anchors. */
  readonly anchors: readonly string[];
}

/** Lower ends of the anchors of built-in rubrics, in tenths of the scale. */
const FROM = { rubric: [9, 7, 5, 3, 0], criterion: [2, 5, 8] } as const;

/** Id of a built-in rubric. */
export type RubricName = keyof typeof rubrics;

const BUILT_IN: Readonly<Partial<Record<string, RubricData>>> = rubrics;

/** Ids of the built-in rubrics, reserved for them. */
export const RUBRICS: readonly string[] = Object.keys(BUILT_IN);

/** Returns a built-in rubric. Throws a `ConfigurationError` that lists the ids if there is none with this id. */
export function rubricNamed(name: string): Rubric {
  const found = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  if (found === undefined) {
    throw new ConfigurationError(`Cannot use rubric "${name}": there is no rubric of that name`, {
      field: "rubric",
      hint: `${didYouMean(name, RUBRICS)}Built in: ${
        RUBRICS.join(", ")
      }. Write any other out, or give a YAML file where files are read.`,
    });
  }
  const { scale: [least = 0, most = 0], weights, criteria, anchors, ...marked } = found;
  const anchored = (words: readonly string[], tenths: readonly number[]) =>
    words.map((means, at) => ({ from: tenths[at]! * most / 10, means }));
  return checkRubric({
    id: name,
    scale: [least, most],
    criteria: Object.entries(criteria).map(([id, [description = "", ...words]], at) => ({
      id,
      weight: weights[at]!,
      description,
      ...(marked.evidence?.includes(id) ? { evidence: true } : {}),
      ...(marked.answers?.includes(id) ? { answers: true } : {}),
      anchors: anchored(words, FROM.criterion),
    })),
    anchors: anchored(anchors, FROM.rubric),
  });
}
