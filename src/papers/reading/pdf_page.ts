/** A run of text on a page, turned so that it reads from left to right or from right to left. */
export interface PdfItem {
  /** What it says; never blank. */
  readonly text: string;
  /** Its left end, in points from the page's left. */
  readonly x: number;
  /** Its baseline, in points from the page's top. */
  readonly y: number;
  /** How far it goes to the right, in points. */
  readonly width: number;
  /** The size of its letters, in points. */
  readonly size: number;
  /** Whether it is read from right to left. */
  readonly rightToLeft: boolean;
  /** Whether the file has a space after it. */
  readonly spaceAfter: boolean;
}

/** The text of a page that runs in one direction. */
export interface PdfPage {
  /** In no order. */
  readonly items: readonly PdfItem[];
  /** From top to bottom, in points. */
  readonly height: number;
}

/** What stands on one height of a page. */
export interface PdfRow {
  /** From left to right. */
  readonly items: readonly PdfItem[];
  /** The baseline of the largest letters. */
  readonly y: number;
  /** The size of the largest letters. */
  readonly size: number;
}

/** A line of text as it is read. */
export interface PdfLine {
  /** Never blank; single spaces between words. */
  readonly text: string;
  /** Where it begins, from the left. */
  readonly x: number;
  /** Where it ends, from the left. */
  readonly end: number;
  /** The baseline of most of its letters, from the top. */
  readonly y: number;
  /** Their size. */
  readonly size: number;
  /** About how wide its first word is, in points. */
  readonly firstWord: number;
  /** Whether wide gaps part it into the cells of a table. */
  readonly isRow: boolean;
}

/** How far apart the baselines of one row may be, in sizes of the smaller letters: superscripts belong to their line. */
const ROW_TOLERANCE = 0.6;
/** How far two runs overlap, in sizes of their letters, that stand one above the other. */
const OVERLAP = 3;
/** A gap that parts words, in sizes of the letters. */
const WORD_GAP = 0.18;
/** A gap that parts the cells of a table; what stands before it is longer than the mark of an item. */
const CELL_GAP = 2;
const LONGEST_MARK = 3;

/** The rows of a page, from top to bottom. */
export function rowsOf(items: readonly PdfItem[]): PdfRow[] {
  const rows: { items: PdfItem[]; y: number; size: number }[] = [];
  for (const item of items.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    if (row === undefined || !isLevel(item, row)) {
      rows.push({ items: [item], y: item.y, size: item.size });
      continue;
    }
    row.items.push(item);
    if (item.size > row.size) Object.assign(row, { y: item.y, size: item.size });
  }
  for (const row of rows) row.items.sort((a, b) => a.x - b.x);
  return rows;
}

function isLevel(item: PdfItem, row: PdfRow): boolean {
  if (Math.abs(item.y - row.y) > ROW_TOLERANCE * Math.min(item.size, row.size)) return false;
  // A few are enough: they are sorted.
  return row.items.slice(-20).every((other) => {
    const from = Math.max(item.x, other.x);
    const overlap = Math.min(item.x + item.width, other.x + other.width) - from;
    return overlap < OVERLAP * item.size || Math.abs(item.y - other.y) < 0.3 * item.size;
  });
}

/** What items of one row say, of which there is at least one. */
export function lineOf(items: readonly PdfItem[]): PdfLine {
  const rightToLeft = items.filter((item) => item.rightToLeft).length * 2 > items.length;
  const order = rightToLeft ? items.toReversed() : items;
  let text = "";
  let isRow = false;
  for (const [at, item] of order.entries()) {
    const before = order[at - 1];
    if (before !== undefined) {
      // Bold letters are drawn twice by some programs.
      if (before.text === item.text && Math.abs(before.x - item.x) < 0.3 * item.size) continue;
      const gap = gapOf(before, item);
      text += before.spaceAfter || gap > WORD_GAP ? " " : "";
      isRow ||= gap > CELL_GAP && text.length > LONGEST_MARK;
    }
    text += item.text;
  }
  text = text.replace(/\s+/g, " ").trim();
  const first = order[0]!;
  const [word = ""] = text.split(" ", 1);
  return {
    text,
    x: items[0]!.x,
    end: Math.max(...items.map(({ x, width }) => x + width)),
    y: mostOf(items, ({ y }) => y),
    size: mostOf(items, ({ size }) => size),
    firstWord: Math.min(1, breadthOf(word) / breadthOf(first.text)) * first.width,
    isRow,
  };
}

/** About how wide a text is, in letters of the usual width. */
function breadthOf(text: string): number {
  const many = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return text.length + 0.5 * many(/[mwMW]/g) - 0.5 * many(/[ fijlrtI.,;:'()|!-]/g);
}

/** How far apart two runs stand, in sizes of the smaller letters. */
function gapOf(before: PdfItem, item: PdfItem): number {
  const [left, right] = before.x <= item.x ? [before, item] : [item, before];
  return (right.x - (left.x + left.width)) / Math.min(before.size, item.size);
}

/** The number that most letters have; 0 of none. */
export function mostOf<T extends { readonly text: string }>(
  things: readonly T[],
  number: (thing: T) => number,
): number {
  const letters = new Map<number, number>();
  for (const thing of things) {
    const key = Math.round(number(thing) * 10) / 10;
    letters.set(key, (letters.get(key) ?? 0) + thing.text.length);
  }
  let most = 0;
  for (const [key, count] of letters) if (count > (letters.get(most) ?? 0)) most = key;
  return most;
}

/** The middle of some numbers, the greater one of two; undefined of none. */
export function medianOf(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
