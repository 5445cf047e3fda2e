// Search for quoted passages in a text, tolerant of typography and layout.
import { UNSPACED, withOneSpelling } from "./text.ts";

/** Vowel points of Hebrew and Arabic, which most texts leave out, and tatweel, which makes a word longer. */
const POINTS =
  "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0640\\u064b-\\u0652\\u0670";
/** White space, and characters that are not part of a word: soft hyphens, zero-width and control characters. */
const BLANK = `\\s\\p{Cc}\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069${POINTS}`;
const DASH = "\\p{Pd}\\u2212";
const QUOTE = "\"'`´‘’‚‛“”„‟«»‹›′″＂＇״׳";
/** Letters and digits of formulas and of names in programs. */
const SIGN = "\\p{sc=Latn}\\p{sc=Grek}\\p{N}";
/** Marks of emphasis in markdown: around words, or around the first letters of a word; `2*3`, `2*-3`, `2*.5` and `a_b` have none. */
const EMPHASIS = new RegExp(
  `(?=[*_])(?:(?<![${SIGN}*_])[*_]+(?![\\s*_])|` +
    `(?<![\\s*_])[*_]+(?![${SIGN}*_]|[${DASH}+.,]\\p{N})|` +
    `(?<=(?<![${SIGN}*_])(\\*+)\\p{L}{1,20})\\1(?=\\p{L}))`,
  "gu",
);
/** Marks on the character before, and the later parts of a syllable; no language needs more than 32. */
const JOINED = "[\\p{M}\\u0640\\u1160-\\u11ff\\uff9e\\uff9f]";
/** NFKC changes these characters, but for some capitals. Numbers are kept: 10² is not 102, and ½ is not 1⁄2. */
const VARIANT = "[\\p{CWKCF}--\\p{No}--[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]]";
/** Parts of a text that folding may change; a single space between words stays as it is. */
const FOLDED = new RegExp(
  `(?<dash>[${BLANK}]*[${DASH}][${BLANK}${DASH}]*)|` +
    `(?! (?<=[^${UNSPACED}] )[^${BLANK}${DASH}${UNSPACED}])(?<blank>[${BLANK}]+)|` +
    `(?<quote>[${QUOTE}]+)|[^${BLANK}]${JOINED}{1,32}|${VARIANT}|[٠-٩۰-۹०-९٪ёЁيك]`,
  "gv",
);
const CHARACTER = new RegExp(`[^]${JOINED}{0,32}`, "vy");
const POINT = new RegExp(`[${POINTS}]`, "g");
const LETTER = /^\p{L}/u;
const FIRST_DASH = new RegExp(`[${DASH}]`, "u");
/** Soft hyphen at a line end, which joins the parts of a word. */
const DIVIDES = /^[^\s\u00ad]*\u00ad[^]*\n/u;

/**
 * Text normalized for the comparison of quotations: white space becomes one space, or none beside a letter of a script
 * without spaces between words; words hyphenated at a line end are joined, hyphens and dashes between letters are dropped,
 * other dashes become `-`, quotation marks become one `'`, and characters become NFKC, except numbers such as `²`. Vowel
 * points, tatweel and emphasis of markdown are dropped; digits of Arabic, Persian and Hindi become European, `ё` becomes
 * `е`. Letter case, words and numbers stay. Each offset can be mapped back to the original.
 */
class FoldedText {
  readonly #original: string;
  /** Offset in the original of each UTF-16 unit of the folded text. */
  readonly #offsets: Uint32Array;
  /** Folded text. */
  readonly text: string;

