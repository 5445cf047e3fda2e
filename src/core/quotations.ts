// Quotations in a text: passages between marks and blocks, and words that rest on a text.
import { beginsSpaced, PassageFinder, type Place, wordWeight } from "./passage_finder.ts";

/** Fewer words between marks are a term or irony, and no quotation. */
const MIN_WORDS = 3;
/** UTF-16 units; a longer quotation is taken apart. */
const MAX_PASSAGE = 1_500;
/** Marks that are open at once; of more, the outermost are taken for unbalanced. */
const MAX_OPEN = 8;

const MARK = /["＂“”„‟«»‹›「」『』]/g;
/** A mark of either kind, or of quoted lines: most texts have none. */
const ANY_MARK = /["＂“”„‟«»‹›「」『』‘‚'>]/;
const SINGLE = /(?<![\p{L}\p{N}])[‘‚'](?=[\p{L}\p{N}\p{Pi}"$(\[…])/gu;
/** An apostrophe where letters or digits are left out: 'tis, '90s. */
const ELIDED = /^.(?:tis|twas|twere|em|til|till|cause|cos|bout|round|n|\d0s)(?![\p{L}\p{N}])/iu;
const WORD = /[\p{L}\p{N}]/u;

const QUOTED_LINE = /^ {0,3}(?:> ?)+/;
/** Source at the end of a block of quotation: `— Author`, `(p. 3)`. */
const ATTRIBUTION =
  /\n\s*(?:[—–]|--)[^\n]*$|(?<!\s)\s*[([](?:pp?\.|page|section|sec\.|§)[^)\]\n]*[)\]]$/iu;

const PAGE = String
  .raw`(?:pages?|pp?\.|Seiten?|páginas?|págs?\.)\s*([1-9]\d{0,3})(?:\s*[-–—]\s*([1-9]\d{0,3}))?`;
const PAGE_BEFORE = new RegExp(`(?<![\\p{L}\\p{N}])${PAGE}`, "giu");
const PAGE_AFTER = new RegExp(
  `^[\\s,;]*(?:[(\\[][^)\\]]{0,80}?(?<![\\p{L}\\p{N}])|(?:on|at|see)\\s+)?${PAGE}`,
  "iu",
);
const SENTENCE_BREAK = /(?<=\p{L}{3}[.!?])\s+(?=\p{Lu})/u;
/** UTF-16 units of the words around a quotation that are read. */
const CONTEXT = 300;

/** The closing marks that an opening mark can have. */
const CLOSED_BY: Readonly<Record<string, string>> = {
  '"': '"＂”',
  "＂": '"＂',
  "“": '”"',
  "„": '“”"',
  "‟": "”",
  "”": "”",
  "«": "»",
  "»": "«",
  "‹": "›",
  "›": "‹",
  "「": "」",
  "『": "』",
};
const SINGLE_CLOSED_BY: Readonly<Record<string, string>> = { "'": "'", "‘": "’", "‚": "‘" };
/** Marks that open or close, never the one for the other. */
const ALWAYS_OPENS = "「『„‟";
const ALWAYS_CLOSES = "」』";

/** Text between two marks. */
type Span = Place;

/** A passage in quotation marks, with the words of its sentence around it. */
export interface QuotedPassage {
  /** The words between the marks. */
  readonly text: string;
  /** The words before it in its sentence, back to the quotation before; of quoted lines, their lead and attribution. */
  readonly before: string;
  /** The words after it in its sentence, up to the next quotation. */
  readonly after: string;
}

/** The pages that the words around a quotation name for it, the same one twice for a single page. */
export function namedPages(
  { before, after }: QuotedPassage,
): { readonly from: number; readonly to: number } | undefined {
  const [, from, to = from] = PAGE_AFTER.exec(after) ?? [...before.matchAll(PAGE_BEFORE)].at(-1) ??
    [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to) };
}

/**
 * The passages in quotation marks, in order: “…”, "…", „…“, «…», 「…」 and the like, '…' and ‘…’ where they are clearly no
 * apostrophes, and quoted lines of markdown (`> …`). Three words or more (of scripts without spaces six characters);
 * fewer are no quotation. Of marks within marks the outermost count. A mark without its other one within the paragraph
 * counts for nothing, but where the next paragraph begins with the same one. What is longer than 1,500 characters is given in pieces.
 */
