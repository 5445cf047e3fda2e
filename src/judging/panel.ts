// Agreement of a panel of judges, and what their numbers follow.
import type { Agreement, JudgeAgreement, JudgeVote } from "../core/outcome.ts";
import type { Score, Verdict } from "../core/fact.ts";
import { wordsIn } from "../core/words.ts";
import type { Message } from "../core/message.ts";
import {
  krippendorffAlpha,
  mean,
  pearson,
  round4,
  spearman,
  standardDeviation,
} from "../core/statistics.ts";

/** One judge's facts: a judge is told by its id, model and rubric, as in the names of its files. */
interface Rater extends Pick<JudgeVote, "judge" | "model" | "rubric"> {
  readonly scores: Score[];
  readonly verdicts: Verdict[];
  /** From message number to its total as a share of the scale. */
  readonly totals: Map<number, number>;
}

/** Agreement of judges, judges that differ from the others, and what else their numbers follow. */
export function agreementOf(
  scores: readonly Score[],
  verdicts: readonly Verdict[],
  messages: readonly Pick<Message, "seq" | "body">[],
): Agreement {
  const raters = ratersOf(scores, verdicts);
  const words = wordCounts(raters, messages);
  return {
    alpha: alphaOf(raters),
    judges: raters.map((rater) => judgeAgreement(rater, { raters, words })),
    spread: spreadOf(raters),
  };
}

function ratersOf(scores: readonly Score[], verdicts: readonly Verdict[]): Rater[] {
  const raters = new Map<string, Rater>();
  const raterOf = ({ judge, model, rubric }: Score | Verdict): Rater => {
    const key = [judge, model, rubric].join("\u0000");
    const rater = raters.get(key) ??
      { judge, model, rubric, scores: [], verdicts: [], totals: new Map() };
    raters.set(key, rater);
    return rater;
  };
  for (const score of scores.toSorted((a, b) => a.message - b.message)) {
    const { scores: own, totals } = raterOf(score);
    if (score.status !== "scored" || score.total === undefined) continue;
    own.push(score);
    totals.set(score.message, shareOfScale(score.total, score.scale));
  }
  for (const verdict of verdicts.toSorted((a, b) => a.number - b.number)) {
    raterOf(verdict).verdicts.push(verdict);
  }
  return [...raters].sort(([a], [b]) => a < b ? -1 : 1).map(([, rater]) => rater);
}

/** A total from 0 to 1. */
function shareOfScale(total: number, [least, most]: readonly [number, number]): number {
  return withoutNoise((total - least) / (most - least));
}

/** Number without noise in its last bits: else constant numbers would correlate. */
function withoutNoise(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

function wordCounts(
  raters: readonly Rater[],
  messages: readonly Pick<Message, "seq" | "body">[],
): ReadonlyMap<number, number> {
  const scored = new Set(raters.flatMap(({ totals }) => [...totals.keys()]));
  return new Map(
    messages.filter(({ seq }) => scored.has(seq)).map((each) => [each.seq, wordsIn(each)]),
  );
}

function alphaOf(raters: readonly Rater[]): number | undefined {
  const seqs = new Set(raters.flatMap(({ totals }) => [...totals.keys()]));
  const data = raters.map(({ totals }) => [...seqs].map((seq) => totals.get(seq)));
  return rounded(krippendorffAlpha(data, "interval"));
}

function judgeAgreement(
  rater: Rater,
  { raters, words }: {
    readonly raters: readonly Rater[];
    readonly words: ReadonlyMap<number, number>;
  },
): JudgeAgreement {
  const { judge, model, rubric, scores, verdicts, totals } = rater;
  const others = raters.filter((each) => each !== rater);
  const votes = verdicts.map(({ winner }) => winner);
  return {
    judge,
    model,
    rubric,
    scored: scores.length,
    mean: rounded(mean(scores.map(({ total }) => total!))),
    alphaWithout: alphaOf(others),
    withOthers: rounded(pearson(...pairsOf(totals, meansOf(others)))),
    byLength: rounded(spearman(...pairsOf(totals, words))),
    votes,
    steady: votes.length > 1 && votes.every((vote) => vote === votes[0]) &&
      verdicts.every(({ status }) => status === "read"),
  };
}

/** The mean total of some judges for each message that one of them scored. */
function meansOf(raters: readonly Rater[]): ReadonlyMap<number, number> {
  const all = Map.groupBy(raters.flatMap(({ totals }) => [...totals]), ([seq]) => seq);
  return new Map(
    [...all].map(([seq, list]) => [seq, withoutNoise(mean(list.map(([, total]) => total))!)]),
  );
}

/** The values of two maps under the keys they share. */
function pairsOf(
  a: ReadonlyMap<number, number>,
  b: ReadonlyMap<number, number>,
): [number[], number[]] {
  const shared = [...a.keys()].filter((key) => b.has(key));
  return [shared.map((key) => a.get(key)!), shared.map((key) => b.get(key)!)];
}

function spreadOf(raters: readonly Rater[]): Readonly<Record<string, number>> {
  const rubrics = [...Map.groupBy(raters, ({ rubric }) => rubric)].map((
    [rubric, own],
  ) => [rubric, spreadWithin(own)] as const).filter(([, spread]) => spread.length > 0);
  return Object.fromEntries(
    rubrics.flatMap(([rubric, spread]) =>
      spread.map(([id, value]) => [rubrics.length === 1 ? id : `${rubric}/${id}`, value])
    ),
  );
}

/** Of judges with one rubric: from criterion id to the mean deviation. */
function spreadWithin(raters: readonly Rater[]): [string, number][] {
  const scores = raters.flatMap((rater) => rater.scores);
  const shared = [...Map.groupBy(scores, ({ message }) => message).values()]
    .filter((list) => list.length > 1);
  const ids = new Set(shared.flat().flatMap(({ weights }) => Object.keys(weights)));
  return [...ids].flatMap((id): [string, number][] => {
    const deviations = shared.flatMap((list) =>
      standardDeviation(list.flatMap(({ criteria }) => criteria[id] ?? [])) ?? []
    );
    return deviations.length === 0 ? [] : [[id, round4(mean(deviations)!)]];
  });
}

/**
 * Disagreement of judges about a turn: the mean, over the scored turns, of the standard deviation among the judges' totals;
 * with one judge, the standard error of the mean of its totals.
 */
export function disagreementOf(scores: readonly Score[]): number {
  const panels = Map.groupBy(scores, ({ message, rubric }) => `${message}/${rubric}`);
  const spreads = [...panels.values()].flatMap((own) => standardDeviation(totalsOf(own)) ?? []);
  const all = totalsOf(scores);
  return mean(spreads) ?? (standardDeviation(all) ?? 0) / Math.sqrt(all.length);
}

function totalsOf(scores: readonly Score[]): number[] {
  return scores.flatMap(({ total }) => total ?? []);
}

/** Four decimals, and no −0. */
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : round4(value) + 0;
}
