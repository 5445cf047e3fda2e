// Record store in memory, and its file system.
import { dirname, join, SEPARATOR } from "@std/path";
import {
  type FileEntry,
  FileError,
  type FileInfo,
  type FileLock,
  type FilePart,
  type FileSystem,
  type LockAttempt,
  type LockOptions,
} from "../core/files.ts";
import type { ConveningStart } from "../core/event.ts";
import type { OpenRecord, RecordStore } from "../core/record.ts";
import { refuseUnknownOptions } from "../core/check_fields.ts";
import { openRecord, RECORD_OPTIONS, type RecordOptions } from "./directory_record.ts";

/** A record in memory: the same files as on disk, which end with the process. */
export class MemoryRecord implements RecordStore {
  readonly #options: RecordOptions;
  readonly #system = new MemoryFileSystem();
  #dir: string | undefined;

  /** Creates an empty record. */
  constructor(options: RecordOptions = {}) {
    this.#options = options;
  }

  /** Text of each file of the convening, by path in the directory, such as `index.md`. */
  get files(): ReadonlyMap<string, string> {
    return this.#dir === undefined ? new Map() : this.#system.files(this.#dir);
  }

  /** Claims a new record on the first call, and opens the same record on later calls. */
  async open(start: ConveningStart): Promise<OpenRecord> {
    const place = this.#dir === undefined ? { out: "/" } : { dir: this.#dir };
    const record = await openRecord(this.#system, place, { ...this.#options, start });
    this.#dir = record.dir;
    // `dir`, `inbox`, `answers` and `vectors` are left out, because no other process can reach the directory.
    const { start: kept, resumed, status, facts, lastEvent, lastTime } = record;
    return {
      start: kept,
      resumed,
      status,
      facts,
      lastEvent,
      lastTime,
      apply: (event) => record.apply(event),
      close: () => record.close(),
    };
  }
}

/** Returns a record that is kept in memory only. */
export function memoryRecord(options: RecordOptions = {}): MemoryRecord {
  refuseUnknownOptions<RecordOptions>("memoryRecord", options, RECORD_OPTIONS);
  return new MemoryRecord(options);
}

/** A file; a rename moves the node with its lock. */
interface FileNode {
  text: string;
  modified: number;
  /** Resolves when the lock is released; undefined for a free lock. */
  locked?: Promise<void> | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class MemoryFileSystem implements FileSystem {
  /** Files by path; undefined for a folder. */
  readonly #nodes = new Map<string, FileNode | undefined>([[SEPARATOR, undefined]]);
  #ticks = 0;

  /** Returns the text of every file below a folder, by relative path, with `/`. */
  files(root: string = SEPARATOR): Map<string, string> {
    return new Map(
      this.#below(root).flatMap(([path, node]) =>
        node ? [[path.replaceAll(SEPARATOR, "/"), node.text]] : []
      ),
    );
  }

  #below(folder: string): [path: string, node: FileNode | undefined][] {
    const lead = folder === SEPARATOR ? folder : folder + SEPARATOR;
    return this.#nodes.entries().filter(([path]) => path.startsWith(lead) && path !== lead)
      .map(([path, node]): [string, typeof node] => [path.slice(lead.length), node]).toArray();
  }

  makeFolder(path: string): Promise<void> {
    return inMicrotask(() => {
      const names = path.split(SEPARATOR);
      for (const at of names.keys()) {
        const folder = names.slice(0, at + 1).join(SEPARATOR) || SEPARATOR;
        if (this.#nodes.get(folder) !== undefined) throw new FileError("not_a_folder", path);
        this.#nodes.set(folder, undefined);
      }
    });
  }

  write(path: string, text: string): Promise<void> {
    return this.#edit(path, () => text.toWellFormed());
  }

  append(path: string, added: string | Uint8Array): Promise<void> {
    const text = typeof added === "string" ? added.toWellFormed() : decoder.decode(added);
    return this.#edit(path, (before) => before + text);
  }

  truncate(path: string, size: number): Promise<void> {
    return this.#edit(
      path,
      (before) => decoder.decode(encoder.encode(before).subarray(0, size)),
    );
  }

