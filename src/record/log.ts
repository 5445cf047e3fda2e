// Writes `log.jsonl`, one line an event, in the order of their numbers, and reads it piece by piece. Events, which need schemas, are
// read in log_events.ts.
import { jsonIn } from "../core/json_text.ts";
import type { ConveningEvent } from "../core/event.ts";
import { type FileSystem, MAX_FILE_BYTES } from "../core/files.ts";

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

/** An event as a line of `log.jsonl`; the texts of sources and papers stay in their files. */
export function logLine(event: ConveningEvent): string {
  if (event.type !== "convening-start") return `${JSON.stringify(event)}\n`;
  const { start } = event;
  const sources = start.sources.map(({ name }) => ({ name }));
  const papers = start.papers?.map(({ id, title }) => ({ id, title }));
  return `${JSON.stringify({ ...event, start: { ...start, sources, papers } })}\n`;
}

/** Bytes that are read at once. */
export const CHUNK: number = 1 << 20;
/** The byte at which a line ends. */
export const LINE_FEED = 10;

/** The number and the time of a line of a log. */
export interface LoggedLine {
  readonly n: number;
  readonly at?: string;
}

/** The whole lines of a log, in order. A line over {@linkcode MAX_FILE_BYTES} is cut off, and so is no event. */
export async function* wholeLines(files: FileSystem, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for (let offset = 0;;) {
    const { bytes } = await files.readFrom(path, offset, CHUNK);
    if (bytes.length === 0) return;
    offset += bytes.length;
    const [first = "", ...lines] = decoder.decode(bytes, { stream: true }).split("\n");
    length += first.length;
    if (length <= MAX_FILE_BYTES) parts.push(first);
    const rest = lines.pop();
    if (rest === undefined) continue;
    yield parts.join("");
    yield* lines;
    parts = [rest];
    length = rest.length;
  }
}

/** The last whole line of a log that is an event; undefined where there is none. Only the end of the log is read. */
export async function lastLogged(
  files: FileSystem,
  path: string,
): Promise<LoggedLine | undefined> {
  for (let most = CHUNK;; most *= 4) {
    const { text, isWhole } = await logEnd(files, path, most);
    const line = lastLine(text);
    if (line !== undefined || isWhole || most >= MAX_FILE_BYTES) return line;
  }
}

function lastLine(log: string): LoggedLine | undefined {
  let end = log.lastIndexOf("\n");
  while (end > 0) {
    const start = log.lastIndexOf("\n", end - 1) + 1;
    const { n, at } = (jsonIn(log.slice(start, end)) ?? {}) as { n?: unknown; at?: unknown };
    if (typeof n === "number") return { n, ...typeof at === "string" ? { at } : {} };
    end = start - 1;
  }
  return undefined;
}

/** The text of the last bytes of a log, a mebibyte unless said otherwise; empty where there is none. */
export async function logEnd(
  files: FileSystem,
  path: string,
  most: number = CHUNK,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const { size } = await files.readFrom(path, 0, 0);
  const from = Math.max(0, size - most);
  const { bytes } = await files.readFrom(path, from, most);
  return { text: new TextDecoder().decode(bytes), isWhole: from === 0 };
}

/** Cuts off the half line that a crash may have left at the end of a log. */
export async function cutHalfLine(files: FileSystem, path: string): Promise<void> {
  const { size } = await files.readFrom(path, 0, 0);
  let end = size;
  while (end > 0) {
    const from = Math.max(0, end - CHUNK);
    const { bytes } = await files.readFrom(path, from, end - from);
    const at = bytes.lastIndexOf(LINE_FEED);
    end = from + at + 1;
    if (at !== -1) break;
  }
  if (end < size) await files.truncate(path, end);
}
