import { medianOf, mostOf, type PdfLine } from "./pdf_page.ts";

/** A line, and what parts it from the one before: an empty line, a line break, or nothing but where it had no more room. */
export interface FlowLine {
  readonly line: PdfLine;
  readonly after: "paragraph" | "line" | "wrap";
}

/** A gap that parts paragraphs, in distances between lines. */
const PARAGRAPH_GAP = 1.35;
/** How much the sizes of letters differ at least between a heading and its text, in parts. */
const OTHER_SIZE = 0.12;
/** How far a line stands in at least, in sizes of its letters. */
const INDENT = 0.6;
/** The room a word needs besides its letters, in sizes of them: for the space before it, and what letters differ in. */
const ROOM = 0.8;

const ENDS = /[.!?:…]["'”’)\]]*$|(?<!\d)[.!?:…]["'”’)\]]*\s*\d{1,3}$/u;
const BEGINS = /^["'“‘([]*[\p{Lu}\p{Lt}\p{Lo}\d]/u;
const ITEM = /^(?:[•‣▪◦●·]\s|\[\d{1,3}\]\s)/u;
/** Items, if what stands above is finished. */
const MAYBE_ITEM = /^(?:[-–—*]|\d{1,3}[.)]|\([a-z\d]\))\s/u;

/** How far apart the lines of a text stand, in sizes of their letters: what most of its runs have. */
export function pitchOf(runs: readonly (readonly PdfLine[])[]): number {
  const pitches = runs.flatMap((run) =>
    run.slice(1).flatMap((line, at) => {
      const before = run[at]!;
      return differ(before, line) || line.y <= before.y ? [] : [(line.y - before.y) / line.size];
    })
  );
  return medianOf(pitches) ?? 1.2;
}

/**
 * The lines of a run with what parts them. A wider gap, other letters or an indent after a finished sentence begin a
 * paragraph; a break before a word that had room on the line above is one that its author made, and is kept. So is
 * one around a row of a table.
 */
export function flowOf(run: readonly PdfLine[], pitch: number): FlowLine[] {
  return blocksOf(run, pitch).flatMap((block) => {
    const left = Math.min(...block.map(({ x }) => x));
    const right = Math.max(...block.map(({ end }) => end));
    const hangs = isHanging(block, left);
    return block.map((line, at): FlowLine => {
      const before = block[at - 1];
      if (before === undefined) return { line, after: "paragraph" };
      const [isIn, wasIn] = [isIndented(line, left), isIndented(before, left)];
      const begins = ENDS.test(before.text) && BEGINS.test(line.text);
      if (!hangs && isIn && !wasIn && begins) return { line, after: "paragraph" };
      const isItem = ITEM.test(line.text) ||
        (ENDS.test(before.text) && MAYBE_ITEM.test(line.text)) ||
        (hangs && !isIn && begins);
      const hadRoom = before.end + ROOM * line.size + line.firstWord <= right;
      const broken = isItem || before.isRow || line.isRow ||
        (hadRoom && !before.text.endsWith("-"));
      return { line, after: broken ? "line" : "wrap" };
    });
  });
}

/** How a run goes on from the one before it: in the next column or on the next page, a sentence may go on. */
export function goesOn(before: PdfLine, line: PdfLine): boolean {
  return !differ(before, line) && !ENDS.test(before.text) && /^[\p{Ll}\d(]/u.test(line.text);
}

/** Whether two lines are of other letters, as a heading and its text are. */
function differ(a: PdfLine, b: PdfLine): boolean {
  return Math.abs(a.size - b.size) > OTHER_SIZE * Math.max(a.size, b.size);
}

function blocksOf(run: readonly PdfLine[], pitch: number): PdfLine[][] {
  const blocks: PdfLine[][] = [];
  for (const [at, line] of run.entries()) {
    const before = run[at - 1];
    const parts = before === undefined || differ(before, line) ||
      line.y - before.y > PARAGRAPH_GAP * pitch * Math.max(line.size, before.size);
    if (parts) blocks.push([line]);
    else blocks.at(-1)!.push(line);
  }
  return blocks;
}

function isIndented({ x, size }: PdfLine, left: number): boolean {
  return x - left > INDENT * size;
}

/** Whether the lines under a first one stand in, as those of references do: a line at the margin seldom follows another. */
function isHanging(block: readonly PdfLine[], left: number): boolean {
  const at = block.slice(0, -1).flatMap((line, index) =>
    isIndented(line, left) ? [] : [isIndented(block[index + 1]!, left)]
  );
  return at.length > 0 && at.filter(Boolean).length * 2 >= at.length;
}

/**
 * The title that the lines of a first page show: those in the largest letters, if they are larger than most; undefined
 * where there are none, or too many for a title.
 */
export function largestOf(lines: readonly PdfLine[]): string | undefined {
  const usual = mostOf(lines, ({ size }) => size);
  const worded = lines.filter(({ text }) => /\p{L}{3}/u.test(text));
  const size = worded.reduce((largest, each) => Math.max(largest, each.size), 0);
  if (worded.length === 0 || size < usual * (1 + OTHER_SIZE)) return undefined;
  const first = lines.findIndex((each) => each.size === size && worded.includes(each));
  const others = lines.slice(first).findIndex((each) => Math.abs(each.size - size) > 0.5);
  const title = lines.slice(first, others === -1 ? undefined : first + others)
    .map(({ text }) => text).join(" ").replace(/(\p{L})- (?=\p{Ll})/gu, "$1");
  return title.length <= 300 ? title : undefined;
}
