// Folds over the table of facts: rows by type, what rows say of a fact, and facts as the text of their files. Reading,
// which needs schemas, is in fact_reader.ts.
import type { Fact } from "../core/fact.ts";
import type { Computed, FactRow, FileKeys, Keys, Layout, Naming, Shape } from "./fact_row.ts";
import { FACTS } from "./facts.ts";
import {
  FORMAT,
  type FrontMatter,
  type FrontMatterValue,
  writeFrontMatter,
} from "./frontmatter.ts";

/** A row with its type and the name of its list. */
export interface TypedRow extends FactRow<Fact> {
  readonly type: Fact["type"];
  readonly list: string;
}

/** Every row. */
export const FACT_ROWS: readonly TypedRow[] = Object.entries(FACTS).map(([type, row]) =>
  ({ list: row.folder.replaceAll("-", "_"), ...row, type }) as unknown as TypedRow
);

const byType = new Map(FACT_ROWS.map((row) => [row.type, row]));

/** The row of a fact's type. */
export function rowOf({ type }: Pick<Fact, "type">): TypedRow {
  return byType.get(type)!;
}

/** The value of a row's field. */
export function fieldOf(fact: Fact, field: string): unknown {
  return (fact as unknown as Readonly<Record<string, unknown>>)[field];
}

/** The number of the message that a fact is about; undefined for a fact about none. */
export function aboutOf(fact: Fact): number | undefined {
  const { about } = rowOf(fact);
  return about === undefined ? undefined : fieldOf(fact, about) as number;
}

/** The numbers of messages that must be on record with a fact, each with the reason. */
export function* needsOf(fact: Fact): Generator<[seq: number, why: string]> {
  for (const [field, why] of Object.entries(rowOf(fact).needs ?? {})) {
    const seq = fieldOf(fact, field);
    if (typeof seq === "number" && seq > 0) yield [seq, why(fact)];
  }
}

/** The name of a message file. */
export const MESSAGE_NAME = /^(\d+)_[a-z0-9_]+_[0-9a-f]{8}\.md$/;

/** The number in a message file's name; undefined for any other name. */
export function seqOfName(name: string): number | undefined {
  const match = MESSAGE_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** A key of front matter, and the field that it holds. */
export interface FactKey {
  readonly key: string;
  readonly field: string;
  readonly isOptional: boolean;
  readonly shape: Shape;
  readonly computed?: Computed<Fact> | undefined;
  /** The keys under the key, where it holds fields of the fact. */
  readonly group?: readonly FactKey[] | undefined;
}

/** The path of a fact in its convening's directory, such as `scores/002_a41c7710.md`. */
export function factPath(fact: Fact, naming: Naming): string {
  const row = rowOf(fact);
  return `${row.folder}/${row.name(fact, naming)}`;
}

/** A fact as the text of its file. */
export function renderFact(fact: Fact, naming: Naming): string {
  return writeFrontMatter(factData(fact, naming), factBody(fact));
}

/** The front matter of a fact's file. */
export function factData(fact: Fact, naming: Naming): FrontMatter {
  const keys = keysOf(rowOf(fact), naming.layout);
  return { format: FORMAT, type: fact.type, ...dataOf(fact, keys, naming) };
}

function dataOf(fact: Fact, keys: readonly FactKey[], naming: Naming): FrontMatter {
  const data: Record<string, FrontMatterValue | undefined> = {};
  for (const { key, field, isOptional, shape, computed, group } of keys) {
    if (group !== undefined) data[key] = dataOf(fact, group, naming);
    else if (computed !== undefined) data[key] = computed.of(fact, naming);
    else if (!isOptional || fieldOf(fact, field) !== undefined) {
      data[key] = written(fieldOf(fact, field), shape);
    }
  }
  return data;
}

/** The body of a fact's file. */
function factBody(fact: Fact): string {
  const { body } = rowOf(fact);
  return typeof body === "string" ? fieldOf(fact, body) as string : body.of(fact);
}

/** Facts in the order of the record: by type as in the table, then by number. */
export function compareFacts(a: Fact, b: Fact): number {
  if (a.type !== b.type) return FACT_ROWS.indexOf(rowOf(a)) - FACT_ROWS.indexOf(rowOf(b));
  for (const field of rowOf(a).order) {
    const difference = (fieldOf(a, field) as number) - (fieldOf(b, field) as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

const known = new Map<FileKeys<Fact>, readonly FactKey[]>();

/** The keys of a row's front matter, in order. */
export function keysOf(row: FactRow<Fact>, layout: Layout): readonly FactKey[] {
  const given = layout === 1 ? row.firstKeys ?? row.keys : row.keys;
  let keys = known.get(given);
  if (keys === undefined) known.set(given, keys = parsed(given));
  return keys;
}

function parsed(keys: FileKeys<Fact>): readonly FactKey[] {
  return Object.entries(keys).map(([name, given]) => {
    if (typeof given === "object" && "group" in given) {
      return { ...namesOf(name), shape: "json", group: parsed(given.group) };
    }
    const computed = typeof given === "object" && "shape" in given ? given : undefined;
    return { ...namesOf(name), shape: computed?.shape ?? given as Shape, computed };
  });
}

/** The field and the key of a name in the table, and whether it may be absent. */
export function namesOf(name: string): Pick<FactKey, "key" | "field" | "isOptional"> {
  const isOptional = name.endsWith("?");
  const field = isOptional ? name.slice(0, -1) : name;
  return { field, key: snakeCase(field), isOptional };
}

/** A field's name as a key of front matter. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields as front matter: keys in the order of the shape, and no others. */
export function writtenKeys(fields: object, keys: Keys): FrontMatter {
  const data: Record<string, FrontMatterValue | undefined> = {};
  for (const name in keys) {
    const { key, field, isOptional } = namesOf(name);
    const value = (fields as Readonly<Record<string, unknown>>)[field];
    if (value !== undefined || !isOptional) data[key] = written(value, keys[name]!);
  }
  return data;
}

/** A field's value as front matter; undefined for a key that is left out. */
function written(value: unknown, shape: Shape): FrontMatterValue | undefined {
  if (shape === "json") return jsonData(value);
  if (typeof shape === "string" || isTexts(shape)) return value as FrontMatterValue | undefined;
  if ("orNull" in shape) return value === undefined ? null : written(value, shape.orNull);
  if (value === undefined || value === null) return value as null | undefined;
  if ("filled" in shape) return isEmpty(value) ? undefined : written(value, shape.filled);
  if ("list" in shape) return (value as unknown[]).map((each) => written(each, shape.list) ?? null);
  if ("keys" in shape) return writtenKeys(value, shape.keys);
  if (!("map" in shape)) return value as FrontMatterValue;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, written(each, shape.map)]));
}

function isEmpty(value: unknown): boolean {
  return value === 0 || Array.isArray(value) && value.length === 0;
}

/** Tells whether a shape is a choice of texts. */
export function isTexts(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}

/** Any value as the JSON it would be sent as; null for what JSON cannot say. */
function jsonData(value: unknown): FrontMatterValue {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : JSON.parse(text) as FrontMatterValue;
}
