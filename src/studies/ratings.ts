// Ratings of a study's contestants: choice of the model, intervals and ranks.
import { sha256 } from "../core/message.ts";
import { LEAST_DRAWN, mixSeed, seededRandom, tailsOf, Z95 } from "../core/statistics.ts";
import { counted } from "../core/text.ts";
import { defined } from "../core/values.ts";
import {
  comparisonsOf,
  type DebateComparison,
  decidedOf,
  hasContestant,
  hasResult,
  ratedDebates,
} from "./comparisons.ts";
import {
  bootstrap,
  type Comparison,
  type Fit,
  fit,
  type FitOptions,
  sandwich,
  strongGroups,
} from "./fit.ts";
import type { RatingSettings, StudyDebate } from "./study.ts";

/** Rating points per unit of strength. */
export const POINTS = 400 / Math.LN10;
/** Precision of the prior if results do not connect all contestants. */
const RIDGE = 0.01;
/** Minimum number of clusters for cluster-robust standard errors: in all, and of each contestant with enough debates for a rating. */
const CLUSTERS = { all: 30, each: 10 } as const;
/** Minimum decided debates and opponents, and maximum standard error of the strength or the effect of length, for a rating. */
export const NEEDED = { decided: 10, opponents: 3, error: 1 } as const;

/** Lower and upper end of a 95 % interval. */
export type Interval = readonly [low: number, high: number];

interface Estimate {
  readonly estimate: number;
  readonly standardError: number;
  readonly interval: Interval;
}

/** Rating of a contestant; null values are not determined by the data. */
export interface Rating {
  /** Contestant id. */
  readonly contestant: string;
  /** Best and worst rank consistent with the significant differences. */
  readonly ranks: readonly [best: number, worst: number] | null;
  /** Rating in points: the mean of the largest connected group is 1500; without ties, 400 points are odds of 10 to 1. */
  readonly rating: number | null;
  /** 95 % interval of the rating. */
  readonly interval: Interval | null;
  /** Rating from a fit without the covariate of length. */
  readonly withoutLength: number | null;
  /** Reason for a missing rating or rank. */
  readonly reason?: string;
}

/** Ratings of a study, with the data needed to reproduce them. */
export interface StudyRatings {
  readonly study: string;
  /** SHA-256 of the plan. */
  readonly plan: string;
  readonly model: FitOptions & {
    /** Source of standard errors. */
    readonly errors: "information" | "cluster sandwich" | "bootstrap";
    readonly clusters: number;
    /** Number of bootstrap samples with a fit. */
    readonly samples?: number;
    /** Root mean square of `(a − b) / (a + b + 1)` over comparisons, with the words `a` and `b` of the sides. */
    readonly lengthScale: number;
  };
  /** Sentences about parts of the model that the data do not determine. */
  readonly notes: readonly string[];
  /** Strongly connected groups of contestants, the largest first. */
  readonly groups: readonly (readonly string[])[];
  /** Ratings, the best first; contestants without a rating last. */
  readonly ratings: readonly Rating[];
  /** Advantage of the first seat, on the scale of strengths. */
  readonly side?: Estimate;
  /** Effect of a difference of length of `lengthScale`, on the scale of strengths. */
  readonly length?: Estimate;
  /** Weight of a tie between equal contestants; a win of either has weight 1. */
  readonly tie?: number;
  /** Fitted parameters; absent without a fit. */
  readonly fit?: Pick<Fit, "parameters" | "logLikelihood" | "steps"> & {
    readonly estimates: readonly number[];
    readonly covariance: readonly (readonly number[])[];
  };
  /** Number of debates excluded because the debate with exchanged seats has no result. */
  readonly unmatched: number;
  /** SHA-256 of `comparisons` as JSON. */
  readonly data: string;
  readonly comparisons: readonly DebateComparison[];
}

