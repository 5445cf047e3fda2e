// Writes the files of an export in chunks, with hash, size and number of rows; loads the Parquet package on demand.
import { createHash } from "node:crypto";
import { join } from "@std/path";
import type { ImportPackage } from "../../agents/registry.ts";
import { ConfigurationError, errorMessage } from "../../core/error.ts";
import type { FileSystem } from "../../core/files.ts";
import { snakeCase } from "../../record/fact_row.ts";

/** A file of an export, as listed in its manifest. */
export interface ExportedFile {
  /** Path relative to the export. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Number of rows; absent for a file that is no table. */
  readonly rows?: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
}

/** Characters of lines that are buffered before a write. */
const CHUNK = 1 << 18;

/** A file written by appending, with a running hash. */
export class OutputFile {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #name: string;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  /** Prepares a new file; nothing is written yet. */
  constructor(files: FileSystem, folder: string, name: string) {
    this.#files = files;
    this.#folder = folder;
    this.#name = name;
  }

  /** Appends text or bytes. */
  async add(added: string | Uint8Array): Promise<void> {
    const bytes = typeof added === "string" ? new TextEncoder().encode(added) : added;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#files.append(join(this.#folder, this.#name), bytes);
  }

  /** Syncs the file to disk; a table has a number of `rows`. */
  async close(rows?: number): Promise<ExportedFile> {
    await this.#files.truncate(join(this.#folder, this.#name), this.#bytes);
    const sha256 = this.#hash.digest("hex");
    return { path: this.#name, bytes: this.#bytes, ...rows === undefined ? {} : { rows }, sha256 };
  }
}

/** A row of a table; keys are written in snake_case. */
export type Row = Readonly<Record<string, unknown>>;

/** Writer of a table. */
export interface TableWriter {
  add(row: Row): Promise<void>;
  close(): Promise<ExportedFile>;
}

/** Creates a writer of rows as lines of JSON; lines are buffered. */
export function jsonLines(file: OutputFile): TableWriter {
  let [rows, lines] = [0, ""];
  const flush = async () => {
    const written = lines;
    lines = "";
    await file.add(written);
  };
  return {
    async add(row) {
      rows++;
      lines += `${JSON.stringify(snakeKeys(row))}\n`;
      if (lines.length >= CHUNK) await flush();
    },
    async close() {
      await flush();
      return await file.close(rows);
    },
  };
}

export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [snakeCase(key), snakeKeys(each)]),
  );
}

/** Types of Parquet columns; column names and keys of JSON values are written in snake_case. */
export type ColumnType = "STRING" | "INT32" | "INT64" | "DOUBLE" | "TIMESTAMP" | "JSON";

/** The exports used of the package. */
interface ParquetPackage {
  readonly ByteWriter: new () => { index: number; getBytes(): Uint8Array };
  readonly schemaFromColumnData: (of: { readonly columnData: readonly object[] }) => object[];
  readonly ParquetWriter: new (options: object) => {
    write(of: { readonly columnData: readonly object[]; readonly rowGroupSize: number }): void;
    finish(): void;
  };
}

const SPECIFIER = "npm:hyparquet-writer@0.17.0";
/** Rows of a row group, which are in memory at once. */
const GROUP = 100;

/** Creates a Parquet writer with the given columns. Throws `config_invalid` if the package cannot be loaded. */
export async function parquetRows(
  file: OutputFile,
  columns: Readonly<Record<string, ColumnType>>,
  importPackage: ImportPackage,
): Promise<TableWriter> {
  const module = await importPackage(SPECIFIER).catch((cause) => {
    const [reason] = errorMessage(cause).split("\n");
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
  const columnsOf = (rows: readonly Row[]) =>
    Object.entries(columns).map(([name, type]) => ({
      name: snakeCase(name),
      type,
      data: rows.map(({ [name]: value }) => valueOf(value, type)),
    }));
  const typed = schemaFromColumnData({ columnData: columnsOf([]) });
  const writer = new ParquetWriter({ writer: bytes, schema: typed });
  let rows: Row[] = [];
  let count = 0;
  const flush = async () => {
    await file.add(bytes.getBytes().slice());
    bytes.index = 0;
  };
  const group = async () => {
    if (rows.length === 0) return;
    const columnData = columnsOf(rows).map(({ type: _, ...column }) => column);
    writer.write({ columnData, rowGroupSize: rows.length });
    count += rows.length;
    rows = [];
    await flush();
  };
  return {
    async add(row) {
      rows.push(row);
      if (rows.length === GROUP) await group();
    },
    async close() {
      await group();
      writer.finish();
      await flush();
      return await file.close(count);
    },
  };
}

function valueOf(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === "TIMESTAMP") return new Date(String(value));
  if (type === "JSON") return snakeKeys(value);
  return type === "INT64" ? BigInt(value as number) : value;
}
