import { z } from "zod";
import { ConfigurationError } from "./error.ts";
import type { Outcome, Score, Verdict } from "./fact.ts";

/** One criterion of a rubric. */
export interface Criterion {
  /** snake_case. */
  readonly id: string;
  /** Its share of the total; all of a rubric's sum to 1. */
  readonly weight: number;
  /** What it asks, one sentence. */
  readonly description: string;
}

/** What judges score by, as data. */
export interface Rubric {
  /** Records name the rubric by it. */
  readonly id: string;
  /** The least and the most a criterion can get. */
  readonly scale: readonly [number, number];
  /** Weights sum to 1. */
  readonly criteria: readonly Criterion[];
  /** What the numbers mean, from the top of the scale down. */
  readonly anchors: readonly {
    readonly from: number;
    readonly means: string;
  }[];
}

/** A participant's standing: the weighted total and the mean of each criterion. */
export interface Standing {
  /** The participant's name. */
  readonly name: string;
  /** On the rubric's scale, four decimals. */
  readonly total: number;
  /** From criterion id to mean, four decimals. */
  readonly breakdown: Readonly<Record<string, number>>;
  /** How many turns were scored. */
  readonly scored: number;
  /** How many scores could not be had. */
  readonly missing: number;
}

/** Four decimals: what files show is what is added up. */
export function round4(value: number): number {
  return Math.round((value + Number.EPSILON) * 1e4) / 1e4;
}

/**
 * The rubric, checked: weights within [0, 1] that sum to 1, ids in snake_case and unique, a scale that rises, anchors
 * within it, each once. Errors name it by `name`, its id by default.
 */
export function checkRubric(rubric: Rubric, name: string = rubric.id): Rubric {
  const problem = rubricProblem(rubric);
  const misplaced = problem ?? anchorProblem(rubric);
  if (misplaced === undefined) return rubric;
  throw new ConfigurationError(`Cannot use rubric "${name}": ${misplaced}`, {
    field: "rubric",
    hint: problem === undefined
      ? "Give each anchor a number of its own within the scale."
      : "A rubric has one or more criteria with ids of their own, whose weights sum to 1.",
  });
}

function anchorProblem({ anchors, scale: [least, most] }: Rubric): string | undefined {
  const numbers = anchors.map(({ from }) => from);
  const outside = numbers.find((from) => !(from >= least && from <= most));
  if (outside !== undefined) {
    return `an anchor is from ${outside}, which is outside the scale of ${least} to ${most}`;
  }
  const twice = numbers.find((from, index) => numbers.indexOf(from) !== index);
  return twice === undefined ? undefined : `an anchor is from ${twice}, which is in anchors twice`;
}

function rubricProblem({ criteria, scale }: Rubric): string | undefined {
  if (criteria.length === 0) return "it has no criteria";
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
  if (
    criteria.some((each) => !(each.weight >= 0)) || Math.abs(sum - 1) > 1e-9
  ) {
    return `its weights sum to ${Number(sum.toFixed(9))}, not to 1`;
  }
  return undefined;
}

/** The weights of a rubric by criterion id. */
export function weightsOf(rubric: Rubric): Record<string, number> {
  return Object.fromEntries(
    rubric.criteria.map(({ id, weight }) => [id, weight]),
  );
}

/** The sum of the weighted rows as printed: each number to four decimals, and so the sum. */
export function weightedTotal(
  criteria: Readonly<Record<string, number>>,
  weights: Readonly<Record<string, number>>,
): number {
  let total = 0;
  for (const [id, weight] of Object.entries(weights)) {
    total += round4((criteria[id] ?? 0) * weight);
  }
  return round4(total);
}

/** A judge's reply: reasons first, then a number per criterion. */
export interface ScoreReply {
  readonly reasons: string;
  readonly scores: Readonly<Record<string, number>>;
}

/** The shape of a score reply for one rubric; `order` is the order in which the criteria are asked. */
export function scoreSchema(
  rubric: Rubric,
  order: readonly string[] = rubric.criteria.map((each) => each.id),
): z.ZodType<ScoreReply> {
  const number = z.number().min(rubric.scale[0]).max(rubric.scale[1]);
  return z.object({
    reasons: z.string().min(1),
    scores: z.object(Object.fromEntries(order.map((id) => [id, number]))),
  });
}

