// Fills the tables of an export from the records of completed convenings, one record at a time, and writes their files.
import { createHash } from "node:crypto";
import { join } from "@std/path";
import type { ImportPackage } from "../../agents/registry.ts";
import { ConfigurationError, ConveningError, errorMessage } from "../../core/error.ts";
import type { FileSystem } from "../../core/files.ts";
import { snakeCase } from "../../record/fact_row.ts";
import { memo } from "../../core/values.ts";
import type { RecordedPrompt } from "../../engine/plan.ts";
import { ifReadable } from "../../record/problems.ts";
import { readMetadata, readRecord } from "../../record/read.ts";
import type { RecordContents } from "../../record/record_model.ts";
import { cellDir, checkCell } from "../folder.ts";
import { resultOf } from "../results.ts";
import type { AllowedContent, Cell, ExportFormat, LeftOut, StudyConfig } from "../study.ts";
import type { StudyReport } from "../report.ts";
import {
  chatRows,
  type ColumnType,
  DEBATE_COLUMNS,
  debateRow,
  type Exported,
  judgementRows,
  preferenceRows,
  type Row,
} from "./rows.ts";

/** Inputs of an export besides its options. */
export interface ExportParts {
  readonly files: FileSystem;
  readonly study: StudyConfig;
  /** Plan of the study. */
  readonly cells: readonly Cell[];
  /** Rebuilds the prompts of the first attempts of a record's turns. */
  readonly promptsOf: (contents: RecordContents) => Promise<readonly RecordedPrompt[]>;
  readonly importPackage: ImportPackage;
}

/** Result of filling the tables of an export. */
export interface Filled {
  /** Number of convenings by status; `planned` have no record, `damaged` have an unreadable one. */
  readonly convenings: Readonly<Record<string, number>>;
  /** Omitted contents. */
  readonly leftOut: readonly LeftOut[];
  /** Names of the models that spoke or judged, sorted. */
  readonly models: readonly string[];
  /** Files, without the manifest. */
  readonly files: readonly ExportedFile[];
}

/** An export of a study. */
export interface StudyExport extends Filled, Pick<StudyReport, "study" | "planned" | "warnings"> {
  /** Absolute path of the export's folder. */
  readonly dir: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** True if every convening of the plan is in the export. */
  readonly complete: boolean;
  /** SPDX identifier of the licence. @default no licence */
  readonly license?: string;
}

/** A table: file name, description for the dataset card, and rows of a convening. */
interface Table {
  readonly file: string;
  readonly holds: string;
  readonly rows: (of: Exported) => readonly Row[] | Promise<readonly Row[]>;
}

export const TABLES: Readonly<Record<ExportFormat, Table>> = {
  jsonl: {
    file: "debates.jsonl",
    holds: "one row for each convening: plan, contestants, result, usage, and every turn in order",
    rows: (of) => [debateRow(of)],
  },
  parquet: {
    file: "debates.parquet",
    holds: "the same rows in Parquet; lists are JSON as text",
    rows: (of) => [debateRow(of)],
  },
  judgements: {
    file: "judgements.jsonl",
    holds:
      "one row for each verdict and score of a judge, with the order of the sides that the judge was shown; a judge that the convening's row does not list judged later, without effect on its result",
    rows: judgementRows,
  },
  preferences: {
    file: "preferences.jsonl",
    holds:
      "one row for each rejected draft, with the accepted turn; both answer the prompt of the turn, but before the accepted reply the model was also told what was wrong with the draft",
    rows: preferenceRows,
  },
  sft: {
    file: "sft.jsonl",
    holds: "one row for each accepted turn, with the prompt of its first attempt, built again",
    rows: chatRows,
  },
};

