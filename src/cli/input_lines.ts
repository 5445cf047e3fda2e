// Lines of standard input, as a person types them.
import type { Io } from "./io.ts";

/** The words of a person: one line, or lines up to one with a single `.`, or up to the end of input. */
interface Written {
  readonly text: string;
  /** True where the end of input ended it. */
  readonly atEnd: boolean;
}

/** Standard input by lines. What was typed and not yet asked for stays for the next who asks. */
export class InputLines {
  readonly #read: Io["read"];
  #rest = "";
  /** A read that continues although nobody waits for it any more: a terminal cannot be asked twice. */
  #reading: Promise<string | undefined> | undefined;

  /** Lines of what `read` gives. */
  constructor(read: Io["read"]) {
    this.#read = read;
  }

  /** The next text, ended by a line with a single `.`; undefined when `signal` aborts first. */
  async next(signal: AbortSignal): Promise<Written | undefined> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.nextLine(signal);
      if (line === undefined) return undefined;
      if (line.text === "." && !line.atEnd) return { text: lines.join("\n"), atEnd: false };
      lines.push(line.text);
      if (line.atEnd) return { text: lines.join("\n"), atEnd: true };
    }
  }

  /** The next line; undefined when `signal` aborts first. */
  async nextLine(signal: AbortSignal): Promise<Written | undefined> {
    for (;;) {
      const line = this.#takeLine();
      if (line !== undefined) return { text: line, atEnd: false };
      const piece = await this.#next(signal);
      if (piece === "aborted") return undefined;
      if (piece === undefined) {
        const text = this.#rest;
        this.#rest = "";
        return { text, atEnd: true };
      }
      this.#rest += piece.text;
    }
  }

  #takeLine(): string | undefined {
    const at = this.#rest.indexOf("\n");
    if (at === -1) return undefined;
    const line = this.#rest.slice(0, at).replace(/\r$/, "");
    this.#rest = this.#rest.slice(at + 1);
    return line;
  }

  async #next(signal: AbortSignal): Promise<{ text: string } | "aborted" | undefined> {
    if (signal.aborted) return "aborted";
    const { promise, resolve } = Promise.withResolvers<"aborted">();
    const stop = () => resolve("aborted");
    signal.addEventListener("abort", stop, { once: true });
    this.#reading ??= this.#read();
    try {
      const piece = await Promise.race([this.#reading.then((text) => ({ text })), promise]);
      if (piece === "aborted") return piece;
      this.#reading = undefined;
      return piece.text === undefined ? undefined : { text: piece.text };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** All of standard input, to its end. */
export async function readAll(read: Io["read"]): Promise<string> {
  let text = "";
  for (let piece = await read(); piece !== undefined; piece = await read()) text += piece;
  return text;
}
