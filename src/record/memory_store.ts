// Records in memory.
import type { ConveningStart, OpenRecord, RecordStore } from "../core/record.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { MemoryFileSystem } from "./memory_files.ts";

/** A record in memory: the same files as on disk, which end with the process. */
export class MemoryRecord implements RecordStore {
  readonly #options: RecordOptions;
  readonly #system = new MemoryFileSystem();
  #dir: string | undefined;

  /** An empty record. */
  constructor(options: RecordOptions = {}) {
    this.#options = options;
  }

  /** Every file of the convening: its path in the directory, such as `index.md`, to its text. */
  get files(): ReadonlyMap<string, string> {
    return this.#dir === undefined ? new Map() : this.#system.files(this.#dir);
  }

  /** Claims the record the first time, opens it again after. */
  async open(start: ConveningStart): Promise<OpenRecord> {
    const place = this.#dir === undefined ? { out: "/" } : { dir: this.#dir };
    const record = await openRecord(this.#system, place, {
      ...this.#options,
      start,
    });
    this.#dir = record.dir;
    return withoutDir(record);
  }
}

/** The record without the path of its directory, which is none of the machine's. */
function withoutDir(record: OpenRecord): OpenRecord {
  return {
    start: record.start,
    resumed: record.resumed,
    status: record.status,
    facts: record.facts,
    lastEvent: record.lastEvent,
    lastTime: record.lastTime,
    apply: (event) => record.apply(event),
    close: () => record.close(),
  };
}

/** A record that is kept in memory and written nowhere. */
export function memoryRecord(options: RecordOptions = {}): MemoryRecord {
  return new MemoryRecord(options);
}
