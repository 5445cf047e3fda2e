import { lineOf, medianOf, type PdfPage, type PdfRow } from "./pdf_page.ts";

/** How far from the top and from the bottom of a page running lines can stand, in parts of its height. */
const EDGE = { top: 0.1, bottom: 0.12 } as const;
/** How far apart they may stand on two pages, in points. */
const SAME_PLACE = 3;
/** How far from the text they stand at least, in distances between its lines. */
const LEAST_GAP = 1.25;
/** How far apart lines of one text stand at most, in sizes of their letters. */
const WIDEST_GAP = 2.5;
/** How many pages are enough where a number in the line counts them. */
const ENOUGH = 3;

/** The length of a running line at most, in characters. */
const MOST_LETTERS = 300;

/** A row that may be a running line. */
interface Candidate {
  readonly row: PdfRow;
  readonly page: number;
  readonly text: string;
}

/**
 * The rows of pages without running headers, footers and page numbers: rows near an edge, apart from the text, that stand
 * at the same place and say the same on most pages, or on most odd or most even ones. Of those that begin or end with a
 * number that counts the pages, a few are enough, and they may say what they will, as the names of chapters. Where nothing else is on any page, they stay.
 */
export function withoutRunning(
  pages: readonly PdfPage[],
  rows: readonly (readonly PdfRow[])[],
): PdfRow[][] {
  const apart = LEAST_GAP * (medianOf(rows.flatMap(lineGaps)) ?? 0);
  const candidates = rows.flatMap((each, page) =>
    atEdges(each, { height: pages[page]!.height, apart })
      .map((row) => ({ row, page, text: lineOf(row.items).text }))
      .filter(({ text }) => text.length <= MOST_LETTERS)
  );
  const running = new Set([
    ...saidAlike(candidates, pages.length),
    ...countingPages(candidates, pages.length),
  ]);
  const text = rows.map((each) => each.filter((row) => !running.has(row)));
  return text.every((each) => each.length === 0) ? rows.map((each) => [...each]) : text;
}

/** The distances between a page's rows, but those that are too wide for lines of one text. */
function lineGaps(rows: readonly PdfRow[]): number[] {
  return rows.slice(1).flatMap(({ y, size }, at) => {
    const gap = y - rows[at]!.y;
    return gap < WIDEST_GAP * size ? [gap] : [];
  });
}

/** The rows near the top and near the bottom that stand apart from the text, if there is a text. */
function atEdges(
  rows: readonly PdfRow[],
  { height, apart }: { readonly height: number; readonly apart: number },
): PdfRow[] {
  const isTop = ({ y }: PdfRow) => y <= height * EDGE.top;
  const isBottom = ({ y }: PdfRow) => y >= height * (1 - EDGE.bottom);
  if (rows.every((row) => isTop(row) || isBottom(row))) return [...rows];
  const isApart = (at: number) => rows[at + 1]!.y - rows[at]!.y >= apart;
  const between = Array.from({ length: Math.max(0, rows.length - 1) }, (_, at) => at)
    .filter(isApart);
  const top = between.findLast((at) => isTop(rows[at]!));
  const bottom = between.find((at) => isBottom(rows[at + 1]!));
  return [
    ...top === undefined ? [] : rows.slice(0, top + 1),
    ...bottom === undefined ? [] : rows.slice(bottom + 1),
  ];
}

/** The page number at a line's beginning or its end: `Page 3 of 12`, `- 3 -`, `iv`, `3 Title`. Undefined where there is none. */
function pageNumberIn(text: string): number | undefined {
  const bare = text.toLowerCase().replace(/^[-–—\s[(]+|[-–—\s\])]+$/g, "");
  if (/^[ivxl]+$/.test(bare)) return roman(bare);
  const found = /^(?<first>\d{1,4})(?=\s|$)|(?<=\s)(?<last>\d{1,4})(?:\s*(?:of|\/)\s*\d{1,4})?$/
    .exec(bare)?.groups;
  const number = found?.first ?? found?.last;
  return number === undefined ? undefined : Number(number);
}

function roman(text: string): number {
  const values: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 };
  let sum = 0;
  for (const [at, letter] of [...text].entries()) {
    const value = values[letter]!;
    sum += value < (values[text[at + 1] ?? ""] ?? 0) ? -value : value;
  }
  return sum;
}

function placeOf({ y }: PdfRow): number {
  return Math.round(y / SAME_PLACE);
}

/** The rows that say the same at one place on most pages, or on most odd or most even ones. */
function saidAlike(candidates: readonly Candidate[], pages: number): PdfRow[] {
  const most = (some: readonly Candidate[], of: number) =>
    of >= 2 && some.length > of / 2 ? some : [];
  const groups = Map.groupBy(candidates, ({ row, text }) => `${placeOf(row)} ${text}`);
  return [...groups.values()].flatMap((alike) => [
    ...most(alike, pages),
    ...most(alike.filter(({ page }) => page % 2 === 1), Math.floor(pages / 2)),
    ...most(alike.filter(({ page }) => page % 2 === 0), Math.ceil(pages / 2)),
  ]).map(({ row }) => row);
}

/** The rows with a number at one place that counts the pages: on enough of them, or on most. */
function countingPages(candidates: readonly Candidate[], pages: number): PdfRow[] {
  const numbered = candidates.flatMap(({ row, page, text }) => {
    const number = pageNumberIn(text);
    return number === undefined ? [] : [{ row, key: `${placeOf(row)} ${number - page}` }];
  });
  return [...Map.groupBy(numbered, ({ key }) => key).values()]
    .filter(({ length }) => length >= ENOUGH || (length >= 2 && length > pages / 2))
    .flatMap((alike) => alike.map(({ row }) => row));
}
