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
  isComputed,
  isGroup,
  type Keys,
  type Layout,
  namesOf,
  type Naming,
  schemaOf,
  seqWidth,
  type Shape,
  writtenKeys,
} from "./fact_row.ts";
import { FACTS } from "./facts.ts";
import { common, FORMAT, type FrontMatter, writeFrontMatter } from "./frontmatter.ts";

/** A row with its type and the name of its list in JSON. */
interface TypedRow extends FactRow<Fact> {
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

/** Returns the front matter of a row. */
export function keysOf(row: TypedRow, layout: Layout): Keys {
  return layout === 1 ? row.firstKeys ?? row.keys : row.keys;
}

/** A front matter key, with the field that it holds. */
export interface FieldKey extends ReturnType<typeof namesOf> {
  readonly shape: Shape;
  readonly computed?: Computed | undefined;
}

/** Returns the keys of front matter, in order, also those within groups. */
export const fieldKeys: (keys: Keys) => readonly FieldKey[] = memoByObject((keys) =>
  Object.entries(keys).flatMap(([name, given]): readonly FieldKey[] => {
    if (isGroup(given)) return fieldKeys(given.group);
    const computed = isComputed(given) ? given : undefined;
    return [{ ...namesOf(name), shape: computed?.shape ?? given as Shape, computed }];
  })
);

export function factSchema(row: TypedRow, layout: Layout = 2): z.ZodObject {
  return fileSchema(row.type, keysOf(row, layout));
}

const schemas = new Map<Keys, z.ZodObject>();

/** Returns the schema of the front matter of a type of file. */
export function fileSchema(type: string, keys: Keys): z.ZodObject {
  return schemas.getOrInsertComputed(keys, () => {
    const format = z.literal(FORMAT, `this program reads only ${FORMAT}`);
    return z.object({ format, type: z.literal(type), ...schemaOf({ keys }, "key").shape });
  });
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
  const fields = fieldKeys(row.keys)
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
  const keys = keysOf(rowOf(fact), naming.layout);
  return { ...common(fact.type), ...writtenKeys(fact, keys, naming) };
}
