// Writes facts as files, by the table of facts; reading, which needs schemas, is in fact_reader.ts.
import type { Fact } from "../core/fact.ts";
import {
  type Computed,
  FACT_ROWS,
  type FactRow,
  fieldOf,
  type FileKeys,
  rowOf,
  type Shape,
} from "./facts.ts";
import { jsonData, type Layout, type Naming } from "./files/renderer.ts";
import {
  FORMAT,
  type FrontMatter,
  type FrontMatterValue,
  writeFrontMatter,
} from "./frontmatter.ts";

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
  for (const { key, field, shape, computed, group } of keys) {
    if (group !== undefined) data[key] = dataOf(fact, group, naming);
    else if (computed !== undefined) data[key] = computed.of(fact, naming);
    else data[key] = written(fieldOf(fact, field), shape);
  }
  return data;
}

/** The body of a fact's file. */
export function factBody(fact: Fact): string {
  const { body } = rowOf(fact);
  return typeof body === "string" ? fieldOf(fact, body) as string : body.of(fact);
}

/** Facts in the order of the record: by type as in the table, then by number. */
export function compareFacts(a: Fact, b: Fact): number {
  if (a.type !== b.type) return TYPES.indexOf(a.type) - TYPES.indexOf(b.type);
  for (const field of rowOf(a).order) {
    const difference = (fieldOf(a, field) as number) - (fieldOf(b, field) as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

const TYPES: readonly string[] = FACT_ROWS.map(({ type }) => type);

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

/** A field's value as front matter: keys in the order of the shape, and no others. */
export function written(value: unknown, shape: Shape): FrontMatterValue | undefined {
  if (shape === "json") return jsonData(value);
  if (value === undefined || value === null || typeof shape === "string") {
    return value as FrontMatterValue | undefined;
  }
  if (isTexts(shape)) return value as string;
  if ("orNull" in shape) return written(value, shape.orNull);
  if ("list" in shape) return (value as unknown[]).map((each) => written(each, shape.list) ?? null);
  if ("keys" in shape) {
    const data: Record<string, FrontMatterValue | undefined> = {};
    for (const name in shape.keys) {
      const { key, field } = namesOf(name);
      data[key] = written((value as Record<string, unknown>)[field], shape.keys[name]!);
    }
    return data;
  }
  return value as FrontMatterValue;
}

/** Whether a shape is one of some texts. */
export function isTexts(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}
