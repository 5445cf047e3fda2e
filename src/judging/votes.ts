// Votes of judges: one vote from all verdicts of a judge, and the decision of all votes.
import type { Outcome, Score, Verdict } from "../core/fact.ts";
import { oneLine } from "../core/text.ts";
import type { JudgeReason, JudgeVote, VoteSplit } from "../core/outcome.ts";
import { type ScoredTurn, standingsByRubric } from "./scoring.ts";

/** The most characters of a judge's reason. */
const REASON = 240;

/**
 * Vote and reason of each judge, in the order of the votes. The reason is of a verdict that says what the vote says: the
 * one that the judge gave as the main reason, else the beginning of the reasons.
 */
export function reasonsOf(verdicts: readonly Verdict[]): JudgeReason[] {
  return votesOf(verdicts).map(({ judge, model, winner, split }) => {
    const own = verdicts.filter((each) => each.judge === judge && each.model === model);
    const said = own.find((each) => each.status === "read" && each.winner === winner) ??
      own.find(({ status }) => status === "read") ?? own[0]!;
    return {
      judge,
      model,
      winner,
      ...split === undefined ? {} : { split },
      verdict: said.number,
      quote: said.status === "read" ? oneLine(said.mainReason ?? said.reasons, REASON) : "",
    };
  });
}

/** Decision of the judges' verdicts. */
export interface Decision {
  /** Outcome: `decided` if there is a winner. */
  readonly outcome: Outcome;
  /** A participant's id; null where no side has most votes. */
  readonly winner: string | null;
  /** Number of judges that named each participant in every order, without the tie-break judge. */
  readonly votes: Readonly<Record<string, number>>;
  /** Judges that named no one, changed their mind with the order, or could not be read. */
  readonly ties: number;
  /** Id of the tie-break judge, where its vote decided. */
  readonly tiebreak?: string;
}

/** One vote a judge, by the judges' ids; the tie-break judge is among them where it was asked. */
export function votesOf(verdicts: readonly Verdict[]): JudgeVote[] {
  const judges = Map.groupBy(verdicts, ({ judge, model }) => `${judge}\u0000${model}`);
  return [...judges].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
    .map(([, own]) => voteOf(own));
}

/** The side that one judge named in every verdict; null where it named none, changed its mind, or was asked only once. */
export function oneMindOf(verdicts: readonly Verdict[]): string | null {
  return verdicts.length === 0 ? null : voteOf(verdicts).winner;
}

function voteOf(verdicts: readonly Verdict[]): JudgeVote {
  const [{ judge, model, rubric, tiebreak }] = verdicts as [Verdict];
  const split = splitOf(verdicts);
  return {
    judge,
    model,
    rubric,
    winner: split === undefined ? verdicts[0]!.winner : null,
    ...split === undefined ? {} : { split },
    askings: verdicts.length,
    ...tiebreak === true ? { tiebreak } : {},
  };
}

/**
 * Reason that a judge's verdicts make no vote; undefined where all of them are the same. Passes differ in the side that is
 * set out first. Numbers do not tell passes apart: a panel that an earlier version began and this version ended can
 * have two verdicts in the same order.
 */
function splitOf(verdicts: readonly Verdict[]): VoteSplit | undefined {
  if (verdicts.some(({ status }) => status === "unread")) return "unread";
  const passes = Map.groupBy(verdicts, ({ order: [first] }) => first);
  const winners = [...passes.values()].map((own) => new Set(own.map(({ winner }) => winner)));
  if (winners.some(({ size }) => size > 1)) return "chance";
  if (new Set(winners.flatMap((each) => [...each])).size > 1) return "order or label";
  return passes.size < 2 ? "one pass" : undefined;
}

/**
 * The winner, apart from the numbers: a judge that names the same side in every verdict has one vote, any other counts as
 * a tie; a majority over all judges wins. Where there is none, the vote of a tie-break judge decides. `unscored` only where
 * no verdict could be read and no judge scored a turn for every side.
 */
export function decide(
  verdicts: readonly Verdict[],
  scores: readonly Score[],
  messages: readonly ScoredTurn[] = [],
): Decision {
  const all = votesOf(verdicts);
  const panel = all.filter(({ tiebreak }) => tiebreak !== true);
  const votes: Record<string, number> = {};
  for (const { winner } of panel) {
    if (winner !== null) votes[winner] = (votes[winner] ?? 0) + 1;
  }
  const ties = panel.filter(({ winner }) => winner === null).length;
  const [top] = Object.entries(votes).filter(([, count]) => count * 2 > panel.length);
  if (top !== undefined) return { outcome: "decided", winner: top[0], votes, ties };
  const last = all.find(({ tiebreak, winner }) => tiebreak === true && winner !== null);
  if (last !== undefined) {
    return { outcome: "decided", winner: last.winner, votes, ties, tiebreak: last.judge };
  }
  const names = new Map(scores.map(({ participant }) => [participant, participant]));
  const read = verdicts.some((each) => each.status === "read") ||
    standingsByRubric(scores, names, messages).some(({ scores }) => Object.keys(scores).length > 0);
  return { outcome: read ? "undecided" : "unscored", winner: null, votes, ties };
}
