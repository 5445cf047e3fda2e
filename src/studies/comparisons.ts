// Converts a study's debates to comparisons of contestants; reads winners labelled by people.
import { ConfigurationError } from "../core/error.ts";
import type { Comparison } from "./fit.ts";
import { clusterOf, type SideResult, type StudyDebate } from "./study.ts";

export interface DebateComparison extends Comparison {
  /** Key of the cell. */
  readonly debate: string;
}

/** Returns a key of a cell's topic, format, repeat and seats; if mirrored, with the seats exchanged. */
function seatingKey({ cell }: StudyDebate, isMirrored = false): string {
  const { topic, format, repeat, question, first, second } = cell;
  const seats = isMirrored ? [second, first] : [first, second];
  return JSON.stringify([topic, format, repeat, question, ...seats]);
}

/** Returns true for a debate that ended with a winner or a tie. */
export function hasResult({ winner, sides }: StudyDebate): boolean {
  return winner !== undefined && sides.length > 1;
}

/** Returns the debates with a winner. */
export function decidedOf(debates: readonly StudyDebate[]): StudyDebate[] {
  return debates.filter(({ winner }) => winner !== null && winner !== undefined);
}

/** Returns true if a contestant takes part in the debate, planned or held. */
export function hasContestant({ cell, sides }: StudyDebate, name: string): boolean {
  return [cell.first, cell.second, ...sides.map(({ contestant }) => contestant)].includes(name);
}

/** Returns the debates used for ratings: ended; if both seatings are planned, both must have ended. */
export function ratedDebates(debates: readonly StudyDebate[]): StudyDebate[] {
  const planned = new Set(debates.map((each) => seatingKey(each)));
  const ended = new Set(debates.filter(hasResult).map((each) => seatingKey(each)));
  return debates.filter((each) => {
    const mirror = seatingKey(each, true);
    return hasResult(each) && (!planned.has(mirror) || ended.has(mirror));
  });
}

/** Returns the pairs of debates that differ only in the seats, if both have ended. */
export function mirroredPairs(debates: readonly StudyDebate[]): [StudyDebate, StudyDebate][] {
  const by = new Map(
    debates.filter((each) => hasResult(each) && each.cell.first !== each.cell.second)
      .map((each) => [seatingKey(each), each]),
  );
  return [...by.values()].flatMap((each): [StudyDebate, StudyDebate][] => {
    const mirror = by.get(seatingKey(each, true));
    by.delete(seatingKey(each));
    return mirror === undefined ? [] : [[each, mirror]];
  });
}

/**
 * Returns the comparisons of debates: one per pair of sides, with weights that sum to half the number of sides. `x` has the
 * relative difference in words, divided by its root mean square `lengthScale`.
 */
export function comparisonsOf(
  debates: readonly StudyDebate[],
): { readonly comparisons: DebateComparison[]; readonly lengthScale: number } {
  const raw = debates.flatMap(comparisonsIn);
  const squares = raw.reduce((sum, { x }) => sum + x[0]! ** 2, 0);
  const lengthScale = Math.sqrt(squares / Math.max(1, raw.length));
  const comparisons = raw.map((each) => ({
    ...each,
    x: each.x.map((value) => lengthScale === 0 ? 0 : value / lengthScale),
  }));
  return { comparisons, lengthScale };
}

function comparisonsIn(debate: StudyDebate): DebateComparison[] {
  const { cell, sides } = debate;
  const cluster = sides.length === 2 && cell.first !== undefined ? clusterOf(cell) : cell.key;
  return sides.flatMap((first, at) =>
    sides.slice(at + 1).flatMap((second) => {
      const score = scoreOf(debate, first, second);
      if (score === undefined || first.contestant === second.contestant) return [];
      return [{
        debate: cell.key,
        first: first.contestant,
        second: second.contestant,
        score,
        weight: 1 / (sides.length - 1),
        x: [(first.words - second.words) / (first.words + second.words + 1)],
        cluster,
      }];
    })
  );
}

/** Returns the score of a pair by the winner; for more than two sides by totals if neither won; undefined without totals. */
function scoreOf(
  { winner, sides }: StudyDebate,
  first: SideResult,
  second: SideResult,
): number | undefined {
  if (first.contestant === winner) return 1;
  if (second.contestant === winner) return 0;
  if (sides.length === 2) return 0.5;
  if (first.total === undefined || second.total === undefined) return undefined;
  return first.total > second.total ? 1 : first.total < second.total ? 0 : 0.5;
}

/** Winner of a debate according to a person. */
export interface PeopleLabel {
  /** Key of the cell. */
  readonly debate: string;
  /** Contestant id; null for a tie. */
  readonly winner: string | null;
  /** Name of the person; empty if the file has no names. */
  readonly rater: string;
}

const HINT =
  "The first line names the columns debate, winner and, if any, rater, separated by commas; each winner is a side of the debate or tie.";

/**
 * Parses labels from CSV with the columns `debate` (a key of the plan), `winner` (a side of the debate, or `tie`) and
 * optionally `rater`. Throws `config_invalid` with the line number.
 */
export function readLabels(
  text: string,
  path: string,
  debates: readonly StudyDebate[],
): PeopleLabel[] {
  const refused = (line: number, problem: string) =>
    new ConfigurationError(`Cannot use the labels "${path}", line ${line}: ${problem}`, {
      field: "labels",
      hint: HINT,
    });
  const [head, ...rows] = rowsOf(text);
  const [debateAt, winnerAt, raterAt] = ["debate", "winner", "rater"]
    .map((name) => head!.fields.indexOf(name)) as [number, number, number];
  if (debateAt === -1 || winnerAt === -1) throw refused(1, "it lacks a column debate or winner");
  const byKey = new Map(debates.map((each) => [each.cell.key, each]));
  const seen = new Set<string>();
  return rows.flatMap(({ line, fields }): PeopleLabel[] => {
    if (fields.every((field) => field === "")) return [];
    const [debate = "", winner = ""] = [fields[debateAt], fields[winnerAt]];
    const labelled = byKey.get(debate);
    if (labelled === undefined) throw refused(line, `the plan has no debate "${debate}"`);
    const { cell: { first, second }, sides } = labelled;
    // Without contestants, the sides are known once the debate has begun.
    const names = first === undefined ? sides.map(({ contestant }) => contestant) : [first, second];
    if (winner !== "tie" && names.length > 0 && !names.includes(winner)) {
      const allowed = [...names, "tie"].join(", ");
      throw refused(line, `"${winner}" is no side of the debate ${debate} (${allowed})`);
    }
    const rater = fields[raterAt] ?? "";
    if (rater !== "" && seen.has(`${debate} ${rater}`)) {
      throw refused(line, `"${rater}" labels the debate ${debate} twice`);
    }
    seen.add(`${debate} ${rater}`);
    return [{ debate, winner: winner === "tie" ? null : winner, rater }];
  });
}

/** Splits CSV into rows with the number of their first line; quoted fields may contain commas, doubled quotes and line breaks. */
function rowsOf(text: string) {
  const rows = [{ line: 1, fields: [] as string[] }];
  let line = 1;
  for (
    const [all, quoted, plain = "", end] of text.matchAll(
      /(?:\uFEFF?"((?:[^"]|"")*)"[^,\r\n]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/g,
    )
  ) {
    rows.at(-1)!.fields.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += all.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end !== "," && end !== "") rows.push({ line, fields: [] });
  }
  return rows;
}
