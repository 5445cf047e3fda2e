// The text of a PDF out of its lines: paragraphs, divided words, running lines, labels of figures, the title.

export interface PdfText {
  /** Paragraphs with an empty line between them, each on one line but for breaks that were made on purpose. */
  readonly text: string;
  /** The place in it where each page begins, in UTF-16 units; a page without text begins with the next one. */
  readonly pages: readonly number[];
  /** The words in the largest letters on the first page. */
  readonly title: string | undefined;
}

/** A line of text, in the order of the file. */
export interface PdfLine {
  /** Never blank; single spaces between words. */
  readonly text: string;
  /** The left end, in points from the page's left. */
  readonly x: number;
  readonly end: number;
  /** The baseline, in points from the page's top. */
  readonly y: number;
  /** The size of most of its letters, in points. */
  readonly size: number;
  readonly fonts: ReadonlySet<string>;
}

/** The lines of a page, and its height in points. */
export interface PdfPage {
  readonly lines: readonly PdfLine[];
  readonly height: number;
}

/** A gap that parts paragraphs, in distances between lines. */
const PARAGRAPH_GAP = 1.35;
/** The least difference between the sizes of a heading and its text, in parts. */
const OTHER_SIZE = 0.12;
/** The least indent of a line, in sizes of its letters. */
const INDENT = 0.6;
/** The room a word needs besides its letters before a break that was made on purpose, in sizes of them. */
const ROOM = 1.6;
/** The strips at the top and the bottom of a page that hold running lines, in parts of its height. */
const EDGE = 0.12;
/** Greatest distance between their places on two pages, in points. */
const SAME_PLACE = 3;
/** Pages with a running line, at least. */
const ENOUGH = 3;
/** Words of three letters in a line that shows its font to be a text's, and in a figure's label at most. */
const WORDS = { text: 6, label: 4 } as const;
/** Labels of one figure, at least. */
const LABELS = 4;

