// Tables in Parquet, a group of rows at a time, by a package that is loaded when it is needed.
import { ConfigurationError } from "../../core/error.ts";
import { snakeCase } from "../../record/codec.ts";
import { type OutputFile, snakeKeys } from "./output_file.ts";

/** Imports a package by its specifier. */
export type ImportPackage = (specifier: string) => Promise<unknown>;

/** Types of columns; names of columns and keys of JSON are written in snake_case. */
export type ColumnType = "STRING" | "INT32" | "INT64" | "DOUBLE" | "TIMESTAMP" | "JSON";

/** The package, as far as it is used. */
interface ParquetPackage {
  readonly ByteWriter: new () => {
    index: number;
    getBytes(): Uint8Array;
  };
  readonly schemaFromColumnData: (
    of: { readonly columnData: readonly object[] },
  ) => readonly object[];
  readonly ParquetWriter: new (options: object) => {
    write(of: { readonly columnData: readonly object[]; readonly rowGroupSize: number }): void;
    finish(): void;
  };
}

const SPECIFIER = "npm:hyparquet-writer@0.17.0";
/** Rows of a group: those that are in memory at once. */
const GROUP = 100;

/** A writer of rows into a file. */
export interface ParquetRows {
  /** Adds a row. */
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
    throw new ConfigurationError(
      `Cannot export parquet: the package ${SPECIFIER} could not be loaded, ${reason}`,
      {
        field: "formats",
        cause,
        hint: "Export once with a connection to the npm registry, or leave parquet out.",
      },
    );
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

/** A value of a row as its column has it. */
function valueOf(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === "TIMESTAMP") return new Date(String(value));
  if (type === "JSON") return snakeKeys(value);
  return type === "INT64" ? BigInt(value as number) : value;
}