export function quotedPassages(text: string): QuotedPassage[] {
  if (!ANY_MARK.test(text)) return [];
  const paragraphs = paragraphsOf(text);
  return paragraphs.flatMap(({ lines, quoted }, index) => {
    const paragraph = lines.join("\n");
    if (quoted) return inBlock(paragraph, paragraphs[index - 1]?.lines.join("\n") ?? "");
    const next = paragraphs[index + 1]?.lines[0]?.trimStart()[0];
    return passagesOf(paragraph, spansOf(paragraph, next));
  }).flatMap((passage) => piecesOf(passage.text).map((text) => ({ ...passage, text })))
    .filter((passage) => wordWeight(passage.text) >= MIN_WORDS);
}

interface Paragraph {
  readonly lines: string[];
  readonly quoted: boolean;
}

/** Runs of lines without an empty one; those quoted in markdown apart, without their marks. */
function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | undefined;
  for (const line of text.split("\n")) {
    const quoted = QUOTED_LINE.test(line);
    const words = quoted ? line.replace(QUOTED_LINE, "") : line;
    if (words.trim() === "") {
      open = undefined;
      continue;
    }
    if (open?.quoted !== quoted) paragraphs.push(open = { lines: [], quoted });
    open.lines.push(words);
  }
  return paragraphs;
}

function inBlock(block: string, lead: string): QuotedPassage[] {
  const words = block.trim().replace(ATTRIBUTION, "").trim();
  const before = lastSentence(lead) + block.trim().slice(words.length);
  const spans = spansOf(words);
  return (spans[0]?.start === 1 ? passagesOf(words, spans) : [{ text: words }])
    .map(({ text }) => ({ text, before, after: "" }));
}

function passagesOf(paragraph: string, spans: readonly Span[]): QuotedPassage[] {
  return spans.map(({ start, end }, index) => {
    const text = paragraph.slice(start, end).trim();
    const last = spans[index - 1]?.end;
    const before = paragraph.slice(last === undefined ? 0 : last + 1, start - 1);
    const after = paragraph.slice(end + 1, spans[index + 1]?.start).slice(0, CONTEXT);
    const isEnd = /[.!?]$/.test(text) && /^\s+\p{Lu}/u.test(after);
    return {
      text,
      before: lastSentence(last === undefined ? before : before.replace(PAGE_AFTER, "")),
      after: isEnd ? "" : after.split(SENTENCE_BREAK)[0]!,
    };
  });
}

function lastSentence(text: string): string {
  return text.slice(-CONTEXT).split(SENTENCE_BREAK).at(-1)!;
}

/** Texts between marks, the outermost alone, in order; `next` is the beginning of the next paragraph. */
function spansOf(paragraph: string, next?: string): Span[] {
  const double = outermost(doubleSpans(paragraph, next));
  const single = singleSpans(paragraph).filter((span) => {
    const touched = double.filter(({ start, end }) => start < span.end && span.start < end);
    const around = touched.every(({ start, end }) => span.start < start && end < span.end);
    return touched.length === 0 || (around && paragraph[span.start - 1] === "‘");
  });
  return outermost([...double, ...single]);
}

/** Without those that stand in others; of one that is too long and holds others, the others. */
function outermost(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const [index, span] of sorted.entries()) {
    const within = kept.at(-1);
    if (within !== undefined && span.start < within.end) continue;
    const next = sorted[index + 1];
    const holds = next !== undefined && next.start < span.end;
    if (!holds || span.end - span.start <= MAX_PASSAGE) kept.push(span);
  }
  return kept;
}

