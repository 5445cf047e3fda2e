// Search for quoted passages in a text, however they are printed.
import { memo } from "./values.ts";

const SOFT_HYPHEN = "\u00ad";
const SPACE = /\s/u;
/** Characters without a width: they are no part of a word. */
const IGNORED = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const DASH = /[\p{Pd}\u2212]/u;
const QUOTE = /["'`´‘’‚‛“”„‟«»‹›′″＂＇]/u;
/** Characters that belong to the character before: marks, and the later parts of a syllable. */
const JOINING = /[\p{M}\u1160-\u11ff\uff9e\uff9f]/u;
const OTHER_NUMBER = /\p{No}/u;
const LETTER = /\p{L}/u;
/** A character with more marks than this is no word of any language. */
const MAX_JOINED = 32;

/** Form of a character in comparisons: a space, `-`, `'`, nothing, itself, or its compatible form (`ﬁ` as `fi`). */
function foldOf(char: string): string {
  if (char === SOFT_HYPHEN) return SOFT_HYPHEN;
  if (SPACE.test(char)) return " ";
  if (IGNORED.test(char)) return "";
  if (DASH.test(char)) return "-";
  if (QUOTE.test(char)) return "'";
  // 10² is not 102, and ½ is not 1⁄2.
  return OTHER_NUMBER.test(char) ? char : char.normalize("NFKC");
}

/** It stands for itself, whatever stands beside it but marks. */
const PLAIN = 1;
/** It belongs to the character before it. */
const JOINS = 2;
const OTHER = 3;

/** Of each UTF-16 unit that was met; 0 of others. */
const kinds = new Uint8Array(0x1_0000);

function kindOf(unit: number): number {
  return kinds[unit] || (kinds[unit] = readKind(String.fromCharCode(unit)));
}

function readKind(char: string): number {
  if (JOINING.test(char)) return JOINS;
  const fold = foldOf(char);
  return fold === char && char.isWellFormed() && !` -'${SOFT_HYPHEN}`.includes(char)
    ? PLAIN
    : OTHER;
}

/** Origins of runs of a folded text: `keys[i]` there is `values[i]` in the original, character by character. */
class OffsetMap {
  #keys = new Uint32Array(64);
  #values = new Uint32Array(64);
  #size = 0;

  set(key: number, value: number): void {
    const last = this.#size - 1;
    if (last >= 0 && value - key === this.#values[last]! - this.#keys[last]!) return;
    if (this.#size === this.#keys.length) {
      this.#keys = grown(this.#keys);
      this.#values = grown(this.#values);
    }
    this.#keys[this.#size] = key;
    this.#values[this.#size++] = value;
  }

  get(key: number): number {
    let low = 0;
    let high = this.#size - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#keys[middle]! <= key) low = middle;
      else high = middle - 1;
    }
    return this.#values[low]! + key - this.#keys[low]!;
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/**
 * A text as quotations are compared: white space as one space, words that were parted at a line's end whole, hyphens and
 * dashes between letters left out, other dashes as `-`, quotation marks of every kind as one `'`, Unicode's compatible
 * characters as one (NFKC, but for numbers such as `²`). Letter case, words and numbers stay. Of each place it is known
 * where it stands in the original; what that costs grows with how much was changed, not with the text.
 */
export class FoldedText {
  readonly #original: string;
  readonly #offsets = new OffsetMap();
  readonly #folds = new Map<number, string>();
  #pieces: string[] = [];
  #length = 0;
  /** The last character that was put, or a part of it. */
  #last = "";
  /** The text as it is compared. */
  readonly text: string;

  /** Reads the whole text once. */
  constructor(original: string) {
    this.#original = original;
    for (let at = 0; at < original.length;) at = this.#step(at);
    this.text = this.#pieces.join("");
    this.#pieces = [];
    this.#folds.clear();
  }

  /** Place of a passage of `text`, one character at least, in the original; UTF-16 units. */
  place(start: number, end: number): { readonly start: number; readonly end: number } {
    return { start: this.#offsets.get(start), end: this.#end(this.#offsets.get(end - 1)) };
  }

  #step(at: number): number {
    const plain = this.#plainEnd(at);
    if (plain > at) {
      this.#put(this.#original.slice(at, plain), at);
      return plain;
    }
    const fold = this.#fold(at);
    if (fold === " ") return this.#space(at);
    if (fold === "-") return this.#dash(at);
    if (fold === SOFT_HYPHEN) return this.#softHyphen(at);
    if (fold === "'") {
      if (this.#last !== "'") this.#put("'", at);
      return at + 1;
    }
    const end = this.#end(at);
    const segment = this.#original.slice(at, end);
    const one = end - at === this.#width(at);
    for (const unit of (one ? fold : segment.normalize("NFKC")).split("")) this.#put(unit, at);
    return end;
  }

  /** End of a run of characters that fold to themselves, single spaces between them included. */
  #plainEnd(from: number): number {
    const text = this.#original;
    let at = from;
    while (at < text.length) {
      const plain = kindOf(text.charCodeAt(at)) === PLAIN ||
        (at > from && text[at] === " " && text[at - 1] !== " " && this.#isPlain(at + 1));
      if (!plain || (at + 1 < text.length && kindOf(text.charCodeAt(at + 1)) === JOINS)) break;
      at++;
    }
    return at > from && text[at - 1] === " " ? at - 1 : at;
  }

  #isPlain(at: number): boolean {
    return at < this.#original.length && kindOf(this.#original.charCodeAt(at)) === PLAIN;
  }

  #space(at: number): number {
    const end = this.#blankEnd(at);
    const next = end < this.#original.length ? this.#fold(end) : "";
    if (next !== "" && next !== "-" && this.#length > 0) this.#put(" ", at);
    return end;
  }

  /** A dash parts no words and needs no spaces: between letters it may be a hyphen that a line's end brought. */
  #dash(at: number): number {
    const end = this.#blankEnd(at, "-");
    const between = LETTER.test(this.#last) && LETTER.test(this.#charAt(end));
    if (!between) this.#put("-", at);
    return end;
  }

  /** At a line's end it parts a word, elsewhere it is not seen. */
  #softHyphen(at: number): number {
    const end = this.#blankEnd(at);
    const run = this.#original.slice(at, end);
    return run.includes("\n") || !SPACE.test(run) ? end : this.#space(at);
  }

  /** End of white space, with characters of no width, and with `more`. */
  #blankEnd(from: number, more = " "): number {
    let at = from;
    while (at < this.#original.length) {
      const fold = this.#fold(at);
      if (fold !== " " && fold !== "" && fold !== SOFT_HYPHEN && fold !== more) break;
      at += this.#width(at);
    }
    return at;
  }

  /** End of a character, with the marks that belong to it. */
  #end(at: number): number {
    let end = at + this.#width(at);
    for (let count = 0; count < MAX_JOINED && this.#joins(end); count++) end += this.#width(end);
    return end;
  }

  #joins(at: number): boolean {
    const unit = this.#original.charCodeAt(at);
    return unit >= 0x300 &&
      (unit >= 0xd800 && unit < 0xe000 ? JOINING.test(this.#charAt(at)) : kindOf(unit) === JOINS);
  }

  #fold(at: number): string {
    const code = this.#original.codePointAt(at)!;
    let fold = this.#folds.get(code);
    if (fold === undefined) this.#folds.set(code, fold = foldOf(String.fromCodePoint(code)));
    return fold;
  }

  #width(at: number): number {
    return this.#original.codePointAt(at)! > 0xffff ? 2 : 1;
  }

  #charAt(at: number): string {
    const code = this.#original.codePointAt(at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  #put(piece: string, at: number): void {
    this.#offsets.set(this.#length, at);
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#last = piece.at(-1) ?? "";
  }
}

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
