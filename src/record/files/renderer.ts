// What pages and files of facts have in common: names, common keys, usage.
import { FORMAT, type FrontMatterValue } from "../frontmatter.ts";

/** The layouts of message files: all keys on top, or provenance under `made`. */
export type Layout = 1 | 2;

/** What the names and keys of files depend on. */
export interface Naming {
  /** Digits of a message number. */
  readonly width: number;
  /** How files of messages are laid out: 1 in records of earlier versions. */
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

/** The keys that every file has. */
export function common(type: string): { format: string; type: string } {
  return { format: FORMAT, type };
}

/** An object of one key, or of none where the value is missing. */
export function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { [P in K]?: V } {
  return value === undefined ? {} : { [key]: value } as { [P in K]?: V };
}

/** Any value as the JSON it would be sent as; null for what JSON cannot say. */
export function jsonData(value: unknown): FrontMatterValue {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : JSON.parse(text) as FrontMatterValue;
}
