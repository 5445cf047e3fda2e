// The terminal, for progress and prompts in turn, with a status line below what was shown.

/** The terminal: what comes while a person writes is shown afterwards; the status line stays last, and is drawn anew. */
export class Screen {
  readonly #write: (text: string) => void;
  #held: string[] | undefined;
  /** The line that was begun. */
  #tail = "";
  /** The status line that is drawn; empty for none. */
  #status = "";

  /** A screen that writes with `write`. */
  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Writes, or keeps it until the person has written. */
  show(text: string): void {
    if (this.#held === undefined) this.#put(text);
    else this.#held.push(text);
  }

  /** Writes to the person who is asked, at once. */
  prompt(text: string): void {
    this.#put(text);
  }

  /** Writes lines of their own, at once. */
  note(text: string): void {
    this.#put(this.#tail === "" ? text : `\n${text}`);
  }

  /** Draws the status line, or with an empty text takes it away; a person who writes has none. */
  status(line: string): void {
    const next = this.#held === undefined ? line : "";
    if (next !== this.#status) this.#draw("", next);
  }

  /** Keeps what is shown from here on. */
  hold(): void {
    this.status("");
    this.#held ??= [];
    if (this.#tail !== "") this.#put("\n");
  }

  /** Shows what was kept. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.#put(text);
  }

  #put(text: string): void {
    if (text !== "") this.#draw(text, this.#status);
  }

  /** Writes a text after what was shown, and a status below it, in one piece: nothing flickers. */
  #draw(text: string, status: string): void {
    const up = this.#tail === "" ? "" : `\x1b[1A\r${this.#tail}`;
    const back = this.#status === "" ? "" : `\r\x1b[K${up}`;
    const whole = this.#tail + text;
    this.#tail = whole.slice(whole.lastIndexOf("\n") + 1);
    const below = status === "" ? "" : `${this.#tail === "" ? "" : "\n"}${status}`;
    this.#status = status;
    this.#write(back + text + below);
  }
}
