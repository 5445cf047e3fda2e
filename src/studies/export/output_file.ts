// A file of an export: written piece by piece, with its hash, size and rows.
import { createHash } from "node:crypto";
import { join } from "@std/path";
import type { FileSystem } from "../../core/files.ts";
import { snakeCase } from "../../record/codec.ts";

/** A file of an export as its manifest names it. */
export interface ExportedFile {
  /** Its name in the export. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** Number of rows; absent of a file without rows. */
  readonly rows?: number;
  /** Of the bytes, in hex. */
  readonly sha256: string;
}

/** Characters of lines that are written at once. */
const PIECE = 1 << 18;

/** A file that grows, and is hashed as it grows. */
export class OutputFile {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #name: string;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #rows: number | undefined;
  #lines = "";

  /** A file of the given name, which is not there yet. */
  constructor(files: FileSystem, folder: string, name: string) {
    this.#files = files;
    this.#folder = folder;
    this.#name = name;
  }

  /** Adds text or bytes. */
  async add(added: string | Uint8Array): Promise<void> {
    const bytes = typeof added === "string" ? new TextEncoder().encode(added) : added;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#files.append(join(this.#folder, this.#name), bytes);
  }

  /** Adds a row as a line of JSON, its keys in snake_case. */
  async addLine(row: object): Promise<void> {
    this.count(1);
    this.#lines += `${JSON.stringify(snakeKeys(row))}\n`;
    if (this.#lines.length >= PIECE) await this.#flush();
  }

  /** Counts rows that were added in another form. */
  count(rows: number): void {
    this.#rows = (this.#rows ?? 0) + rows;
  }

  /** Writes what is left, and flushes the file to disk. */
  async close(): Promise<ExportedFile> {
    await this.#flush();
    await this.#files.truncate(join(this.#folder, this.#name), this.#bytes);
    return {
      path: this.#name,
      bytes: this.#bytes,
      ...this.#rows === undefined ? {} : { rows: this.#rows },
      sha256: this.#hash.digest("hex"),
    };
  }

  async #flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = "";
    await this.add(lines);
  }
}

/** A value with every key in it in snake_case. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [snakeCase(key), snakeKeys(each)]),
  );
}
