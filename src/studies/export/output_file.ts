// Files of an export: written piece by piece with hash, size and rows; Parquet by a package that is loaded when it is needed.
import { createHash } from "node:crypto";
import { join } from "@std/path";
import { ConfigurationError } from "../../core/error.ts";
import type { FileSystem } from "../../core/files.ts";
import { snakeCase } from "../../record/fact_row.ts";

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

export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [snakeCase(key), snakeKeys(each)]),
  );
}

export type ImportPackage = (specifier: string) => Promise<unknown>;

/** Types of columns; names of columns and keys of JSON are written in snake_case. */
export type ColumnType = "STRING" | "INT32" | "INT64" | "DOUBLE" | "TIMESTAMP" | "JSON";

/** The package, as far as it is used. */
interface ParquetPackage {
  readonly ByteWriter: new () => { index: number; getBytes(): Uint8Array };
  readonly schemaFromColumnData: (of: { readonly columnData: readonly object[] }) => object[];
  readonly ParquetWriter: new (options: object) => {
    write(of: { readonly columnData: readonly object[]; readonly rowGroupSize: number }): void;
    finish(): void;
  };
}

const SPECIFIER = "npm:hyparquet-writer@0.17.0";
/** Rows of a group: those that are in memory at once. */
const GROUP = 100;

/** A writer of rows into a file. */
interface ParquetRows {
  add(row: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes what is left; the file can be closed then. */
  end(): Promise<void>;
}

/** Begins a table of the given columns. Fails with `config_invalid` where the package cannot be loaded. */
export async function parquetRows(
  file: OutputFile,
  columns: Readonly<Record<string, ColumnType>>,
  importPackage: ImportPackage,
): Promise<ParquetRows> {
  const module = await importPackage(SPECIFIER).catch((cause) => {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n");
    const message =
      `Cannot export parquet: the package ${SPECIFIER} could not be loaded, ${reason}`;
    throw new ConfigurationError(message, {
      field: "formats",
      cause,
      hint: "Export once with a connection to the npm registry, or leave parquet out.",
    });
  });
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = module as ParquetPackage;
  const bytes = new ByteWriter();
  const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    Object.entries(columns).map(([name, type]) => ({
      name: snakeCase(name),
      type,
      data: rows.map(({ [name]: value }) => valueOf(value, type)),
    }));
  const typed = schemaFromColumnData({ columnData: columnsOf([]) });
  const writer = new ParquetWriter({ writer: bytes, schema: typed });
  let rows: Readonly<Record<string, unknown>>[] = [];
  const flush = async () => {
    await file.add(bytes.getBytes().slice());
    bytes.index = 0;
  };
  const group = async () => {
    if (rows.length === 0) return;
    const columnData = columnsOf(rows).map(({ type: _, ...column }) => column);
    writer.write({ columnData, rowGroupSize: rows.length });
    file.count(rows.length);
    rows = [];
    await flush();
  };
  return {
    async add(row) {
      rows.push(row);
      if (rows.length === GROUP) await group();
    },
    async end() {
      await group();
      writer.finish();
      await flush();
    },
  };
}

function valueOf(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === "TIMESTAMP") return new Date(String(value));
  if (type === "JSON") return snakeKeys(value);
  return type === "INT64" ? BigInt(value as number) : value;
}
