// Record store in memory, and its file system.
import { basename, dirname, join } from "@std/path";
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
import { openRecord, type RecordOptions } from "./directory_record.ts";

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

type Folder = Map<string, FileNode | Folder>;

function isFolder(node: FileNode | Folder | undefined): node is Folder {
  return node instanceof Map;
}

/** A file system in memory. */
export class MemoryFileSystem implements FileSystem {
  readonly #root: Folder = new Map();
  #ticks = 0;

  /** Returns the text of every file below a folder, by relative path. */
  files(root = "/"): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (folder: Folder, lead: string) => {
      for (const [name, node] of folder) {
        if (isFolder(node)) visit(node, `${lead}${name}/`);
        else found.set(lead + name, node.text);
      }
    };
    const folder = this.#find(root);
    if (isFolder(folder)) visit(folder, "");
    return found;
  }

  makeFolder(path: string): Promise<void> {
    return inMicrotask(() => {
      let at = this.#root;
      for (const part of parts(path)) {
        const next = at.getOrInsertComputed(part, () => new Map());
        if (!isFolder(next)) throw new FileError("not_a_folder", path);
        at = next;
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
      const target = this.#folder(dirname(to));
      const node = this.#find(from);
      if (node === undefined) throw new FileError("not_found", from);
      const existing = target.get(basename(to));
      if (isFolder(node) && existing !== undefined) {
        if (!isFolder(existing)) throw new FileError("not_a_folder", to);
        if (existing.size > 0) throw new FileError("exists", to);
      } else if (isFolder(existing)) throw new FileError("exists", to);
      this.#folder(dirname(from)).delete(basename(from));
      target.set(basename(to), node);
    });
  }

  flushFolder(path: string): Promise<void> {
    return inMicrotask(() => void this.#folder(path));
  }

  remove(path: string): Promise<void> {
    return inMicrotask(() => {
      const folder = this.#find(dirname(path));
      if (isFolder(folder)) folder.delete(basename(path));
    });
  }

  read(path: string): Promise<string> {
    return inMicrotask(() => {
      const node = this.#find(path);
      if (node === undefined) throw new FileError("not_found", path);
      if (isFolder(node)) throw new FileError("other", path);
      return node.text;
    });
  }

  async readFrom(path: string, offset: number, most: number): Promise<FilePart> {
    const bytes = this.#find(path) === undefined
      ? new Uint8Array()
      : encoder.encode(await this.read(path));
    return { bytes: bytes.slice(offset, offset + most), size: bytes.length };
  }

  list(path: string): Promise<readonly FileEntry[]> {
    return inMicrotask(() => {
      const folder = this.#find(path);
      if (folder === undefined) return [];
      if (!isFolder(folder)) throw new FileError("not_a_folder", path);
      return [...folder].map(([name, node]) => ({ name, isFolder: isFolder(node) }))
        .sort((a, b) => a.name < b.name ? -1 : 1);
    });
  }

  stat(path: string): Promise<FileInfo | undefined> {
    return inMicrotask(() => {
      const node = this.#find(path);
      if (node === undefined) return undefined;
      return isFolder(node)
        ? { isFolder: true, size: 0, modified: 0 }
        : { isFolder: false, size: encoder.encode(node.text).length, modified: node.modified };
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
    return inMicrotask(() => {
      const node = this.#find(path);
      return node !== undefined && !isFolder(node) && node.locked !== undefined;
    });
  }

  #find(path: string): FileNode | Folder | undefined {
    let at: FileNode | Folder | undefined = this.#root;
    for (const part of parts(path)) {
      if (!isFolder(at)) return undefined;
      at = at.get(part);
    }
    return at;
  }

  #folder(path: string): Folder {
    const node = this.#find(path);
    if (isFolder(node)) return node;
    throw new FileError(node === undefined ? "not_found" : "not_a_folder", path);
  }

  /** Returns the file at a path, and creates a missing file. */
  #file(path: string): FileNode {
    const folder = this.#folder(dirname(path));
    const node = folder.get(basename(path));
    if (isFolder(node)) throw new FileError("exists", path);
    if (node !== undefined) return node;
    const made: FileNode = { text: "", modified: ++this.#ticks };
    folder.set(basename(path), made);
    return made;
  }
}

function parts(path: string): string[] {
  const whole: string = join("/", path);
  return whole.split("/").filter((part) => part !== "");
}

/** Runs a synchronous operation in a microtask; an error rejects the promise. */
function inMicrotask<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(work);
}
