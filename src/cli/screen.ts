/** The terminal, for progress and prompts in turn: what comes while a person writes is shown afterwards. */
export class Screen {
  readonly #write: (text: string) => void;
  #held: string[] | undefined;
  #isMidLine = false;

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

  /** Keeps what is shown from here on. */
  hold(): void {
    this.#held ??= [];
    if (this.#isMidLine) this.#put("\n");
  }

  /** Shows what was kept. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.#put(text);
  }

  #put(text: string): void {
    if (text === "") return;
    this.#write(text);
    this.#isMidLine = !text.endsWith("\n");
  }
}
