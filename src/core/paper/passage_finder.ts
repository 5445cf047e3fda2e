import { FoldedText } from "./folded_text.ts";

/** Where a passage stands in a text: `text.slice(start, end)`, in UTF-16 units. */
export interface Place {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
}

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED_CLASS = `[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`;
const UNSPACED = new RegExp(UNSPACED_CLASS, "gu");
const WORD_SIGN = /[\p{L}\p{N}]/u;

/** What may be left out at the ends of a quotation: a digit's point and minus are no punctuation. */
const BEGINNING = /^(?:[ '*_,;:!?]|[.-](?!\p{N}))+/u;
const END = /[ '*_.,;:!?-]+$/;
/** Where a quotation leaves words out, in a folded text. */
const LEFT_OUT = / ?(?:\[ ?(?:\.{3,}|\. \. \.) ?\]|\( ?(?:\.{3,}|\. \. \.) ?\)|\.{3,}|\. \. \.) ?/;

const SPACED = `(?!${UNSPACED_CLASS})[\\p{L}\\p{N}\\p{M}]`;
const HYPHEN = "[-\\u00ad\\u2010\\u2011]";
const BEGINS_IN_WORD = new RegExp(
  `(?:${SPACED}|[\\p{L}\\p{N}]['’]|[\\p{L}\\p{N}]${HYPHEN}(?:\\s*\\n\\s*)?)$`,
  "u",
);
const ENDS_IN_WORD = new RegExp(
  `^(?:${SPACED}|['’]\\p{L}|${HYPHEN}(?:\\s*\\n\\s*)?[\\p{L}\\p{N}])`,
  "u",
);
const BEGINS_IN_NUMBER = /[.,\p{Pd}\u2212]$/u;
const ENDS_IN_NUMBER = /^(?:[.,\p{Pd}\u2212]\p{N}|[%‰])/u;
/** A letter, digit or mark of a script that parts its words by spaces, at the beginning of a text. */
export const BEGINS_SPACED: RegExp = new RegExp(`^${SPACED}`, "u");
const ENDS_SPACED = new RegExp(`${SPACED}$`, "u");

/** What is looked for: the first letter may be of either case. */
interface Needle {
  readonly firsts: readonly string[];
  readonly rest: string;
}

/**
 * How many words a passage has: by white space; of a script that parts no words by spaces, two characters are counted as
 * one.
 */
export function wordWeight(passage: string): number {
  const unspaced = passage.match(UNSPACED)?.length ?? 0;
  const spaced = passage.replace(UNSPACED, " ").split(/\s+/u);
  return spaced.filter((each) => WORD_SIGN.test(each)).length + Math.floor(unspaced / 2);
}

/**
 * Finds passages in one text. A passage is found where its words and numbers stand as they are: white space, hyphens and
 * words parted at a line's end, ligatures and other compatible characters, the kind of quotation marks and dashes, the
 * case of the first letter and the punctuation at the ends may differ, see {@linkcode FoldedText}; nothing else may.
 * The text is read once, when something is first looked for.
 */
export class PassageFinder {
  readonly #text: string;
  #read: FoldedText | undefined;

  /** Looks in `text`. */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Where a passage stands first; of one with words left out (`…`, `[...]`), from its first part to its last: every part
   * has to stand there, in order, and one of them has to have two words.
   */
  find(passage: string): Place | undefined {
    const folded = new FoldedText(passage).text;
    const whole = needleOf(folded);
    const found = whole === undefined ? undefined : this.#after(whole, 0);
    if (found !== undefined) return this.#place(found);
    const parts = folded.split(LEFT_OUT).filter((part) => WORD_SIGN.test(part));
    const many = parts.length > 1 || LEFT_OUT.test(folded);
    return many && parts.some((part) => wordWeight(part) >= 2) ? this.#findParts(parts) : undefined;
  }

  get #folded(): FoldedText {
    return this.#read ??= new FoldedText(this.#text);
  }

  #findParts(parts: readonly string[]): Place | undefined {
    const needles = parts.map(needleOf).filter((each) => each !== undefined);
    let last: Place | undefined;
    for (const needle of needles) {
      last = this.#after(needle, last?.end ?? 0);
      if (last === undefined) return undefined;
    }
    if (last === undefined) return undefined;
    // The parts nearest to the last one are meant, not the first that happen to fit.
    let { start } = last;
    for (const needle of needles.slice(0, -1).reverse()) {
      start = this.#before(needle, start)?.start ?? start;
    }
    return this.#place({ start, end: last.end });
  }

  /** A place in the folded text that begins at `from` or later. */
  #after({ firsts, rest }: Needle, from: number): Place | undefined {
    const { text } = this.#folded;
    const width = firsts[0]!.length;
    let at = text.indexOf(rest, from + width);
    while (at !== -1) {
      const place = { start: at - width, end: at + rest.length };
      if (this.#fits(place, { firsts, at })) return place;
      at = text.indexOf(rest, at + 1);
    }
    return undefined;
  }

  /** A place in the folded text that ends at `until` or earlier, the last one. */
  #before({ firsts, rest }: Needle, until: number): Place | undefined {
    const { text } = this.#folded;
    const width = firsts[0]!.length;
    let at = until - rest.length;
    while (at >= width && (at = text.lastIndexOf(rest, at)) >= width) {
      const place = { start: at - width, end: at + rest.length };
      if (this.#fits(place, { firsts, at })) return place;
      at--;
    }
    return undefined;
  }

  #fits({ start, end }: Place, { firsts, at }: { firsts: readonly string[]; at: number }): boolean {
    if (!firsts.includes(this.#folded.text.slice(start, at))) return false;
    const place = this.#place({ start, end });
    const found = this.#text.slice(place.start, place.end);
    const before = this.#text.slice(Math.max(0, place.start - 12), place.start);
    const after = this.#text.slice(place.end, place.end + 12);
    return !(BEGINS_SPACED.test(found) && BEGINS_IN_WORD.test(before)) &&
      !(ENDS_SPACED.test(found.slice(-12)) && ENDS_IN_WORD.test(after)) &&
      !(/^\p{N}/u.test(found) && BEGINS_IN_NUMBER.test(before)) &&
      !(/\p{N}$/u.test(found.slice(-2)) && ENDS_IN_NUMBER.test(after));
  }

  #place({ start, end }: Place): Place {
    return this.#folded.place(start, end);
  }
}

/** What two passages share that are found, or not found, in the same places. */
export function passageKey(passage: string): string {
  const needle = new FoldedText(passage).text.replace(BEGINNING, "").replace(END, "");
  const [first = ""] = needle;
  return first.toLowerCase() + needle.slice(first.length);
}

/** What is looked for of a folded passage; undefined where there is no word in it. */
function needleOf(folded: string): Needle | undefined {
  const words = folded.replace(BEGINNING, "").replace(END, "");
  if (!WORD_SIGN.test(words)) return undefined;
  const first = String.fromCodePoint(words.codePointAt(0)!);
  if (first === words) return { firsts: [""], rest: words };
  const cases = [first, first.toLowerCase(), first.toUpperCase()];
  return {
    firsts: cases.filter((each) => each.length === first.length),
    rest: words.slice(first.length),
  };
}
