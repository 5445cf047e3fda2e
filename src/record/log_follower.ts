import type { ConveningEvent } from "../core/event.ts";
import { type FileSystem, MAX_FILE_BYTES } from "../core/files.ts";
import { isEvent } from "./logged_event.ts";

/** The most bytes read at once, unless a line is longer. */
const CHUNK = 1 << 20;
const LINE_FEED = 10;

/**
 * Follows a `log.jsonl` that another process appends to: each call gives the events of the whole lines that came since.
 * A half line is waited for, a line that is no event or over 64 MiB is passed over, and of a log that was written anew only messages
 * that were not given yet are.
 */
export class LogFollower {
  readonly #path: string;
  readonly #files: Pick<FileSystem, "readFrom">;
  readonly #decoder = new TextDecoder();
  readonly #given = new Set<number>();
  /** The bytes of whole lines that were read. */
  #offset = 0;
  /** Up to here a log that was written anew holds what the old one held. */
  #known = 0;

  /** A follower of the log at `path`, from its start. */
  constructor(files: Pick<FileSystem, "readFrom">, path: string) {
    this.#path = path;
    this.#files = files;
  }

  /** The next events; none where nothing came. Not all there are where they are many: call it until it gives none. */
  async next(): Promise<ConveningEvent[]> {
    for (let most = CHUNK;; most *= 2) {
      const { bytes, size } = await this.#files.readFrom(this.#path, this.#offset, most);
      if (size < this.#offset) {
        this.#offset = 0;
        this.#known = size;
        continue;
      }
      const isEndless = most >= MAX_FILE_BYTES && bytes.length === most;
      const end = bytes.lastIndexOf(LINE_FEED) + 1 || (isEndless ? most : 0);
      if (end === 0 && bytes.length === most) continue;
      const lines = this.#decoder.decode(bytes.subarray(0, end));
      const isAnew = this.#offset < this.#known;
      this.#offset += end;
      const events = lines.split("\n").flatMap((line) => eventIn(line) ?? []);
      const fresh = events.filter((event) => !isAnew || this.#isUnseen(event));
      for (const event of fresh) if (event.type === "message") this.#given.add(event.message.seq);
      // Lines that were passed over are no end: there may be more behind them.
      if (fresh.length > 0 || end === 0) return fresh;
    }
  }

  #isUnseen(event: ConveningEvent): boolean {
    return event.type === "message" && !this.#given.has(event.message.seq);
  }
}

function eventIn(line: string): ConveningEvent | undefined {
  if (line.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isEvent(value) ? value : undefined;
}
