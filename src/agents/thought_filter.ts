// Separates a model's reasoning from the answer where a server sends both as one text.
import type { Profile } from "../core/profile.ts";

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
/** Matches the tag, except at the end of inline code, which is about the tag. */
const CLOSING = /<\/think>(?!`(?!`))/;

/** A text, split into the answer and the reasoning before it. */
export interface SplitText {
  readonly text: string;
  readonly thought: string;
}

/**
 * Separates leading reasoning between tags from the answer. Holds back text that may be the beginning of a tag; if the prompt's
 * template may have opened the tag, holds back all text until the closing tag or the end of the reply.
 */
export class ThoughtFilter {
  /** Position in the content; `gap` is between reasoning and answer, and `opened` in text that only a closing tag makes reasoning. */
  #state: "start" | "opened" | "thought" | "gap" | "answer";
  #opened: boolean;
  /** Text before the buffer, kept apart so that no piece searches all of it again. */
  #held = "";
  #buffer = "";
  #close = CLOSE;

  constructor({ thinkTags, opened }: { readonly thinkTags: boolean; readonly opened: boolean }) {
    this.#state = thinkTags ? "start" : "answer";
    this.#opened = opened;
  }

  /** Holds back no more than a tag, because the reasoning came in a field of its own; some servers repeat it between tags. */
  skip(): void {
    this.#opened = false;
    if (this.#state === "opened") this.#state = "answer";
  }

  /** Adds a piece of content; returns the text that can be classified by now. */
  add(piece: string): SplitText {
    this.#buffer += piece;
    for (let thought = "";;) {
      if (this.#state === "answer") return { text: this.#rest(), thought };
      if (this.#state === "start" || this.#state === "gap") {
        const begun = this.#buffer.trimStart();
        if (this.#state === "start") this.#hold(this.#buffer.length - begun.length);
        this.#buffer = begun;
        const [open, close] = TAGS.find(([open]) => begun.startsWith(open)) ?? [];
        if (open !== undefined) {
          this.#state = "thought";
          this.#held = "";
          this.#buffer = begun.slice(open.length);
          this.#close = close!;
        } else if (TAGS.some(([open]) => open.startsWith(begun))) return { text: "", thought };
        else if (this.#opened) this.#state = "opened";
        else {
          this.#state = "answer";
          continue;
        }
      }
      const end = this.#buffer.indexOf(this.#close);
      if (end === -1) {
        this.#hold(Math.max(0, this.#buffer.length + 1 - this.#close.length));
        return { text: "", thought };
      }
      thought += (this.#held + this.#buffer.slice(0, end)).trim();
      this.#held = "";
      this.#buffer = this.#buffer.slice(end + this.#close.length);
      this.#state = "gap";
      this.#opened = false;
    }
  }

  #hold(length: number): void {
    this.#held += this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
  }

  #rest(): string {
    const rest = this.#held + this.#buffer;
    this.#held = this.#buffer = "";
    return rest;
  }

  /** Returns the text held back at the end of the reply: reasoning if the tag is open, else answer. */
  end(): SplitText {
    const rest = this.#rest();
    return this.#state === "thought" ? { text: "", thought: rest } : { text: rest, thought: "" };
  }
}

/** Returns the tags of a model, and whether the prompt's template may have opened one; texts of Anthropic's and Gemini's protocols hold no reasoning. */
export function thoughtTags(
  { api, reasoning, thinkTags }: Profile,
  { effort }: { readonly effort: string | undefined },
): ConstructorParameters<typeof ThoughtFilter>[0] {
  const opened = reasoning.text === "think" && effort !== "off";
  return { thinkTags: thinkTags && /^(?:chat|responses)$/.test(api), opened };
}

/** Splits a text at a closing tag; a complete text lacks the opening tag if the prompt's template has opened the tag. */
export function splitAtClosingTag(content: string, thinkTags: boolean): SplitText {
  const end = thinkTags ? content.search(CLOSING) : -1;
  if (end === -1) return { text: content, thought: "" };
  const text = content.slice(end + CLOSE.length).trimStart();
  return { text, thought: content.slice(0, end).trim() };
}