/** Rates the contestants of a study; `debates` are all planned debates. */
export function rateStudy(
  { study, plan, debates }: {
    readonly study: string;
    /** SHA-256 of the plan. */
    readonly plan: string;
    readonly debates: readonly StudyDebate[];
  },
  settings: RatingSettings = {},
): StudyRatings {
  const rated = ratedDebates(debates);
  const { comparisons, lengthScale } = comparisonsOf(rated);
  const groups = strongGroups(comparisons);
  const { fitted, options, notes } = chosenFit(comparisons, { groups, settings });
  const clusters = clustersIn(comparisons);
  const wanted = settings.bootstrap ?? 0;
  const { samples, errors, ...judged } = withErrors(comparisons, fitted, {
    samples: wanted,
    random: seededRandom(mixSeed(1, study, plan)),
  });
  return {
    study,
    plan,
    model: { ...options, errors, clusters, ...samples !== undefined && { samples }, lengthScale },
    notes: wanted === 0 || fitted === undefined || errors === "bootstrap" ? notes : [
      ...notes,
      wanted < 2
        ? "The bootstrap is left out: it needs two samples or more."
        : clusters < LEAST_DRAWN
        ? `The bootstrap is left out: it needs ${LEAST_DRAWN} clusters or more, there are ${clusters}.`
        : "The bootstrap is left out: over a tenth of its samples do not determine the ratings.",
    ],
    groups,
    ratings: ratingsOf(comparisons, { fitted: judged.fitted, plain: fitted, groups, debates }),
    ...effectsOf(judged.fitted),
    unmatched: debates.filter(hasResult).length - rated.length,
    data: sha256(JSON.stringify(comparisons)),
    comparisons,
  };
}

/** Fits the richest model that the data determine; the notes explain omitted parts. */
function chosenFit(
  comparisons: readonly DebateComparison[],
  { groups, settings }: {
    readonly groups: readonly (readonly string[])[];
    readonly settings: RatingSettings;
  },
): { readonly fitted: Fit | undefined; readonly options: FitOptions; readonly notes: string[] } {
  const { ties = "davidson", side = true, covariates = ["length"], ridge = 0 } = settings;
  const isConnected = groups.length === 1;
  const tied = comparisons.filter(({ score }) => score === 0.5).length;
  const bothWays = isSeatedBothWays(comparisons);
  const richest: FitOptions = {
    ridge: ridge === 0 && !isConnected ? RIDGE : ridge,
    ties: tied === 0 ? "half" : ties,
    side: side && bothWays,
    covariates: comparisons.some(({ x }) => x[0] !== 0) ? covariates.length : 0,
  };
  const notes: string[] = [];
  const without = (why: string) => ({
    fitted: undefined,
    options: richest,
    notes: [...notes, why],
  });
  if (comparisons.length === 0) {
    return without("No debate of two contestants has ended with a result: there are no ratings.");
  }
  if (!isConnected) notes.push(groupNote(groups, richest.ridge));
  if (side && !bothWays) {
    notes.push("No pair was seated both ways: the advantage of the first seat is not estimated.");
  }
  if (tied === comparisons.length) {
    const count = new Set(comparisons.map(({ debate }) => debate)).size;
    return without(`All ${count} debates are tied: nothing tells the contestants apart.`);
  }
  const withLess = [
    richest,
    { ...richest, covariates: 0 },
    { ...richest, side: false },
    { ...richest, side: false, covariates: 0 },
  ];
  for (const options of withLess) {
    const fitted = fit(comparisons, options);
    if (fitted === undefined) continue;
    // The effect is open where each contestant or seat always has the same length.
    const { standardError: open = 0 } = effectIn(fitted, "length") ?? {};
    if (!(open <= NEEDED.error)) continue;
    const lost = [
      ...options.side === richest.side ? [] : ["the advantage of the first seat"],
      ...options.covariates === richest.covariates ? [] : ["the effect of length"],
    ];
    const why = `The data do not determine ${lost.join(" and ")}: left out of the ratings.`;
    return { fitted, options, notes: lost.length === 0 ? notes : [...notes, why] };
  }
  return without("The data do not determine the ratings, since some results never vary.");
}

function clustersIn(comparisons: readonly Comparison[]): number {
  return new Set(comparisons.map(({ cluster }) => cluster)).size;
}

/** True if there are enough clusters for errors by cluster of a fit with these parameters. */
export function hasClusters(
  comparisons: readonly Comparison[],
  { names, parameters }: Pick<Fit, "names" | "parameters">,
): boolean {
  return clustersIn(comparisons) >= Math.max(CLUSTERS.all, parameters.length) &&
    names.every((name) => {
      const own = comparisons.filter(({ first, second }) => name === first || name === second);
      return own.length < NEEDED.decided || clustersIn(own) >= CLUSTERS.each;
    });
}

/** True if some pair has debates with exchanged seats. */
function isSeatedBothWays(comparisons: readonly DebateComparison[]): boolean {
  const seated = new Set(comparisons.map(({ first, second }) => JSON.stringify([first, second])));
  return comparisons.some(({ first, second }) => seated.has(JSON.stringify([second, first])));
}

