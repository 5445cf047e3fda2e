// Contradictions between the winner and the numbers of judges.
import type { Verdict } from "../core/fact.ts";
import { type JudgeFindings, judgeKey } from "./judge_notes.ts";
import { type ScoredTurn, standings as standingsIn } from "./scoring.ts";
import type { Decision } from "./votes.ts";
import type { Standing } from "../core/outcome.ts";

/** Findings that {@linkcode contradictionsOf} compares. */
interface Findings extends Pick<JudgeFindings, "verdicts" | "scores" | "labels"> {
  /** By participant id; of one rubric. */
  readonly standings: Readonly<Record<string, Standing>>;
  readonly decision: Decision;
  readonly messages: readonly ScoredTurn[];
}

/**
 * Contradictions between winner and numbers, one sentence each: the winner has not the highest total; a judge's totals put
 * another side first than the judge names in every order, unless that is the same. Totals that are equal to two decimals
 * agree. The sentences hold labels and ids, which are not escaped.
 */
export function contradictionsOf(findings: Findings): readonly string[] {
  return [
    ...winnerAgainstTotals(findings),
    ...votesAgainstTotals(findings),
  ];
}

/**
 * True for a sentence that earlier versions wrote of these verdicts and scores: they looked for winners and numbers
 * in the reasons of judges too.
 */
export function isFromReasons(
  sentence: string,
  { verdicts, scores, labels }: Pick<Findings, "verdicts" | "scores" | "labels">,
): boolean {
  return verdicts.some(({ judge, number, order, winner }) =>
    order.some((id) =>
      id !== winner &&
      sentence ===
        `The reasons of judge "${judge}" for verdict ${number} name ${
          nameOf(id, labels)
        } as the winner; the verdict is ${winner === null ? "a tie" : nameOf(winner, labels)}.`
    )
  ) || scores.some(({ judge, message, total, criteria }) => {
    const start = `The reasons of judge "${judge}" for message ${message} state `;
    const [value = ""] = /^\d[\d.]*/.exec(sentence.slice(start.length)) ?? [];
    return sentence.startsWith(start) && value !== "" && total !== undefined && [
      `; its total is ${total}, and no criterion has that number.`,
      ` as the total; its numbers come to ${total}.`,
      ...Object.entries(criteria).map(([id, given]) => ` for ${id}; its number is ${given}.`),
    ].includes(sentence.slice(start.length + value.length));
  });
}

/** A side with a higher total than the one that was named. */
interface Reversal {
  readonly named: string;
  readonly total: number;
  readonly best: string;
  readonly highest: number;
}

/** The side with the highest total, where that is another than the named one by the two decimals that are shown. */
function reversalIn(
  named: string | null,
  standings: Readonly<Record<string, Standing>>,
): Reversal | undefined {
  const total = named === null ? undefined : standings[named]?.total;
  const [best] = Object.entries(standings).toSorted(([, a], [, b]) => b.total - a.total);
  if (named === null || total === undefined || best === undefined) return undefined;
  const [id, { total: highest }] = best;
  return highest > total && highest.toFixed(2) !== total.toFixed(2)
    ? { named, total, best: id, highest }
    : undefined;
}

function winnerAgainstTotals({ standings, decision, labels }: Findings): string[] {
  const found = reversalIn(decision.winner, standings);
  return found === undefined ? [] : [
    `The winner, ${nameOf(found.named, labels)}, has a total of ${found.total}; ${
      nameOf(found.best, labels)
    } has the highest, ${found.highest}.`,
  ];
}

/** Of each judge that named one side in every order. */
function votesAgainstTotals(
  { standings, decision, verdicts, scores, messages, labels }: Findings,
): string[] {
  const byJudge = Map.groupBy(verdicts, judgeKey);
  const ofAll = JSON.stringify(reversalIn(decision.winner, standings));
  return [...byJudge].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([key, own]) => {
    const [{ judge, winner }] = own as [Verdict];
    const named = own.length > 1 && own.every((each) => each.winner === winner) ? winner : null;
    const given = scores.filter((each) => judgeKey(each) === key);
    const found = reversalIn(named, standingsIn(given, labels, messages).scores);
    if (found === undefined || JSON.stringify(found) === ofAll) return [];
    return [
      `Judge "${judge}" named ${
        nameOf(found.named, labels)
      } in every order, whose total it put at ${found.total}; ` +
      `it put that of ${nameOf(found.best, labels)} at ${found.highest}.`,
    ];
  });
}

function nameOf(id: string, labels: ReadonlyMap<string, string>): string {
  return labels.get(id) ?? id;
}