  /** Folds a text in one pass. */
  constructor(original: string) {
    this.#original = original;
    const pieces: string[] = [];
    const starts: number[] = [];
    let last = "";
    const put = (piece: string, at: number) => {
      pieces.push(piece);
      starts.push(at);
      last = piece.at(-1) ?? last;
    };
    let done = 0;
    const plain = original.replace(EMPHASIS, (marks) => "\u200b".repeat(marks.length));
    for (const { 0: found, index, groups = {} } of plain.matchAll(FOLDED)) {
      put(plain.slice(done, index), done);
      done = index + found.length;
      const next = plain.slice(done, done + 2);
      if (groups.dash !== undefined) {
        // Between letters the dash is dropped, since it may be a hyphen from a line end.
        const isHyphen = LETTER.test(last) && LETTER.test(next);
        if (!isHyphen) put("-", index + found.search(FIRST_DASH));
      } else if (groups.blank !== undefined) {
        const isSpace = /\s/u.test(found) && !DIVIDES.test(found) && last !== "" &&
          next !== "" && !UNSPACED_START.test(last) && !UNSPACED_START.test(next);
        if (isSpace) put(" ", index);
      } else if (groups.quote !== undefined) {
        put("'", index);
      } else {
        const letters = withOneSpelling(found.normalize("NFKC").replace(POINT, ""));
        for (const unit of letters.split("")) put(unit, index);
      }
    }
    put(plain.slice(done), done);
    this.text = pieces.join("");
    this.#offsets = new Uint32Array(this.text.length);
    let filled = 0;
    for (const [index, { length }] of pieces.entries()) {
      for (let unit = 0; unit < length; unit++) this.#offsets[filled++] = starts[index]! + unit;
    }
  }