  #edit(path: string, edit: (before: string) => string): Promise<void> {
    return inMicrotask(() => {
      const file = this.#file(path);
      file.text = edit(file.text);
      file.modified = ++this.#ticks;
    });
  }

  rename(from: string, to: string): Promise<void> {
    return inMicrotask(() => {
      this.#checkFolder(dirname(to));
      if (!this.#nodes.has(from)) throw new FileError("not_found", from);
      const node = this.#nodes.get(from);
      const isTaken = this.#nodes.has(to) && this.#nodes.get(to) === undefined &&
        (node !== undefined || this.#below(to).length > 0);
      if (isTaken) throw new FileError("exists", to);
      if (node === undefined) this.#checkFolder(to, true);
      for (const [path, each] of node === undefined ? this.#below(from) : []) {
        this.#nodes.delete(join(from, path));
        this.#nodes.set(join(to, path), each);
      }
      this.#nodes.delete(from);
      this.#nodes.set(to, node);
    });
  }

  flushFolder(path: string): Promise<void> {
    return inMicrotask(() => this.#checkFolder(path));
  }

  remove(path: string): Promise<void> {
    return inMicrotask(() => {
      for (const [each] of this.#below(path)) this.#nodes.delete(join(path, each));
      this.#nodes.delete(path);
    });
  }

  read(path: string): Promise<string> {
    return inMicrotask(() => {
      const node = this.#nodes.get(path);
      if (node !== undefined) return node.text;
      throw new FileError(this.#nodes.has(path) ? "other" : "not_found", path);
    });
  }

  async readFrom(path: string, offset: number, most: number): Promise<FilePart> {
    const bytes = encoder.encode(this.#nodes.has(path) ? await this.read(path) : "");
    return { bytes: bytes.slice(offset, offset + most), size: bytes.length };
  }

  list(path: string): Promise<readonly FileEntry[]> {
    return inMicrotask(() => {
      if (this.#nodes.get(path) !== undefined) throw new FileError("not_a_folder", path);
      return this.#below(path).filter(([name]) => !name.includes(SEPARATOR))
        .map(([name, node]) => ({ name, isFolder: node === undefined }))
        .sort((a, b) => a.name < b.name ? -1 : 1);
    });
  }

  stat(path: string): Promise<FileInfo | undefined> {
    return inMicrotask(() => {
      const { text = "", modified = 0 } = this.#nodes.get(path) ?? {};
      const isFolder = this.#nodes.get(path) === undefined;
      const info = { isFolder, size: encoder.encode(text).length, modified };
      return this.#nodes.has(path) ? info : undefined;
    });
  }

  async lock(path: string, { wait = false }: LockOptions = {}): Promise<LockAttempt> {
    await Promise.resolve();
    const file = this.#file(path);
    while (file.locked !== undefined) {
      if (!wait) return { holder: file.text };
      await file.locked;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    file.locked = promise;
    const lock: FileLock = {
      describe: (text) => inMicrotask(() => void (file.text = text)),
      release: () =>
        inMicrotask(() => {
          file.locked = undefined;
          resolve();
        }),
    };
    return { lock };
  }

  isLocked(path: string): Promise<boolean> {
    return inMicrotask(() => this.#nodes.get(path)?.locked !== undefined);
  }

  /** Throws if a path is not a folder; with `orMissing`, a missing path is accepted. */
  #checkFolder(path: string, orMissing = false): void {
    if (this.#nodes.get(path) !== undefined) throw new FileError("not_a_folder", path);
    if (!orMissing && !this.#nodes.has(path)) throw new FileError("not_found", path);
  }

  /** Returns the file at a path, and creates a missing file. */
  #file(path: string): FileNode {
    this.#checkFolder(dirname(path));
    if (this.#nodes.has(path) && this.#nodes.get(path) === undefined) {
      throw new FileError("exists", path);
    }
    return this.#nodes.getOrInsertComputed(path, () => ({ text: "", modified: ++this.#ticks }))!;
  }
}

/** Runs a synchronous operation in a microtask; an error rejects the promise. */
function inMicrotask<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(work);
}
