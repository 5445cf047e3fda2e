// Fits Bradley–Terry strengths with ties (Davidson), a side effect and covariates; standard errors and connected groups.

/** Result of a comparison of two contestants. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  /** 1: `first` won; 0: `second` won; 0.5: a tie. */
  readonly score: number;
  readonly weight: number;
  /** Standardised differences, first minus second, one per covariate. */
  readonly x: readonly number[];
  /** Id of the resampling unit. */
  readonly cluster: string;
}

/** Options of {@linkcode fit}. */
export interface FitOptions {
  /** Precision of the normal prior on every strength; 0 for maximum likelihood. */
  readonly ridge: number;
  /** Ties as a third outcome (`davidson`), or as half a win each. */
  readonly ties: "davidson" | "half";
  /** True if the advantage of the first seat is estimated. */
  readonly side: boolean;
  readonly covariates: number;
}

/** Result of {@linkcode fit}. */
export interface Fit {
  /** Contestants, sorted. */
  readonly names: readonly string[];
  readonly options: FitOptions;
  /** Names of the estimates: strengths, which sum to 0; then `side`, `length` and `log tie`, if estimated. */
  readonly parameters: readonly string[];
  readonly estimates: Float64Array;
  /** Inverse of the information matrix. */
  readonly covariance: readonly Float64Array[];
  readonly logLikelihood: number;
  readonly steps: number;
}

/** A comparison as a sparse row: indexes and factors of its estimates. */
interface Row {
  readonly at: readonly number[];
  readonly factor: readonly number[];
  readonly score: number;
  readonly weight: number;
  readonly cluster: string;
}

interface Design extends Pick<Fit, "names" | "options" | "parameters"> {
  readonly rows: readonly Row[];
  /** Index of `log tie`; undefined if a tie is half a win. */
  readonly tie: number | undefined;
}

const MOST_STEPS = 100;
const SMALLEST_STEP = 1e-10;

function designOf(data: readonly Comparison[], options: FitOptions): Design {
  const { side, covariates, ties } = options;
  const names = namesIn(data);
  const place = new Map(names.map((name, at) => [name, at]));
  const parameters = [
    ...names.map((name) => `strength of ${name}`),
    ...side ? ["side"] : [],
    ...Array.from({ length: covariates }, () => "length"),
    ...ties === "half" ? [] : ["log tie"],
  ];
  const rows = data.map(({ first, second, x, ...row }) => {
    const effects = [...side ? [1] : [], ...x.slice(0, covariates)];
    return {
      at: [place.get(first)!, place.get(second)!, ...effects.map((_, at) => names.length + at)],
      factor: [1, -1, ...effects],
      ...row,
    };
  });
  const tie = ties === "half" ? undefined : parameters.length - 1;
  return { names, options, parameters, rows, tie };
}

function namesIn(data: readonly Comparison[]): string[] {
  return [...new Set(data.flatMap(({ first, second }) => [first, second]))].sort();
}

/**
 * Estimates the parameters by Newton's method with step halving. Returns undefined if the data do not determine the
 * estimates: the information matrix is singular, or the likelihood has no maximum.
 */
export function fit(data: readonly Comparison[], options: FitOptions): Fit | undefined {
  const design = designOf(data, options);
  const { names, parameters } = design;
  let estimates = new Float64Array(parameters.length);
  let here = likelihood(design, estimates);
  for (let steps = 1; steps <= MOST_STEPS; steps++) {
    const factor = cholesky(here.information);
    if (factor === undefined) return undefined;
    const step = solve(factor, here.gradient);
    const from = { estimates, objective: here.objective };
    let share = 1;
    for (;; share /= 2) {
      estimates = from.estimates.map((value, at) => value + share * step[at]!);
      here = likelihood(design, estimates);
      if (here.objective >= from.objective - 1e-12 || share < 1e-8) break;
    }
    if (!(Math.max(...step.map(Math.abs)) * share < SMALLEST_STEP)) continue;
    const last = cholesky(here.information);
    if (last === undefined) return undefined;
    const covariance = inverse(last);
    // The constraint on the mean adds the same amount to every entry of the strengths.
    const pinned = 1 / (names.length * (options.ridge + names.length));
    for (const row of covariance.slice(0, names.length)) {
      for (let at = 0; at < names.length; at++) row[at]! -= pinned;
    }
    const { logLikelihood } = here;
    return { names, options, parameters, estimates, covariance, logLikelihood, steps };
  }
  return undefined;
}

