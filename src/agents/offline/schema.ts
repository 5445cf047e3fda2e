/**
 * One line of thought: sentence templates for each part it plays in a paragraph. `{name}` is filled from the topic and
 * its domain, `[a|b]` takes one of the wordings; templates start in lower case and end without a full stop.
 */
export interface Schema {
  /** What the line of thought is about, as a noun phrase: `the price of waiting`. */
  readonly theme: string;
  /** Words by which a text that raises the same matter is recognised. */
  readonly words: readonly string[];
  readonly claim: readonly string[];
  readonly reason: readonly string[];
  readonly example: readonly string[];
  readonly so: readonly string[];
}

/** The parts of a paragraph that a {@linkcode Schema} has templates for. */
export type SchemaRole = "claim" | "reason" | "example" | "so";

/** A schema from its parts; `words` are separated by spaces. */
export function schema(
  theme: string,
  words: string,
  parts: Readonly<Record<SchemaRole, readonly string[]>>,
): Schema {
  return { theme, words: words.split(" "), ...parts };
}
