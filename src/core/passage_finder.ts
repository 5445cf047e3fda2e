// Search for quoted passages in a text, however they are printed.
import { FoldedText } from "./folded_text.ts";
import { memo } from "./once_each.ts";

/** Place of a passage in a text: `text.slice(start, end)`, in UTF-16 units. */
export interface Place {
  /** Start, in UTF-16 units. */
  readonly start: number;
  /** End, exclusive. */
  readonly end: number;
}

/** A passage in a text: from its first part to its last. */
interface Found extends Place {
  /** The places of the parts, in order, where words are left out between them. */
  readonly parts?: readonly Place[];
}

interface FindOptions {
  /** The passage begins here or later, in UTF-16 units. @default 0 */
  readonly from?: number | undefined;
  /** Rule for the parts of a passage with words left out. @default "now" */
  readonly rule?: keyof typeof RULES | undefined;
}

/**
 * Parts of a passage with words left out: the fewest words of a part, the most UTF-16 units left out between two, the
 * most within a paragraph, since the text of some files has no empty lines, and the most ends of sentences between a part
 * that breaks off in a sentence and one that begins in another. Records hold quotations of earlier rules.
 */
const RULES = {
  now: { words: 4, gap: 300, within: 400, ends: 1 },
  before: { words: 4, gap: 300, within: 500, ends: Infinity },
  first: { words: 0, gap: Infinity, within: Infinity, ends: Infinity },
} as const;
/** The most parts of a passage. */
const MAX_PARTS = 12;

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED_CLASS = `[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`;
const WORD_SIGN = /[\p{L}\p{N}]/u;

