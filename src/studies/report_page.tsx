// Renders the blocks of a report as markdown and as one HTML page without scripts; intervals are drawn as SVG.
/** @jsxImportSource hono/jsx */
import { bidi, column, type Markup, standalonePage, wideTable } from "../record/html/markup.tsx";
import { markdownText } from "../record/frontmatter.ts";
import type { Interval } from "./ratings.ts";

/** A link relative to the report. */
export interface Link {
  readonly text: string;
  readonly href: string;
}

/** A value in a table: text, a formatted number, links, or an interval to draw. */
export type Cell = string | number | readonly Link[] | Whisker;

/** An interval drawn on a scale; omitted from markdown. */
interface Whisker {
  readonly estimate: number;
  readonly interval: Interval;
  readonly scale: Interval;
}

/** A part of a report; its texts are not yet escaped. */
export type Block =
  | { readonly heading: string }
  | { readonly text: string }
  | { readonly cautions: readonly string[] }
  | {
    readonly table: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly Cell[])[];
  };

function isWhisker(cell: Cell): cell is Whisker {
  return typeof cell === "object" && "scale" in cell;
}

/** Maximum characters of a text in markdown. */
const MOST = 2000;
/** Text that consists of numbers and needs no escaping. */
const NUMBERS = /^-?\d[-\d.,%/ –[\]]*(?:of \d+)?$/;
/** An escaped interval or count in brackets, which markdown cannot mistake for a link. */
const BRACKETS = /\\\[([-\d., ]+)\\\](?!\\?[([:])/g;

function text(words: string): string {
  return markdownText(words, MOST).replace(BRACKETS, "[$1]");
}

export function markdownOf(title: string, blocks: readonly Block[]): string {
  return [`# ${text(title)}`, ...blocks.map(markdownBlock)].join("\n\n") + "\n";
}

function markdownBlock(block: Block): string {
  if ("heading" in block) return `## ${text(block.heading)}`;
  if ("text" in block) return text(block.text);
  if ("cautions" in block) return block.cautions.map((each) => `- ${text(each)}`).join("\n");
  const isDrawn = block.head.map((_, at) => block.rows.some((row) => isWhisker(row[at] ?? "")));
  const rows = block.rows.map((row) =>
    row.flatMap((cell, at) => isDrawn[at]! || isWhisker(cell) ? [] : [markdownCell(cell)])
  );
  const head = block.head.filter((_, at) => !isDrawn[at]!);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [line(head.map(text)), line(head.map(() => "---")), ...rows.map(line)];
  return [`### ${text(block.table)}`, "", ...table].join("\n");
}

function markdownCell(cell: Exclude<Cell, Whisker>): string {
  if (typeof cell === "number") return String(cell);
  if (typeof cell === "string") return NUMBERS.test(cell) ? cell : text(cell);
  return cell.map((link) => `[${text(link.text)}](${link.href})`).join("; ");
}

const STYLE = `
main { max-width: 90rem; }
.report-table th[scope="row"] { max-width: 24rem; }
@media (min-width: 60rem) {
  .report-table th[scope="row"] { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
}
.report-table { margin: 0.5rem 0 1rem; }
.report-table td { white-space: nowrap; }
.report-table td:is(.words, .links) { min-width: 6rem; max-width: min(32rem, 60vw); text-align: start; white-space: normal; }
.report-table td.long { min-width: 13rem; }
.report-table .bar { min-width: 9rem; }
.report-table circle { fill: var(--accent); }
`;

export async function pageOf(title: string, blocks: readonly Block[]): Promise<string> {
  return await standalonePage(
    title,
    <>
      <h1 dir="auto">{title}</h1>
      {blocks.map(blockMarkup)}
    </>,
    { style: STYLE },
  );
}

function blockMarkup(block: Block): Markup {
  if ("heading" in block) return <h2 dir="auto">{block.heading}</h2>;
  if ("text" in block) return <p dir="auto">{block.text}</p>;
  if ("cautions" in block) {
    return (
      <div class="caution">
        <ul class="findings">{block.cautions.map((each) => <li dir="auto">{each}</li>)}</ul>
      </div>
    );
  }
  return (
    <>
      <h3 dir="auto">{block.table}</h3>
      {wideTable({
        label: block.table,
        class: "report-table",
        columns: block.head.map((each) => each === "" ? <td></td> : column(each)),
        rows: block.rows.map(([first, ...cells]) => [
          cellMarkup(first ?? ""),
          cells.map((cell) => <td class={cellClass(cell)}>{cellMarkup(cell)}</td>),
        ]),
      })}
    </>
  );
}

function cellClass(cell: Cell): string | undefined {
  if (Array.isArray(cell)) return "links";
  if (typeof cell !== "string" || !/\p{L}{3}/u.test(cell)) return undefined;
  return cell.length > 60 ? "words long" : "words";
}

function cellMarkup(cell: Cell): Markup {
  if (typeof cell === "number") return <>{String(cell)}</>;
  if (typeof cell === "string") return bidi(cell);
  if (isWhisker(cell)) return whisker(cell);
  return (
    <>
      {cell.map(({ text, href }) => (
        <>
          <a href={href}>{bidi(text)}</a>
          {" "}
        </>
      ))}
    </>
  );
}

function whisker({ estimate, interval, scale: [least, most] }: Whisker): Markup {
  const share = (value: number) =>
    `${(most === least ? 50 : 4 + 92 * (value - least) / (most - least)).toFixed(2)}%`;
  const [low, high] = interval.map(share);
  const words = [estimate, ...interval].map(Math.round);
  return (
    <svg
      class="bar"
      role="img"
      aria-label={`${words[0]}, from ${words[1]} to ${words[2]}`}
      width="100%"
      height="22"
    >
      <rect class="track" width="100%" height="100%" rx="4" />
      <line class="whisker" x1={low} x2={high} y1="50%" y2="50%" />
      {[low, high].map((x) => <line class="whisker" x1={x} x2={x} y1="30%" y2="70%" />)}
      <circle cx={share(estimate)} cy="50%" r="4" />
    </svg>
  );
}
