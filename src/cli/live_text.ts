// Formats the streamed text of a turn for a terminal: wraps lines, and shows markdown as styles.
import { columns, pieces } from "../core/text.ts";

const STYLES: ReadonlyMap<string, string> = new Map([
  ["**", "1"],
  ["__", "1"],
  ["*", "3"],
  ["_", "3"],
  ["`", "36"],
]);
const MARK = /\*\*|__|[*_`]/;
const FENCE = /^(?:```|~~~)/;

/** Wraps a text in the escape codes of a terminal style, such as `1;36`. */
type Paint = (style: string, text: string) => string;

/** Formatter of one turn's text; returns each word once it is complete. */
export class LiveText {
  readonly #width: () => number;
  readonly #paint: Paint;
  #word = "";
  /** Used columns of the current line. */
  #column = 0;
  /** Space before the next word of the line. */
  #gap = "";
  /** True until the first word of a source line. */
  #isStart = true;
  /** Indentation of lines that continue a source line. */
  #indent = "";
  #isHeading = false;
  #isFenced = false;
  readonly #open = new Set<string>();

  constructor(width: () => number, paint: Paint) {
    this.#width = width;
    this.#paint = paint;
  }

  /** Adds a chunk of text; returns the text that can be shown now. */
  push(text: string): string {
    let shown = "";
    for (const char of text) {
      if (char === "\n") shown += `${this.#flush()}${this.#endLine()}`;
      else if (/\s/.test(char) && !this.#isFenced) {
        shown += this.#flush();
        if (this.#isStart) this.#indent += " ";
      } else this.#word += char;
    }
    return shown;
  }

  /** Returns the remaining text at the end of the turn. */
  end(): string {
    return this.#flush();
  }

  #endLine(): string {
    this.#column = 0;
    this.#gap = "";
    this.#isStart = true;
    this.#indent = "";
    this.#isHeading = false;
    this.#open.clear();
    return "\n";
  }

  #flush(): string {
    const word = this.#word;
    this.#word = "";
    if (word === "") return "";
    if (FENCE.test(word)) this.#isFenced = !this.#isFenced;
    if (this.#isFenced || FENCE.test(word)) {
      return pieces(word, this.#width()).map((each) => this.#paint("2", each)).join("\n");
    }
    if (!this.#isStart) return this.#put(word);
    this.#isStart = false;
    return this.#begin(word);
  }

  /** Formats the first word of a source line, which may mark a heading, a list or a quotation. */
  #begin(word: string): string {
    const lead = this.#indent.slice(0, this.#width() >> 2);
    if (/^#{1,6}$/.test(word)) {
      this.#isHeading = true;
      return "";
    }
    const mark = /^[-*+]$/.test(word) ? "•" : word === ">" ? "│" : word;
    const isMark = mark !== word || /^\d{1,3}[.)]$/.test(word);
    this.#indent = isMark ? `${lead}${mark === "│" ? "│" : " ".repeat(columns(mark))} ` : lead;
    this.#column = columns(lead);
    return lead + (isMark ? this.#append([["", mark]]) : this.#put(word));
  }

  #put(word: string): string {
    return this.#append(this.#parts(word));
  }

  /** Splits a word into parts with their styles, and removes the marks of markdown. */
  #parts(word: string): readonly (readonly [style: string, text: string])[] {
    const parts: [string, string][] = [];
    let rest = word;
    let before = "";
    while (rest !== "") {
      const found = MARK.exec(rest);
      const isCode = this.#open.has("`");
      const mark = found?.[0] ?? "";
      const at = found?.index ?? rest.length;
      const [text, after] = [rest.slice(0, at), rest.slice(at + mark.length)];
      before = text === "" ? before : text;
      const last = parts.at(-1);
      if (last?.[0] === this.#style()) last[1] += text;
      else if (text !== "") parts.push([this.#style(), text]);
      if (mark !== "" && !(isCode && mark !== "`") && this.#isMark(mark, { before, after })) {
        if (!this.#open.delete(mark)) this.#open.add(mark);
      } else if (mark !== "") {
        before = mark;
        const part = parts.at(-1);
        if (part?.[0] === this.#style()) part[1] += mark;
        else parts.push([this.#style(), mark]);
      }
      rest = after;
    }
    return parts;
  }

  /** Returns true for a mark that closes an open style, or opens a style before a word. */
  #isMark(mark: string, { before, after }: { before: string; after: string }): boolean {
    if (this.#open.has(mark)) return !/^_/.test(mark) || !/^\p{L}/u.test(after);
    return /^[^\s*_]/.test(after) && !/[\p{L}\p{N}]$/u.test(before);
  }

  #style(): string {
    const styles = [...this.#open].map((mark) => STYLES.get(mark) ?? "");
    return [...new Set([...this.#isHeading ? ["1"] : [], ...styles])].join(";");
  }

  /** Appends a word to the line, or to the next line if there is no room; splits a word that is longer than a line. */
  #append(parts: readonly (readonly [style: string, text: string])[]): string {
    const word = parts.map(([, text]) => text).join("");
    if (word === "") return "";
    const width = this.#width();
    const long = columns(word);
    const isNext = this.#gap !== "" && this.#column + 1 + long > width;
    const before = isNext ? `\n${this.#indent}` : this.#gap;
    this.#column = isNext ? columns(this.#indent) : this.#column + before.length;
    this.#gap = " ";
    const room = Math.max(1, width - this.#column);
    if (long <= room) {
      this.#column += long;
      return before + parts.map(([style, text]) => this.#paintPart(style, text)).join("");
    }
    const cut = pieces(word, room);
    this.#column = columns(this.#indent) + columns(cut.at(-1)!);
    return before + cut.join(`\n${this.#indent}`);
  }

  #paintPart(style: string, text: string): string {
    return style === "" ? text : this.#paint(style, text);
  }
}
