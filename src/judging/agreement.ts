// Computes the agreement of a panel of judges, and the strength of an outcome.
import type {
  Agreement,
  Audience,
  JudgeAgreement,
  JudgeNote,
  JudgeNoteKind,
  JudgeVote,
  Strength,
  StrengthLevel,
} from "../core/outcome.ts";
import type { Score, Verdict } from "../core/fact.ts";
import { defined, sortedByKey } from "../core/values.ts";
import { wordCountOf } from "../core/words.ts";
import type { Message } from "../core/message.ts";
import {
  marginOfError,
  mean,
  pearson,
  round4,
  spearman,
  standardDeviation,
} from "../core/statistics.ts";
import { krippendorffAlpha } from "../core/alpha.ts";
import { capitalized, counted, listed } from "../core/text.ts";
import { asJudged, leadsOf, type RubricStandings } from "./scoring.ts";
import { byModel, type Decision, inPasses, judgeKey, verdictsByVote, votesOf } from "./panels.ts";

interface Rater extends Pick<JudgeVote, "judge" | "model" | "rubric"> {
  readonly scores: Score[];
  readonly verdicts: Verdict[];
  /** Totals by message number, normalized to 0 to 1. */
  readonly totals: Map<number, number>;
}

/** Computes the agreement of all judges, and each judge's correlation with the others and with the length of messages. */
export function agreementOf(
  scores: readonly Score[],
  verdicts: readonly Verdict[],
  messages: readonly Pick<Message, "seq" | "body">[],
): Agreement {
  const raters = ratersOf(scores, verdicts);
  const words = new Map(messages.map((each) => [each.seq, wordCountOf(each)]));
  return {
    alpha: alphaOf(raters),
    judges: raters.map((rater) => judgeAgreement(rater, { raters, words })),
    spread: spreadOf(raters),
  };
}

function ratersOf(scores: readonly Score[], verdicts: readonly Verdict[]): Rater[] {
  const raters = new Map<string, Rater>();
  const raterOf = (fact: Score | Verdict): Rater => {
    const { judge, model, rubric } = fact;
    const rater = { judge, model, rubric, scores: [], verdicts: [], totals: new Map() };
    return raters.getOrInsert(judgeKey(fact), rater);
  };
  for (const score of scores.toSorted((a, b) => a.message - b.message)) {
    const { scores: own, totals } = raterOf(score);
    if (score.status !== "scored" || score.total === undefined) continue;
    own.push(score);
    const [least, most] = score.scale;
    totals.set(score.message, withoutNoise((score.total - least) / (most - least)));
  }
  // A tie-break judge scores no turn and votes only where the others tie.
  const ofPanel = verdicts.filter(({ tiebreak }) => tiebreak !== true);
  for (const own of verdictsByVote(ofPanel)) raterOf(own[0]!).verdicts.push(...own);
  return sortedByKey(raters).map(([, rater]) => rater);
}

/** Rounds away floating-point noise, which would make constant numbers correlate. */
function withoutNoise(value: number): number {
  return Math.round(value * 1e9) / 1e9;
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
  const given = new Map(scores.map((each) => [each.message, asJudged(each).total!]));
  return {
    judge,
    model,
    rubric,
    scored: scores.length,
    mean: rounded(mean(scores.map(({ total }) => total!))),
    alphaWithout: alphaOf(others),
    withOthers: rounded(pearson(...pairsOf(totals, meansOf(others)))),
    byLength: rounded(spearman(...pairsOf(given, words))),
    votes,
    steady: votes.length > 1 && votes.every((vote) => vote === votes[0]) &&
      verdicts.every(({ status }) => status === "read"),
  };
}

/** Returns the judges' mean total for each message that at least one of them scored. */
function meansOf(raters: readonly Rater[]): ReadonlyMap<number, number> {
  const all = Map.groupBy(raters.flatMap(({ totals }) => [...totals]), ([seq]) => seq);
  return new Map(
    [...all].map(([seq, list]) => [seq, withoutNoise(mean(list.map(([, total]) => total))!)]),
  );
}

function pairsOf(
  a: ReadonlyMap<number, number>,
  b: ReadonlyMap<number, number>,
): [number[], number[]] {
  const shared = [...a.keys()].filter((key) => b.has(key));
  return [shared.map((key) => a.get(key)!), shared.map((key) => b.get(key)!)];
}

function spreadOf(raters: readonly Rater[]): Readonly<Record<string, number>> {
  const rubrics = [...Map.groupBy(raters, ({ rubric }) => rubric)]
    .map(([rubric, own]) => [rubric, spreadWithin(own)] as const)
    .filter(([, spread]) => spread.length > 0);
  return Object.fromEntries(
    rubrics.flatMap(([rubric, spread]) =>
      spread.map(([id, value]) => [rubrics.length === 1 ? id : `${rubric}/${id}`, value])
    ),
  );
}

