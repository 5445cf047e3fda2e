// Text in the form that comparisons use, with the way back to the original.
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
