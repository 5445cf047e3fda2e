// Labels of people, read from a file of comma-separated values.
import { ConfigurationError } from "../core/error.ts";
import type { PeopleLabel } from "./diagnostic.ts";
import type { Cell } from "./study.ts";

const HINT =
  "The first line names the columns debate, winner and, if any, rater; each winner is a contestant of the debate or tie.";

/**
 * Labels in a file with the columns `debate` (a key of the plan), `winner` (a contestant, or `tie`) and `rater`. Fails with
 * `config_invalid`, naming the line.
 */
export function readLabels(text: string, path: string, cells: readonly Cell[]): PeopleLabel[] {
  const refused = (line: number, problem: string) =>
    new ConfigurationError(`Cannot use the labels "${path}", line ${line}: ${problem}`, {
      field: "labels",
      hint: HINT,
    });
  const [head = [], ...lines] = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/).map(fieldsOf);
  const [debateAt, winnerAt, raterAt] = ["debate", "winner", "rater"]
    .map((name) => head.indexOf(name)) as [number, number, number];
  if (debateAt === -1 || winnerAt === -1) throw refused(1, "it lacks a column debate or winner");
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  return lines.flatMap((fields, at): PeopleLabel[] => {
    if (fields.every((field) => field === "")) return [];
    const [debate = "", winner = ""] = [fields[debateAt], fields[winnerAt]];
    const cell = byKey.get(debate);
    if (cell === undefined) throw refused(at + 2, `the plan has no debate "${debate}"`);
    if (winner !== "tie" && ![cell.first ?? winner, cell.second].includes(winner)) {
      throw refused(at + 2, `"${winner}" is no contestant of the debate ${debate}`);
    }
    return [{ debate, winner: winner === "tie" ? null : winner, rater: fields[raterAt] ?? "" }];
  });
}

/** The fields of a line; those in quotes may hold commas and doubled quotes. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    .map(([, quoted, plain = ""]) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}
