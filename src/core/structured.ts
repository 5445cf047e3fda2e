// Reading of structured replies of models.
import type { Schema } from "./schema.ts";
import { wellFormed } from "./well_formed.ts";

/** Result of reading a structured reply: the value, or the problem. */
type Reading<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Reads JSON of the given shape out of a reply: bare, in a fenced block, or inside prose. */
export function readStructured<T>(
  text: string,
  type: Schema<T>,
): Reading<T> {
  let problem = "The reply holds no JSON object.";
  for (const candidate of jsonCandidates(text)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(candidate);
    } catch (error) {
      problem = `The reply is not valid JSON: ${error instanceof Error ? error.message : error}.`;
      continue;
    }
    // Zod takes ten times as long to make code for a schema as to read a reply without the code.
    const result = type.safeParse(parsed, { jitless: true });
    // An escape in JSON can name half a character.
    if (result.success) return { value: wellFormed(result.data) };
    problem = result.error.issues
      .map((issue) => `${issue.path.join(".") || "the reply"}: ${issue.message}`)
      .join("; ");
  }
  return { problem };
}

function* jsonCandidates(text: string): Generator<string> {
  const trimmed = text.trim();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) yield trimmed;
  for (const [, block] of trimmed.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)) {
    if (block !== undefined) yield block.trim();
  }
  yield* embeddedObjects(trimmed);
}

/** The outermost balanced `{…}` of a text, in order. */
function* embeddedObjects(text: string): Generator<string> {
  let start = text.indexOf("{");
  while (start !== -1) {
    const found = objectAt(text, start);
    if (found === undefined) return;
    yield found;
    start = text.indexOf("{", start + found.length);
  }
}

/** The balanced `{…}` that begins at `start`, braces in strings left out of account. */
function objectAt(text: string, start: number): string | undefined {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return text.slice(start, i + 1);
  }
  return undefined;
}
