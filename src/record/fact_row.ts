// Format of the rows in the table of facts, and of front matter: schemas of its values, and conversion of fields to and
// from front matter.
import { z } from "zod";
import { MOST_BRIEFS } from "../core/brief.ts";
import type { Fact } from "../core/fact.ts";
import { memoByText } from "../core/values.ts";
import { type FrontMatter, type FrontMatterValue, TIME } from "./frontmatter.ts";

/** Matches the name of a message file; captures the message number. */
const MESSAGE_NAME = /^(\d+)_[a-z0-9_]+_[0-9a-f]{8}\.md$/;

/** Schemas of single values in front matter. */
const SCALARS = {
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
} as const;

/** Shape of a value in front matter: the name of a schema, a choice of texts, or a collection. */
export type Shape =
  | keyof typeof SCALARS
  | readonly string[]
  | { readonly list: Shape }
  | { readonly pair: Shape }
  | { readonly map: Shape }
  | { readonly orNull: Shape }
  /** A key that is left out where the value is 0 or an empty list. */
  | { readonly filled: Shape }
  | { readonly keys: Keys };

/**
 * Front matter: fields, computed keys and groups of fields, in the order in which they are written, with keys in snake_case. A
 * field whose name ends with `?` is optional.
 */
export interface Keys<F extends Fact = Fact> {
  readonly [name: string]: Shape | Computed<F> | { readonly group: Keys<F> };
}

type KeyShape = Keys[string];

/** Keys of the usage of a model call. */
export const USAGE = {
  keys: {
    inputTokens: "count",
    cachedInputTokens: "count",
    outputTokens: "count",
    "reasoningTokens?": "count",
    "cacheWriteTokens?": "count",
    "embeddingTokens?": "count",
    costUsd: "cost",
    "pricedBy?": "text",
    "tokensEstimated?": "flag",
  },
} as const;
export const NUMBERS = { map: "number" } as const;
export const TEXTS = { list: "text" } as const;
export const TURN = { seq: "ordinal", turn: "text", participant: "text" } as const;
/** Last keys in the front matter of a fact that a model call made. */
export const MADE = { usage: USAGE, latencyMs: "amount", createdAt: "time" } as const;
/** Keys of a fact that a model call made, with the model's name. */
export const CALL = { model: "text", ...MADE } as const;
/** Keys of a fact that a program may make without a model call. */
export const MAYBE_MADE = {
  "model?": "text",
  "usage?": USAGE,
  "latencyMs?": "amount",
  createdAt: "time",
} as const;
export const READ = { status: ["read", "unread"], "reason?": "text" } as const;
export const PLACE = { "start?": "count", "end?": "count", "page?": "ordinal" } as const;
export const VERIFICATION = ["verified", "not found"] as const;
export const SOURCE = { title: "text", url: "text", snippet: "text" } as const;
export const CITATIONS = {
  keys: {
    "paper?": {
      list: {
        keys: {
          chunkId: "text",
          text: "text",
          score: "number",
          "paper?": "text",
          "page?": "ordinal",
          "start?": "count",
          "end?": "count",
          "cited?": { keys: PLACE },
          "status?": VERIFICATION,
        },
      },
    },
    "web?": { list: { keys: { ...SOURCE, "status?": VERIFICATION } } },
  },
} as const;
/** Keys of a message's speaker and of the message's position in the protocol. */
export const SPOKEN = {
  ...TURN,
  name: "text",
  role: "text",
  "position?": "text",
  phase: "text",
  kind: "text",
  round: "count",
  "replyTo?": "ordinal",
} as const;

/** A key that does not hold a field of the fact as it is. */
export interface Computed<F extends Fact = Fact> {
  readonly shape: Shape;
  /** Returns the value of the key; undefined leaves the key out. */
  of(fact: F, naming: Naming): FrontMatterValue | undefined;
  /** Returns the fields that follow from the value. @default none: the value follows from other fields */
  to?(value: never): Partial<F>;
}

