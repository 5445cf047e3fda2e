/** Position of a reader of JSON: in an object at a key, or in the list of a key. */
interface Level {
  readonly list: boolean;
  /** The key whose value comes next; of a list, the key it stands at. */
  key: string | undefined;
}

/** Reads text fields out of a JSON object while it is still being written, so that they can be shown as they come. */
export class SpeechStream {
  readonly #fields: ReadonlySet<string>;
  /** True if fields count at any depth, and more than one text. */
  readonly #all: boolean;
  readonly #levels: Level[] = [];
  #inString = false;
  /** A backslash, and the digits of a `\u` escape so far. */
  #escape: string | undefined;
  #string = "";
  /** True while the string that is read is a field's value. */
  #speaking = false;
  #done = false;
  #text = "";

  /**
   * A stream that has seen nothing. One `fields` is a key of the outermost object; a list of them counts at any depth, in
   * lists of texts too: then the texts stand apart by an empty line.
   */
  constructor(fields: string | readonly string[]) {
    this.#all = typeof fields !== "string";
    this.#fields = new Set(typeof fields === "string" ? [fields] : fields);
  }

  /** Text of the fields so far. */
  get text(): string {
    return this.#text;
  }

  /** Takes the next piece of the reply; gives what it adds to the fields. */
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
    const level = this.#levels.at(-1);
    if (char === "{") this.#levels.push({ list: false, key: undefined });
    else if (char === "[") this.#levels.push({ list: true, key: level?.key });
    else if (char === "}" || char === "]") this.#levels.pop();
    else if (char === '"' && level !== undefined) this.#open(level);
    else if (char === "," && level?.list === false) level.key = undefined;
  }

  #open({ key }: Level): void {
    this.#inString = true;
    this.#string = "";
    const placed = this.#all || (this.#levels.length === 1 && !this.#levels[0]!.list);
    this.#speaking = placed && key !== undefined && this.#fields.has(key);
    if (this.#speaking && this.#text !== "") this.#text += "\n\n";
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
    else if (this.#isKey()) this.#string += char;
  }

  #close(): void {
    this.#inString = false;
    if (this.#speaking) this.#done = !this.#all;
    else if (this.#isKey()) this.#levels.at(-1)!.key = this.#string;
  }

  /** True if the string that is read is a key. */
  #isKey(): boolean {
    const level = this.#levels.at(-1);
    return level?.list === false && level.key === undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
};
