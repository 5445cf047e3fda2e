// Reconstructs the text of a PDF from its lines: joins paragraphs and hyphenated words, removes running lines and figure labels.
import { UNSPACED } from "../../core/text.ts";

export interface PdfText {
  /** Paragraphs separated by empty lines; line breaks within a paragraph are kept only if intended. */
  readonly text: string;
  /** Offset of each page in `text`, in UTF-16 units; a page without text has the offset of the next page. */
  readonly pages: readonly number[];
  /** Text in the largest letters on the first page. */
  readonly title: string | undefined;
}

export interface PdfLine {
  /** Never blank; single spaces between words. */
  readonly text: string;
  /** Left end, in points from the left of the page. */
  readonly x: number;
  /** Right end, in points from the left of the page. */
  readonly end: number;
  /** Baseline, in points from the top of the page. */
  readonly y: number;
  /** Predominant font size, in points. */
  readonly size: number;
  /** Direction, in steps of 30 degrees; 0 for upright text. The positions are those of the page turned upright. */
  readonly turn: number;
  readonly fonts: ReadonlySet<string>;
}

/** Lines of a page in the order of the file, and the height of the page in points. */
export interface PdfPage {
  readonly lines: readonly PdfLine[];
  readonly height: number;
}

/** Minimum gap between paragraphs, in line distances. */
const PARAGRAPH_GAP = 1.35;
/** Minimum relative difference between the font sizes of a heading and the text. */
const OTHER_SIZE = 0.12;
/** Minimum indent of a line, in font sizes. */
const INDENT = 0.6;
/** Extra space in font sizes: if a line had room for the next word and this space, the line break is intended. */
const ROOM = 1.6;
/** Strips at the top and bottom of a page with running lines, and with those that count the pages, as a share of the height. */
const EDGE = { same: 0.12, counts: 0.17 } as const;
/** Maximum distance between the positions of a running line on two pages, in points. */
const SAME_PLACE = 3;
/** Minimum pages with the same running line, and minimum share of the pages with lines that count them. */
const ENOUGH = { same: 3, counts: 0.05 } as const;
/** Words of three or more letters: minimum in a line that identifies a text font, maximum in a figure label. */
const WORDS = { text: 6, label: 4 } as const;
/** Minimum adjacent labels of a figure. */
const LABELS = 4;

