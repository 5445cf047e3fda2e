/** A row of a paged list, as far as paging goes. */
export interface SizedRow {
  /** Tokens of its line. */
  readonly cost: number;
  /** Neighbours of the same group stay on one page where they fit. */
  readonly group: string;
}

/** Where the pages of a list begin that is cut again after rows changed. */
export interface Repartition {
  /** The first row that is new or moved. @default 0 */
  readonly from?: number;
  /** Where pages began before. @default none */
  readonly before?: readonly number[];
}

/**
 * Cuts rows into pages of at most `capacity` tokens, whole groups where they fit: the index of each page's first row.
 * It depends on the rows alone, and only the pages about `from` are cut again: where a page ends is settled by its rows
 * and at most one page's worth after it.
 */
export function partition(
  rows: readonly SizedRow[],
  capacity: number,
  { from = 0, before = [] }: Repartition = {},
): number[] {
  const starts = before.filter((start) => start <= from).slice(0, -2);
  let at = starts.pop() ?? 0;
  while (at < rows.length) {
    starts.push(at);
    at = pageEnd(rows, at, capacity);
  }
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

/** The runs of `size` that `length` items are cut into. */
export function runs(
  length: number,
  size: number,
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let start = 0; start < length; start += size) {
    found.push({ start, end: Math.min(start + size, length) });
  }
  return found;
}