function groupNote(groups: readonly (readonly string[])[], ridge: number): string {
  const lists = groups.map((group) => group.join(", ")).join("; ");
  const isAlone = groups[0]!.length === 1;
  return `Results do not connect all contestants both ways: the groups are ${lists}. ` +
    `Gaps between groups come from a prior of precision ${ridge}, and ` +
    `${isAlone ? "no contestant has a rank" : "only the largest group has ranks"}.`;
}

/** Minimum share of bootstrap samples with a fit; at least two samples are needed. */
const DETERMINED = 0.9;

/** Returns the fit with the covariance for intervals: from the bootstrap, by cluster, or from the information matrix. */
function withErrors(
  comparisons: readonly DebateComparison[],
  fitted: Fit | undefined,
  { samples, random }: { readonly samples: number; readonly random: () => number },
): Pick<StudyRatings["model"], "errors" | "samples"> & { readonly fitted: Fit | undefined } {
  if (fitted !== undefined && samples > 0 && clustersIn(comparisons) >= LEAST_DRAWN) {
    const { covariance, used } = bootstrap(comparisons, fitted, { samples, random });
    // With few clusters, only samples that resemble each other have a fit: they say little about errors.
    if (used >= Math.max(2, DETERMINED * samples)) {
      return { fitted: { ...fitted, covariance }, errors: "bootstrap", samples: used };
    }
  }
  if (fitted === undefined || !hasClusters(comparisons, fitted)) {
    return { fitted, errors: "information" };
  }
  const covariance = sandwich(comparisons, fitted);
  // If the seatings of every pair cancel out, cluster gradients are 0 and say nothing about errors.
  if (covariance.some((row, at) => row[at]! < 1e-9)) return { fitted, errors: "information" };
  return { fitted: { ...fitted, covariance }, errors: "cluster sandwich" };
}

/** Returns the rating of every contestant of the plan, the best first. */
function ratingsOf(
  comparisons: readonly DebateComparison[],
  { fitted, plain, groups, debates }: {
    readonly fitted: Fit | undefined;
    /** The fit with the covariance of its information. */
    readonly plain: Fit | undefined;
    readonly groups: readonly (readonly string[])[];
    readonly debates: readonly StudyDebate[];
  },
): Rating[] {
  const contestants = contestantsOf(debates);
  const none = { ranks: null, rating: null, interval: null, withoutLength: null };
  if (fitted === undefined) {
    return contestants.map((contestant) => ({ contestant, ...none, reason: "no ratings" }));
  }
  const lengthless = fitted.options.covariates === 0
    ? fitted
    : fit(comparisons, { ...fitted.options, covariates: 0 });
  const largest = groups.find(({ length }) => length > 1) ?? [];
  const withWinner = new Set(decidedOf(debates).map(({ cell }) => cell.key));
  const rated = contestants.map((contestant) => {
    const own = comparisons.filter((each) => [each.first, each.second].includes(contestant));
    const decided = withWinner.intersection(new Set(own.map(({ debate }) => debate)));
    const opponents = new Set(own.flatMap(({ first, second }) => [first, second]));
    const at = fitted.names.indexOf(contestant);
    if (at === -1) return { contestant, ...none, reason: "no debate that counts", at };
    const isRanked = largest.includes(contestant);
    // Results of one group vary little at its edge: only the information knows that a gap between groups is open.
    const { strength, error } = strengthIn(isRanked ? fitted : plain!, at, largest);
    const planned = contestantsOf(debates.filter((each) => hasContestant(each, contestant)));
    const met = { opponents: opponents.size - 1, planned: planned.length - 1 };
    const lacks = insufficiencyOf({ decided: decided.size, ...met, error });
    if (lacks !== undefined) return { contestant, ...none, reason: lacks, at };
    return {
      contestant,
      ranks: null,
      rating: points(strength),
      interval: [points(strength - Z95 * error), points(strength + Z95 * error)] as const,
      withoutLength: lengthless === undefined
        ? null
        : points(strengthIn(lengthless, at, largest).strength),
      ...isRanked ? {} : { reason: "outside the largest group of connected contestants" },
      at,
    };
  });
  const ranked = rated.filter(({ rating, reason }) => rating !== null && reason === undefined);
  const ranks = ranksOf(fitted, ranked.map(({ at }) => at), contestants.length);
  return rated.map(({ at, ...each }) => ({ ...each, ranks: ranks.get(at) ?? null }))
    .sort((a, b) =>
      (b.rating ?? -Infinity) - (a.rating ?? -Infinity) || (a.contestant < b.contestant ? -1 : 1)
    );
}

