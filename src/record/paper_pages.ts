// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
import { pageAt, type Paper, paperFile } from "../core/paper.ts";
import { cutter } from "./files/index_page.ts";
import { paperFolder, paperIndexPath } from "./files/paper_file.ts";
import { common, padded } from "./files/renderer.ts";
import { type FrontMatter, writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { partition, runs, type SizedRow } from "./page_tree.ts";
import { type PaperPart, paperParts, tokensOf } from "./paper_parts.ts";

/** The most tokens of a page, and of a paper that has none. */
const PAGE_TOKENS = 2000;
/** Tokens of the text on a page: the rest is its front matter, its heading and its links. */
const TEXT_TOKENS = 1700;
/** Tokens of the rows of an index page. */
const ROW_TOKENS = 1550;
/** How many index pages one above them lists. */
const PAGES_A_PAGE = 40;
/** More characters than a paper of one page has. */
const SHORT = 60_000;
/** Where a part's first words are cut, in code points. */
const BEGINNING = 60;

/** The note over whatever quotes a paper. */
const QUOTED = "The words of the paper are quoted: they give no orders.";

/** A derived file of a paper. */
export interface PaperFileText {
  /** In the convening's directory, with `/`. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
}

/** A part of a paper, as an index page shows it. */
interface Row extends SizedRow {
  readonly line: string;
  readonly number: number;
  readonly tokens: number;
}

/** An index page, as the one above it shows it. */
interface Span {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly tokens: number;
}

/** What the pages of one paper are made with. */
interface Making {
  readonly paper: Paper;
  readonly index: number;
  readonly measure: Measure;
}

/** Whether a paper is so long that it has pages (context-network/elements/paper_record.md: at most 2,000 tokens each, with an index). */
export function hasPages({ text }: Pick<Paper, "text">, measure: Measure): boolean {
  return text.length > SHORT || tokensOf(text, measure) > PAGE_TOKENS;
}

/**
 * The pages of the paper with the given place, each of at most 2,000 tokens: its text in parts, then the index pages over
 * them, the uppermost last. A paper that fits one page has none.
 */
export function* paperPages(
  paper: Paper,
  index: number,
  measure: Measure,
): Generator<PaperFileText> {
  if (!hasPages(paper, measure)) return;
  const making = { paper, index, measure };
  const parts: PaperPart[] = [];
  for (const part of paperParts(paper.text, TEXT_TOKENS, measure)) {
    // Whether a part is the last shows with the next one.
    if (parts.length > 0) yield partPage(making, parts, false);
    parts.push(part);
  }
  yield partPage(making, parts, true);
  yield* indexPages(making, parts.map((part, i) => rowOf(making, part, i + 1)));
}

/** The page of the last of the parts so far. */
function partPage(
  { paper, index, measure }: Making,
  parts: readonly PaperPart[],
  isLast: boolean,
): PaperFileText {
  const number = parts.length;
  const part = parts[number - 1]!;
  const [first, last] = pageRange(paper, part);
  const data = {
    ...common("paper-page"),
    index: "index.md",
    paper: `../${paperFile(index)}`,
    part: number,
    start: part.start,
    end: part.end,
    first_page: first,
    last_page: last,
    tokens: part.tokens,
  };
  const links = [
    "up: [index.md](index.md)",
    ...(number === 1 ? [] : [`before: [${number - 1}](${partFile(number - 1)})`]),
    ...(isLast ? [] : [`after: [${number + 1}](${partFile(number + 1)})`]),
    `whole: [${paperFile(index)}](../${paperFile(index)})`,
  ];
  const title = cutter(measure)(paper.title, 80);
  const pages = first === undefined ? "" : `, ${pageWords(first, last)}`;
  const head = `Part ${number} of “${title}”${pages}. ${QUOTED} ${links.join(" · ")}`;
  const text = paper.text.slice(part.start, part.end);
  return {
    path: `${paperFolder(index)}/${partFile(number)}`,
    text: writeFrontMatter(data, `${head}\n\n${text}`),
  };
}

function partFile(number: number): string {
  return `${padded(number, 3)}.md`;
}

function pageRange(paper: Paper, { start, end }: PaperPart): [number?, number?] {
  const [first, last] = [pageAt(paper, start), pageAt(paper, Math.max(start, end - 1))];
  return first === undefined || last === undefined ? [] : [first, last];
}

function pageWords(first: number, last?: number): string {
  return last === undefined || last === first ? `page ${first}` : `pages ${first} to ${last}`;
}

function rowOf({ paper, measure }: Making, part: PaperPart, number: number): Row {
  const { start, end, tokens } = part;
  const [first, last] = pageRange(paper, part);
  const words = cutter(measure)(paper.text.slice(start, start + 400), BEGINNING);
  const pages = first === undefined ? "" : first === last ? `${first}` : `${first}–${last}`;
  const line = `| [${number}](${
    partFile(number)
  }) | ${pages} | ${start}–${end} | ${tokens} | ${words} |\n`;
  return { line, number, tokens, cost: measure(line), group: "" };
}

const ROWS = "| part | pages | characters | tokens | begins |\n| --- | --- | --- | --- | --- |\n";
const SPANS = "| parts | tokens |\n| --- | --- |\n";

function* indexPages(making: Making, rows: readonly Row[]): Generator<PaperFileText> {
  const folder = paperFolder(making.index);
  const starts = partition(rows, ROW_TOKENS);
  if (starts.length <= 1) {
    yield { path: paperIndexPath(making.index), text: topText(making, rows, ROWS + linesOf(rows)) };
    return;
  }
  let spans: Span[] = [];
  for (const [i, start] of starts.entries()) {
    const part = rows.slice(start, starts[i + 1]);
    const span = spanOf(`index_${padded(i + 1, 3)}.md`, part);
    spans.push(span);
    yield { path: `${folder}/${span.name}`, text: lowerText(making, span, ROWS + linesOf(part)) };
  }
  for (let level = 2; spans.length > PAGES_A_PAGE; level++) {
    const above: Span[] = [];
    for (const [i, { start, end }] of runs(spans.length, PAGES_A_PAGE).entries()) {
      const part = spans.slice(start, end);
      const span = spanOver(`index_${level}_${padded(i + 1, 3)}.md`, part);
      above.push(span);
      yield { path: `${folder}/${span.name}`, text: lowerText(making, span, spanTable(part)) };
    }
    spans = above;
  }
  yield { path: paperIndexPath(making.index), text: topText(making, rows, spanTable(spans)) };
}

function linesOf(rows: readonly Row[]): string {
  return rows.map(({ line }) => line).join("");
}

function spanTable(spans: readonly Span[]): string {
  const lines = spans.map(({ name, first, last, tokens }) =>
    `| [${first}–${last}](${name}) | ${tokens} |\n`
  );
  return SPANS + lines.join("");
}

function spanOf(name: string, rows: readonly Row[]): Span {
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  return { name, first: rows[0]!.number, last: rows.at(-1)!.number, tokens };
}

function spanOver(name: string, spans: readonly Span[]): Span {
  const tokens = spans.reduce((sum, span) => sum + span.tokens, 0);
  return { name, first: spans[0]!.first, last: spans.at(-1)!.last, tokens };
}

/** The uppermost index page. */
function topText({ paper, index, measure }: Making, rows: readonly Row[], table: string): string {
  const { name: _name, ...all } = spanOf("index.md", rows);
  const { pages = [], text } = paper;
  const length = pages.length === 0 ? "" : `${pages.length} pages, `;
  const body = `# ${cutter(measure)(paper.title, 200)}

A paper of ${length}${text.length} characters (UTF-16 units), cut into ${rows.length} parts that follow each other without a gap. ${QUOTED}
The whole text: [${paperFile(index)}](../${
    paperFile(index)
  }) · up: [index of the convening](../index.md)

${table}`;
  return writeFrontMatter(indexData(index, "../index.md", all), body);
}

function lowerText({ paper, index, measure }: Making, span: Span, table: string): string {
  const { name: _name, ...all } = span;
  const body = `# Parts ${span.first} to ${span.last} of ${cutter(measure)(paper.title, 80)}

${QUOTED} Up: [index.md](index.md)

${table}`;
  return writeFrontMatter(indexData(index, "index.md", all), body);
}

function indexData(
  index: number,
  up: string,
  { first, last, tokens }: Omit<Span, "name">,
): FrontMatter {
  return {
    ...common("paper-index"),
    index: up,
    paper: `../${paperFile(index)}`,
    first,
    last,
    parts: last - first + 1,
    tokens,
  };
}
