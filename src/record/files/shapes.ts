// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
import { z } from "zod";
import type { Fact } from "../../core/fact.ts";
import type { Made, Usage } from "../../core/message.ts";
import { FORMAT, TIME } from "../frontmatter.ts";

/** How one type of fact is read from its file: undoes its `FactFile`. */
export interface FactReader<F extends Fact> {
  /** The front matter, as `verify` checks it and readers may. */
  readonly schema: z.ZodType;
  /** Fails with a `ZodError` where the front matter does not have the schema's shape. */
  fact(data: unknown, body: string): F;
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
  TIME,
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

/** A usage out of front matter. */
export function toUsage(data: z.infer<typeof usageShape>): Usage {
  return {
    inputTokens: data.input_tokens,
    cachedInputTokens: data.cached_input_tokens,
    outputTokens: data.output_tokens,
    costUsd: data.cost_usd,
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
