// Reads facts, `metadata.md` and papers from files, by schemas that follow from their keys.
import { z } from "zod";
import type { EndReason, Fact, Outcome } from "../core/fact.ts";
import {
  FACT_ROWS,
  type FactKey,
  isTexts,
  keysOf,
  MESSAGE_NAME,
  namesOf,
  type TypedRow,
} from "./codec.ts";
import type { Keys, Layout, Shape, Word } from "./fact_row.ts";
import { defined } from "../core/defined.ts";
import { FORMAT, TIME } from "./frontmatter.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { corrupt } from "./problems.ts";
import type { Usage } from "../core/message.ts";
import { MOST_BRIEFS } from "../core/brief.ts";
import type { Paper } from "../core/paper.ts";
import type { ConveningStart, ParticipantInfo } from "../core/record.ts";
import { METADATA, type Metadata, type Progress } from "./metadata_file.ts";
import { PAPER } from "./papers.ts";

const WORDS: Readonly<Record<Word, z.ZodType>> = {
  text: z.string(),
  number: z.number(),
  integer: z.int(),
  count: z.int().nonnegative(),
  ordinal: z.int().positive(),
  "brief number": z.int().positive().max(MOST_BRIEFS),
  amount: z.number().nonnegative(),
  share: z.number().min(0).max(1),
  cost: z.union([z.number().nonnegative(), z.literal("unknown")]),
  flag: z.boolean(),
  false: z.literal(false),
  time: z.string().regex(TIME, "not a time such as 2026-11-21T20:33:12.114Z"),
  hash: z.string().regex(/^[0-9a-f]{64}$/, "not a SHA-256 in hex"),
  "message name": z.string().regex(MESSAGE_NAME, "not the name of a message file"),
  "point id": z.string().regex(/^[A-Z]{1,3}[1-9]\d{0,8}$/, "not the id of a point such as A3"),
  layout: z.literal(2),
  word: z.string().min(1),
  json: z.unknown(),
};

const schemas = new Map<readonly FactKey[], z.ZodObject>();

/** The schema of the front matter of a type of fact. */
function factSchema(row: TypedRow, layout: Layout = 2): z.ZodObject {
  const keys = keysOf(row, layout);
  let schema = schemas.get(keys);
  if (schema === undefined) {
    schema = z.object({ ...common(row.type), ...zodKeys(keys) });
    schemas.set(keys, schema);
  }
  return schema;
}

function common(type: string): z.ZodRawShape {
  return { format: z.literal(FORMAT), type: z.literal(type) };
}

/** The schema of the front matter of a page that is no fact's. */
function pageSchema(type: string, keys: Keys): z.ZodObject {
  return z.object({ ...common(type), ...zodOfShape({ keys }).shape });
}

/** The fields, the front matter and the body of a page that is no fact's. Fails with `record_corrupt`, naming `path` and the line or key. */
export function readPage(
  text: string,
  path: string,
  { schema, keys }: { readonly schema: z.ZodObject; readonly keys: Keys },
): {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
} {
  const { data, body } = readFrontMatter(text, path);
  const read = shaped(path, () => schema.parse(data));
  return { fields: readBack(read, { keys }), data, body };
}

function zodKeys(keys: readonly FactKey[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    keys.map(({ key, shape, isOptional, group }) => [
      key,
      group === undefined ? zodOf(shape, isOptional) : z.object(zodKeys(group)),
    ]),
  );
}

function zodOf(shape: Shape, isOptional: boolean, names?: "key" | "field"): z.ZodType {
  const schema = zodOfShape(shape, names);
  return isOptional ? schema.optional() : schema;
}

/** The schema of a shape, whose objects have the keys of front matter, or the names of fields. */
export function zodOfShape(
  shape: { readonly keys: Keys },
  names?: "key" | "field",
): z.ZodObject;
/** The schema of a shape, whose objects have the keys of front matter, or the names of fields. */
export function zodOfShape(shape: Shape, names?: "key" | "field"): z.ZodType;
/** The schema of a shape, whose objects have the keys of front matter, or the names of fields. */
export function zodOfShape(shape: Shape, names: "key" | "field" = "key"): z.ZodType {
  if (typeof shape === "string") return WORDS[shape];
  if (isTexts(shape)) return z.enum(shape);
  if ("list" in shape) return z.array(zodOfShape(shape.list, names));
  if ("pair" in shape) {
    return z.tuple([zodOfShape(shape.pair, names), zodOfShape(shape.pair, names)]);
  }
  if ("map" in shape) return z.record(z.string(), zodOfShape(shape.map, names));
  if ("orNull" in shape) return zodOfShape(shape.orNull, names).nullable();
  if ("filled" in shape) return zodOfShape(shape.filled, names);
  return z.object(Object.fromEntries(
    Object.entries(shape.keys).map(([name, each]) => {
      const { [names]: key, isOptional } = namesOf(name);
      return [key, zodOf(each, isOptional, names)];
    }),
  ));
}

/** A fact as JSON has it: fields of the types that the row says, and whatever else there is. */
export function looseFact(row: TypedRow): z.ZodType {
  const fields = keysOf(row, 2).flatMap((key) => key.group ?? [key])
    .filter(({ computed, isOptional }) => computed === undefined && !isOptional);
  return z.looseObject({
    type: z.literal(row.type),
    ...Object.fromEntries(fields.map(({ field, shape }) => [field, looseShape(shape)])),
    ...typeof row.body === "string" ? { [row.body]: z.string() } : {},
  });
}