/** Writes the tables of the study in `dir` into a folder. */
export async function fillTables(
  dir: string,
  folder: string,
  parts: ExportParts,
  { formats, allow, winnersOnly }: {
    readonly formats: readonly ExportFormat[];
    readonly allow: readonly AllowedContent[];
    readonly winnersOnly: boolean;
  },
): Promise<Filled> {
  const { files, study, cells } = parts;
  const left = new Map<string, LeftOut>();
  const convenings: Record<string, number> = {};
  const models = new Set<string>();
  const promptsOf = async (contents: RecordContents) => {
    // Prompts of a workflow that can no longer be composed are missing; its rows are omitted with that reason.
    const prompts = await parts.promptsOf(contents).catch((error) => {
      if (error instanceof ConveningError) return [];
      throw error;
    });
    return new Map(prompts.map((prompt) => [prompt.key, prompt]));
  };
  const tables = await Array.fromAsync(new Set(formats), async (format) => {
    const file = outputFile(files, folder, TABLES[format].file);
    const writer = format === "parquet"
      ? await parquetRows(file, parts.importPackage)
      : jsonLines(file);
    return { ...TABLES[format], writer };
  });
  for (const cell of cells) {
    const { status, contents } = await readIfCompleted(files, { dir, cell });
    convenings[status] = (convenings[status] ?? 0) + 1;
    if (contents === undefined) continue;
    for (const fact of contents.facts) if ("model" in fact && fact.model) models.add(fact.model);
    const result = resultOf(contents, cell);
    const prompts = memo(() => promptsOf(contents));
    const of = { study, cell, contents, result, prompts, allow: new Set(allow), winnersOnly };
    for (const { file, rows, writer } of tables) {
      const leaveOut = (why: string) => {
        const { count = 0 } = left.get(`${file} ${why}`) ?? {};
        left.set(`${file} ${why}`, { file, why, count: count + 1 });
      };
      for (const row of await rows({ ...of, leaveOut })) await writer.add(row);
    }
  }
  const written = await Array.fromAsync(tables, ({ writer }) => writer.close());
  return { convenings, leftOut: [...left.values()], models: [...models].sort(), files: written };
}

async function readIfCompleted(
  files: FileSystem,
  at: { readonly dir: string; readonly cell: Cell },
): Promise<{ readonly status: string; readonly contents?: RecordContents }> {
  return await ifReadable(async () => {
    const dir = cellDir(at, at.cell);
    if (await files.stat(join(dir, "metadata.md")) === undefined) return { status: "planned" };
    const { start, progress: { status } } = await readMetadata(files, dir);
    checkCell(start, at.cell);
    return status === "completed" ? { status, contents: await readRecord(files, dir) } : { status };
  }, () => ({ status: "damaged" }));
}

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

interface OutputFile {
  /** Appends text or bytes. */
  add(added: string | Uint8Array): Promise<void>;
  /** Syncs the file to disk; a table has a number of `rows`. */
  close(rows?: number): Promise<ExportedFile>;
}

/** Prepares a file written by appending, with a running hash; nothing is written yet. */
export function outputFile(files: FileSystem, folder: string, path: string): OutputFile {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    async add(added) {
      const encoded = typeof added === "string" ? new TextEncoder().encode(added) : added;
      hash.update(encoded);
      bytes += encoded.length;
      await files.append(join(folder, path), encoded);
    },
    async close(rows) {
      await files.truncate(join(folder, path), bytes);
      return { path, bytes, ...rows === undefined ? {} : { rows }, sha256: hash.digest("hex") };
    },
  };
}

interface TableWriter {
  add(row: Row): Promise<void>;
  close(): Promise<ExportedFile>;
}

/** Creates a writer of rows as lines of JSON; lines are buffered. */
function jsonLines(file: OutputFile): TableWriter {
  let rows = 0;
  let lines = "";
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

/** Creates a Parquet writer of convenings. Throws `config_invalid` if the package cannot be loaded. */
async function parquetRows(
  file: OutputFile,
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
    Object.entries(DEBATE_COLUMNS).map(([name, type]) => ({
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
