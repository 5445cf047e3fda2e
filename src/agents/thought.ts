// Thought text in the content of a reply, separated from the answer as the reply comes.

const OPEN = "<think>";
const CLOSE = "</think>";

/** A part of the content: of the answer, and of the thought text. */
interface Parted {
  readonly text: string;
  readonly thought: string;
}

/**
 * Parts a leading `<think>…</think>` from the answer. Text is held back while it may be the beginning of the tag; where
 * the prompt's template opens the tag, it is held back until the closing tag comes or the reply ends.
 */
export class ThoughtFilter {
  /** Place in the content: before, within or after the thought text; `gap` before the first sign of the answer. */
  #state: "start" | "thought" | "gap" | "answer";
  readonly #opened: boolean;
  #held = "";

  /** A filter at the beginning of a reply; `opened` where the prompt's template may have opened the tag. */
  constructor({ isOn = true, opened = false }: { isOn?: boolean; opened?: boolean } = {}) {
    this.#state = isOn ? "start" : "answer";
    this.#opened = opened;
  }

  /** Thought text came apart from the content: the content has none. */
  skip(): void {
    if (this.#state === "start" && this.#held === "") this.#state = "answer";
  }

  /** Takes a piece of content and gives what is known of it. */
  add(piece: string): Parted {
    if (this.#state === "answer") return { text: piece, thought: "" };
    if (this.#state === "gap") return this.#answer(piece.trimStart(), "");
    this.#held += piece;
    if (this.#state === "start") {
      const begun = this.#held.trimStart();
      if (begun.startsWith(OPEN)) {
        this.#state = "thought";
        this.#held = begun.slice(OPEN.length);
      } else if (!OPEN.startsWith(begun) && !this.#opened) {
        return this.#answer(this.#held, "");
      }
    }
    const end = this.#held.indexOf(CLOSE);
    if (end === -1) return { text: "", thought: "" };
    const thought = this.#held.slice(0, end).trim();
    return this.#answer(this.#held.slice(end + CLOSE.length).trimStart(), thought);
  }

  /** Text held back, at the end of the reply: thought text where the tag was open. */
  end(): Parted {
    const isThought = this.#state === "thought";
    return this.#answer(isThought ? "" : this.#held, isThought ? this.#held : "");
  }

  #answer(text: string, thought: string): Parted {
    this.#state = text === "" ? "gap" : "answer";
    this.#held = "";
    return { text, thought };
  }
}

/** A whole text parted at a closing tag that no opening tag came before: the prompt's template opened it. */
export function partedAtClose(content: string): Parted {
  const end = content.indexOf(CLOSE);
  if (end === -1) return { text: content, thought: "" };
  const text = content.slice(end + CLOSE.length).trimStart();
  return { text, thought: content.slice(0, end).trim() };
}