/** A shape in JSON: the types alone, so that what another version adds is kept. */
export function looseShape(shape: Shape): z.ZodType {
  if (shape === "json" || shape === "cost") return WORDS[shape];
  if (shape === "flag" || shape === "false") return z.boolean();
  if (typeof shape === "string") return NUMBERS.has(shape) ? z.number() : z.string();
  if (isTexts(shape)) return z.string();
  if ("orNull" in shape) return looseShape(shape.orNull).nullable();
  if ("filled" in shape) return looseShape(shape.filled);
  if ("map" in shape) return z.record(z.string(), looseShape(shape.map));
  if (!("keys" in shape)) return z.array(looseShape("list" in shape ? shape.list : shape.pair));
  const required = Object.entries(shape.keys).filter(([name]) => !namesOf(name).isOptional);
  return z.looseObject(
    Object.fromEntries(required.map(([name, each]) => [namesOf(name).field, looseShape(each)])),
  );
}

const NUMBERS: ReadonlySet<Word> = new Set<Word>([
  "number",
  "integer",
  "count",
  "ordinal",
  "brief number",
  "amount",
  "share",
]);

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

function fieldsOf(
  keys: readonly FactKey[],
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { key, field, shape, computed, group } of keys) {
    const value = data[key];
    if (value === undefined) continue;
    if (group !== undefined) Object.assign(fields, fieldsOf(group, value as typeof data));
    else if (computed !== undefined) Object.assign(fields, computed.to?.(value as never));
    else fields[field] = readBack(value, shape);
  }
  return fields;
}

/** A value of front matter as the field that it was written from. */
function readBack(value: unknown, shape: { readonly keys: Keys }): Record<string, unknown>;
function readBack(value: unknown, shape: Shape): unknown;
function readBack(value: unknown, shape: Shape): unknown {
  if (value === null || typeof shape === "string" || isTexts(shape)) return value;
  if ("orNull" in shape) return readBack(value, shape.orNull);
  if ("filled" in shape) return readBack(value, shape.filled);
  if ("list" in shape) return (value as unknown[]).map((each) => readBack(each, shape.list));
  if (!("keys" in shape)) return value;
  const fields: Record<string, unknown> = {};
  for (const name in shape.keys) {
    const { key, field } = namesOf(name);
    const given = (value as Readonly<Record<string, unknown>>)[key];
    if (given !== undefined) fields[field] = readBack(given, shape.keys[name]!);
  }
  return fields;
}

/** Runs `read`, turning what does not fit a schema into `record_corrupt` that names `path` and the key. */
function shaped<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const problem = error instanceof z.ZodError
      ? error.issues.map((issue) => `${issue.path.join(".") || "front matter"}: ${issue.message}`)
        .join("; ")
      : error instanceof Error
      ? error.message
      : String(error);
    throw corrupt(path, problem, { cause: error });
  }
}

const PAGES = {
  metadata: { schema: pageSchema("metadata", METADATA), keys: METADATA },
  paper: { schema: pageSchema("paper", PAPER), keys: PAPER },
} as const;

/** The schema of the front matter of every truth file, by its `type`. */
export const FILE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  metadata: PAGES.metadata.schema,
  paper: PAGES.paper.schema,
  ...Object.fromEntries(FACT_ROWS.map((row) => [row.type, factSchema(row)])),
};

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
  const { fields, data: { contradictions } } = readPage(text, path, PAGES.metadata);
  const read = fields as unknown as MetadataFields;
  const { kind, topic, judges, configuration, seed, startedAt, status, resumes } = read;
  return defined({
    start: defined({
      kind,
      topic,
      participants: read.participants.map(({ position, positionFrom, ...rest }) =>
        // Words of messages are read from the messages.
        positionFrom === undefined ? defined({ ...rest, position }) : rest
      ),
      judges,
      configuration,
      seed,
      startedAt,
      sources: [],
      expectedMessages: read.expectedMessages,
      parent: read.parent,
    }),
    progress: defined({
      status,
      endReason: read.endReason ?? undefined,
      endedAt: read.endedAt ?? undefined,
      waitingFor: read.waitingFor,
      value: read.value,
      resumes,
      dropped: read.dropped,
      learned: read.learned,
    }),
    sources: read.sources,
    papers: (read.papers ?? []).map(({ file }) => file),
    layout: read.layout ?? 1,
    outcome: read.outcome ?? undefined,
    winner: read.winner,
    contradictions: Array.isArray(contradictions) ? contradictions.map(String) : [],
    usage: read.usage,
  });
}

/** A paper's file, read. */
interface PaperPage {
  readonly paper: Paper;
  /** The hash that the front matter gives for the body. */
  readonly sha256: string;
  /** The length that the front matter gives for the body, in UTF-16 units. */
  readonly characters: number;
}

/** Reads what `renderPaper` writes. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parsePaper(text: string, path: string): PaperPage {
  const { fields, body } = readPage(text, path, PAGES.paper);
  const { id, title, pages, sha256, characters } = fields as unknown as
    & Omit<PaperPage, "paper">
    & Omit<Paper, "text">;
  return { paper: defined({ id, title, text: body, pages }), sha256, characters };
}
