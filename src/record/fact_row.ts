// The form of a row of the table of facts.
import type { Fact } from "../core/fact.ts";

import type { FrontMatterValue } from "./frontmatter.ts";

/** The shape of a single value in front matter. */
export type Word =
  | "text"
  | "number"
  | "count"
  | "ordinal"
  | "brief number"
  | "amount"
  | "share"
  | "cost"
  | "flag"
  | "false"
  | "time"
  | "hash"
  | "message name"
  | "point id"
  | "layout"
  | "word"
  | "integer"
  | "json";

/** The shape of a value in front matter: a word, one of some texts, or a collection. */
export type Shape =
  | Word
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

/** A key that is not simply a field of the fact. */
export interface Computed<F extends Fact> {
  readonly shape: Shape;
  /** The key's value; undefined where the key is left out. */
  of(fact: F, naming: Naming): FrontMatterValue | undefined;
  /** The fields that the key's value gives back. @default none: the value follows from other fields */
  to?(value: never): Partial<F>;
}

/** Fields of the fact that stand under a key of their own. */
interface Group<F extends Fact> {
  readonly group: FileKeys<F>;
}

/** Front matter: names of fields, or of computed keys and groups, in the order they are written. */
export interface FileKeys<F extends Fact> {
  readonly [name: string]: Shape | Computed<F> | Group<F>;
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