/** Characters that may be left out at the ends of a quotation: a digit's point and minus are no punctuation. */
const BEGINNING = /^(?:[ '*_,;:!?]|[.-](?!\p{N}))+/u;
const END = /[ '*_.,;:!?-]+$/;
/** Omission in a quotation, in a folded text. */
const LEFT_OUT = / ?(?:\[ ?(?:\.{3,}|\. \. \.) ?\]|\( ?(?:\.{3,}|\. \. \.) ?\)|\.{3,}|\. \. \.) ?/;
const CLOSING = `["'”’»)\\]]*`;
/** End of a sentence before the next. */
const SENTENCE_END = new RegExp(
  `(?<=[\\p{L}\\p{N})\\]"'”’»]{2})[.!?]${CLOSING}\\s+(?=["'“‘«(\\[]*\\p{Lu})|[。！？]`,
  "gu",
);
/** Beginning and end of what is left out where whole sentences are. */
const AFTER_SENTENCE = new RegExp(`^${CLOSING}[.!?。！？]`, "u");
const BEFORE_SENTENCE = new RegExp(`[.!?。！？]${CLOSING}\\s*["'“‘«(\\[]*$`, "u");
/** A quoter's remark within a quotation. */
const REMARK =
  / ?\[(?:sic|(?:emphasis|italics) (?:added|mine|ours|in (?:the )?original))[!.]?\]/giu;
/** A first letter whose case the quoter changed: `[t]he`. */
const CHANGED_CASE = /(?<![\p{L}\p{N}])\[(\p{L})\]/gu;

const SPACED = `(?!${UNSPACED_CLASS})[\\p{L}\\p{N}\\p{M}]`;
const HYPHEN = "[-\\u00ad\\u2010\\u2011]";
/** Patterns of scripts, which take milliseconds to compile. */
const patterns = memo(() => ({
  unspaced: new RegExp(UNSPACED_CLASS, "gu"),
  beginsInWord: new RegExp(
    `(?:${SPACED}|[\\p{L}\\p{N}]['’]|[\\p{L}\\p{N}]${HYPHEN}(?:\\s*\\n\\s*)?)$`,
    "u",
  ),
  endsInWord: new RegExp(
    `^(?:${SPACED}|['’]\\p{L}|${HYPHEN}(?:\\s*\\n\\s*)?[\\p{L}\\p{N}])`,
    "u",
  ),
  beginsSpaced: new RegExp(`^${SPACED}`, "u"),
  endsSpaced: new RegExp(`${SPACED}$`, "u"),
}));
const BEGINS_IN_NUMBER = /[.,\p{Pd}\u2212]$/u;
const ENDS_IN_NUMBER = /^(?:[.,\p{Pd}\u2212]\p{N}|[%‰])/u;

/** True if a text begins with a letter, digit or mark of a script that parts words by spaces. */
export function beginsSpaced(text: string): boolean {
  return patterns().beginsSpaced.test(text);
}

/** Text that is searched for: the first letter may be of either case. */
interface Needle {
  readonly firsts: readonly string[];
  readonly rest: string;
}

/**
 * Number of words of a passage: by white space; in a script without spaces between words, two characters count as one
 * word.
 */
export function wordWeight(passage: string): number {
  const unspaced = passage.match(patterns().unspaced)?.length ?? 0;
  const spaced = passage.replace(patterns().unspaced, " ").split(/\s+/u);
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
   * The first place of a passage. The parts of a passage with words left out (`…`, `[...]`) stand in order, each of at
   * least 4 words; at most 300 characters are left out between two, at most 400 within one paragraph, and at most one end
   * of a sentence, unless whole sentences are left out from the one before or up to the one after. A first letter in
   * brackets (`[t]he`) may be of either case; `[sic]` and the like are not compared.
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

  #find(folded: string, { from = 0, rule = "now" }: FindOptions): Found | undefined {
    const whole = this.#places(folded, from).next().value;
    if (whole !== undefined) return whole;
    const parts = folded.split(LEFT_OUT).filter((part) => WORD_SIGN.test(part));
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && wordWeight(only) >= 2) {
      return this.#places(only, from).next().value;
    }
    const isLong = parts.every((part) => wordWeight(part) >= RULES[rule].words);
    if (parts.length < 2 || parts.length > MAX_PARTS || !isLong) return undefined;
    const [places] = this.#chains(parts, { from, rule });
    return places && { start: places[0]!.start, end: places.at(-1)!.end, parts: places };
  }

  /** The places of parts that follow each other closely enough, by the place of the last part. */
  #chains(
    parts: readonly string[],
    { from, rule }: { readonly from: number; readonly rule: keyof typeof RULES },
  ): (readonly Place[])[] {
    let chains: (readonly Place[])[] | undefined;
    for (const part of parts) {
      const next: (readonly Place[])[] = [];
      let at = -1;
      for (const place of this.#places(part, from)) {
        if (chains === undefined) next.push([place]);
        else {
          // The nearest place of the part before is near if any is.
          while (at + 1 < chains.length && chains[at + 1]!.at(-1)!.end <= place.start) at++;
          const before = chains[at];
          if (before && this.#isNear(before.at(-1)!, place, rule)) next.push([...before, place]);
        }
      }
      chains = next;
    }
    return chains ?? [];
  }

  #isNear({ end }: Place, { start }: Place, rule: keyof typeof RULES): boolean {
    const { gap, within, ends } = RULES[rule];
    if (start - end > within) return false;
    const left = this.#text.slice(end, start);
    if (left.length > gap && /\n[^\S\n]*\n/u.test(left)) return false;
    return AFTER_SENTENCE.test(left) || BEFORE_SENTENCE.test(left) ||
      (left.match(SENTENCE_END)?.length ?? 0) <= ends;
  }

  /** The places of a folded passage that begin at `from` or later, in order. */
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

  /** True if a place begins and ends between words. */
  #fits(place: Place): boolean {
    const found = this.#text.slice(place.start, place.end);
    const before = this.#text.slice(Math.max(0, place.start - 12), place.start);
    const after = this.#text.slice(place.end, place.end + 12);
    const { beginsInWord, endsInWord, endsSpaced } = patterns();
    return !(beginsSpaced(found) && beginsInWord.test(before)) &&
      !(endsSpaced.test(found.slice(-12)) && endsInWord.test(after)) &&
      !(/^\p{N}/u.test(found) && BEGINS_IN_NUMBER.test(before)) &&
      !(/\p{N}$/u.test(found.slice(-2)) && ENDS_IN_NUMBER.test(after));
  }
}

/** Key of a passage: passages with the same key are found, or not found, in the same places. */
export function passageKey(passage: string): string {
  const needle = new FoldedText(passage).text.replace(BEGINNING, "").replace(END, "");
  const [first = ""] = needle;
  return first.toLowerCase() + needle.slice(first.length);
}

/** Search text of a folded passage; undefined for a passage without a word. */
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