const ENDS = /[.!?:…]["'”’)\]]*\s*\d{0,3}$/u;
const BEGINS = /^["'“‘([]*[\p{Lu}\p{Lt}\p{Lo}\d]/u;
const ITEM = /^(?:[•‣▪◦●·]\s|\[\d{1,3}\]\s)/u;
/** Items, if what stands above is finished. */
const MAYBE_ITEM = /^(?:[-–—*]|\d{1,3}[.)]|\([a-z\d]\))\s/u;
const LABEL = /^[\p{L}\p{N}\s.,%()−:/'-]{1,50}$/u;

/**
 * Puts pages into words in the order of the file: without running headers, footers and page numbers, and without the
 * labels of figures; words that a line's end divides are put together, also across columns and pages.
 */
export function textOf(given: readonly PdfPage[]): PdfText {
  const pages = withoutLabels(withoutRunning(given));
  const vocabulary = vocabularyOf(pages.flat().map(({ text }) => softened(text)));
  const pitch = pitchOf(pages);
  const starts: number[] = [];
  let text = "";
  let begun = 0;
  let before: PdfLine | undefined;
  for (const lines of pages) {
    begun++;
    for (const [at, line] of lines.entries()) {
      const words = softened(line.text);
      if (before !== undefined) {
        const joint = jointOf(before, line, {
          pitch,
          isNewPage: begun > 0,
          right: rightOf(lines, at),
        });
        const isWord = joint === " " && isDivided(text);
        const hyphen = isWord ? hyphenAt(text, words, vocabulary) : "apart";
        if (hyphen === "dropped") text = text.slice(0, -1);
        else if (hyphen === "apart") text += joint;
      }
      for (; begun > 0; begun--) starts.push(text.length);
      text += words;
      before = line;
    }
  }
  for (; begun > 0; begun--) starts.push(text.length);
  return { text, pages: starts, title: titleOf(given[0]?.lines ?? []) };
}

/** A line's text with a hyphen where it breaks a word, and no invisible ones. */
function softened(text: string): string {
  return text.replace(/[\u00ad\u2010]$/, "-").replaceAll("\u00ad", "");
}

/** The joint of a line and the one before: an empty line, a line break, or a space. */
function jointOf(
  before: PdfLine,
  line: PdfLine,
  { pitch, isNewPage, right }: {
    readonly pitch: number;
    readonly isNewPage: boolean;
    readonly right: number;
  },
): "\n\n" | "\n" | " " {
  const size = Math.max(line.size, before.size);
  if (differ(before, line)) return "\n\n";
  const gap = line.y - before.y;
  if (isNewPage || gap < 0) {
    // A sentence goes on in the next column or on the next page.
    return !ENDS.test(before.text) && /^[\p{Ll}\d(]/u.test(line.text) ? " " : "\n\n";
  }
  const begins = ENDS.test(before.text) && BEGINS.test(line.text);
  if (gap > PARAGRAPH_GAP * pitch * size) return "\n\n";
  if (begins && line.x - before.x > INDENT * size) return "\n\n";
  if (ITEM.test(line.text) || (ENDS.test(before.text) && MAYBE_ITEM.test(line.text))) return "\n";
  // References hang: the first line of each stands out.
  if (begins && before.x - line.x > INDENT * size) return "\n";
  const [word = ""] = line.text.split(" ", 1);
  const wide = ROOM * line.size + (line.end - line.x) * word.length / line.text.length;
  return before.end + wide <= right && !before.text.endsWith("-") ? "\n" : " ";
}

/** The right edge of a line's column: that of the lines around it which begin at its left. */
function rightOf(lines: readonly PdfLine[], at: number): number {
  const { x, size } = lines[at]!;
  const around = lines.slice(Math.max(0, at - 5), at + 5)
    .filter((each) => Math.abs(each.x - x) < 4 * size);
  return Math.max(...around.map(({ end }) => end));
}

function differ(a: PdfLine, b: PdfLine): boolean {
  return Math.abs(a.size - b.size) > OTHER_SIZE * Math.max(a.size, b.size);
}

/** The distance between the lines of a text, in sizes of their letters. */
function pitchOf(pages: readonly (readonly PdfLine[])[]): number {
  const pitches = pages.flatMap((lines) =>
    lines.slice(1).flatMap((line, at) => {
      const before = lines[at]!;
      return differ(before, line) || line.y <= before.y ? [] : [(line.y - before.y) / line.size];
    })
  ).sort((a, b) => a - b);
  return pitches[Math.floor(pitches.length / 2)] ?? 1.2;
}

/**
 * The lines of pages without running headers, footers and page numbers: lines near an edge that stand at one place
 * on several pages and say the same, or begin or end with a number that counts the pages. Where nothing else is on any
 * page, they stay.
 */
function withoutRunning(pages: readonly PdfPage[]): PdfLine[][] {
  const places = new Map<string, Set<number>>();
  const keysOf = (line: PdfLine, page: number): string[] => {
    const { height } = pages[page]!;
    if (line.y > EDGE * height && line.y < (1 - EDGE) * height) return [];
    const [, first, last] =
      /^[^\p{L}\d]*(\d{1,4})(?=\s|[^\p{L}\d]*$)|\s(\d{1,4})(?: ?(?:of|\/) ?\d{1,4})?[^\p{L}\d]*$/u
        .exec(line.text) ?? [];
    const number = first ?? last;
    const counts = number === undefined || line.text.length > 100
      ? []
      : [`counts ${Number(number) - page}`];
    const place = Math.round(line.y / SAME_PLACE);
    return [line.text.slice(0, 300), ...counts]
      .map((words) => `${place} ${words}`);
  };
  for (const [page, { lines }] of pages.entries()) {
    for (const key of lines.flatMap((line) => keysOf(line, page))) {
      places.set(key, (places.get(key) ?? new Set()).add(page));
    }
  }
  const least = Math.max(2, Math.min(ENOUGH, pages.length / 2));
  const runs = (line: PdfLine, page: number) =>
    keysOf(line, page).some((key) => places.get(key)!.size >= least);
  const left = pages.map(({ lines }, page) => lines.filter((line) => !runs(line, page)));
  return left.some((lines) => lines.length > 0) ? left : pages.map(({ lines }) => [...lines]);
}

/** The lines of pages without runs of short ones in fonts that no text is set in: the labels of figures. */
function withoutLabels(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const wordsIn = (text: string) => text.match(/\p{L}{3,}/gu)?.length ?? 0;
  const text = new Set(
    pages.flat().filter((line) => wordsIn(line.text) >= WORDS.text)
      .flatMap(({ fonts }) => [...fonts]),
  );
  if (text.size === 0) return pages.map((lines) => [...lines]);
  const usual = sizeOfMost(pages.flat());
  const isLabel = (line: PdfLine | undefined) =>
    line !== undefined && line.size < usual * (1 + OTHER_SIZE) &&
    wordsIn(line.text) <= WORDS.label && LABEL.test(line.text) &&
    [...line.fonts].every((font) => !text.has(font));
  return pages.map((lines) =>
    lines.filter((line, at) => {
      if (!isLabel(line)) return true;
      let [from, to] = [at, at];
      while (isLabel(lines[from - 1])) from--;
      while (isLabel(lines[to + 1])) to++;
      return to - from + 1 < LABELS;
    })
  );
}

/**
 * The title that the lines of a first page show: the first of those in about the largest letters; undefined where these
 * are no larger than the text's, or too many for a title.
 */
function titleOf(lines: readonly PdfLine[]): string | undefined {
  const worded = lines.filter(({ text }) => /\p{L}{3}/u.test(text));
  const largest = Math.max(0, ...worded.map(({ size }) => size));
  const least = Math.max(0.8 * largest, sizeOfMost(lines) * (1 + OTHER_SIZE));
  const first = lines.findIndex((line) => line.size >= least && worded.includes(line));
  if (first === -1) return undefined;
  const others = lines.slice(first).findIndex(({ size }) =>
    Math.abs(size - lines[first]!.size) > 0.5
  );
  const title = lines.slice(first, others === -1 ? undefined : first + others)
    .map(({ text }) => softened(text)).join(" ").replace(/(\p{L})- (?=\p{Ll})/gu, "$1");
  return title.length <= 300 ? title : undefined;
}

function sizeOfMost(lines: readonly PdfLine[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) {
    const key = Math.round(size * 10) / 10;
    letters.set(key, (letters.get(key) ?? 0) + text.length);
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Counts of the words of a text, within its lines. */
interface Vocabulary {
  /** From a word in lower case, a compound with its hyphens included, to how often it occurs. */
  readonly count: ReadonlyMap<string, number>;
}

const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
/** A word that a line divides: its last letters and a hyphen. */
const DIVIDED = /([\p{L}\p{M}]+)-$/u;
const WORD_START = /^([\p{L}\p{M}]+)/u;
/** Halves of compounds in English that are seldom parts of one word. */
const FIRST_HALF = /^(?:cross|data|log|mixed|one|self|three|two|user|well)$/;
const LAST_HALF =
  /^(?:adjusted|based|controlled|dimensional|driven|established|level|mode|oriented|specific|wide|world)$/;
/** Words that follow `short-` in "short- and long-term". */
const SUSPENDS = /^(?:and|or|to|nor|versus|und|oder|y|o|et|ou)\b/u;

/** The words of lines, without those that a line's end divides. */
export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const count = new Map<string, number>();
  let divided = false;
  for (const line of lines) {
    const words = line.toLowerCase().match(WORD) ?? [];
    const ends = DIVIDED.test(endOf(line));
    for (const word of words.slice(divided ? 1 : 0, ends ? -1 : undefined)) {
      count.set(word, (count.get(word) ?? 0) + 1);
    }
    divided = ends;
  }
  return { count };
}

/** Tells whether a line ends in a hyphen that may divide a word. */
export function isDivided(line: string): boolean {
  return /[\p{L}\p{M}\p{N}]-$/u.test(line);
}

/**
 * The joint of a line that ends in a hyphen and the next: without the hyphen, with it, or with it and a space. A word is
 * put together unless its text says otherwise: what stands elsewhere as a compound, or has two halves that are both words
 * of their own and never one word, keeps its hyphen. So do names, numbers ("COVID-19", "Anglo-Saxon") and a hyphen that
 * waits for the next word ("short- and long-term").
 */
export function hyphenAt(
  line: string,
  next: string,
  { count }: Vocabulary,
): "dropped" | "kept" | "apart" {
  if (SUSPENDS.test(next)) return "apart";
  const head = DIVIDED.exec(endOf(line))?.[1]?.toLowerCase();
  const tail = WORD_START.exec(next)?.[1]?.toLowerCase();
  if (head === undefined || tail === undefined) return "kept";
  const times = (word: string) => count.get(word) ?? 0;
  const [asOne, asCompound] = [times(head + tail), times(`${head}-${tail}`)];
  if (asOne !== asCompound) return asOne > asCompound ? "dropped" : "kept";
  if (/^\P{Ll}/u.test(next) || head.length === 1) return "kept";
  const halves = head.length >= 3 && tail.length >= 3 && times(head) > 0 && times(tail) > 0;
  const isCompound = halves || (/-\p{L}+-$/u.test(endOf(line)) && times(head) > 0) ||
    (FIRST_HALF.test(head) && tail.length >= 4) || (LAST_HALF.test(tail) && head.length >= 4);
  return isCompound ? "kept" : "dropped";
}

/** Longer than any word, so that a line of letters alone costs no more than others. */
function endOf(line: string): string {
  return line.slice(-100);
}
