// Separates a model's reasoning from the answer where a server sends both as one text.
/** Tags of reasoning at the beginning of a content; those of gpt-oss also announce the answer, with an empty thought before it. */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ...["think", "thinking", "thought", "reasoning", "seed:think"]
    .map((name) => [`<${name}>`, `</${name}>`] as const),
  ["[THINK]", "[/THINK]"],
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|start|>assistant<|channel|>final<|message|>", ""],
];
/** The tag that comes alone if the prompt's template has opened the tag. */
const CLOSE = "</think>";

/** A text, split into the answer and the reasoning before it. */
export interface SplitText {
  readonly text: string;
  readonly thought: string;
}

/**
 * Separates leading reasoning between tags from the answer. Buffers text that may be the beginning of a tag; if the prompt's template
 * may have opened the tag, buffers all text until the closing tag or the end of the reply.
 */
export class ThoughtFilter {
  /** Position in the content: before, within or after the reasoning; `gap` is between reasoning and answer. */
  #state: "start" | "thought" | "gap" | "answer";
  #opened: boolean;
  #buffer = "";
  #close = CLOSE;

  constructor({ thinkTags, opened }: { readonly thinkTags: boolean; readonly opened: boolean }) {
    this.#state = thinkTags ? "start" : "answer";
    this.#opened = opened;
  }

  /** Buffers no more than a tag, because the reasoning came in a field of its own; some servers repeat it between tags. */
  skip(): void {
    this.#opened = false;
  }

  /** Adds a piece of content; returns the text that can be classified by now. */
  add(piece: string): SplitText {
    if (this.#state === "answer") return { text: piece, thought: "" };
    this.#buffer += piece;
    for (let thought = "";;) {
      if (this.#state !== "thought") {
        const begun = this.#buffer.trimStart();
        const [open, close] = TAGS.find(([open]) => begun.startsWith(open)) ?? [];
        if (open !== undefined) {
          this.#state = "thought";
          this.#buffer = begun.slice(open.length);
          this.#close = close!;
        } else if (!this.#opened) {
          if (TAGS.some(([open]) => open.startsWith(begun))) return { text: "", thought };
          const { text } = this.end();
          this.#state = "answer";
          return { text, thought };
        }
      }
      const end = this.#buffer.indexOf(this.#close);
      if (end === -1) return { text: "", thought };
      thought += this.#buffer.slice(0, end).trim();
      this.#buffer = this.#buffer.slice(end + this.#close.length);
      this.#state = "gap";
      this.#opened = false;
    }
  }

  /** Returns the buffered text at the end of the reply: reasoning if the tag is open, else answer. */
  end(): SplitText {
    if (this.#state === "answer") return { text: "", thought: "" };
    if (this.#state === "thought") return { text: "", thought: this.#buffer };
    return { text: this.#state === "gap" ? this.#buffer.trimStart() : this.#buffer, thought: "" };
  }
}

/** Splits a text at a closing tag; a complete text lacks the opening tag if the prompt's template has opened the tag. */
export function splitAtClosingTag(content: string, thinkTags: boolean): SplitText {
  const end = thinkTags ? content.indexOf(CLOSE) : -1;
  if (end === -1) return { text: content, thought: "" };
  const text = content.slice(end + CLOSE.length).trimStart();
  return { text, thought: content.slice(0, end).trim() };
}
