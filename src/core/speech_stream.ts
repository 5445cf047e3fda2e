/** Reads one text field out of a JSON object while it is still being written, so that it can be shown as it comes. */
export class SpeechStream {
  readonly #field: string;
  /** The nesting of objects and arrays; the reply's own object is 1. */
  #depth = 0;
  #inString = false;
  /** A backslash, and the digits of a `\u` escape so far. */
  #escape: string | undefined;
  #string = "";
  #key: string | undefined;
  /** Whether the string that is being read is the field's value. */
  #speaking = false;
  #done = false;
  #text = "";

  /** A stream that has seen nothing; `field` is a key of the outermost object. */
  constructor(field: string) {
    this.#field = field;
  }

  /** What was read of the field so far. */
  get text(): string {
    return this.#text;
  }

  /** Takes the next piece of the reply; gives what it adds to the field. */
  add(piece: string): string {
    const before = this.#text.length;
    for (const char of piece) {
      if (this.#done) break;
      if (this.#inString) this.#read(char);
      else this.#step(char);
    }
    return this.#text.slice(before);
  }

  #step(char: string): void {
    if (char === "{" || char === "[") this.#depth++;
    else if (char === "}" || char === "]") this.#depth--;
    else if (char === '"' && this.#depth > 0) this.#open();
    else if (char === "," && this.#depth === 1) this.#key = undefined;
  }

  #open(): void {
    this.#inString = true;
    this.#string = "";
    this.#speaking = this.#depth === 1 && this.#key === this.#field;
  }

  #read(char: string): void {
    if (this.#escape !== undefined) return this.#unescape(char);
    if (char === "\\") this.#escape = "";
    else if (char === '"') this.#close();
    else this.#take(char);
  }

  #unescape(char: string): void {
    const escape = this.#escape + char;
    if (escape.startsWith("u") && escape.length < 5) {
      this.#escape = escape;
      return;
    }
    this.#escape = undefined;
    if (escape.startsWith("u")) {
      const code = Number.parseInt(escape.slice(1), 16);
      this.#take(Number.isNaN(code) ? "" : String.fromCharCode(code));
    } else this.#take(ESCAPES[escape] ?? escape);
  }

  #take(char: string): void {
    if (this.#speaking) this.#text += char;
    else if (this.#depth === 1 && this.#key === undefined) this.#string += char;
  }

  #close(): void {
    this.#inString = false;
    if (this.#speaking) this.#done = true;
    else if (this.#depth === 1 && this.#key === undefined) this.#key = this.#string;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
};
