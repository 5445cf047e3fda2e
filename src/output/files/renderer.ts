// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
import { z } from "zod";
import type { Fact } from "../../core/fact.ts";
import type { Made, Usage } from "../../core/message.ts";
import { FORMAT, type FrontMatter, type FrontMatterValue } from "../frontmatter.ts";

/** What the names of files depend on. */
export interface Naming {
  /** Digits of a message number. */
  readonly width: number;
  /** The file name of a message that is on record. */
  messageName(seq: number): string | undefined;
}

/** How one type of fact is a file: each of `page` and `fact` undoes the other. */
export interface FactFile<F extends Fact> {
  readonly type: F["type"];
  /** The folder in the convening's directory. */
  readonly folder: string;
  /** The front matter, as `verify` checks it and readers may. */
  readonly schema: z.ZodType;
  /** The file's name in its folder. */
  name(fact: F, naming: Naming): string;
  page(fact: F, naming: Naming): { data: FrontMatter; body: string };
  /** Fails with a `ZodError` where the front matter does not have the schema's shape. */
  fact(data: unknown, body: string): F;
  /** Where the fact stands among its kind. */
  order(fact: F): readonly number[];
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

/** The schema of the keys that every file of a type has. */
export function commonShape<T extends string>(
  type: T,
): { format: z.ZodLiteral<typeof FORMAT>; type: z.ZodLiteral<T> } {
  return { format: z.literal(FORMAT), type: z.literal(type) };
}

/** A count: a whole number from 0. */
export const count = z.int().nonnegative();
/** A number from 1. */
export const ordinal = z.int().positive();
/** A time: ISO 8601, UTC, with milliseconds. */
export const time = z.string().regex(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  "not a time such as 2026-11-21T20:33:12.114Z",
);

/** The schema of a usage. */
export const usageShape = z.object({
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  cost_usd: z.union([z.number().nonnegative(), z.literal("unknown")]),
});

/** The keys of whatever a call made. */
export const madeShape = {
  model: z.string(),
  usage: usageShape,
  latency_ms: z.number().nonnegative(),
  created_at: time,
};

/** A usage as front matter. */
export function usageData(usage: Usage): FrontMatter {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd,
  };
}

/** A usage out of front matter. */
export function toUsage(data: z.infer<typeof usageShape>): Usage {
  return {
    inputTokens: data.input_tokens,
    cachedInputTokens: data.cached_input_tokens,
    outputTokens: data.output_tokens,
    costUsd: data.cost_usd,
  };
}

/** What a call left, as the last keys of a page. */
export function madeData(made: Omit<Made, "model">): FrontMatter {
  return {
    usage: usageData(made.usage),
    latency_ms: made.latencyMs,
    created_at: made.createdAt,
  };
}

/** What a call left, out of front matter. */
export function toMade(
  data: {
    model: string;
    usage: z.infer<typeof usageShape>;
    latency_ms: number;
    created_at: string;
  },
): Made {
  return {
    model: data.model,
    usage: toUsage(data.usage),
    latencyMs: data.latency_ms,
    createdAt: data.created_at,
  };
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