  /** Maps a passage of `text`, at least one character long, to the original; in UTF-16 units. */
  place(start: number, end: number): { readonly start: number; readonly end: number } {
    CHARACTER.lastIndex = this.#offsets[end - 1]!;
    CHARACTER.test(this.#original);
    return { start: this.#offsets[start]!, end: CHARACTER.lastIndex };
  }
}

/** Place of a passage in a text, `text.slice(start, end)`. */
export interface Place {
  /** Start, in UTF-16 units. */
  readonly start: number;
  /** End, exclusive, in UTF-16 units. */
  readonly end: number;
}

/** Place of a passage, from its first part to its last. */
interface Found extends Place {
  /** Places of the parts, in order, if the passage has omissions. */
  readonly parts?: readonly Place[];
}

interface FindOptions {
  /** Minimum start of the passage, in UTF-16 units. @default 0 */
  readonly from?: number | undefined;
  /** True to accept the omissions of quotations in older records. @default false */
  readonly lenient?: boolean | undefined;
}

/** Minimum words of a part of a passage with omissions. */
const MIN_PART = 4;
/**
 * Maximum UTF-16 units between two parts; the same within a paragraph, because some files have no empty lines; maximum ends of
 * sentences between a part that stops within a sentence and a part of another sentence. Older records have lenient ones.
 */
const NEAR = { gap: 300, within: 400, ends: 1 } as const;
const LENIENT = { ...NEAR, within: 500, ends: Infinity } as const;
/** Maximum number of parts of a passage. */
const MAX_PARTS = 12;

const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "u");
const UNSPACED_LETTERS = new RegExp(`[${UNSPACED}]`, "gu");
const WORD_SIGN = /[\p{L}\p{N}]/u;

/** Characters ignored at the start of a quotation; a decimal point or minus before a digit is not. */
const BEGINNING = /^(?:[ '*_,;:!?]|[.-](?!\p{N}))+/u;
const END = /(?<![ '*_.,;:!?-])[ '*_.,;:!?-]+$/;
/** Omission mark in a folded quotation, such as `...` or `[...]`. */
const LEFT_OUT = / ?(?:\[ ?(?:\.{3,}|\. \. \.) ?\]|\( ?(?:\.{3,}|\. \. \.) ?\)|\.{3,}|\. \. \.) ?/;
const CLOSING = `["'”’»)\\]]*`;
/** End of a sentence that another sentence follows. */
const SENTENCE_END = new RegExp(
  `(?<=[\\p{L}\\p{N})\\]"'”’»]{2})[.!?؟۔।]${CLOSING}\\s+(?=["'“‘«(\\[]*[\\p{Lu}\\p{Lo}])|[。！？]`,
  "gu",
);
/** End of a sentence at the beginning of the omitted text. */
const AFTER_SENTENCE = new RegExp(`^${CLOSING}[.!?。！？؟۔।]`, "u");
/** End of a sentence at the end of the omitted text. */
const BEFORE_SENTENCE = new RegExp(`[.!?。！？؟۔।]${CLOSING}\\s*["'“‘«(\\[]*$`, "u");
/** Remark of the quoting author within a quotation. */
const REMARK =
  / ?\[(?:sic|(?:emphasis|italics) (?:added|mine|ours|in (?:the )?original))[!.]?\]/giu;
/** First letter whose case the quoting author changed: `[t]he`. */
const CHANGED_CASE = /(?<![\p{L}\p{N}])\[(\p{L})\]/gu;

const SPACED = `(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}]`;
const HYPHEN = "[-\\u00ad\\u2010\\u2011]";
const BEGINS_IN_WORD = new RegExp(
  `(?:${SPACED}|[\\p{L}\\p{N}]['’]|[\\p{L}\\p{N}]${HYPHEN}(?:\\s*\\n\\s*)?)$`,
  "u",
);
const ENDS_IN_WORD = new RegExp(
  `^(?:${SPACED}|['’]\\p{L}|${HYPHEN}(?:\\s*\\n\\s*)?[\\p{L}\\p{N}])`,
  "u",
);
const SPACED_START = new RegExp(`^${SPACED}`, "u");
const SPACED_END = new RegExp(`${SPACED}$`, "u");
const BEGINS_IN_NUMBER = /[.,．٫٬\p{Pd}\u2212][*_]*$/u;
const ENDS_IN_NUMBER = /^[*_]*(?:[.,．٫٬\p{Pd}\u2212]\p{N}|[%‰％٪])/u;

/** Returns true if a text begins with a letter, digit or mark of a script with spaces between words. */
export function beginsSpaced(text: string): boolean {
  return SPACED_START.test(text);
}

/** Counts the words of a passage by white space; in a script without spaces, two characters count as one word. */
export function wordWeight(passage: string): number {
  const unspaced = passage.match(UNSPACED_LETTERS)?.length ?? 0;
  const spaced = passage.replace(UNSPACED_LETTERS, " ").split(/\s+/u);
  return spaced.filter((each) => WORD_SIGN.test(each)).length + Math.floor(unspaced / 2);
}

/**
 * Finds passages in one text. The words and numbers have to match exactly. Differences are allowed in white space, hyphens
 * and words split at a line end, ligatures and other NFKC variants, the kinds of quotation marks and dashes, the case of
 * the first letter, and the punctuation at both ends; see {@linkcode FoldedText}. The text is folded at the first search.
 */
export class PassageFinder {
  readonly #text: string;
  #read: FoldedText | undefined;

  /** Makes a finder for `text`. */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Returns the first place of a passage. The parts of a passage with omissions (`…`, `[...]`) must appear in order, each
   * with at least 4 words; between two parts there may be at most 300 characters (400 within one paragraph) and one end of a
   * sentence, unless the omission begins or ends at a sentence boundary. A first letter in brackets (`[t]he`) matches in
   * either case; `[sic]` and similar remarks are ignored.
   */
  find(passage: string, options: FindOptions = {}): Found | undefined {
    const folded = new FoldedText(passage.replace(REMARK, "")).text;
    const written = folded.replace(CHANGED_CASE, "$1");
    const swapped = folded.replace(
      CHANGED_CASE,
      (_, letter: string) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const each of new Set([folded, written, swapped])) {
      const found = this.#find(each, options);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get #folded(): FoldedText {
    return this.#read ??= new FoldedText(this.#text);
  }

  #find(folded: string, { from = 0, lenient = false }: FindOptions): Found | undefined {
    const whole = this.#places(folded, from).next().value;
    if (whole !== undefined) return whole;
    const parts = folded.split(LEFT_OUT).filter((part) => WORD_SIGN.test(part));
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && wordWeight(only) >= 2) {
      return this.#places(only, from).next().value;
    }
    const isLong = parts.every((part) => wordWeight(part) >= MIN_PART);
    if (parts.length < 2 || parts.length > MAX_PARTS || !isLong) return undefined;
    const [places] = this.#chains(parts, { from, lenient });
    return places && { start: places[0]!.start, end: places.at(-1)!.end, parts: places };
  }

  /** Returns the chains of places of the parts that are near enough to each other, ordered by the place of the last part. */
  #chains(
    parts: readonly string[],
    { from, lenient }: { readonly from: number; readonly lenient: boolean },
  ): (readonly Place[])[] {
    let chains: (readonly Place[])[] | undefined;
    for (const part of parts) {
      const next: (readonly Place[])[] = [];
      let at = -1;
      for (const place of this.#places(part, from)) {
        if (chains === undefined) next.push([place]);
        else {
          // If any place of the part before is near, the nearest is.
          while (at + 1 < chains.length && chains[at + 1]!.at(-1)!.end <= place.start) at++;
          const before = chains[at];
          if (before && this.#isNear(before.at(-1)!, place, lenient)) next.push([...before, place]);
        }
      }
      chains = next;
    }
    return chains ?? [];
  }

  #isNear({ end }: Place, { start }: Place, lenient: boolean): boolean {
    const { gap, within, ends } = lenient ? LENIENT : NEAR;
    if (start - end > within) return false;
    const left = this.#text.slice(end, start);
    if (left.length > gap && /\n[^\S\n]*\n/u.test(left)) return false;
    return AFTER_SENTENCE.test(left) || BEFORE_SENTENCE.test(left) ||
      (left.match(SENTENCE_END)?.length ?? 0) <= ends;
  }

  /** Yields the places of a folded passage from `from` on, in order. */
  *#places(passage: string, from: number): Generator<Place, undefined> {
    const needle = needleOf(passage);
    if (needle === undefined) return;
    const { firsts, rest } = needle;
    const { text } = this.#folded;
    const width = firsts[0]!.length;
    for (let at = text.indexOf(rest, width); at !== -1; at = text.indexOf(rest, at + 1)) {
      if (!firsts.includes(text.slice(at - width, at))) continue;
      const place = this.#folded.place(at - width, at + rest.length);
      if (place.start >= from && this.#fits(place)) yield place;
    }
  }

  /** Returns true if a place begins and ends at word boundaries. */
  #fits(place: Place): boolean {
    const found = this.#text.slice(place.start, place.end);
    const before = this.#text.slice(Math.max(0, place.start - 12), place.start);
    const after = this.#text.slice(place.end, place.end + 12);
    return !(beginsSpaced(found) && BEGINS_IN_WORD.test(before)) &&
      !(SPACED_END.test(found.slice(-12)) && ENDS_IN_WORD.test(after)) &&
      !(/^\p{N}/u.test(found) && BEGINS_IN_NUMBER.test(before)) &&
      !(/\p{N}$/u.test(found.slice(-2)) && ENDS_IN_NUMBER.test(after));
  }
}

/** Returns a key for caching: passages with the same key are found in the same places. */
export function passageKey(passage: string): string {
  const needle = new FoldedText(passage).text.replace(BEGINNING, "").replace(END, "");
  const [first = ""] = needle;
  return first.toLowerCase() + needle.slice(first.length);
}

/** Returns the search text of a folded passage, whose first letter matches in either case; undefined without a word. */
function needleOf(folded: string) {
  const words = folded.replace(BEGINNING, "").replace(END, "");
  if (!WORD_SIGN.test(words)) return undefined;
  const first = String.fromCodePoint(words.codePointAt(0)!);
  if (first === words) return { firsts: [""], rest: words };
  const inCases = (of: string) => [first.toLocaleLowerCase(of), first.toLocaleUpperCase(of)];
  const firsts = [first, ...inCases("en"), ...inCases("tr")];
  return {
    firsts: firsts.filter((each) => each.length === first.length),
    rest: words.slice(first.length),
  };
}
