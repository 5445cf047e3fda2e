// Lists of any length as pages of bounded size: rows on pages, pages on pages above them.
import { padded } from "./files/renderer.ts";

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

/** How the pages of a list are made. */
interface PageTreeOptions<R extends SizedRow> {
  /** Tokens of the rows on a page. */
  readonly capacity: number;
  /** How many pages a page of pages lists. */
  readonly perPage: number;
  /** What stands before the number in a page's path. */
  readonly path: string;
  /** The text of a page of rows. */
  leaf(page: ListPage<R>): string;
  /** The text of a page of pages. */
  above(page: ListPage<R>, pages: readonly ListPage<R>[]): string;
  /** Whether the uppermost page has room for these. */
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