/** Returns a strength and its standard error relative to the mean of a group; without a group, of all. */
function strengthIn({ names, estimates, covariance }: Fit, at: number, group: readonly string[]) {
  const own = group.length === 0 ? names : group;
  const weights = names.map((name, each) =>
    (each === at ? 1 : 0) - (own.includes(name) ? 1 / own.length : 0)
  );
  const sumOf = (row: ArrayLike<number>) =>
    weights.reduce((sum, weight, each) => sum + weight * row[each]!, 0);
  const variance = sumOf(weights.map((_, each) => sumOf(covariance[each]!)));
  return { strength: sumOf(estimates), error: Math.sqrt(variance) };
}

/** Returns the reason why a contestant's data, with `planned` opponents, do not suffice for a rating; undefined if they do. */
export function insufficiencyOf(
  { decided, opponents, planned, error }: Record<keyof typeof NEEDED | "planned", number>,
): string | undefined {
  if (decided < NEEDED.decided) {
    return `too few: ${counted(decided, "decided debate")} of ${NEEDED.decided} that are needed`;
  }
  const needed = Math.min(NEEDED.opponents, planned);
  if (opponents < needed) {
    return `too few: ${counted(opponents, "opponent")} of ${needed} that are needed`;
  }
  if (error <= NEEDED.error) return undefined;
  return `too uncertain: a standard error of ${Math.round(error * POINTS)} points`;
}

/** Returns the contestants of the planned debates, sorted; without contestants, the sides of the debates. */
export function contestantsOf(debates: readonly StudyDebate[]): string[] {
  const names = debates.flatMap(({ cell: { first, second }, sides }) => [
    first,
    second,
    ...sides.map(({ contestant }) => contestant),
  ]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

function points(strength: number): number {
  return 1500 + strength * POINTS;
}

/**
 * Returns the best and worst rank by index among `all` contestants, those without a rank may be ahead: differences are
 * significant at 5 % over all pairs, by Holm's procedure.
 */
function ranksOf(
  { estimates, covariance }: Fit,
  ranked: readonly number[],
  all: number,
): Map<number, readonly [number, number]> {
  const pairs = ranked.flatMap((a, index) =>
    ranked.slice(index + 1).map((b) => {
      const difference = estimates[a]! - estimates[b]!;
      const error = Math.sqrt(covariance[a]![a]! + covariance[b]![b]! - 2 * covariance[a]![b]!);
      const [better, worse] = difference > 0 ? [a, b] : [b, a];
      return { better, worse, p: tailsOf(Math.abs(difference) / error) };
    })
  ).sort((a, b) => a.p - b.p);
  const end = pairs.findIndex(({ p }, at) => p > 0.05 / (pairs.length - at));
  const significant = end === -1 ? pairs : pairs.slice(0, end);
  return new Map(ranked.map((at) => [
    at,
    [
      1 + significant.filter(({ worse }) => worse === at).length,
      all - significant.filter(({ better }) => better === at).length,
    ],
  ]));
}

function effectIn(
  { parameters, estimates, covariance }: Fit,
  name: "side" | "length",
): Estimate | undefined {
  const at = parameters.indexOf(name);
  if (at === -1) return undefined;
  const [estimate, standardError] = [estimates[at]!, Math.sqrt(covariance[at]![at]!)];
  const half = Z95 * standardError;
  return { estimate, standardError, interval: [estimate - half, estimate + half] };
}

function effectsOf(
  fitted: Fit | undefined,
): Pick<StudyRatings, "side" | "length" | "tie" | "fit"> {
  if (fitted === undefined) return {};
  const { parameters, estimates, covariance, logLikelihood, steps } = fitted;
  const logTie = estimates[parameters.indexOf("log tie")];
  return defined({
    side: effectIn(fitted, "side"),
    length: effectIn(fitted, "length"),
    tie: logTie === undefined ? undefined : Math.exp(logTie),
    fit: {
      parameters,
      estimates: [...estimates],
      covariance: covariance.map((row) => [...row]),
      logLikelihood,
      steps,
    },
  });
}