/** Returns the mean standard deviation per criterion among judges with one rubric. */
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

/** Returns the mean over turns of the standard deviation of the judges' totals by one rubric; undefined if no turn has two judges. */
export function disagreementOf(scores: readonly Score[]): number | undefined {
  const turns = Map.groupBy(scores, ({ message }) => message);
  return mean(
    [...turns.values()].flatMap((own) =>
      standardDeviation(own.flatMap(({ total }) => total ?? [])) ?? []
    ),
  );
}

/** Rounds to four decimals; turns −0 into 0. */
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : round4(value) + 0;
}

interface StrengthFindings {
  readonly verdicts: readonly Verdict[];
  /** Names of participants and judges, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly decision: Decision;
  readonly standings: Pick<RubricStandings, "scores" | "matched">;
  readonly notes: readonly JudgeNote[];
}

interface Measures extends StrengthFindings, Pick<Strength, "margin" | "spread"> {
  /** Votes of the panel, without the tie-break judge. */
  readonly panel: readonly JudgeVote[];
  /** Vote of the tie-break judge, if it was asked. */
  readonly last: JudgeVote | undefined;
  /** True if every question of a verdict was asked more than once. */
  readonly steadinessMeasured: boolean;
}

const BIASES: ReadonlySet<JudgeNoteKind> = new Set([
  "same scores",
  "one criterion",
  "length",
  "profile",
]);

/** Returns the strength of the judges' decision; undefined without verdicts, and for verdicts of older versions. */
export function strengthOf(findings: StrengthFindings): Strength | undefined {
  const { verdicts, decision, standings, notes: judgeNotes } = findings;
  if (!inPasses(verdicts)) return undefined;
  const votes = votesOf(verdicts);
  const steadinessMeasured = isMeasured(verdicts);
  const margin = marginOf(standings, decision.winner);
  const panel = votes.filter(({ tiebreak }) => tiebreak !== true);
  const last = votes.find(({ tiebreak }) => tiebreak === true);
  const measures = { ...findings, panel, last, steadinessMeasured, ...margin };
  const level = levelOf(measures);
  const sentence = sentenceOf(level, measures);
  return { level, sentence, votes, judgeNotes, steadinessMeasured, ...margin };
}

/**
 * Returns the strength of an audience's decision. `contested`: no more listeners moved to the winner than to the next side, or the
 * judges named another side. `clear`: the lead is more than twice the square root of the number of counted listeners; smaller leads
 * are common by chance, because a listener who changes sides moves the lead by 2. Undefined without listeners or verdicts, and for
 * verdicts of older versions.
 */
export function audienceStrengthOf(
  audience: Audience | undefined,
  { decision, verdicts, notes, names }: Omit<StrengthFindings, "standings">,
): Strength | undefined {
  if (audience === undefined || !inPasses(verdicts)) return undefined;
  const listeners = audience.members - audience.missing;
  if (listeners === 0) return undefined;
  const { winner } = audience;
  const sides = Object.entries(audience.sides)
    .map(([id, { moved }]) => ({ id, moved: Math.round(moved * listeners) }))
    .sort((a, b) => Number(b.id === winner) - Number(a.id === winner) || b.moved - a.moved);
  const lead = (sides[0]?.moved ?? 0) - (sides[1]?.moved ?? 0);
  const isOpposed = decision.winner !== null && decision.winner !== winner;
  const level = winner === null
    ? "undecided"
    : lead <= 0 || isOpposed
    ? "contested"
    : lead > 2 * Math.sqrt(listeners)
    ? "clear"
    : "narrow";
  const moves = sides.map(({ id, moved }) =>
    `${names.get(id) ?? id} ${moved < 0 ? "lost" : "gained"} ${Math.abs(moved) || "none"}`
  );
  const parts = [
    `of ${counted(listeners, "listener")}, ${listed(moves)}`,
    ...winner !== null && lead <= 0 ? ["the strength of agreement decided"] : [],
    ...winner !== null && isOpposed ? [`the judges named ${names.get(decision.winner!)}`] : [],
  ];
  const sentence = sentenceWith(level, parts);
  const steadinessMeasured = isMeasured(verdicts);
  return { level, sentence, votes: votesOf(verdicts), judgeNotes: notes, steadinessMeasured };
}

function sentenceWith(level: StrengthLevel, parts: readonly string[]): string {
  const words = parts.join("; ");
  // Pages already state an undecided outcome and its reason before the sentence.
  return level === "undecided" ? `${capitalized(words)}.` : `${capitalized(level)}: ${words}.`;
}

/** True if every judge was asked each pass more than once. */
function isMeasured(verdicts: readonly Verdict[]): boolean {
  const repeats = Map.groupBy(
    verdicts,
    ({ judge, model, pass, number }) => JSON.stringify([judge, model, pass ?? number]),
  );
  return [...repeats.values()].every(({ length }) => length > 1);
}

