// Strength of an outcome: a level and a sentence with numbers, from votes, steadiness and margins.
import { capitalized, counted } from "../core/text.ts";
import type {
  Audience,
  JudgeNote,
  JudgeNoteKind,
  JudgeVote,
  Strength,
  StrengthLevel,
} from "../core/outcome.ts";
import type { Verdict } from "../core/fact.ts";
import { round4 } from "../core/statistics.ts";
import { inPasses, type JudgeFindings } from "./judge_notes.ts";
import { disagreementOf } from "./panel.ts";
import { type Decision, votesOf } from "./votes.ts";

/** Findings that a strength follows from. */
interface StrengthFindings extends Pick<JudgeFindings, "verdicts" | "scores" | "labels"> {
  readonly decision: Decision;
  /** Totals by participant id, of one rubric. */
  readonly totals: Readonly<Record<string, number>>;
  readonly notes: readonly JudgeNote[];
}

/** Votes, measures and margins of one outcome. */
interface Measures extends Pick<StrengthFindings, "decision" | "notes"> {
  /** Votes of the panel, without the tie-break judge. */
  readonly panel: readonly JudgeVote[];
  readonly steadinessMeasured: boolean;
  readonly margin: number | undefined;
  readonly spread: number | undefined;
}

/** Kinds of notes that name a bias of a judge. */
const BIASES: ReadonlySet<JudgeNoteKind> = new Set([
  "same scores",
  "one criterion",
  "length",
  "profile",
]);

/** Strength of the judges' decision; undefined without verdicts, and for verdicts of earlier versions. */
export function strengthOf(findings: StrengthFindings): Strength | undefined {
  const { verdicts, decision, scores, notes, labels } = findings;
  if (!inPasses(verdicts)) return undefined;
  const votes = votesOf(verdicts);
  const margin = marginOf(findings);
  const measures: Measures = {
    decision,
    notes,
    panel: votes.filter(({ tiebreak }) => tiebreak !== true),
    steadinessMeasured: isMeasured(verdicts),
    margin,
    spread: scores.some(({ total }) => total !== undefined)
      ? round4(disagreementOf(scores))
      : undefined,
  };
  const { steadinessMeasured, spread } = measures;
  const level = levelOf(measures);
  return {
    level,
    sentence: sentenceOf(level, measures, labels),
    votes,
    judgeNotes: notes,
    steadinessMeasured,
    ...margin === undefined ? {} : { margin },
    ...spread === undefined ? {} : { spread },
  };
}

/**
 * Strength of an audience's decision: `contested` where no more listeners moved to the winner than to the next side, or
 * where the judges named another side; `clear` where the lead is more than twice the square root of the number of
 * listeners counted: a listener who changes sides moves the lead by 2, and leads within that are common by chance.
 * Undefined without listeners or verdicts, and for verdicts of earlier versions.
 */
export function audienceStrengthOf(
  audience: Audience | undefined,
  { decision, verdicts, notes, labels }: Omit<StrengthFindings, "scores" | "totals">,
): Strength | undefined {
  if (audience === undefined || !inPasses(verdicts)) return undefined;
  const counted = audience.members - audience.missing;
  if (counted === 0) return undefined;
  const { winner } = audience;
  const sides = Object.entries(audience.sides)
    .map(([id, { moved }]) => ({ id, moved: Math.round(moved * counted) }))
    .sort((a, b) => Number(b.id === winner) - Number(a.id === winner) || b.moved - a.moved);
  const lead = (sides[0]?.moved ?? 0) - (sides[1]?.moved ?? 0);
  const isOpposed = decision.winner !== null && decision.winner !== winner;
  const level = winner === null
    ? "undecided"
    : lead <= 0 || isOpposed
    ? "contested"
    : lead > 2 * Math.sqrt(counted)
    ? "clear"
    : "narrow";
  const moves = sides.map(({ id, moved }) =>
    `${labels.get(id) ?? id} ${moved > 0 ? "+" : ""}${moved}`
  );
  const parts = [
    `listeners moved, of ${counted}: ${moves.join(", ")}`,
    ...winner !== null && lead <= 0 ? ["the strength of agreement decided"] : [],
    ...winner !== null && isOpposed ? [`the judges named ${labels.get(decision.winner!)}`] : [],
  ];
  return {
    level,
    sentence: sentenceWith(level, parts),
    votes: votesOf(verdicts),
    judgeNotes: notes,
    steadinessMeasured: isMeasured(verdicts),
  };
}

