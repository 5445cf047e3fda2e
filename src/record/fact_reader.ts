// Reads front matter, and by schemas that follow from their keys facts, `metadata.md` and papers.
import { parse } from "@std/yaml";
import { z } from "zod";
import { defined } from "../core/values.ts";
import type { EndReason, Fact, Outcome } from "../core/fact.ts";
import type { Usage } from "../core/message.ts";
import type { Paper } from "../core/paper.ts";
import type { ConveningStart, ParticipantInfo } from "../core/event.ts";
import { FACT_ROWS, type FactKey, keysOf, type TypedRow } from "./codec.ts";
import { type Keys, type Layout, readBack, schemaOf } from "./fact_row.ts";
import { FORMAT } from "./frontmatter.ts";
import { METADATA, type Metadata, type Progress } from "./metadata_file.ts";
import { PAPER } from "./papers.ts";
import { corrupt } from "./problems.ts";

type Data = Readonly<Record<string, unknown>>;

/** A page taken apart. */
export interface Page {
  readonly data: Data;
  /** Everything after the line that closes the front matter, to the byte. */
  readonly body: string;
}

/**
 * Takes a page apart. Fails with `record_corrupt`, naming `path` and the line, where the front matter is missing, is not
 * closed, or is not a YAML map.
 */
export function readFrontMatter(text: string, path: string): Page {
  const opening = /^---\r?\n/.exec(text);
  if (opening === null) {
    throw corrupt(`${path}, line 1`, 'it does not begin with a line "---"', { path });
  }
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null) {
    throw corrupt(`${path}, line 1`, 'its front matter has no closing line "---"', { path });
  }
  const data = readYaml(rest.slice(0, closing.index), path);
  return { data, body: rest.slice(closing.index + closing[0].length) };
}

function readYaml(yaml: string, path: string): Data {
  if (yaml.trim() === "") return {};
  let data: unknown;
  try {
    data = parse(yaml, { schema: "core" });
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const problem = (text.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
    throw corrupt(`${path}, line ${lineOf(cause) + 1}`, problem, { path, cause });
  }
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    throw corrupt(`${path}, line 2`, "its front matter is not a map of keys to values", { path });
  }
  return data as Data;
}

function lineOf(error: unknown): number {
  const place = (error as { linePos?: readonly { line: number }[] }).linePos;
  if (place?.[0] !== undefined) return place[0].line;
  const [, line] = /line (\d+)/.exec(String(error)) ?? [];
  return line === undefined ? 1 : Number(line);
}

const schemas = new Map<readonly FactKey[], z.ZodObject>();

/** The schema of the front matter of a type of fact. */
function factSchema(row: TypedRow, layout: Layout = 2): z.ZodObject {
  const keys = keysOf(row, layout);
  let schema = schemas.get(keys);
  if (schema === undefined) schemas.set(keys, schema = pageSchema(row.type, zodKeys(keys)));
  return schema;
}

function pageSchema(type: string, keys: z.ZodRawShape): z.ZodObject {
  return z.object({ format: z.literal(FORMAT), type: z.literal(type), ...keys });
}

function zodKeys(keys: readonly FactKey[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    keys.map(({ key, shape, isOptional, group }) => {
      const schema = group === undefined ? schemaOf(shape, "key") : z.object(zodKeys(group));
      return [key, isOptional ? schema.optional() : schema];
    }),
  );
}

/**
 * The fact a file holds; the folder says which type it must be. Fails with `record_corrupt`, naming `path` and the line
 * or key at fault.
 */
export function parseFact(text: string, path: string, folder: string): Fact {
  const row = FACT_ROWS.find((each) => each.folder === folder);
  if (row === undefined) {
    throw new RangeError(`Cannot read ${path}: no facts are kept in ${folder}`);
  }
  const { data, body } = readFrontMatter(text, path);
  const layout = row.firstKeys === undefined || "made" in data ? 2 : 1;
  return shaped(path, () => {
    const read = factSchema(row, layout).parse(data);
    const fact = {
      type: row.type,
      ...row.defaults,
      ...fieldsOf(keysOf(row, layout), read),
      ...(typeof row.body === "string" ? { [row.body]: body } : row.body.to(body, read)),
    };
    return fact as unknown as Fact;
  });
}