/** Computes the log likelihood, and as `objective` with the prior and the constraint on the mean; and its derivatives. */
function likelihood(
  { rows, tie, names, options: { ridge } }: Design,
  estimates: Float64Array,
) {
  const gradient = new Float64Array(estimates.length);
  const information = zeros(estimates.length);
  let logLikelihood = 0;
  for (const row of rows) {
    const { at, factor, weight } = row;
    const outcome = outcomeOf(row, estimates, tie);
    logLikelihood += weight * outcome.logLikelihood;
    for (let a = 0; a < at.length; a++) {
      const own = information[at[a]!]!;
      gradient[at[a]!]! += weight * outcome.residual * factor[a]!;
      const scale = weight * outcome.weight * factor[a]!;
      for (let b = 0; b < at.length; b++) own[at[b]!]! += scale * factor[b]!;
      if (tie === undefined) continue;
      const cross = weight * outcome.cross * factor[a]!;
      own[tie]! += cross;
      information[tie]![at[a]!]! += cross;
    }
    if (tie === undefined) continue;
    gradient[tie]! += weight * outcome.tieResidual;
    information[tie]![tie]! += weight * outcome.tieWeight;
  }
  let [squares, sum] = [0, 0];
  for (let i = 0; i < names.length; i++) {
    squares += estimates[i]! ** 2;
    sum += estimates[i]!;
  }
  // A constant added to all strengths changes no outcome: a penalty keeps their mean at 0.
  for (let i = 0; i < names.length; i++) {
    gradient[i]! -= ridge * estimates[i]! + sum;
    information[i]![i]! += ridge;
    for (let j = 0; j < names.length; j++) information[i]![j]! += 1;
  }
  const objective = logLikelihood - ridge * squares / 2 - sum ** 2 / 2;
  return { logLikelihood, objective, gradient, information };
}

/** Returns the log likelihood of a row, and its derivatives by the difference of the seats and by the log tie parameter. */
function outcomeOf({ at, factor, score }: Row, estimates: Float64Array, tie: number | undefined) {
  let difference = 0;
  for (let a = 0; a < at.length; a++) difference += estimates[at[a]!]! * factor[a]!;
  const [ahead, behind] = [difference / 2, -difference / 2];
  const tied = tie === undefined ? -Infinity : estimates[tie]!;
  const top = Math.max(ahead, behind, tied);
  const whole = top +
    Math.log(Math.exp(ahead - top) + Math.exp(behind - top) + Math.exp(tied - top));
  const [win, loss, even] = [
    Math.exp(ahead - whole),
    Math.exp(behind - whole),
    Math.exp(tied - whole),
  ];
  const isTie = tie !== undefined && score === 0.5;
  const expected = (win - loss) / 2;
  return {
    logLikelihood: isTie ? tied - whole : score * (ahead - whole) + (1 - score) * (behind - whole),
    residual: (isTie ? 0 : score - 0.5) - expected,
    weight: (win + loss) / 4 - expected ** 2,
    cross: -expected * even,
    tieResidual: (isTie ? 1 : 0) - even,
    tieWeight: even * (1 - even),
  };
}

/** Returns the cluster-robust covariance, which is valid if comparisons of the same cluster are dependent. */
export function sandwich(data: readonly Comparison[], fitted: Fit): Float64Array[] {
  const { rows, tie, parameters: { length: size } } = designOf(data, fitted.options);
  const clusters = [...Map.groupBy(rows, ({ cluster }) => cluster).values()];
  // Strengths sum to 0, so one parameter is not free.
  const factor = clusters.length / (clusters.length - (size - 1));
  const sum = zeros(size);
  for (const cluster of clusters) {
    const gradient = new Float64Array(size);
    for (const row of cluster) {
      const { residual, tieResidual } = outcomeOf(row, fitted.estimates, tie);
      row.at.forEach((i, a) => gradient[i]! += row.weight * residual * row.factor[a]!);
      if (tie !== undefined) gradient[tie]! += row.weight * tieResidual;
    }
    const shift = fitted.covariance.map((row) =>
      row.reduce((total, value, at) => total + value * gradient[at]!, 0)
    );
    addProducts(sum, shift, factor);
  }
  return sum;
}

