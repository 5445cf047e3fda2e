// Derives from the table of facts: rows by type, properties of a fact, its path, and the text of its file.
import { z } from "zod";
import { IN_PLAIN_WORDS, problemsOf } from "../core/check_fields.ts";
import { statesOf } from "../core/error.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { memoByObject } from "../core/values.ts";
import {
  type Computed,
  type FactRow,
  type FileKeys,
  type Layout,
  namesOf,
  type Naming,
  schemaOf,
  seqWidth,
  type Shape,
  written,
} from "./fact_row.ts";
import { FACTS } from "./facts.ts";
import {
  common,
  FORMAT,
  type FrontMatter,
  type FrontMatterValue,
  writeFrontMatter,
} from "./frontmatter.ts";

/** A row with its type and the name of its list in JSON. */
export interface TypedRow extends FactRow<Fact> {
  readonly type: Fact["type"];
  readonly list: string;
}

/** All rows, in the order of the table. */
export const FACT_ROWS: readonly TypedRow[] = Object.entries(FACTS).map(([type, row]) =>
  ({ list: row.folder.replaceAll("-", "_"), ...row, type }) as unknown as TypedRow
);

const byType = new Map(FACT_ROWS.map((row) => [row.type, row]));

export function rowOf({ type }: Pick<Fact, "type">): TypedRow {
  return byType.get(type)!;
}

/** Returns the value of a field that a row names. */
export function fieldOf(fact: Fact, field: string): unknown {
  return (fact as unknown as Readonly<Record<string, unknown>>)[field];
}

/** Returns the number of the message that a fact is about; undefined for a fact about no message. */
export function aboutOf(fact: Fact): number | undefined {
  const { about } = rowOf(fact);
  return about === undefined ? undefined : fieldOf(fact, about) as number;
}

/** Yields the numbers of the messages that must exist for a fact, each with the reason. */
export function* needsOf(fact: Fact): Generator<[seq: number, why: string]> {
  for (const [field, why] of Object.entries(rowOf(fact).needs ?? {})) {
    const seq = fieldOf(fact, field);
    if (typeof seq === "number" && seq > 0) yield [seq, why(fact)];
  }
}

/** Compares facts by type, in the order of the table, then by their numbers. */
export function compareFacts(a: Fact, b: Fact): number {
  if (a.type !== b.type) return FACT_ROWS.indexOf(rowOf(a)) - FACT_ROWS.indexOf(rowOf(b));
  for (const field of rowOf(a).order) {
    const difference = (fieldOf(a, field) as number) - (fieldOf(b, field) as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A front matter key, with the field that it holds. */
export interface FactKey extends ReturnType<typeof namesOf> {
  readonly shape: Shape;
  readonly computed?: Computed<Fact> | undefined;
  /** Keys nested under this key; each holds a field of the fact. */
  readonly group?: readonly FactKey[] | undefined;
}

/** Returns the front matter keys of a row, in order. */
export function keysOf(row: FactRow<Fact>, layout: Layout): readonly FactKey[] {
  return keysIn(layout === 1 ? row.firstKeys ?? row.keys : row.keys);
}

const keysIn = memoByObject(parseKeys);

function parseKeys(keys: FileKeys<Fact>): readonly FactKey[] {
  return Object.entries(keys).map(([name, given]) => {
    if (typeof given === "object" && "group" in given) {
      return { ...namesOf(name), shape: "json", group: parseKeys(given.group) };
    }
    const computed = typeof given === "object" && "shape" in given ? given : undefined;
    return { ...namesOf(name), shape: computed?.shape ?? given as Shape, computed };
  });
}

const schemaCache = new Map<readonly FactKey[], z.ZodObject>();

export function factSchema(row: TypedRow, layout: Layout = 2): z.ZodObject {
  const keys = keysOf(row, layout);
  return schemaCache.getOrInsertComputed(keys, () => fileSchema(row.type, keySchemas(keys)));
}

export function fileSchema(type: string, keys: z.ZodRawShape): z.ZodObject {
  const format = z.literal(FORMAT, `this program reads only ${FORMAT}`);
  return z.object({ format, type: z.literal(type), ...keys });
}

function keySchemas(keys: readonly FactKey[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    keys.map(({ key, shape, isOptional, group }) => {
      const schema = group === undefined ? schemaOf(shape, "key") : z.object(keySchemas(group));
      return [key, isOptional ? schema.optional() : schema];
    }),
  );
}

/** Returns what a file's front matter lacks or should not have, and the remedies, by key. */
export function misfitsOf(
  data: object,
  schema: z.ZodObject,
): { readonly states: string; readonly hints: readonly string[] } {
  const { issues = [] } = schema.safeParse(data, IN_PLAIN_WORDS).error ?? {};
  const problems = problemsOf(data, { issues, names: { whole: "front matter", part: "key" } });
  const hints = problems.map(({ field, hint }) => `${field}: ${hint}`);
  return { states: statesOf(problems), hints };
}

/** Returns the schema of a fact in JSON: the required fields with their types; any other fields are allowed. */
export function looseFact(row: TypedRow): z.ZodType {
  const fields = keysOf(row, 2).flatMap((key) => key.group ?? [key])
    .filter(({ computed, isOptional }) => computed === undefined && !isOptional);
  return z.looseObject({
    type: z.literal(row.type),
    ...Object.fromEntries(fields.map(({ field, shape }) => [field, schemaOf(shape, "loose")])),
    ...typeof row.body === "string" ? { [row.body]: z.string() } : {},
  });
}

/** Returns the naming of a convening's files from its start and its messages. */
export function namingOf(
  { start, facts, layout = 2 }: {
    readonly start: ConveningStart;
    readonly facts: readonly Fact[];
    readonly layout?: Layout;
  },
): Naming {
  const names = new Map<number, string>();
  const width = seqWidth(start.expectedMessages);
  const naming: Naming = { width, layout, messageName: (seq) => names.get(seq) };
  for (const fact of facts) {
    if (fact.type === "message") names.set(fact.seq, rowOf(fact).name(fact, naming));
  }
  return naming;
}

/** Returns the path of a fact in the directory of its convening, such as `scores/002_a41c7710.md`. */
export function factPath(fact: Fact, naming: Naming): string {
  const row = rowOf(fact);
  return `${row.folder}/${row.name(fact, naming)}`;
}

export function renderFact(fact: Fact, naming: Naming, data = factData(fact, naming)): string {
  const { body } = rowOf(fact);
  const text = typeof body === "string" ? fieldOf(fact, body) as string : body.of(fact);
  return writeFrontMatter(data, text);
}

export function factData(fact: Fact, naming: Naming): FrontMatter {
  return { ...common(fact.type), ...keysToData(fact, keysOf(rowOf(fact), naming.layout), naming) };
}

function keysToData(fact: Fact, keys: readonly FactKey[], naming: Naming): FrontMatter {
  const data: Record<string, FrontMatterValue | undefined> = {};
  for (const { key, field, isOptional, shape, computed, group } of keys) {
    if (group !== undefined) data[key] = keysToData(fact, group, naming);
    else if (computed !== undefined) data[key] = computed.of(fact, naming);
    else if (!isOptional || fieldOf(fact, field) !== undefined) {
      data[key] = written(fieldOf(fact, field), shape);
    }
  }
  return data;
}