function fieldsOf(keys: readonly FactKey[], data: Data): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { key, field, shape, computed, group } of keys) {
    const value = data[key];
    if (value === undefined) continue;
    if (group !== undefined) Object.assign(fields, fieldsOf(group, value as Data));
    else if (computed !== undefined) Object.assign(fields, computed.to?.(value as never));
    else fields[field] = readBack(value, shape);
  }
  return fields;
}

/** Runs `read`, turning what does not fit a schema into `record_corrupt` that names `path` and the key. */
function shaped<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const problem = cause instanceof z.ZodError
      ? cause.issues.map((issue) => `${issue.path.join(".") || "front matter"}: ${issue.message}`)
        .join("; ")
      : cause instanceof Error
      ? cause.message
      : String(cause);
    throw corrupt(path, problem, { cause });
  }
}

const METADATA_SCHEMA = pageSchema("metadata", schemaOf({ keys: METADATA }, "key").shape);
const PAPER_SCHEMA = pageSchema("paper", schemaOf({ keys: PAPER }, "key").shape);

/** The schema of the front matter of every truth file, by its `type`. */
export const FILE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  metadata: METADATA_SCHEMA,
  paper: PAPER_SCHEMA,
  ...Object.fromEntries(FACT_ROWS.map((row) => [row.type, factSchema(row)])),
};

/** The fields, the front matter and the body of a page that is no fact's. */
function readPage(
  text: string,
  path: string,
  { schema, keys }: { readonly schema: z.ZodObject; readonly keys: Keys },
): Page & { readonly fields: unknown } {
  const page = readFrontMatter(text, path);
  return { ...page, fields: readBack(shaped(path, () => schema.parse(page.data)), { keys }) };
}

/** The fields of `metadata.md`. */
interface MetadataFields
  extends
    Omit<ConveningStart, "participants" | "sources" | "papers">,
    Omit<Progress, "endReason" | "endedAt"> {
  readonly layout?: Layout;
  readonly endReason: EndReason | null;
  readonly endedAt: string | null;
  readonly outcome: Outcome | null;
  readonly winner: string | null;
  readonly participants: readonly (ParticipantInfo & { readonly positionFrom?: number })[];
  readonly sources: readonly string[];
  readonly papers?: readonly { readonly file: string }[];
  readonly usage: Usage;
}

/** Reads `metadata.md`. Fails with `record_corrupt`, naming the line or key. */
export function parseMetadata(text: string, path: string): Metadata {
  const page = readPage(text, path, { schema: METADATA_SCHEMA, keys: METADATA });
  const { contradictions } = page.data;
  const read = page.fields as MetadataFields;
  const { kind, topic, judges, configuration, seed, startedAt, expectedMessages, parent } = read;
  const { status, waitingFor, value, resumes, dropped, learned } = read;
  const participants = read.participants.map(({ position, positionFrom, ...rest }) =>
    // Words of messages are read from the messages.
    positionFrom === undefined ? defined({ ...rest, position }) : rest
  );
  const given = { kind, topic, participants, judges, configuration, seed, startedAt, sources: [] };
  const ended = { endReason: read.endReason ?? undefined, endedAt: read.endedAt ?? undefined };
  return defined({
    start: defined({ ...given, expectedMessages, parent }),
    progress: defined({ status, ...ended, waitingFor, value, resumes, dropped, learned }),
    sources: read.sources,
    papers: (read.papers ?? []).map(({ file }) => file),
    layout: read.layout ?? 1,
    outcome: read.outcome ?? undefined,
    winner: read.winner,
    contradictions: Array.isArray(contradictions) ? contradictions.map(String) : [],
    usage: read.usage,
  });
}

/** A paper's file, read: the paper, and the hash and the length in UTF-16 units that the front matter gives for the body. */
interface PaperPage {
  readonly paper: Paper;
  readonly sha256: string;
  readonly characters: number;
}

/** Reads what `renderPaper` writes. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parsePaper(text: string, path: string): PaperPage {
  const { fields, body } = readPage(text, path, { schema: PAPER_SCHEMA, keys: PAPER });
  const { id, title, pages, sha256, characters } = fields as
    & Omit<PaperPage, "paper">
    & Omit<Paper, "text">;
  return { paper: defined({ id, title, text: body, pages }), sha256, characters };
}