function doubleSpans(text: string, next: string | undefined): Span[] {
  const open: { readonly mark: string; readonly at: number }[] = [];
  const spans: Span[] = [];
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const closes = mayClose(text, index) && !ALWAYS_OPENS.includes(mark);
    const opened = closes ? open.findLastIndex((each) => CLOSED_BY[each.mark]!.includes(mark)) : -1;
    if (opened !== -1 && !(mark === "“" && open.at(-1)?.mark !== "„")) {
      spans.push({ start: open[opened]!.at + 1, end: index });
      open.length = opened;
    } else if (mayOpen(text, index) && !ALWAYS_CLOSES.includes(mark)) {
      open.push({ mark, at: index });
      if (open.length > MAX_OPEN) open.shift();
    }
  }
  // A quotation of several paragraphs has its opening mark before each, its closing mark after the last.
  const last = open.at(-1);
  if (last !== undefined && last.mark === next) {
    spans.push({ start: last.at + 1, end: text.length });
  }
  return spans;
}

/** A mark that has spaces on its inner side, as in French, opens and closes too. */
function mayOpen(text: string, at: number): boolean {
  const [before = "", mark = "", after = ""] = [text[at - 1], text[at], text[at + 1]];
  if (mark === "«" || mark === "‹") return after !== "";
  if (mark === "“" || ALWAYS_OPENS.includes(mark)) return after !== "" && !/\s/u.test(after);
  return after !== "" && !/\s/u.test(after) && !beginsSpaced(before);
}

function mayClose(text: string, at: number): boolean {
  const [before = "", mark = "", after = ""] = [text[at - 1], text[at], text[at + 1]];
  if (mark === "»" || mark === "›" || mark === "”" || ALWAYS_CLOSES.includes(mark)) return true;
  return before !== "" && !/\s/u.test(before) && !beginsSpaced(after);
}

function singleSpans(text: string): Span[] {
  const openings = [...text.matchAll(SINGLE)].map(({ index }) => index)
    .filter((at) => !ELIDED.test(text.slice(at, at + 8)));
  const spans: Span[] = [];
  for (const [index, at] of openings.entries()) {
    if ((spans.at(-1)?.end ?? -1) >= at) continue;
    const until = Math.min(openings[index + 1] ?? text.length, at + 1 + MAX_PASSAGE);
    const end = singleEnd(text, { from: at + 1, until, mark: SINGLE_CLOSED_BY[text[at]!]! });
    if (end !== undefined) spans.push({ start: at + 1, end });
  }
  return spans;
}

/** Closing of single marks: rather at a mark that cannot be the apostrophe of `the students' results`. */
function singleEnd(
  text: string,
  { from, until, mark }: { from: number; until: number; mark: string },
): number | undefined {
  let doubtful: number | undefined;
  for (let at = from + 1; at < until; at++) {
    if (text[at] !== mark) continue;
    if (/\s/u.test(text[at - 1]!) || WORD.test(text[at + 1] ?? "")) continue;
    const possessive = /[sxz]/i.test(text[at - 1]!) &&
      /^\s+\p{L}/u.test(text.slice(at + 1, at + 8));
    if (!possessive) return at;
    doubtful ??= at;
  }
  return doubtful;
}

/** A long passage in pieces, cut between words where it can be. */
function piecesOf(passage: string): string[] {
  const pieces: string[] = [];
  let rest = passage;
  while (rest.length > MAX_PASSAGE) {
    const space = rest.slice(0, MAX_PASSAGE).search(/\s\S*$/u);
    const cut = space > MAX_PASSAGE / 2 ? space : MAX_PASSAGE;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return [...pieces, rest];
}

/** The fewest words of a quotation that something rests on. */
const LEAST_WORDS = 2;
/** The most UTF-16 units of the words. */
const LENGTH = 500;

/**
 * The words of a quotation as the text has them, as one line of at most 500 characters; undefined where they are not in
 * the text, or are fewer than two words.
 */
export function exactWords(quote: string, text: string): string | undefined {
  const place = wordWeight(quote) < LEAST_WORDS ? undefined : new PassageFinder(text).find(quote);
  if (place === undefined) return undefined;
  // A place ends at words; a mark of code at an edge of the quotation is kept.
  const start = place.start - Number(quote.startsWith("`") && text[place.start - 1] === "`");
  const end = place.end + Number(quote.endsWith("`") && text[place.end] === "`");
  const words = text.slice(start, end).replace(/\s+/gu, " ");
  // An ellipsis would stand for words that are left out.
  return words.length <= LENGTH ? words : words.slice(0, LENGTH).replace(/\s\S*$/u, "");
}