/** The standings by one rubric of those a panel scores by. */
export interface RubricStandings {
  /** The rubric's id. */
  readonly rubric: string;
  /** From criterion id to weight; empty where nothing was scored. */
  readonly weights: Readonly<Record<string, number>>;
  /** By participant id. */
  readonly scores: Record<string, Standing>;
  /** Those without any readable score. */
  readonly unscored: string[];
}

/** The standings by each rubric of a panel, the rubric of the first score by message and judge first. */
export function standingsByRubric(
  scores: readonly Score[],
  names: ReadonlyMap<string, string>,
): RubricStandings[] {
  // In the order of messages and judges, so that nothing depends on which answer came first.
  const sorted = scores.toSorted((a, b) =>
    a.message - b.message || Number(a.judge > b.judge) - Number(a.judge < b.judge)
  );
  const rubrics = Map.groupBy(sorted, ({ rubric }) => rubric);
  return [...rubrics].map(([rubric, all]) => ({ rubric, ...standingsOf(all, names) }));
}

/**
 * The standings: a participant's mean per criterion over its scored turns, and the weighted total. Of judges with several
 * rubrics, those by the first of {@linkcode standingsByRubric}: numbers of two rubrics have no mean.
 */
export function standings(
  scores: readonly Score[],
  names: ReadonlyMap<string, string>,
): { scores: Record<string, Standing>; unscored: string[] } {
  const [first] = standingsByRubric(scores, names);
  return { scores: first?.scores ?? {}, unscored: first?.unscored ?? [] };
}

function standingsOf(
  scores: readonly Score[],
  names: ReadonlyMap<string, string>,
): Omit<RubricStandings, "rubric"> {
  const by = Map.groupBy(scores, ({ participant }) => participant);
  const weights = scores.find(({ status }) => status === "scored")?.weights ?? {};
  const result: Record<string, Standing> = {};
  const unscored: string[] = [];
  for (const [id, name] of names) {
    const all = by.get(id);
    if (all === undefined) continue;
    const read = all.filter(({ status }) => status === "scored");
    if (read.length === 0) {
      unscored.push(id);
      continue;
    }
    const breakdown: Record<string, number> = {};
    for (const criterion of Object.keys(weights)) {
      const sum = read.reduce((total, score) => total + (score.criteria[criterion] ?? 0), 0);
      breakdown[criterion] = round4(sum / read.length);
    }
    result[id] = {
      name,
      total: weightedTotal(breakdown, weights),
      breakdown,
      scored: read.length,
      missing: all.length - read.length,
    };
  }
  return { weights, scores: result, unscored };
}

/** What the judges' verdicts come to. */
export interface Decision {
  /** Whether there is a winner. */
  readonly outcome: Outcome;
  /** A participant's id; null where no side has most votes. */
  readonly winner: string | null;
  /** How many judges named each participant in every order. */
  readonly votes: Readonly<Record<string, number>>;
  /** Judges that named no one, changed their mind with the order, or could not be read. */
  readonly ties: number;
}

/**
 * The winner, apart from the numbers: a judge that names the same side in every order has one vote, any other counts as
 * a tie; a majority over all judges wins. `unscored` only where no score and no verdict could be read.
 */
export function decide(
  verdicts: readonly Verdict[],
  scores: readonly Score[],
): Decision {
  const by = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const key = `${verdict.judge}\u0000${verdict.model}`;
    by.set(key, [...(by.get(key) ?? []), verdict]);
  }
  const votes: Record<string, number> = {};
  let ties = 0;
  for (const list of by.values()) {
    const winners = new Set(
      list.map((each) => each.status === "read" ? each.winner : null),
    );
    const [winner] = winners;
    if (winners.size === 1 && typeof winner === "string" && list.length > 1) {
      votes[winner] = (votes[winner] ?? 0) + 1;
    } else ties++;
  }
  const [top] = Object.entries(votes).filter(([, count]) => count * 2 > by.size);
  if (top !== undefined) {
    return { outcome: "decided", winner: top[0], votes, ties };
  }
  const read = verdicts.some((each) => each.status === "read") ||
    scores.some((each) => each.status === "scored");
  return {
    outcome: read ? "undecided" : "unscored",
    winner: null,
    votes,
    ties,
  };
}
