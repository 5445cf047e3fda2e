// Extraction of quotations from a text, and exact words of a text that a quotation refers to.
import { cutAtWord } from "./text.ts";
import { beginsSpaced, PassageFinder, type Place, wordWeight } from "./passage_finder.ts";

/** Minimum number of words of a quotation; fewer words in quotation marks are a term or irony. */
export const MIN_WORDS = 3;
/** Maximum length of a passage in UTF-16 units; a longer quotation is split. */
const MAX_PASSAGE = 1_500;
/** Maximum number of open marks; beyond it, the outermost count as unbalanced. */
const MAX_OPEN = 8;

const MARK = /["＂״“”„‟«»‹›「」『』｢｣]/g;
/** Any quotation mark, or the marker of quoted lines; most texts have none. */
const ANY_MARK = /["＂״“”„‟«»‹›「」『』｢｣‘‚'>]/;
const SINGLE = /[‘‚'](?=[\p{L}\p{N}\p{Pi}"$(\[…])/gu;
/** Apostrophe for omitted letters or digits: 'tis, '90s. */
const ELIDED = /^.(?:tis|twas|twere|em|til|till|cause|cos|bout|round|n|\d0s)(?![\p{L}\p{N}])/iu;
/** Letter of Korean, whose particles follow a closing mark without a space. */
const KOREAN = /^\p{Script=Hangul}/u;

const QUOTED_LINE = /^ {0,3}(?:> ?)+/;
/** Attribution at the end of a block quotation: `— Author`, `(p. 3)`. */
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
/** Number of UTF-16 units examined around a quotation. */
const CONTEXT = 300;

/** Closing marks by opening mark. */
const CLOSED_BY: Readonly<Record<string, string>> = {
  '"': '"＂”',
  "＂": '"＂',
  "״": '״"',
  "“": '”"',
  "„": '“”"',
  "‟": "”",
  "”": "”“",
  "«": "»",
  "»": "«",
  "‹": "›",
  "›": "‹",
  "「": "」",
  "『": "』",
  "｢": "｣",
};
const SINGLE_CLOSED_BY: Readonly<Record<string, string>> = { "'": "'", "‘": "’", "‚": "‘" };
const ALWAYS_OPENS = "「『｢„‟";
const ALWAYS_CLOSES = "」』｣";

/** Quotation, with the words of its sentence around it. */
export interface QuotedPassage {
  /** Words between the marks. */
  readonly text: string;
  /** Words before the quotation in its sentence, from the previous quotation on; of a block quotation, lead and attribution. */
  readonly before: string;
  /** Words after the quotation in its sentence, up to the next quotation. */
  readonly after: string;
}

/** Returns the pages that the words around a quotation name; `from` equals `to` for a single page. */
export function namedPages(
  { before, after }: QuotedPassage,
): { readonly from: number; readonly to: number } | undefined {
  const [, from, to = from] = PAGE_AFTER.exec(after) ?? [...before.matchAll(PAGE_BEFORE)].at(-1) ??
    [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to) };
}

/**
 * Returns the quotations of a text, in order: “…”, "…", „…“, «…», 「…」 and similar; '…' and ‘…’ if they cannot be
 * apostrophes; block quotations of markdown (`> …`). A quotation has at least three words (in scripts without spaces, six
 * characters). Of nested marks, the outermost count. A mark without its counterpart in the paragraph is ignored, unless the
 * next paragraph begins with the same mark. A passage over 1,500 characters is split.
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

/** Splits a text at empty lines; block quotations are separate paragraphs, without their `>`. */
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

function passagesOf(paragraph: string, spans: readonly Place[]): QuotedPassage[] {
  return spans.map(({ start, end }, index) => {
    const text = paragraph.slice(start, end).trim();
    const last = spans[index - 1]?.end;
    const before = paragraph.slice(last === undefined ? 0 : last + 1, start - 1);
    const after = paragraph.slice(end + 1, spans[index + 1]?.start).slice(0, CONTEXT);
    const isEnd = /^[.!?]+\s+\p{Lu}/u.test((/[.!?]$/.exec(text)?.[0] ?? "") + after);
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

/** Returns the outermost texts between marks, in order; `next` is the first character of the next paragraph. */
function spansOf(paragraph: string, next?: string): Place[] {
  const double = outermost(doubleSpans(paragraph, next));
  const single = singleSpans(paragraph).filter((span) => {
    const touched = double.filter(({ start, end }) => start < span.end && span.start < end);
    const around = touched.every(({ start, end }) => span.start < start && end < span.end);
    return touched.length === 0 || (around && paragraph[span.start - 1] === "‘");
  });
  return outermost([...double, ...single]);
}

/** Drops spans within other spans; a span that is too long is dropped in favour of the spans within it. */
function outermost(spans: readonly Place[]): Place[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Place[] = [];
  for (const [index, span] of sorted.entries()) {
    const within = kept.at(-1);
    if (within !== undefined && span.start < within.end) continue;
    const next = sorted[index + 1];
    const holds = next !== undefined && next.start < span.end;
    if (!holds || span.end - span.start <= MAX_PASSAGE) kept.push(span);
  }
  return kept;
}

function doubleSpans(text: string, next: string | undefined): Place[] {
  const open: { readonly mark: string; readonly at: number }[] = [];
  const spans: Place[] = [];
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const closes = mayClose(text, index) && !ALWAYS_OPENS.includes(mark);
    const opened = closes ? open.findLastIndex((each) => CLOSED_BY[each.mark]!.includes(mark)) : -1;
    if (opened !== -1 && !(mark === "“" && !/[„”]/.test(open.at(-1)!.mark))) {
      spans.push({ start: open[opened]!.at + 1, end: index });
      open.length = opened;
    } else if (mayOpen(text, index) && !ALWAYS_CLOSES.includes(mark)) {
      open.push({ mark, at: index });
      if (open.length > MAX_OPEN) open.shift();
    }
  }
  // A quotation of several paragraphs repeats the opening mark at each paragraph and closes after the last.
  const last = open.at(-1);
  if (last !== undefined && last.mark === next) {
    spans.push({ start: last.at + 1, end: text.length });
  }
  return spans;
}

/** Returns true if a mark may open a quotation. French marks may have spaces on the inner side. */
function mayOpen(text: string, at: number): boolean {
  const [before = "", mark = "", after = ""] = [text[at - 1], text[at], text[at + 1]];
  if (mark === "«" || mark === "‹") return after !== "";
  if (mark === "“" || ALWAYS_OPENS.includes(mark)) return after !== "" && !/\s/u.test(after);
  return after !== "" && !/\s/u.test(after) && !beginsSpaced(before);
}

function mayClose(text: string, at: number): boolean {
  const [before = "", mark = "", after = ""] = [text[at - 1], text[at], text[at + 1]];
  if (mark === "»" || mark === "›" || mark === "”" || ALWAYS_CLOSES.includes(mark)) return true;
  return before !== "" && !/\s/u.test(before) && !continuesWord(after);
}

/** Returns true if a text begins with a letter or digit that would make the mark before an apostrophe or an opening mark. */
function continuesWord(text: string): boolean {
  return beginsSpaced(text) && !KOREAN.test(text);
}

function singleSpans(text: string): Place[] {
  const openings = [...text.matchAll(SINGLE)].map(({ index }) => index)
    .filter((at) => !beginsSpaced(text[at - 1] ?? "") && !ELIDED.test(text.slice(at, at + 8)));
  const spans: Place[] = [];
  for (const [index, at] of openings.entries()) {
    if ((spans.at(-1)?.end ?? -1) >= at) continue;
    const until = Math.min(openings[index + 1] ?? text.length, at + 1 + MAX_PASSAGE);
    const end = singleEnd(text, { from: at + 1, until, mark: SINGLE_CLOSED_BY[text[at]!]! });
    if (end !== undefined) spans.push({ start: at + 1, end });
  }
  return spans;
}

/** Finds the closing single mark; prefers a mark that cannot be a possessive apostrophe, as in `the students' results`. */
function singleEnd(
  text: string,
  { from, until, mark }: { from: number; until: number; mark: string },
): number | undefined {
  let doubtful: number | undefined;
  for (let at = from + 1; at < until; at++) {
    if (text[at] !== mark) continue;
    if (/\s/u.test(text[at - 1]!) || continuesWord(text[at + 1] ?? "")) continue;
    const possessive = /[sxz]/i.test(text[at - 1]!) &&
      /^\s+\p{L}/u.test(text.slice(at + 1, at + 8));
    if (!possessive) return at;
    doubtful ??= at;
  }
  return doubtful;
}

/** Splits a long passage, between words if possible. */
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

/** Minimum number of words that a quotation must have to be looked up. */
const MIN_QUOTED_WORDS = 2;
/** Maximum length of the returned words, in code points. */
export const MAX_QUOTED_LENGTH = 500;

const OPENING_EDGE = /^[`"“„«「]/u;
const CLOSING_EDGE = /[`"”“»」](?=[.,;:!?]*$)/u;

/**
 * Returns the words of a quotation exactly as the text has them, on one line of at most 500 characters; undefined if they
 * are not in the text, or are fewer than two words. Marks of emphasis and code do not count.
 */
export function exactWords(quote: string, text: string): string | undefined {
  // A model that copies words leaves out marks of code: the search ignores what replaces them.
  const plain = (each: string) => each.replace(/[~`]/g, "\u200b");
  const place = wordWeight(quote) < MIN_QUOTED_WORDS
    ? undefined
    : new PassageFinder(plain(text)).find(plain(quote));
  if (place === undefined) return undefined;
  // A place begins and ends at words; a mark at either edge of the quotation is kept.
  const start = place.start -
    Number(text[place.start - 1] === (OPENING_EDGE.exec(quote)?.[0] ?? ""));
  const end = place.end + Number(text[place.end] === (CLOSING_EDGE.exec(quote)?.[0] ?? ""));
  const words = text.slice(start, end).replace(/\s+/gu, " ");
  // Cut without an ellipsis, because an ellipsis would stand for omitted words.
  return cutAtWord(words, MAX_QUOTED_LENGTH, "");
}
