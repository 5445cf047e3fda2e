import { lineOf, medianOf, type PdfItem, type PdfLine, type PdfRow } from "./pdf_page.ts";

/** The empty strip between two columns, in points from the page's left. */
export interface Gutter {
  /** Where the left column ends. */
  readonly from: number;
  /** Where the right column begins. */
  readonly to: number;
}

/** The least lines of a column, and the least lines' height that two columns stand side by side. */
const LEAST_LINES = 4;
/** How much of its column the middle one of the lines fills at least; cells of a table fill less. */
const LEAST_FILL = 0.5;
/** The narrowest strip, in sizes of the letters. */
const LEAST_WIDTH = 0.6;
/** The widest page, in points, that is looked at: wider than the format allows. */
const WIDEST_PAGE = 20_000;
/** The part of the text's width in which a strip can lie. */
const MIDDLE = { from: 0.3, to: 0.7 } as const;

/**
 * The strip between the two columns of a page; undefined where its text has one column. Few rows go across it, and on
 * both sides of it stand lines, side by side, that fill their column: the cells of a table do not.
 */
export function gutterOf(rows: readonly PdfRow[]): Gutter | undefined {
  if (rows.length < LEAST_LINES) return undefined;
  const items = rows.flatMap((row) => row.items);
  const left = Math.floor(Math.min(...rows.map((row) => row.items[0]!.x)));
  const right = Math.ceil(items.reduce((end, { x, width }) => Math.max(end, x + width), left));
  if (!(right - left <= WIDEST_PAGE)) return undefined;
  const size = medianOf(rows.map((row) => row.size)) ?? 0;
  const strip = emptiest(rows, left, right);
  if (strip === undefined || strip.to - strip.from < LEAST_WIDTH * size) return undefined;
  const sides = rows.filter((row) => !crosses(row, strip)).map((row) => halves(row, strip));
  const lefts = sides.flatMap((side) => side.left ?? []);
  const rights = sides.flatMap((side) => side.right ?? []);
  const isColumn = (lines: readonly PdfLine[], width: number) =>
    lines.length >= LEAST_LINES &&
    (medianOf(lines.map(({ x, end }) => end - x)) ?? 0) >= LEAST_FILL * width;
  if (!isColumn(lefts, strip.from - left) || !isColumn(rights, right - strip.to)) return undefined;
  const beside = Math.min(lefts.at(-1)!.y, rights.at(-1)!.y) - Math.max(lefts[0]!.y, rights[0]!.y);
  return beside >= (LEAST_LINES - 1) * size ? strip : undefined;
}

/** The widest strip in the middle that the fewest rows go across. */
function emptiest(rows: readonly PdfRow[], left: number, right: number): Gutter | undefined {
  const covered = new Uint32Array(Math.max(0, right - left) + 1);
  for (const { items } of rows) {
    let free = 0;
    for (const { x, width } of items) {
      const end = Math.min(covered.length, Math.ceil(x + width) - left);
      for (let at = Math.max(free, Math.floor(x) - left); at < end; at++) covered[at]!++;
      free = Math.max(free, end);
    }
  }
  const from = Math.floor(covered.length * MIDDLE.from);
  const middle = covered.subarray(from, Math.ceil(covered.length * MIDDLE.to));
  const few = middle.reduce((least, each) => Math.min(least, each), Infinity) +
    Math.max(1, rows.length * 0.05);
  let best: Gutter | undefined;
  let start = 0;
  for (let at = 0; at <= middle.length; at++) {
    if (at < middle.length && middle[at]! <= few) continue;
    if (at - start > (best === undefined ? 0 : best.to - best.from)) {
      best = { from: left + from + start, to: left + from + at };
    }
    start = at + 1;
  }
  return best;
}

/** The strip most pages share, for pages with too few lines to show it; undefined where fewer than half have one. */
export function commonGutter(gutters: readonly (Gutter | undefined)[]): Gutter | undefined {
  const found = gutters.filter((each) => each !== undefined);
  if (found.length === 0 || found.length * 2 < gutters.length) return undefined;
  const from = medianOf(found.map((each) => each.from))!;
  const to = medianOf(found.map((each) => each.to))!;
  return from < to ? { from, to } : undefined;
}

/**
 * The lines of a page in the order they are read, in runs: what stands above a row that goes across both columns comes
 * before it, the left column before the right one.
 */
export function readingOrder(rows: readonly PdfRow[], gutter: Gutter | undefined): PdfLine[][] {
  if (gutter === undefined) return rows.length === 0 ? [] : [rows.map(whole)];
  const runs: PdfLine[][] = [];
  let [left, right, across]: PdfLine[][] = [[], [], []];
  const flush = () => {
    runs.push(...[across!, left!, right!].filter((run) => run.length > 0));
    [left, right, across] = [[], [], []];
  };
  for (const row of rows) {
    if (crosses(row, gutter)) {
      if (left!.length + right!.length > 0) flush();
      across!.push(whole(row));
      continue;
    }
    const sides = halves(row, gutter);
    if (sides.left !== undefined) left!.push(sides.left);
    if (sides.right !== undefined) right!.push(sides.right);
  }
  flush();
  return runs;
}

function whole({ items }: PdfRow): PdfLine {
  return lineOf(items);
}

function crosses({ items }: PdfRow, { from, to }: Gutter): boolean {
  const middle = (from + to) / 2;
  return items.some(({ x, width }) => x < middle && x + width > middle);
}

/** What a row says on each side. */
function halves(
  { items }: PdfRow,
  { from, to }: Gutter,
): { readonly left?: PdfLine | undefined; readonly right?: PdfLine | undefined } {
  const middle = (from + to) / 2;
  const line = (some: readonly PdfItem[]) => some.length === 0 ? undefined : lineOf(some);
  return {
    left: line(items.filter(({ x }) => x < middle)),
    right: line(items.filter(({ x }) => x >= middle)),
  };
}
