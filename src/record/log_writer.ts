// Writes `log.jsonl`: one line an event, in the order of their numbers.
import type { ConveningEvent } from "../core/event.ts";
import type { FileSystem } from "../core/files.ts";

/** A place in the log that an event was given when it came. */
interface LogSlot {
  /** The event's line; undefined until it is known. */
  line: string | undefined;
  /** No line will come. */
  dropped: boolean;
}

/** Appends lines in the order in which their slots were taken, however long each event takes. */
export class LogWriter {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #slots: LogSlot[] = [];
  #unwritten = "";
  #isWanted = false;
  #writing: Promise<void> | undefined;

  /** The log at `path`. */
  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Takes the next place. */
  take(): LogSlot {
    const slot: LogSlot = { line: undefined, dropped: false };
    this.#slots.push(slot);
    return slot;
  }

  /** Writes the lines that are ready, all that came while the disk was busy at once; settles when they are written. */
  async flush(): Promise<void> {
    this.#isWanted = true;
    while (this.#isWanted || this.#writing !== undefined) {
      this.#writing ??= this.#write().finally(() => this.#writing = undefined);
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      this.#unwritten += this.#take();
      const text = this.#unwritten;
      if (text !== "") await this.#files.append(this.#path, text);
      this.#unwritten = "";
    }
  }

  #take(): string {
    let text = "";
    let taken = 0;
    for (const slot of this.#slots) {
      if (slot.line === undefined && !slot.dropped) break;
      text += slot.line ?? "";
      taken++;
    }
    this.#slots.splice(0, taken);
    return text;
  }
}

/** One event as a line of `log.jsonl`; the texts of sources and papers stay in their files. */
export function logLine(event: ConveningEvent): string {
  if (event.type !== "convening-start") return `${JSON.stringify(event)}\n`;
  const { start } = event;
  const sources = start.sources.map(({ name }) => ({ name }));
  const papers = start.papers?.map(({ id, title }) => ({ id, title }));
  return `${JSON.stringify({ ...event, start: { ...start, sources, papers } })}\n`;
}