function sentenceWith(level: StrengthLevel, parts: readonly string[]): string {
  return `${capitalized(level)}: ${parts.join("; ")}.`;
}

/** True if every pass of every judge was asked more than once. */
function isMeasured(verdicts: readonly Verdict[]): boolean {
  const repeats = Map.groupBy(
    verdicts,
    ({ judge, model, pass, number }) => JSON.stringify([judge, model, pass ?? number]),
  );
  return [...repeats.values()].every(({ length }) => length > 1);
}

/** Total of the winner less the best other; of no winner, the best less the second. */
function marginOf(
  { decision: { winner }, totals }: Pick<StrengthFindings, "decision" | "totals">,
): number | undefined {
  const sorted = Object.entries(totals).sort(([, a], [, b]) => b - a);
  const [, named] = sorted.find(([id]) => winner === null || id === winner) ?? [];
  const [, other] = sorted.find(([id]) => id !== (winner ?? sorted[0]?.[0])) ?? [];
  return named === undefined || other === undefined ? undefined : round4(named - other);
}

function levelOf(measures: Measures): StrengthLevel {
  const { decision: { winner, tiebreak }, panel, steadinessMeasured, notes } = measures;
  if (winner === null) return "undecided";
  const isFor = panel.filter((vote) => vote.winner === winner);
  const isOpposed = panel.some((vote) => vote.winner !== null && vote.winner !== winner);
  const { margin = Infinity, spread = 0 } = measures;
  if (tiebreak !== undefined || isOpposed || margin < 0 || isBiased(measures)) return "contested";
  const models = new Set(panel.map(({ model }) => model)).size;
  const isBorneOut = steadinessMeasured || panel.length > 2 && models > 1;
  const isClean = notes.every(({ judge, kind }) =>
    judge === undefined || !BIASES.has(kind) && kind !== "model of a side"
  );
  return isFor.length === panel.length && isBorneOut && isClean && margin > spread
    ? "clear"
    : "narrow";
}

/** True if every judge that named the winner has a named bias. */
function isBiased({ decision: { winner }, panel, notes }: Measures): boolean {
  const isFor = panel.filter((vote) => vote.winner !== null && vote.winner === winner);
  return isFor.length > 0 &&
    isFor.every((vote) =>
      notes.some(({ judge, kind }) => judge === vote.judge && BIASES.has(kind))
    );
}

function sentenceOf(
  level: StrengthLevel,
  measures: Measures,
  labels: ReadonlyMap<string, string>,
): string {
  const { decision: { tiebreak }, panel, steadinessMeasured } = measures;
  const parts = [
    votesPart(measures, labels),
    ...panel.length > 1 && new Set(panel.map(({ model }) => model)).size === 1
      ? [`${panel.length} votes of one model`]
      : [],
    ...tiebreak === undefined ? [] : [`the tie-break judge "${tiebreak}" decided`],
    steadinessMeasured ? "steadiness measured" : "steadiness not measured",
    ...marginPart(measures),
    ...isBiased(measures) ? ["every judge for the winner has a named bias"] : [],
  ];
  // Pages say that a debate is undecided, and why, before the sentence.
  const stated = level === "undecided" ? "" : `${capitalized(level)}: `;
  return `${stated}${parts.join("; ")}.`;
}

/** Votes by side, the winner's first, then ties. */
function votesPart(
  { decision: { votes, ties, winner } }: Measures,
  labels: ReadonlyMap<string, string>,
): string {
  const sides = Object.entries(votes).sort(([a, x], [b, y]) =>
    Number(b === winner) - Number(a === winner) || y - x || (a < b ? -1 : 1)
  );
  return [
    ...sides.map(([id, count]) => `${counted(count, "vote")} for ${labels.get(id) ?? id}`),
    ...ties === 0 ? [] : [counted(ties, "tie")],
  ].join(", ");
}

function marginPart({ decision: { winner }, margin, spread }: Measures): string[] {
  if (margin === undefined || spread === undefined) return [];
  const against = `${margin > spread ? "above" : "within"} the judges' spread of ${spread}`;
  if (winner === null) return [`the best totals are ${margin} apart, ${against}`];
  return margin < 0
    ? [`the total is ${-margin} below the best`]
    : [`the total is ${margin} ahead, ${against}`];
}