/** End of a sentence, or a whole URL or DOI, such as the end of a reference. */
const ENDS = /(?:[.!?:…]["'”’)\]]*\s*\d{0,3}|(?:https?:\/\/|\b10\.\d{4,9}\/)\S*[^\s./_=?&%-])$/u;
/** A number such as 34.4, which is no end of a sentence with the number of a note. */
const DECIMAL = /\d\.\d{1,3}$/;
const CONTINUES = /^[\p{Ll}(]/u;
const BEGINS = /^["'“‘([]*[\p{Lu}\p{Lt}\p{Lo}\d]/u;
const ITEM = /^(?:[•‣▪◦●·]\s|\[\d{1,3}\]\s)/u;
/** List items, if the line above ends a sentence. */
const MAYBE_ITEM = /^(?:[-–—*]|\d{1,3}[.)]|\([a-z\d]\))\s/u;
/** End of a line of a table of contents: dots and a page number. */
const LEADER = /(?:[.·…] ?){4} ?[\p{L}\d]{1,8}$/u;
/** Two characters without a space between them: of Chinese, Japanese or Thai, or one of these and a digit. */
const EAST = `[${UNSPACED}\\u3001-\\u303f\\uff01-\\uff60]`;
const ARE_UNSPACED = new RegExp(`${EAST}(?:${EAST}|\\d)|\\d${EAST}`, "u");
/** A URL or DOI that may be divided after a sign at the end of a line, and the rest, with such a sign between letters. */
const ADDRESS = /(?:https?:|(?:https?:\/\/|\b10\.\d{4,9}\/)\S*[./_=?&%])$/i;
const ADDRESS_REST = /^(?:\/\/|[\w~%-]+[./=?&_][\w~%])/;
/** Caption of a figure or table, not a sentence such as "Table 2 shows". */
const CAPTION =
  /^(?:F(?:ig|IG)|T(?:ab|AB)|Abb|Algorithm|Listing)[\p{L}.]*\s*[\dIVX]+(?!\S*\s+[\p{Ll}(])/u;
/** Minimum share of all lines that begin at the left edge of a column of text. */
const MARGIN = 0.1;
/** Maximum lines of the figures and tables at the top of a column, and of the sentence after them. */
const FLOAT_LINES = 200;
const LABEL = /^[\p{L}\p{N}\s.,%()−:/'-]{1,50}$/u;

/**
 * Returns the text of pages in the order of the file, without running headers, footers, page numbers and figure labels.
 * Hyphenated words are joined, also across columns and pages.
 */
export function textOf(given: readonly PdfPage[]): PdfText {
  const found = withoutLabels(withoutRunningLines(given));
  const pitch = pitchOf(found);
  const pages = withFloatsBehind(found, pitch);
  const vocabulary = vocabularyOf(pages.flat().map(({ text }) => withPlainHyphens(text)));
  const starts: number[] = [];
  let text = "";
  /** The line before with its joint, apart from `text`: each look at the end of `text` would copy all of `text`. */
  let last = "";
  let newPages = 0;
  let before: PdfLine | undefined;
  for (const lines of pages) {
    newPages++;
    for (const [at, line] of lines.entries()) {
      const words = withPlainHyphens(line.text);
      if (before !== undefined) {
        const joint = jointOf(before, line, {
          pitch,
          isNewPage: newPages > 0,
          right: rightOf(lines, at),
        });
        const isWord = joint === " " && isDivided(last);
        const hyphen = isWord ? hyphenAt(last, words, vocabulary) : "apart";
        const isUnspaced = joint === " " && ARE_UNSPACED.test(last.slice(-1) + words.slice(0, 1));
        const isAddress = joint === " " && ADDRESS.test(endOf(last)) && ADDRESS_REST.test(words);
        if (hyphen === "dropped") last = last.slice(0, -1);
        else if (hyphen === "apart" && !isUnspaced && !isAddress) last += joint;
      }
      text += last;
      for (; newPages > 0; newPages--) starts.push(text.length);
      last = words;
      before = line;
    }
  }
  text += last;
  for (; newPages > 0; newPages--) starts.push(text.length);
  return { text, pages: starts, title: titleOf(given[0]?.lines ?? []) };
}

/** Returns the text with a plain hyphen at the end of a divided word, and without soft hyphens. */
function withPlainHyphens(text: string): string {
  return text.replace(/[\u00ad\u2010]$/, "-").replaceAll("\u00ad", "");
}

/** Returns the separator between two lines: an empty line, a line break, or a space. */
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
  const hasEnded = ENDS.test(endOf(before.text));
  if (differInSize(before, line) || before.turn !== line.turn) return "\n\n";
  const gap = line.y - before.y;
  if (isNewPage || gap < 0) {
    // A sentence may continue in the next column or on the next page.
    return isUnended(before) && /^[\p{Ll}\d(]/u.test(line.text) ? " " : "\n\n";
  }
  if ([before, line].some(({ text }) => LEADER.test(text.slice(-100)))) return "\n";
  const begins = hasEnded && BEGINS.test(line.text);
  if (gap > PARAGRAPH_GAP * pitch * size) return "\n\n";
  const isItem = ({ text }: PdfLine) => ITEM.test(text) || MAYBE_ITEM.test(text);
  // The lines of a list item have a hanging indent.
  if (begins && line.x - before.x > INDENT * size && !isItem(before)) return "\n\n";
  if (ITEM.test(line.text) || (hasEnded && isItem(line))) return "\n";
  // Reference lists have hanging indents: the first line of an entry starts further left.
  if (begins && before.x - line.x > INDENT * size) return "\n";
  const [word = ""] = line.text.split(" ", 1);
  const wide = ROOM * line.size + (line.end - line.x) * word.length / line.text.length;
  return before.end + wide <= right && !before.text.endsWith("-") ? "\n" : " ";
}

/** Returns true if a sentence may continue after the last line of a column or page. */
function isUnended({ text }: PdfLine): boolean {
  return !ENDS.test(endOf(text)) || DECIMAL.test(text);
}

/** Returns the right edge of a line's column, from nearby lines with the same left edge. */
function rightOf(lines: readonly PdfLine[], at: number): number {
  const { x, size } = lines[at]!;
  const around = lines.slice(Math.max(0, at - 5), at + 5)
    .filter((each) => Math.abs(each.x - x) < 4 * size);
  return Math.max(...around.map(({ end }) => end));
}

function differInSize(a: PdfLine, b: PdfLine): boolean {
  return Math.abs(a.size - b.size) > OTHER_SIZE * Math.max(a.size, b.size);
}

/** Returns the median distance between lines, in font sizes. */
function pitchOf(pages: readonly (readonly PdfLine[])[]): number {
  const pitches = pages.flatMap((lines) =>
    lines.slice(1).map((line, at) => ({ line, before: lines[at]! }))
      .filter(({ line, before }) => !differInSize(before, line) && line.y > before.y)
      .map(({ line, before }) => (line.y - before.y) / line.size)
  ).sort((a, b) => a - b);
  return pitches[Math.floor(pitches.length / 2)] ?? 1.2;
}

/**
 * Removes running headers, footers and page numbers: lines near an edge, at the same position on several pages, that have
 * the same text, or begin or end with a number that counts the pages. If no line would be left, removes nothing.
 */
function withoutRunningLines(pages: readonly PdfPage[]): PdfLine[][] {
  const places = new Map<string, Set<number>>();
  const keysOf = (line: PdfLine, page: number): string[] => {
    const share = line.turn === 0 ? line.y / pages[page]!.height : 0;
    const isAt = (edge: number) => Math.min(share, 1 - share) <= edge;
    if (!isAt(EDGE.counts)) return [];
    const [, first, last] =
      /^[^\p{L}\d]*(\d{1,4})(?=\s|[^\p{L}\d]*$)|\s(\d{1,4})(?: ?(?:of|\/) ?\d{1,4})?[^\p{L}\d]*$/u
        .exec(line.text) ?? [];
    const number = first ?? last;
    const place = Math.round(line.y / SAME_PLACE);
    const keys = isAt(EDGE.same) ? [`${place} ${line.text.slice(0, 300)}`] : [];
    if (number !== undefined && line.text.length <= 100) {
      keys.push(`counts ${place} ${Number(number) - page}`);
    }
    return keys;
  };
  for (const [page, { lines }] of pages.entries()) {
    for (const key of lines.flatMap((line) => keysOf(line, page))) {
      places.set(key, (places.get(key) ?? new Set()).add(page));
    }
  }
  const least = Math.max(2, Math.min(ENOUGH.same, pages.length / 2));
  const counted = Math.max(least, ENOUGH.counts * pages.length);
  const runs = (line: PdfLine, page: number) =>
    keysOf(line, page).some((key) =>
      places.get(key)!.size >= (key.startsWith("counts") ? counted : least)
    );
  const left = pages.map(({ lines }, page) => lines.filter((line) => !runs(line, page)));
  return left.some((lines) => lines.length > 0) ? left : pages.map(({ lines }) => [...lines]);
}

const wordsIn = ({ text }: PdfLine) => text.match(/\p{L}{3,}/gu)?.length ?? 0;

/** Removes figure labels: several adjacent short lines in fonts that are not used for text. */
function withoutLabels(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const text = new Set(
    pages.flat().filter((line) => wordsIn(line) >= WORDS.text)
      .flatMap(({ fonts }) => [...fonts]),
  );
  if (text.size === 0) return pages.map((lines) => [...lines]);
  const usual = predominantSize(pages.flat());
  const isLabel = (line: PdfLine | undefined) =>
    line !== undefined && line.size < usual * (1 + OTHER_SIZE) &&
    wordsIn(line) <= WORDS.label && LABEL.test(line.text) &&
    [...line.fonts].every((font) => !text.has(font));
  return pages.map((lines) =>
    lines.filter((line, at) => {
      if (!isLabel(line)) return true;
      let [from, to] = [at, at];
      const isShort = () => to - from + 1 < LABELS;
      while (isShort() && isLabel(lines[from - 1])) from--;
      while (isShort() && isLabel(lines[to + 1])) to++;
      return isShort();
    })
  );
}

/** Moves the figures and tables at the top of a column or page behind the sentence that they divide. */
function withFloatsBehind(pages: readonly (readonly PdfLine[])[], pitch: number): PdfLine[][] {
  const all = pages.flat();
  const edges = Map.groupBy(all, ({ x }) => Math.round(x));
  const isAtMargin = ({ x }: PdfLine) => edges.get(Math.round(x))!.length >= MARGIN * all.length;
  let last: PdfLine | undefined;
  return pages.map((page) => {
    const lines = [...page];
    for (let from = 0; from < lines.length; from++) {
      const open = lines[from - 1] ?? last;
      const isTop = from === 0 || lines[from]!.y < open!.y;
      if (open === undefined || !isTop || !isUnended(open)) continue;
      const near = lines.slice(from, from + FLOAT_LINES);
      // The first paragraph; a later one, as after a formula, does not continue the sentence.
      const to = near.findIndex((line, at) =>
        !differInSize(open, line) && isAtMargin(line) && !CAPTION.test(line.text) &&
        (at === 0 || line.y - near[at - 1]!.y > PARAGRAPH_GAP * pitch * line.size) &&
        (CONTINUES.test(line.text) || wordsIn(line) >= WORDS.text)
      );
      const end = near.findIndex(({ text }, at) => at >= to && ENDS.test(endOf(text)));
      const float = to > 0 && CONTINUES.test(near[to]!.text) ? near.slice(0, to) : [];
      if (end === -1 || !float.some(({ text }) => CAPTION.test(text))) continue;
      lines.splice(from, end + 1, ...near.slice(to, end + 1), ...float);
    }
    last = lines.at(-1) ?? last;
    return lines;
  });
}

/** Headings of sections on a first page, which may be larger than the title. */
const SECTION = /^(?:[\dIVX.]+\s+)?(?:abstract|contents|foreword|introduction|preface|summary)$/i;

/**
 * Returns the title on a first page: the first lines in about the largest letters, without the mark of a note at the end;
 * the star of A* is none. Undefined if these are no larger than the text, the heading of a section, or too long for a title.
 */
function titleOf(lines: readonly PdfLine[]): string | undefined {
  const worded = lines.filter(({ text, turn }) => turn === 0 && /\p{L}{3}/u.test(text));
  const largest = Math.max(0, ...worded.map(({ size }) => size));
  const least = Math.max(0.8 * largest, predominantSize(lines) * (1 + OTHER_SIZE));
  const first = lines.findIndex((line) => line.size >= least && worded.includes(line));
  if (first === -1) return undefined;
  const end = lines.findIndex((line, at) =>
    at > first &&
    (Math.abs(line.size - lines[first]!.size) > 0.5 || isSectionApart(lines[at - 1]!, line))
  );
  const title = lines.slice(first, end === -1 ? undefined : end)
    .map(({ text }) => withPlainHyphens(text)).join(" ").replace(/(\p{L})- (?=\p{Ll})/gu, "$1")
    .replace(/(?<![\p{Lu} ]) ?[*∗†‡§¶]+$/u, "");
  return title.length <= 300 && !SECTION.test(title) ? title : undefined;
}

/** Returns true if one of two lines is the heading of a section, and not a line of a title such as "A Gentle / Introduction". */
function isSectionApart(before: PdfLine, line: PdfLine): boolean {
  return [before, line].some(({ text }) => SECTION.test(text)) &&
    Math.abs(line.y - before.y) > 1.5 * line.size;
}

function predominantSize(lines: readonly PdfLine[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) {
    const key = Math.round(size * 10) / 10;
    letters.set(key, (letters.get(key) ?? 0) + text.length);
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Number of occurrences by word in lower case; hyphenated compounds are one word. */
type Vocabulary = ReadonlyMap<string, number>;

const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
/** Letters and a hyphen at the end of a line. */
const DIVIDED = /([\p{L}\p{M}]+)-$/u;
const WORD_START = /^([\p{L}\p{M}]+)/u;
/** Parts of English compounds that are seldom parts of a single word. */
const FIRST_HALF = /^(?:cross|data|log|mixed|one|self|three|two|user|well)$/;
const LAST_HALF =
  /^(?:adjusted|based|controlled|dimensional|driven|established|level|mode|oriented|specific|wide|world)$/;
/** Words after a suspended hyphen, as in "short- and long-term". */
const SUSPENDS = /^(?:and|or|to|nor|versus|und|oder|y|o|et|ou)\b/u;

/** Counts the words of lines, without words divided at the end of a line. */
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
  return count;
}

/** Returns true if a line ends with a hyphen that may divide a word. */
export function isDivided(line: string): boolean {
  return /[\p{L}\p{M}\p{N}]-$/u.test(line);
}

/**
 * Decides the fate of a hyphen at the end of a line: `dropped`, `kept`, or `apart` (kept, with a space after it). By
 * default the word is joined. The hyphen is kept if the compound occurs elsewhere in the text, if both parts are words of the
 * text and the joined word is not, and in names and numbers ("Anglo-Saxon", "COVID-19"). A suspended hyphen ("short- and
 * long-term") is `apart`.
 */
export function hyphenAt(
  line: string,
  next: string,
  count: Vocabulary,
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

/** Returns the end of a line, longer than any word; bounds the cost of regular expressions on long lines. */
function endOf(line: string): string {
  return line.slice(-100);
}