/** Row of the table: the file of a type of fact, and the references of the type's fields. */
export interface FactRow<F extends Fact> {
  /** Folder in the directory of the convening. */
  readonly folder: string;
  /** Returns the name of the file in the folder. */
  name(fact: F, naming: Naming): string;
  /** Keys of the front matter after `format` and `type`. */
  readonly keys: Keys<F>;
  /** Keys in records of layout 1. @default `keys` */
  readonly firstKeys?: Keys<F>;
  /** Default values: a field with its default is left out of the front matter. */
  readonly defaults?: Partial<F>;
  /** Field that the body holds, or the functions that write and parse the body. */
  readonly body:
    | (keyof F & string)
    | {
      of(fact: F): string;
      to(body: string, data: Readonly<Record<string, unknown>>): Partial<F>;
    };
  /** Numeric fields that facts of the type are sorted by. */
  readonly order: readonly (keyof F & string)[];
  /** Fields whose values are unique in a record. The key is the field's name in findings. */
  readonly unique?: Readonly<Record<string, keyof F & string>>;
  /** Field with the number of the message that the fact is about. @default the fact is about no message */
  readonly about?: keyof F & string;
  /** Fields that must equal the fields of that message. @default none */
  readonly shares?: readonly (keyof F & string)[];
  /** Returns the ids of participants that `metadata.md` must list. @default none */
  ids?(fact: F): readonly string[];
  /** True if a resume makes the fact again together with its message, where the message is missing. @default false */
  readonly isRemade?: boolean;
  /** Fields with numbers of messages that must exist; each function returns the reason for findings. */
  readonly needs?: { readonly [name: string]: (fact: F) => string };
  /** Order of the fact within a turn of a fork, from 0 to 1; `last`: after all turns; `never`: not copied into forks. */
  readonly fork: number | "last" | "never";
  /** True if a fork that edits the message keeps the fact. @default false */
  readonly outlivesEdit?: boolean;
  /** Name of the list of these facts in JSON. @default the folder in snake_case */
  readonly list?: string;
}

/** Layout of message files: 1 has all keys at the top level, 2 has provenance under `made`. */
export type Layout = 1 | 2;

/** Approximate tokens in the front matter of a message file, by layout. */
export const FRONT_MATTER_TOKENS: Readonly<Record<Layout, number>> = { 1: 400, 2: 200 };

/** Properties of a record that determine file names and front matter. */
export interface Naming {
  /** Digits of a message number. */
  readonly width: number;
  /** Layout of message files; records of earlier versions have 1. */
  readonly layout: Layout;
  /** Returns the file name of a message; undefined for a message that is not recorded. */
  messageName(seq: number): string | undefined;
}

/** Returns the digits of a message number: at least three, and enough for the expected number of messages. */
export function seqWidth(expectedMessages = 0): number {
  return Math.max(3, String(expectedMessages).length);
}

export function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

/** Converts text to a file name part: snake_case ASCII letters and digits, at most 40 characters; else `participant`. */
export function fileWord(text: string): string {
  const word = text.normalize("NFKD").toLowerCase()
    .replace(/\p{M}+/gu, "").replace(/[^a-z0-9]+/g, "_")
    .slice(0, 40).replace(/^_+|_+$/g, "");
  return word === "" ? "participant" : word;
}

