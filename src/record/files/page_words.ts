import type { Standing } from "../../core/outcome.ts";
import { markdownText } from "../markdown.ts";
import type { RecordModel } from "../record_model.ts";
import { nameOf } from "./assessment_words.ts";

/** How far names, positions and gists are cut, in code points and tokens. */
export const CUT = { name: 80, position: 140, gist: 140, tokens: 40 } as const;

/** The most items of a list that grows with the convening; what is left out is counted. */
const LISTED = 50;

/** A participant's name, and what it stands for, as one line of markdown. */
export function nameAndPosition({ start }: RecordModel, id: string): string {
  const found = start.participants.find((each) => each.id === id);
  const name = markdownText(nameOf(start, id), CUT.name);
  return found?.position === undefined
    ? name
    : `${name} (${markdownText(found.position, CUT.position)})`;
}

/** The name of a participant or judge as one line of markdown. */
export function shortName({ start }: RecordModel, id: string): string {
  return markdownText(nameOf(start, id), CUT.name);
}

/** Standings by falling total. */
export function ranked(scores: Readonly<Record<string, Standing>>): [string, Standing][] {
  return Object.entries(scores).sort(([, a], [, b]) => b.total - a.total);
}

/** The lines of a table: its heads and its rows, whose cells are markdown. */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line), ""];
}

/** A list of at most 50 items; `where` says where the others are. */
export function boundedItems(items: readonly string[], where: string): string[] {
  const left = items.length - LISTED;
  return [
    ...items.slice(0, LISTED).map((item) => `- ${item}`),
    ...(left > 0 ? [`- ${left} more: see ${where}`] : []),
    "",
  ];
}

/** A number of a table; a dash where there is none. */
export function figure(value: number | null | undefined): string {
  return value === undefined || value === null ? "–" : String(value);
}