/** Returns the covariance of the estimates over bootstrap samples of clusters; samples without a fit are not `used`. */
export function bootstrap(
  data: readonly Comparison[],
  { options, names, estimates: { length } }: Fit,
  { samples, random }: { readonly samples: number; readonly random: () => number },
): { readonly covariance: Float64Array[]; readonly used: number } {
  const clusters = [...Map.groupBy(data, ({ cluster }) => cluster).values()];
  const found: Float64Array[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const times = new Uint32Array(clusters.length);
    for (const _ of clusters) times[Math.floor(random() * clusters.length)]!++;
    const drawn = clusters.flatMap((own, at) =>
      times[at] === 0 ? [] : own.map((each) => ({ ...each, weight: each.weight * times[at]! }))
    );
    const fitted = fit(drawn, options);
    if (fitted?.names.length === names.length) found.push(fitted.estimates);
  }
  const covariance = zeros(length);
  const means = covariance.map((_, at) =>
    found.reduce((sum, of) => sum + of[at]!, 0) / found.length
  );
  for (const each of found) {
    addProducts(
      covariance,
      [...each].map((value, at) => value - means[at]!),
      1 / (found.length - 1),
    );
  }
  return { covariance, used: found.length };
}

function addProducts(sum: Float64Array[], values: readonly number[], factor: number): void {
  values.forEach((a, i) => values.forEach((b, j) => sum[i]![j]! += factor * a * b));
}

/**
 * Returns the strongly connected groups of contestants, the largest first; an edge is a win or a tie. Maximum likelihood
 * estimates exist only if there is one group (Ford's condition).
 */
export function strongGroups(data: readonly Comparison[]): string[][] {
  const beaten = new Map(namesIn(data).map((name) => [name, new Set<string>()]));
  const beatenBy = new Map(namesIn(data).map((name) => [name, new Set<string>()]));
  const add = (winner: string, loser: string) => {
    beaten.get(winner)!.add(loser);
    beatenBy.get(loser)!.add(winner);
  };
  for (const { first, second, score } of data) {
    if (score > 0) add(first, second);
    if (score < 1) add(second, first);
  }
  const reached = (from: string, graph: ReadonlyMap<string, ReadonlySet<string>>) => {
    const seen = new Set([from]);
    for (const each of seen) for (const next of graph.get(each)!) seen.add(next);
    return seen;
  };
  const left = new Set(beaten.keys());
  const groups: string[][] = [];
  for (const name of left) {
    const group = reached(name, beaten).intersection(reached(name, beatenBy));
    for (const each of group) left.delete(each);
    groups.push([...group].sort());
  }
  return groups.sort((a, b) => b.length - a.length);
}

function zeros(size: number): Float64Array[] {
  return Array.from({ length: size }, () => new Float64Array(size));
}

/** Returns the lower Cholesky factor of a symmetric matrix; undefined if the matrix is not positive definite. */
function cholesky(matrix: readonly Float64Array[]): Float64Array[] | undefined {
  const factor = zeros(matrix.length);
  for (const [i, row] of factor.entries()) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k++) rest -= row[k]! * factor[j]![k]!;
      if (i !== j) row[j] = rest / factor[j]![j]!;
      else if (rest > 1e-9 * matrix[i]![i]!) row[i] = Math.sqrt(rest);
      else return undefined;
    }
  }
  return factor;
}

function solve(factor: readonly Float64Array[], right: Float64Array): Float64Array {
  const x = right.slice();
  for (let i = 0; i < x.length; i++) {
    for (let k = 0; k < i; k++) x[i]! -= factor[i]![k]! * x[k]!;
    x[i]! /= factor[i]![i]!;
  }
  for (let i = x.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < x.length; k++) x[i]! -= factor[k]![i]! * x[k]!;
    x[i]! /= factor[i]![i]!;
  }
  return x;
}

function inverse(factor: readonly Float64Array[]): Float64Array[] {
  return factor.map((_, i) => solve(factor, Float64Array.from(factor, (_, j) => i === j ? 1 : 0)));
}