/** Parses the message number in the name of a message file; undefined for any other name. */
export function seqOfName(name: string): number | undefined {
  const match = MESSAGE_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Splits a name of the table into field and front matter key, and returns whether the field is optional. */
export const namesOf = memoByText(
  1000,
  (name): { readonly key: string; readonly field: string; readonly isOptional: boolean } => {
    const isOptional = name.endsWith("?");
    const field = isOptional ? name.slice(0, -1) : name;
    return { field, key: snakeCase(field), isOptional };
  },
);

/** Converts a field name to a front matter key. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isTexts(shape: KeyShape): shape is readonly string[] {
  return Array.isArray(shape);
}

export function isComputed(key: KeyShape): key is Computed {
  return Object.hasOwn(Object(key), "of");
}

export function isGroup(key: KeyShape): key is { readonly group: Keys } {
  return Object.hasOwn(Object(key), "group");
}

/** Naming of fields in a schema: front matter keys or field names; `loose`: JSON, where other versions may add fields. */
type Names = "key" | "field" | "loose";

/** Returns the schema of a shape. A loose schema checks types only, and of objects only the required fields. */
export function schemaOf(shape: { readonly keys: Keys }, names: Names): z.ZodObject;
export function schemaOf(shape: KeyShape, names: Names): z.ZodType;
export function schemaOf(shape: KeyShape, names: Names): z.ZodType {
  const isLoose = names === "loose";
  if (typeof shape === "string") return isLoose ? looseScalar(shape) : SCALARS[shape];
  if (isTexts(shape)) return isLoose ? z.string() : z.enum(shape);
  if ("shape" in shape) return schemaOf(shape.shape, names);
  if ("group" in shape) return schemaOf({ keys: shape.group }, names);
  if ("list" in shape) return z.array(schemaOf(shape.list, names));
  if ("pair" in shape) {
    const each = schemaOf(shape.pair, names);
    return isLoose ? z.array(each) : z.tuple([each, each]);
  }
  if ("map" in shape) return z.record(z.string(), schemaOf(shape.map, names));
  if ("orNull" in shape) return schemaOf(shape.orNull, names).nullable();
  if ("filled" in shape) return schemaOf(shape.filled, names);
  const fields = Object.entries(shape.keys).flatMap(([name, each]): [string, z.ZodType][] => {
    const { key, field, isOptional } = namesOf(name);
    if (isLoose && isOptional) return [];
    const schema = schemaOf(each, names);
    return [[names === "key" ? key : field, isOptional ? schema.optional() : schema]];
  });
  return isLoose ? z.looseObject(Object.fromEntries(fields)) : z.object(Object.fromEntries(fields));
}

function looseScalar(word: keyof typeof SCALARS): z.ZodType {
  if (word === "json" || word === "cost") return SCALARS[word];
  if (word === "flag" || word === "false") return z.boolean();
  return SCALARS[word].type === "number" ? z.number() : z.string();
}

/** Converts fields to front matter: the keys of the shape, in their order. Computed keys, which only facts have, need `naming`. */
export function writtenKeys(fields: object, keys: Keys, naming?: Naming): FrontMatter {
  const data: Record<string, FrontMatterValue | undefined> = {};
  for (const name in keys) {
    const { key, field, isOptional } = namesOf(name);
    const shape = keys[name]!;
    const value = (fields as Readonly<Record<string, unknown>>)[field];
    if (isGroup(shape)) data[key] = writtenKeys(fields, shape.group, naming);
    else if (isComputed(shape)) data[key] = shape.of(fields as Fact, naming!);
    else if (value !== undefined || !isOptional) data[key] = written(value, shape);
  }
  return data;
}

/** Converts the value of a field to front matter; undefined for a key that is left out. */
function written(value: unknown, shape: Shape): FrontMatterValue | undefined {
  if (shape === "json") return jsonData(value);
  if (typeof shape === "string" || isTexts(shape)) return value as FrontMatterValue | undefined;
  if ("orNull" in shape) return value === undefined ? null : written(value, shape.orNull);
  if (value === undefined || value === null) return value as null | undefined;
  if ("filled" in shape) {
    const isEmpty = value === 0 || Array.isArray(value) && value.length === 0;
    return isEmpty ? undefined : written(value, shape.filled);
  }
  if ("list" in shape) return (value as unknown[]).map((each) => written(each, shape.list) ?? null);
  if ("keys" in shape) return writtenKeys(value, shape.keys);
  if (!("map" in shape)) return value as FrontMatterValue;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, written(each, shape.map)]));
}

/** Converts a value to JSON data; null where JSON has no form for the value. */
function jsonData(value: unknown): FrontMatterValue {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : JSON.parse(text) as FrontMatterValue;
}

/** Converts a value of front matter back to the value of the field. */
export function readBack(value: unknown, shape: { readonly keys: Keys }): Record<string, unknown>;
export function readBack(value: unknown, shape: Shape): unknown;
export function readBack(value: unknown, shape: Shape): unknown {
  if (value === null || typeof shape === "string" || isTexts(shape)) return value;
  if ("orNull" in shape) return readBack(value, shape.orNull);
  if ("filled" in shape) return readBack(value, shape.filled);
  if ("list" in shape) return (value as unknown[]).map((each) => readBack(each, shape.list));
  if (!("keys" in shape)) return value;
  const fields: Record<string, unknown> = {};
  for (const name in shape.keys) {
    const { key, field } = namesOf(name);
    const of = shape.keys[name]!;
    const given = (value as Readonly<Record<string, unknown>>)[key];
    if (given === undefined) continue;
    if (isGroup(of)) Object.assign(fields, readBack(given, { keys: of.group }));
    else if (isComputed(of)) Object.assign(fields, of.to?.(given as never));
    else fields[field] = readBack(given, of);
  }
  return fields;
}
