// Lists of any length as pages of bounded size: rows on pages, pages on pages above them.
import { padded } from "./fact_row.ts";
import { common } from "./frontmatter.ts";
import { writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";

/** A derived page. */
export interface PageText {
  /** In the convening's directory, with `/`. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
}

/** A row of a paged list, as far as paging goes. */
export interface SizedRow {
  /** Tokens of its line. */
  readonly cost: number;
  /** Neighbours of the same group stay on one page where they fit. */
  readonly group: string;
}

/** A page of a list, with all the rows below it. */
export interface ListPage<R> {
  readonly path: string;
  readonly rows: readonly R[];
}

/** Options of {@linkcode pageTree}. */
interface PageTreeOptions<R extends SizedRow> {
  /** Tokens of the rows on a page. */
  readonly capacity: number;
  /** Rows of a page of pages. */
  readonly perPage: number;
  /** The beginning of a page's path, before the number. */
  readonly path: string;
  /** The text of a page of rows. */
  leaf(page: ListPage<R>): string;
  /** The text of a page of pages. */
  above(page: ListPage<R>, pages: readonly ListPage<R>[]): string;
  /** Tells whether the uppermost page has room for the pages. */
  fits(pages: readonly ListPage<R>[]): boolean;
}

/** A list as pages: their texts, and the pages that the uppermost one lists. */
export function pageTree<R extends SizedRow>(
  rows: readonly R[],
  { capacity, perPage, path, leaf, above, fits }: PageTreeOptions<R>,
): { readonly pages: readonly PageText[]; readonly top: readonly ListPage<R>[] } {
  const pages: PageText[] = [];
  const starts = partition(rows, capacity);
  let top = starts.map((start, i): ListPage<R> => {
    const page = {
      path: `${path}${padded(i + 1, 3)}.md`,
      rows: rows.slice(start, starts[i + 1]),
    };
    pages.push({ path: page.path, text: leaf(page) });
    return page;
  });
  for (let level = 2; !fits(top); level++) {
    const below = top;
    top = [];
    for (let start = 0; start < below.length; start += perPage) {
      const listed = below.slice(start, start + perPage);
      const number = padded(start / perPage + 1, 3);
      const page = {
        path: `${path}${level}_${number}.md`,
        rows: listed.flatMap((each) => each.rows),
      };
      pages.push({ path: page.path, text: above(page, listed) });
      top.push(page);
    }
  }
  return { pages, top };
}

/** Cuts rows into pages of at most `capacity` tokens, whole groups where they fit: the index of each page's first row. */
export function partition(rows: readonly SizedRow[], capacity: number): number[] {
  const starts: number[] = [];
  for (let at = 0; at < rows.length; at = pageEnd(rows, at, capacity)) starts.push(at);
  return starts;
}

/** The index after the last row of the page that begins at `start`. */
function pageEnd(
  rows: readonly SizedRow[],
  start: number,
  capacity: number,
): number {
  let used = 0;
  let at = start;
  while (at < rows.length) {
    const group = groupAt(rows, at, capacity);
    if (used + group.cost <= capacity) {
      used += group.cost;
      at = group.end;
    } else if (at > start && group.cost <= capacity) {
      return at;
    } else return Math.max(rowsThatFit(rows, at, capacity - used), start + 1);
  }
  return at;
}

/** The group that begins at a row, followed only until it is larger than a page. */
function groupAt(
  rows: readonly SizedRow[],
  start: number,
  capacity: number,
): { end: number; cost: number } {
  const group = rows[start]!.group;
  let cost = 0;
  let end = start;
  while (end < rows.length && rows[end]!.group === group && cost <= capacity) {
    cost += rows[end]!.cost;
    end++;
  }
  return { end, cost };
}

function rowsThatFit(
  rows: readonly SizedRow[],
  start: number,
  room: number,
): number {
  let used = 0;
  let at = start;
  while (at < rows.length && used + rows[at]!.cost <= room) {
    used += rows[at]!.cost;
    at++;
  }
  return at;
}

const PAGE_TOKENS = 1900;
const HEAD_TOKENS = 150;
const PAGES_A_PAGE = 50;

/** A row of a list that is read newest first. */
export interface ListRow {
  /** Shown for the row where a page stands for many, such as a time. */
  readonly label: string;
  /** The row as a line of the table; `up` leads from the page to the list's own folder. */
  line(up: string): string;
}

/** A list in a folder: its `index.md`, and `pages/` where it does not fit. */
interface BoundedList {
  readonly title: string;
  /** Under the title. */
  readonly intro: string;
  /** The heads of the table's columns. */
  readonly columns: readonly string[];
  /** Oldest first. */
  readonly rows: readonly ListRow[];
}

/** A row, measured. */
interface Row extends SizedRow {
  readonly row: ListRow;
  readonly line: string;
}

/**
 * The pages of a list, each of at most 2,000 tokens, with paths in its folder; `index.md` is the last. Pages are cut from the oldest row on, so
 * that a new row changes the last page only.
 */
export function boundedList(
  list: BoundedList,
  measure: Measure,
): readonly PageText[] {
  const { title, intro, columns } = list;
  const rows = list.rows.map((row): Row => {
    const line = row.line("../");
    return { row, line, cost: measure(line), group: "" };
  });
  const head = `# ${title}\n\n${intro}\n\n`;
  const room = PAGE_TOKENS - HEAD_TOKENS - measure(head);
  if (rows.reduce((sum, { cost }) => sum + cost, 0) <= room) {
    const own = list.rows.map((row) => row.line(""));
    return [{ path: "index.md", text: page(head + table(columns, own)) }];
  }
  const under = `# ${title}, a part\n\nUp: [index.md](../index.md)\n\n`;
  const { pages, top } = pageTree(rows, {
    capacity: room,
    perPage: PAGES_A_PAGE,
    path: "pages/",
    leaf: (each) => page(under + table(columns, each.rows.map(({ line }) => line))),
    above: (_page, listed) => page(under + pageTable(listed, "../")),
    fits: ({ length }) => length <= PAGES_A_PAGE,
  });
  return [...pages, { path: "index.md", text: page(head + pageTable(top, "")) }];
}

function page(body: string): string {
  return writeFrontMatter(common("index"), body);
}

function pageTable(pages: readonly ListPage<Row>[], up: string): string {
  const lines = pages.map(({ path, rows }) =>
    `| [${rows[0]!.row.label} to ${rows.at(-1)!.row.label}](${up}${path}) | ${rows.length} |\n`
  );
  return table(["from, to", "count"], lines);
}

function table(columns: readonly string[], lines: readonly string[]): string {
  const rule = columns.map(() => "---").join(" | ");
  return `| ${columns.join(" | ")} |\n| ${rule} |\n${lines.toReversed().join("")}`;
}
