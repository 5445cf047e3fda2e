// The form of a row of the table of facts, and the shapes of front matter: their schemas, and values written and read by them.
import { z } from "zod";
import { MOST_BRIEFS } from "../core/brief.ts";
import type { Fact } from "../core/fact.ts";
import { type FrontMatter, type FrontMatterValue, TIME } from "./frontmatter.ts";

/** The name of a message file. */
const MESSAGE_NAME = /^(\d+)_[a-z0-9_]+_[0-9a-f]{8}\.md$/;

/** Single values of front matter. */
const WORDS = {
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

/** The shape of a value in front matter: a word, one of some texts, or a collection. */
export type Shape =
  | keyof typeof WORDS
  | readonly string[]
  | { readonly list: Shape }
  | { readonly pair: Shape }
  | { readonly map: Shape }
  | { readonly orNull: Shape }
  /** A key that may be absent, and is where the value is 0 or empty. */
  | { readonly filled: Shape }
  | { readonly keys: Keys };

/** Fields in the order they are written, in snake_case; a name that ends with `?` may be absent. */
export interface Keys {
  readonly [name: string]: Shape;
}

/** Usage of a call. */
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
  },
} as const;
export const NUMBERS = { map: "number" } as const;
export const TEXTS = { list: "text" } as const;
export const TURN = { seq: "ordinal", turn: "text", participant: "text" } as const;
/** The keys of a call, last in the front matter. */
export const MADE = { usage: USAGE, latencyMs: "amount", createdAt: "time" } as const;
/** The model and the keys of a call. */
export const CALL = { model: "text", ...MADE } as const;
/** The same of facts that a program may make without a call. */
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
/** The keys of a message's speaker and position in the protocol. */
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

/** A key that is not simply a field of the fact. */
export interface Computed<F extends Fact> {
  readonly shape: Shape;
  /** The key's value; undefined where the key is left out. */
  of(fact: F, naming: Naming): FrontMatterValue | undefined;
  /** The fields that the key's value gives back. @default none: the value follows from other fields */
  to?(value: never): Partial<F>;
}

/** Front matter: names of fields, or of computed keys and groups of fields, in the order they are written. */
export interface FileKeys<F extends Fact> {
  readonly [name: string]: Shape | Computed<F> | { readonly group: FileKeys<F> };
}

/** A type of fact: its file, and the references of its fields. */
export interface FactRow<F extends Fact> {
  /** The folder in the convening's directory. */
  readonly folder: string;
  /** The file's name in its folder. */
  name(fact: F, naming: Naming): string;
  /** The front matter after `format` and `type`. */
  readonly keys: FileKeys<F>;
  /** The same in records of the first layout. @default as `keys` */
  readonly firstKeys?: FileKeys<F>;
  /** Fields that are left out of the front matter where they have this value. */
  readonly defaults?: Partial<F>;
  /** The field that is the body; or how the body is written, and read with the front matter. */
  readonly body:
    | (keyof F & string)
    | {
      of(fact: F): string;
      to(body: string, data: Readonly<Record<string, unknown>>): Partial<F>;
    };
  /** The fields that facts of the type are sorted by. */
  readonly order: readonly (keyof F & string)[];
  /** Fields whose values no two files may share, by the words that findings name them with. */
  readonly unique?: Readonly<Record<string, keyof F & string>>;
  /** The field with the number of the message that the fact is about. @default about no message */
  readonly about?: keyof F & string;
  /** The fields that the fact has in common with that message. @default none */
  readonly shares?: readonly (keyof F & string)[];
  /** Ids of participants that `metadata.md` must know. @default none */
  ids?(fact: F): readonly string[];
  /** True for a fact that is made again with a message that is missing. @default false */
  readonly isRemade?: boolean;
  /** Fields with numbers of messages that must be on record, each with the reason. */
  readonly needs?: { readonly [name: string]: (fact: F) => string };
  /** The fact's place in the order of a forked turn; `never` leaves the fact out of forks. */
  readonly fork: number | "last" | "never";
  /** @default false: a fork that edits the message leaves the fact out */
  readonly outlivesEdit?: boolean;
  /** The name of the list of such facts in JSON. @default the folder, in snake_case */
  readonly list?: string;
}

/** The layouts of message files: all keys on top, or provenance under `made`. */
export type Layout = 1 | 2;

/** Tokens of the front matter of a message file, about, by layout. */
export const FRONT_MATTER_TOKENS: Readonly<Record<Layout, number>> = { 1: 400, 2: 200 };

/** Properties of a record that names and keys of files depend on. */
export interface Naming {
  /** Digits of a message number. */
  readonly width: number;
  /** The layout of message files: 1 in records of earlier versions. */
  readonly layout: Layout;
  /** The file name of a message that is on record. */
  messageName(seq: number): string | undefined;
}

/** The digits of a message number: three, or what the longest the protocol can need takes. */
export function seqWidth(expectedMessages = 0): number {
  return Math.max(3, String(expectedMessages).length);
}

/** A number with leading zeros. */
export function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

/** A word made fit for a file name: snake_case of ASCII letters and digits, at most 40; `participant` when nothing is left. */
export function fileWord(text: string): string {
  const word = text.normalize("NFKD").toLowerCase()
    .replace(/\p{M}+/gu, "").replace(/[^a-z0-9]+/g, "_")
    .slice(0, 40).replace(/^_+|_+$/g, "");
  return word === "" ? "participant" : word;
}

/** The number in a message file's name; undefined for any other name. */
export function seqOfName(name: string): number | undefined {
  const match = MESSAGE_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** The field and the key of a name in the table, and whether it may be absent. */
export function namesOf(name: string): { key: string; field: string; isOptional: boolean } {
  const isOptional = name.endsWith("?");
  const field = isOptional ? name.slice(0, -1) : name;
  return { field, key: snakeCase(field), isOptional };
}

/** A field's name as a key of front matter. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isTexts(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}

/** Names in the objects of a schema: keys of front matter, or fields; `loose` is JSON, where another version may add more. */
type Names = "key" | "field" | "loose";

/** The schema of a shape; a loose schema has the types alone, and of objects the fields that are always there. */
export function schemaOf(shape: { readonly keys: Keys }, names: Names): z.ZodObject;
/** The schema of a shape; a loose schema has the types alone, and of objects the fields that are always there. */
export function schemaOf(shape: Shape, names: Names): z.ZodType;
/** The schema of a shape; a loose schema has the types alone, and of objects the fields that are always there. */
export function schemaOf(shape: Shape, names: Names): z.ZodType {
  const isLoose = names === "loose";
  if (typeof shape === "string") return isLoose ? looseWord(shape) : WORDS[shape];
  if (isTexts(shape)) return isLoose ? z.string() : z.enum(shape);
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

function looseWord(word: keyof typeof WORDS): z.ZodType {
  if (word === "json" || word === "cost") return WORDS[word];
  if (word === "flag" || word === "false") return z.boolean();
  return WORDS[word].type === "number" ? z.number() : z.string();
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
export function written(value: unknown, shape: Shape): FrontMatterValue | undefined {
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

/** Any value as the JSON it would be sent as; null for what JSON cannot say. */
function jsonData(value: unknown): FrontMatterValue {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : JSON.parse(text) as FrontMatterValue;
}

/** A value of front matter as the field that it was written from. */
export function readBack(value: unknown, shape: { readonly keys: Keys }): Record<string, unknown>;
/** A value of front matter as the field that it was written from. */
export function readBack(value: unknown, shape: Shape): unknown;
/** A value of front matter as the field that it was written from. */
export function readBack(value: unknown, shape: Shape): unknown {
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