/**
 * Returns the winner's total minus the best other total (without a winner, the best minus the second), and as `spread` the margin of
 * error of that difference over the turns, at most the width of the scale; absent with too few totals or turns.
 */
export function marginOf(
  standings: Pick<RubricStandings, "scores" | "matched">,
  winner: string | null,
): Pick<Strength, "margin" | "spread"> {
  const sorted = Object.entries(standings.scores).sort(([, a], [, b]) => b.total - a.total);
  const named = sorted.find(([id]) => winner === null || id === winner);
  const other = sorted.find((each) => each !== named);
  if (named === undefined || other === undefined) return {};
  const error = marginOfError(leadsOf(standings, named[0], other[0]));
  const [least, most] = standings.matched[0]?.[0]?.scale ?? [-Infinity, Infinity];
  return defined({
    margin: round4(named[1].total - other[1].total),
    spread: rounded(error && Math.min(error, most - least)),
  });
}

function levelOf(measures: Measures): StrengthLevel {
  const { decision: { winner, tiebreak }, panel, steadinessMeasured, notes } = measures;
  if (winner === null) return "undecided";
  const supporters = panel.filter((vote) => vote.winner === winner);
  const isOpposed = panel.some((vote) => vote.winner !== null && vote.winner !== winner);
  const { margin, spread = Infinity } = measures;
  if (tiebreak !== undefined || isOpposed || (margin ?? 0) < 0 || isBiased(measures)) {
    return "contested";
  }
  const isBorneOut = steadinessMeasured || panel.length > 2 && byModel(panel).size > 1;
  const isClean = notes.every(({ judge, kind }) =>
    judge === undefined || !BIASES.has(kind) && kind !== "model of a side"
  );
  const isAhead = margin === undefined || margin > spread;
  return supporters.length === panel.length && isBorneOut && isClean && isAhead
    ? "clear"
    : "narrow";
}

/** True if every judge that voted for the winner has a noted bias. */
function isBiased({ decision: { winner }, panel, notes }: Measures): boolean {
  const supporters = panel.filter((vote) => vote.winner !== null && vote.winner === winner);
  return supporters.length > 0 &&
    supporters.every((vote) =>
      notes.some(({ judge, kind }) => judge === vote.judge && BIASES.has(kind))
    );
}

function sentenceOf(level: StrengthLevel, measures: Measures): string {
  const { decision: { tiebreak, winner }, panel, last, steadinessMeasured, names } = measures;
  const parts = [
    votesPart(measures),
    ...panel.length > 1 && byModel(panel).size === 1 ? [`${panel.length} judges of one model`] : [],
    ...tiebreak === undefined ? [] : [`${names.get(tiebreak) ?? tiebreak} decided the tie`],
    ...last === undefined || winner !== null
      ? []
      : [`${names.get(last.judge) ?? last.judge}, asked because of the tie, named no side`],
    steadinessMeasured ? "steadiness measured" : "steadiness not measured",
    ...marginPart(measures),
    ...isBiased(measures) ? ["every judge for the winner has a bias that the notes name"] : [],
  ];
  return sentenceWith(level, parts);
}

/** States the votes by side, the winner's first, then the ties and the judges without a vote. */
function votesPart({ decision: { votes, winner }, panel, names }: Measures): string {
  const sides = Object.entries(votes).sort(([a, x], [b, y]) =>
    Number(b === winner) - Number(a === winner) || y - x || (a < b ? -1 : 1)
  );
  return [
    ...sides.map(([id, count]) => `${counted(count, "vote")} for ${names.get(id) ?? id}`),
    ...tieWords(panel),
  ].join(", ");
}

/** Counts the judges that called a tie, and those without a vote. */
export function tieWords(votes: readonly JudgeVote[]): string[] {
  const others = votes.filter(({ winner }) => winner === null);
  const lost = others.filter(({ split }) => split !== undefined).length;
  const ties = others.length - lost;
  return [
    ...ties === 0 ? [] : [counted(ties, "tie")],
    ...lost === 0 ? [] : [`${counted(lost, "judge")} without a vote`],
  ];
}

function marginPart(
  { decision: { winner }, standings: { scores }, margin, spread }: Measures,
): string[] {
  if (margin === undefined) return [];
  if (margin === 0) {
    const totals = new Set(Object.values(scores).map(({ total }) => total));
    return [`the ${totals.size > 1 ? "best totals" : "totals"} are equal`];
  }
  const against = spread === undefined
    ? "with too few turns for a margin of error"
    : `${margin > spread ? "above" : "within"} the margin of error of ${spread}`;
  if (winner === null) return [`the best totals are ${margin} apart, ${against}`];
  return margin < 0
    ? [`the total is ${-margin} below the best`]
    : [`the total is ${margin} ahead, ${against}`];
}
