// Standings of a study's contestants, and warnings on them.
import { counted } from "../core/text.ts";
import { hasResult } from "./comparisons.ts";
import { decidedOf, firstWon } from "./debate_diagnostics.ts";
import { type Diagnostic, excludes, shareOf } from "./diagnostic.ts";
import type { Rating, StudyRatings } from "./ratings.ts";
import type { StudyDebate } from "./study_debate.ts";

/** A contestant's rating and counts; shares are 0 to 1, null where there is nothing to count. */
export interface StudyStanding extends Rating {
  /** Number of debates won. */
  readonly won: number;
  /** Number of debates without a winner. */
  readonly tied: number;
  /** Number of debates lost. */
  readonly lost: number;
  /** Number of other contestants met. */
  readonly opponents: number;
  /** Number of topics. */
  readonly topics: number;
  /** Share of the decided debates that the contestant won from the first seat. */
  readonly firstSeatWins: number | null;
  /** Share of the planned debates that are completed. */
  readonly available: number;
  /** US dollars for each decided debate, failed debates included; null where a cost is unknown. */
  readonly costPerDecided: number | null;
  /** Mean words of a turn; null where there is no turn. */
  readonly wordsPerTurn: number | null;
}

/** Report of a study. */
export interface StudyReport {
  /** The study's id. */
  readonly study: string;
  /** Folder of the report's files. */
  readonly dir: string;
  /** Number of convenings of the plan. */
  readonly planned: number;
  /** Number of completed convenings. */
  readonly completed: number;
  /** Sentences on limits of the report. */
  readonly warnings: readonly string[];
  /** The best first; contestants without a rating last. */
  readonly leaderboard: readonly StudyStanding[];
  /** Every measure, those that the data do not allow with the reason. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The rating and counts of a contestant. */
export function standingOf(rating: Rating, debates: readonly StudyDebate[]): StudyStanding {
  const { contestant } = rating;
  const own = debates.filter(({ cell: { first, second }, sides }) =>
    first === contestant || second === contestant ||
    sides.some((side) => side.contestant === contestant)
  );
  const ended = own.filter(hasResult);
  const decided = decidedOf(ended);
  const won = decided.filter(({ winner }) => winner === contestant).length;
  const asFirst = decided.filter(({ sides }) => sides[0]!.contestant === contestant);
  const turns = ended.flatMap(({ sides }) => sides)
    .filter((side) => side.contestant === contestant);
  const sumOf = (key: "words" | "turns") => turns.reduce((sum, side) => sum + side[key], 0);
  const costs = own.map(({ usage: { costUsd } }) => costUsd);
  const isKnown = decided.length > 0 && !costs.includes("unknown");
  return {
    ...rating,
    won,
    tied: ended.length - decided.length,
    lost: decided.length - won,
    opponents: new Set(ended.flatMap(({ sides }) => sides.map((side) => side.contestant)))
      .difference(new Set([contestant])).size,
    topics: new Set(ended.map(({ cell }) => cell.topic)).size,
    firstSeatWins: asFirst.length === 0 ? null : shareOf(asFirst, firstWon).estimate,
    available: shareOf(own, ({ status }) => status === "completed").estimate,
    costPerDecided: isKnown
      ? costs.reduce<number>((sum, each) => sum + Number(each), 0) / decided.length
      : null,
    wordsPerTurn: sumOf("turns") === 0 ? null : sumOf("words") / sumOf("turns"),
  };
}

/** The side effect and the alpha of judges from which the report warns. */
const WARN = { side: 0.2, alpha: 0.4 } as const;

/** Sentences on limits of a report. */
export function warningsOf(
  debates: readonly StudyDebate[],
  { notes, ratings, side, unmatched }: StudyRatings,
  diagnostics: readonly Diagnostic[],
): string[] {
  const open = debates.filter(({ status }) => status !== "completed").length;
  const unrated = ratings.filter(({ rating }) => rating === null).length;
  const alpha = diagnostics.find(({ id }) => id === "agreement")?.estimate;
  return [
    ...open === 0
      ? []
      : [`The study is unfinished: ${open} of ${debates.length} debates are not completed.`],
    ...unmatched === 0 ? [] : [
      `${
        counted(unmatched, "debate")
      } wait for the debate with exchanged seats and do not count yet.`,
    ],
    ...notes,
    ...unrated === 0
      ? []
      : [`${counted(unrated, "contestant")} without a rating: see the reasons.`],
    ...side === undefined || Math.abs(side.estimate) <= WARN.side || !excludes(side.interval, 0)
      ? []
      : [
        `Seats matter: the first seat has an advantage of ${
          side.estimate.toFixed(2)
        } on the scale of strengths.`,
      ],
    ...alpha === undefined || alpha >= WARN.alpha
      ? []
      : [`Judges agree little: alpha is ${alpha.toFixed(2)}, under ${WARN.alpha}.`],
  ];
}

/** Standings as comma-separated values: numbers as they are, empty where there is none. */
export function csvOf(leaderboard: readonly StudyStanding[]): string {
  const line = (cells: readonly unknown[]) =>
    cells.map((cell) => {
      const text = String(cell ?? "");
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    }).join(",");
  const rows = leaderboard.map(({ ranks, interval, reason, ...rest }) => ({
    ...rest,
    bestRank: ranks?.[0],
    worstRank: ranks?.[1],
    low: interval?.[0],
    high: interval?.[1],
    reason,
  }));
  return [Object.keys(rows[0] ?? { contestant: "" }), ...rows.map((row) => Object.values(row))]
    .map(line).join("\n") + "\n";
}
