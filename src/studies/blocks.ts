// Reports as blocks, which are written as markdown here and as a page in report_page.tsx.
import { markdownText } from "../record/markdown.ts";
import type { Interval } from "./ratings.ts";

/** A link relative to the report. */
export interface Link {
  readonly text: string;
  readonly href: string;
}

/** A value in a table: text, a number as it is shown, links, or an estimate whose interval a page draws. */
export type Cell = string | number | readonly Link[] | Whisker;

/** An interval on a scale; markdown leaves its column out. */
export interface Whisker {
  readonly estimate: number;
  readonly interval: Interval;
  readonly scale: Interval;
}

/** A part of a report; no text in it is escaped. */
export type Block =
  | { readonly heading: string }
  | { readonly text: string }
  | { readonly cautions: readonly string[] }
  | {
    /** The heading of the table. */
    readonly table: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly Cell[])[];
  };

/** True for the column of whiskers. */
export function isWhisker(cell: Cell): cell is Whisker {
  return typeof cell === "object" && "scale" in cell;
}

/** Most characters of a text in a report. */
const MOST = 2000;
/** A text of numbers alone. */
const NUMBERS = /^-?\d[-\d.,%/ –[\]]*(?:of \d+)?$/;
/** An interval or a count in brackets, which is no markup. */
const BRACKETS = /\\\[([-\d., ]+)\\\](?!\\?[([:])/g;

function text(words: string): string {
  return markdownText(words, MOST).replace(BRACKETS, "[$1]");
}

/** Blocks as markdown under a title. */
export function markdownOf(title: string, blocks: readonly Block[]): string {
  return [`# ${text(title)}`, ...blocks.map(markdownBlock)].join("\n\n") + "\n";
}

function markdownBlock(block: Block): string {
  if ("heading" in block) return `## ${text(block.heading)}`;
  if ("text" in block) return text(block.text);
  if ("cautions" in block) return block.cautions.map((each) => `- ${text(each)}`).join("\n");
  const rows = block.rows.map((row) =>
    row.flatMap((cell) => isWhisker(cell) ? [] : [markdownCell(cell)])
  );
  const head = block.head.filter((_, at) => !block.rows.some((row) => isWhisker(row[at] ?? "")));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `### ${text(block.table)}`,
    "",
    line(head.map(text)),
    line(head.map(() => "---")),
    ...rows.map(line),
  ]
    .join("\n");
}

function markdownCell(cell: Exclude<Cell, Whisker>): string {
  if (typeof cell === "number") return String(cell);
  if (typeof cell === "string") return NUMBERS.test(cell) ? cell : text(cell);
  return cell.map((link) => `[${text(link.text)}](${link.href})`).join(" ");
}
